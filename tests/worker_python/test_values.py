"""Values survive the way through JSON and bytes bit for bit."""

import collections
import json
import math
import unittest

import torch

from dice_worker import values as subject


class Store:
    """Where a caller would keep the bytes: one growing buffer."""

    def __init__(self):
        self.data = bytearray()

    def write(self, view):
        offset = len(self.data)
        self.data += view
        return offset

    def read(self, offset, size):
        return bytes(self.data[offset:offset + size])


def roundTrip(value):
    store = Store()
    tree = json.loads(json.dumps(subject.pack(value, store.write)))
    return subject.unpack(tree, store.read)


def sameBits(a, b):
    a, b = a.contiguous(), b.contiguous()
    return bytes(subject.memoryOf(a)) == bytes(subject.memoryOf(b))


class RoundTrip(unittest.TestCase):

    def testEveryDtype(self):
        for name in ("float32", "float64", "float16", "bfloat16", "complex64", "complex128", "bool", "uint8", "int8",
                     "int16", "int32", "int64", "uint16", "uint32", "uint64", "float8_e4m3fn", "float8_e5m2"):
            dtype = getattr(torch, name)
            with self.subTest(dtype=name):
                raw = torch.randint(0, 2, (3, 5)) if name == "bool" else torch.randint(0, 100, (3, 5))
                tensor = raw.to(dtype)
                result = roundTrip(tensor)
                self.assertEqual((result.dtype, result.shape, result.stride()), (dtype, tensor.shape, tensor.stride()))
                self.assertTrue(sameBits(tensor, result))

    def testStridesAndAlignmentStay(self):
        base = torch.randn(6, 8, 10)
        for tensor in (base.transpose(0, 2), base[1:, ::2, 3:], base[:, 0], base[2, 3, 4], base.expand(6, 8, 10)[:0],
                       torch.randn(5, 1).expand(5, 7), base.flatten()[1:], torch.tensor(3.0), torch.empty(0, 4)):
            result = roundTrip(tensor)
            with self.subTest(shape=tuple(tensor.shape), stride=tensor.stride()):
                self.assertEqual((result.shape, result.stride()), (tensor.shape, tensor.stride()))
                self.assertTrue(torch.equal(result, tensor))
                self.assertEqual((result.data_ptr() - tensor.data_ptr()) % 64 if tensor.numel() else 0, 0)

    def testNestedValues(self):
        Pair = collections.namedtuple("Pair", "left right")
        value = [1, -2**80, True, None, "text\u00e9", 0.1, (torch.ones(2), [torch.zeros(1)]),
                 {"a": 1.5, 3: torch.arange(3)}, Pair(1, torch.ones(1)), torch.Size([2, 3])]
        result = roundTrip(value)
        self.assertEqual(result[:6], value[:6])
        self.assertIs(type(result[2]), bool)
        self.assertTrue(torch.equal(result[6][0], torch.ones(2)))
        self.assertTrue(torch.equal(result[7][3], torch.arange(3)))
        self.assertEqual(result[8]._fields, ("left", "right"))
        self.assertEqual(result[9], (2, 3))

    def testSpecialFloatsKeepTheirBits(self):
        result = roundTrip([math.inf, -math.inf, math.nan, -0.0, 5e-324])
        self.assertEqual(result[:2], [math.inf, -math.inf])
        self.assertTrue(math.isnan(result[2]))
        self.assertEqual(math.copysign(1, result[3]), -1)
        self.assertEqual(result[4], 5e-324)

    def testRequiresGradIsKept(self):
        self.assertTrue(roundTrip(torch.ones(2, requires_grad=True)).requires_grad)
        self.assertTrue(roundTrip(torch.ones(2, requires_grad=True)).is_leaf)

    def testConjugatedTensorsAreResolved(self):
        tensor = torch.randn(4, dtype=torch.complex64)
        self.assertTrue(torch.equal(roundTrip(tensor.conj()), tensor.conj().resolve_conj()))

    def testRefillKeepsTheStorage(self):
        store = Store()
        value = subject.unpack(subject.pack([torch.zeros(3, 4).t(), 1], store.write), store.read)
        address = value[0].data_ptr()
        fresh = torch.randn(3, 4).t()
        self.assertTrue(subject.refill(value, subject.pack([fresh, 1], store.write), store.read))
        self.assertEqual(value[0].data_ptr(), address)
        self.assertTrue(torch.equal(value[0], fresh))
        self.assertFalse(subject.refill(value, subject.pack([fresh.contiguous(), 1], store.write), store.read))
        self.assertFalse(subject.refill(value, subject.pack([], store.write), store.read))


