"""What a candidate did besides answering, seen from inside its process: evidence, never the only proof.

    Observer(model, record=None)                       after the model was constructed; record: loadinline's Record
    Observer.call(inputs) -> (output, [observation])   one call under observation; raises what the model raises
    Observer.report                                    that call in numbers, a dict (below)
    Observer.lateChanges() -> [observation]            outputs of earlier calls that were written to after their return
    Observer.ghost(inputs) -> {"changed": share}       the call again with the own functions' results spoilt
    watchHostReads() -> None                           once, before the candidate's text: counts data leaving the device
    snapshot()                                         integrity.snapshot, for PCLOCK

observation: {"check", "what", "detail"}
report: {"library": {op: {"calls", "elements", "flops", "kind"}},
    "inside", "outside": {"elements", "flops"}   library arithmetic asked for by own functions / by Python,
    "own": {name: {"calls", "copies", "elements"}},   copies: calls (of the first 8) that only returned an argument's values
    "inputElements", "outputElements", "hostReads", "hostWrites" (elements), "seconds"}
"""

import hashlib
import os
import time

import torch
from torch.utils._python_dispatch import TorchDispatchMode

from . import opcost, values
from .integrity import snapshot  # noqa: F401  (part of this module's interface)

_now = time.perf_counter
_Base = torch._C.TensorBase
_equal = torch.equal
_storageOf = torch.Tensor.untyped_storage
_keptOutputs = 32
_keptBytes = 256 << 20
_maxCopyChecks = 8
_active = []


def digest(tensor):
    """16 bytes that change with any byte of a dense CPU tensor; empty for others."""
    if _Base.layout.__get__(tensor) is not torch.strided or _Base.device.__get__(tensor).type != "cpu":
        return b""
    return hashlib.blake2b(values.memoryOf(tensor), digest_size=16).digest()


def differingShare(first, second):
    """Share of the elements of two values that differ in any way; 1.0 when their structures do."""
    left, right = values.tensorsOf(first), values.tensorsOf(second)
    if [p for p, _ in left] != [p for p, _ in right] or not left:
        return 0.0 if not left and not right and first == second else 1.0
    total = differing = 0
    for (_, a), (_, b) in zip(left, right):
        if a.shape != b.shape or a.dtype != b.dtype:
            return 1.0
        same = (a == b) | ((a != a) & (b != b))
        total += a.numel()
        differing += a.numel() - int(same.sum())
    return differing / total if total else 0.0


def processes():
    """(thread ids of this process, ids of other processes of its session or children of it)."""
    threads = set(os.listdir("/proc/self/task"))
    own, session, others = str(os.getpid()), str(os.getsid(0)), set()
    for name in os.listdir("/proc"):
        if name.isdigit() and name != own:
            try:
                with open(f"/proc/{name}/stat", encoding="utf-8", errors="replace") as file:
                    fields = file.read().rpartition(")")[2].split()
            except OSError:
                continue
            if own == fields[1] or session == fields[3]:
                others.add(name)
    return threads, others


def watchHostReads():
    """Counts, while an Observer's call runs, the elements that leave a tensor for Python or NumPy and come back."""
    tensor = torch.Tensor
    for name in ("numpy", "tolist", "__array__", "__dlpack__"):
        setattr(tensor, name, _counted(getattr(tensor, name), "hostReads", lambda result, self: _Base.numel(self)))
    for name in ("from_numpy", "tensor", "as_tensor", "asarray", "frombuffer", "from_dlpack"):
        setattr(torch, name, _counted(getattr(torch, name), "hostWrites", lambda result, _: _Base.numel(result)))


def _counted(function, field, measure):
    def counted(first, *arguments, **named):
        result = function(first, *arguments, **named)
        if _active and not (field == "hostWrites" and isinstance(first, _Base)):
            _active[-1].report[field] += measure(result, first)
        return result

    counted.__name__, counted.__doc__, counted.__wrapped__ = function.__name__, function.__doc__, function
    return counted


