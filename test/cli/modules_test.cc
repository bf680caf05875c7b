// `import`, `export`, and modules where programs are expected, with a compiler library
// that compiles nothing (fake_compiler/): what thunky asks of it, and what becomes of
// its answers.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "test/cli/thunky_process.h"

namespace thunky::cli_tests {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

constexpr char kVariable[] = "THUNKY_COMPILER_LIBRARY";

class ModulesTest : public CliTest {
 protected:
  void SetUp() override {
    CliTest::SetUp();
    UseLibrary(Library("fake_compiler"));
  }
  void TearDown() override {
    unsetenv(kVariable);
    CliTest::TearDown();
  }

  static std::string Library(const std::string& name) {
    return std::string(std::getenv("THUNKY_BIN")) + "/../tests/" + name + ".so";
  }
  static void UseLibrary(const std::string& path) { setenv(kVariable, path.c_str(), 1); }

  // A module that the library makes the executable in `textproto` of.
  std::string ModuleOf(const std::string& name, const std::string& textproto) const {
    std::ifstream file(Data("programs/" + textproto));
    EXPECT_TRUE(file.good()) << textproto;
    std::string module = "module {\n";
    for (std::string line; std::getline(file, line);) module += "//= " + line + "\n";
    return WriteText(name, module + "}\n");
  }
  std::string Empty() const { return WriteText("empty.mlir", "module {\n}\n"); }
};

TEST_F(ModulesTest, RunsAModule) {
  const std::string module = ModuleOf("add.mlir", "shared_code.textproto");
  const std::string input = WriteNpy(Ints("counter", {}, {5}));
  const ProcessResult result =
      Thunky({"run", module, "--input", input, "--output", Path("out.npz")});
  ASSERT_EQ(result.exit_code, 0) << result;
  EXPECT_THAT(result.out, HasSubstr("program: shared_code\n"));
  EXPECT_EQ(ReadNpz(Path("out.npz"), "out0").data, ToBytes<int32_t>({12}));
}

TEST_F(ModulesTest, InspectsAModule) {
  const std::string module = ModuleOf("add.mlir", "shared_code.textproto");
  const ProcessResult result = Thunky({"inspect", module, "--json"});
  ASSERT_EQ(result.exit_code, 0) << result;
  const auto json = nlohmann::json::parse(result.out);
  EXPECT_EQ(json["kind"], "MLIR text");
  EXPECT_EQ(json["file_bytes"], std::filesystem::file_size(module));
  EXPECT_EQ(json["kernels"][0]["code"], "shared PTX");
  EXPECT_EQ(json["kernels"][0]["launches"].size(), 2u);
}

TEST_F(ModulesTest, ListsTheKernelsOfAModule) {
  const std::string module = ModuleOf("add.mlir", "shared_code.textproto");
  const ProcessResult result = Thunky({"kernels", module, "--extract", Path("code")});
  ASSERT_EQ(result.exit_code, 0) << result;
  EXPECT_THAT(result.out, AllOf(StartsWith("add_to\n  code: shared PTX, "),
                                HasSubstr("host: supported\n"), HasSubstr("wrote ")));
  EXPECT_TRUE(std::filesystem::exists(Path("code") + "/add_to.ptx"));
}

TEST_F(ModulesTest, ComparesAModuleWithItsExecutable) {
  const std::string module = ModuleOf("add.mlir", "shared_code.textproto");
  ProcessResult result = Thunky({"diff", module, Data("programs/shared_code.textproto")});
  EXPECT_EQ(result.exit_code, 0) << result;
  EXPECT_EQ(result.out, "no differences\n");
  result = Thunky({"diff", Data("programs/add_128.textproto"), module});
  EXPECT_EQ(result.exit_code, 1) << result;
}

TEST_F(ModulesTest, BytecodeIsAModuleToo) {
  const std::string bytecode = WriteText("b.bin", "ML\xefR FAIL");
  for (const char* command : {"run", "inspect", "kernels", "export", "check"}) {
    const ProcessResult result = Thunky({command, bytecode});
    EXPECT_EQ(result.exit_code, 2) << result;
    EXPECT_THAT(result.err, HasSubstr("b.bin:3:5: expected an operation"));
  }
}

TEST_F(ModulesTest, WhatTheLibraryMakesIsReadLikeAnyFile) {
  const std::string module = WriteText("bad.mlir", "module {\n//= no proto\n}\n");
  const ProcessResult result = Thunky({"run", module});
  EXPECT_EQ(result.exit_code, 2) << result;
  EXPECT_THAT(result.first_error_line(), StartsWith(module + ": "));
}

TEST_F(ModulesTest, DiagnosticsAreTheErrors) {
  const std::string module = WriteText("m.mlir", "module {\n\n    FAIL\n}\n");
  for (const char* command : {"run", "inspect", "kernels", "export", "check"}) {
    const ProcessResult result = Thunky({command, module});
    EXPECT_EQ(result.exit_code, 2) << result;
    EXPECT_EQ(result.err,
              module + ":3:5: expected an operation, found 'FAIL'\n  a detail\n");
    EXPECT_THAT(result.out, IsEmpty());
  }
  const ProcessResult mute = Thunky({"run", WriteText("mute.mlir", "module { MUTE }")});
  EXPECT_EQ(mute.exit_code, 2) << mute;
  EXPECT_THAT(mute.err, HasSubstr("the call failed and does not say why"));
}

TEST_F(ModulesTest, WarningsAreNotes) {
  const std::string module = WriteText("w.mlir", "module { // WARN\n}\n");
  ProcessResult result = Thunky({"export", module});
  EXPECT_EQ(result.exit_code, 0) << result;
  EXPECT_EQ(result.err, "note: " + module + ":1:1: warning: of no use\n");
  result = Thunky({"import", WriteText("w.textproto", "module_name: 'WARN'")});
  EXPECT_EQ(result.exit_code, 0) << result;
  EXPECT_THAT(result.err, HasSubstr("note: "));
}

TEST_F(ModulesTest, ImportAsksForWhatTheOptionsSay) {
  const std::string file = Jax("saxpy", "executable.bin");
  const std::string size = std::to_string(std::filesystem::file_size(file));
  const std::string ptx = Jax("saxpy", "kernels/0.ptx");
  const std::string ptx_size = std::to_string(std::filesystem::file_size(ptx));
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{}, "format 0, at most 268435456, kernels\n"},
      {{"--no-elide"}, "format 0, "},
      {{"--elide"}, "format 1, "},
      {{"--bytecode"}, "format 2, "},
      {{"--max-decoded-mib", "1"}, "at most 1048576, "},
      {{"--kernels", ptx}, "kernels 0.ptx:" + ptx_size + "\n"},
      {{"--kernels", Jax("saxpy", "kernels")}, "kernels 0.ptx:" + ptx_size + "\n"},
  };
  for (const auto& [options, expected] : cases) {
    std::vector<std::string> arguments = {"import", file};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const ProcessResult result = Thunky(arguments);
    EXPECT_EQ(result.exit_code, 0) << result;
    EXPECT_THAT(result.out, StartsWith("module { // import " + size + " bytes, "));
    EXPECT_THAT(result.out, HasSubstr(expected));
  }
  const ProcessResult written = Thunky({"import", file, "-o", Path("out.mlir")});
  EXPECT_EQ(written.exit_code, 0) << written;
  EXPECT_THAT(written.out, IsEmpty());
  EXPECT_GT(std::filesystem::file_size(Path("out.mlir")), 0u);
}

