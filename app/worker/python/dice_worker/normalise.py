"""Canonical form of a pasted PyTorch module, and the first look at bad input.

The model in the box is trained on this form and prompted with it, so the form is a contract: it depends on the
text alone, and normalise(normalise(text)) == normalise(text). Must not import torch: it answers in milliseconds.

    normalise(source) -> (text, notes)      raises NormaliseError
    check(source, className="Model", needsInputs=True) -> [problem]
    decode(data: bytes) -> str              raises NormaliseError

A problem is {"code", "message", "line", "column"}; line and column count from 1, 0 when they have no meaning.
"""

import ast
import math
import operator
import re
import textwrap
import warnings

maxSourceBytes = 1 << 20
"""Larger texts are refused unread: a module is a few kilobytes, and parsing takes 200 times the text's memory."""

_maxFoldedBits = 63
_maxExponent = 64
_unusualSpaces = re.compile("[\u00a0\u2000-\u200a\u202f\u205f\u3000]")
_invisible = re.compile("[\ufeff\u200b-\u200d\u2060]")
_fence = re.compile(r"\A\s*(```+|~~~+)[^\n]*\n(.*?)\n?\s*\1\s*\Z", re.DOTALL)


class NormaliseError(ValueError):
    """The text cannot be a module. code: too_large, encoding, null_bytes, syntax, too_deep."""

    def __init__(self, code, message, line=0, column=0):
        super().__init__(message)
        self.code = code
        self.message = message
        self.line = line
        self.column = column

    def asProblem(self):
        return {"code": self.code, "message": self.message, "line": self.line, "column": self.column}


def decode(data):
    """UTF-8 text (a byte order mark is dropped) of a file's bytes; UTF-16 is recognised by its mark."""
    if len(data) > maxSourceBytes:
        raise _tooLarge(len(data))
    encoding = "utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise NormaliseError(
            "encoding",
            f"The file is not UTF-8 text (byte {error.start}, line {line}): save it as UTF-8 and open it again.",
            line,
        ) from None


def normalise(source):
    """Returns (text, notes): the canonical form and a sentence for each thing that was left as it was.

    Dropped: comments, docstrings and other constants standing alone, type hints of functions and variables,
    `if __name__ == "__main__"` blocks, typing imports that nothing uses any more. Folded: + - * / // % ** of
    number literals. Layout: ast.unparse, LF, one newline at the end. Class-level annotations stay (they have
    meaning in dataclasses), and all hints stay where torch.jit.script reads them.
    """
    tree = parse(source)
    notes = []
    keepsHints = "jit" in source and re.search(r"\bjit\s*\.\s*(script|interface)", source) is not None
    if keepsHints:
        notes.append("Type hints are kept: torch.jit.script reads them.")
    try:
        tree = _Canonical(keepsHints).visit(tree)
        _dropUnusedTyping(tree)
        _fillEmptyBodies(tree)
        ast.fix_missing_locations(tree)
        text = ast.unparse(tree).strip("\n") + "\n"
        same = ast.dump(ast.parse(text)) == ast.dump(tree)
    except (ValueError, SyntaxError, RecursionError, MemoryError) as error:
        return _cleaned(source), notes + [f"Layout is kept: the text cannot be printed again ({_short(error)})."]
    if not same:
        return _cleaned(source), notes + ["Layout is kept: printing the text again would change its meaning."]
    return text, notes


def parse(source):
    """The syntax tree of a pasted text, after repairing what pasting breaks; raises NormaliseError."""
    _refuseUnreadable(source)
    text = _cleaned(source)
    try:
        return _parseOnce(text)
    except SyntaxError as error:
        first = error
    for repaired in _repairs(text):
        try:
            return _parseOnce(repaired)
        except SyntaxError:
            continue
    raise _syntaxProblem(text, first)


def check(source, className="Model", needsInputs=True):
    """Problems that make the text unusable as a task (or, with className="ModelNew" and needsInputs=False, as a
    candidate), found without running it; an empty list when none. Accepts str or bytes.
    """
    try:
        text = decode(source) if isinstance(source, (bytes, bytearray, memoryview)) else source
        tree = parse(text)
    except NormaliseError as error:
        return [error.asProblem()]
    if not tree.body:
        return [_problem("empty", "The text holds no Python statement: paste a PyTorch module.")]
    names, classes, opaque = _definedNames(tree)
    problems = []
    if className not in names and not opaque:
        problems.append(_missingClass(className, classes))
    if needsInputs and "get_inputs" not in names and not opaque:
        problems.append(_problem(
            "no_get_inputs",
            "There is no function get_inputs: add one that returns the list of tensors that forward is called with."))
    return problems


