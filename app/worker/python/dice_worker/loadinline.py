"""Interception of torch.utils.cpp_extension: a candidate's load_inline or load becomes a request to the judge.

    install(builder) -> Record
    builder(request) -> the loaded extension module; or raises BuildFailed; or returns
        {"failed": {"code", "message", "log"}}, which is raised as BuildFailed here.

request: {"kind": "inline" | "load", "name", "cppSources": [text], "cudaSources": [text],
          "functions": {name: docstring} | None, "withCuda": bool | None, "isPythonModule": bool,
          "hasImplicitHeaders": bool, "extraCflags", "extraCudaCflags", "extraLdflags", "extraIncludePaths": [text],
          "cppLines", "cudaLines": [line], "files": [path], "line": int}
Lines count from 1 in the candidate's own file: where each source text begins there (0: not found), so that line n of
the text is line begin + n - 1 of the file; and where the call is.

The real module is not imported (it costs 0.2 s and looks for a toolkit); what is not intercepted is fetched from it
on demand. A build failure stays in the Record, so a candidate that swallows the exception hides nothing. Functions
of the loaded module are wrapped: the Record counts calls, and errors that left them, by name.
"""

import ast
import functools
import importlib.util
import linecache
import sys
import types

import torch.utils

maxSourceBytes = 4 << 20
_moduleName = "torch.utils.cpp_extension"
_messageLimit = 2000


class BuildFailed(RuntimeError):
    """An extension was not built. code: compile_error, needs_gpu, refused, harness_error."""

    def __init__(self, message, log="", code="compile_error"):
        super().__init__(message)
        self.code = code
        self.message = message
        self.log = log

    def asDict(self):
        return {"code": self.code, "message": self.message[:_messageLimit], "log": self.log}


class Record:
    """What was asked for and what became of it, kept outside of the candidate's reach by convention only."""

    def __init__(self):
        self.builds = []
        """One {"name", "line", "outcome": "built" | "failed", "error": dict | None} for each call, in order."""
        self.calls = {}
        """{"extension.function": {"calls", "errors", "lastError"}}."""

    def failure(self):
        """The first failed build as a dict, or None."""
        return next((b["error"] for b in self.builds if b["outcome"] == "failed"), None)

    def numCalls(self):
        """(calls that returned, calls that raised) over all extension functions."""
        errors = sum(entry["errors"] for entry in self.calls.values())
        return sum(entry["calls"] for entry in self.calls.values()) - errors, errors

    def wrap(self, extensionName, module):
        """The module with every function counted; classes and data pass as they are."""
        if not isinstance(module, types.ModuleType):
            return module
        wrapped = types.ModuleType(module.__name__, module.__doc__)
        for name, value in vars(module).items():
            if name.startswith("__") and name.endswith("__"):
                continue
            isFunction = callable(value) and not isinstance(value, type)
            setattr(wrapped, name, self._counted(f"{extensionName}.{name}", value) if isFunction else value)
        return wrapped

    def _counted(self, name, function):
        entry = self.calls.setdefault(name, {"calls": 0, "errors": 0, "lastError": ""})

        def launcher(*arguments, **named):
            entry["calls"] += 1
            try:
                return function(*arguments, **named)
            except BaseException as error:
                entry["errors"] += 1
                entry["lastError"] = f"{type(error).__name__}: {error}"[:_messageLimit]
                raise

        launcher.__name__ = launcher.__qualname__ = name.rpartition(".")[2]
        launcher.__doc__ = getattr(function, "__doc__", None)
        return launcher


def install(builder):
    """Puts the interception in place of torch.utils.cpp_extension and returns its Record."""
    record = Record()
    stand = _standIn(builder, record)
    real = sys.modules.get(_moduleName)
    if real is not None and not hasattr(real, "diceRecord"):
        for name in ("load", "load_inline", *_refusedNames):
            setattr(real, name, getattr(stand, name))
    sys.modules[_moduleName] = stand
    torch.utils.cpp_extension = stand
    return record


