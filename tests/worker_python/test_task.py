"""Loading, constructing and calling task texts; every way in which one can be unusable has its own sentence."""

import inspect
import subprocess
import sys
import unittest

import torch

from dice_worker import task as subject
from dice_worker.loadinline import BuildFailed

goodTask = '''\
import torch
import torch.nn as nn

class Model(nn.Module):
    def __init__(self, width, scale=1.0):
        super().__init__()
        self.linear = nn.Linear(width, 3)
        self.scale = scale

    def forward(self, x):
        return self.linear(x) * self.scale

ROWS, WIDTH = 4, 5

def get_inputs():
    return [torch.randn(ROWS, WIDTH)]

def get_init_inputs():
    return [WIDTH]
'''


class RunsTasks(unittest.TestCase):

    def testModelInputsAndOutput(self):
        module = subject.loadModule(goodTask)
        model = subject.construct(module, "Model", subject.initInputs(module), 7)
        inputs = subject.makeInputs(module, 8)
        output = subject.call(model, inputs)
        self.assertEqual(tuple(output.shape), (4, 3))
        self.assertFalse(output.requires_grad)
        self.assertTrue(model.training)

    def testSeedsDecideWeightsAndInputs(self):
        module = subject.loadModule(goodTask)
        weights = [subject.construct(module, "Model", [5], seed).linear.weight for seed in (1, 1, 2)]
        self.assertTrue(torch.equal(weights[0], weights[1]))
        self.assertFalse(torch.equal(weights[0], weights[2]))
        inputs = [subject.makeInputs(module, seed)[0] for seed in (1, 1, 2)]
        self.assertTrue(torch.equal(inputs[0], inputs[1]))
        self.assertFalse(torch.equal(inputs[0], inputs[2]))

    def testConstantsAreReplacedBeforeInputs(self):
        module = subject.loadModule(goodTask)
        self.assertEqual(subject.setConstants(module, {"ROWS": 9, "NONE": 1}), ["NONE"])
        self.assertEqual(tuple(subject.makeInputs(module, 0)[0].shape), (9, 5))

    def testInitFormsOfConstructorArguments(self):
        module = subject.loadModule(goodTask)
        for init, scale in (([5], 1.0), ([5, 2.0], 2.0), ({"width": 5, "scale": 3.0}, 3.0),
                            ([[5], {"scale": 4.0}], 4.0), ([[], {"width": 5}], 1.0)):
            with self.subTest(init=init):
                self.assertEqual(subject.construct(module, "Model", init, 0).scale, scale)

    def testMissingInitInputsAreEmpty(self):
        self.assertEqual(subject.initInputs(subject.loadModule("x = 1")), [])

    def testNamespacesAreFreshAndSourceIsFound(self):
        first = subject.loadModule(goodTask, "first_task")
        second = subject.loadModule("x = 1", "first_task")
        self.assertFalse(hasattr(second, "Model"))
        self.assertTrue(hasattr(first, "Model"))
        third = subject.loadModule(goodTask, "third_task")
        self.assertIn("def forward", inspect.getsource(third.Model))

    def testListOfListAndDictStaysWhenTheNamesDoNotFit(self):
        module = subject.loadModule("class Model:\n    def __init__(self, a, b):\n        self.a, self.b = a, b\n"
                                    "    def __call__(self): pass\n")
        model = subject.construct(module, "Model", [[1], {"k": 2}], 0)
        self.assertEqual((model.a, model.b), ([1], {"k": 2}))

    def testMainGuardDoesNotRun(self):
        subject.loadModule("if __name__ == '__main__':\n    raise SystemExit(3)\n")

    def testPastedOdditiesStillRun(self):
        module = subject.loadModule("\ufeff```python\n  x = 1\n  y = 2\n```")
        self.assertEqual((module.x, module.y), (1, 2))

    def testStartingDoesNotImportTheCompiler(self):
        script = ("import sys, torch\nfrom dice_worker import audit, cpudevice, loadinline, observe, scaling, task\n"
                  "cpudevice.install(); task.configure(); loadinline.install(None)\n"
                  "observe.snapshot()\nsys.exit(any(m in sys.modules for m in ('torch._dynamo', 'torch._inductor')))")
        self.assertEqual(subprocess.run([sys.executable, "-c", script]).returncode, 0)

    def testPoisonedMemoryHoldsNan(self):
        subject.configure(poisonsMemory=True)
        try:
            self.assertTrue(torch.empty(100).isnan().all())
        finally:
            subject.configure()


