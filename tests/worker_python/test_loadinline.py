"""Interception of load_inline and load: arguments, failures that cannot be hidden, counted launchers."""

import linecache
import os
import sys
import tempfile
import types
import unittest

import torch.utils

from dice_worker import loadinline as subject

cudaText = "__global__ void f(float* x) {\n  x[0] = 1;\n}\nvoid run(float* x) { f<<<1, 1>>>(x); }\n"


def runCandidate(source, name="candidate_under_test.py"):
    """Executes candidate text as task.loadModule does: its lines are known to linecache."""
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)
    namespace = {}
    exec(compile(source, name, "exec"), namespace)
    return namespace


class Interception(unittest.TestCase):

    def setUp(self):
        self.saved = sys.modules.pop(subject._moduleName, None)
        self.requests = []
        self.answer = types.ModuleType("built")
        self.answer.run = lambda x: x + 1
        self.answer.fails = lambda: 1 / 0
        self.answer.Kind = int
        self.answer.limit = 3
        self.record = subject.install(self.build)

    def tearDown(self):
        sys.modules.pop(subject._moduleName, None)
        if self.saved is not None:
            sys.modules[subject._moduleName] = self.saved

    def build(self, request):
        self.requests.append(request)
        return self.answer

    def testRequestHoldsWhatWasAsked(self):
        source = ("from torch.utils.cpp_extension import load_inline\n"
                  f"src = '''\n{cudaText}'''\n"
                  "ext = load_inline('e', 'void run(float* x);', cuda_sources=[src], functions='run',\n"
                  "                  extra_cuda_cflags=['-O3'], verbose=True)\n")
        namespace = runCandidate(source)
        request = self.requests[0]
        self.assertEqual(request["cudaSources"], ["\n" + cudaText])
        self.assertEqual(request["cppSources"], ["void run(float* x);"])
        self.assertEqual(request["functions"], {"run": "run"})
        self.assertEqual(request["extraCudaCflags"], ["-O3"])
        self.assertEqual((request["line"], request["cudaLines"], request["cppLines"]), (8, [2], [8]))
        self.assertEqual((request["withCuda"], request["isPythonModule"]), (None, True))
        self.assertEqual(namespace["ext"].run(1), 2)

    def testEveryWayOfReachingItIsIntercepted(self):
        for source in ("import torch\next = torch.utils.cpp_extension.load_inline('a', '')",
                       "from torch.utils import cpp_extension as c\next = c.load_inline('a', '')",
                       "import torch.utils.cpp_extension\next = torch.utils.cpp_extension.load_inline('a', '')",
                       "import importlib\next = importlib.import_module('torch.utils.cpp_extension').load_inline('a', '')"):
            runCandidate(source)
        self.assertEqual(len(self.requests), 4)

    def testModuleImportedBeforeIsInterceptedToo(self):
        real = types.ModuleType(subject._moduleName)
        real.load_inline = real.load = lambda *a, **k: self.fail("the real function ran")
        sys.modules[subject._moduleName] = real
        subject.install(self.build)
        real.load_inline("a", "")
        self.assertEqual(len(self.requests), 1)

    def testOtherNamesComeFromTheRealModule(self):
        self.assertTrue(torch.utils.cpp_extension.get_default_build_root())
        with self.assertRaises(AttributeError):
            torch.utils.cpp_extension.noSuchName
        self.assertTrue(hasattr(sys.modules[subject._moduleName], "diceRecord"))

    def testBadArgumentsRaiseAsTheRealOnesDo(self):
        loadInline = torch.utils.cpp_extension.load_inline
        with self.assertRaisesRegex(ValueError, "list or dict"):
            loadInline("a", "", functions=("run",))
        for arguments, named in ((["a"], {}), ([1, ""], {}), (["a", 5], {}), (["a", [5]], {}),
                                 (["a", ""], {"functions": [1]}), (["a", ""], {"no_such_option": 1})):
            with self.subTest(arguments=arguments, named=named), self.assertRaises(TypeError):
                loadInline(*arguments, **named)
        self.assertEqual(self.requests, [])

    def testSwallowedFailuresStayOnRecord(self):
        self.answer = {"failed": {"message": "line 3: expected ;", "log": "the log"}}
        runCandidate("from torch.utils.cpp_extension import load_inline\n"
                     "try:\n    load_inline('a', '')\nexcept Exception:\n    pass\n")
        self.assertEqual(self.record.failure(),
                         {"code": "compile_error", "message": "line 3: expected ;", "log": "the log"})
        self.assertEqual(self.record.builds[0]["line"], 3)

    def testFaultsOfTheBuilderAreNoCompileErrors(self):
        subject.install(lambda request: {}["pipe"])
        with self.assertRaises(subject.BuildFailed) as caught:
            torch.utils.cpp_extension.load_inline("e", "")
        self.assertEqual(caught.exception.code, "harness_error")

    def testLaunchersAreCountedAndKeepTheirErrors(self):
        ext = torch.utils.cpp_extension.load_inline("e", "")
        ext.run(1)
        ext.run(x=2)
        with self.assertRaises(ZeroDivisionError):
            ext.fails()
        self.assertEqual(self.record.calls["e.run"]["calls"], 2)
        self.assertIn("ZeroDivisionError", self.record.calls["e.fails"]["lastError"])
        self.assertEqual(self.record.numCalls(), (2, 1))
        self.assertIs(ext.Kind, int)
        self.assertEqual(ext.limit, 3)

    def testLoadReadsFiles(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in (("a.cpp", "int a;"), ("b.cu", cudaText)):
                with open(os.path.join(folder, name), "w") as file:
                    file.write(text)
            torch.utils.cpp_extension.load("e", [f"{folder}/a.cpp", f"{folder}/b.cu"])
            self.assertEqual((self.requests[0]["cppSources"], self.requests[0]["cudaSources"]), (["int a;"], [cudaText]))
            with self.assertRaisesRegex(subject.BuildFailed, "none.cu"):
                torch.utils.cpp_extension.load("e", f"{folder}/none.cu")
        self.assertIn("none.cu", self.record.failure()["message"])

    def testSetupScriptsAreRefusedClearly(self):
        with self.assertRaisesRegex(subject.BuildFailed, "load_inline"):
            torch.utils.cpp_extension.CUDAExtension("e", ["a.cu"])
        self.assertEqual(self.record.failure()["code"], "refused")

    def testSourcesAreLocatedInTheFile(self):
        file = "head = '''//  a header that is long enough to be found\n'''\nbody = '''\nvoid f() { /* and a body, as long */ }\n'''\n"
        head, body = "//  a header that is long enough to be found\n", "\nvoid f() { /* and a body, as long */ }\n"
        self.assertEqual(subject.locate(file, body), 3)
        self.assertEqual(subject.locate(file, "#define N 4\n\n" + head), 1)
        self.assertEqual(subject.locate(file, "not there"), 0)
        self.assertEqual(subject.locate("(", "x"), 0)


if __name__ == "__main__":
    unittest.main()