def locate(fileText, sourceText):
    """The line of fileText on which sourceText begins as a string literal, 0 when it is put together elsewhere."""
    try:
        literals = [n for n in ast.walk(ast.parse(fileText)) if isinstance(n, ast.Constant) and isinstance(n.value, str)]
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return 0
    best = None
    for node in literals:
        if len(node.value) > 40 or node.value == sourceText:
            position = sourceText.find(node.value)
            if position >= 0 and (best is None or len(node.value) > len(best[0])):
                best = (node.value, position, node.lineno)
    if best is None:
        return 0
    return max(best[2] - sourceText.count("\n", 0, best[1]), 1)


def _standIn(builder, record):
    stand = types.ModuleType(_moduleName, "Intercepted: extensions are built by the judge.")
    stand.diceRecord = record

    def load_inline(name, cpp_sources, cuda_sources=None, sycl_sources=None, functions=None, extra_cflags=None,
                    extra_cuda_cflags=None, extra_sycl_cflags=None, extra_ldflags=None, extra_include_paths=None,
                    build_directory=None, verbose=False, with_cuda=None, with_sycl=None, is_python_module=True,
                    with_pytorch_error_handling=True, keep_intermediates=True, use_pch=False,
                    no_implicit_headers=False):
        request = {
            "kind": "inline",
            "name": _text("name", name),
            "cppSources": _texts("cpp_sources", cpp_sources),
            "cudaSources": _texts("cuda_sources", cuda_sources),
            "functions": _functions(functions),
            "hasImplicitHeaders": not no_implicit_headers,
            "files": [],
            **_options(with_cuda, is_python_module, extra_cflags, extra_cuda_cflags, extra_ldflags, extra_include_paths),
        }
        _refuseSycl(sycl_sources, with_sycl)
        return _build(builder, record, request, sys._getframe(1))

    def load(name, sources, extra_cflags=None, extra_cuda_cflags=None, extra_sycl_cflags=None, extra_ldflags=None,
             extra_include_paths=None, build_directory=None, verbose=False, with_cuda=None, with_sycl=None,
             is_python_module=True, is_standalone=False, keep_intermediates=True):
        paths = _texts("sources", sources)
        if is_standalone:
            raise _kept(record, name, BuildFailed("A standalone program is no extension: call load without is_standalone.",
                                                  code="refused"))
        cpp, cuda = _readFiles(record, name, paths)
        request = {
            "kind": "load",
            "name": _text("name", name),
            "cppSources": cpp,
            "cudaSources": cuda,
            "functions": None,
            "hasImplicitHeaders": False,
            "files": paths,
            **_options(with_cuda, is_python_module, extra_cflags, extra_cuda_cflags, extra_ldflags, extra_include_paths),
        }
        _refuseSycl(None, with_sycl)
        return _build(builder, record, request, sys._getframe(1))

    stand.load_inline, stand.load = load_inline, load
    _addOtherNames(stand, record)
    return stand


def _addOtherNames(stand, record):
    """What programs ask of the module besides: setup classes are refused, checks pass, the rest is the real one's."""
    for name in _refusedNames:
        setattr(stand, name, _refusal(record, name))
    stand.is_ninja_available = lambda: True
    stand.verify_ninja_availability = lambda: None
    stand.CUDA_HOME = "/usr/local/cuda"
    stand.__getattr__ = functools.partial(_fromRealModule, stand)


_refusedNames = ("CUDAExtension", "CppExtension", "SyclExtension", "BuildExtension")


def _refusal(record, what):
    def refused(*_arguments, **_named):
        raise _kept(record, what, BuildFailed(
            f"{what} needs a setup script, which is not run here: build the extension with load_inline.", code="refused"))

    refused.__name__ = refused.__qualname__ = what
    refused.with_options = refused
    return refused


