#!/usr/bin/env python3
"""Holds the includes of thunky/ to the layer table, layers.txt."""

import argparse
import pathlib
import re
import sys

import source_tree

INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]')
SOURCE_SUFFIXES = {".h", ".cc", ".cpp", ".inc"}


class Table:
    """The layers, what each may include, and who may include other projects."""

    def __init__(self, text):
        self.allowed = {}
        self.external = []  # (prefix, layers that may include it)
        for number, line in enumerate(text.splitlines(), 1):
            line = line.split("#", 1)[0].strip()
            if not line:
                continue
            left, colon, right = line.partition(":")
            if not colon:
                raise ValueError(f"line {number}: expected 'LAYER: LAYERS'")
            words, layers = left.split(), set(right.split())
            if words[0] == "external":
                self.external += [(prefix, layers) for prefix in words[1:]]
            else:
                self.allowed[left.strip()] = layers
        for layer, others in self.allowed.items():
            for other in others - set(self.allowed):
                raise ValueError(f"layer '{layer}' lists '{other}', which has no line")

    def layer_of(self, path):
        """The layer of a path inside thunky/ ("hal/host/x.h"), or None.

        A file can be a layer itself ("run.h").
        """
        folder = pathlib.PurePosixPath(path)
        while str(folder) != ".":
            if str(folder) in self.allowed:
                return str(folder)
            folder = folder.parent
        return None


def included_layer(table, include):
    """(is one of the project's own headers, its layer or None)."""
    if include.startswith("thunky/"):
        return True, table.layer_of(include.removeprefix("thunky/"))
    if include.startswith("proto/"):
        return True, "proto"
    return False, None


def check_include(table, layer, include):
    """What is wrong with `layer` including `include`, or None."""
    own, target = included_layer(table, include)
    if own:
        if target is None:
            return f"'{include}' belongs to no layer of the table"
        if target != layer and target not in table.allowed[layer]:
            return f"layer '{layer}' may not include layer '{target}' ('{include}')"
        return None
    for prefix, layers in table.external:
        if include.startswith(prefix) and layer not in layers:
            who = ", ".join(sorted(layers)) or "no layer"
            return f"layer '{layer}' may not include '{include}': {who} may"
    return None


def check_file(table, root, path):
    """Yields "line N: problem" for each bad include of one file of a layer."""
    inside = path.relative_to("thunky")
    layer = table.layer_of(inside.as_posix())
    if layer is None:
        yield "its folder is not in the layer table"
        return
    if path.stem.endswith("_test"):
        return
    text = (root / path).read_text(encoding="utf-8", errors="replace")
    for number, line in enumerate(text.splitlines(), 1):
        match = INCLUDE.match(line)
        if match and (problem := check_include(table, layer, match.group(1))):
            yield f"line {number}: {problem}"


def check_tree(root, table):
    """Yields every problem below `root` as one line."""
    checked = 0
    for path in source_tree.source_files(root):
        if path.parts[0] != "thunky" or path.suffix not in SOURCE_SUFFIXES:
            continue
        checked += 1
        for problem in check_file(table, root, path):
            yield f"{path}: {problem}"
    if checked == 0:
        yield f"{root}: no sources found under thunky/"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    here = pathlib.Path(__file__).resolve().parent
    parser.add_argument("--root", type=pathlib.Path, default=here.parent,
                        help="top folder of the project")
    parser.add_argument("--table", type=pathlib.Path, default=here / "layers.txt")
    arguments = parser.parse_args()
    try:
        table = Table(arguments.table.read_text(encoding="utf-8"))
    except ValueError as error:
        print(f"{arguments.table}: {error}", file=sys.stderr)
        return 1
    problems = list(check_tree(arguments.root, table))
    for problem in problems:
        print(problem, file=sys.stderr)
    if not problems:
        print(f"layers: every include keeps to {arguments.table.name}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
