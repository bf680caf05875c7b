#include "thunky/runtime/thunks/async_thunk.h"

#include <atomic>
#include <chrono>
#include <thread>

#include "absl/strings/str_cat.h"
#include "thunky/runtime/testing/program_test.h"

namespace thunky::runtime {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class AsyncThunkTest : public ProgramTest {
 protected:
  AsyncThunkTest() {
    kernels_->Define("increment", 1, [](const hal::LaunchParams& params) {
      ++ArgumentI32(params, 0);
      return absl::OkStatus();
    });
    // Waits until the other one of a pair has come too.
    kernels_->Define("meet", 1, [this](const hal::LaunchParams& params) {
      ++arrived_;
      for (int i = 0; i < 5000 && arrived_ < 2; ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
      ArgumentI32(params, 0) = arrived_ == 2;
      return absl::OkStatus();
    });
    kernels_->Define("fails", 1,
                     [](const hal::LaunchParams&) { return absl::AbortedError("trap"); });
  }

  static std::string Start(int id, const std::string& body,
                           const std::string& stream = "computation_stream_id: 1") {
    return absl::StrCat("thunks { async_start_thunk { async_execution_id: ", id, " ",
                        stream, " thunks { ", body, " } } } ");
  }
  static std::string Done(int id) {
    return absl::StrCat("thunks { async_done_thunk { async_execution_id: ", id, " } } ");
  }

  std::atomic<int> arrived_{0};
};

TEST_F(AsyncThunkTest, DoneWaitsForTheBody) {
  std::vector<int32_t> values = {4};
  ASSERT_EQ(RunI32(Start(1, KernelThunk("increment", {0})) + Done(1), &values),
            absl::OkStatus());
  EXPECT_THAT(values, ElementsAre(5));
}

TEST_F(AsyncThunkTest, StreamsOfDifferentKindsAreDifferent) {
  std::vector<int32_t> values = {0, 0};
  ASSERT_EQ(RunI32(Start(1, KernelThunk("meet", {0}), "computation_stream_id: 3") +
                       Start(2, KernelThunk("meet", {1}), "communication_stream_id: 3") +
                       Done(1) + Done(2),
                   &values),
            absl::OkStatus());
  EXPECT_THAT(values, ElementsAre(1, 1));
}

TEST_F(AsyncThunkTest, TheMainStreamGoesOnMeanwhile) {
  std::vector<int32_t> values = {0, 0};
  ASSERT_EQ(
      RunI32(Start(1, KernelThunk("meet", {0}), "") + KernelThunk("meet", {1}) + Done(1),
             &values),
      absl::OkStatus());
  EXPECT_THAT(values, ElementsAre(1, 1));
}

TEST_F(AsyncThunkTest, ControlFlowAndAsyncBodiesNest) {
  const std::string loop = absl::StrCat(
      "thunks { while_thunk { trip_count: 3 condition_result_buffer_index { size: 1 "
      "buffer_allocation_index: 1 } condition_thunk_sequence {} body_thunk_sequence { ",
      Start(8, KernelThunk("increment", {0}), "computation_stream_id: 1") + Done(8),
      " } } } ");
  std::vector<int32_t> values = {0, 0};
  ASSERT_EQ(RunI32(Start(1, loop, "computation_stream_id: 1") +
                       KernelThunk("increment", {1}) + Done(1),
                   &values),
            absl::OkStatus());
  EXPECT_THAT(values, ElementsAre(3, 1));
}

TEST_F(AsyncThunkTest, AnErrorInTheBodyComesOutOfDoneWithTheBodysPath) {
  std::vector<int32_t> values = {0};
  absl::Status status = RunI32(Start(1, KernelThunk("fails", {0})) + Done(1), &values);
  EXPECT_EQ(std::string(status.message()),
            "program 'test' on host: thunks[0].async_start.body[0] (custom_kernel "
            "'fails') at kernel.fails: trap");
}

TEST_F(AsyncThunkTest, AFailedRunWaitsForOpenBodies) {
  std::atomic<bool> finished{false};
  kernels_->Define("slow", 1, [&finished](const hal::LaunchParams& params) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    ++ArgumentI32(params, 0);
    finished = true;
    return absl::OkStatus();
  });
  std::vector<int32_t> values = {0, 0};
  absl::Status status = RunI32(
      Start(1, KernelThunk("slow", {0})) + KernelThunk("fails", {1}) + Done(1), &values);
  EXPECT_EQ(status.code(), absl::StatusCode::kAborted);
  EXPECT_TRUE(finished);
  EXPECT_THAT(values, ElementsAre(1, 0));
}

TEST_F(AsyncThunkTest, UnpairedStartsAndDonesAreRefusedAtLoad) {
  std::vector<int32_t> values = {0};
  const std::string body = KernelThunk("increment", {0});
  for (const std::string& thunks :
       {Start(1, body), Done(1), Start(1, body) + Start(1, body) + Done(1),
        Done(1) + Start(1, body)}) {
    absl::Status status = RunI32(thunks, &values);
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << thunks;
    EXPECT_THAT(std::string(status.message()), HasSubstr("thunks[")) << thunks;
  }
  EXPECT_THAT(values, ElementsAre(0));
}

}  // namespace
}  // namespace thunky::runtime