TEST_F(ModulesTest, ExportAsksForWhatTheOptionsSay) {
  const std::string module = Empty();
  const std::string folder = std::filesystem::path(module).parent_path();
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{}, "export form 2, code 0, gpu none, folder " + folder + ", kernels\n"},
      {{"--target", "cubin"}, "export form 2, code 1, "},
      {{"--target", "ptx"}, "export form 2, code 2, "},
      {{"--target", "runtime"}, "export form 0, code 0, "},
      {{"--bare"}, "export form 1, code 0, "},
      {{"--bare", "--target", "ptx"}, "export form 1, code 2, "},
      {{"--bare", "--target", "runtime"}, "export form 0, code 0, "},
      {{"--gpu", "9.0a"}, ", gpu 9.0a, "},
      {{"--gpu", "12.0"}, ", gpu 12.0, "},
      {{"--kernels", Jax("saxpy", "kernels")}, ", kernels 0.ptx:"},
  };
  for (const auto& [options, expected] : cases) {
    std::vector<std::string> arguments = {"export", module};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const ProcessResult result = Thunky(arguments);
    EXPECT_EQ(result.exit_code, 0) << result;
    EXPECT_THAT(result.out, HasSubstr(expected));
    EXPECT_THAT(result.err, IsEmpty());
  }
  const ProcessResult written = Thunky({"export", module, "-o", Path("out.bin")});
  EXPECT_EQ(written.exit_code, 0) << written;
  EXPECT_THAT(written.out, IsEmpty());
  EXPECT_GT(std::filesystem::file_size(Path("out.bin")), 0u);
}

