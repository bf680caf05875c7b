"""How lit runs the tests below this folder."""
import os
import sys

import lit.formats

config.name = "thunky"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.environ["THUNKY_LIT_OUT"]

bin_folder = os.environ["THUNKY_BIN"]
config.environment["PATH"] = bin_folder + os.pathsep + os.environ["PATH"]
config.environment["FILECHECK_OPTS"] = "--enable-var-scope"
config.substitutions += [
    ("FileCheck", os.environ["THUNKY_FILECHECK"]),
    (r"(?<!-)\bnot\b", os.environ["THUNKY_NOT"]),
    ("split-file", os.environ["THUNKY_SPLIT_FILE"]),
    ("%python", sys.executable),
    ("%exits", f"{sys.executable} {os.path.dirname(__file__)}/exits.py"),
    ("%jax", os.environ["THUNKY_SOURCE"] + "/test/fixtures/jax-0.11.2-ptx"),
    ("%examples", os.environ["THUNKY_SOURCE"] + "/examples"),
    ("%source", os.environ["THUNKY_SOURCE"]),
    ("%fixtures", os.environ["THUNKY_SOURCE"] + "/test/fixtures"),
]
