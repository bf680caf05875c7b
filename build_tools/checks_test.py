#!/usr/bin/env python3
"""Feeds each check a bad tree: a check that finds nothing there checks nothing."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent

TABLE = """\
base:
hal: base
hal/host: base hal
external google/protobuf/ : hal
external llvm/ :
"""


def run(*command):
    return subprocess.run([str(part) for part in command], text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)


class TreeTest(unittest.TestCase):
    """A test with a folder of its own to put a project into."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)

    def write(self, path, text):
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    def assert_fails(self, result, *expected):
        self.assertEqual(result.returncode, 1, result.stdout)
        for text in expected:
            self.assertIn(text, result.stdout)

    def assert_passes(self, result):
        self.assertEqual(result.returncode, 0, result.stdout)


class LayersTest(TreeTest):

    def check(self):
        self.write("layers.txt", TABLE)
        return run(sys.executable, HERE / "check_layers.py", "--root", self.root,
                   "--table", self.root / "layers.txt")

    def test_allowed_includes(self):
        self.write("thunky/hal/host/a.cc", '#include "thunky/hal/a.h"\n'
                   '#include "thunky/base/a.h"\n#include <vector>\n')
        self.write("thunky/hal/a.cc", "#include <google/protobuf/message.h>\n")
        self.assert_passes(self.check())

    def test_include_of_a_higher_layer(self):
        self.write("thunky/base/a.h", '\n#include "thunky/hal/a.h"\n')
        self.assert_fails(self.check(), "thunky/base/a.h: line 2",
                          "layer 'base' may not include layer 'hal'")

    def test_leaf_is_a_layer_of_its_own(self):
        self.write("thunky/hal/a.cc", '#include "thunky/hal/host/a.h"\n')
        self.assert_fails(self.check(), "layer 'hal' may not include layer 'hal/host'")

    def test_header_of_another_project(self):
        self.write("thunky/base/a.cc", "#include <google/protobuf/message.h>\n")
        self.write("thunky/hal/a.cc", '#  include "llvm/IR/Module.h"\n')
        self.assert_fails(self.check(),
                          "layer 'base' may not include 'google/protobuf/message.h': hal",
                          "layer 'hal' may not include 'llvm/IR/Module.h': no layer may")

    def test_folder_outside_the_table(self):
        self.write("thunky/extra/a.cc", "")
        self.assert_fails(self.check(),
                          "thunky/extra/a.cc: its folder is not in the layer table")

    def test_include_of_a_folder_outside_the_table(self):
        self.write("thunky/base/a.cc", '#include "thunky/extra/a.h"\n')
        self.assert_fails(self.check(), "belongs to no layer")

    def test_tests_may_include_any_layer(self):
        self.write("thunky/base/a_test.cc", '#include "thunky/hal/a.h"\n')
        self.assert_passes(self.check())

    def test_empty_tree(self):
        self.assert_fails(self.check(), "no sources found")


class StyleTest(TreeTest):

    GUARD = "#ifndef THUNKY_BASE_A_H_\n#define THUNKY_BASE_A_H_\n#endif\n"

    def check(self):
        return run(sys.executable, HERE / "check_style.py", "--root", self.root)

    def test_good_file(self):
        self.write("thunky/base/a.h", self.GUARD)
        self.assert_passes(self.check())

    def test_long_file(self):
        self.write("thunky/base/a.cc", "\n" * 601)
        self.assert_fails(self.check(), "601 lines; the limit is 600")

    def test_guard(self):
        self.write("thunky/base/b.h", self.GUARD)
        self.assert_fails(self.check(), "expected the include guard THUNKY_BASE_B_H_")

    def test_unfinished(self):
        self.write("thunky/base/a.cc", "\n// TO" "DO: more\n")
        self.assert_fails(self.check(), "a.cc: line 2")

    def test_name_without_subject(self):
        self.write("thunky/base/string_util.cc", "")
        self.assert_fails(self.check(), "a file named 'util'")

    def test_white_space(self):
        self.write("cmake/a.cmake", "if(A)\n\tb()\nendif() \nc()")
        self.assert_fails(self.check(), "line 2: a tab", "line 3: white space",
                          "no newline at the end")

    def test_path_of_one_machine(self):
        self.write("docs/a.md", "see /ho" "me/me/notes\nand ../sha" "red/notes\n")
        self.assert_fails(self.check(), "line 1", "line 2")

    def test_not_utf8(self):
        (self.root / "a.md").write_bytes(b"\xff\xfe")
        self.assert_fails(self.check(), "not UTF-8")

    def test_build_folders_and_data_are_skipped(self):
        self.write("thunky/base/a.h", self.GUARD)
        self.write("build-x/a.cc", "\t")
        self.write("test/fixtures/a/hlo.txt", "\t")
        self.assert_passes(self.check())

    def test_empty_tree(self):
        self.assert_fails(self.check(), "no sources found")


