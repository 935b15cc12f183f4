"""The integer constants of a task text that say how large its inputs are, and the text with other ones.

    find(text) -> Constants        .sites, .shrinkable (values), .divisors
    rewrite(text, sites, {old: new}) -> text

A site is a literal, or a product of literals with at most one above 16, at module level, in get_inputs or in
get_init_inputs. A value is shrinkable when it is above 16 and none of its sites has to stay: equal constants stay
equal. What stays: names and constructor parameters that say kernel, stride, padding, dilation, groups, heads and the
like; names that the model itself reads, since a candidate has its own copy of those; seeds.
"""

import ast
import dataclasses
import re
import symtable

smallest = 17
"""Integers below are counts, kernel sizes, axes or small batches: they stay."""

_fixedName = re.compile(
    r"kernel|stride|padd|dilat|groups?$|heads?$|(num|n)_?(layers|blocks|stages|experts|iters?|iterations|steps)"
    r"|patch|window|pool|factor|ratio|upscale|shift|expan|growth|seed|top_?k$|axis|ignore_index|scale")
_divisorName = re.compile(r"groups?$|heads?$|patch|window|factor|upscale|expan")
_sizeName = re.compile(r"batch|height|width|channels|features|size|length|seq|len$|depth$|dim|^(in|out)_|hidden|embed|^[A-Z]$")
_smallestNamed = 5
_inputFunctions = ("get_inputs", "get_init_inputs")


@dataclasses.dataclass
class Site:
    """value at bytes [start, end) of the text; label: the constant's name, or its function and line."""

    value: int
    start: int
    end: int
    label: str
    isFixed: bool = False


@dataclasses.dataclass
class Constants:
    sites: list
    divisors: list
    """Counts that sizes may have to be multiples of: groups, heads, patches."""

    @property
    def shrinkable(self):
        """Values that may become smaller, ascending."""
        fixed = {site.value for site in self.sites if site.isFixed}
        return sorted({s.value for s in self.sites if s.value >= smallest} - fixed)

    @property
    def shrinkableSmall(self):
        """As shrinkable, with smaller integers whose names say that they are sizes."""
        fixed = {site.value for site in self.sites if site.isFixed}
        named = {s.value for s in self.sites if s.value >= _smallestNamed and _sizeName.search(_plain(s.label))}
        return sorted((named | set(self.shrinkable)) - fixed)

    @property
    def labels(self):
        """{value: its first label}."""
        found = {}
        for site in self.sites:
            found.setdefault(site.value, site.label)
        return found


def find(text):
    """The constants of a text that parses."""
    tree = ast.parse(text)
    finder = _Finder(text)
    for node in tree.body:
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None:
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                finder.assignment(target, node.value)
        elif isinstance(node, ast.FunctionDef) and node.name in _inputFunctions:
            finder.function(node)
    finder.fix(_namesReadByTheModel(text), _fixedArguments(tree))
    divisors = {s.value for s in finder.sites if s.value > 1 and _divisorName.search(_plain(s.label))}
    divisors |= {finder.valueOf(node) for node in _argumentsNamed(tree, _divisorName)}
    return Constants(finder.sites, sorted(d for d in divisors if d and d > 1))


def rewrite(text, sites, replacements):
    """The text with each site's value replaced; everything else stays as it is, byte for byte."""
    data = text.encode()
    for site in sorted(sites, key=lambda s: s.start, reverse=True):
        if site.value in replacements and not site.isFixed:
            data = data[:site.start] + str(replacements[site.value]).encode() + data[site.end:]
    return data.decode()


