"""Executes the text of a task or a candidate, constructs its model and calls it.

    configure(poisonsMemory=False) -> None        once a process: precision, determinism
    loadModule(source, name="task") -> module     fresh namespace, found by inspect and by tracebacks
    setConstants(module, {"ROWS": 3}) -> [names]  module-level constants to replace; returns those not there
    initInputs(module) -> list | dict             [] when get_init_inputs is missing
    makeInputs(module, seed) -> list
    construct(module, className, init, seed) -> model
    call(model, inputs) -> output                 under no_grad, training flag as constructed (as KernelBench does)
    seedAll(seed) -> None

Every failure of the text is a TaskError with a sentence for its author. Needs cpudevice.install() before, on a
machine without a GPU. Knows nothing of tolerances, protocols or verdicts.
"""

import inspect
import linecache
import random
import re
import sys
import traceback
import types
import warnings

import torch

from . import normalise
from .loadinline import BuildFailed

_messageLimit = 600
_detailLimit = 8000
_needsGpu = re.compile(
    r"not compiled with CUDA|No CUDA GPUs|no NVIDIA driver|libcuda\.so|CUDA driver|0 active drivers|needs a GPU"
    r"|not implemented for 'CPU'|_cpu_?\"? not implemented for|arguments from the 'CPU' backend|requires? (a )?CUDA"
    r"|only (available|supported|implemented) (on|for) (CUDA|GPU)|NVML|CUDA error: no CUDA-capable", re.IGNORECASE)


class TaskError(Exception):
    """A text that cannot be run as a task.

    code: syntax, import_missing, module_raises, no_class, no_get_inputs, inputs_raise, inputs_not_list,
    inputs_no_tensor, init_inputs_raise, init_inputs_bad, construct_raises, forward_raises, build_failed, needs_gpu.
    message: a sentence with the next step; detail: the traceback inside the text; line: 1-based, 0 unknown.
    """

    def __init__(self, code, message, detail="", line=0):
        super().__init__(message)
        self.code = code
        self.message = message
        self.detail = detail
        self.line = line

    def asDict(self):
        return {"code": self.code, "message": self.message, "detail": self.detail, "line": self.line}


def configure(poisonsMemory=False):
    """float32 without shortcuts, repeatable results; with poisonsMemory, memory from torch.empty holds NaN."""
    torch.set_float32_matmul_precision("highest")
    torch.backends.cudnn.allow_tf32 = False
    torch.backends.mkldnn.deterministic = True
    torch._C._set_deterministic_algorithms(True, warn_only=True)  # the public function imports the compiler: 0.9 s
    torch.utils.deterministic.fill_uninitialized_memory = bool(poisonsMemory)
    warnings.simplefilter("ignore")


def seedAll(seed):
    """Seeds what a task may draw from: torch, random and, where the text imported it, NumPy."""
    torch.manual_seed(seed)
    random.seed(seed)
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        numpy.random.seed(seed % (1 << 32))


def loadModule(source, name="task"):
    """Executes the text in a fresh module registered under its name; raises TaskError."""
    fileName = f"{name}.py"
    code = _compiled(source, fileName)
    module = types.ModuleType(name)
    module.__file__ = fileName
    linecache.cache[fileName] = (len(source), None, source.splitlines(True), fileName)
    sys.modules[name] = module
    with _failuresAs("module_raises", "Executing the module", fileName):
        exec(code, vars(module))
    return module


def setConstants(module, constants):
    """Replaces module-level names before the inputs are made; returns the names that the module does not have."""
    missing = [name for name in constants if name not in vars(module)]
    for name, value in constants.items():
        if name not in missing:
            setattr(module, name, value)
    return missing


def initInputs(module):
    """What get_init_inputs() gives: a list of arguments, or a dict of named ones."""
    function = vars(module).get("get_init_inputs")
    if function is None:
        return []
    with _failuresAs("init_inputs_raise", "get_init_inputs()", module.__file__):
        init = function()
    if isinstance(init, tuple):
        init = list(init)
    isNamed = isinstance(init, dict) and all(isinstance(key, str) for key in init)
    if not isinstance(init, list) and not isNamed:
        raise TaskError("init_inputs_bad", f"get_init_inputs() returns {_kind(init)}: it must return a list of the "
                        "arguments of the model's constructor (an empty one when there are none).")
    return init


