#include "thunky/runtime/thunks/while_thunk.h"

#include "absl/strings/str_cat.h"
#include "thunky/runtime/testing/program_test.h"

namespace thunky::runtime {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// Allocation 0 holds the predicate in its first byte, 1 a counter.
class WhileThunkTest : public ProgramTest {
 protected:
  WhileThunkTest() {
    kernels_->Define("below_5", 2, [](const hal::LaunchParams& params) {
      ArgumentI32(params, 0) = ArgumentI32(params, 1) < 5;
      return absl::OkStatus();
    });
    kernels_->Define("increment", 1, [](const hal::LaunchParams& params) {
      ++ArgumentI32(params, 0);
      return absl::OkStatus();
    });
    kernels_->Define("fail_at_3", 1, [](const hal::LaunchParams& params) {
      return ++ArgumentI32(params, 0) == 4 ? absl::AbortedError("trap")
                                           : absl::OkStatus();
    });
  }

  static std::string While(const std::string& condition, const std::string& body,
                           const std::string& trip_count = "") {
    return absl::StrCat(
        "thunks { while_thunk { condition_result_buffer_index { size: 1 } ",
        "condition_thunk_sequence { ", condition, " } body_thunk_sequence { ", body,
        " } ", trip_count, " } }");
  }
};

TEST_F(WhileThunkTest, RunsTheConditionBeforeEveryIteration) {
  std::vector<int32_t> values = {7, 2};
  ASSERT_EQ(RunI32(While(KernelThunk("below_5", {0, 1}), KernelThunk("increment", {1})),
                   &values),
            absl::OkStatus());
  EXPECT_THAT(values, ElementsAre(0, 5));
}

TEST_F(WhileThunkTest, AConditionThatIsFalseAtOnceRunsNoBody) {
  std::vector<int32_t> values = {1, 9};
  ASSERT_EQ(RunI32(While(KernelThunk("below_5", {0, 1}), KernelThunk("increment", {1})),
                   &values),
            absl::OkStatus());
  EXPECT_THAT(values, ElementsAre(0, 9));
}

TEST_F(WhileThunkTest, AKnownTripCountRunsNoCondition) {
  std::vector<int32_t> values = {77, 0};
  ASSERT_EQ(RunI32(While(KernelThunk("below_5", {0, 1}), KernelThunk("increment", {1}),
                         "trip_count: 9"),
                   &values),
            absl::OkStatus());
  EXPECT_THAT(values, ElementsAre(77, 9));
}

TEST_F(WhileThunkTest, EmptyBodiesAndTripCountZeroAreLegal) {
  std::vector<int32_t> values = {77, 6};
  ASSERT_EQ(RunI32(While("", "", "trip_count: 0"), &values), absl::OkStatus());
  ASSERT_EQ(RunI32(While("", "", "trip_count: 1000"), &values), absl::OkStatus());
  EXPECT_THAT(values, ElementsAre(77, 6));
  ASSERT_EQ(RunI32(While(KernelThunk("below_5", {0, 1}), ""), &values), absl::OkStatus());
  EXPECT_THAT(values, ElementsAre(0, 6));
}

TEST_F(WhileThunkTest, AnErrorNamesProgramPathLocationAndIteration) {
  std::vector<int32_t> values = {0, 0};
  absl::Status status =
      RunI32(While("", While("", KernelThunk("fail_at_3", {1}), "trip_count: 2"),
                   "trip_count: 5"),
             &values);
  EXPECT_EQ(status.code(), absl::StatusCode::kAborted);
  EXPECT_EQ(std::string(status.message()),
            "program 'test' on host: thunks[0].while.body[0].while.body[0] "
            "(custom_kernel 'fail_at_3') at kernel.fail_at_3, loop iterations 1 / 1: "
            "trap");
  // The device and the process are fine.
  values = {0, 0};
  EXPECT_EQ(RunI32(While("", KernelThunk("increment", {1}), "trip_count: 3"), &values),
            absl::OkStatus());
  EXPECT_THAT(values, ElementsAre(0, 3));
}

TEST_F(WhileThunkTest, AConditionThatWritesNoPredicateIsRefusedAtLoad) {
  std::vector<int32_t> values = {0, 0};
  absl::Status status = RunI32(
      While(KernelThunk("increment", {1}), KernelThunk("increment", {1})), &values);
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()), HasSubstr("thunks[0]"));
}

TEST_F(WhileThunkTest, ATimeLimitEndsAnEndlessLoop) {
  kernels_->Define("true", 1, [](const hal::LaunchParams& params) {
    ArgumentI32(params, 0) = 1;
    return absl::OkStatus();
  });
  CancellationToken token(CancellationToken::Clock::now() +
                          std::chrono::milliseconds(30));
  options_.cancellation = &token;
  std::vector<int32_t> values = {0, 0};
  absl::Status status =
      RunI32(While(KernelThunk("true", {0}), KernelThunk("increment", {1})), &values);
  EXPECT_EQ(status.code(), absl::StatusCode::kDeadlineExceeded);
  EXPECT_THAT(std::string(status.message()), HasSubstr("thunks[0]"));
  EXPECT_GT(values[1], 0);
}

}  // namespace
}  // namespace thunky::runtime
