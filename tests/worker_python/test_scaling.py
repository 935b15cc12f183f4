"""The judge's rule for tasks too big for the CPU: what shrinks, what stays, and that the result runs."""

import ast
import os
import unittest

import torch

from dice_worker import cpudevice, scaling as subject, shaperun, sizeconstants, task

cpudevice.install()
task.configure()
shared = os.environ.get("DICE_SHARED") or os.path.join(os.path.dirname(__file__), "..", "..", "..", "shared")


def module(init, forward, constants, inputs, arguments="", given=""):
    return f"""
import torch
import torch.nn as nn
import torch.nn.functional as F

class Model(nn.Module):
    def __init__(self{arguments}):
        super().__init__()
        {init}

    def forward(self, x, y=None):
        {forward}

{constants}

def get_inputs():
    return [{inputs}]

def get_init_inputs():
    return [{given}]
"""


tasks = {
    "relu": module("pass", "return torch.relu(x)", "batch_size = 4096\ndim = 393216", "torch.rand(batch_size, dim)"),
    "matmul products": module("pass", "return x @ y", "M = 1024 * 2\nK = 4096 * 2\nN = 2048 * 2",
                              "torch.rand(M, K), torch.rand(K, N)"),
    "tuple constants": module("pass", "return torch.bmm(x, y)", "B, M, K, N = 64, 512, 1024, 256",
                              "torch.rand(B, M, K), torch.rand(B, K, N)"),
    "literals": module("pass", "return (x * 2).sum(1)", "", "torch.rand(8192, 16384)"),
    "grouped conv": module("self.c = nn.Conv2d(i, o, k, padding=p, groups=groups)", "return self.c(x)",
                           "ci = 64\nco = 128\nk = 3\npad = 1\ngroups = 8\nsize = 256", "torch.rand(16, ci, size, size)",
                           ", i, o, k, p, groups", "ci, co, k, pad, groups"),
    "transposed conv": module("self.c = nn.ConvTranspose3d(i, o, k, stride=2, output_padding=1)", "return self.c(x)",
                              "n = 16\nci = 32\nco = 64\nsize = 32", "torch.rand(n, ci, size, size, size)",
                              ", i, o, k", "ci, co, 3"),
    "many groups": module("self.f = nn.Linear(i, o)\n        self.g = nn.GroupNorm(num_groups, o)",
                          "return self.g(self.f(x))", "batch = 1024\nfin = 8192\nfout = 4096\nnum_groups = 256",
                          "torch.rand(batch, fin)", ", i, o, num_groups", "fin, fout, num_groups"),
    "batch norm": module("self.b = nn.BatchNorm2d(f)", "return self.b(x)", "f = 64\nsize = 512",
                         "torch.rand(32, f, size, size)", ", f", "f"),
    "attention": module("self.a = nn.MultiheadAttention(e, num_heads, batch_first=True)", "return self.a(x, x, x)[0]",
                        "e = 768\nnum_heads = 12\nseq = 1024", "torch.rand(8, seq, e)", ", e, num_heads", "e, num_heads"),
    "cross entropy": module("pass", "return F.cross_entropy(x, y)", "batch = 32768\nclasses = 4096",
                            "torch.rand(batch, classes), torch.randint(0, classes, (batch,))"),
    "embedding": module("self.e = nn.Embedding(v, d)", "return self.e(x)", "vocab = 50257\ndim = 1024\nseq = 2048",
                        "torch.randint(0, vocab, (8, seq))", ", v, d", "vocab, dim"),
    "scan": module("pass", "return torch.cumsum(x, 1)", "shape = (32768, 16384)", "torch.rand(*shape)"),
    "pixel shuffle": module("self.c = nn.Conv2d(3, 3 * r * r, 3, padding=1)\n        self.s = nn.PixelShuffle(r)",
                            "return self.s(self.c(x))", "upscale_factor = 4\nheight = 512\nwidth = 1024",
                            "torch.rand(16, 3, height, width)", ", r", "upscale_factor"),
    "down and up": module("self.d = nn.Conv2d(c, c, 4, stride=4)\n        self.u = nn.ConvTranspose2d(c, c, 4, stride=4)",
                          "return x + self.u(self.d(x))", "c = 32\nsize = 512", "torch.rand(16, c, size, size)", ", c", "c"),
    "related widths": module("self.n = nn.LayerNorm(w)", "return self.n(torch.cat([x, x], 1))",
                             "half = 4096\nwhole = 8192", "torch.rand(8192 // 2 * 4, half)", ", w", "whole"),
    "gru": module("self.r = nn.GRU(i, h, num_layers)", "return self.r(x)[0]",
                  "i = 128\nh = 256\nnum_layers = 2\nsteps = 512", "torch.rand(steps, 10, i)", ", i, h, num_layers",
                  "i, h, num_layers"),
    "fixed flatten": module("self.f = nn.Linear(3 * 32 * 32, o)", "return self.f(x.flatten(1))",
                            "batch = 65536\nclasses = 100", "torch.rand(batch, 3, 32, 32)", ", o", "classes"),
    "cuda in the task": module("pass", "return torch.relu(x)", "n = 1 << 26", "torch.rand(n, device='cuda').cuda()"),
    "half": module("pass", "return x * 2", "n = 1 << 26", "torch.rand(n).half()"),
    "not followed by meta": module("pass", "return torch.nonzero(x > 0.5)", "rows = 4096\ncols = 8192",
                                   "torch.rand(rows, cols)"),
}


