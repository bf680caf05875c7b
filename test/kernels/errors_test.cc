// What a kernel that goes wrong is reported as, and what is no error.
#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "test/kernels/kernel_fixture.h"

namespace thunky::kernel_tests {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAreArray;
using ::testing::HasSubstr;

class PredicationTest : public KernelTest {};

TEST_P(PredicationTest, LoadThatIsOffTouchesNoMemory) {
  const auto in = RandomInts(n(), 1, -1000, 1000);
  std::vector<int32_t> expected(n());
  for (int i = 0; i < n(); ++i) expected[i] = i % 2 == 0 ? in[i] : -i;
  const Scenario scenario = {{ToBytes(in), Bytes(n() * 4, 0xAA)},
                             {{"errors",
                               "predicated_off_load",
                               {Blocks(threads())},
                               block(),
                               0,
                               {Buffer(0), Buffer(1), Value(n())}}}};
  RunAndCheck(scenario, [&](const std::vector<Bytes>& buffers) {
    EXPECT_THAT(FromBytes<int32_t>(buffers[1]), ElementsAreArray(expected));
  });
}

INSTANTIATE_KERNEL_TEST(PredicationTest, (hal::Dim3{33}), (hal::Dim3{128}));

class KernelErrorTest : public MachineTest {
 protected:
  void SetUp() override {
    if (!GetParam().has_checks) {
      GTEST_SKIP() << GetParam().name << " reports no positions";
    }
  }

  // One launch of errors.ptx on one buffer of `words` zeros.
  static Scenario OneBuffer(const std::string& module, const std::string& entry,
                            hal::Dim3 grid, hal::Dim3 block, size_t words,
                            std::vector<Argument> more, uint64_t shared = 0) {
    std::vector<Argument> arguments = {Buffer(0)};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return {{Bytes(words * 4)}, {{module, entry, grid, block, shared, arguments}}};
  }

  // The number of the first line of the PTX that holds `text`.
  static int LineOf(const std::string& module, const std::string& text) {
    return LineAfter(module, "", text);
  }

  // The same, from the first line on that holds `start`.
  static int LineAfter(const std::string& module, const std::string& start,
                       const std::string& text) {
    const auto ptx = ReadPtx(module);
    const size_t from = ptx->find(start);
    const size_t at = from == std::string::npos ? from : ptx->find(text, from);
    if (at == std::string::npos) {
      ADD_FAILURE() << module << " has no '" << text << "' after '" << start << "'";
      return 0;
    }
    return 1 + static_cast<int>(std::count(ptx->begin(), ptx->begin() + at, '\n'));
  }
};

TEST_P(KernelErrorTest, TrapNamesBlockThreadAndLine) {
  const auto scenario =
      OneBuffer("errors", "trap_at", {4}, {32}, 128, {Value(70), Value(128)});
  const absl::Status status = RunOnce(scenario);
  EXPECT_EQ(status.code(), absl::StatusCode::kAborted) << status;
  EXPECT_THAT(
      std::string(status.message()),
      AllOf(HasSubstr("trap_at"), HasSubstr("block (2,0,0)"), HasSubstr("thread (6,0,0)"),
            HasSubstr(absl::StrCat("line ", LineOf("errors", "trap;")))));
}

TEST_P(KernelErrorTest, NoTrapWhereNoThreadHasTheNumber) {
  const auto scenario =
      OneBuffer("errors", "trap_at", {4}, {32}, 128, {Value(128), Value(128)});
  std::vector<Bytes> results;
  ASSERT_EQ(RunOnce(scenario, {}, &results), absl::OkStatus());
  std::vector<int32_t> expected(128);
  for (int i = 0; i < 128; ++i) expected[i] = i;
  EXPECT_THAT(FromBytes<int32_t>(results[0]), ElementsAreArray(expected));
}

TEST_P(KernelErrorTest, WritePastTheEndIsOutOfRange) {
  const auto scenario = OneBuffer("errors", "write_past_end", {1}, {64}, 40, {Value(40)});
  const absl::Status status = RunOnce(scenario);
  EXPECT_EQ(status.code(), absl::StatusCode::kOutOfRange) << status;
  EXPECT_THAT(std::string(status.message()),
              AllOf(HasSubstr("write_past_end"), HasSubstr("thread (40,0,0)"),
                    HasSubstr("buffer 0")));
}

TEST_P(KernelErrorTest, MachineWorksAfterAnError) {
  const auto machine = GetParam().make();
  const auto bad = OneBuffer("errors", "trap_at", {1}, {32}, 32, {Value(3), Value(32)});
  const auto good = OneBuffer("errors", "trap_at", {1}, {32}, 32, {Value(-1), Value(32)});
  for (int i = 0; i < 3; ++i) {
    std::vector<Bytes> buffers = bad.buffers;
    EXPECT_FALSE(machine->Run(bad.launches, buffers, {}).ok());
    EXPECT_EQ(machine->Run(good.launches, buffers, {}), absl::OkStatus());
  }
}

TEST_P(KernelErrorTest, PrintfComesInThreadOrderWithinAWarp) {
  std::string printed;
  const Scenario scenario = {
      {ToBytes(std::vector<int32_t>{3, -4, 100})},
      {{"errors", "print_values", {1}, {32}, 0, {Buffer(0), Value(3)}}}};
  ASSERT_EQ(RunOnce(scenario, {.print = [&](std::string_view s) { printed += s; }}),
            absl::OkStatus());
  EXPECT_EQ(printed,
            "value[0] = 3,  1.50 units\n"
            "value[1] = -4, -2.00 units\n"
            "value[2] = 100, 50.00 units\n");
}

TEST_P(KernelErrorTest, EndlessKernelMeetsItsDeadline) {
  const auto scenario = OneBuffer("errors", "endless", {1}, {32}, 1, {});
  const CancellationToken soon(CancellationToken::Clock::now() +
                               std::chrono::milliseconds(100));
  const absl::Status status = RunOnce(scenario, {.cancellation = &soon});
  EXPECT_EQ(status.code(), absl::StatusCode::kDeadlineExceeded) << status;
}

TEST_P(KernelErrorTest, EndlessKernelSpendsItsStepBudget) {
  const auto scenario = OneBuffer("errors", "endless", {1}, {32}, 1, {});
  const absl::Status status = RunOnce(scenario, {.step_budget = 100000});
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr("endless"));
}