def _fromRealModule(stand, name):
    if name.startswith("__"):
        raise AttributeError(name)
    real = stand.__dict__.get("_real")
    if real is None:
        # Executed under its own name but never put into sys.modules: the interception stays.
        folder = next(iter(torch.utils.__path__))
        spec = importlib.util.spec_from_file_location(_moduleName, f"{folder}/cpp_extension.py")
        real = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(real)
        stand._real = real
    return getattr(real, name)


def _text(argument, value):
    if not isinstance(value, str):
        raise TypeError(f"{argument} must be str, not {type(value).__name__}")
    return value


def _texts(argument, value):
    """A text or a sequence of texts as a list, as the real functions take them."""
    if not value:
        return []
    if isinstance(value, str):
        value = [value]
    if not isinstance(value, (list, tuple)):
        raise TypeError(f"{argument} must be a str or a list of str, not {type(value).__name__}")
    texts = [_text(argument, text) for text in value]
    if sum(map(len, texts)) > maxSourceBytes:
        raise ValueError(f"{argument} has over {maxSourceBytes >> 20} MiB")
    return texts


def _functions(functions):
    if functions is None:
        return None
    if isinstance(functions, str):
        functions = [functions]
    if isinstance(functions, list):
        functions = {name: name for name in functions}
    if not isinstance(functions, dict):
        raise ValueError(f"Expected 'functions' to be a list or dict, but was {type(functions)}")
    return {_text("functions", name): str(text) for name, text in functions.items()}


def _options(withCuda, isPythonModule, cflags, cudaCflags, ldflags, includePaths):
    return {
        "withCuda": None if withCuda is None else bool(withCuda),
        "isPythonModule": bool(isPythonModule),
        "extraCflags": _texts("extra_cflags", cflags),
        "extraCudaCflags": _texts("extra_cuda_cflags", cudaCflags),
        "extraLdflags": _texts("extra_ldflags", ldflags),
        "extraIncludePaths": _texts("extra_include_paths", includePaths),
    }


def _refuseSycl(sources, withSycl):
    if sources or withSycl:
        raise ValueError("SYCL sources are not supported: only C++ and CUDA are")


def _readFiles(record, name, paths):
    """(C++ texts, CUDA texts) of the files that load names: what the box shows of the file system, no more."""
    texts = {True: [], False: []}
    for path in paths:
        try:
            with open(path, encoding="utf-8", errors="replace") as file:
                text = file.read(maxSourceBytes + 1)
        except OSError as error:
            raise _kept(record, name, BuildFailed(f"Source file {path} cannot be read: {error.strerror}.")) from None
        if len(text) > maxSourceBytes:
            raise _kept(record, name, BuildFailed(f"Source file {path} has over {maxSourceBytes >> 20} MiB."))
        texts[path.endswith((".cu", ".cuh"))].append(text)
    return texts[False], texts[True]


def _build(builder, record, request, frame):
    fileText = "".join(linecache.getlines(frame.f_code.co_filename))
    request["line"] = frame.f_lineno
    for kind in ("cpp", "cuda"):
        request[f"{kind}Lines"] = [locate(fileText, text) for text in request[f"{kind}Sources"]]
    try:
        module = builder(request)
        if isinstance(module, dict) and "failed" in module:
            failed = module["failed"]
            raise BuildFailed(failed.get("message", ""), failed.get("log", ""), failed.get("code", "compile_error"))
    except BuildFailed as error:
        raise _kept(record, request["name"], error, request["line"])
    except Exception as error:
        failure = BuildFailed(f"The build could not be asked for: {error}"[:_messageLimit], code="harness_error")
        raise _kept(record, request["name"], failure, request["line"]) from error
    record.builds.append({"name": request["name"], "line": request["line"], "outcome": "built", "error": None})
    return record.wrap(request["name"], module)


def _kept(record, name, error, line=0):
    record.builds.append({"name": str(name), "line": line, "outcome": "failed", "error": error.asDict()})
    return error
