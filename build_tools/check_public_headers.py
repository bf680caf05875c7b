#!/usr/bin/env python3
"""Compiles each header of the public interface alone, as a user's compiler would.

  check_public_headers.py --compiler c++ --include SOURCE_FOLDER HEADER...

Fails when one does not compile without warnings, or takes in a header of this project that
is not in the list, or one of Abseil, protobuf, LLVM, MLIR or another library. Paths of the
list are below SOURCE_FOLDER.
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys

# Folders whose headers a user does not need to have.
FOREIGN = re.compile(r"/(absl|google|llvm|llvm-c|mlir|mlir-c|nlohmann|CLI|gtest|gmock)/")


def taken_in(compiler, include, header):
    """(what the compiler complains of, paths of the headers that it read)."""
    command = [compiler, "-std=c++20", "-Wall", "-Wextra", "-Werror", "-I", include,
               "-x", "c++", "-"]
    unit = f'#include "{header}"\n#include "{header}"\n'
    done = subprocess.run(command + ["-fsyntax-only"], input=unit, text=True,
                          capture_output=True, check=False)
    if done.returncode != 0:
        return done.stderr.strip(), []
    rule = subprocess.run(command + ["-M", "-MT", "unit"], input=unit, text=True,
                          capture_output=True, check=True).stdout
    return "", rule.replace("\\\n", " ").split()[1:]


def problems_of(compiler, include, header, public):
    complaint, paths = taken_in(compiler, include, header)
    if complaint:
        yield f"{header}: does not compile alone:\n{complaint}"
    for path in paths:
        if FOREIGN.search(path):
            yield f"{header}: takes in {path}, which is not part of the interface"
        real = pathlib.Path(path).resolve()
        if real.is_relative_to(include):
            name = real.relative_to(include).as_posix()
            if name not in public:
                yield f"{header}: takes in '{name}', which is not installed"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--include", type=pathlib.Path, required=True)
    parser.add_argument("headers", type=pathlib.Path, nargs="*")
    arguments = parser.parse_args()
    include = arguments.include.resolve()
    public = {header.resolve().relative_to(include).as_posix()
              for header in arguments.headers}
    if not public:
        print("no public headers were given", file=sys.stderr)
        return 1
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found = pool.map(
            lambda header: list(problems_of(arguments.compiler, include, header, public)),
            sorted(public))
        problems = [problem for each in found for problem in each]
    for problem in problems:
        print(problem, file=sys.stderr)
    if not problems:
        print(f"public headers: {len(public)} stand alone")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
