"""Observations: each dishonest act is seen, honest models give none."""

import importlib
import subprocess
import sys
import threading
import time
import types
import unittest

import torch
import torch.nn as nn

from dice_worker import loadinline, observe as subject, task

subject.snapshot()


class FromFunction(nn.Module):
    """A candidate whose forward is any function."""

    def __init__(self, function):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(3))
        self.function = function

    def forward(self, *inputs):
        return self.function(self, *inputs)


def observed(function, *inputs, record=None, calls=1):
    observer = subject.Observer(FromFunction(function), record)
    for _ in range(calls):
        _, observations = observer.call(list(inputs))
    return observations, observer


def named(observations):
    return sorted(o["what"] for o in observations)


class Mutation(unittest.TestCase):

    def testHonestCallsGiveNoObservation(self):
        observations, observer = observed(lambda self, x: x * self.scale, torch.randn(4, 3), calls=3)
        self.assertEqual(observations, [])
        self.assertEqual(observer.lateChanges(), [])

    def testStatisticsMayChange(self):
        observer = subject.Observer(nn.BatchNorm1d(3))
        self.assertEqual(observer.call([torch.randn(8, 3)])[1], [])

    def testChangedInputsAndParametersAreNamed(self):
        def dishonest(self, x):
            y = x * 2
            x.view(-1)[5:6].add_(1)
            self.scale.mul_(2)
            return y

        report, _ = observed(dishonest, torch.randn(4, 3))
        self.assertEqual(named(report), ["input_changed", "parameter_changed"])

    def testChangesBehindTorchsBackAreSeen(self):
        def dishonest(self, x):
            y = x * 2
            import ctypes
            ctypes.memset(x.data_ptr() + 4, 0, 4)
            return y

        self.assertEqual(named(observed(dishonest, torch.randn(4, 3))[0]), ["input_changed"])

    def testDigestSeesEveryElementAndOrder(self):
        a = torch.arange(1000.0)
        b = a.clone()
        b[[3, 4]] = b[[4, 3]]
        self.assertNotEqual(subject.digest(a), subject.digest(b))
        self.assertEqual(subject.digest(a), subject.digest(a.clone()))


class Aliases(unittest.TestCase):

    def testOutputsInForeignMemory(self):
        self.assertEqual(named(observed(lambda self, x: x.add_(1), torch.ones(3))[0]),
                         ["input_changed", "output_is_input"])
        self.assertEqual(named(observed(lambda self, x: self.scale, torch.ones(3))[0]), ["output_is_input"])
        kept = torch.zeros(3)
        self.assertEqual(named(observed(lambda self, x: kept, torch.ones(3), calls=2)[0]), ["output_is_earlier_output"])

    def testLateWritesAreFound(self):
        held = []

        def dishonest(self, x):
            held.append(x * 2)
            return held[-1]

        _, observer = observed(dishonest, torch.ones(3), calls=3)
        self.assertEqual(observer.lateChanges(), [])
        held[1].zero_()
        changes = observer.lateChanges()
        self.assertEqual([c["what"] for c in changes], ["output_changed_later"])
        self.assertIn("call 2", changes[0]["detail"])


class Origin(unittest.TestCase):

    def testSwallowedErrorsAreTold(self):
        record = loadinline.Record()
        built = types.ModuleType("built")
        built.fails, built.works = lambda x: 1 / 0, lambda x: x * 2
        ext = record.wrap("ext", built)

        def fallsBack(self, x):
            try:
                return ext.fails(x)
            except ZeroDivisionError:
                return x * 2

        observations, _ = observed(fallsBack, torch.ones(3), record=record)
        self.assertEqual(named(observations), ["swallowed_error"])
        self.assertIn("ZeroDivisionError", observations[0]["detail"])
        self.assertEqual(named(observed(lambda self, x: ext.works(x), torch.ones(3), record=record)[0]), [])

    def testHostComputationIsTold(self):
        try:
            import numpy
        except ImportError:
            self.skipTest("this environment has no NumPy, through which host computation goes")
        for body in (lambda self, x: torch.from_numpy(numpy.tanh(x.numpy())),
                     lambda self, x: torch.tensor([v * 2 for v in x.tolist()]),
                     lambda self, x: torch.tensor(float(numpy.asarray(x).sum()))):
            self.assertEqual(named(observed(body, torch.randn(40))[0]), ["computed_on_the_host"])

    def testSmallReadsAreHonest(self):
        for body in (lambda self, x: x * x[0].item(), lambda self, x: x * torch.tensor(x.shape[0]),
                     lambda self, x: x * torch.tensor(x[:4].tolist()).sum(), lambda self, x: x.sum() * torch.tensor(2.0)):
            self.assertEqual(named(observed(body, torch.randn(400))[0]), [])


    def testFailuresAreTaskErrors(self):
        for error, code in ((ValueError("x"), "forward_raises"), (RuntimeError("Found no NVIDIA driver"), "needs_gpu")):
            def fails(self, x, error=error):
                raise error

            with self.assertRaises(task.TaskError) as caught:
                observed(fails, torch.ones(1))
            self.assertEqual(caught.exception.code, code)


