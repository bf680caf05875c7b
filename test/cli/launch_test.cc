// `launch`: one kernel with arguments from the shell.
#include <algorithm>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "test/cli/thunky_process.h"

namespace thunky::cli_tests {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class LaunchTest : public CliTest {
 protected:
  static std::vector<std::string> Launch(const std::string& file,
                                         const std::string& entry,
                                         std::vector<std::string> options) {
    options.insert(options.begin(), {"launch", Data("kernels/ptx/" + file), entry});
    return options;
  }
  // y = 2.5 x + y for 5 elements.
  std::vector<std::string> Saxpy(std::vector<std::string> options) {
    const std::string x = WriteNpy(Floats("x", {5}, {1, 2, 3, 4, 5}));
    const std::string y = WriteNpy(Floats("y", {5}, {10, 20, 30, 40, 50}));
    options.insert(options.end(), {"--grid", "1", "--block", "32", "--arg", x, "--arg",
                                   "inout:" + y, "--arg", "f32:2.5", "--arg", "i32:5"});
    return Launch("saxpy.ptx", "saxpy", std::move(options));
  }
};

TEST_F(LaunchTest, Saxpy) {
  const std::string out = Path("out.npz");
  const ProcessResult result = Thunky(Saxpy({"--output", out}));
  EXPECT_EQ(result.exit_code, 0) << result;
  EXPECT_THAT(result.out, AllOf(HasSubstr("device: host"), HasSubstr("kernel: saxpy"),
                                HasSubstr("out0 f32[5]: 12.5, 25, 37.5, 50, 62.5")));
  EXPECT_THAT(result.err, IsEmpty());
  EXPECT_EQ(ReadNpz(out, "out0").data, ToBytes<float>({12.5, 25, 37.5, 50, 62.5}));
}

TEST_F(LaunchTest, Check) {
  const std::string good =
      WriteNpz("good.npz", {Floats("out0", {5}, {12.5, 25, 37.5, 50, 62.5})});
  const std::string bad =
      WriteNpz("bad.npz", {Floats("out0", {5}, {12.5, 25, 37.5, 50, 62})});
  ProcessResult result = Thunky(Saxpy({"--check", good, "--json"}));
  EXPECT_EQ(result.exit_code, 0) << result;
  const auto json = nlohmann::json::parse(result.out);
  EXPECT_EQ(json["schema"], 1);
  EXPECT_EQ(json["kernel"], "saxpy");
  EXPECT_EQ(json["holds"], true);
  result = Thunky(Saxpy({"--check", bad}));
  EXPECT_EQ(result.exit_code, 1) << result;
  EXPECT_THAT(result.out, HasSubstr("largest difference 0.5 at [4]"));
  const std::string other = WriteNpz("other.npz", {Floats("out0", {4}, {1, 2, 3, 4})});
  EXPECT_EQ(Thunky(Saxpy({"--check", other})).exit_code, 2);
}

TEST_F(LaunchTest, OutputsStartAsZeros) {
  const ProcessResult result =
      Thunky(Launch("saxpy.ptx", "saxpy",
                    {"--block", "8", "--arg", WriteNpy(Floats("x", {2, 2}, {1, 2, 3, 4})),
                     "--arg", "out:f32[2,2]", "--arg", "f32:2", "--arg", "i32:4"}));
  EXPECT_EQ(result.exit_code, 0) << result;
  EXPECT_THAT(result.out, HasSubstr("out0 f32[2,2]: 2, 4, 6, 8"));
}

TEST_F(LaunchTest, ScalarsOfEveryWidth) {
  const ProcessResult result = Thunky(
      Launch("saxpy.ptx", "mixed_scalars",
             {"--block", "32", "--arg", "out:f64[3]", "--arg", "i8:-100", "--arg",
              "u16:60000", "--arg", "i32:-2000000000", "--arg", "i64:9007199254740991",
              "--arg", "f32:0.5", "--arg", "f64:-0.25", "--arg", "i32:3"}));
  EXPECT_EQ(result.exit_code, 0) << result;
  EXPECT_THAT(result.out, HasSubstr("out0 f64[3]: 9007197254800892, 9007197254800893, "));
}

TEST_F(LaunchTest, WrongArguments) {
  const std::string x = WriteNpy(Floats("x", {5}, {1, 2, 3, 4, 5}));
  const std::string unknown = WriteNpy({"unknown", {'V', 2}, {1}, {0, 0}});
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{}, "4"},  // parameters
      {{x, x, "f32:1", "i32:1", "i32:1"}, "5"},
      {{x, x, "f64:1", "i32:1"}, "parameter 2 has 4 bytes, the argument has 8"},
      {{x, x, "f32:one", "i32:1"}, "--arg f32:one: expected a value of f32"},
      {{x, x, "f32:1", "i32:99999999999"},
       "--arg i32:99999999999: expected a value of s32"},
      {{x, "out:f32", "f32:1", "i32:1"}, "--arg out:f32: expected an array type"},
      {{x, "out:float[3]", "f32:1", "i32:1"}, "expected an array type"},
      {{x, "out:f32[3", "f32:1", "i32:1"}, "expected an array type"},
      {{x, "out:f32[-3]", "f32:1", "i32:1"}, "expected an array type"},
      {{x, "out:f32[99999999999,99999999999]", "f32:1", "i32:1"},
       "fewer than 2^63 bytes"},
      {{x, "out:f32[1099511627776]", "f32:1", "i32:1"}, "memory: expected "},
      {{Path("none.npy"), x, "f32:1", "i32:1"}, "none.npy: cannot open"},
      {{"what:3", x, "f32:1", "i32:1"}, "what:3: cannot open"},
      {{x, "inout:" + unknown, "f32:1", "i32:1"}, "expected elements of a known type"},
  };
  for (const auto& [arguments, message] : cases) {
    std::vector<std::string> options = {"--block", "32"};
    for (const std::string& argument : arguments) {
      options.insert(options.end(), {"--arg", argument});
    }
    const ProcessResult result = Thunky(Launch("saxpy.ptx", "saxpy", options));
    EXPECT_EQ(result.exit_code, 2) << result;
    EXPECT_THAT(result.err, HasSubstr(message));
    EXPECT_THAT(result.out, IsEmpty());
  }
}