class NamesFailures(unittest.TestCase):

    def failureOf(self, source, step="inputs"):
        with self.assertRaises(subject.TaskError) as caught:
            module = subject.loadModule(source)
            init = subject.initInputs(module)
            if step == "inputs":
                subject.makeInputs(module, 0)
            subject.call(subject.construct(module, "Model", init, 0), [torch.ones(2)])
        self.assertTrue(caught.exception.message)
        self.assertEqual(set(caught.exception.asDict()), {"code", "message", "detail", "line"})
        return caught.exception

    def testModulesThatDoNotLoad(self):
        cases = {
            "x = (": ("syntax", "never closed", 1),
            "return 1": ("syntax", "outside function", 1),
            "import torch\nimport einops_is_not_here": ("import_missing", "einops_is_not_here", 2),
            "from flash_nothing.bert import x": ("import_missing", "flash_nothing", 1),
            "x = 1\ny = x / 0": ("module_raises", "ZeroDivisionError", 2),
            "import sys\nsys.exit(0)": ("module_raises", "ends the process", 2),
            "raise RuntimeError('Found no NVIDIA driver on your system')": ("needs_gpu", "needs a GPU", 1),
            "def f(): f()\nf()": ("module_raises", "RecursionError", 1),
        }
        for source, (code, word, line) in cases.items():
            with self.subTest(source=source):
                error = self.failureOf(source)
                self.assertEqual((error.code, error.line), (code, line))
                self.assertIn(word, error.message)

    def testInputsThatCannotBeUsed(self):
        cases = {
            "x = 1": "no_get_inputs",
            "get_inputs = 3": "no_get_inputs",
            "def get_inputs(): return 1 / 0": "inputs_raise",
            "def get_inputs(): return None": "inputs_not_list",
            "import torch\ndef get_inputs(): return torch.ones(2)": "inputs_not_list",
            "def get_inputs(): return []": "inputs_no_tensor",
            "def get_inputs(): return [1, 'a']": "inputs_no_tensor",
            "def get_init_inputs(): return 3": "init_inputs_bad",
            "def get_init_inputs(): return {1: 2}": "init_inputs_bad",
            "def get_init_inputs(): return [none]": "init_inputs_raise",
        }
        for source, code in cases.items():
            with self.subTest(source=source):
                self.assertEqual(self.failureOf(source).code, code)

    def testModelsThatCannotBeUsed(self):
        head = "import torch\nclass Model(torch.nn.Module):\n"
        cases = {
            "class Net: pass": ("no_class", "Net"),
            head + "    def __init__(self, a): super().__init__()": ("construct_raises", "missing"),
            head + "    def forward(self, x):\n        return x @ torch.ones(3, 3)": ("forward_raises", "cannot be multiplied"),
            head + "    def forward(self, x):\n        raise RuntimeError('\"addmm_cpu\" not implemented for Half')":
                ("needs_gpu", "needs a GPU"),
            "class Model: pass": ("construct_raises", "forward"),
        }
        for source, (code, word) in cases.items():
            with self.subTest(source=source):
                error = self.failureOf(source, "model")
                self.assertEqual(error.code, code)
                self.assertIn(word, error.message)

    def testFailedBuildsPassThrough(self):
        def fail():
            raise BuildFailed("line 4: expected ;", "log")

        module = subject.loadModule("class Model:\n    def __init__(self, f): f()\n    def __call__(self): pass\n")
        with self.assertRaises(subject.TaskError) as caught:
            subject.construct(module, "Model", [fail], 0)
        self.assertEqual((caught.exception.code, caught.exception.message), ("build_failed", "line 4: expected ;"))

    def testLongMessagesAreCut(self):
        error = self.failureOf("raise ValueError('x' * 100000)")
        self.assertLess(len(error.message), 1000)
        self.assertLess(len(error.detail), 10000)

    def testExceptionsThatCannotBePrinted(self):
        source = "class E(Exception):\n    def __str__(self): raise ValueError\nraise E()"
        self.assertEqual(self.failureOf(source).code, "module_raises")


if __name__ == "__main__":
    unittest.main()