def _refuseUnreadable(source):
    size = len(source.encode("utf-8", "surrogatepass")) if len(source) <= maxSourceBytes else len(source)
    if size > maxSourceBytes:
        raise _tooLarge(size)
    position = source.find("\0")
    if position >= 0:
        line = source.count("\n", 0, position) + 1
        raise NormaliseError(
            "null_bytes", f"The text holds a null byte (line {line}): it is a binary file, not a Python module.", line)
    try:
        source.encode("utf-8")
    except UnicodeEncodeError as error:
        line = source.count("\n", 0, error.start) + 1
        raise NormaliseError("encoding", f"Line {line} holds a character that is not valid Unicode.", line) from None


def _tooLarge(size):
    return NormaliseError(
        "too_large",
        f"The text has {size / 1e6:.1f} MB, the limit is {maxSourceBytes / 1e6:.1f} MB: paste one module only.")


def _cleaned(source):
    """LF line ends, no byte order mark, no blank lines around, one newline at the end."""
    text = source.lstrip("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    return re.sub(r"\A([ \t]*\n)+", "", text).rstrip() + "\n"


def _repairs(text):
    """Texts to try when the pasted one does not parse: what copying from a page or a chat adds."""
    plain = _invisible.sub("", _unusualSpaces.sub(" ", text))
    plain = re.sub(r"[ \t\f]+$", "", plain, flags=re.MULTILINE)
    fence = _fence.match(plain)
    bodies = [plain] + ([fence.group(2)] if fence else [])
    for body in bodies:
        yield body
        yield textwrap.dedent(body)
        for width in (4, 8):
            yield textwrap.dedent(body.expandtabs(width))


def _parseOnce(text):
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # "\d" in a string of CUDA source is no business of ours
            return ast.parse(text)
    except (RecursionError, MemoryError):
        raise NormaliseError(
            "too_deep", "An expression is nested too deeply for Python to read: split it into statements.") from None
    except SyntaxError as error:
        if "too many nested" in str(error.msg):
            raise NormaliseError(
                "too_deep", f"Line {error.lineno}: {error.msg}.", error.lineno or 0, error.offset or 0) from None
        raise
    except ValueError as error:  # for instance an integer literal of over 4300 digits
        raise NormaliseError("syntax", f"Python cannot read the text: {_short(error)}.") from None


def _syntaxProblem(text, error):
    line, column = error.lineno or 0, error.offset or 0
    lines = text.splitlines()
    shown = lines[line - 1].strip()[:60] if 0 < line <= len(lines) else ""
    where = f"line {line}, column {column}"
    looks = _looksLike(text)
    if looks:
        message = f"This is {looks}, not a Python module ({where}: {error.msg}): paste a module with a class Model."
    else:
        message = f"Python cannot read {where}: {error.msg}" + (f" in `{shown}`." if shown else ".")
    return NormaliseError("syntax", message, line, column)


def _looksLike(text):
    """What a text that is no Python probably is; empty when nothing speaks for something else."""
    head = text.lstrip()[:4000]
    if re.match(r"[\[{]\s*[\"\[{]", head):
        return "JSON"
    if re.match(r"<(!DOCTYPE|html|\?xml|svg)", head, re.IGNORECASE):
        return "a web page"
    if re.search(r"^\s*#\s*include\s*[<\"]|__global__\s+\w+", head, re.MULTILINE) and "import torch" not in text:
        return "C++ or CUDA source"
    if re.search(r"^(#{1,6} \S|[-*] \S|\|.*\|\s*$|```)", head, re.MULTILINE) and "import torch" not in head[:400]:
        return "a text in Markdown"
    return ""


def _definedNames(tree):
    """(names bound at module level, names of classes there, whether a star import may bind more)."""
    names, classes, opaque = set(), [], False
    pending = list(tree.body)
    while pending:
        node = pending.pop()
        if isinstance(node, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            names.add(node.name)
            if isinstance(node, ast.ClassDef):
                classes.append((node.lineno, node.name))
            continue
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            opaque |= any(alias.name == "*" for alias in node.names)
            names.update((alias.asname or alias.name).split(".")[0] for alias in node.names)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        pending.extend(ast.iter_child_nodes(node))
    return names, [name for _, name in sorted(classes)], opaque


def _missingClass(className, classes):
    if not classes:
        return _problem("no_model", f"There is no class {className}, nor any other class: paste a PyTorch module.")
    shown = ", ".join(classes[:5]) + (" and others" if len(classes) > 5 else "")
    return _problem("no_model", f"There is no class {className}. Classes here: {shown}. Rename the one that is meant.")


def _problem(code, message, line=0, column=0):
    return {"code": code, "message": message, "line": line, "column": column}


def _short(error):
    return (str(error) or type(error).__name__)[:120]


class _Canonical(ast.NodeTransformer):
    """Drops what does not compute and folds number literals, bottom up."""

    def __init__(self, keepsHints):
        self._keepsHints = keepsHints
        self._inClass = False

    def visit_Expr(self, node):
        self.generic_visit(node)
        return None if isinstance(node.value, ast.Constant) else node

    def visit_If(self, node):
        self.generic_visit(node)
        return node.orelse if _isMainGuard(node.test) else node

    def visit_ClassDef(self, node):
        outer, self._inClass = self._inClass, True
        self.generic_visit(node)
        self._inClass = outer
        return node

    def visit_FunctionDef(self, node):
        outer, self._inClass = self._inClass, False
        self.generic_visit(node)
        self._inClass = outer
        if not self._keepsHints:
            node.returns = None
        return node

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_arg(self, node):
        if not self._keepsHints:
            node.annotation = None
        node.type_comment = None
        return node

    def visit_AnnAssign(self, node):
        self.generic_visit(node)
        if self._inClass or self._keepsHints:
            return node
        return ast.Assign(targets=[node.target], value=node.value) if node.value else None

    def visit_UnaryOp(self, node):
        self.generic_visit(node)
        value = _literal(node)
        isPlain = isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant)
        return node if value is None or isPlain else _literalNode(value)

    def visit_BinOp(self, node):
        self.generic_visit(node)
        value = _foldedValue(node)
        return node if value is None else _literalNode(value)


def _isMainGuard(test):
    if not (isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], ast.Eq)):
        return False
    sides = [test.left, test.comparators[0]]
    return any(isinstance(s, ast.Name) and s.id == "__name__" for s in sides) and any(
        isinstance(s, ast.Constant) and s.value == "__main__" for s in sides)