TEST_F(LaunchTest, WrongShapes) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{"--block", "2048"}, "2048"},
      {{"--block", "0"}, "0"},
      {{"--block", "1,1,65"}, "65"},
      {{"--grid", "1,70000"}, "70000"},
      {{"--grid", "x"}, "--grid: expected X, X,Y or X,Y,Z, found 'x'"},
      {{"--grid", "1,2,3,4"}, "--grid: "},
      {{"--block", "1,"}, "--block: "},
      {{"--shared", "300000"}, "300000"},
  };
  for (const auto& [options, message] : cases) {
    std::vector<std::string> arguments =
        Launch("saxpy.ptx", "saxpy",
               {"--arg", "out:f32[1]", "--arg", "out:f32[1]", "--arg", "f32:1", "--arg",
                "i32:1"});
    arguments.insert(arguments.end(), options.begin(), options.end());
    const ProcessResult result = Thunky(arguments);
    EXPECT_EQ(result.exit_code, 2) << result;
    EXPECT_THAT(result.first_error_line(), HasSubstr(message));
  }
}

TEST_F(LaunchTest, CodeThatCannotRun) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {Path("none.ptx"), "none.ptx: cannot open"},
      {WriteText("empty.ptx", ""), "empty.ptx"},
      {WriteText("elf.ptx", std::string("\x7f"
                                        "ELF\2\1\1\0\0",
                                        9)),
       "elf.ptx"},
      {WriteText("new.ptx", ".version 99.0\n.target sm_90\n"), "99.0"},
      {Data("kernels/ptx/saxpy.ptx"), "saxpy_strided"},  // lists what there is
  };
  for (const auto& [file, message] : cases) {
    const ProcessResult result = Thunky({"launch", file, "nothing"});
    EXPECT_EQ(result.exit_code, 2) << result;
    EXPECT_THAT(result.err, HasSubstr(message));
  }
}