def makeInputs(module, seed):
    """Fresh inputs of forward, drawn under the seed: a list with at least one tensor."""
    function = vars(module).get("get_inputs")
    if not callable(function):
        raise TaskError("no_get_inputs", "There is no function get_inputs: add one that returns the list of tensors "
                        "that forward is called with.")
    seedAll(seed)
    with _failuresAs("inputs_raise", "get_inputs()", module.__file__):
        inputs = function()
    if not isinstance(inputs, (list, tuple)):
        raise TaskError("inputs_not_list", f"get_inputs() returns {_kind(inputs)}: it must return a list, "
                        "[x] for a single tensor.")
    if not any(_holdsTensor(value) for value in inputs):
        raise TaskError("inputs_no_tensor", "get_inputs() returns no tensor: forward needs at least one to work on.")
    return list(inputs)


def construct(module, className, init, seed):
    """The model, its parameters drawn under the seed."""
    kind = vars(module).get(className)
    if not callable(kind):
        classes = [name for name, value in vars(module).items()
                   if isinstance(value, type) and value.__module__ == module.__name__]
        listed = f"; it has {', '.join(classes[:5])}" if classes else ""
        raise TaskError("no_class", f"The module has no class {className}{listed}.")
    positional, named = _arguments(kind, init)
    seedAll(seed)
    with _failuresAs("construct_raises", f"{className}(...)", module.__file__):
        model = kind(*positional, **named)
    if not callable(model):
        raise TaskError("construct_raises", f"{className} has no forward: derive it from torch.nn.Module.")
    return model


def call(model, inputs):
    """The model's output; gradients are not recorded."""
    fileName = getattr(sys.modules.get(type(model).__module__), "__file__", "") or ""
    with _failuresAs("forward_raises", "forward", fileName), torch.no_grad():
        return model(*inputs)


def _compiled(source, fileName):
    try:
        tree = normalise.parse(source)
        text = source if _compiles(source, fileName) else None
        return compile(text if text is not None else tree, fileName, "exec", dont_inherit=True)
    except normalise.NormaliseError as error:
        raise TaskError("syntax", error.message, "", error.line) from None
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise TaskError("syntax", f"Python cannot compile the text: {error}"[:_messageLimit], "",
                        getattr(error, "lineno", 0) or 0) from None


def _compiles(source, fileName):
    """False for a text that only parses after the repairs of normalise.parse."""
    try:
        compile(source, fileName, "exec", dont_inherit=True)
    except SyntaxError:
        return False
    return True


def _arguments(kind, init):
    """(positional, named) for the constructor. [[...], {...}] is read as both where the signature allows it."""
    if isinstance(init, dict):
        return [], init
    isPair = len(init) == 2 and isinstance(init[0], (list, tuple)) and isinstance(init[1], dict)
    if isPair and _fits(kind, init[0], init[1]):
        return list(init[0]), init[1]
    return init, {}


def _fits(kind, positional, named):
    try:
        inspect.signature(kind).bind(*positional, **named)
    except (TypeError, ValueError):
        return False
    return True


class _failuresAs:
    """Context that turns whatever the text raises into one TaskError."""

    def __init__(self, code, what, fileName):
        self._code = code
        self._what = what
        self._fileName = fileName

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        if error is None or isinstance(error, (KeyboardInterrupt, TaskError)):
            return False
        frames = [frame for frame in traceback.extract_tb(trace) if frame.filename == self._fileName]
        line = frames[-1].lineno if frames else 0
        detail = "".join(traceback.format_list(frames))[-_detailLimit:] + _named(error)
        raise TaskError(*self._codeAndMessage(error, line), detail, line) from None

    def _codeAndMessage(self, error, line):
        where = f" (line {line})" if line else ""
        if isinstance(error, BuildFailed):
            code = error.code if error.code == "needs_gpu" else "build_failed"
            return code, error.message[:_messageLimit]
        if isinstance(error, ModuleNotFoundError) and error.name:
            return "import_missing", (f"The module imports {error.name}{where}, which is not installed here: "
                                      f"write it with torch alone, or install {error.name.split('.')[0]}.")
        if isinstance(error, SystemExit):
            return self._code, f"{self._what} ends the process{where}: remove the call of exit."
        text = _named(error)
        if type(error).__name__ == "NeedsGpu" or _needsGpu.search(text):
            return "needs_gpu", f"{self._what} needs a GPU{where}: {text}"
        return self._code, f"{self._what} fails{where}: {text}"


def _named(error):
    try:
        text = str(error)
    except Exception:
        text = "(its message cannot be printed)"
    return f"{type(error).__name__}: {text}"[:_messageLimit]


def _kind(value):
    return "nothing (None)" if value is None else f"a {type(value).__name__}"


def _holdsTensor(value):
    if isinstance(value, (list, tuple)):
        return any(_holdsTensor(item) for item in value)
    if isinstance(value, dict):
        return any(_holdsTensor(item) for item in value.values())
    return isinstance(value, torch.Tensor)