TEST_P(KernelErrorTest, DivergentBarrierIsReportedWhenChecked) {
  const auto scenario = OneBuffer("barriers", "divergent_barrier", {1}, {32}, 32, {});
  EXPECT_EQ(RunOnce(scenario), absl::OkStatus());
  const absl::Status status = RunOnce(scenario, {.checks = {.barrier_divergence = true}});
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition) << status;
  EXPECT_THAT(std::string(status.message()),
              AllOf(HasSubstr("divergent_barrier"),
                    HasSubstr(absl::StrCat("line ", LineOf("barriers", "// even"))),
                    HasSubstr(absl::StrCat("line ", LineOf("barriers", "// odd")))));
}

// On a GPU this kernel hangs.
TEST_P(KernelErrorTest, BarriersThatCannotBePassedAreReported) {
  const auto scenario = OneBuffer("barriers", "halves_wait_apart", {1}, {64}, 64, {});
  const absl::Status status = RunOnce(scenario);
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition) << status;
  EXPECT_THAT(
      std::string(status.message()),
      AllOf(HasSubstr("halves_wait_apart"), HasSubstr("barrier 1: 32 of 64 threads"),
            HasSubstr("barrier 2: 32 of 64"),
            HasSubstr(absl::StrCat("line ", LineOf("barriers", "bar.sync 1;")))));
}

TEST_P(KernelErrorTest, RaceReportNamesBothLines) {
  const auto scenario = OneBuffer("barriers", "missing_barrier", {1}, {64}, 64, {}, 256);
  const absl::Status status = RunOnce(scenario, {.checks = {.races = true}});
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition) << status;
  const std::string entry = ".entry missing_barrier";
  EXPECT_THAT(
      std::string(status.message()),
      AllOf(HasSubstr("missing_barrier"), HasSubstr("race"),
            HasSubstr(absl::StrCat("line ", LineAfter("barriers", entry, "st.shared"))),
            HasSubstr(absl::StrCat("line ", LineAfter("barriers", entry, "ld.shared")))));
}

TEST_P(KernelErrorTest, RaceIsNoErrorWithoutChecks) {
  const auto scenario = OneBuffer("barriers", "missing_barrier", {1}, {64}, 64, {}, 256);
  EXPECT_EQ(RunOnce(scenario), absl::OkStatus());
}

TEST_P(KernelErrorTest, UnwrittenSharedMemoryIsReported) {
  const auto scenario = OneBuffer("barriers", "unwritten_shared", {1}, {32}, 32, {}, 256);
  const absl::Status status = RunOnce(scenario, {.checks = kAllChecks});
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition) << status;
  EXPECT_THAT(std::string(status.message()),
              AllOf(HasSubstr("unwritten_shared"), HasSubstr("shared memory")));
}

class LoadErrorTest : public MachineTest {
 protected:
  absl::Status Load(const std::string& ptx, const std::string& entry = "add_to") {
    return GetParam().make()->Load({.entry = entry,
                                    .ptx = std::make_shared<const std::string>(ptx),
                                    .origin = "steps.ptx"});
  }
};

TEST_P(LoadErrorTest, MissingEntry) {
  const absl::Status status = Load(*ReadPtx("steps"), "add_two");
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr("add_two"));
}

TEST_P(LoadErrorTest, EmptyTruncatedAndForeignTextDiffer) {
  const std::string ptx = *ReadPtx("steps");
  const std::string texts[] = {"", ptx.substr(0, ptx.find("st.global")),
                               std::string("\x7f"
                                           "ELF\x02\x01\x01\0\0",
                                           9),
                               "define void @add_to() { ret void }"};
  std::vector<std::string> messages;
  for (const std::string& text : texts) {
    const absl::Status status = Load(text);
    EXPECT_FALSE(status.ok()) << text.substr(0, 20);
    EXPECT_THAT(messages, ::testing::Not(::testing::Contains(status.message())));
    messages.push_back(std::string(status.message()));
  }
}

TEST_P(LoadErrorTest, NewerVersionNamesBoth) {
  std::string ptx = *ReadPtx("steps");
  ptx.replace(ptx.find(".version 9.0"), 12, ".version 99.0");
  const absl::Status status = Load(ptx);
  EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented) << status;
  EXPECT_THAT(std::string(status.message()), AllOf(HasSubstr("99.0"), HasSubstr("9.3")));
}

TEST_P(LoadErrorTest, WrongNumberOfArguments) {
  Scenario scenario = {{Bytes(4)}, {{"steps", "add_to", {1}, {1}, 0, {Buffer(0)}}}};
  const absl::Status status = RunOnce(scenario);
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr("2 parameters"));
}

INSTANTIATE_MACHINE_TEST(KernelErrorTest);
INSTANTIATE_MACHINE_TEST(LoadErrorTest);

}  // namespace
}  // namespace thunky::kernel_tests
