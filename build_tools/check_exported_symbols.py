#!/usr/bin/env python3
"""Fails when a library shows programs more than the public interface.

  check_exported_symbols.py libthunky_runtime.so

Everything that it defines for others has to be in namespace thunky itself: what is in the
namespaces below, or of another library, could meet a second copy in the same process.
"""

import argparse
import re
import subprocess
import sys

# A name of namespace thunky, or what the compiler makes for one. Types begin with a capital
# letter, functions do not: what a lower-case name is followed by tells it from a namespace.
PUBLIC = re.compile(r"^(typeinfo for |typeinfo name for |vtable for )?"
                    r"thunky::([A-Z]\w*(::|$)|\w+[(\[])")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("library")
    arguments = parser.parse_args()
    listing = subprocess.run(
        ["nm", "--dynamic", "--defined-only", "--demangle", "--format=posix",
         arguments.library],
        text=True, capture_output=True, check=False)
    if listing.returncode != 0:
        print(listing.stderr.strip(), file=sys.stderr)
        return 1
    # "NAME TYPE ADDRESS SIZE"; names have blanks.
    names = [re.sub(r" \w( [0-9a-f]+){1,2} ?$", "", line)
             for line in listing.stdout.splitlines()]
    hidden = [name for name in names if not PUBLIC.match(name)]
    for name in hidden:
        print(f"{arguments.library}: shows '{name}', which is not part of the interface",
              file=sys.stderr)
    if not names:
        print(f"{arguments.library}: shows nothing", file=sys.stderr)
    if hidden or not names:
        return 1
    print(f"exported symbols: {len(names)}, all of the interface")
    return 0


if __name__ == "__main__":
    sys.exit(main())
