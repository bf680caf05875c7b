#!/usr/bin/env python3
"""Runs clang-tidy on one unit of a build folder, unless it is known to be clean.

    build_tools/ci/tidy_unit.py BUILD UNIT

Clean units are remembered in BUILD/clean, by a hash of everything that decides:
the preprocessed text with its comments, the options, the checks and clang-tidy's
version. So a long run may be stopped and begun again, and a later one looks at
what is different only. The exit code is 0 for a clean unit, 1 otherwise.
"""

import argparse
import hashlib
import json
import pathlib
import shlex
import subprocess
import sys

TIDY = "clang-tidy-22"


def compile_command(build, unit):
    """(arguments, folder) that compile the unit in that build."""
    for entry in json.loads((build / "compile_commands.json").read_text()):
        if entry["file"] == str(unit):
            return shlex.split(entry["command"]), entry["directory"]
    raise ValueError(f"{build}/compile_commands.json does not compile {unit}")


def fingerprint(build, unit):
    """A hash of all that clang-tidy's answer depends on."""
    arguments, folder = compile_command(build, unit)
    version = subprocess.run([TIDY, "--version"], check=True, capture_output=True)
    checks = subprocess.run(
        [TIDY, "--dump-config", str(unit)], check=True, capture_output=True
    )
    text = subprocess.run(
        arguments + ["-E", "-C", "-o", "-"], cwd=folder, check=True, capture_output=True
    )
    digest = hashlib.sha256()
    for part in (
        shlex.join(arguments).encode(),
        version.stdout,
        checks.stdout,
        text.stdout,
    ):
        digest.update(len(part).to_bytes(8, "little") + part)
    return digest.hexdigest()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("unit", type=pathlib.Path)
    arguments = parser.parse_args()
    build, unit = arguments.build.resolve(), arguments.unit.resolve()

    try:
        stamp = build / "clean" / fingerprint(build, unit)
    except (OSError, ValueError) as error:
        print(error)
        return 1
    except subprocess.CalledProcessError as error:
        print(error.stderr.decode(errors="replace"))
        return 1
    if stamp.exists():
        return 0
    tidy = subprocess.run(
        [TIDY, "--quiet", "-p", str(build), str(unit)], stderr=subprocess.DEVNULL
    )
    if tidy.returncode != 0:
        return 1
    stamp.parent.mkdir(exist_ok=True)
    stamp.touch()
    return 0


if __name__ == "__main__":
    sys.exit(main())