TEST_F(ModulesTest, CheckAsksForWhatTheOptionsSay) {
  const std::string module = Empty();
  const std::string folder = std::filesystem::path(module).parent_path();
  const std::string ptx = Jax("saxpy", "kernels/0.ptx");
  const std::string ptx_size = std::to_string(std::filesystem::file_size(ptx));
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{module}, "check module, at most 268435456, folder " + folder + ", kernels\n"},
      {{module, "--kernels", ptx}, ", kernels 0.ptx:" + ptx_size + "\n"},
      {{module, "--max-decoded-mib", "1"}, ", at most 1048576, "},
      {{Jax("saxpy", "executable.bin")}, "check executable, "},
  };
  for (const auto& [options, expected] : cases) {
    std::vector<std::string> arguments = {"check"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const ProcessResult result = Thunky(arguments);
    EXPECT_EQ(result.exit_code, 0) << result;
    EXPECT_THAT(result.out, StartsWith(options[0] + ": warning: check "));
    EXPECT_THAT(result.out,
                AllOf(HasSubstr(expected), HasSubstr("\n0 errors, 1 warning\n")));
    EXPECT_THAT(result.err, IsEmpty());
  }
}

TEST_F(ModulesTest, CheckSaysWhatTheLibraryFound) {
  const auto module = [&](const std::string& answer) {
    return WriteText("checked.mlir", "module {\n//= " + answer + "\n}\n");
  };
  const std::string hazard =
      R"({"kind": "race", "severity": "error", "message": "race: a\u001b[2J and b", )"
      R"("first": {"op": "a", "place": "a.cc:3:1"}, "buffer": "'x'", "begin": 0, "end": 8})";
  ProcessResult result =
      Thunky({"check", module(R"({"errors": 0, "warnings": 0, "hazards": []})")});
  EXPECT_EQ(result.exit_code, 0) << result;
  EXPECT_EQ(result.out, "no hazards\n");
  const std::string found =
      module(R"({"errors": 3, "warnings": 0, "hazards": [)" + hazard + "]}");
  result = Thunky({"check", found});
  EXPECT_EQ(result.exit_code, 1) << result;
  EXPECT_EQ(result.out,
            "a.cc:3:1: error: race: a\\x1b[2J and b\nand 2 more\n3 errors, 0 warnings\n");
  result = Thunky({"check", found, "--json"});
  EXPECT_EQ(result.exit_code, 1) << result;
  const auto json = nlohmann::json::parse(result.out);
  EXPECT_EQ(json["schema"], 1);
  EXPECT_EQ(json["file"], found);
  EXPECT_EQ(json["errors"], 3);
  EXPECT_EQ(json["hazards"][0]["end"], 8);
  // Not what was agreed on.
  for (const char* answer : {"no JSON", "[]", R"({"errors": 0})",
                             R"({"errors": 0, "warnings": 0, "hazards": [{}]})"}) {
    result = Thunky({"check", module(answer)});
    EXPECT_EQ(result.exit_code, 2) << result;
    EXPECT_THAT(result.first_error_line(), HasSubstr("the answer of the check"));
  }
}

TEST_F(ModulesTest, Refused) {
  const std::string executable = Jax("saxpy", "executable.bin");
  const std::string ptx = Jax("saxpy", "kernels/0.ptx");
  const std::string module = Empty();
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{"import", module}, "expected an executable or a proto, found MLIR text"},
      {{"import", ptx}, "expected an executable or a proto, found PTX"},
      {{"import", Path("none")}, "none: cannot open"},
      {{"import", executable, "--kernels", Path("none")}, "none: cannot open"},
      {{"export", executable}, "found an executable: see 'thunky import'"},
      {{"export", ptx}, "expected a module (MLIR text or bytecode), found PTX"},
      {{"export", module, "--target", "sass"},
       "--target: expected cubin, ptx or runtime, found 'sass'"},
      {{"export", module, "--gpu", "sm_90"}, "--gpu: expected a compute capability"},
      {{"export", module, "--gpu", "9"}, "--gpu: expected a compute capability"},
      {{"export", module, "--gpu", "9.0b"}, "--gpu: expected a compute capability"},
      {{"check", ptx}, "expected a program (an executable or a module), found PTX"},
      {{"check", Path("none")}, "none: cannot open"},
      {{"check"}, "FILE is required"},
      {{"diff", executable, Path("none")}, "cannot open"},
  };
  for (const auto& [arguments, message] : cases) {
    const ProcessResult result = Thunky(arguments);
    EXPECT_EQ(result.exit_code, 2) << result;
    EXPECT_THAT(result.first_error_line(), HasSubstr(message));
    EXPECT_THAT(result.out, IsEmpty());
  }
  // What cannot be written is a failure of its own.
  const ProcessResult unwritten = Thunky({"import", executable, "-o", Path("no/where")});
  EXPECT_EQ(unwritten.exit_code, 1) << unwritten;
  EXPECT_THAT(unwritten.first_error_line(), HasSubstr("no/where"));
}

