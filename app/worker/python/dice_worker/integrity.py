"""PCLOCK: which names that judges and trainers rely on were replaced since a baseline.

    snapshot() -> Baseline        after cpudevice.install() and loadinline.install(), before the candidate's text
    Baseline.replaced() -> ["torch.cuda.synchronize", ...]

In-process evidence only: what decides a verdict is computed elsewhere. torch's own late wrappers (importing its
compiler replaces torch.manual_seed) are no replacement.
"""

import builtins
import os
import random
import sys
import time
import types

import torch

_torchFolder = os.path.dirname(torch.__file__) + os.sep


def snapshot():
    """The present meaning of every name of the namespaces that measuring and comparing uses."""
    return Baseline(_namespaces())


class Baseline:
    def __init__(self, namespaces):
        self._held = [(label, space,
                       {name: _meaning(value) for name, value in vars(space).items() if name not in _unwatched})
                      for label, space in namespaces]

    def replaced(self):
        """Dotted names, sorted, whose object or code is another one, that are gone, or that now shadow a base's."""
        found = []
        for label, space, before in self._held:
            now = vars(space)
            for name, (value, code) in before.items():
                if name not in now or not _isSame(now[name], value, code):
                    found.append(f"{label}.{name}")
            if isinstance(space, type):
                found += [f"{label}.{name}" for name in now if name not in before and _shadows(space, name)]
        return sorted(found)


def _namespaces():
    """(label, module or class): where a name matters to a clock, a comparison, a seed or an input."""
    spaces = [("torch", torch), ("torch.cuda", torch.cuda), ("torch.Tensor", torch.Tensor),
              ("torch.cuda.Event", torch.cuda.Event), ("torch.cuda.Stream", torch.cuda.Stream),
              ("torch.nn.Module", torch.nn.Module), ("torch.nn.functional", torch.nn.functional),
              ("torch.random", torch.random), ("time", time), ("random", random), ("builtins", builtins)]
    testing = sys.modules.get("torch.testing")
    extension = sys.modules.get("torch.utils.cpp_extension")
    spaces += [("torch.testing", testing)] if testing else []
    spaces += [("torch.utils.cpp_extension", extension)] if extension else []
    return spaces + [(f"dice_worker.{name.rpartition('.')[2]}", module) for name, module in sorted(sys.modules.items())
                     if name.startswith("dice_worker.") and isinstance(module, types.ModuleType)]


_unwatched = {"__dict__", "__weakref__", "__builtins__", "__cached__", "__warningregistry__", "_", "__annotations__",
              "__init__", "__setstate__"}
"""Also what torch's compiler patches on torch.nn.Module; constructing is nothing that a clock or a comparison uses."""



def _meaning(value):
    return value, getattr(value, "__code__", None) if isinstance(value, types.FunctionType) else None


def _isSame(now, before, code):
    if now is before:
        return code is None or now.__code__ is code
    if isinstance(before, (types.ModuleType, type(None), bool, int, float, str, list, dict, set, tuple)):
        return True  # data and lazily loaded submodules change in honest programs
    return _isTorchsOwnWrapper(now, before)


def _isTorchsOwnWrapper(now, before):
    return (isinstance(now, types.FunctionType) and getattr(now, "__wrapped__", None) is before
            and now.__code__.co_filename.startswith(_torchFolder))


def _shadows(space, name):
    return name not in _unwatched and any(name in vars(base) for base in space.__mro__[1:])
