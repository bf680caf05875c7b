#!/usr/bin/env python3
"""Shows that programs which went through thunky still run in JAX, bit for bit.

Each program is imported into a module and exported again, and an unmodified jaxlib runs
the original and what came out, on inputs whose outputs are known:

  python jax_roundtrip.py run --out DIR test/fixtures/jax-0.11.2 examples

A program is a folder with executable.bin and io.npz (what jax_capture.py writes; where
it has kernels/*.ptx, it is exported with PTX in place of machine code too), or a module,
FILE.mlir. A module's inputs and outputs are in FILE.npz; without one, inputs are made up
here, and outputs are what thunky computes on the CPU. Folders are searched for both.

The first half needs thunky and no GPU, the second a GPU and JAX and no thunky:

  python jax_roundtrip.py prepare --out DIR test/fixtures/jax-0.11.2 examples
  python jax_roundtrip.py check DIR

The table says for each program what JAX made of the original, and of what came out with
the machine code it had and with PTX; of a module, what JAX made of its export. Programs
run several times, and where a file does not give what is expected, its original runs in
several processes: for one that differs from itself (kernels that add atomically add in
any order) it says so, and how far off each file is. The exit code is 0 when every file
is as good as its original.
"""

import argparse
import concurrent.futures
import json
import pathlib
import re
import shutil
import subprocess
import sys

import numpy as np

import jax_check

LIST = "programs.json"
CODES = ("cubin", "ptx")
# The kinds of files, each a column of the table.
COLUMNS = {"original": "original", "cubin": "machine code", "ptx": "PTX",
           "module": "module"}
# What the CPU may be off where PTX leaves the result to the machine (ex2.approx).
CPU_TOLERANCE = 1e-5
# How much further than the original a file may be that is not reproducible.
SPREAD = 10
NUMPY_TYPES = {
    "pred": "bool", "f16": "float16", "f32": "float32", "f64": "float64",
    **{f"{letter}{bits}": f"{name}{bits}" for bits in (8, 16, 32, 64)
       for letter, name in (("s", "int"), ("u", "uint"))},
}


class PrepareError(Exception):
    """Why a program could not be prepared."""


