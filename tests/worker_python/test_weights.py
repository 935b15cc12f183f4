"""One rule of new weights for two modules; inputs that differ in one element."""

import unittest

import torch
import torch.nn as nn

from dice_worker import weights as subject


class NewWeights(unittest.TestCase):

    def build(self):
        return nn.Sequential(nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4), nn.LayerNorm(5), nn.Linear(5, 1))

    def testTwoModulesGetTheSame(self):
        torch.manual_seed(0)
        first, second = self.build(), self.build()
        second.load_state_dict(first.state_dict())
        before = [p.clone() for p in first.parameters()]
        reports = [subject.randomiseWeights(m, 42) for m in (first, second)]
        self.assertEqual(reports[0], reports[1])
        self.assertEqual((reports[0]["parameters"], reports[0]["buffers"]), (8, 2))
        for a, b, old in zip(first.parameters(), second.parameters(), before):
            self.assertTrue(torch.equal(a, b))
            self.assertFalse(torch.equal(a, old))
        for name, buffer in first.named_buffers():
            self.assertTrue(torch.equal(buffer, dict(second.named_buffers())[name]))

    def testOnesAndZerosBecomeVisible(self):
        norm = nn.LayerNorm(64)
        subject.randomiseWeights(norm, 1)
        self.assertGreater(float((norm.weight - 1).abs().max()), 0.1)
        self.assertGreater(float(norm.bias.abs().max()), 0.1)
        self.assertLess(float((norm.weight - 1).abs().mean()), 0.3)

    def testVariancesStayPositiveAndCountersStay(self):
        norm = nn.BatchNorm1d(500)
        subject.randomiseWeights(norm, 3)
        self.assertGreater(float(norm.running_var.min()), 0)
        self.assertEqual(int(norm.num_batches_tracked), 0)
        self.assertLess(float(norm.running_mean.min()), 0)

    def testScaleFollowsTheOldOne(self):
        layer = nn.Linear(400, 100)
        old = float(layer.weight.std())
        subject.randomiseWeights(layer, 5)
        self.assertAlmostEqual(float(layer.weight.std()) / old, 1, delta=0.1)

    def testMasksStay(self):
        module = nn.Module()
        module.register_buffer("mask", torch.tril(torch.ones(4, 4)))
        module.register_buffer("table", torch.linspace(0, 1, 4))
        report = subject.randomiseWeights(module, 1)
        self.assertEqual(report["buffers"], 1)
        self.assertTrue(torch.equal(module.mask, torch.tril(torch.ones(4, 4))))

    def testSeedsAndPositionsDiffer(self):
        module = nn.ModuleList([nn.Linear(4, 4, bias=False), nn.Linear(4, 4, bias=False)])
        subject.randomiseWeights(module, 1)
        one = [p.clone() for p in module.parameters()]
        self.assertFalse(torch.equal(one[0] / one[0].std(), one[1] / one[1].std()))
        subject.randomiseWeights(module, 2)
        self.assertFalse(torch.equal(one[0], next(module.parameters())))

    def testDifferentShapesAreReportedNotRaised(self):
        reports = [subject.randomiseWeights(m, 1) for m in (nn.Linear(3, 4), nn.Linear(4, 3), nn.ReLU(), object())]
        self.assertNotEqual(reports[0]["shapes"], reports[1]["shapes"])
        self.assertEqual(reports[2]["shapes"], [])
        self.assertEqual(reports[3]["parameters"], 0)

    def testTiedAndOddTensors(self):
        module = nn.Module()
        module.a = nn.Parameter(torch.full((3,), float("nan")))
        module.b = module.a
        module.short = nn.Parameter(torch.ones(3, dtype=torch.bfloat16))
        module.none = nn.Parameter(torch.empty(0))
        subject.randomiseWeights(module, 1)
        self.assertTrue(bool(torch.isfinite(module.a).all()))
        self.assertFalse(bool((module.short == 1).all()))


class NearDuplicates(unittest.TestCase):

    def testOneElementDiffers(self):
        inputs = [torch.rand(5, 6).t(), torch.randint(0, 9, (4,)), 3]
        for seed in range(20):
            changed, place = subject.nearDuplicate(inputs, seed)
            differing = (changed[0] != inputs[0])
            self.assertEqual(int(differing.sum()), 1)
            self.assertEqual(differing.nonzero().tolist()[0], place["index"])
            self.assertEqual((place["path"], changed[0].stride(), changed[2]), ("[0]", inputs[0].stride(), 3))
            self.assertTrue(torch.equal(changed[1], inputs[1]))
            self.assertTrue(inputs[0].min() <= changed[0].min() and changed[0].max() <= inputs[0].max())
            where = tuple(place["index"])
            self.assertGreater(float((changed[0][where] - inputs[0][where]).abs()), 0.1)

    def testIntegerInputsKeepValidValues(self):
        inputs = [torch.tensor([3, 7, 3, 9])]
        changed, _ = subject.nearDuplicate(inputs, 1)
        self.assertEqual(int((changed[0] != inputs[0]).sum()), 1)
        self.assertLessEqual(set(changed[0].tolist()), {3, 7, 9})

    def testNestedAndUnchangeable(self):
        changed, place = subject.nearDuplicate([{"x": (torch.arange(3.0),)}], 0)
        self.assertEqual(place["path"], "[0].x[0]")
        self.assertEqual(int((changed[0]["x"][0] != torch.arange(3.0)).sum()), 1)
        self.assertIsNone(subject.nearDuplicate([torch.ones(4), 2], 0)[1])

    def testSameSeedSamePlace(self):
        inputs = [torch.randn(100)]
        places = [subject.nearDuplicate(inputs, seed)[1]["index"] for seed in (1, 1, 2, 3)]
        self.assertEqual(places[0], places[1])
        self.assertGreater(len({tuple(p) for p in places}), 1)


if __name__ == "__main__":
    unittest.main()