class Observer:
    """Watches every call of one model. Holds references to outputs of the last calls, to look at them again."""

    def __init__(self, model, record=None):
        self._model = model
        self._record = record
        self._outputs = []
        self.report = {}
        torch.ones(1 << 16).add_(1)  # torch's own pool of threads starts with the first parallel operation

    def call(self, inputs):
        watch = _Call(self._record)
        before = self._stateOf(inputs)
        threads, others = processes()
        output, errorsBefore = None, self._numErrors()
        with watch, torch.no_grad():
            output = self._model(*inputs)
        report = self.report = watch.report
        report["inputElements"] = _numElements(inputs)
        report["outputElements"] = _numElements(output)
        self._noteMutations(report, before, inputs)
        self._noteAliases(report, output, inputs)
        self._noteProcesses(report, threads, others)
        self._noteHostWork(report)
        if self._numErrors() > errorsBefore:
            _note(report, "ORIGIN", "swallowed_error",
                  f"forward returned although an own function raised: {self._lastError()}")
        self._keep(output)
        return output, report.pop("observations")

    def lateChanges(self):
        found = []
        for number, path, tensor, seen in self._outputs:
            if digest(tensor) != seen:
                found.append(_observation("SEAL", "output_changed_later",
                                          f"output{path} of call {number + 1} was written to after its return"))
        return found

    def ghost(self, inputs):
        """Whether the own functions matter: with their results spoilt, which share of the output changes."""
        with torch.no_grad():
            plain = _copied(self._model(*inputs))
            if self._record is None:
                return {"changed": 0.0}
            self._record.watcher = _Spoiler()
            try:
                spoilt = self._model(*inputs)
            except Exception:
                return {"changed": 1.0}
            finally:
                self._record.watcher = None
        return {"changed": differingShare(plain, spoilt)}

    def _stateOf(self, inputs):
        state = [("input" + path, tensor, digest(tensor)) for path, tensor in values.tensorsOf(inputs)]
        for kind in ("parameters", "buffers"):
            named = getattr(self._model, f"named_{kind}", None)
            state += [(f"{kind[:-1]} {name}", t, digest(t)) for name, t in (named() if callable(named) else ())]
        return state

    def _noteMutations(self, report, before, inputs):
        for name, tensor, seen in before:
            if digest(tensor) != seen:
                what = "input_changed" if name.startswith("input") else f"{name.split()[0]}_changed"
                _note(report, "MUT", what, f"{name} has another content after the call")

    def _noteAliases(self, report, output, inputs):
        owners = {_storage(t): "input" + p for p, t in values.tensorsOf(inputs)}
        named = getattr(self._model, "named_parameters", None)
        for name, tensor in named() if callable(named) else ():
            owners.setdefault(_storage(tensor), f"parameter {name}")
        for number, path, tensor, _ in self._outputs:
            owners.setdefault(_storage(tensor), f"output{path} of call {number + 1}")
        owners.pop(0, None)
        for path, tensor in values.tensorsOf(output):
            owner = owners.get(_storage(tensor))
            if owner:
                what = "output_is_earlier_output" if owner.startswith("output") else "output_is_input"
                _note(report, "SEAL", what, f"output{path} lies in the memory of {owner}")

    def _noteProcesses(self, report, threads, others):
        threadsNow, othersNow = processes()
        if threadsNow - threads:
            _note(report, "LEDGER", "threads_left", f"{len(threadsNow - threads)} more threads run after the call")
        if othersNow - others:
            _note(report, "BOX", "processes_left", f"{len(othersNow - others)} more processes run after the call")

    def _noteHostWork(self, report):
        needed = max(report["outputElements"] // 2, 2)
        if report["hostReads"] >= 2 and report["hostWrites"] >= needed:
            _note(report, "LEDGER", "computed_on_the_host",
                  f"{report['hostReads']} elements were read by Python or NumPy, {report['hostWrites']} came back")

    def _keep(self, output):
        number = self._outputs[-1][0] + 1 if self._outputs else 0
        self._outputs += [(number, path, tensor, digest(tensor)) for path, tensor in values.tensorsOf(output)]
        while len(self._outputs) > _keptOutputs or sum(_sizeBytes(t) for _, _, t, _ in self._outputs) > _keptBytes:
            self._outputs.pop(0)

    def _numErrors(self):
        return self._record.numCalls()[1] if self._record is not None else 0

    def _lastError(self):
        return next((e["lastError"][:300] for e in self._record.calls.values() if e["errors"]), "")


class _Call(TorchDispatchMode):
    """Counts one call's library operations and own functions."""

    def __init__(self, record):
        super().__init__()
        self._record = record
        self._pauses = 0
        self.report = {
            "observations": [], "library": {}, "own": {}, "inside": {"elements": 0, "flops": 0},
            "outside": {"elements": 0, "flops": 0}, "hostReads": 0, "hostWrites": 0, "seconds": 0.0}

    @classmethod
    def _should_skip_dynamo(cls):
        return False  # otherwise torch's compiler is imported at the first operation: 1.5 s

    def __enter__(self):
        _active.append(self)
        if self._record is not None:
            self._record.watcher = self
        self._started = _now()
        return super().__enter__()

    def __exit__(self, *error):
        result = super().__exit__(*error)
        self.report["seconds"] = _now() - self._started
        if self._record is not None:
            self._record.watcher = None
        _active.remove(self)
        return result

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        result = func(*args, **(kwargs or {}))
        if not self._pauses:
            self._count(func, args, kwargs or {}, result)
        return result

    def enter(self, name, arguments):
        pass

    def leave(self, name, arguments, result):
        entry = self.report["own"].setdefault(name, {"calls": 0, "copies": 0, "elements": 0})
        entry["calls"] += 1
        entry["elements"] += _numElements(result)
        if entry["calls"] <= _maxCopyChecks:
            self._pauses += 1
            entry["copies"] += _isCopy(arguments, result)
            self._pauses -= 1
        return result

    def _count(self, func, arguments, named, result):
        try:
            kind, elements, flops = opcost.costOf(func, arguments, named, result)
        except Exception:  # a formula that does not know this overload: count what it wrote
            kind, elements, flops = opcost.kindOf(func), _numElements(result), _numElements(result)
        entry = self.report["library"].setdefault(
            func.name().removeprefix("aten::"), {"calls": 0, "elements": 0, "flops": 0, "kind": kind})
        entry["calls"] += 1
        entry["elements"] += elements
        entry["flops"] += flops
        if kind == "compute":
            isOwn = self._record is not None and self._record.depth > 0
            place = self.report["inside" if isOwn else "outside"]
            place["elements"] += elements
            place["flops"] += flops


class _Spoiler:
    """Replaces what own functions wrote by other finite values of the same type."""

    def enter(self, name, arguments):
        self._before = [(tensor, digest(tensor)) for _, tensor in values.tensorsOf(arguments)]

    def leave(self, name, arguments, result):
        written = {id(t): t for t, seen in self._before if digest(t) != seen}
        written.update((id(t), t) for _, t in values.tensorsOf(result))
        for tensor in written.values():
            with torch.no_grad():
                _spoil(tensor)
        return result


def _spoil(tensor):
    if tensor.dtype.is_floating_point or tensor.dtype.is_complex:
        tensor.copy_(tensor.nan_to_num(0, 1, -1) * -1.75 + 0.625)
    elif tensor.dtype is torch.bool:
        tensor.logical_not_()
    else:
        tensor.copy_(torch.where(tensor == 0, 1, 0))


def _isCopy(arguments, result):
    """Whether every tensor returned holds the same values as one of the arguments, in the same order."""
    results = [t for _, t in values.tensorsOf(result)]
    sources = [t for _, t in values.tensorsOf(arguments)]
    if not results or any(r.numel() < 2 for r in results):
        return False

    def same(a, b):
        if a.numel() != b.numel() or a.dtype != b.dtype or _storage(a) == _storage(b):
            return False
        return _equal(a.reshape(-1), b.reshape(-1)) and not _equal(a.reshape(-1)[:-1], a.reshape(-1)[1:])

    return all(any(same(r, s) for s in sources) for r in results)


def _copied(value):
    if isinstance(value, torch.Tensor):
        return value.clone()
    if isinstance(value, (list, tuple)):
        return [_copied(item) for item in value]
    if isinstance(value, dict):
        return {key: _copied(item) for key, item in value.items()}
    return value


def _numElements(value):
    return sum(_Base.numel(tensor) for _, tensor in values.tensorsOf(value))


def _storage(tensor):
    """Address of a tensor's memory, 0 when it has none."""
    try:
        return _storageOf(tensor).data_ptr()
    except (RuntimeError, NotImplementedError):
        return 0


def _sizeBytes(tensor):
    return _Base.numel(tensor) * _Base.element_size(tensor)


def _observation(check, what, detail):
    return {"check": check, "what": what, "detail": detail}


def _note(report, check, what, detail):
    report["observations"].append(_observation(check, what, detail))
