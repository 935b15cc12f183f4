"""What one call of a task costs, found without allocating its tensors.

    measure(source, limits, isReal=False) -> Cost

The module is executed and its model constructed and called with every tensor above a few elements on the meta
device, whatever device the code names. Costs are opcost's estimates. Small tensors are real, so that values read from
them (a drop rate, a table) are right; a number read from a large one is taken as 1. What depends on the content of
large tensors cannot be followed: outcome "unknown". isReal runs the module on the CPU instead, under the same limits.
"""

import dataclasses
import functools
import time

import torch
import torch._VF
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_map_only

from . import opcost, task, values

_smallNumel = 1024
_recurrent = ("lstm", "gru", "rnn_tanh", "rnn_relu")
_meta = torch.device("meta")
_cpu = torch.device("cpu")
_Base = torch._C.TensorBase
_deviceOf = _Base.device.__get__
aten = torch.ops.aten


@dataclasses.dataclass
class Limits:
    """A run stops as soon as it is over one of them. numOps and seconds (of processor time) bound the measuring."""

    flops: float = 2e8
    elements: float = 4e6
    numOps: int = 40000
    seconds: float = 20.0


@dataclasses.dataclass
class Cost:
    """outcome: fits, over (a limit was passed), fails (the code raised), unknown (cannot be followed), slow."""

    outcome: str
    flops: int = 0
    elements: int = 0
    numOps: int = 0
    reason: str = ""
    error: Exception = None


def measure(source, limits, isReal=False):
    """Cost of one call: flops of forward; elements of inputs and weights and of the largest tensor computed."""
    run = _Run(limits, isReal)
    try:
        with run:
            callOnce(source, run)
    except (_Stop, task.TaskError) as error:
        stop = run.stopped
        if stop is not None:
            return Cost(stop.outcome, run.flops, run.elements(), run.numOps, stop.reason)
        return Cost(_outcomeOf(error, isReal), run.flops, run.elements(), run.numOps, error.message, error)
    return Cost("fits", run.flops, run.elements(), run.numOps)


def callOnce(source, run=None):
    """Loads, constructs and calls a task; without a run for real and uncounted. Raises TaskError."""
    module = task.loadModule(source, "scaling_trial")
    model = task.construct(module, "Model", task.initInputs(module), 0)
    inputs = task.makeInputs(module, 1)
    if run is None:
        return task.call(model, inputs)
    held = values.tensorsOf(inputs)
    for kind in ("parameters", "buffers"):
        function = getattr(model, kind, None)
        held += [("", tensor) for tensor in function()] if callable(function) else []
    run.startCounting(sum(_Base.numel(tensor) for _, tensor in held))
    if not run.isReal:
        inputs = tree_map_only(torch.Tensor, _weightAsMeta, inputs)
        if isinstance(model, torch.nn.Module):
            model._apply(_weightAsMeta)  # recurrent layers insist on one device for all of their tensors
    return task.call(model, inputs)


def _weightAsMeta(tensor):
    return _asMeta(tensor) if tensor.is_floating_point() else tensor


_followErrors = ("meta", "data-dependent", "data dependent", "Cannot copy out", "not implemented for")


def _outcomeOf(error, isReal):
    """A failure of the meta device says nothing about the module."""
    text = f"{error.message} {error.detail}"
    return "unknown" if not isReal and any(word in text for word in _followErrors) else "fails"


class _Stop(Exception):
    """Ends a run. The code under measurement may swallow it: the run remembers it."""

    def __init__(self, outcome, reason):
        super().__init__(reason)
        self.outcome = outcome
        self.reason = reason
        self.message = reason
        self.detail = ""