TEST_F(LaunchTest, GridOfZeroBlocksDoesNothing) {
  std::vector<std::string> arguments = Saxpy({});
  *(std::find(arguments.begin(), arguments.end(), "--grid") + 1) = "0";
  const ProcessResult result = Thunky(arguments);
  EXPECT_EQ(result.exit_code, 0) << result;
  EXPECT_THAT(result.out, HasSubstr("out0 f32[5]: 10, 20, 30, 40, 50"));
}

TEST_F(LaunchTest, InputsCannotBeWritten) {
  const std::string x = WriteNpy(Floats("x", {5}, {1, 2, 3, 4, 5}));
  const ProcessResult result = Thunky(Launch(
      "saxpy.ptx", "saxpy",
      {"--block", "32", "--arg", x, "--arg", x, "--arg", "f32:1", "--arg", "i32:5"}));
  EXPECT_EQ(result.exit_code, 1) << result;
  EXPECT_THAT(result.err, HasSubstr("argument 1"));
}

TEST_F(LaunchTest, FailuresNameThreadAndLine) {
  ProcessResult result =
      Thunky(Launch("errors.ptx", "write_past_end",
                    {"--block", "8", "--arg", "out:i32[4]", "--arg", "i32:4"}));
  EXPECT_EQ(result.exit_code, 1) << result;
  EXPECT_THAT(
      result.first_error_line(),
      AllOf(HasSubstr("errors.ptx: "), HasSubstr("thread (4,0,0)"), HasSubstr("line ")));
  result = Thunky(
      Launch("errors.ptx", "endless", {"--arg", "out:i32[1]", "--timeout", "0.2"}));
  EXPECT_EQ(result.exit_code, 1) << result;
  result = Thunky(
      Launch("errors.ptx", "endless", {"--arg", "out:i32[1]", "--max-steps", "5000"}));
  EXPECT_EQ(result.exit_code, 1) << result;
  EXPECT_THAT(result.err, HasSubstr("5000 warp instructions"));
  result = Thunky(Launch("errors.ptx", "endless", {"--arg", "null"}));
  EXPECT_EQ(result.exit_code, 1) << result;
}

TEST_F(LaunchTest, CheckedModeFindsRaces) {
  const std::vector<std::string> options = {"--block", "64",    "--shared",
                                            "256",     "--arg", "out:i32[64]"};
  EXPECT_EQ(Thunky(Launch("barriers.ptx", "missing_barrier", options)).exit_code, 0);
  for (const char* entry : {"missing_barrier", "unwritten_shared"}) {
    std::vector<std::string> checked = options;
    checked.push_back("--checked");
    const ProcessResult result = Thunky(Launch("barriers.ptx", entry, checked));
    EXPECT_EQ(result.exit_code, 1) << result;
    EXPECT_THAT(result.err, HasSubstr("line "));
  }
}

TEST_F(LaunchTest, WhatKernelsPrint) {
  const std::vector<std::string> options = {
      "--block", "4", "--arg", WriteNpy(Ints("values", {2}, {7, 8})), "--arg", "i32:2"};
  ProcessResult result = Thunky(Launch("errors.ptx", "print_values", options));
  EXPECT_EQ(result.exit_code, 0) << result;
  EXPECT_THAT(result.out, HasSubstr("value[0] = 7,  3.50 units\n"));
  std::vector<std::string> json = options;
  json.push_back("--json");
  result = Thunky(Launch("errors.ptx", "print_values", json));
  EXPECT_EQ(result.exit_code, 0) << result;
  EXPECT_TRUE(nlohmann::json::accept(result.out)) << result;
  EXPECT_THAT(result.err, HasSubstr("value[1] = 8,  4.00 units\n"));
}

TEST_F(LaunchTest, DevicesAreAsForRun) {
  EXPECT_EQ(Thunky(Saxpy({"--device", "cuda:1000000"})).exit_code, 2);
  EXPECT_EQ(Thunky(Saxpy({"--kernel-engine", "jit"})).exit_code, 2);
  EXPECT_EQ(Thunky(Saxpy({"--device", "host", "--kernel-engine", "interp"})).exit_code,
            0);
}

}  // namespace
}  // namespace thunky::cli_tests