class _Finder:
    def __init__(self, text):
        self.sites = []
        self._starts = [0]
        for line in text.encode().split(b"\n"):
            self._starts.append(self._starts[-1] + len(line) + 1)

    def assignment(self, target, value):
        isPair = isinstance(target, (ast.Tuple, ast.List)) and isinstance(value, (ast.Tuple, ast.List))
        if isPair and len(target.elts) == len(value.elts):
            for one, other in zip(target.elts, value.elts):
                self.assignment(one, other)
        elif isinstance(target, ast.Name):
            self._collect(value, target.id)

    def function(self, node):
        for statement in node.body:
            self._collect(statement, f"{node.name}, line {{line}}")

    def fix(self, names, nodes):
        """Marks what must stay: sites under these names or inside these nodes, and names that say so themselves."""
        spans = [self._span(node) for node in nodes]
        for site in self.sites:
            name = _plain(site.label)
            isInside = any(start <= site.start and site.end <= end for start, end in spans)
            site.isFixed = name in names or isInside or bool(_fixedName.search(name))

    def valueOf(self, node):
        """The number that an argument node spells out, directly or by the name of a constant."""
        if isinstance(node, ast.Name):
            return next((s.value for s in self.sites if _plain(s.label) == node.id), None)
        return _folded(node)

    def _collect(self, node, label):
        value = _folded(node)
        if value is not None:
            start, end = self._span(node)
            if all(site.start != start for site in self.sites):  # a = b = 64 is one site
                self.sites.append(Site(value, start, end, label.format(line=node.lineno)))
            return
        if isinstance(node, ast.Call) and "seed" in ast.unparse(node.func):
            return
        if isinstance(node, ast.BinOp) and any(isinstance(n, ast.Call) for n in ast.walk(node)):
            # a factor on a drawn tensor is no size: look into the calls only
            for side in (node.left, node.right):
                if _folded(side) is None:
                    self._collect(side, label)
            return
        if isinstance(node, ast.Dict):
            for key, item in zip(node.keys, node.values):
                self._collect(item, str(key.value) if isinstance(key, ast.Constant) else label)
            return
        for child in ast.iter_child_nodes(node):
            self._collect(child, label)

    def _span(self, node):
        return (self._starts[node.lineno - 1] + node.col_offset, self._starts[node.end_lineno - 1] + node.end_col_offset)


def _plain(label):
    return label.partition(",")[0]


def _folded(node):
    """The positive integer of a literal or of a product or power of literals with at most one above 16, else None."""
    if isinstance(node, ast.Constant):
        return node.value if type(node.value) is int else None
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, (ast.Mult, ast.Pow, ast.LShift, ast.FloorDiv)):
        return None
    left, right = _folded(node.left), _folded(node.right)
    if left is None or right is None or (left >= smallest and right >= smallest):
        return None
    if isinstance(node.op, ast.Mult):
        return left * right
    if isinstance(node.op, ast.FloorDiv):
        return left // right if right else None
    if right > 40:
        return None
    return left ** right if isinstance(node.op, ast.Pow) else left << right


def _namesReadByTheModel(text):
    """Module-level names that classes, and functions other than the input functions, read."""
    names, pending = set(), []
    for scope in symtable.symtable(text, "task", "exec").get_children():
        if scope.get_name() not in _inputFunctions:
            pending.append(scope)
    while pending:
        scope = pending.pop()
        pending.extend(scope.get_children())
        names |= {symbol.get_name() for symbol in scope.get_symbols() if symbol.is_global() and symbol.is_referenced()}
    return names


def _fixedArguments(tree):
    """Nodes, and the nodes that names among them were assigned from, given to parameters that must stay."""
    assigned = {}
    for node in tree.body:
        if isinstance(node, ast.Assign):
            for target in node.targets:
                pairs = [(target, node.value)]
                if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
                    pairs = list(zip(target.elts, node.value.elts))
                assigned.update((one.id, other) for one, other in pairs if isinstance(one, ast.Name))
    nodes = _argumentsNamed(tree, _fixedName)
    return nodes + [assigned[node.id] for node in nodes if isinstance(node, ast.Name) and node.id in assigned]


def _argumentsNamed(tree, pattern):
    """The nodes that get_init_inputs gives to parameters of Model whose names match."""
    init = _function(_class(tree, "Model"), "__init__")
    giver = _function(tree, "get_init_inputs")
    if init is None or giver is None:
        return []
    returned = next((n.value for n in ast.walk(giver) if isinstance(n, ast.Return)), None)
    if isinstance(returned, ast.Dict):
        return [v for k, v in zip(returned.keys, returned.values)
                if isinstance(k, ast.Constant) and pattern.search(str(k.value))]
    if not isinstance(returned, (ast.List, ast.Tuple)):
        return []
    parameters = [argument.arg for argument in init.args.args[1:]]
    return [node for name, node in zip(parameters, returned.elts) if pattern.search(name)]


def _class(tree, name):
    return next((n for n in tree.body if isinstance(n, ast.ClassDef) and n.name == name), None)


def _function(owner, name):
    body = owner.body if owner is not None else []
    return next((n for n in body if isinstance(n, ast.FunctionDef) and n.name == name), None)
