#!/usr/bin/env python3
"""Captures what JAX compiles for a GPU, so that thunky can run it anywhere.

Run this on a machine with a GPU and JAX. It compiles a function for example
arguments, runs it once, and writes a folder:

  executable.bin   the serialized XLA executable
  kernels/*.ptx    the PTX of its kernels (the executable holds only binary code)
  io.npz           in0, in1, ... as the executable takes them (arguments that the
                   function does not use are dropped by JAX) and out0, out1, ...
  hlo.txt          the optimised HLO, for people

  python jax_capture.py model:forward --arg 'f32[128,256]' --arg 'i32[]:7' --out forward

then, on any machine:

  thunky run forward/executable.bin --kernels forward/kernels \\
      --input forward/io.npz --check forward/io.npz --rtol 1e-4
"""

import argparse
import ast
import importlib
import pathlib
import re
import shutil
import sys
import tempfile

import numpy as np

ARGUMENT_HELP = """\
an argument: TYPE[SHAPE] filled at random (normal floats, integers 0 to 99), or
TYPE[SHAPE]:VALUE, TYPE[SHAPE]:LOW..HIGH (random integers below HIGH), or @FILE.npy;
TYPE is one of pred i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64 c64 c128
"""

NUMPY_NAMES = {
    "pred": "bool", "bool": "bool", "f16": "float16", "f32": "float32",
    "f64": "float64", "c64": "complex64", "c128": "complex128",
    **{f"{letter}{bits}": f"{'u' if letter == 'u' else ''}int{bits}"
       for letter in "isu" for bits in (8, 16, 32, 64)},
}

# How matrix products are compiled. A library call has no PTX: only a machine with
# the library runs it.
GEMM_OPTIONS = {
    "library": {"xla_gpu_enable_triton_gemm": False},
    "kernels": {"xla_gpu_enable_triton_gemm": True, "xla_gpu_cublas_fallback": False},
    "default": {},
}


class CaptureError(Exception):
    """Something the user can mend; the message says what."""


def dtype_of(name):
    if name == "bf16":
        import ml_dtypes  # comes with JAX
        return np.dtype(ml_dtypes.bfloat16)
    if name not in NUMPY_NAMES:
        raise CaptureError(f"argument type '{name}': expected one of "
                           f"bf16 {' '.join(sorted(NUMPY_NAMES))}")
    return np.dtype(NUMPY_NAMES[name])


def random_values(dtype, shape, generator):
    if dtype.kind == "b":
        return generator.integers(0, 2, shape).astype(dtype)
    if dtype.kind in "iu":
        return generator.integers(0, 100, shape).astype(dtype)
    values = generator.standard_normal(shape)
    if dtype.kind == "c":
        values = values + 1j * generator.standard_normal(shape)
    return np.asarray(values).astype(dtype)


def parse_argument(text, generator):
    """The array that an --arg describes."""
    if text.startswith("@"):
        return np.load(text[1:], allow_pickle=False)
    match = re.fullmatch(r"(\w+)\[([\d,\s]*)\](?::(.+))?", text)
    if not match:
        raise CaptureError(f"argument '{text}': expected TYPE[SHAPE], TYPE[SHAPE]:VALUE, "
                           "TYPE[SHAPE]:LOW..HIGH or @FILE.npy")
    dtype = dtype_of(match[1])
    shape = tuple(int(size) for size in match[2].split(",") if size.strip())
    value = match[3]
    if value is None:
        return random_values(dtype, shape, generator)
    if bounds := re.fullmatch(r"(-?\d+)\.\.(-?\d+)", value):
        return generator.integers(int(bounds[1]), int(bounds[2]), shape).astype(dtype)
    try:
        return np.full(shape, ast.literal_eval(value), dtype)
    except (SyntaxError, TypeError, ValueError) as error:
        raise CaptureError(f"argument '{text}': '{value}' is no value of type "
                           f"{match[1]}") from error


def load_attribute(spec):
    """The object that MODULE:NAME names."""
    module, colon, name = spec.partition(":")
    if not colon or not module or not name:
        raise CaptureError(f"'{spec}': expected MODULE:NAME")
    sys.path.insert(0, str(pathlib.Path.cwd()))
    value = importlib.import_module(module)
    for part in name.split("."):
        if not hasattr(value, part):
            raise CaptureError(f"'{spec}': {value!r} has no '{part}'")
        value = getattr(value, part)
    return value


def parse_option(text):
    """(name, value) of an --option NAME=VALUE; True, 3 and 0.5 are no strings."""
    name, equals, value = text.partition("=")
    if not equals:
        raise CaptureError(f"option '{text}': expected NAME=VALUE")
    try:
        return name, ast.literal_eval(value)
    except (SyntaxError, ValueError):
        return name, value


def compiler_options(arguments, dump):
    options = {"xla_dump_to": str(dump), "xla_dump_emitter_re": ".*"}
    if not arguments.autotune:
        options["xla_gpu_autotune_level"] = 0
    options.update(GEMM_OPTIONS[arguments.gemm])
    options.update(parse_option(text) for text in arguments.option)
    return options


