"""Smaller sizes for tasks too big for the CPU device: the judge's rule, design "Scaled-down tasks".

    plan(source, maxFlops=2e8, maxElements=4e6, seconds=20.0) -> {
        "status": "fits" | "scaled" | "cannot", "source": text to run, "constants": {label: new value},
        "sizes": [[label, old, new]], "flops", "elements" (of one call of the text to run), "reason": sentence}

Sizes shrink by a power law, v -> b (v / b)^t, with the largest t whose call stays under both limits, so that large
sizes give up most and the order of sizes stays. Equal constants stay equal, different ones different. Sizes are odd
multiples of what they have to be multiples of, so no size that is free to choose is a multiple of 32. A text whose
shapes allow no such choice is tried with coarser alignments, with its ratios kept, and at last with fewer sizes
shrunk. Every trial is a run of the module on the meta device (shaperun); the chosen one is run once for real.

The same text gives the same plan: the search is bounded by a number of operations; the processor seconds are only an emergency
stop, which gives "cannot".
"""

import math
import time

from . import normalise, shaperun, sizeconstants, task

_levels = 48
_numOps = 200000
_growthTrials, _growthOps = 12, 3000
_rounds = (16, 4)
"""Bases of the power law: first sizes stay above 16; only where that is still too much may they go down to 4."""


def plan(source, maxFlops=2e8, maxElements=4e6, seconds=20.0):
    """The rule of this module applied to a task's text. Never raises for what the text does."""
    text = _readable(source)
    search = _Search(text, shaperun.Limits(maxFlops, maxElements, seconds=seconds))
    first = search.measure(text)
    if first.outcome in ("fits", "fails"):  # what fails here fails in the same way, with its sentence, when it is run
        return _answer("fits", text, first, [], first.reason if first.outcome == "fails" else "")
    chosen = search.best()
    if chosen is None:
        return _answer("cannot", text, first, [], search.reason())
    sizes, cost = chosen
    labels = search.constants.labels
    shown = [[labels[old], old, new] for old, new in sorted(sizes.items()) if old != new]
    scaled = sizeconstants.rewrite(text, search.constants.sites, sizes)
    return _answer("scaled", scaled, cost, shown, "")


def _answer(status, text, cost, sizes, reason):
    return {"status": status, "source": text, "constants": {label: new for label, _, new in sizes}, "sizes": sizes,
            "flops": int(cost.flops), "elements": int(cost.elements), "reason": reason}


def _readable(source):
    """The text itself where Python reads it, else its canonical form; unreadable texts pass (running them says why)."""
    try:
        compile(source, "task.py", "exec", dont_inherit=True)
        return source
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        pass
    try:
        return normalise.normalise(source)[0]
    except normalise.NormaliseError:
        return source