def thunky(binary, *arguments):
    command = [str(binary), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        text = (done.stderr.strip() or f"exit code {done.returncode}").split("\n")[0]
        raise PrepareError(f"thunky {arguments[0]}: {text}")
    return done.stdout


def made_up_inputs(binary, module):
    """An array for each parameter of a module."""
    signature = json.loads(thunky(binary, "inspect", module, "--json"))["signature"]
    generator = np.random.default_rng(0)
    inputs = []
    for parameter in signature["parameters"]:
        name, shape = re.fullmatch(r"(\w+)\[([\d,]*)\].*", parameter["type"]).groups()
        if name not in NUMPY_TYPES:
            raise PrepareError(f"a parameter of {parameter['type']} is not made up here")
        dtype = np.dtype(NUMPY_TYPES[name])
        shape = tuple(int(size) for size in shape.split(",") if size)
        values = (generator.standard_normal(shape) if dtype.kind == "f"
                  else generator.integers(0, 2 if dtype.kind == "b" else 8, shape))
        inputs.append(np.asarray(values).astype(dtype))
    return inputs


def run_on_cpu(binary, module, folder):
    """Writes io.npz: inputs, and what the CPU makes of them."""
    inputs = {f"in{i}": array for i, array in enumerate(made_up_inputs(binary, module))}
    np.savez(folder / "in.npz", **inputs)
    thunky(binary, "run", module, "--input", folder / "in.npz",
           "--output", folder / "out.npz")
    outputs = dict(np.load(folder / "out.npz", allow_pickle=False))
    np.savez(folder / "io.npz", **inputs, **outputs)
    (folder / "in.npz").unlink()
    (folder / "out.npz").unlink()


def prepare_module(binary, module, folder, gpu):
    """A module's file: with machine code where it has some, and PTX otherwise."""
    known = module.with_suffix(".npz")
    if known.exists():
        shutil.copy(known, folder / "io.npz")
    else:
        run_on_cpu(binary, module, folder)
    thunky(binary, "export", module, "--gpu", gpu, "-o", folder / "module.bin")
    return {"module": "module.bin"}


def prepare_executable(binary, source, folder):
    """The original and the files that thunky makes of it."""
    shutil.copy(source / "io.npz", folder / "io.npz")
    shutil.copy(source / "executable.bin", folder / "original.bin")
    files = {"original": "original.bin"}
    kernels = source / "kernels"
    for code in CODES:
        if code == "ptx" and not kernels.is_dir():
            continue
        attach = ["--kernels", kernels] if code == "ptx" else []
        module = folder / "program.mlir"
        try:
            thunky(binary, "import", source / "executable.bin", *attach, "-o", module)
            thunky(binary, "export", module, "--target", code,
                   "-o", folder / f"{code}.bin")
            files[code] = f"{code}.bin"
        except PrepareError as error:
            files[code] = f"! {error}"
        module.unlink(missing_ok=True)
    return files


def find_sources(paths):
    """(name, path) of the folders and modules at and below the paths."""
    for path in paths:
        if not path.exists():
            raise PrepareError(f"{path} does not exist")
        found = [path] if path.is_file() else sorted(
            [file.parent for file in path.rglob("executable.bin")] +
            list(path.rglob("*.mlir")))
        if not found:
            raise PrepareError(f"{path} has no executable.bin and no module")
        for source in found:
            absolute = source.resolve()
            yield f"{absolute.parent.name}/{absolute.stem}", source


def prepare(arguments):
    """Fills the folder; its list of programs."""
    out = arguments.out
    if out.exists():
        raise PrepareError(f"{out} exists; remove it or name another folder")
    programs = []
    for name, source in find_sources(arguments.sources):
        folder = out / name
        is_module = source.suffix == ".mlir"
        if not is_module and not (source / "io.npz").exists():
            programs.append({"name": name, "skipped": "no io.npz"})
            continue
        folder.mkdir(parents=True)
        try:
            if is_module:
                files = prepare_module(arguments.thunky, source, folder, arguments.gpu)
            else:
                files = prepare_executable(arguments.thunky, source, folder)
            programs.append({"name": name, "files": files})
        except PrepareError as error:
            kind = "module" if is_module else "cubin"
            programs.append({"name": name, "files": {kind: f"! {error}"}})
    (out / LIST).write_text(json.dumps(programs, indent=1), encoding="utf-8")
    made = sum("files" in program for program in programs)
    print(f"{out}: {made} programs, {len(programs) - made} without known outputs")
    return programs


def is_good(answer, original):
    """Whether a file is as good as its original; without one, as what the CPU made."""
    result = answer["result"]
    if result == "equal":
        return True
    if original is None:
        return answer.get("largest", np.inf) <= CPU_TOLERANCE
    if result.startswith("the process ended"):
        return result == original["result"]
    # "not reproducible": runs in one process differ already.
    return (original["result"].startswith("not reproducible")
            and answer.get("largest", np.inf) <= SPREAD * original["largest"])


def cell(answer, original):
    """The text of a table's cell."""
    result = answer["result"]
    if result != "equal" and not is_good(answer, original):
        return f"**{result}**"
    if result == "equal" or "largest" not in answer:
        return result
    if original is None:
        return f"within {answer['largest']:.1g} of the CPU"
    return f"varies: {answer['wrong']} elements, by {answer['largest']:.1g} at most"


def own_variation(path, answer, arguments):
    """The answer for an original that did not, or whose files did not, give what is
    expected. It runs in further processes, all at once: that changes the order in which
    blocks of threads come to add."""
    def run_again(_):
        return [again for _, again in jax_check.run([path], runs=10 * arguments.runs,
                                                    quiet=arguments.quiet)]
    with concurrent.futures.ThreadPoolExecutor(arguments.processes) as pool:
        answers = [answer] + sum(pool.map(run_again, range(arguments.processes)), [])
    if len({again["result"] for again in answers}) == 1:
        return answer
    counts = [again.get("wrong", 0) for again in answers]
    return {"result": "not reproducible: differs from itself; in "
                      f"{len(answers)} processes {min(counts)} to {max(counts)} elements "
                      "are not the expected ones",
            "largest": max(again.get("largest", 0.0) for again in answers)}


def check(folder, arguments):
    """Runs everything, prints the table; whether every file is as it should be."""
    programs = json.loads((folder / LIST).read_text(encoding="utf-8"))
    paths = {folder / program["name"] / file: (program["name"], kind)
             for program in programs for kind, file in program.get("files", {}).items()
             if not file.startswith("!")}
    answers = {paths[path]: answer for path, answer in
               jax_check.run(list(paths), runs=arguments.runs, quiet=arguments.quiet)}
    for path, (name, kind) in paths.items():
        files = [answers.get((name, other), {}) for other in COLUMNS]
        if kind == "original" and any("wrong" in answer for answer in files):
            answers[name, kind] = own_variation(path, answers[name, kind], arguments)
    print(f"| program | {' | '.join(COLUMNS.values())} |\n|{'---|' * (len(COLUMNS) + 1)}")
    good = total = 0
    for program in programs:
        name, files = program["name"], program.get("files")
        if files is None:
            blanks = " |" * (len(COLUMNS) - 1)
            print(f"| {name} | skipped: {program['skipped']} |{blanks}")
            continue
        for kind, file in files.items():
            if file.startswith("!"):
                answers[name, kind] = {"result": f"not exported: {file[2:]}"}
        original = answers.get((name, "original"))
        cells = [original["result"] if original else ""]
        for kind in list(COLUMNS)[1:]:
            answer = answers.get((name, kind))
            cells.append(cell(answer, original) if answer else "")
            if answer:
                total += 1
                good += is_good(answer, original)
        print(f"| {name} | {' | '.join(cells)} |", flush=True)
    print(f"\n{good} of {total} files are as good as what they were made from")
    return good == total


def parse_command_line(argv):
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    for name, text in (("prepare", "export everything; no GPU needed"),
                       ("run", "prepare, then check")):
        command = commands.add_parser(name, help=text)
        command.add_argument("sources", metavar="PROGRAM", nargs="+", type=pathlib.Path)
        command.add_argument("--out", type=pathlib.Path, required=True,
                             help="folder to write; must not exist")
        command.add_argument("--thunky", default="thunky", help="the program to run")
        command.add_argument("--gpu", default="9.0a",
                             help="compute capability that modules are exported for")
    command = commands.add_parser("check", help="run what was prepared; needs a GPU")
    command.add_argument("folder", type=pathlib.Path)
    for command in (command, commands.choices["run"]):
        command.add_argument("--runs", type=int, default=3, help="of each program")
        command.add_argument("--processes", type=int, default=8, metavar="N",
                             help="further ones for originals that may not be "
                                  "reproducible")
        command.add_argument("--quiet", action="store_true", help="hide what JAX logs")
    return parser.parse_args(argv)


def main(argv=None):
    arguments = parse_command_line(argv)
    try:
        if arguments.command != "check":
            prepare(arguments)
        if arguments.command == "prepare":
            return 0
        folder = arguments.folder if arguments.command == "check" else arguments.out
        return 0 if check(folder, arguments) else 1
    except (PrepareError, jax_check.CheckError, OSError) as error:
        print(f"jax_roundtrip: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