_operators = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod, ast.Pow: operator.pow,
}


def _literal(node):
    """The int or float that a node spells out, or None. True and False are no numbers here."""
    if isinstance(node, ast.Constant) and type(node.value) in (int, float):
        return node.value
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.UAdd)):
        value = _literal(node.operand)
        if value is not None:
            return -value if isinstance(node.op, ast.USub) else value
    return None


def _foldedValue(node):
    left, right, compute = _literal(node.left), _literal(node.right), _operators.get(type(node.op))
    if left is None or right is None or compute is None:
        return None
    if isinstance(node.op, ast.Pow) and abs(right) > _maxExponent:
        return None
    try:
        value = compute(left, right)
    except (ArithmeticError, ValueError):
        return None
    if type(value) is int:
        return value if value.bit_length() <= _maxFoldedBits else None
    return value if type(value) is float and math.isfinite(value) else None


def _literalNode(value):
    isNegative = math.copysign(1, value) < 0
    constant = ast.Constant(value=-value if isNegative else value)
    return ast.UnaryOp(op=ast.USub(), operand=constant) if isNegative else constant


def _dropUnusedTyping(tree):
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    used |= {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)}

    def keeps(node):
        if isinstance(node, ast.ImportFrom) and node.module == "typing" and not node.level:
            node.names = [a for a in node.names if a.name == "*" or (a.asname or a.name) in used]
        elif isinstance(node, ast.Import):
            node.names = [a for a in node.names if a.name != "typing" or (a.asname or a.name) in used]
        else:
            return True
        return bool(node.names)

    tree.body = [node for node in tree.body if keeps(node)]


def _fillEmptyBodies(tree):
    for node in ast.walk(tree):
        if isinstance(getattr(node, "body", None), list) and not node.body and not isinstance(node, ast.Module):
            node.body = [ast.Pass()]
