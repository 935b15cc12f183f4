"""Canonical form and bad-input gate."""

import unittest

from dice_worker import normalise as subject

plainModule = '''\
import torch

class Model(torch.nn.Module):

    def forward(self, x):
        return x * 2

def get_inputs():
    return [torch.randn(4)]
'''


def normalised(source):
    return subject.normalise(source)[0]


class CanonicalForm(unittest.TestCase):

    def testEveryWayOfPastingGivesOneText(self):
        variants = [
            plainModule,
            plainModule.rstrip("\n"),
            plainModule.replace("\n", "\r\n"),
            "\ufeff" + plainModule,
            "\n\n  \n" + plainModule + "\n \t \n",
            plainModule.replace("    ", "\t"),
            plainModule.replace("    ", "  "),
            "".join("        " + line + "\n" for line in plainModule.splitlines()),
            plainModule.replace(" * ", "\u00a0*\u200b "),
            "```python\n" + plainModule + "```\n",
            plainModule.replace("x * 2", "(x*2)  # twice"),
            plainModule.replace("(self, x)", "(self, x: torch.Tensor) -> torch.Tensor"),
            plainModule + '\nif __name__ == "__main__":\n    print(Model())\n',
            plainModule.replace("    def forward", '    """What it does."""\n    def forward'),
            '"""About."""\nfrom typing import List\n' + plainModule.replace("(self, x)", "(self, x: List[int])"),
        ]
        for variant in variants:
            with self.subTest(variant=variant[:60]):
                self.assertEqual(normalised(variant), plainModule)

    def testLiteralArithmeticFolds(self):
        cases = {
            "1024 * 2": "2048", "-1": "-1", "-(2)": "-2", "- -3": "3", "2 ** 10 - 1": "1023", "7 // 2": "3",
            "(2 - 5) * 2": "-6", "1 / 4": "0.25", "0.5 * 3": "1.5", "-2 ** 2": "-4", "7 % 4": "3", "+5": "5",
            "1 / 0": "1 / 0", "2 ** 4000": "2 ** 4000", "10 ** 30": "10 ** 30", "N * 2": "N * 2", "True + 1": "True + 1",
            "'a' * 3": "'a' * 3", "N * 2 * 3": "N * 2 * 3", "N * (2 * 3)": "N * 6", "0.0 * -1": "-0.0",
        }
        for source, expected in cases.items():
            with self.subTest(source=source):
                self.assertEqual(normalised(f"x = {source}"), f"x = {expected}\n")

    def testFoldingKeepsValues(self):
        for source in ("0.1 + 0.2", "3 - -2", "-7 // 2", "-7 % 3", "2 ** -2", "1e308 * 10", "(-2) ** 3"):
            with self.subTest(source=source):
                self.assertEqual(eval(normalised(source + " or x").strip(), {"x": 0}), eval(source + " or x", {"x": 0}))

    def testIsIdempotent(self):
        sources = [
            plainModule,
            "class A:\n    x: int\n    y: int = 2\n    def f(self):\n        'doc'\n",
            "def f(a: int = 2 * 3, *b: str, c: float = -(1)) -> None:\n    n: int\n    m: int = 4\n    return m\n",
            "try:\n    import a\nexcept ImportError:\n    'no'\nelse:\n    if __name__ == '__main__':\n        f()\n",
            "x = f'{a!r:>{w}} {b:.2f}'\ny = '''\n  cuda \\n  \n'''\n",
        ]
        for source in sources:
            text, notes = subject.normalise(source)
            with self.subTest(source=source[:40]):
                self.assertEqual(notes, [])
                self.assertEqual(subject.normalise(text), (text, []))

    def testStringsKeepTheirInside(self):
        source = 'cuda = """\n__global__ void f() { }   \n\n  // 1024 * 2 """\n'
        namespace = {}
        exec(normalised(source), namespace)
        self.assertEqual(namespace["cuda"], "\n__global__ void f() { }   \n\n  // 1024 * 2 ")

    def testScriptedModulesKeepHints(self):
        source = "@torch.jit.script\ndef f(x: int) -> int:\n    return x\n"
        text, notes = subject.normalise(source)
        self.assertIn("(x: int) -> int", text)
        self.assertEqual(len(notes), 1)

    def testMainGuardWithElseKeepsTheElse(self):
        self.assertEqual(normalised("if '__main__' == __name__:\n    a()\nelse:\n    b()\n"), "b()\n")

    def testWhatCannotBePrintedAgainPassesUnchanged(self):
        deep = "x = " + " + ".join(["a"] * 900) + "\n"
        text, notes = subject.normalise(deep)
        self.assertEqual(text, deep)
        self.assertEqual(len(notes), 1)
        self.assertTrue(notes[0].startswith("Layout is kept"))


class BadInput(unittest.TestCase):

    def testSyntaxErrorsNameTheirPlace(self):
        with self.assertRaises(subject.NormaliseError) as caught:
            subject.normalise("x = 1\ny = (2,\n")
        self.assertEqual((caught.exception.code, caught.exception.line, caught.exception.column), ("syntax", 2, 5))
        self.assertIn("line 2", caught.exception.message)

    def testUnusableTextsAreNamed(self):
        cases = {
            "# Title\n\nThis is a *text* about things.\n": ("syntax", "Markdown"),
            "#include <torch/extension.h>\n__global__ void f() {}\n": ("syntax", "C++ or CUDA"),
            '{"a": [1, 2}': ("syntax", "JSON"),
            "<!DOCTYPE html>\n<p>it's</p>": ("syntax", "web page"),
            "x = 1\0": ("null_bytes", "line 1"),
            "(" * 5000: ("too_deep", "nested"),
            "-" * 200000 + "1": ("too_deep", "nested"),
            "a" * (subject.maxSourceBytes + 1): ("too_large", "MB"),
            "# only a comment\n": ("empty", "no Python statement"),
            "x = '\ud800'": ("encoding", "Line 1"),
            "class Net: pass\ndef get_inputs(): pass": ("no_model", "Net"),
            "def get_inputs(): pass": ("no_model", "nor any other class"),
            "class Model: pass": ("no_get_inputs", "get_inputs"),
        }
        for source, (code, word) in cases.items():
            with self.subTest(source=source[:30]):
                problems = subject.check(source)
                self.assertEqual([p["code"] for p in problems], [code])
                self.assertIn(word, problems[0]["message"])

    def testBytesAreDecoded(self):
        self.assertEqual(subject.check(plainModule.encode("utf-8-sig")), [])
        self.assertEqual(subject.check(plainModule.encode("utf-16")), [])
        self.assertEqual(subject.check(b"x = 1\n\xff")[0]["line"], 2)

    def testModelMayBeBoundInOtherWays(self):
        inputs = "\ndef get_inputs(): return []\n"
        for source in ("class Net: pass\nModel = Net", "from m import Model", "from m import *",
                       "if True:\n    class Model: pass", "try:\n    from m import X as Model\nexcept ImportError: pass"):
            with self.subTest(source=source):
                self.assertEqual(subject.check(source + inputs), [])

    def testCandidatesNeedModelNewOnly(self):
        self.assertEqual(subject.check("class ModelNew: pass", "ModelNew", False), [])
        problem = subject.check("class FastModel: pass", "ModelNew", False)[0]
        self.assertIn("FastModel", problem["message"])


if __name__ == "__main__":
    unittest.main()