class Rule(unittest.TestCase):

    def testBigTasksShrinkAndRun(self):
        for name, source in tasks.items():
            with self.subTest(task=name):
                plan = subject.plan(source)
                self.assertEqual(plan["status"], "scaled", plan["reason"])
                self.assertLessEqual(plan["flops"], 2e8)
                self.assertLessEqual(plan["elements"], 4e6)
                self.assertTrue(any(new % 32 for _, _, new in plan["sizes"]))
                shaperun.callOnce(plan["source"])
                self.checkConstants(source, plan["source"])

    def checkConstants(self, before, after):
        """Equal stays equal, different stays different, sizes keep their order; the model's text does not change."""
        old, new = ([n.value for n in ast.walk(ast.parse(t)) if isinstance(n, ast.Constant)] for t in (before, after))
        if len(old) == len(new):  # no product was folded
            moved = {}
            for a, b in zip(old, new):
                if type(a) is int:
                    self.assertEqual(moved.setdefault(a, b), b)
            self.assertEqual(len(set(moved.values())), len(moved))
            changed = [moved[a] for a in sorted(moved) if moved[a] != a]
            self.assertEqual(changed, sorted(changed))
            self.assertTrue(all(a == b for a, b in moved.items() if a < 5))
        head = before[:before.index("def forward")]
        self.assertTrue(after.startswith(head), "the model itself must not change")

    def testResultIsAsLargeAsTheCapAllows(self):
        for name in ("relu", "matmul products", "grouped conv", "cross entropy", "attention"):
            plan = subject.plan(tasks[name])
            with self.subTest(task=name):
                self.assertGreater(max(plan["flops"] / 2e8, plan["elements"] / 4e6), 0.75)

    def testRanksAndDtypesStay(self):
        for name in ("half", "cross entropy", "transposed conv"):
            plan = subject.plan(tasks[name])
            inputs = task.makeInputs(task.loadModule(plan["source"]), 0)
            kinds = {"half": [(1, torch.float16)], "cross entropy": [(2, torch.float32), (1, torch.int64)],
                     "transposed conv": [(5, torch.float32)]}[name]
            self.assertEqual([(t.dim(), t.dtype) for t in inputs], kinds)

    def testCountsStay(self):
        sizes = dict((label, new) for label, _, new in subject.plan(tasks["many groups"])["sizes"])
        self.assertNotIn("num_groups", sizes)
        self.assertEqual(sizes["fout"] % 256, 0)
        self.assertNotEqual(sizes["batch"] % 32, 0)
        sizes = dict((label, new) for label, _, new in subject.plan(tasks["grouped conv"])["sizes"])
        self.assertEqual((sizes["ci"] % 8, sizes["co"] % 8), (0, 0))
        self.assertEqual(set(sizes), {"ci", "co", "size"})

    def testSmallTasksStayAsTheyAre(self):
        source = module("pass", "return x * 2", "n = 1000", "torch.rand(n)")
        plan = subject.plan(source)
        self.assertEqual((plan["status"], plan["source"], plan["sizes"]), ("fits", source, []))
        self.assertEqual((plan["flops"], plan["elements"]), (1000, 2000))

    def testLimitsDecide(self):
        source = module("pass", "return x * 2", "n = 1000", "torch.rand(n)")
        plan = subject.plan(source, maxElements=1000)
        self.assertEqual(plan["status"], "scaled")
        self.assertLessEqual(plan["elements"], 1000)

    def testSamePlanEveryTime(self):
        first, second = (subject.plan(tasks["grouped conv"]) for _ in range(2))
        self.assertEqual(first, second)

    def testWhatCannotShrinkSaysWhy(self):
        inside = module("self.f = nn.Linear(8192, 8192)", "return self.f(x)", "", "torch.rand(16, 8192)")
        plan = subject.plan(inside)
        self.assertEqual(plan["status"], "cannot")
        self.assertIn("too big for the CPU device", plan["reason"])
        plan = subject.plan(module("pass", "return x * 2", "n = int('100000000')", "torch.rand(n)"))
        self.assertEqual(plan["status"], "cannot")
        self.assertIn("not constants", plan["reason"])

    def testNamesTheModelReadsStay(self):
        source = module("self.f = nn.Linear(WIDTH, 4)", "return self.f(x)", "WIDTH = 4096\nROWS = 65536",
                        "torch.rand(ROWS, WIDTH)")
        self.assertEqual([label for label, _, _ in subject.plan(source)["sizes"]], ["ROWS"])

    def testBrokenTasksPassToBeRun(self):
        for source in ("x = (", "import nothing_of_this_name", "class Model: pass", "",
                       module("pass", "return x @ x", "n = 3", "torch.rand(n, 4)"),
                       module("pass", "return x", "n = 3", "")):
            with self.subTest(source=source[:30]):
                plan = subject.plan(source)
                self.assertEqual((plan["status"], plan["source"]), ("fits", source))

    def testNothingIsAllocatedForMeasuring(self):
        cost = shaperun.measure(module("self.f = nn.Linear(1 << 17, 1 << 17)", "return self.f(x)", "", "torch.rand(1 << 15, 1 << 17)"),
                                shaperun.Limits(1e30, 1e30))
        self.assertEqual((cost.outcome, cost.flops), ("fits", 2 << 49))

    def testValuesReadFromSmallTensorsAreRight(self):
        source = module("self.p = [v.item() for v in torch.linspace(2, 4, 3)]",
                        "return [x.reshape(int(p), -1) for p in self.p]", "n = 24", "torch.rand(n)")
        self.assertEqual(shaperun.measure(source, shaperun.Limits()).outcome, "fits")

    def testEndlessModulesAreCut(self):
        source = module("pass", "\n        while True:\n            x = x + 1", "n = 100", "torch.rand(n)")
        cost = shaperun.measure(source, shaperun.Limits(flops=1e30, numOps=3000))
        self.assertEqual(cost.outcome, "slow")


