#!/usr/bin/env python3
"""Times JAX and thunky on the same executables, on one GPU, in turns.

  python compare_with_jax.py --thunky build/bin/thunky test/fixtures/bench/chain_1000 ...

Each argument is a folder with executable.bin and io.npz. A round lets JAX call every
program, from Python, until its results are ready, then thunky; the table has the medians
over all rounds. thunky's time is that of a run until its results are ready, as graphs and
step by step; its first runs, which load and build, are left out as JAX's are.
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import time

import numpy as np

WARM_UP = 10


def load_inputs(folder):
    io = np.load(folder / "io.npz")
    names = sorted((name for name in io.files if name.startswith("in")),
                   key=lambda name: int(name[2:]))
    return [io[name] for name in names]


class Jax:
    """JAX in this process, with executables loaded from files."""

    def __init__(self):
        os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
        import jax
        import jax.extend
        from jax._src.lib import xla_client

        self.jax = jax
        self.backend = jax.extend.backend.get_backend()
        self.devices = xla_client.DeviceList(tuple(jax.devices()[:1]))
        self.programs = {}

    def times(self, folder, repeat):
        if folder not in self.programs:
            executable = self.backend.deserialize_executable(
                (folder / "executable.bin").read_bytes(), self.devices)
            arguments = [self.jax.device_put(value) for value in load_inputs(folder)]
            self.programs[folder] = executable, arguments
        executable, arguments = self.programs[folder]
        seconds = []
        for _ in range(repeat + WARM_UP):
            begin = time.perf_counter()
            results = executable.execute_sharded(arguments)
            for arrays in results.disassemble_into_single_device_arrays():
                arrays[0].block_until_ready()
            seconds.append(time.perf_counter() - begin)
        return seconds[WARM_UP:]


def thunky_times(binary, folder, repeat, graph):
    command = [binary, "run", folder / "executable.bin", "--device", "cuda", "--input",
               folder / "io.npz", "--repeat", str(repeat + WARM_UP), "--graph", graph,
               "--json"]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True,
                          check=True)
    return json.loads(done.stdout)["seconds"][WARM_UP:]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folders", nargs="+", type=pathlib.Path)
    parser.add_argument("--thunky", default="build/bin/thunky")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--repeat", type=int, default=50)
    options = parser.parse_args()

    jax = Jax()
    times = {folder: {"jax": [], "auto": [], "off": []} for folder in options.folders}
    for _ in range(options.rounds):
        for folder in options.folders:
            # Programs that write over their inputs cannot be called again with them.
            try:
                times[folder]["jax"] += jax.times(folder, options.repeat)
            except Exception as error:  # pylint: disable=broad-except
                sys.exit(f"{folder}: JAX: {str(error).splitlines()[0]}")
            for graph in ("auto", "off"):
                times[folder][graph] += thunky_times(options.thunky, folder,
                                                     options.repeat, graph)

    def micro(seconds):
        return 1e6 * statistics.median(seconds)

    print("| program | JAX | thunky | thunky, step by step | thunky / JAX |")
    print("|---|---|---|---|---|")
    for folder, lists in times.items():
        anchor, ours, steps = (micro(lists[key]) for key in ("jax", "auto", "off"))
        print(f"| {folder.name} | {anchor:.1f} µs | {ours:.1f} µs | {steps:.1f} µs "
              f"| {ours / anchor:.2f} |")


if __name__ == "__main__":
    main()
