#!/usr/bin/env python3
"""Checks that JAX loads executables and that they compute what is expected.

Run this on a machine with a GPU and the JAX release that the files are for. Each
folder has an executable.bin, as JAX serializes it or thunky exports it, and an io.npz
with its inputs in0, in1, ... and the expected outputs out0, out1, ... (what
jax_capture.py writes). Every program is loaded by jaxlib alone, run once, and compared
bit by bit:

  python jax_check.py exported/saxpy exported/softmax
  python jax_check.py --all test/fixtures/jax-0.11.2

  program                     result
  test/fixtures/.../saxpy     equal
  test/fixtures/.../softmax   differs: out0: 3 of 16384 elements, first at [2, 1]: ...

The exit code is 0 when all are equal, 1 when one is not, 2 when nothing could be
checked. A program that brings the process down is reported like any other: programs run
in a second process, which is started again after one that ends it. Programs that call back into
Python end it: nothing here knows their functions.
"""

import argparse
import json
import os
import pathlib
import re
import subprocess
import sys

import numpy as np

# Element types that NumPy lacks: HLO's name and ml_dtypes'.
ML_DTYPES = {
    "bf16": "bfloat16", "s2": "int2", "s4": "int4", "u2": "uint2", "u4": "uint4",
    "f4e2m1fn": "float4_e2m1fn", "f6e2m3fn": "float6_e2m3fn", "f6e3m2fn": "float6_e3m2fn",
    "f8e3m4": "float8_e3m4", "f8e4m3": "float8_e4m3", "f8e4m3fn": "float8_e4m3fn",
    "f8e4m3b11fnuz": "float8_e4m3b11fnuz", "f8e4m3fnuz": "float8_e4m3fnuz",
    "f8e5m2": "float8_e5m2", "f8e5m2fnuz": "float8_e5m2fnuz",
    "f8e8m0fnu": "float8_e8m0fnu",
}


class CheckError(Exception):
    """Why a program could not be checked, or what is different."""


def numbered(arrays, prefix):
    """in0, in1, ... of an npz file."""
    found = []
    while f"{prefix}{len(found)}" in arrays:
        found.append(arrays[f"{prefix}{len(found)}"])
    return found


def parameter_types(executable):
    """HLO names of the parameters' element types, as the file states them."""
    header = executable.hlo_modules()[0].to_string().split("\n", 1)[0]
    layout = re.search(r"entry_computation_layout=\{\((.*?)\)->", header)
    if not layout:
        raise CheckError("the HLO module does not state its entry computation's layout")
    return re.findall(r"(\w+)\[", layout[1])


def typed(array, name):
    """The array with its element type: npz files keep only the width of some."""
    if array.dtype.kind != "V":
        return array
    if name not in ML_DTYPES:
        raise CheckError(f"an input of raw bytes ({array.dtype}) for a parameter of {name}")
    import ml_dtypes  # comes with JAX
    return array.view(np.dtype(getattr(ml_dtypes, ML_DTYPES[name])))


def placed(jax, device, array, layout):
    """On the device, as the program takes it: most take rows one after the other."""
    order = tuple(layout._xla_layout().minor_to_major())
    if order == tuple(reversed(range(array.ndim))):
        return jax.device_put(array, device)
    from jax.experimental.layout import Format, Layout
    return jax.device_put(array, Format(Layout.from_pjrt_layout(layout),
                                        jax.sharding.SingleDeviceSharding(device)))


def compare(number, found, expected, tolerance):
    """Raises when one output is not the expected one."""
    where = f"out{number}"
    if found.shape != expected.shape or found.dtype.itemsize != expected.dtype.itemsize:
        raise CheckError(f"{where}: is {found.dtype}{list(found.shape)}, expected "
                         f"{expected.dtype}{list(expected.shape)}")
    if expected.dtype.kind == "V":
        expected = expected.view(found.dtype)
    if found.tobytes() == expected.tobytes():
        return
    if tolerance and np.allclose(found, expected, rtol=tolerance, atol=tolerance,
                                 equal_nan=True):
        return
    width = max(found.dtype.itemsize, 1)
    bits = [np.frombuffer(a.tobytes(), np.uint8).reshape(-1, width)
            for a in (found, expected)]
    wrong = np.flatnonzero((bits[0] != bits[1]).any(axis=1))
    index = np.unravel_index(wrong[0], found.shape)
    raise CheckError(f"{where}: {wrong.size} of {found.size} elements, first at "
                     f"{[int(i) for i in index]}: found {found[index]}, expected "
                     f"{expected[index]}")


