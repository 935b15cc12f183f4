"""Code that names CUDA runs on the CPU; each test body is text of a candidate, executed as one."""

import threading
import unittest

import torch

from dice_worker import cpudevice as subject
from dice_worker import cudastandins, task, values

subject.install()


def run(body):
    """Executes candidate text and returns its module."""
    return task.loadModule("import torch\nimport torch.nn as nn\n" + body, "candidate_text")


class TensorsLookLikeOnAGpu(unittest.TestCase):

    def testPlacesOfTensors(self):
        for expression in (
                "torch.ones(2).cuda()", "torch.ones(2).cuda(0)", "torch.ones(2).to('cuda')", "torch.ones(2).to('cuda:0')",
                "torch.ones(2).to(torch.device('cuda'), torch.float64)", "torch.ones(2).to(device='cuda', dtype=torch.half)",
                "torch.ones(2).to(0)", "torch.zeros(2, device='cuda')", "torch.empty((2,), device=torch.device('cuda:0'))",
                "torch.tensor([1, 2], device='cuda')", "torch.arange(2, device='cuda')", "torch.randn(2, device='cuda')",
                "torch.zeros_like(torch.ones(2), device='cuda')", "torch.ones(2).new_zeros(2, device='cuda')",
                "torch.full((2,), 1., device='cuda')", "torch.eye(2, device='cuda')[0]",
                "torch.empty(2, pin_memory=True).cuda(non_blocking=True)", "torch.ones(2).pin_memory().to('cuda', non_blocking=True)",
                "torch.ones(2).type('torch.cuda.FloatTensor')", "torch.cuda.FloatTensor([1, 2])",
                "torch.randn(2, generator=torch.Generator(device='cuda').manual_seed(1), device='cuda')",
                "torch.as_tensor([1., 2.], device='cuda')", "torch.linspace(0, 1, 2, device='cuda')",
                "nn.Linear(2, 2, device='cuda').weight[0]", "nn.Linear(2, 2).cuda().weight[0].detach()",
                "nn.Linear(2, 2).to('cuda').weight[0]", "torch.ones(2).to(torch.ones(1).device)",
                "torch.zeros(2, device=torch.ones(1).device)"):
            with self.subTest(expression=expression):
                module = run(f"x = {expression}\nseen = (x.is_cuda, x.is_cpu, str(x.device), x.device.type, x.get_device())")
                self.assertEqual(module.seen, (True, False, "cuda:0", "cuda", 0))
                self.assertEqual(torch._C.TensorBase.device.__get__(module.x).type, "cpu")
                self.assertEqual(tuple(module.x.shape), (2,))

    def testTorchItselfSeesTheTruth(self):
        rnn = torch.nn.LSTM(3, 4)  # asks weights' is_cuda before it would call cuDNN
        self.assertEqual(rnn(torch.ones(2, 1, 3))[0].shape, (2, 1, 4))
        self.assertNotIn("cuda", repr(torch.ones(2)))
        tree = values.pack(torch.ones(2), lambda view: 0)
        self.assertEqual(tree["device"], "cpu")

    def testCpuGivesACopy(self):
        module = run("x = torch.ones(2).cuda()\ny = x.cpu()\ny.zero_()")
        self.assertEqual(module.x.tolist(), [1.0, 1.0])

    def testDefaultDeviceAndDeviceContexts(self):
        run("torch.set_default_device('cuda')\ny = torch.ones(2)\ntorch.set_default_device('cpu')\n"
            "with torch.device('cuda'):\n    x = torch.ones(3)\nassert x.is_cuda and y.is_cuda")
        with torch.device("meta"):
            self.assertEqual(torch.empty(2).device.type, "meta")

    def testAnotherThreadSeesTheSame(self):
        seen = []
        thread = threading.Thread(target=lambda: seen.append(run("x = torch.zeros(2, device='cuda').is_cuda").x))
        thread.start()
        thread.join()
        self.assertEqual(seen, [True])

    def testOtherDevicesStay(self):
        self.assertEqual(run("x = torch.empty(2, device='meta')").x.device.type, "meta")
        module = run("x = torch.ones(3).to(torch.float64)\ny = torch.ones(3).to(x)")
        self.assertEqual(module.y.dtype, torch.float64)