class _Search:
    """Tries sizes for one text. Remembers what it measured and why it stopped."""

    def __init__(self, text, limits):
        self._isReal = False
        self._text = text
        self._limits = limits
        self._measured = {}
        self._opsLeft = _numOps
        self._deadline = time.process_time() + limits.seconds
        self._lastFailure = ""
        self._divisors = {}
        try:
            self.constants = sizeconstants.find(text)
        except (SyntaxError, ValueError, RecursionError):
            self.constants = sizeconstants.Constants([], [])
        self._values = self.constants.shrinkable

    def measure(self, text):
        """The cost of one call, within what is left of the search's own budget."""
        if text not in self._measured:
            cost = self._measuredNow(text)
            if cost.outcome == "unknown":  # it depends on the content of tensors: from here on, trials run for real
                self._isReal = True
                cost = self._measuredNow(text)
            self._measured[text] = cost
        return self._measured[text]

    def _measuredNow(self, text):
        limits = shaperun.Limits(self._limits.flops, self._limits.elements, max(self._opsLeft, 1), self._secondsLeft())
        cost = shaperun.measure(text, limits, self._isReal)
        self._opsLeft -= cost.numOps
        if cost.outcome == "fails":
            self._lastFailure = cost.reason
        return cost

    def best(self):
        """(sizes, cost) of the first way of shrinking whose largest fitting sizes also run for real, or None."""
        for values, groups, alignment in self._ways():
            if not values or self._isSpent():
                continue
            for base in _rounds:
                rule = self._rule(groups, alignment, base)
                sizes = self._largest(rule)
                if sizes is not None:
                    sizes = self._loosened(self._grown(sizes, rule))
                    if self._verified(sizes):
                        return sizes, self.measure(self._rewritten(sizes))
                    break
        return None

    def reason(self):
        if not self.constants.sites or not self._values:
            return ("The task is too big for the CPU device, and its sizes are not constants of the module, "
                    "get_inputs or get_init_inputs that could be made smaller.")
        if self._isSpent():
            return "The task is too big for the CPU device, and no smaller sizes were found within the time for it."
        return ("The task is too big for the CPU device, and no smaller sizes work"
                + (f": {self._lastFailure}" if self._lastFailure else "."))[:600]

    def _verified(self, sizes):
        """Whether the module runs for real: indices, for instance, are only checked there. Its size is known by now."""
        if self._isReal:
            return True
        try:
            shaperun.callOnce(self._rewritten(sizes))
        except task.TaskError as error:
            self._lastFailure = error.message
            return False
        return True

    def _rule(self, groups, alignment, base):
        return _Rule([_Group(values, alignment, self._needed) for values in groups], base, self.constants)

    def _ways(self):
        """(values to shrink, groups of values that keep their ratio, alignment), the preferred first."""
        single = [[value] for value in self._values]
        for alignment in (4, 1, 8, 2, 16, 32):
            yield self._values, single, alignment
        for groups in (_related(self._values, 8), [self._values]):
            for alignment in (1, 2, 4, 8, 16):
                yield self._values, groups, alignment
        small = self.constants.shrinkableSmall
        if small != self._values:
            for alignment in (4, 1):
                yield small, [[value] for value in small], alignment
        free = [value for value in self._values if self._isFree(value)]
        if free and free != self._values:
            for alignment in (4, 1, 8, 16, 32):
                yield free, [[value] for value in free], alignment

    def _isFree(self, value):
        """Whether the module still runs when this size alone is about halved."""
        halved = _oddMultiple(value // 2, math.lcm(1, *self._needed(value)))
        return halved != value and self._runs({value: halved})

    def _needed(self, value):
        """The counts (groups, heads, patches) that this size has to stay a multiple of: tried by one size that is not."""
        if value not in self._divisors:
            dividing = [divisor for divisor in self.constants.divisors if value % divisor == 0]
            other = next((n for n in range(value // 2 + 1, value) if not any(n % d == 0 for d in dividing)), value)
            isNeeded = dividing and not self._runs({value: other})
            self._divisors[value] = dividing if isNeeded else []
        return self._divisors[value]

    def _runs(self, sizes):
        return self.measure(self._rewritten(sizes)).outcome in ("fits", "over")

    def _largest(self, rule):
        """The sizes of the highest level that fits, by bisection; None when the lowest does not."""
        if self._outcome(rule.sizes(0)) != "fits":
            return None
        low, high = 0, _levels
        while high - low > 1 and not self._isSpent():
            middle = (low + high) // 2
            if self._outcome(rule.sizes(middle)) == "fits":
                low = middle
            else:
                high = middle
        return rule.sizes(low)

    def _grown(self, sizes, rule):
        """The sizes, single ones enlarged while the call still fits, always the one that lost most."""
        open_ = set(rule.groups)
        trials = min(_growthTrials, max(_growthOps // max(self.measure(self._rewritten(sizes)).numOps, 1), 1))
        for _ in range(trials):
            if not open_ or self._isSpent():
                break
            group = min(open_, key=lambda g: (rule.levelOf(g, sizes), g.values))
            steps = (rule.enlarged(sizes, group, step) for step in group.steps(sizes))
            larger = next((s for s in steps if s is not None and self._outcome(s) == "fits"), None)
            if larger is None:
                open_.discard(group)
            else:
                sizes = larger
        return sizes

    def _outcome(self, sizes):
        if sizes is None:
            return "fails"
        return self.measure(self._rewritten(sizes)).outcome

    def _loosened(self, sizes):
        """The sizes with one made no multiple of 32, where alignment made all of them multiples, and that works."""
        if any(new % 32 for new in sizes.values()):
            return sizes
        for old in sorted(sizes, reverse=True):
            for step in (1, 2, 4, 8, 16):
                changed = {**sizes, old: sizes[old] - step}
                if len(set(changed.values())) == len(changed) and self._outcome(changed) == "fits":
                    return changed
        return sizes

    def _rewritten(self, sizes):
        return sizeconstants.rewrite(self._text, self.constants.sites, sizes)

    def _isSpent(self):
        return self._opsLeft <= 0 or self._secondsLeft() == 0

    def _secondsLeft(self):
        return max(self._deadline - time.process_time(), 0.0)


class _Group:
    """Sizes that keep their ratio: one free number, the unit, of which each size is a multiple."""

    def __init__(self, values, alignment, needed):
        self.values = tuple(values)
        self.unit = math.gcd(*values)
        self.factors = {value: value // self.unit for value in values}
        required = [d for value in values for d in needed(value) if self.unit % d == 0]
        self.required = math.lcm(1, *required)
        self.alignment = math.lcm(math.gcd(self.unit, alignment), self.required)

    def unitOf(self, sizes):
        return sizes[self.values[0]] // self.factors[self.values[0]]

    def sizesAt(self, unit):
        return {value: factor * unit for value, factor in self.factors.items()}

    def steps(self, sizes):
        """Enlargements of the unit to try: an eighth, one odd multiple, and for small sizes the least there is."""
        unit, step = self.unitOf(sizes), 2 * self.alignment
        coarse = step * (unit // (8 * step))
        return sorted({s for s in (coarse, step, self.alignment, 2 * self.required, self.required) if s}, reverse=True)


class _Rule:
    """One way of shrinking: level 0 is the smallest, level _levels is the original."""

    def __init__(self, groups, base, constants):
        self.groups = sorted(groups, key=lambda group: group.values)
        self._base = base
        shrunk = {value for group in groups for value in group.values}
        self._taken = {site.value for site in constants.sites if site.value not in shrunk}

    def sizes(self, level):
        """{old: new} with new values in the order of the old ones and none equal to a constant that stays; or None."""
        found = {}
        for group in self.groups:
            unit = self._allowedUnit(group, self._wanted(group.unit, level), found)
            if unit is None:
                return None
            found.update(group.sizesAt(unit))
        return found

    def levelOf(self, group, sizes):
        """At which level (0 to 1) of the power law the sizes of a group are."""
        if group.unit <= self._base:
            return 1.0
        return math.log(max(group.unitOf(sizes) / self._base, 1e-9)) / math.log(group.unit / self._base)

    def enlarged(self, sizes, group, step):
        """The sizes with the unit of one group larger by step; None when that is no allowed choice."""
        unit = group.unitOf(sizes) + step
        others = {value: size for value, size in sizes.items() if value not in group.factors}
        if unit > group.unit or not self._isAllowed(group.sizesAt(unit), others):
            return None
        return {**others, **group.sizesAt(unit)}

    def _wanted(self, unit, level):
        if level >= _levels or unit <= self._base:
            return unit
        return min(self._base * (unit / self._base) ** (level / _levels), unit)

    def _allowedUnit(self, group, wanted, found):
        unit = group.unit if wanted >= group.unit else _oddMultiple(wanted, group.alignment)
        while unit < group.unit and not self._isAllowed(group.sizesAt(unit), found):
            unit += group.alignment
        unit = min(unit, group.unit)
        return unit if self._isAllowed(group.sizesAt(unit), found) else None

    def _isAllowed(self, sizes, others):
        """Different constants stay different, and in their order."""
        for value, size in sizes.items():
            if size in self._taken and size != value:
                return False
            if any((other < value) != (chosen < size) or chosen == size for other, chosen in others.items()):
                return False
        return True


def _oddMultiple(size, align):
    """The largest odd multiple of align up to size; align itself when there is none."""
    count = max(int(size // align), 1)
    return align * (count - (count + 1) % 2)


def _related(values, largestRatio):
    """Groups of values that are small integer multiples of each other."""
    groups = []
    for value in values:
        near = next((g for g in groups if any(value % v == 0 and value // v <= largestRatio for v in g)), None)
        if near is None:
            groups.append([value])
        else:
            near.append(value)
    return groups
