#!/usr/bin/env python3
"""Writes modules that are programs of JAX's with edits, for tools/jax_roundtrip.py.

  python test/jax/make_edits.py --thunky build/bin/thunky OUT

Each edit is what a person would do in an editor: the program is imported as text, lines
are added and changed, and nothing else happens to it.

  edited_saxpy      a fill, a copy and two launches of a kernel of our own, on a scratch
                    buffer that is added, before and after the kernel that JAX compiled
  changed_constant  a matrix that was a constant becomes zero
  added_constant    the result is overwritten with a new constant
  both_constants    half of it, with the matrix zero
"""

import argparse
import pathlib
import re
import struct
import subprocess
import sys

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
FIXTURES = ROOT / "test/fixtures/jax-0.11.2-ptx"


def imported(thunky, name):
    program = FIXTURES / name
    return subprocess.run(
        [thunky, "import", program / "executable.bin", "--kernels", program / "kernels"],
        check=True, capture_output=True, text=True).stdout


def replace(text, pattern, replacement):
    """Replaces the one place where the pattern is."""
    text, count = re.subn(pattern, lambda _: replacement, text, flags=re.M)
    if count != 1:
        raise SystemExit(f"make_edits: {count} places fit '{pattern}'; one was expected")
    return text


def own_kernel(source, target, factor):
    return (f'    thunky.ptx_kernel @mine "saxpy" grid [16, 1, 1] block [256, 1, 1]\n'
            f"        ({source} read : <16384>, {target} read_write : <16384>)\n"
            f"        {{parameters = [0 : index, 1 : index, {factor} : f32, 4096 : i32]}}\n")


# JAX's program computes %arg3 = %arg0 * %arg1 + %arg2. Here %own = 1 + %arg1 takes the
# place of %arg1, and half of the result is added to it.
def edited_saxpy(thunky):
    text = imported(thunky, "saxpy")
    kernel = (ROOT / "examples/saxpy.ptx").read_text(encoding="utf-8")
    quoted = "".join(c if c.isprintable() and c not in '"\\' else f"\\{ord(c):02X}"
                     for c in kernel)
    text = replace(text, r"\}\) \{$",
                   "}, %own: !thunky.buffer<16384> {thunky.scratch}) {\n"
                   "    thunky.memset32 %own, 0x3F800000 : <16384>\n"
                   + own_kernel("%arg1", "%own", "1.0").rstrip("\n"))
    text = replace(text, r"%arg1 read : <16384>(?=, %arg0)", "%own read : <16384>")
    text = replace(text, r"^    return$",
                   "    thunky.copy %arg3 -> %own : <16384>, <16384>\n"
                   + own_kernel("%own", "%arg3", "0.5") + "    return")
    return replace(text, r"^  func\.func",
                   f'  thunky.kernel_code @mine {{ptx = "{quoted}"}}\n  func.func')


MATRIX = r'(?<=buffer_for_constant_1_0: "0x01000000)[0-9A-F]{32768}(?=")'
CONSTANT = r"^    %0 = thunky\.constant"
MINE = "".join(struct.pack("<f", i).hex().upper() for i in range(1024))


def changed_constant(thunky):
    return replace(imported(thunky, "constant"), MATRIX, "0" * 32768)


def added_constant(thunky, size=4096, text=None):
    text = text or imported(thunky, "constant")
    text = replace(text, CONSTANT,
                   "    %mine = thunky.constant dense_resource<mine> : tensor<4096xui8>"
                   ' {name = "mine"} -> <4096>\n    %0 = thunky.constant')
    text = replace(text, r"(?=buffer_for_constant_1_0: \")",
                   f'mine: "0x01000000{MINE}",\n      ')
    return replace(text, r"^    return$",
                   f"    %from = thunky.slice_buffer %mine[0] : <4096> -> <{size}>\n"
                   f"    %to = thunky.slice_buffer %arg1[0] : <4096> -> <{size}>\n"
                   f"    thunky.copy %from -> %to : <{size}>, <{size}>\n    return")


def both_constants(thunky):
    return added_constant(thunky, 2048, changed_constant(thunky))


def known_arrays(edit):
    """What the constant programs take and give: a column's number is added to x @ matrix,
    so that with a matrix of zeros only the numbers are left."""
    mine = np.arange(1024, dtype=np.float32).reshape(16, 64)
    numbers = np.broadcast_to(np.arange(64, dtype=np.float32), (16, 64))
    x = np.random.default_rng(0).standard_normal((16, 64)).astype(np.float32)
    rows = np.arange(16)[:, None]
    outputs = {changed_constant: numbers, added_constant: mine,
               both_constants: np.where(rows < 8, mine, numbers)}
    return {"in0": x, "out0": outputs[edit]} if edit in outputs else None


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--thunky", default="thunky")
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    for edit in (edited_saxpy, changed_constant, added_constant, both_constants):
        module = arguments.out / f"{edit.__name__}.mlir"
        module.write_text(edit(arguments.thunky), encoding="utf-8")
        arrays = known_arrays(edit)
        if arrays:
            np.savez(module.with_suffix(".npz"), **arrays)
        print(module)
    return 0


if __name__ == "__main__":
    sys.exit(main())
