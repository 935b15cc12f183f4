"""What a candidate did besides answering, seen from inside its process: evidence, never the only proof.

    snapshot() -> Baseline                             integrity.snapshot for PCLOCK; also starts to count host reads.
                                                       Once, before the candidate's text
    Observer(model, record=None)                       after the model was constructed; record: loadinline's Record
    Observer.call(inputs) -> (output, [observation])   one call under observation; raises TaskError
    Observer.lateChanges() -> [observation]            outputs of earlier calls that were written to after their return

observation: {"check", "what", "detail"}. An honest candidate gives none, whatever library it uses, whether it keeps
state in buffers, and however many threads torch and the CPU device start for themselves:
    MUT     input_changed, parameter_changed
    SEAL    output_is_input, output_is_earlier_output, output_changed_later (and values.packOutput's)
    ORIGIN  swallowed_error: forward returned although an own function raised
    LEDGER  computed_on_the_host: Python or NumPy read most of the inputs and gave most of the outputs; threads_left
    BOX     processes_left
Which operations of the library ran is the dispatcher's to tell (app/worker/operationledger.h), not this module's.
"""

import hashlib
import os
import sys
import time

import torch

from . import integrity, task, values

_Base = torch._C.TensorBase
_storageOf = torch.Tensor.untyped_storage
_currentFrames = sys._current_frames
_sleep = time.sleep
_keptOutputs = 32
_keptBytes = 256 << 20
_smallRead = 32
_lookAgain = 5
_active = []
_isWatching = False


def snapshot():
    """The baseline that Baseline.replaced() compares with. Host reads are counted from here on."""
    _watchHostReads()
    return integrity.snapshot()


def digest(tensor):
    """16 bytes that change with any byte of a dense CPU tensor; empty for others."""
    if _Base.layout.__get__(tensor) is not torch.strided or _Base.device.__get__(tensor).type != "cpu":
        return b""
    return hashlib.blake2b(values.memoryOf(tensor), digest_size=16).digest()


def childProcesses():
    """Ids of processes that this one started and that live, and of others of its session where it leads one."""
    own, isLeader, found = str(os.getpid()), os.getsid(0) == os.getpid(), set()
    for name in os.listdir("/proc"):
        if name.isdigit() and name != own:
            try:
                with open(f"/proc/{name}/stat", encoding="utf-8", errors="replace") as file:
                    _state, parent, _group, session = file.read().rpartition(")")[2].split()[:4]
            except (OSError, ValueError):
                continue
            if parent == own or (isLeader and session == own):
                found.add(name)
    return found


