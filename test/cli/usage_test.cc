// Help, versions, usage errors and devices.
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "test/cli/thunky_process.h"

namespace thunky::cli_tests {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

class UsageTest : public CliTest {};

TEST_F(UsageTest, VersionNamesTheReleases) {
  const ProcessResult result = Thunky({"--version"});
  EXPECT_EQ(result.exit_code, 0) << result;
  EXPECT_THAT(result.out, HasSubstr("thunky 0.1.0\n"));
#ifdef THUNKY_HAS_COMPILER
  EXPECT_THAT(result.out, HasSubstr("LLVM: 22.1."));
#else
  EXPECT_THAT(result.out, HasSubstr("LLVM: none in this build"));
#endif
  EXPECT_THAT(result.out, HasSubstr("PTX: up to version 9.3"));
  EXPECT_THAT(result.out, HasSubstr("schema: jaxlib 0.11.2"));
  EXPECT_THAT(result.err, IsEmpty());
}

TEST_F(UsageTest, EveryHelpHasAnExample) {
  for (const char* command :
       {"run", "inspect", "kernels", "launch", "import", "export", "diff", "devices"}) {
    const ProcessResult result = Thunky({command, "--help"});
    EXPECT_EQ(result.exit_code, 0) << result;
    EXPECT_THAT(result.out, HasSubstr("Example"));
    EXPECT_THAT(result.out, HasSubstr(std::string("thunky ") + command));
    EXPECT_THAT(result.err, IsEmpty());
  }
  const ProcessResult all = Thunky({"--help"});
  EXPECT_EQ(all.exit_code, 0);
  EXPECT_THAT(all.out, HasSubstr("Exit codes: 0 done; 1"));
  EXPECT_EQ(Run("thunky_demo", {"--help"}).exit_code, 0);
}

TEST_F(UsageTest, WrongUsageIsTwo) {
  const std::string file = Jax("saxpy", "executable.bin");
  const std::vector<std::vector<std::string>> cases = {
      {},
      {"fly"},
      {"import"},
      {"import", file, "--elide", "--no-elide"},
      {"import", file, "--elide", "--bytecode"},
      {"import", file, "--kernels"},
      {"export"},
      {"export", file, "--gpu"},
      {"diff", file},
      {"diff", file, file, file},
      {"run"},
      {"run", file, file},
      {"run", file, "--colour"},
      {"run", file, "--repeat", "many"},
      {"run", file, "--repeat", "0"},
      {"run", file, "--repeat", "-1"},
      {"run", file, "--new-buffers"},
      {"run", file, "--timeout", "0"},
      {"run", file, "--timeout", "-1"},
      {"run", file, "--timeout", "inf"},
      {"run", file, "--timeout", "nan"},
      {"run", file, "--max-steps", "0"},
      {"run", file, "--rtol", "1"},  // without --check
      {"run", file, "--check", "x.npz", "--rtol", "-1"},
      {"run", file, "--check", "x.npz", "--rtol", "nan"},
      {"run", file, "--check", "x.npz", "--atol", "inf"},
      {"run", file, "--fill", "ones"},
      {"run", file, "--fill", "random:"},
      {"run", file, "--fill", "random:-1"},
      {"run", file, "--max-decoded-mib", "0"},
      {"inspect", file, "--format", "yaml"},
      {"launch", file},
      {"devices", "--usable"},
  };
  for (const std::vector<std::string>& arguments : cases) {
    const ProcessResult result = Thunky(arguments);
    EXPECT_EQ(result.exit_code, 2) << ::testing::PrintToString(arguments) << result;
    EXPECT_THAT(result.out, IsEmpty());
    EXPECT_FALSE(result.first_error_line().empty())
        << ::testing::PrintToString(arguments);
  }
  EXPECT_EQ(Run("thunky_demo", {}).exit_code, 2);
}

TEST_F(UsageTest, AnUnknownCommandIsNamedBesideThoseThatExist) {
  const ProcessResult unknown = Thunky({"frobnicate", "file"});
  EXPECT_EQ(unknown.exit_code, 2) << unknown;
  EXPECT_THAT(unknown.first_error_line(),
              HasSubstr("thunky: there is no command 'frobnicate'; there are: run, "));
  EXPECT_THAT(unknown.first_error_line(), HasSubstr("devices"));
  const ProcessResult none = Thunky({});
  EXPECT_THAT(none.first_error_line(),
              HasSubstr("thunky: a command is missing; there are: run, "));
}

TEST_F(UsageTest, WhatThisBuildLacksIsRefusedByName) {
  const std::string file = Jax("saxpy", "executable.bin");
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{"--device", "cuda:1000000"}, "--device cuda:1000000: "},
      {{"--device", "tpu"}, "--device: expected host"},
      {{"--device", "cuda:x"}, "--device: expected host"},
      {{"--kernel-engine", "jit"}, "this build has no kernel compiler"},
      {{"--kernel-engine", "llvm"}, "expected interp or jit, found 'llvm'"},
      {{"--devices", "2"}, "--devices: expected 1, found 2"},
      {{"--ffi-library", "a.so"}, "--ffi-library: not supported by this build"},
  };
  for (const auto& [options, message] : cases) {
    const ProcessResult result = Thunky(RunJax("saxpy", options));
    EXPECT_EQ(result.exit_code, 2) << result;
    EXPECT_THAT(result.first_error_line(), HasSubstr(message));
    EXPECT_THAT(result.out, IsEmpty());
  }
  for (const char* format : {"html", "dot"}) {
    const ProcessResult result = Thunky({"inspect", file, "--format", format});
    EXPECT_EQ(result.exit_code, 2) << result;
    EXPECT_THAT(result.err, HasSubstr(std::string(format) + " is not in this build"));
  }
}

