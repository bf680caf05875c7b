#!/usr/bin/env python3
"""Checks what the formatter does not: sizes, names, guards, words, paths."""

import argparse
import pathlib
import re
import sys

import source_tree

MAX_LINES = 600
CODE_SUFFIXES = {".h", ".cc", ".cpp", ".py", ".sh", ".cmake", ".proto"}
TEXT_SUFFIXES = CODE_SUFFIXES | {".md", ".txt", ".json"}
TEXT_NAMES = {"Makefile", "run", ".clang-format", ".clang-tidy", ".gitignore"}
# Data of tests: made by other programs, not held to our rules.
DATA = re.compile(r"^test/(fixtures|golden|ptx)/")

# make wants tabs; in C++ the formatter leaves them to string literals.
TABS_ALLOWED = {"Makefile", ".h", ".cc"}

# A file that is named after no subject collects what has no home.
SUBJECTLESS = {"util", "utils", "helper", "helpers", "common", "misc", "stuff"}

# The words are put together here so that this file does not hold them.
UNFINISHED = re.compile(
    r"\b(" + "|".join(["TO" + "DO", "FIX" + "ME", "XX" + "X", "HA" + "CK"]) + r")\b")
# Folders of one machine mean nothing on another.
LOCAL_PATH = re.compile(
    r"(?<![\w./-])/(" + "|".join(["wo" + "rk", "ro" + "ot", "ho" + "me"]) + r")/"
    r"|\.\./sha" + r"red\b")


def expected_guard(path):
    guard = re.sub(r"[^A-Za-z0-9]", "_", path.as_posix()).upper() + "_"
    return guard if guard.startswith("THUNKY_") else "THUNKY_" + guard


def check_name(path):
    words = re.split(r"[_\-.]", path.stem.lower())
    for word in words:
        if word in SUBJECTLESS:
            yield f"a file named '{word}' says nothing of its subject"


def check_guard(path, lines):
    guard = expected_guard(path)
    directives = [line for line in lines if line.startswith("#")]
    found = directives[0].split()[-1] if directives else "no directive"
    if directives[:2] != [f"#ifndef {guard}", f"#define {guard}"]:
        yield f"expected the include guard {guard}, found {found}"


def check_lines(path, lines):
    for number, line in enumerate(lines, 1):
        if "\t" in line and not {path.name, path.suffix} & TABS_ALLOWED:
            yield f"line {number}: a tab"
        if line != line.rstrip():
            yield f"line {number}: white space at the end"
        if match := UNFINISHED.search(line):
            yield f"line {number}: '{match.group()}': finish it or make it an error"
        if match := LOCAL_PATH.search(line):
            yield f"line {number}: '{match.group()}' is a path of one machine"


def check_file(root, path):
    """Yields every problem of one text file."""
    yield from check_name(path)
    try:
        text = (root / path).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        yield "not UTF-8"
        return
    lines = text.splitlines()
    if path.suffix in CODE_SUFFIXES and len(lines) > MAX_LINES:
        yield f"{len(lines)} lines; the limit is {MAX_LINES}: split it by concern"
    if path.suffix == ".h":
        yield from check_guard(path, lines)
    if text and not text.endswith("\n"):
        yield "no newline at the end"
    yield from check_lines(path, lines)


def is_checked(path):
    if DATA.match(path.as_posix()):
        return False
    return path.suffix in TEXT_SUFFIXES or path.name in TEXT_NAMES


def check_tree(root):
    """Yields every problem below `root` as one line."""
    checked = 0
    for path in source_tree.source_files(root):
        if not is_checked(path):
            continue
        checked += 1
        for problem in check_file(root, path):
            yield f"{path}: {problem}"
    if checked == 0:
        yield f"{root}: no sources found"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", type=pathlib.Path,
                        default=pathlib.Path(__file__).resolve().parent.parent,
                        help="top folder of the project")
    arguments = parser.parse_args()
    problems = list(check_tree(arguments.root))
    for problem in problems:
        print(problem, file=sys.stderr)
    if not problems:
        print("style: no problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
