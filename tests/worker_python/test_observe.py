"""Observations: each dishonest act is seen, honest models give none."""

import importlib
import os
import subprocess
import sys
import threading
import time
import types
import unittest

import torch
import torch.nn as nn

from dice_worker import integrity, loadinline, observe as subject, opcost

subject.watchHostReads()


class FromFunction(nn.Module):
    """A candidate whose forward is any function."""

    def __init__(self, function):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(3))
        self.register_buffer("count", torch.zeros(1))
        self.function = function

    def forward(self, *inputs):
        return self.function(self, *inputs)


def observed(function, *inputs, record=None, calls=1):
    observer = subject.Observer(FromFunction(function), record)
    for _ in range(calls):
        _, observations = observer.call(list(inputs))
    return {**observer.report, "observations": observations}, observer


def named(report):
    return sorted(o["what"] for o in report["observations"])


def ownFunctions(**functions):
    """(extension, record) as after load_inline of those functions."""
    record = loadinline.Record()
    built = types.ModuleType("built")
    vars(built).update(functions)
    return record.wrap("ext", built), record


class Mutation(unittest.TestCase):

    def testHonestCallsGiveNoObservation(self):
        report, observer = observed(lambda self, x: x * self.scale, torch.randn(4, 3), calls=3)
        self.assertEqual(named(report), [])
        self.assertEqual(observer.lateChanges(), [])
        self.assertEqual((report["inputElements"], report["outputElements"]), (12, 12))

    def testChangedInputsParametersAndBuffersAreNamed(self):
        def dishonest(self, x):
            y = x * 2
            x.view(-1)[5:6].add_(1)
            self.scale.mul_(2)
            self.count.add_(1)
            return y

        report, _ = observed(dishonest, torch.randn(4, 3))
        self.assertEqual(named(report), ["buffer_changed", "input_changed", "parameter_changed"])

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

    def testLibraryWorkIsCountedByKind(self):
        report, _ = observed(lambda self, a, b: (a @ b).relu().t().contiguous(), torch.ones(8, 16), torch.ones(16, 4))
        self.assertEqual(report["library"]["mm"], {"calls": 1, "elements": 32, "flops": 2 * 8 * 16 * 4, "kind": "compute"})
        self.assertEqual(report["library"]["t"]["kind"], "view")
        self.assertEqual(report["library"]["clone"]["kind"], "copy")
        self.assertEqual(report["outside"], {"elements": 64, "flops": 1024 + 32})
        self.assertEqual(report["inside"], {"elements": 0, "flops": 0})

    def testWorkInsideOwnFunctionsIsTold(self):
        ext, record = ownFunctions(product=lambda a, b: torch.matmul(a, b))
        report, _ = observed(lambda self, a: ext.product(a, a), torch.ones(4, 4), record=record)
        self.assertEqual(report["inside"], {"elements": 16, "flops": 128})
        self.assertEqual(report["outside"], {"elements": 0, "flops": 0})
        self.assertEqual(report["own"], {"ext.product": {"calls": 1, "copies": 0, "elements": 16}})

    def testCopyingFunctionsAreTold(self):
        ext, record = ownFunctions(epilogue=lambda x: x.clone(), addsZero=lambda x: x * 1.0 + 0.0, scales=lambda x: x * 2)

        def body(self, x):
            return ext.scales(ext.addsZero(ext.epilogue(x @ x)))

        report, _ = observed(body, torch.randn(4, 4), record=record)
        self.assertEqual([report["own"][f"ext.{n}"]["copies"] for n in ("epilogue", "addsZero", "scales")], [1, 1, 0])
        self.assertNotIn("eq", report["library"])

    def testSwallowedErrorsAreTold(self):
        ext, record = ownFunctions(fails=lambda x: 1 / 0)

        def body(self, x):
            try:
                return ext.fails(x)
            except ZeroDivisionError:
                return x * 2

        report, _ = observed(body, torch.ones(3), record=record)
        self.assertEqual(named(report), ["swallowed_error"])

    def testHostComputationIsTold(self):
        try:
            import numpy
        except ImportError:
            self.skipTest("this environment has no NumPy, through which host computation goes")
        for body in (lambda self, x: torch.from_numpy(numpy.tanh(x.numpy())),
                     lambda self, x: torch.tensor([v * 2 for v in x.tolist()])):
            report, _ = observed(body, torch.randn(40))
            self.assertEqual(named(report), ["computed_on_the_host"])
            self.assertEqual((report["hostReads"], report["hostWrites"]), (40, 40))
        self.assertEqual(named(observed(lambda self, x: x * x[0].item(), torch.randn(40))[0]), [])

    def testGhostTellsDecoysFromWork(self):
        def fill(out, x):
            out.copy_(x)

        ext, record = ownFunctions(work=lambda x: x * 2, fill=fill)

        def decoy(self, x):
            ext.work(x[:1].clone())
            return x * 2

        def inPlace(self, x):
            out = torch.empty_like(x)
            ext.fill(out, x)
            return out

        for body, share in ((decoy, 0.0), (lambda self, x: ext.work(x), 1.0), (inPlace, 1.0),
                            (lambda self, x: torch.cat([ext.work(x[:1].clone()), x[1:]]), 0.25)):
            observer = subject.Observer(FromFunction(body), record)
            self.assertEqual(observer.ghost([torch.randn(4)])["changed"], share)
        self.assertIsNone(record.watcher)


class Processes(unittest.TestCase):

    def testThreadsAndChildrenLeftAreTold(self):
        started = []

        def dishonest(self, x):
            thread = threading.Thread(target=time.sleep, args=(0.5,))
            thread.start()
            started.append(subprocess.Popen([sys.executable, "-c", "import time; time.sleep(5)"]))
            return x * 2

        report, _ = observed(dishonest, torch.ones(3))
        for process in started:
            process.kill()
            process.wait()
        self.assertEqual(named(report), ["processes_left", "threads_left"])

    def testTorchsOwnThreadsAreNoObservation(self):
        report, _ = observed(lambda self, a: a @ a, torch.ones(700, 700))
        self.assertEqual(named(report), [])

    def testOwnProcessIsKnown(self):
        threads, _ = subject.processes()
        self.assertIn(str(os.getpid()), threads)


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


class Costs(unittest.TestCase):

    def testEstimates(self):
        class Ledger(torch.utils._python_dispatch.TorchDispatchMode):
            def __torch_dispatch__(self, func, types_, args=(), kwargs=None):
                result = func(*args, **(kwargs or {}))
                kind, elements, flops = opcost.costOf(func, args, kwargs or {}, result)
                self.total = getattr(self, "total", 0) + flops
                return result

        x = torch.ones(2, 4, 8, 8)
        for body, flops in ((lambda: torch.conv2d(x, torch.ones(6, 2, 3, 3), groups=2), 2 * 36 * 9 * 2 * 6 * 2),
                            (lambda: torch.nn.functional.avg_pool2d(x, 4), 2 * 4 * 4 * 16),
                            (lambda: x.sum(), 512), (lambda: x.relu(), 512), (lambda: x.expand(3, 2, 4, 8, 8), 0),
                            (lambda: torch.nn.functional.scaled_dot_product_attention(x, x, x), 2 * 2 * 4 * 8 * 8 * 16)):
            ledger = Ledger()
            with torch.no_grad(), ledger:
                body()
            self.assertEqual(ledger.total, flops)


if __name__ == "__main__":
    unittest.main()
