"""Cost estimates of library operations, on real and on meta tensors."""

import unittest

import torch

from dice_worker import opcost


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


    def testKinds(self):
        aten = torch.ops.aten
        for func, kind in ((aten.mm.default, "compute"), (aten.view.default, "view"), (aten.t.default, "view"),
                           (aten.empty.memory_format, "allocation"), (aten.clone.default, "copy"),
                           (aten.add_.Tensor, "compute"), (aten._to_copy.default, "copy"), (aten.slice.Tensor, "view")):
            self.assertEqual(opcost.kindOf(func), kind)


if __name__ == "__main__":
    unittest.main()