class NeededLibrariesTest(TreeTest):

    def compile(self, source, output, *flags):
        self.write("source.c", source)
        (self.root / output).parent.mkdir(parents=True, exist_ok=True)
        result = run("cc", self.root / "source.c", "-o", self.root / output, *flags)
        self.assertEqual(result.returncode, 0, result.stdout)

    def check(self):
        return run(HERE / "check_needed_libraries.sh", self.root)

    def test_allowed(self):
        self.compile("int main(void) { return 0; }", "bin/thunky")
        self.assert_passes(self.check())

    def test_program_that_needs_another_library(self):
        self.compile("int f(void) { return 0; }", "libLLVM.so", "-shared", "-fPIC",
                     "-Wl,-soname,libLLVM.so.22")
        self.compile("int f(void); int main(void) { return f(); }", "bin/thunky",
                     f"-L{self.root}", "-l:libLLVM.so")
        self.assert_fails(self.check(), "bin/thunky: needs libLLVM.so.22")

    def test_shared_library_that_needs_another_library(self):
        self.compile("int main(void) { return 0; }", "bin/thunky")
        self.compile("int f(void) { return 0; }", "deps/libcuda.so", "-shared", "-fPIC",
                     "-Wl,-soname,libcuda.so.1")
        self.compile("int f(void); int g(void) { return f(); }", "lib/libthunky_x.so",
                     "-shared", "-fPIC", f"-L{self.root}/deps", "-l:libcuda.so")
        self.assert_fails(self.check(), "libthunky_x.so: needs libcuda.so.1")

    def test_program_missing(self):
        self.assert_fails(self.check(), "bin/thunky: expected the built program")


class PublicHeadersTest(TreeTest):

    def check(self, *headers):
        return run(sys.executable, HERE / "check_public_headers.py", "--compiler", "c++",
                   "--include", self.root, *(self.root / header for header in headers))

    def test_headers_that_stand_alone(self):
        self.write("thunky/a.h", "#pragma once\n#include <vector>\nstd::vector<int> A();\n")
        self.write("thunky/b.h", '#pragma once\n#include "thunky/a.h"\n')
        self.assert_passes(self.check("thunky/a.h", "thunky/b.h"))

    def test_header_that_lacks_an_include(self):
        self.write("thunky/a.h", "#pragma once\nstd::vector<int> A();\n")
        self.assert_fails(self.check("thunky/a.h"), "thunky/a.h: does not compile alone",
                          "vector")

    def test_header_that_is_not_installed(self):
        self.write("thunky/a.h", '#pragma once\n#include "thunky/inside.h"\n')
        self.write("thunky/inside.h", "#pragma once\n")
        self.assert_fails(self.check("thunky/a.h"),
                          "thunky/a.h: takes in 'thunky/inside.h', which is not installed")

    def test_header_of_another_library(self):
        self.write("thunky/a.h", '#pragma once\n#include "absl/status/status.h"\n')
        self.write("absl/status/status.h", "#pragma once\n")
        self.assert_fails(self.check("thunky/a.h"), "absl/status/status.h, which is not part")

    def test_no_headers(self):
        self.assert_fails(self.check(), "no public headers")


class ExportedSymbolsTest(TreeTest):

    def check(self, source):
        self.write("a.cc", source)
        library = self.root / "liba.so"
        self.assert_passes(run("c++", "-std=c++20", "-shared", "-fPIC", "-o", library,
                               self.root / "a.cc"))
        return run(sys.executable, HERE / "check_exported_symbols.py", library)

    def test_the_interface(self):
        self.assert_passes(self.check(
            "namespace thunky { struct Array { void F(); }; void Array::F() {}\n"
            "int to_string(int) { return 0; } }\n"))

    def test_what_is_inside(self):
        self.assert_fails(self.check("namespace thunky::hal { void Inner() {} }\n"),
                          "shows 'thunky::hal::Inner()'")
        self.assert_fails(self.check("void Outer() {}\n"), "shows 'Outer()'")

    def test_nothing(self):
        self.assert_fails(self.check("static int x;\n"), "shows nothing")