TEST_F(ModulesTest, LibrariesThatCannotBeUsed) {
  const std::string module = Empty();
  const std::vector<std::pair<std::string, std::string>> cases = {
      {Path("none.so"), "expected the compiler library at '" + Path("none.so") + "'"},
      {"", "expected the compiler library at '', found nothing"},
      {WriteText("text.so", "no library"), "the compiler library cannot be loaded: "},
      {Library("no_compiler"), "found a library without 'thunky_compiler_abi_version'"},
      {Library("old_compiler"),
       "expected version 2 of the compiler's interface, found version 0"},
  };
  for (const auto& [library, message] : cases) {
    UseLibrary(library);
    for (const char* command : {"run", "inspect", "kernels", "export", "check"}) {
      const ProcessResult result = Thunky({command, module});
      EXPECT_EQ(result.exit_code, 2) << result;
      EXPECT_THAT(result.first_error_line(),
                  AllOf(HasSubstr(message), HasSubstr("$THUNKY_COMPILER_LIBRARY: ")));
    }
    const ProcessResult result = Thunky({"import", Jax("saxpy", "executable.bin")});
    EXPECT_EQ(result.exit_code, 2) << result;
    EXPECT_THAT(result.first_error_line(), HasSubstr(message));
    // Nothing but modules needs it.
    EXPECT_EQ(Thunky({"inspect", Jax("saxpy", "executable.bin")}).exit_code, 0);
    EXPECT_THAT(Thunky({"--version"}).out, HasSubstr("LLVM: none"));
  }
}

TEST_F(ModulesTest, VersionAsksTheLibrary) {
  const ProcessResult result = Thunky({"--version"});
  EXPECT_EQ(result.exit_code, 0) << result;
  EXPECT_THAT(result.out, HasSubstr("LLVM: 99.1.2 (" + Library("fake_compiler") + ")\n"));
}

#ifndef THUNKY_HAS_COMPILER
TEST_F(ModulesTest, ABuildWithoutCompilerSaysSo) {
  unsetenv(kVariable);
  for (const char* command : {"run", "inspect", "kernels", "export", "check"}) {
    const std::string module = Empty();
    const ProcessResult result = Thunky({command, module});
    EXPECT_EQ(result.exit_code, 2) << result;
    EXPECT_THAT(result.first_error_line(), HasSubstr("this build has no compiler"));
  }
  EXPECT_THAT(Thunky({"run", Empty()}).first_error_line(),
              StartsWith(Empty() + ": found MLIR: "));
}
#endif

}  // namespace
}  // namespace thunky::cli_tests