TEST_F(UsageTest, Devices) {
  ProcessResult result = Thunky({"devices"});
  EXPECT_EQ(result.exit_code, 0) << result;
  EXPECT_THAT(result.out, HasSubstr("host: CPU"));
  EXPECT_THAT(result.out, HasSubstr("\ncuda"));
  result = Thunky({"devices", "--json"});
  EXPECT_EQ(result.exit_code, 0) << result;
  const auto json = nlohmann::json::parse(result.out);
  EXPECT_EQ(json["schema"], 1);
  EXPECT_EQ(json["devices"][0]["name"], "host");
  EXPECT_EQ(json["devices"][0]["usable"], true);
  // What is not usable says why.
  EXPECT_TRUE(json["devices"][1]["usable"].is_boolean());
  EXPECT_THAT(json["devices"][1]["detail"].get<std::string>(), Not(IsEmpty()));
}

TEST_F(UsageTest, FilesThatCannotBeRead) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {Path("none"), "cannot open"},
      {Path(""), "expected a file, found a folder"},
      {WriteText("empty", ""), ""},
      {WriteText("zeros", std::string(1000, '\0')), ""},
      {WriteText("noise", "this is no program\n"), ""},
      {Jax("saxpy", "io.npz"), ""},
      {Jax("saxpy", "kernels/0.ptx"),
       "expected an executable, a proto or a module, found PTX"},
  };
  for (const auto& [file, message] : cases) {
    for (const char* command : {"run", "inspect"}) {
      const ProcessResult result = Thunky({command, file});
      EXPECT_EQ(result.exit_code, 2) << result;
      EXPECT_THAT(result.first_error_line(), HasSubstr(file + ": " + message));
      EXPECT_THAT(result.out, IsEmpty());
    }
  }
}

TEST_F(UsageTest, ControlCharactersOfNamesAreShownNotSent) {
  const ProcessResult result = Thunky({"run", Path("a\x1b[31mb")});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("a\\x1b[31mb"));
}

}  // namespace
}  // namespace thunky::cli_tests