class Refusals(unittest.TestCase):

    def testUnsupportedInputsAreNamed(self):
        loop = []
        loop.append(loop)
        for value, word in ((object(), "object"), (torch.ones(2, 2).to_sparse(), "sparse"), (loop, "nested"),
                            ({(1,): 2}, "keys"), (torch.empty(2, device="meta"), "storage"), (1 << 5000, "bits")):
            with self.subTest(word=word), self.assertRaises(subject.ValuesError) as caught:
                subject.pack(value, Store().write)
            self.assertIn(word, caught.exception.message)

    def testLyingDescriptionsAreRefused(self):
        store = Store()
        good = subject.pack(torch.ones(4), store.write)
        for change in ({"shape": [5]}, {"stride": [2]}, {"dtype": "float64"}, {"dtype": "os"}, {"shape": [-1]},
                       {"lead": -1}, {"shape": [2, 2]}):
            with self.subTest(change=change), self.assertRaises(subject.ValuesError):
                subject.unpack({**good, **change}, store.read)


class Outputs(unittest.TestCase):

    def packed(self, value):
        store = Store()
        tree, observations = subject.packOutput(value, store.write)
        return tree, [o["what"] for o in observations], store

    def testContentIsContiguous(self):
        tensor = torch.randn(3, 4).t()
        tree, observed, store = self.packed((tensor, torch.nn.Parameter(torch.ones(2))))
        self.assertEqual(observed, [])
        self.assertEqual(tree["items"][0]["stride"], [3, 1])
        self.assertEqual(tree["items"][0]["originalStride"], [1, 4])
        self.assertTrue(torch.equal(subject.unpack(tree, store.read)[0], tensor))

    def testDishonestTensorsAreObserved(self):
        class Lazy(torch.Tensor):
            @classmethod
            def __torch_function__(cls, func, types, args=(), kwargs=None):
                raise AssertionError("the packer must not run a candidate's code")

        lazy = torch.Tensor._make_subclass(Lazy, torch.ones(3))
        shrunk = torch.ones(8)
        shrunk.untyped_storage().resize_(4)
        self.assertEqual(self.packed(lazy)[1], ["tensor_subclass"])
        self.assertEqual(self.packed(torch.ones(1).expand(5))[1], ["stride_zero"])
        self.assertEqual(self.packed(torch.ones(5, 1).expand(5, 1))[1], [])
        self.assertEqual(self.packed(shrunk)[1], ["storage_too_small"])

    def testReplacedMethodsAreNotCalled(self):
        saved = torch.Tensor.contiguous
        torch.Tensor.contiguous = lambda self, *a, **k: torch.zeros_like(self)
        try:
            tree, _, store = self.packed(torch.ones(2, 2).t())
        finally:
            torch.Tensor.contiguous = saved
        self.assertTrue(torch.equal(subject.unpack(tree, store.read), torch.ones(2, 2)))

    def testWhatIsNoTensorBecomesOther(self):
        for value in (object(), torch.ones(2, 2).to_sparse(), torch.empty(2, device="meta"), {(1,): 2}):
            self.assertEqual(self.packed(value)[0]["kind"], "other")
        loop = []
        loop.append(loop)
        self.assertEqual(self.packed(loop)[0]["kind"], "other")

    def testSameContentComparesBits(self):
        value = [torch.randn(3, 4).t(), {"a": torch.tensor([float("nan")])}]
        self.assertTrue(subject.sameContent(value, [value[0].contiguous(), {"a": value[1]["a"].clone()}]))
        self.assertFalse(subject.sameContent(value, [value[0] + 1, value[1]]))
        self.assertFalse(subject.sameContent(value, [value[0]]))
        self.assertFalse(subject.sameContent([torch.zeros(1)], [torch.tensor([-0.0])]))

    def testTensorsOfNamesPaths(self):
        found = subject.tensorsOf([torch.ones(1), {"mask": (torch.ones(1), 2)}])
        self.assertEqual([path for path, _ in found], ["[0]", "[1].mask[0]"])


if __name__ == "__main__":
    unittest.main()