def check(jax, device, folder, tolerance):
    """Loads, runs, compares."""
    from jax._src.lib import xla_client
    serialized = (folder / "executable.bin").read_bytes()
    arrays = dict(np.load(folder / "io.npz", allow_pickle=False))
    inputs, expected = numbered(arrays, "in"), numbered(arrays, "out")
    try:
        executable = device.client.deserialize_executable(
            serialized, xla_client.DeviceList((device,)))
    except Exception as error:  # whatever jaxlib raises
        raise CheckError(f"not loaded: {error}") from error
    types = parameter_types(executable)
    if len(types) != len(inputs):
        raise CheckError(f"takes {len(types)} arguments; io.npz has {len(inputs)} inputs")
    try:
        arguments = [placed(jax, device, typed(array, name), layout) for array, name, layout
                     in zip(inputs, types, executable.get_parameter_layouts())]
        results = executable.execute_sharded(arguments)
        outputs = [np.asarray(shards[0])
                   for shards in results.disassemble_into_single_device_arrays()]
    except CheckError:
        raise
    except Exception as error:
        raise CheckError(f"not run: {error}") from error
    if len(outputs) != len(expected):
        raise CheckError(f"has {len(outputs)} results; io.npz has {len(expected)} outputs")
    for number, (found, wanted) in enumerate(zip(outputs, expected)):
        compare(number, found, wanted, tolerance)


def work(tolerance):
    """The second process: folders come in a line each, answers go out as JSON."""
    # Whatever libraries print goes elsewhere.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    import jax
    jax.config.update("jax_enable_x64", True)
    device = jax.devices()[0]
    if device.platform != "gpu":
        print(json.dumps({"fatal": f"expected a GPU, found {device}"}), file=answers,
              flush=True)
        return
    for line in sys.stdin:
        try:
            check(jax, device, pathlib.Path(line.rstrip("\n")), tolerance)
            answer = {"result": "equal"}
        except CheckError as error:
            text = str(error)
            known = text.startswith(("not loaded", "not run"))
            answer = {"result": text if known else f"differs: {text}"}
        except (OSError, KeyError, ValueError) as error:
            answer = {"result": f"not checked: {error}"}
        print(json.dumps(answer), file=answers, flush=True)


class Worker:
    """The second process, seen from the first."""

    def __init__(self, tolerance, quiet):
        environment = dict(os.environ)
        environment.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
        self.process = subprocess.Popen(
            [sys.executable, __file__, "--worker", "--tolerance", str(tolerance)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment,
            stderr=subprocess.DEVNULL if quiet else None)

    def check(self, folder):
        """The answer for one folder; None when the process ended instead."""
        try:
            print(folder, file=self.process.stdin, flush=True)
            line = self.process.stdout.readline()
        except BrokenPipeError:
            line = ""
        return json.loads(line) if line else None

    def end(self):
        """Waits for the process; its exit code."""
        self.process.stdin.close()
        return self.process.wait()


def find_programs(folders, everything):
    if not everything:
        return folders
    return sorted(file.parent for folder in folders
                  for file in folder.rglob("executable.bin"))


def run(programs, tolerance, quiet):
    """Yields (folder, result)."""
    worker = None
    for folder in programs:
        worker = worker or Worker(tolerance, quiet)
        answer = worker.check(folder.resolve())
        if answer is None:
            code = worker.end()
            worker = None
            yield folder, f"the process ended: {f'signal {-code}' if code < 0 else code}"
        elif "fatal" in answer:
            raise CheckError(answer["fatal"])
        else:
            yield folder, answer["result"]
    if worker:
        worker.end()


def parse_command_line(argv):
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", metavar="FOLDER", nargs="*", type=pathlib.Path,
                        help="a folder with executable.bin and io.npz")
    parser.add_argument("--all", action="store_true",
                        help="every such folder below the given ones")
    parser.add_argument("--tolerance", type=float, default=0.0,
                        help="relative and absolute, instead of bit by bit")
    parser.add_argument("--quiet", action="store_true", help="hide what JAX logs")
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args(argv)
    if not arguments.worker and not arguments.folders:
        parser.error("no folders")
    return arguments


def main(argv=None):
    arguments = parse_command_line(argv)
    if arguments.worker:
        work(arguments.tolerance)
        return 0
    programs = find_programs(arguments.folders, arguments.all)
    if not programs:
        print("jax_check: no folder has an executable.bin", file=sys.stderr)
        return 2
    width = max(len(str(folder)) for folder in programs)
    equal = 0
    try:
        for folder, result in run(programs, arguments.tolerance, arguments.quiet):
            equal += result == "equal"
            print(f"{str(folder):{width}}  {result}", flush=True)
    except CheckError as error:
        print(f"jax_check: {error}", file=sys.stderr)
        return 2
    print(f"{equal} of {len(programs)} are equal")
    return 0 if equal == len(programs) else 1


if __name__ == "__main__":
    sys.exit(main())