def check_width(jax, leaves):
    """JAX would silently halve 64-bit arguments."""
    if jax.config.jax_enable_x64:
        return
    for index, leaf in enumerate(leaves):
        if np.asarray(leaf).dtype.name in ("int64", "uint64", "float64", "complex128"):
            raise CaptureError(f"argument {index} is {np.asarray(leaf).dtype}: add --x64")


def internal(value, path, jax):
    """An attribute that JAX does not promise to keep."""
    for name in path.split("."):
        if not hasattr(value, name):
            raise CaptureError(
                f"JAX {jax.__version__} has no '{path}' in its compiled functions, so it "
                "cannot be told which arguments it dropped; JAX 0.11.2 has it")
        value = getattr(value, name)
    return value


def kept_inputs(jax, compiled, leaves):
    """The arrays the executable takes, in the order of its parameters."""
    constants = internal(compiled, "_params.const_args", jax)
    kept = internal(compiled, "_executable._kept_var_idx", jax)
    everything = [*constants, *leaves]
    return [np.array(everything[index]) for index in sorted(kept)]


def serialize(jax, compiled):
    executable = compiled.runtime_executable()
    if not hasattr(executable, "serialize"):
        raise CaptureError(f"JAX {jax.__version__}: the compiled function's runtime "
                           "executable cannot be serialized")
    return executable.serialize()


def capture(jax, function, example, arguments, out):
    """Compiles, runs and writes; returns what to print."""
    leaves = jax.tree_util.tree_leaves(example)
    check_width(jax, leaves)
    # A program found in the cache is not compiled, so nothing would be dumped.
    jax.config.update("jax_enable_compilation_cache", False)
    lowered = jax.jit(function, donate_argnums=arguments.donate).lower(*example)

    with tempfile.TemporaryDirectory() as dump:
        try:
            compiled = lowered.compile(compiler_options(arguments, dump))
        except jax.errors.JaxRuntimeError as error:
            raise CaptureError(f"XLA does not compile it: {error}") from error
        inputs = kept_inputs(jax, compiled, leaves)
        outputs = [np.array(leaf) for leaf in jax.tree_util.tree_leaves(
            compiled(*jax.tree_util.tree_map(jax.numpy.asarray, example)))]
        ptx = sorted(pathlib.Path(dump).rglob("*.ptx"))
        kernels = out / "kernels"
        kernels.mkdir(parents=True)
        for number, file in enumerate(ptx):
            shutil.copy(file, kernels / f"{number}.ptx")

    (out / "executable.bin").write_bytes(serialize(jax, compiled))
    (out / "hlo.txt").write_text(compiled.as_text() or "", encoding="utf-8")
    arrays = {f"in{index}": value for index, value in enumerate(inputs)}
    arrays |= {f"out{index}": value for index, value in enumerate(outputs)}
    np.savez_compressed(out / "io.npz", **arrays)
    return (f"{out}: {len(inputs)} inputs ({len(leaves)} given), {len(outputs)} outputs, "
            f"{len(ptx)} PTX files")


def find_gpu(jax):
    device = jax.devices()[0]
    if device.platform != "gpu":
        raise CaptureError(f"expected a GPU; JAX's first device is {device} "
                           f"({device.platform})")


def parse_command_line(argv):
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("function", metavar="MODULE:FUNCTION",
                        help="what to compile; the current folder is searched first")
    parser.add_argument("--arg", action="append", default=[], metavar="SPEC",
                        help=ARGUMENT_HELP)
    parser.add_argument("--args-from", metavar="MODULE:NAME",
                        help="a function that returns the tuple of arguments (arrays and "
                             "trees of arrays), instead of --arg")
    parser.add_argument("--out", type=pathlib.Path, required=True,
                        help="folder to write; must not exist")
    parser.add_argument("--seed", type=int, default=0, help="of random arguments")
    parser.add_argument("--donate", type=int, action="append", default=[], metavar="N",
                        help="donate argument N to the results (repeatable)")
    parser.add_argument("--gemm", choices=sorted(GEMM_OPTIONS), default="library",
                        help="matrix products: library calls (cuBLAS; the default), "
                             "kernels (Triton, with PTX), or what XLA chooses")
    parser.add_argument("--autotune", action="store_true",
                        help="let XLA time its choices (results then vary by run)")
    parser.add_argument("--x64", action="store_true", help="allow 64-bit types")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE",
                        help="a further XLA option (repeatable; wins)")
    arguments = parser.parse_args(argv)
    if arguments.arg and arguments.args_from:
        parser.error("--arg and --args-from exclude each other")
    return arguments


def main(argv=None):
    arguments = parse_command_line(argv)
    try:
        import jax
        import jax.numpy
    except ImportError as error:
        print(f"jax_capture: JAX is needed: {error}", file=sys.stderr)
        return 2
    if arguments.x64:
        jax.config.update("jax_enable_x64", True)
    try:
        find_gpu(jax)
        if arguments.out.exists():
            raise CaptureError(f"{arguments.out} exists; remove it or name another folder")
        function = load_attribute(arguments.function)
        generator = np.random.default_rng(arguments.seed)
        if arguments.args_from:
            example = tuple(load_attribute(arguments.args_from)())
        else:
            example = tuple(parse_argument(text, generator) for text in arguments.arg)
        print(capture(jax, function, example, arguments, arguments.out))
    except CaptureError as error:
        print(f"jax_capture: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
