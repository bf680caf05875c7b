#include "thunky/runtime/thunks/sequential_thunk.h"

#include "absl/strings/str_cat.h"
#include "thunky/runtime/testing/program_test.h"

namespace thunky::runtime {
namespace {

class SequentialThunkTest : public ProgramTest {
 protected:
  static std::string Sequential(const std::string& thunks) {
    return absl::StrCat("thunks { sequential_thunk { ", thunks, " } } ");
  }
};

TEST_F(SequentialThunkTest, RunsInOrder) {
  kernels_->Define("double", 1, [](const hal::LaunchParams& params) {
    ArgumentI32(params, 0) *= 2;
    return absl::OkStatus();
  });
  kernels_->Define("increment", 1, [](const hal::LaunchParams& params) {
    ++ArgumentI32(params, 0);
    return absl::OkStatus();
  });
  std::vector<int32_t> values = {3};
  ASSERT_EQ(RunI32(Sequential(KernelThunk("double", {0}) +
                              Sequential(KernelThunk("increment", {0})) +
                              KernelThunk("double", {0}) + Sequential("")),
                   &values),
            absl::OkStatus());
  EXPECT_THAT(values, testing::ElementsAre(14));
}

TEST_F(SequentialThunkTest, AnErrorNamesTheNestedThunk) {
  kernels_->Define("fails", 1,
                   [](const hal::LaunchParams&) { return absl::AbortedError("trap"); });
  std::vector<int32_t> values = {0};
  absl::Status status =
      RunI32(Sequential(Sequential(KernelThunk("fails", {0}))), &values);
  EXPECT_THAT(std::string(status.message()),
              testing::HasSubstr("thunks[0].sequential[0].sequential[0] (custom_kernel"));
}

}  // namespace
}  // namespace thunky::runtime
