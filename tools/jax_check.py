#!/usr/bin/env python3
"""Checks that JAX loads executables and that they compute what is expected.

Run this on a machine with a GPU and the JAX release that the files are for. Each
folder has an executable.bin, as JAX serializes it or thunky exports it, and an io.npz
with its inputs in0, in1, ... and the expected outputs out0, out1, ... (what
jax_capture.py writes); a file of another name is given by its path and has its io.npz
beside it. Every program is loaded by jaxlib alone, run, and compared bit by bit:

  python jax_check.py exported/saxpy exported/softmax
  python jax_check.py --all test/fixtures/jax-0.11.2

  program                     result
  test/fixtures/.../saxpy     equal
  test/fixtures/.../softmax   differs: out0: 3 of 16384 elements, first at [2, 1]: ...

With --runs N each program runs N times, and one whose runs differ from each other is
reported as not reproducible: kernels that add atomically add in any order.

The exit code is 0 when all are equal, 1 when one is not, 2 when nothing could be
checked. A program that brings the process down is reported like any other: programs run
in a second process, which is started again after one that ends it. Programs that call
back into Python end it: nothing here knows their functions.
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


def same_type(found, expected, where):
    """The expected array with the element type of the one that was found."""
    if found.shape != expected.shape or found.dtype.itemsize != expected.dtype.itemsize:
        raise CheckError(f"{where}: is {found.dtype}{list(found.shape)}, expected "
                         f"{expected.dtype}{list(expected.shape)}")
    return expected.view(found.dtype) if expected.dtype.kind == "V" else expected


def unequal(found, expected):
    """Indices, in one dimension, of the elements whose bits are not the same."""
    width = max(found.dtype.itemsize, 1)
    bits = [np.frombuffer(a.tobytes(), np.uint8).reshape(-1, width)
            for a in (found, expected)]
    return np.flatnonzero((bits[0] != bits[1]).any(axis=1))


def distance(found, expected):
    """The largest difference of two elements; infinite where one is not a number."""
    if found.size == 0:
        return 0.0
    kind = np.complex128 if found.dtype.kind == "c" else np.float64
    a, b = found.astype(kind), expected.astype(kind)
    gap = np.where((a == b) | (np.isnan(a) & np.isnan(b)), 0.0, np.abs(a - b))
    return float(np.nan_to_num(gap, nan=np.inf).max())


def compare(number, found, expected, tolerance):
    """Raises when one output is not the expected one."""
    where = f"out{number}"
    expected = same_type(found, expected, where)
    wrong = unequal(found, expected)
    if wrong.size == 0:
        return
    if tolerance and np.allclose(found, expected, rtol=tolerance, atol=tolerance,
                                 equal_nan=True):
        return
    index = np.unravel_index(wrong[0], found.shape)
    raise CheckError(f"{where}: {wrong.size} of {found.size} elements, first at "
                     f"{[int(i) for i in index]}: found {found[index]}, expected "
                     f"{expected[index]}")


def files_of(program):
    """The executable and the arrays of a folder or a file."""
    executable = program / "executable.bin" if program.is_dir() else program
    return executable.read_bytes(), dict(np.load(executable.parent / "io.npz",
                                                 allow_pickle=False))


def load(device, serialized):
    from jax._src.lib import xla_client
    try:
        return device.client.deserialize_executable(serialized,
                                                    xla_client.DeviceList((device,)))
    except Exception as error:  # whatever jaxlib raises
        raise CheckError(f"not loaded: {error}") from error


def run_once(jax, device, executable, inputs, types):
    """The outputs. Inputs are placed anew: a program may take their memory over."""
    try:
        layouts = executable.get_parameter_layouts()
        arguments = [placed(jax, device, typed(array, name), layout)
                     for array, name, layout in zip(inputs, types, layouts)]
        results = executable.execute_sharded(arguments)
        return [np.asarray(shards[0])
                for shards in results.disassemble_into_single_device_arrays()]
    except CheckError:
        raise
    except Exception as error:
        raise CheckError(f"not run: {error}") from error


def deviation(runs, expected):
    """How many elements of a run are not the expected ones, at most, and how far off."""
    pairs = [[(found, same_type(found, wanted, f"out{i}"))
              for i, (found, wanted) in enumerate(zip(run, expected))] for run in runs]
    return {"wrong": max(sum(int(unequal(*pair).size) for pair in run) for run in pairs),
            "largest": max(distance(*pair) for run in pairs for pair in run)}


def variation(runs, expected):
    """What differs from run to run; None when nothing does."""
    elements = sum(array.size for array in runs[0])
    varying = sum(np.unique(np.concatenate(
        [unequal(run[i], runs[0][i]) for run in runs])).size for i in range(len(runs[0])))
    if varying == 0:
        return None
    answer = deviation(runs, expected)
    answer["result"] = (f"not reproducible: {varying} of {elements} elements differ "
                        f"between {len(runs)} runs of it; at most "
                        f"{answer['largest']:.2g} from what is expected")
    return answer


def check(jax, device, program, tolerance, runs):
    """Loads, runs, compares; the answer."""
    serialized, arrays = files_of(program)
    inputs, expected = numbered(arrays, "in"), numbered(arrays, "out")
    executable = load(device, serialized)
    types = parameter_types(executable)
    if len(types) != len(inputs):
        raise CheckError(f"takes {len(types)} arguments; io.npz has {len(inputs)} inputs")
    outputs = [run_once(jax, device, executable, inputs, types) for _ in range(runs)]
    if len(outputs[0]) != len(expected):
        raise CheckError(f"has {len(outputs[0])} results; io.npz has {len(expected)} "
                         "outputs")
    varies = variation(outputs, expected) if runs > 1 else None
    if varies:
        return varies
    for number, (found, wanted) in enumerate(zip(outputs[0], expected)):
        try:
            compare(number, found, wanted, tolerance)
        except CheckError as error:
            answer = {"result": f"differs: {error}"}
            if all(a.shape == b.shape for a, b in zip(outputs[0], expected)):
                answer |= deviation(outputs, expected)
            return answer
    return {"result": "equal"}


def work(tolerance, runs):
    """The second process: programs come in a line each, answers go out as JSON."""
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
            answer = check(jax, device, pathlib.Path(line.rstrip("\n")), tolerance, runs)
        except CheckError as error:
            text = str(error)
            known = text.startswith(("not loaded", "not run"))
            answer = {"result": text if known else f"not checked: {text}"}
        except (OSError, KeyError, ValueError) as error:
            answer = {"result": f"not checked: {error}"}
        print(json.dumps(answer), file=answers, flush=True)


class Worker:
    """The second process, seen from the first."""

    def __init__(self, tolerance, runs, quiet):
        environment = dict(os.environ)
        environment.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
        self.process = subprocess.Popen(
            [sys.executable, __file__, "--worker", "--tolerance", str(tolerance),
             "--runs", str(runs)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment,
            stderr=subprocess.DEVNULL if quiet else None)

    def check(self, program):
        """The answer for one program; None when the process ended instead."""
        try:
            print(program, file=self.process.stdin, flush=True)
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


def run(programs, tolerance=0.0, runs=1, quiet=False):
    """Yields (program, answer); an answer has the text `result`."""
    worker = None
    for program in programs:
        worker = worker or Worker(tolerance, runs, quiet)
        answer = worker.check(program.resolve())
        if answer is None:
            code = worker.end()
            worker = None
            ended = f"signal {-code}" if code < 0 else code
            yield program, {"result": f"the process ended: {ended}"}
        elif "fatal" in answer:
            raise CheckError(answer["fatal"])
        else:
            yield program, answer
    if worker:
        worker.end()


def parse_command_line(argv):
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", metavar="PROGRAM", nargs="*", type=pathlib.Path,
                        help="a folder with executable.bin and io.npz, or an executable "
                             "with io.npz beside it")
    parser.add_argument("--all", action="store_true",
                        help="every such folder below the given ones")
    parser.add_argument("--tolerance", type=float, default=0.0,
                        help="relative and absolute, instead of bit by bit")
    parser.add_argument("--runs", type=int, default=1, metavar="N",
                        help="run each program N times and compare the runs")
    parser.add_argument("--quiet", action="store_true", help="hide what JAX logs")
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args(argv)
    if not arguments.worker and not arguments.folders:
        parser.error("no programs")
    if arguments.runs < 1:
        parser.error("--runs: at least 1")
    return arguments


def main(argv=None):
    arguments = parse_command_line(argv)
    if arguments.worker:
        work(arguments.tolerance, arguments.runs)
        return 0
    programs = find_programs(arguments.folders, arguments.all)
    if not programs:
        print("jax_check: no folder has an executable.bin", file=sys.stderr)
        return 2
    width = max(len(str(folder)) for folder in programs)
    equal = 0
    try:
        for folder, answer in run(programs, arguments.tolerance, arguments.runs,
                                  arguments.quiet):
            equal += answer["result"] == "equal"
            print(f"{str(folder):{width}}  {answer['result']}", flush=True)
    except CheckError as error:
        print(f"jax_check: {error}", file=sys.stderr)
        return 2
    print(f"{equal} of {len(programs)} are equal")
    return 0 if equal == len(programs) else 1


if __name__ == "__main__":
    sys.exit(main())
