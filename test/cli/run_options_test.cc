// What the options of `run` do.
#include <chrono>
#include <cstring>
#include <filesystem>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "test/cli/thunky_process.h"

namespace thunky::cli_tests {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class RunOptionsTest : public CliTest {
 protected:
  static std::string Program(const std::string& name) {
    return Data("programs/" + name + ".textproto");
  }
};

TEST_F(RunOptionsTest, OutputHoldsTheResults) {
  const std::string out = Path("out.npz");
  const ProcessResult result = Thunky(RunJax("while_collatz", {"--output", out}));
  ASSERT_EQ(result.exit_code, 0) << result;
  for (const char* name : {"out0", "out1"}) {
    const tooling::Array found = ReadNpz(out, name);
    const tooling::Array expected = ReadNpz(Jax("while_collatz", "io.npz"), name);
    EXPECT_EQ(found.type, expected.type);
    EXPECT_EQ(found.shape, expected.shape);
    EXPECT_EQ(found.data, expected.data);
  }
}

TEST_F(RunOptionsTest, OutputThatCannotBeWritten) {
  const ProcessResult result =
      Thunky(RunJax("saxpy", {"--output", Path("none/out.npz")}));
  EXPECT_EQ(result.exit_code, 1) << result;
  EXPECT_THAT(result.first_error_line(), HasSubstr("none/out.npz: cannot create"));
}

TEST_F(RunOptionsTest, WithoutCheckTheFirstValuesAreShown) {
  const ProcessResult result = Thunky(RunJax("while_collatz"));
  EXPECT_EQ(result.exit_code, 0) << result;
  EXPECT_THAT(result.out,
              AllOf(HasSubstr("device: host (CPU"), HasSubstr("program: jit__lambda"),
                    HasSubstr("out0 s32[]: "), HasSubstr("out1 s32[]: "),
                    Not(HasSubstr("check"))));
  EXPECT_THAT(result.err, IsEmpty());
}

TEST_F(RunOptionsTest, CheckThatDoesNotHold) {
  tooling::Array expected = ReadNpz(Jax("saxpy", "io.npz"), "out0");
  std::vector<float> values(expected.data.size() / sizeof(float));
  std::memcpy(values.data(), expected.data.data(), expected.data.size());
  values[17] += 1;
  const std::string reference =
      WriteNpz("reference.npz", {Floats("out0", expected.shape, values)});
  const ProcessResult result = Thunky(RunJax("saxpy", {"--check", reference}));
  EXPECT_EQ(result.exit_code, 1) << result;
  EXPECT_THAT(result.out,
              HasSubstr("out0 f32[4096]: largest difference 1 at [17] (found"));
  EXPECT_THAT(result.out, HasSubstr("1 of 4096 elements out of tolerance"));
  EXPECT_THAT(result.out, HasSubstr("check: does not hold"));
  EXPECT_THAT(result.first_error_line(),
              HasSubstr("/saxpy/executable.bin: out0: expected " + reference));
  EXPECT_EQ(Thunky(RunJax("saxpy", {"--check", reference, "--atol", "1.5"})).exit_code,
            0);
  EXPECT_EQ(Thunky(RunJax("saxpy", {"--check", reference, "--atol", "0.5"})).exit_code,
            1);
  EXPECT_EQ(Thunky(RunJax("saxpy", {"--check", reference, "--rtol", "1"})).exit_code, 0);
}

TEST_F(RunOptionsTest, IntegersAreCheckedExactly) {
  const std::string reference =
      WriteNpz("reference.npz", {Ints("out0", {}, {1}), Ints("out1", {}, {1000})});
  const ProcessResult result = Thunky(
      RunJax("while_collatz", {"--check", reference, "--rtol", "1", "--atol", "1e6"}));
  EXPECT_EQ(result.exit_code, 1) << result;
}

TEST_F(RunOptionsTest, ReferenceThatDoesNotFit) {
  const std::vector<std::pair<std::vector<TestArray>, std::string>> cases = {
      {{}, "expected an array 'out0', found nothing"},
      {{Ints("out0", {}, {1})}, "expected an array 'out1', found out0"},
      {{Ints("out0", {1}, {1}), Ints("out1", {}, {1})},
       "out0: expected s32[], found s32[1]"},
      {{Ints("out0", {}, {1}), Floats("out1", {}, {1})},
       "out1: expected s32[], found f32[]"},
      {{Ints("out0", {}, {1}), Ints("out1", {}, {1}), Ints("out2", {}, {1})},
       "expected 2 outputs, found out2"},
  };
  for (const auto& [arrays, message] : cases) {
    const std::string reference = WriteNpz("reference.npz", arrays);
    const ProcessResult result = Thunky(RunJax("while_collatz", {"--check", reference}));
    EXPECT_EQ(result.exit_code, 2) << result;
    EXPECT_THAT(result.first_error_line(), HasSubstr(reference + ": " + message));
  }
}

TEST_F(RunOptionsTest, Json) {
  ProcessResult result =
      Thunky(RunJax("while_collatz", {"--json", "--repeat", "3", "--check",
                                      Jax("while_collatz", "io.npz")}));
  EXPECT_EQ(result.exit_code, 0) << result;
  auto json = nlohmann::json::parse(result.out);
  EXPECT_EQ(json["schema"], 1);
  EXPECT_EQ(json["program"], "jit__lambda");
  EXPECT_EQ(json["device"]["name"], "host");
  EXPECT_EQ(json["seconds"].size(), 3u);
  EXPECT_EQ(json["outputs"][1]["name"], "out1");
  EXPECT_EQ(json["outputs"][1]["type"], "s32");
  EXPECT_EQ(json["outputs"][1]["check"]["holds"], true);
  EXPECT_EQ(json["holds"], true);

  const std::string reference =
      WriteNpz("reference.npz", {Ints("out0", {}, {1}), Ints("out1", {}, {-5})});
  result = Thunky(RunJax("while_collatz", {"--json", "--check", reference}));
  EXPECT_EQ(result.exit_code, 1) << result;
  json = nlohmann::json::parse(result.out);
  EXPECT_EQ(json["holds"], false);
  EXPECT_EQ(json["outputs"][0]["check"]["holds"], true);
  EXPECT_EQ(json["outputs"][1]["check"]["mismatches"], 1);
}

// out1 = y in the memory of x, out0 = 10 x in the memory of y.
TEST_F(RunOptionsTest, RepeatRestoresWrittenInputs) {
  const std::string x = WriteNpy(Ints("x", {3}, {1, 2, 3}));
  const std::string y = WriteNpy(Ints("y", {3}, {7, 8, 9}));
  const std::string out = Path("out.npz");
  for (const char* mode : {"--checked", "--new-buffers"}) {
    const ProcessResult result =
        Thunky({"run", Program("two_results_in_two_parameters"), "--input", x, "--input",
                y, "--repeat", "3", mode, "--output", out});
    EXPECT_EQ(result.exit_code, 0) << result;
    EXPECT_THAT(result.out, HasSubstr("runs: 3, median"));
    EXPECT_EQ(ReadNpz(out, "out0").data, ToBytes<int32_t>({10, 20, 30}));
    EXPECT_EQ(ReadNpz(out, "out1").data, ToBytes<int32_t>({7, 8, 9}));
  }
}

TEST_F(RunOptionsTest, FillZeros) {
  const ProcessResult result =
      Thunky({"run", Program("two_results_in_two_parameters"), "--fill", "zeros"});
  EXPECT_EQ(result.exit_code, 0) << result;
  EXPECT_THAT(result.out, AllOf(HasSubstr("out0 s32[3]: 0, 0, 0"),
                                HasSubstr("out1 s32[3]: 0, 0, 0")));
}

TEST_F(RunOptionsTest, FillTakesOnlyWhatIsNotGiven) {
  const std::string x = WriteNpy(Ints("x", {3}, {1, 2, 3}));
  const std::string y = WriteNpz("io.npz", {Ints("in1", {3}, {4, 5, 6})});
  for (const auto& [input, expected] :
       {std::pair(x, "out0 s32[3]: 10, 20, 30\nout1 s32[3]: 0, 0, 0"),
        std::pair(y, "out0 s32[3]: 0, 0, 0\nout1 s32[3]: 4, 5, 6")}) {
    const ProcessResult result = Thunky({"run", Program("two_results_in_two_parameters"),
                                         "--fill", "zeros", "--input", input});
    EXPECT_EQ(result.exit_code, 0) << result;
    EXPECT_THAT(result.out, HasSubstr(expected));
  }
}

TEST_F(RunOptionsTest, FillRandomIsTheSameForOneSeed) {
  auto results = [&](const std::string& fill) {
    const std::string out = Path("out.npz");
    const ProcessResult result =
        Thunky({"run", Jax("saxpy", "executable.bin"), "--kernels",
                Jax("saxpy", "kernels"), "--fill", fill, "--output", out});
    EXPECT_EQ(result.exit_code, 0) << result;
    return ReadNpz(out, "out0").data;
  };
  EXPECT_EQ(results("random"), results("random:0"));
  EXPECT_EQ(results("random:7"), results("random:7"));
  EXPECT_NE(results("random:7"), results("random:8"));
}

TEST_F(RunOptionsTest, KernelsMayBeFilesOrFolders) {
  const std::string file = Jax("saxpy", "executable.bin");
  const std::string ptx = Jax("saxpy", "kernels/0.ptx");
  EXPECT_EQ(Thunky({"run", file, "--fill", "zeros", "--kernels", ptx}).exit_code, 0);
  // The same text twice counts once.
  EXPECT_EQ(Thunky({"run", file, "--fill", "zeros", "--kernels", ptx, "--kernels",
                    Jax("saxpy", "kernels")})
                .exit_code,
            0);
  const ProcessResult unused =
      Thunky({"run", file, "--fill", "zeros", "--kernels", Jax("saxpy", "kernels"),
              "--kernels", Jax("softmax", "kernels")});
  EXPECT_EQ(unused.exit_code, 0) << unused;
  EXPECT_THAT(unused.err, HasSubstr("note: 1 file of --kernels are not used: "));
  EXPECT_THAT(unused.err, HasSubstr("softmax/kernels/0.ptx"));
}

TEST_F(RunOptionsTest, KernelsThatCannotBeUsed) {
  const std::string file = Jax("saxpy", "executable.bin");
  std::filesystem::create_directory(Path("folder"));
  const std::string bad = WriteText("bad.ptx", ".version 9.0\n.target sm_90\nnonsense\n");
  const std::vector<std::pair<std::string, std::string>> cases = {
      {Path("none"), "none: cannot open"},
      {Path("folder"), "folder: expected PTX files (*.ptx), found none"},
      {bad, "bad.ptx: line 3"},
      {Jax("saxpy", "io.npz"), "io.npz: "},
  };
  for (const auto& [path, message] : cases) {
    const ProcessResult result =
        Thunky({"run", file, "--fill", "zeros", "--kernels", path});
    EXPECT_EQ(result.exit_code, 2) << result;
    EXPECT_THAT(result.first_error_line(), HasSubstr(message));
  }
}

TEST_F(RunOptionsTest, KernelsThatDoNotFit) {
  const std::string file = Jax("saxpy", "executable.bin");
  const std::string entry =
      WriteText("entry.ptx",
                ".version 9.0\n.target sm_90\n.address_size 64\n"
                ".visible .entry loop_add_fusion(.param .u64 a)\n{\n  ret;\n}\n");
  const std::string other =
      WriteText("other.ptx",
                ".version 9.0\n.target sm_90\n.address_size 64\n"
                ".visible .entry loop_add_fusion(.param .u64 b)\n{\n  ret;\n}\n");
  const ProcessResult parameters =
      Thunky({"run", file, "--fill", "zeros", "--kernels", entry});
  EXPECT_EQ(parameters.exit_code, 2) << parameters;
  EXPECT_THAT(parameters.err, AllOf(HasSubstr("entry.ptx"), HasSubstr("parameter")));
  const ProcessResult twice =
      Thunky({"run", file, "--fill", "zeros", "--kernels", entry, "--kernels", other});
  EXPECT_EQ(twice.exit_code, 2) << twice;
  EXPECT_THAT(twice.err, AllOf(HasSubstr("entry.ptx"), HasSubstr("other.ptx")));
}

TEST_F(RunOptionsTest, TimeoutEndsTheRun) {
  for (const char* program : {"endless_loop", "endless_kernel_in_fourth_iteration"}) {
    const auto start = std::chrono::steady_clock::now();
    const ProcessResult result =
        Thunky({"run", Program(program), "--fill", "zeros", "--timeout", "0.2"});
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
    EXPECT_EQ(result.exit_code, 1) << result;
    EXPECT_THAT(result.first_error_line(),
                AllOf(HasSubstr("textproto: "), HasSubstr("thunks["), HasSubstr("time")));
    EXPECT_THAT(result.out, IsEmpty());
  }
}

TEST_F(RunOptionsTest, MaxStepsEndsAKernel) {
  const std::string program = Program("endless_kernel_in_fourth_iteration");
  ProcessResult result =
      Thunky({"run", program, "--fill", "zeros", "--max-steps", "10000"});
  EXPECT_EQ(result.exit_code, 1) << result;
  EXPECT_THAT(result.first_error_line(),
              AllOf(HasSubstr("iteration 3"), HasSubstr("10000 warp instructions")));
  result = Thunky(RunJax("saxpy", {"--max-steps", "1"}));
  EXPECT_EQ(result.exit_code, 1) << result;
}

TEST_F(RunOptionsTest, AFailedKernelIsOne) {
  const ProcessResult result =
      Thunky({"run", Program("trap_in_iteration_three"), "--fill", "zeros"});
  EXPECT_EQ(result.exit_code, 1) << result;
  EXPECT_THAT(result.first_error_line(),
              AllOf(HasSubstr("trap_in_iteration_three.textproto: "),
                    HasSubstr("thunks[1].while.body[0]"), HasSubstr("iteration 3"),
                    HasSubstr("'trap'")));
}

TEST_F(RunOptionsTest, ProfileHasATrackForEachStream) {
  const std::string trace = Path("trace.json");
  const ProcessResult result =
      Thunky({"run", Program("two_streams"), "--fill", "zeros", "--profile", trace});
  EXPECT_EQ(result.exit_code, 0) << result;
  const std::vector<uint8_t> bytes = ReadBytes(trace);
  const auto json = nlohmann::json::parse(bytes.begin(), bytes.end());
  EXPECT_EQ(json["schema"], 1);
  std::vector<std::string> tracks, kernels;
  for (const auto& event : json["traceEvents"]) {
    if (event["ph"] == "M") tracks.push_back(event["args"]["name"]);
    if (event["ph"] == "X" && event["cat"] == "kernel") kernels.push_back(event["name"]);
  }
  EXPECT_THAT(tracks, ElementsAre("main stream", "computation stream 1",
                                  "communication stream 1"));
  EXPECT_THAT(kernels, Not(IsEmpty()));
  const ProcessResult unwritable =
      Thunky({"run", Program("two_streams"), "--fill", "zeros", "--profile",
              Path("none/trace.json")});
  EXPECT_EQ(unwritable.exit_code, 1) << unwritable;
}

TEST_F(RunOptionsTest, ProfileOfLoopsAndBranches) {
  for (const char* program : {"cond", "while_collatz", "dyn_slice", "scan_elementwise"}) {
    const std::string trace = Path("trace.json");
    const ProcessResult result =
        Thunky(RunJax(program, {"--profile", trace, "--check", Jax(program, "io.npz")}));
    EXPECT_EQ(result.exit_code, 0) << result;
    const std::vector<uint8_t> bytes = ReadBytes(trace);
    EXPECT_GT(nlohmann::json::parse(bytes.begin(), bytes.end())["traceEvents"].size(),
              1u);
  }
}

TEST_F(RunOptionsTest, MaxDecodedLimitsMemory) {
  const std::string file = Data("fixtures/bench/chain_1000/executable.bin");
  EXPECT_EQ(Thunky({"inspect", file, "--max-decoded-mib", "8"}).exit_code, 0);
  for (const char* command : {"run", "inspect", "kernels"}) {
    const ProcessResult result = Thunky({command, file, "--max-decoded-mib", "1"});
    EXPECT_EQ(result.exit_code, 2) << result;
    EXPECT_THAT(result.first_error_line(),
                AllOf(HasSubstr(file + ": "), HasSubstr("1048576")));
  }
}

}  // namespace
}  // namespace thunky::cli_tests