class _Run(TorchDispatchMode):
    def __init__(self, limits, isReal):
        super().__init__()
        self._limits = limits
        self.isReal = isReal
        self._isCounting = False
        self._deadline = time.process_time() + limits.seconds
        self._held = 0
        self._largest = 0
        self.flops = 0
        self.numOps = 0
        self.stopped = None

    @classmethod
    def _should_skip_dynamo(cls):
        return False  # otherwise torch's compiler is imported at the first operation: 1.5 s

    def __enter__(self):
        if not self.isReal:
            for name in _recurrent:
                setattr(torch._VF, name, functools.partial(self._recurrentLayer, name))
        return super().__enter__()

    def __exit__(self, *error):
        for name in _recurrent if not self.isReal else ():
            delattr(torch._VF, name)
        return super().__exit__(*error)

    def _recurrentLayer(self, name, data, *arguments):
        """Shapes of a recurrent layer's results; torch would take its every time step apart."""
        isPacked = isinstance(arguments[2], list)  # (data, batch sizes, hidden, weights, ...)
        hidden, weights = arguments[1:3] if isPacked else arguments[:2]
        isTwoWay = arguments[-1] if isPacked else arguments[-2]
        states = hidden if isinstance(hidden, (tuple, list)) else (hidden,)
        rows = _Base.numel(data) // max(data.shape[-1], 1)
        output = data.new_empty((*data.shape[:-1], states[0].shape[-1] * (2 if isTwoWay else 1)))
        self.flops += 2 * rows * sum(_Base.numel(weight) for weight in weights)
        self._check(_Base.numel(output))
        finals = tuple(state.new_empty(state.shape) for state in states)
        return (output, *finals)

    def elements(self):
        return self._held + self._largest

    def startCounting(self, heldElements):
        self._isCounting = True
        self._held = heldElements
        if heldElements > self._limits.elements:
            self._stop("over", "inputs and weights")

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        self._tick()
        kwargs = kwargs or {}
        result = self._executeReal(func, args, kwargs) if self.isReal else self._execute(func, args, kwargs)
        if self._isCounting:
            self._count(func, args, kwargs, result)
        return result

    def _tick(self):
        self.numOps += 1
        if self.stopped is not None:
            raise self.stopped
        if self.numOps > self._limits.numOps or (self.numOps % 64 == 0 and time.process_time() > self._deadline):
            self._stop("slow", "the module takes too many operations to be measured")

    def _stop(self, outcome, reason):
        self.stopped = _Stop(outcome, reason)
        raise self.stopped

    def _count(self, func, args, kwargs, result):
        try:
            kind, elements, flops = opcost.costOf(func, args, kwargs, result)
        except Exception:  # a formula that does not know this overload
            kind, elements, flops = "compute", _numelOf(result), _numelOf(result)
        self.flops += flops
        self._check(elements)

    def _check(self, elements):
        self._largest = max(self._largest, elements)
        if self.flops > self._limits.flops or self.elements() > self._limits.elements:
            self._stop("over", "one call")

    def _execute(self, func, args, kwargs):
        tensors = _tensorsIn(args) + _tensorsIn(kwargs)
        isMeta = any(_isLarge(tensor) for tensor in tensors)
        if func is aten._local_scalar_dense.default and isMeta:
            return _guess(tensors[0].dtype)
        if func is aten.lift_fresh.default or func is aten.lift_fresh_copy.default:
            return args[0]
        if not tensors and _takesDevice(func):
            return _factory(func, args, kwargs)
        if "device" in kwargs:
            kwargs = {**kwargs, "device": _meta if isMeta else _cpu}
        if not isMeta:
            return func(*args, **kwargs)
        result = _onMeta(func, args, kwargs)
        isSelf = isinstance(result, torch.Tensor) and isinstance(args[0], torch.Tensor) and _isInPlace(func)
        return args[0] if isSelf else result

    def _executeReal(self, func, args, kwargs):
        """On the CPU, after a look at the size of the result: memory is bounded, too."""
        try:
            size = _numelOf(_onMeta(func, args, kwargs))
        except Exception:
            size = 0
        if size > 8 * self._limits.elements:
            self._stop("over", "a single tensor")
        return func(*args, **kwargs)


def _factory(func, args, kwargs):
    kwargs = {key: value for key, value in kwargs.items() if key != "pin_memory"}
    generator = kwargs.pop("generator", None)
    result = func(*args, **{**kwargs, "device": _meta})
    isWanted = kwargs.get("device") == _meta  # by code that follows the device of a large tensor
    if isWanted or result.numel() > _smallNumel:
        return result
    if generator is not None:
        kwargs["generator"] = generator
    return func(*args, **{**kwargs, "device": _cpu})


def _onMeta(func, args, kwargs):
    kwargs = {key: value for key, value in kwargs.items() if key != "generator"}
    if "device" in kwargs or not (_tensorsIn(args) or _tensorsIn(kwargs)) and _takesDevice(func):
        kwargs["device"] = _meta
    args, kwargs = tree_map_only(torch.Tensor, _asMeta, (args, kwargs))
    return func(*args, **kwargs)


def _asMeta(tensor):
    if _deviceOf(tensor).type == "meta" or tensor.dim() == 0:
        return tensor
    return torch.empty_strided(tensor.shape, tensor.stride(), dtype=tensor.dtype, device=_meta)


def _isLarge(tensor):
    return _deviceOf(tensor).type == "meta" or _Base.numel(tensor) > _smallNumel


_inPlace = {}


def _isInPlace(func):
    known = _inPlace.get(func)
    if known is None:
        first = func._schema.arguments[0]
        known = _inPlace[func] = first.alias_info is not None and first.alias_info.is_write
    return known


_deviceTakers = {}


def _takesDevice(func):
    known = _deviceTakers.get(func)
    if known is None:
        known = _deviceTakers[func] = any(argument.name == "device" for argument in func._schema.arguments)
    return known


def _guess(dtype):
    return True if dtype is torch.bool else 1.0 if dtype.is_floating_point else 1


def _tensorsIn(value):
    if isinstance(value, torch.Tensor):
        return [value]
    if isinstance(value, dict):
        value = value.values()
    elif not isinstance(value, (list, tuple)):
        return []
    return [tensor for item in value for tensor in _tensorsIn(item)]


def _numelOf(value):
    return sum(_Base.numel(tensor) for tensor in _tensorsIn(value))
