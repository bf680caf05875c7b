#include "thunky/runtime/thunks/conditional_thunk.h"

#include "absl/strings/str_cat.h"
#include "thunky/runtime/testing/program_test.h"

namespace thunky::runtime {
namespace {

// Allocation 0 holds the index, 1 which branch ran.
class ConditionalThunkTest : public ProgramTest {
 protected:
  ConditionalThunkTest() {
    for (int i = 0; i < 3; ++i) {
      kernels_->Define(absl::StrCat("branch_", i), 1,
                       [i](const hal::LaunchParams& params) {
                         ArgumentI32(params, 0) = i;
                         return absl::OkStatus();
                       });
    }
  }

  static std::string Conditional(int index_size,
                                 const std::vector<std::string>& branches) {
    std::string text = absl::StrCat(
        "thunks { conditional_thunk { branch_index_buffer { slice { size: ", index_size,
        " } shape { element_type: ", index_size == 1 ? "PRED" : "S32", " } } ");
    for (const std::string& branch : branches) {
      absl::StrAppend(&text, "branch_thunks { ", branch, " } ");
    }
    return text + "} }";
  }

  // The branch that ran; -1: none.
  int Chosen(int index_size, int32_t index, const std::vector<std::string>& branches) {
    std::vector<int32_t> values = {index, -1};
    EXPECT_EQ(RunI32(Conditional(index_size, branches), &values), absl::OkStatus());
    return values[1];
  }

  std::vector<std::string> branches_ = {KernelThunk("branch_0", {1}),
                                        KernelThunk("branch_1", {1}),
                                        KernelThunk("branch_2", {1})};
};

TEST_F(ConditionalThunkTest, AnI32PicksItsBranchAndOutOfRangeTheLast) {
  EXPECT_EQ(Chosen(4, 0, branches_), 0);
  EXPECT_EQ(Chosen(4, 1, branches_), 1);
  EXPECT_EQ(Chosen(4, 2, branches_), 2);
  for (int32_t index : {-1, 3, INT32_MIN, INT32_MAX}) {
    EXPECT_EQ(Chosen(4, index, branches_), 2) << index;
  }
}

TEST_F(ConditionalThunkTest, TrueIsTheFirstBranch) {
  std::vector<std::string> two(branches_.begin(), branches_.begin() + 2);
  EXPECT_EQ(Chosen(1, 1, two), 0);
  EXPECT_EQ(Chosen(1, 0, two), 1);
}

TEST_F(ConditionalThunkTest, AnEmptyBranchDoesNothing) {
  EXPECT_EQ(Chosen(1, 1, {"", branches_[1]}), -1);
  EXPECT_EQ(Chosen(1, 0, {"", branches_[1]}), 1);
}

TEST_F(ConditionalThunkTest, ABoolWithThreeBranchesIsRefusedAtLoad) {
  std::vector<int32_t> values = {0, 0};
  EXPECT_EQ(RunI32(Conditional(1, branches_), &values).code(),
            absl::StatusCode::kInvalidArgument);
}

TEST_F(ConditionalThunkTest, AnErrorNamesTheBranch) {
  kernels_->Define("fails", 1,
                   [](const hal::LaunchParams&) { return absl::AbortedError("trap"); });
  std::vector<int32_t> values = {1, 0};
  absl::Status status =
      RunI32(Conditional(4, {branches_[0], KernelThunk("fails", {1})}), &values);
  EXPECT_THAT(std::string(status.message()),
              testing::HasSubstr("thunks[0].conditional.branches[1][0] (custom_kernel "
                                 "'fails') at kernel.fails: trap"));
}

}  // namespace
}  // namespace thunky::runtime