class Constants(unittest.TestCase):

    def testSitesAndTheirRoles(self):
        text = ("A, B = 64, 128\nC = D = 2 ** 12\nE = A * 2\nshape = (32, 17)\nkernel_size = 31\nunused = 16\n"
                "def get_inputs():\n    torch.manual_seed(42)\n    return [torch.rand(A, 99) * 255]\n")
        found = sizeconstants.find(text)
        self.assertEqual([(s.label, s.value) for s in found.sites if not s.isFixed and s.value > 16],
                         [("A", 64), ("B", 128), ("C", 4096), ("shape", 32), ("shape", 17), ("get_inputs, line 9", 99)])
        self.assertEqual(found.shrinkable, [17, 32, 64, 99, 128, 4096])

    def testRewritingTouchesNothingElse(self):
        text = "# 64 \u00e9\nA, B = 64, 2 * 32   # 64\nC = '64'\nD = [64.0, 640]\n"
        sites = sizeconstants.find(text).sites
        self.assertEqual(sizeconstants.rewrite(text, sites, {64: 7}),
                         "# 64 \u00e9\nA, B = 7, 7   # 64\nC = '64'\nD = [64.0, 640]\n")

    def testCommonBenchmarkIsMostlyScalable(self):
        folder = os.path.join(shared, "data", "kernelbench", "level1")
        if not os.path.isdir(folder):
            self.skipTest("no folder of benchmark tasks: set DICE_SHARED")
        names = sorted(os.listdir(folder))[::6]
        words = []
        for name in names:
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                words.append(subject.plan(file.read())["status"])
        self.assertNotIn("cannot", words)


if __name__ == "__main__":
    unittest.main()
