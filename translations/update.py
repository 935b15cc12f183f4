#!/usr/bin/env python3
"""Collects the window's texts into the .ts files: update.py LUPDATE FILE.ts...

lupdate does not read `namespace a::b {`, so it files the texts of dice::widgets::AuthorPage under AuthorPage, where
Qt does not look for them. Here the contexts lose their namespace before lupdate runs and get it back afterwards.
"""
import pathlib
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

ROOT = pathlib.Path(__file__).resolve().parent.parent
NAMESPACES = {"widgets": "dice::widgets", "app/studio": "dice::studio"}
CLASS = re.compile(r"^class (\w+) : public ", re.MULTILINE)


def qualified_names():
    names = {}
    for folder, namespace in NAMESPACES.items():
        for header in (ROOT / folder).rglob("*.h"):
            text = header.read_text(encoding="utf-8")
            if "Q_OBJECT" in text:
                names.update({name: f"{namespace}::{name}" for name in CLASS.findall(text)})
    return names


def rename_contexts(path, rename):
    tree = ElementTree.parse(path)
    for name in tree.getroot().iterfind("context/name"):
        name.text = rename(name.text)
    body = ElementTree.tostring(tree.getroot(), encoding="unicode")
    path.write_text(f'<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE TS>\n{body}\n', encoding="utf-8")


def main():
    lupdate, files = sys.argv[1], [pathlib.Path(name).resolve() for name in sys.argv[2:]]
    names = qualified_names()
    for path in files:
        rename_contexts(path, lambda name: name.rsplit("::", 1)[-1])
        subprocess.run([lupdate, "-silent", "-no-obsolete", "-locations", "none", *NAMESPACES, "-ts", str(path)],
                       cwd=ROOT, check=True, stderr=subprocess.DEVNULL)
        rename_contexts(path, lambda name: names.get(name, name))


if __name__ == "__main__":
    main()