class Processes(unittest.TestCase):

    def testThreadsAndChildrenLeftAreTold(self):
        started = []

        def dishonest(self, x):
            thread = threading.Thread(target=time.sleep, args=(0.5,))
            thread.start()
            started.append(subprocess.Popen([sys.executable, "-c", "import time; time.sleep(5)"]))
            return x * 2

        try:
            self.assertEqual(named(observed(dishonest, torch.ones(3))[0]), ["processes_left", "threads_left"])
        finally:
            for process in started:
                process.kill()
                process.wait()

    def testJoinedThreadsAreNoObservation(self):
        def honest(self, x):
            thread = threading.Thread(target=x.sum)
            thread.start()
            thread.join()
            return x * 2

        self.assertEqual(observed(honest, torch.ones(3), calls=2)[0], [])

    def testPoolsOfTheFirstCallAreNoObservation(self):
        script = ("import torch\nfrom dice_worker import observe\nobserver = observe.Observer(lambda a: a @ a)\n"
                  "assert all(observer.call([torch.ones(900, 900)])[1] == [] for _ in range(2))\n")
        self.assertEqual(subprocess.run([sys.executable, "-c", script]).returncode, 0)

    def testOnlyOwnChildrenCount(self):
        before = subject.childProcesses()
        child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
        try:
            self.assertEqual(subject.childProcesses() - before, {str(child.pid)})
        finally:
            child.communicate(b"\n")
        self.assertEqual(subject.childProcesses() - before, set())


class Integrity(unittest.TestCase):

    def replacedBy(self, owner, name, value):
        baseline = subject.snapshot()
        had, saved = name in vars(owner), vars(owner).get(name)
        setattr(owner, name, value)
        try:
            return baseline.replaced()
        finally:
            setattr(owner, name, saved) if had else delattr(owner, name)

    def testReplacedNamesAreFound(self):
        for label, owner, name in (
                ("time", time, "perf_counter"), ("torch", torch, "allclose"), ("torch", torch, "manual_seed"),
                ("torch.cuda", torch.cuda, "synchronize"), ("torch.cuda.Event", torch.cuda.Event, "elapsed_time"),
                ("torch.Tensor", torch.Tensor, "__eq__"), ("torch.Tensor", torch.Tensor, "allclose"),
                ("torch.nn.Module", nn.Module, "__call__"), ("dice_worker.observe", subject, "digest")):
            with self.subTest(name=f"{label}.{name}"):
                self.assertEqual(self.replacedBy(owner, name, lambda *a, **k: True), [f"{label}.{name}"])

    def testReplacedCodeIsFound(self):
        def original():
            return 1

        torch.cuda.dice_probe = original
        baseline = subject.snapshot()
        saved, original.__code__ = original.__code__, (lambda: 2).__code__
        try:
            self.assertEqual(baseline.replaced(), ["torch.cuda.dice_probe"])
        finally:
            original.__code__ = saved
            del torch.cuda.dice_probe

    def testImportingTheCompilerIsNoReplacement(self):
        baseline = subject.snapshot()
        before = torch.manual_seed
        importlib.import_module("torch._dynamo")
        self.assertTrue(torch.manual_seed is not before or getattr(before, "__wrapped__", None))
        self.assertEqual(baseline.replaced(), [])

    def testUsingMuchOfTorchIsNoReplacement(self):
        script = ("import torch\nfrom dice_worker import cpudevice, loadinline, observe, task\n"
                  "cpudevice.install(); task.configure(); loadinline.install(None)\nbaseline = observe.snapshot()\n"
                  "import numpy, torch._dynamo, torch._inductor, torch.distributed, torch.fx, torch.onnx, torch.profiler\n"
                  "import torch.quantization, torch.testing, torch.utils.checkpoint, torch.func\n"
                  "import torch.nn.utils.parametrize, torch.export, torch.utils.data\n"
                  "torch.jit.script(torch.nn.Linear(2, 2))(torch.ones(1, 2)); torch.fx.symbolic_trace(torch.nn.ReLU())\n"
                  "torch.compile(lambda x: x + 1, backend='eager')(torch.ones(2))\n"
                  "with torch.autocast('cuda'), torch.profiler.profile():\n    torch.ones(2, 2) @ torch.ones(2, 2)\n"
                  "assert baseline.replaced() == [], baseline.replaced()\n")
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr[-600:])

    def testNewNamesAndFlagsAreNoReplacement(self):
        baseline = subject.snapshot()
        torch.helperOfTheCandidate = 1
        torch.backends.cuda.matmul.allow_tf32 = False
        try:
            self.assertEqual(baseline.replaced(), [])
        finally:
            del torch.helperOfTheCandidate


class Speed(unittest.TestCase):

    def testObservingDoesNotImportTheCompiler(self):
        script = ("import sys, torch\nfrom dice_worker import observe\n"
                  "observe.Observer(torch.nn.Linear(3, 4)).call([torch.ones(2, 3)])\n"
                  "sys.exit('torch._dynamo' in sys.modules)")
        self.assertEqual(subprocess.run([sys.executable, "-c", script]).returncode, 0)


if __name__ == "__main__":
    unittest.main()
