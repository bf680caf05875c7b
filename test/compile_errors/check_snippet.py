#!/usr/bin/env python3
"""Checks what the compiler says of one snippet.

The first line of a snippet is "// Expected: TEXT". The compiler must refuse it with an
error that has the text, and point at the line that ends in "// here". Of "nothing" it
must have nothing to say.
"""

import argparse
import pathlib
import subprocess
import sys

PREFIX = "// Expected: "
MARK = "// here"


def expectation(lines):
    """The expected text, and the number of the line that is wrong; 0 where none is."""
    if not lines or not lines[0].startswith(PREFIX):
        raise ValueError(f"the first line must begin with '{PREFIX}'")
    text = lines[0][len(PREFIX):]
    marked = [number for number, line in enumerate(lines, 1) if line.endswith(MARK)]
    if len(marked) != (0 if text == "nothing" else 1):
        raise ValueError(f"{len(marked)} lines end in '{MARK}'")
    return text, marked[0] if marked else 0


def problem(snippet, command):
    """What is wrong with what the compiler says, or an empty string."""
    text, line = expectation(snippet.read_text(encoding="utf-8").splitlines())
    result = subprocess.run(command + [str(snippet)], capture_output=True, text=True,
                            check=False)
    said = result.stdout + result.stderr
    if text == "nothing":
        return "" if result.returncode == 0 and not said else f"it was refused:\n{said}"
    if result.returncode == 0:
        return f"it was compiled, and must be refused with: {text}"
    errors = [part for part in said.splitlines() if "error: " in part]
    if not any(text in part for part in errors):
        return f"no error says: {text}\n{said}"
    if f"{snippet}:{line}:" not in said:
        return f"the message does not point at line {line}:\n{said}"
    return ""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("snippet", type=pathlib.Path)
    parser.add_argument("command", nargs=argparse.REMAINDER,
                        help="the compiler and its options, after --")
    arguments = parser.parse_args()
    command = [word for word in arguments.command if word != "--"]
    found = problem(arguments.snippet, command)
    if found:
        sys.exit(f"{arguments.snippet}: {found}")


if __name__ == "__main__":
    main()