class SumUpTest(TreeTest):

    PASS = '<testcase name="good" status="run"/>'
    FAIL = '<testcase name="bad" status="fail"/>'
    LOST = '<testcase name="lost" status="notrun"><skipped message="Unable to find"/>'\
           '</testcase>'
    SKIP = '<testcase name="skip" status="notrun"><skipped message="SKIP_RETURN_CODE=7"/>'\
           '</testcase>'

    def sum_up(self, *cases, ctest=0):
        self.write("report.xml", "<testsuite>" + "".join(cases) + "</testsuite>")
        return run(sys.executable, HERE / "sum_up_tests.py", self.root / "report.xml",
                   "--exit-code-of-ctest", ctest)

    def last_line(self, result):
        return result.stdout.splitlines()[-1]

    def test_all_passed(self):
        result = self.sum_up(self.PASS, self.PASS, self.SKIP)
        self.assert_passes(result)
        self.assertEqual(self.last_line(result), "2 passed, 0 failed")

    def test_failures_are_named(self):
        result = self.sum_up(self.PASS, self.FAIL, self.LOST)
        self.assert_fails(result, "failed: bad", "failed: lost")
        self.assertEqual(self.last_line(result), "1 passed, 2 failed")

    def test_nothing_ran(self):
        for result in (self.sum_up(), self.sum_up(self.SKIP),
                       run(sys.executable, HERE / "sum_up_tests.py", self.root / "no.xml")):
            self.assert_fails(result, "(no test ran)")
            self.assertEqual(self.last_line(result), "0 passed, 1 failed")

    def test_ctest_failed_by_itself(self):
        self.assert_fails(self.sum_up(self.PASS, ctest=8), "(ctest ended with 8)",
                          "1 passed, 1 failed")


class StagesTest(unittest.TestCase):

    def stages(self, *arguments):
        script = f"""
            declare -rA stages=(
              [good]='echo 2 passed, 0 failed'
              [bad]='echo 3 passed, 1 failed'
              [broken]='false'
              [lost]='no-such-command')
            readonly order=(good bad)
            source {HERE}/stages.sh
            run_stages "$@"
        """
        result = run("bash", "-uc", script, "script", *arguments)
        return result.returncode, result.stdout.splitlines()[-1]

    def test_counts_are_summed_up(self):
        self.assertEqual(self.stages("good", "good"), (0, "4 passed, 0 failed"))
        self.assertEqual(self.stages(), (1, "5 passed, 1 failed"))

    def test_a_stage_that_fails_without_a_count_is_a_failure(self):
        for stage in ("broken", "lost"):
            self.assertEqual(self.stages("good", stage), (1, "2 passed, 1 failed"))

    def test_unknown_stage(self):
        code, line = self.stages("good", "other")
        self.assertEqual(code, 2)
        self.assertIn("no stage 'other'; there are: ", line)


class DocumentedCodeTest(TreeTest):

    def check(self, page):
        self.write("examples/a.cc", "int main() {\n  f();\n\n  g();\n  return 0;\n}\n")
        self.write("docs/page.md", page)
        return run(sys.executable, HERE / "check_documented_code.py", "--compiler", "c++",
                   "--root", self.root, "--libraries", self.root,
                   self.root / "docs/page.md")

    def test_an_excerpt_whatever_the_indentation(self):
        self.assert_passes(self.check(
            "# Page\n\n<!-- from examples/a.cc -->\n```cpp\nf();\ng();\n```\n"))

    def test_excerpts_that_are_not_there(self):
        self.assert_fails(
            self.check("<!-- from examples/a.cc -->\n```cpp\nf();\nreturn 0;\n```\n\n"
                       "<!-- from examples/b.cc -->\n```cpp\nf();\n```\n"),
            "page.md:3: the block does not stand like this in examples/a.cc",
            "page.md:9: the block is said to be from examples/b.cc, and there is no such")

    def test_a_block_that_says_nothing_of_itself(self):
        self.assert_fails(self.check("Text:\n```cpp\nf();\n```\n"),
                          "page.md:3: the block expected '<!-- complete -->'")

    def test_a_block_that_does_not_end(self):
        self.assert_fails(self.check("<!-- complete -->\n```cpp\nf();\n"),
                          "a block of C++ that does not end", "no block of C++")

    def test_a_program_that_does_not_compile(self):
        self.assert_fails(
            self.check("<!-- complete -->\n```cpp\nint main() { return f(); }\n```\n"),
            "page.md:3: the block does not compile")


if __name__ == "__main__":
    unittest.main()
