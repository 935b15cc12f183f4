#!/usr/bin/env python3
"""Checks every C++ file against the include table of docs/architecture.md.

Usage: check.py ROOT        prints one line a fault, "file:line: what", and exits 1 when there is one
"""
import os
import re
import sys

# What third-party code a library may name, by the group that its header belongs to.
GROUPS = [
    ("torch", re.compile(r"^(torch|ATen|c10|caffe2)/")),
    ("cuda", re.compile(r"^(cuda|cuda_runtime|cuda_runtime_api|nvrtc|cupti)\.h$|^cupti")),
    ("python", re.compile(r"^(Python\.h|pybind11/)")),
    ("qsci", re.compile(r"^Qsci/")),
    ("qcustomplot", re.compile(r"^qcustomplot\.h$")),
    ("qtest", re.compile(r"^(QTest|QtTest|QSignalSpy|QAbstractItemModelTester)")),
    ("qtgui", re.compile(r"^Q(Action|App|Application|Brush|Clipboard|Color|ComboBox|Dialog|Drag|Drop|Event|Font|GuiApp|"
                         r"Icon|Image|Key|Label|Layout|Main|Menu|Mouse|Paint|Pen|Pixmap|Push|Screen|Splitter|Svg|Tab|"
                         r"Text|Tool|Tree|VBox|HBox|Wheel|Widget|Window)\w*$|^Qt(Gui|Widgets|Svg)")),
    ("qprocess", re.compile(r"^(QProcess|QLocalSocket|QTcpSocket)$")),
    ("qfile", re.compile(r"^(QFile|QSaveFile)$")),
    ("qt", re.compile(r"^(Q[A-Z]\w*|Qt[A-Z].*|qglobal\.h)$")),
    ("sqlite", re.compile(r"^sqlite3\.h$")),
]

# library folder -> (project folders that its files may include, groups that they may include)
TABLE = {
    "core/base": ([], []),
    "core/data": (["core/base"], []),
    "core/ipc": (["core/base", "core/data"], []),
    "core/store": (["core/base", "core/data"], ["sqlite"]),
    "core/formats": (["core/base"], []),
    "core/engine": (["core/base", "core/data", "core/formats"], ["torch"]),
    "core/train": (["core/base", "core/data", "core/formats", "core/engine", "core/store"], ["torch"]),
    "core/build": (["core/base", "core/data"], []),
    "core/evaluate": (["core/base", "core/data", "core/ipc", "core/build"], []),
    "core/profile": (["core/base", "core/data"], ["cuda"]),
    "app/services": (["core/base", "core/data", "core/ipc", "core/store"], ["qt", "qprocess", "qfile"]),
    "app/cli": (["core/base", "core/data", "core/store", "app/services"], ["qt", "qprocess", "qfile"]),
    "app/engine": (["core/base", "core/data", "core/ipc", "core/store", "core/formats", "core/engine", "core/train"],
                   []),
    "app/evaluator": (["core/base", "core/data", "core/ipc", "core/build", "core/evaluate"], []),
    "app/worker": (["core/base", "core/data", "core/ipc", "core/build"], ["python", "torch", "cuda"]),
    "app/studio": (["core/base", "core/data", "core/store", "app/services", "widgets"],
                   ["qt", "qtgui", "qprocess", "qfile"]),
    "widgets/theme": (["core/base"], ["qt", "qtgui", "qfile"]),  # its files lie in Qt resources
    "widgets/models": (["core/base", "core/data"], ["qt", "qtgui"]),
    "widgets/editor": (["core/base", "core/data", "widgets/theme"], ["qt", "qtgui", "qsci"]),
    "widgets/canvas": (["core/base", "core/data", "widgets/theme"], ["qt", "qtgui"]),
    "widgets/plots": (["core/base", "core/data", "widgets/theme"], ["qt", "qtgui", "qcustomplot"]),
    "widgets/pages": (["core/base", "core/data", "widgets/models", "widgets/editor", "widgets/canvas", "widgets/plots",
                       "widgets/theme"], ["qt", "qtgui"]),
}

# What a public header never names, one that other libraries include: it would reach all of them. *_torch.h are for
# Torch files only.
HIDDEN_IN_HEADERS = {"torch", "cuda", "python", "qsci", "qcustomplot"}
# Headers that candidates are compiled against stand in for CUDA's and PyTorch's own and follow those.
FOREIGN = ("core/build/include/", "core/build/cpudevice/include/")

MAX_LINES = 400
MAX_MAIN_LINES = 60
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def group_of(header):
    for name, pattern in GROUPS:
        if pattern.match(header):
            return name
    return None


def library_of(path):
    for length in (2, 1):
        folder = "/".join(path.split("/")[:length])
        if folder in TABLE:
            return folder
    return None


def is_below(path, folder):
    return path.startswith(folder + "/")


def check_include(path, header, is_project_header, is_public):
    """A sentence about one #include, or None."""
    library = library_of(path)
    folders, groups = TABLE[library]
    if is_project_header:
        if "/" not in header or is_below(header, library) or any(is_below(header, folder) for folder in folders):
            return None
        return f"{library} may not include {header}"
    group = group_of(header)
    if group is None:
        return None
    if group not in groups:
        return f"{library} may not include {header} ({group})"
    if is_public and group in HIDDEN_IN_HEADERS and not path.endswith("_torch.h"):
        return f"a public header may not include {header} ({group}); keep it in the .cpp or in a *_torch.h"
    return None


def includes_of(text):
    """(line, header, whether it is one of the project's own)."""
    for number, line in enumerate(text.splitlines(), 1):
        found = INCLUDE.match(line)
        if found:
            kind, header = found.groups()
            yield number, header, kind == '"' and bool(re.match(r"(core|app|widgets|tests)/", header))


def public_headers(files):
    """The project's headers that a file of another library includes."""
    return {header for path, text in files.items() for _, header, is_own in includes_of(text)
            if is_own and library_of(header) != library_of(path)}


def check_file(path, text, is_public=False):
    """Sentences about one file, each with its line."""
    lines = text.splitlines()
    limit = MAX_MAIN_LINES if re.fullmatch(r"app/\w+/main\.cpp", path) else MAX_LINES
    if len(lines) > limit:
        yield len(lines), f"{len(lines)} lines; at most {limit}"
    library = library_of(path)
    if path.startswith("tests/"):
        return
    if library is None:
        yield 1, "this folder is not in the include table of tests/architecture/check.py"
        return
    for number, header, is_own in includes_of(text):
        fault = check_include(path, header, is_own, is_public)
        if fault:
            yield number, fault


def sources(root):
    for top in ("app", "core", "widgets", "tests"):
        for folder, _, names in os.walk(os.path.join(root, top)):
            for name in sorted(names):
                path = os.path.relpath(os.path.join(folder, name), root)
                if name.endswith((".cpp", ".h")) and not path.startswith(FOREIGN):
                    yield path


def main(root):
    files = {}
    for path in sources(root):
        with open(os.path.join(root, path), encoding="utf-8") as file:
            files[path] = file.read()
    public = public_headers(files)
    num_faults = 0
    for path, text in files.items():
        for line, fault in check_file(path, text, path in public):
            num_faults += 1
            print(f"{path}:{line}: {fault}")
    print(f"{len(files)} files, {num_faults} faults")
    return 1 if num_faults or not files else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