class TorchCuda(unittest.TestCase):

    def testOneDeviceIsThere(self):
        module = run("a = (torch.cuda.is_available(), torch.cuda.device_count(), torch.cuda.current_device())\n"
                     "p = torch.cuda.get_device_properties(0)\nname = torch.cuda.get_device_name()\n"
                     "cap = torch.cuda.get_device_capability()\n"
                     "torch.cuda.set_device(0); torch.cuda.synchronize(); torch.cuda.empty_cache()\n"
                     "torch.cuda.manual_seed_all(3); m = torch.cuda.memory_allocated()")
        self.assertEqual(module.a, (True, 1, 0))
        self.assertEqual(module.p.warp_size, 32)
        self.assertEqual(module.cap, (module.p.major, module.p.minor))
        self.assertIn("CPU", module.name)

    def testStreamsKeepOrder(self):
        module = run("s = torch.cuda.Stream()\nbefore = torch.cuda.current_stream()\n"
                     "with torch.cuda.stream(s):\n    inside = torch.cuda.current_stream()\n    x = torch.ones(2).cuda() * 2\n"
                     "after = torch.cuda.current_stream()\ntorch.cuda.current_stream().wait_stream(s)\n"
                     "x.record_stream(s)\ne = s.record_event()\ns.wait_event(e)\ne.synchronize()\n"
                     "default = torch.cuda.default_stream() == before")
        self.assertEqual(module.inside, module.s)
        self.assertEqual((module.before, module.default), (module.after, True))
        self.assertNotEqual(module.s, module.before)

    def testEventsTellTheHostsTime(self):
        module = run("import time\na, b = (torch.cuda.Event(enable_timing=True) for _ in range(2))\n"
                     "a.record()\ntime.sleep(0.02)\nb.record()\ntorch.cuda.synchronize()\nt = a.elapsed_time(b)\n")
        self.assertTrue(15 < module.t < 500, module.t)
        for broken in ("a.record(); a.elapsed_time(torch.cuda.Event(enable_timing=True))",
                       "torch.cuda.Event().elapsed_time(a)"):
            with self.subTest(broken=broken), self.assertRaises(task.TaskError):
                run("a = torch.cuda.Event(enable_timing=True)\n" + broken)

    def testAutocastCasts(self):
        for context in ("torch.autocast('cuda')", "torch.cuda.amp.autocast()", "torch.amp.autocast(device_type='cuda')"):
            with self.subTest(context=context):
                module = run(f"with {context}:\n    y = torch.ones(2, 2).cuda() @ torch.ones(2, 2).cuda()")
                self.assertEqual(module.y.dtype, torch.float16)

    def testGeneratorsAreGenerators(self):
        module = run("g = torch.Generator(device='cuda')\ng.manual_seed(5)\n"
                     "ok = isinstance(g, torch.Generator) and isinstance(torch.default_generator, torch.Generator)\n"
                     "x = torch.randn(3, generator=g)")
        self.assertTrue(module.ok)
        self.assertTrue(torch.equal(module.x, torch.randn(3, generator=torch.Generator().manual_seed(5))))

    def testSeedingStillWorks(self):
        torch.manual_seed(4)
        first = torch.randn(3)
        torch.manual_seed(4)
        self.assertTrue(torch.equal(first, torch.randn(3)))

    def testWhatNeedsAGpuSaysSo(self):
        for body in ("torch.cuda.CUDAGraph()", "with torch.cuda.graph(None):\n    pass", "torch.cuda.cudart()"):
            with self.subTest(body=body), self.assertRaises(task.TaskError) as caught:
                run(body)
            self.assertEqual(caught.exception.code, "needs_gpu")

    def testInstallingTwiceChangesNothing(self):
        before = torch.zeros, torch.Tensor.to, torch.cuda.synchronize
        subject.install()
        self.assertEqual(before, (torch.zeros, torch.Tensor.to, torch.cuda.synchronize))
        self.assertIs(torch.cuda.streams.Stream, cudastandins.Stream)


if __name__ == "__main__":
    unittest.main()
