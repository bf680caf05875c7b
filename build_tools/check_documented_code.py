#!/usr/bin/env python3
"""Holds the C++ of documents to what compiles and runs.

  check_documented_code.py --compiler c++ --root SOURCE_FOLDER --libraries FOLDER PAGE...

Each block of C++ is preceded by a line that says what it is:

  <!-- complete -->              a program: it is compiled without warnings, linked with
                                 the libraries and run in the source folder, and must
                                 end with 0
  <!-- from examples/FILE -->    lines that stand like this, one after the other, in that
                                 file, whatever the indentation

A block without one is a failure, and so is a page without blocks.
"""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

BLOCK = re.compile(r"^([^\n]*)\n```cpp\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FROM = re.compile(r"<!-- from (\S+) -->")
COMPLETE = "<!-- complete -->"
SECONDS = 60


def without_indentation(text):
    """Lines with something on them; clang-format has its own idea of white space."""
    return [line.strip() for line in text.splitlines() if line.strip()]


def contains(lines, part):
    return any(lines[i:i + len(part)] == part for i in range(len(lines)))


class Checker:

    def __init__(self, compiler, root, libraries):
        self.compiler = compiler
        self.root = root.resolve()
        self.libraries = libraries.resolve()

    def problem_of_program(self, text):
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder) / "program"
            command = [self.compiler, "-std=c++20", "-Wall", "-Wextra", "-Wpedantic",
                       "-Werror", "-I", self.root, "-x", "c++", "-", "-x", "none",
                       "-o", program, f"-L{self.libraries}", "-lthunky",
                       "-lthunky_runtime", f"-Wl,-rpath,{self.libraries}", "-pthread"]
            done = subprocess.run(command, input=text, text=True, capture_output=True,
                                  check=False)
            if done.returncode != 0:
                return "does not compile:\n" + done.stderr.strip()
            done = subprocess.run([program], cwd=self.root, text=True, timeout=SECONDS,
                                  capture_output=True, check=False)
            if done.returncode != 0:
                return f"ends with {done.returncode}: {done.stdout}{done.stderr}".strip()
        return ""

    def problem_of_excerpt(self, name, text):
        path = self.root / name
        if not path.is_file():
            return f"is said to be from {name}, and there is no such file"
        if not contains(without_indentation(path.read_text(encoding="utf-8")),
                        without_indentation(text)):
            return f"does not stand like this in {name}"
        return ""

    def problems_of(self, page):
        text = page.read_text(encoding="utf-8")
        blocks = list(BLOCK.finditer(text))
        if len(blocks) != text.count("\n```cpp\n"):
            yield f"{page.name}: a block of C++ that does not end"
        if not blocks:
            yield f"{page.name}: no block of C++"
        for block in blocks:
            line = text.count("\n", 0, block.start(2)) + 1
            kind = block.group(1).strip()
            if kind == COMPLETE:
                problem = self.problem_of_program(block.group(2))
            elif match := FROM.fullmatch(kind):
                problem = self.problem_of_excerpt(match.group(1), block.group(2))
            else:
                problem = f"expected '{COMPLETE}' or '<!-- from FILE -->' in front of it"
            if problem:
                yield f"{page.name}:{line}: the block {problem}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--root", type=pathlib.Path, required=True)
    parser.add_argument("--libraries", type=pathlib.Path, required=True)
    parser.add_argument("pages", type=pathlib.Path, nargs="+")
    arguments = parser.parse_args()
    checker = Checker(arguments.compiler, arguments.root, arguments.libraries)
    problems = [problem for page in arguments.pages
                for problem in checker.problems_of(page)]
    for problem in problems:
        print(problem)
    print(f"check_documented_code: {len(arguments.pages)} pages, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
