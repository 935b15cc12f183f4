"""Tasks that cannot tell a kernel from a constant are named; ordinary ones are not."""

import os
import unittest

from dice_worker import audit as subject
from dice_worker import task

shared = os.environ.get("DICE_SHARED") or os.path.join(os.path.dirname(__file__), "..", "..", "..", "shared")


def audited(forward, inputs="[torch.randn(6, 9)]", init="pass"):
    source = f"""
import torch
import torch.nn as nn
class Model(nn.Module):
    def __init__(self):
        super().__init__()
        {init}
    def forward(self, x, y=None):
        return {forward}
def get_inputs():
    return {inputs}
"""
    return [o["what"] for o in subject.audit(task.loadModule(source, "audited"), "Model", 5)]


class Audit(unittest.TestCase):

    def testDegenerateTasksAreNamed(self):
        cases = (
            ("torch.softmax(x, 1).mean(1)", ["output_constant"]),
            ("torch.zeros(3)", ["output_constant"]),
            ("torch.clamp(x, 5, 6)", ["output_constant"]),
            ("torch.log(x)", ["output_not_finite"]),
            ("torch.dropout(x, 0.5, True)", ["output_random"]),
        )
        self.assertEqual(audited("x * 2", "[torch.arange(6.0)]"), ["inputs_constant"])
        self.assertEqual(audited("x.softmax(0).sum()", "[torch.arange(6.0)]"), ["inputs_constant", "output_constant"])
        for forward, expected in cases:
            with self.subTest(forward=forward):
                self.assertEqual(audited(forward), expected)

    def testTasksMayRefuseOtherInputs(self):
        self.assertEqual(audited("nn.functional.binary_cross_entropy(x, y)", "[torch.rand(6, 9), torch.rand(6, 9)]"), [])
        self.assertEqual(audited("torch.eye(9)[x.long()]", "[torch.rand(6) * 9]"), [])
        self.assertEqual(audited("torch.eye(9)[x.long()]", "[torch.tensor([0.5, 8.5, 3.5])]"), ["inputs_constant"])

    def testUnusedInputsAndWeightsAreNamed(self):
        pair = "[torch.randn(6, 9), torch.randn(6, 9)]"
        self.assertEqual(audited("x * 2", pair), ["input_unused"])
        self.assertEqual(audited("x * y", pair), [])
        self.assertEqual(audited("x * 2", init="self.f = nn.Linear(9, 9)"), ["weights_unused"])
        self.assertEqual(audited("self.f(x)", init="self.f = nn.Linear(9, 9)"), [])

    def testOrdinaryTasksGiveNothing(self):
        for forward in ("torch.relu(x)", "x.argmax(1)", "(x, x > 0)", "{'a': x.sum()}", "x.sum().item()",
                        "torch.softmax(x, 1)", "x.cumsum(1)"):
            with self.subTest(forward=forward):
                self.assertEqual(audited(forward), [])

    def testWeightsAreAsBefore(self):
        source = ("import torch\nimport torch.nn as nn\nclass Model(nn.Module):\n    last = None\n"
                  "    def __init__(self):\n        super().__init__()\n        self.f = nn.BatchNorm1d(4)\n"
                  "        Model.last = self\n    def forward(self, x):\n        return self.f(x)\n"
                  "def get_inputs():\n    return [torch.randn(8, 4)]\n")
        module = task.loadModule(source, "audited")
        subject.audit(module, "Model", 1)
        self.assertEqual(module.Model.last.f.weight.tolist(), [1.0] * 4)

    def testCasesReferencesAreSound(self):
        if not os.path.isdir(os.path.join(shared, "cases")):
            self.skipTest("no folder of cases: set DICE_SHARED")
        for group in ("good", "hacks"):
            folder = os.path.join(shared, "cases", group)
            for name in sorted(os.listdir(folder)):
                with open(os.path.join(folder, name, "reference.py"), encoding="utf-8") as file:
                    found = [o["what"] for o in subject.audit(task.loadModule(file.read(), "audited"), "Model", 5)]
                with self.subTest(case=name):
                    self.assertEqual(found, ["output_constant"] if name == "constant_because_degenerate" else [])


if __name__ == "__main__":
    unittest.main()