class Observer:
    """Watches every call of one model. Holds references to outputs of the last calls, to look at them again."""

    def __init__(self, model, record=None):
        self._model = model
        self._record = record
        self._outputs = []
        self._numCalls = 0

    def call(self, inputs):
        counts = {"hostReads": 0, "hostWrites": 0}
        before = self._stateOf(inputs)
        threads, children, errors = _Threads(), childProcesses(), self._numErrors()
        _active.append(counts)
        try:
            output = task.call(self._model, inputs)
        finally:
            _active.remove(counts)
        found = _mutations(before) + self._aliases(output, inputs) + _hostWork(counts, inputs, output)
        found += threads.left(isFirstCall=self._numCalls == 0)
        if childProcesses() - children:
            found.append(_observation("BOX", "processes_left", "processes that forward started run on after its return"))
        if self._numErrors() > errors:
            found.append(_observation("ORIGIN", "swallowed_error", "forward returned although one of its own functions "
                                      f"raised: {self._lastError()}"))
        self._keep(output)
        self._numCalls += 1
        return output, found

    def lateChanges(self):
        return [_observation("SEAL", "output_changed_later",
                             f"output{path} of call {number + 1} was written to after its return")
                for number, path, tensor, seen in self._outputs if digest(tensor) != seen]

    def _stateOf(self, inputs):
        """(kind, name, tensor, digest). Buffers may change: batch norm's statistics do, in the reference too."""
        state = [("input", path, tensor, digest(tensor)) for path, tensor in values.tensorsOf(inputs)]
        return state + [("parameter", f" {name}", t, digest(t)) for name, t in self._parameters()]

    def _parameters(self):
        named = getattr(self._model, "named_parameters", None)
        return list(named()) if callable(named) else []

    def _aliases(self, output, inputs):
        owners = {_storage(tensor): f"input{path}" for path, tensor in values.tensorsOf(inputs)}
        for name, tensor in self._parameters():
            owners.setdefault(_storage(tensor), f"parameter {name}")
        for number, path, tensor, _ in self._outputs:
            owners.setdefault(_storage(tensor), f"output{path} of call {number + 1}")
        owners.pop(0, None)
        found = []
        for path, tensor in values.tensorsOf(output):
            owner = owners.get(_storage(tensor))
            if owner:
                what = "output_is_earlier_output" if owner.startswith("output") else "output_is_input"
                found.append(_observation("SEAL", what, f"output{path} lies in the memory of {owner}"))
        return found

    def _keep(self, output):
        self._outputs += [(self._numCalls, path, tensor, digest(tensor)) for path, tensor in values.tensorsOf(output)]
        while len(self._outputs) > _keptOutputs or sum(_sizeBytes(t) for _, _, t, _ in self._outputs) > _keptBytes:
            self._outputs.pop(0)

    def _numErrors(self):
        return self._record.numCalls()[1] if self._record is not None else 0

    def _lastError(self):
        return next((e["lastError"][:300] for e in self._record.calls.values() if e["errors"]), "")


class _Threads:
    """The threads of this process now. Those of torch's and the CPU device's pools start with the first call."""

    def __init__(self):
        self._ofPython = set(_currentFrames())
        self._all = set(os.listdir("/proc/self/task"))

    def left(self, isFirstCall):
        count = len(set(_currentFrames()) - self._ofPython)
        if not isFirstCall:
            count = max(count, self._numNew())
        if not count:
            return []
        return [_observation("LEDGER", "threads_left", f"{count} threads that forward started run on after its return")]


    def _numNew(self):
        """New threads that live on; a joined one may take the kernel another moment to go."""
        for waited in range(_lookAgain):
            count = len(set(os.listdir("/proc/self/task")) - self._all)
            if not count:
                return 0
            if waited + 1 < _lookAgain:
                _sleep(0.002)
        return count


def _mutations(before):
    return [_observation("MUT", f"{kind}_changed", f"{kind}{name} has another content after the call")
            for kind, name, tensor, seen in before if digest(tensor) != seen]


def _hostWork(counts, inputs, output):
    reads, writes = counts["hostReads"], counts["hostWrites"]
    if reads < max(_numElements(inputs) // 2, _smallRead) or writes < max(_numElements(output) // 2, 1):
        return []
    return [_observation("LEDGER", "computed_on_the_host",
                         f"{reads} elements were read by Python or NumPy, and {writes} came back from there")]


def _watchHostReads():
    """Counts, while an Observer's call runs, the elements that leave a tensor for Python or NumPy and come back."""
    global _isWatching
    if _isWatching:
        return
    _isWatching = True
    tensor = torch.Tensor
    for name in ("numpy", "tolist", "__array__", "__dlpack__"):
        setattr(tensor, name, _counted(getattr(tensor, name), "hostReads", lambda result, first: _Base.numel(first)))
    for name in ("from_numpy", "tensor", "as_tensor", "asarray", "frombuffer", "from_dlpack"):
        setattr(torch, name, _counted(getattr(torch, name), "hostWrites", lambda result, first: _Base.numel(result)))


def _counted(function, field, measure):
    def counted(*arguments, **named):
        result = function(*arguments, **named)
        first = arguments[0] if arguments else None
        if _active and not (field == "hostWrites" and isinstance(first, _Base)):
            _active[-1][field] += measure(result, first)
        return result

    counted.__name__, counted.__doc__, counted.__wrapped__ = function.__name__, function.__doc__, function
    return counted


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
