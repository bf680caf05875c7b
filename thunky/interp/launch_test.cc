// Launches: what is validated, what ends them, and the device runtime's functions.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "thunky/interp/launch_for_test.h"

namespace thunky::interp {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr char kEndless[] = "LOOP: bra LOOP;";

TEST(LaunchTest, StepBudgetEndsALoop) {
  TestLaunch launch(Module("", kEndless));
  launch.params.step_budget = 100'000;
  const absl::Status status = launch.Run();
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(status.ToString(), HasSubstr("step budget of 100000"));
}

TEST(LaunchTest, DeadlineEndsALoop) {
  const CancellationToken token(CancellationToken::Clock::now() +
                                std::chrono::milliseconds(50));
  TestLaunch launch(Module("", kEndless));
  launch.params.cancellation = &token;
  EXPECT_EQ(launch.Block(64).Run().code(), absl::StatusCode::kDeadlineExceeded);
}

TEST(LaunchTest, DeadlineEndsAHugeGrid) {
  const CancellationToken token(CancellationToken::Clock::now() +
                                std::chrono::milliseconds(50));
  TestLaunch launch(Module("", "ret;"));
  launch.params.cancellation = &token;
  EXPECT_EQ(launch.Grid(2147483647, 65535, 65535).Run().code(),
            absl::StatusCode::kDeadlineExceeded);
}

TEST(LaunchTest, CancelledByAnotherThread) {
  CancellationToken token;
  TestLaunch launch(Module("", kEndless));
  launch.params.cancellation = &token;
  std::thread canceller([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    token.Cancel();
  });
  EXPECT_EQ(launch.Run().code(), absl::StatusCode::kCancelled);
  canceller.join();
}

TEST(LaunchTest, WaitingForALaterBlockEnds) {
  std::vector<uint32_t> data(1);
  TestLaunch launch(Module(".param .u64 data", R"(
    .reg .pred %p; .reg .b32 %r<4>; .reg .b64 %rd<2>;
    ld.param.u64 %rd1, [data];
    mov.u32 %r1, %ctaid.x;
    setp.eq.u32 %p, %r1, 1;
    @%p bra SET;
  WAIT:
    ld.volatile.global.u32 %r2, [%rd1];
    setp.eq.u32 %p, %r2, 0;
    @%p bra WAIT;
    ret;
  SET:
    st.volatile.global.u32 [%rd1], 1;
    ret;)"));
  launch.params.step_budget = 1'000'000;
  EXPECT_EQ(launch.Buffer(&data).Grid(2).Run().code(),
            absl::StatusCode::kResourceExhausted);
}

TEST(LaunchTest, ShapesAreChecked) {
  const std::string ptx = Module("", "ret;");
  EXPECT_TRUE(TestLaunch(ptx).Grid(0).Run().ok());
  EXPECT_TRUE(TestLaunch(ptx).Block(1024).Run().ok());
  EXPECT_THAT(TestLaunch(ptx).Block(1025).Run().ToString(), HasSubstr("1025"));
  EXPECT_THAT(TestLaunch(ptx).Block(0).Run().ToString(), HasSubstr("zero dimension"));
  EXPECT_THAT(TestLaunch(ptx).Shared(1 << 20).Run().ToString(), HasSubstr("1048576"));
  EXPECT_THAT(TestLaunch(ptx).Value(uint64_t{1}).Run().ToString(),
              HasSubstr("takes 0 parameters"));
}

TEST(LaunchTest, TrapEndsTheLaunch) {
  const absl::Status status = TestLaunch(Module("", R"(
    .reg .pred %p; .reg .b32 %r<2>;
    mov.u32 %r1, %tid.x;
    setp.eq.u32 %p, %r1, 37;
    @%p trap;
    ret;)"))
                                  .Block(64)
                                  .Run();
  EXPECT_EQ(status.code(), absl::StatusCode::kAborted);
  EXPECT_THAT(status.ToString(),
              AllOf(HasSubstr("thread (37,0,0), line 11"), HasSubstr("executed 'trap'")));
}

constexpr char kPrintf[] = R"(
.extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 a);
.global .align 1 .b8 format[] = {84, 61, 37, 100, 32, 37, 46, 50, 102, 32, 37, 115, 32, 37, 108, 108, 100, 10, 0};
.global .align 1 .b8 word[] = {111, 107, 0};
)";

TEST(PrintfTest, FormatsArguments) {
  TestLaunch launch(Module("", R"(
    .reg .b32 %r<4>; .reg .b64 %rd<8>; .reg .f64 %f1;
    .local .align 8 .b8 depot[32];
    mov.u64 %rd1, depot;
    cvta.local.u64 %rd2, %rd1;
    mov.u32 %r1, %tid.x;
    st.local.u32 [%rd1], %r1;
    mov.f64 %f1, 0d3FF8000000000000;
    st.local.f64 [%rd1+8], %f1;
    mov.u64 %rd3, word;
    cvta.global.u64 %rd4, %rd3;
    st.local.u64 [%rd1+16], %rd4;
    mov.u64 %rd5, -5;
    st.local.u64 [%rd1+24], %rd5;
    mov.u64 %rd6, format;
    cvta.global.u64 %rd7, %rd6;
    { .param .b64 f; .param .b64 a; .param .b32 r;
      st.param.b64 [f], %rd7;
      st.param.b64 [a], %rd2;
      call.uni (r), vprintf, (f, a);
      ld.param.b32 %r2, [r];
    }
    ret;)",
                           kPrintf));
  const absl::Status status = launch.Block(2).Run();
  ASSERT_TRUE(status.ok()) << status;
  EXPECT_EQ(launch.printed, "T=0 1.50 ok -5\nT=1 1.50 ok -5\n");
}

TEST(AssertTest, NamesExpressionAndPlace) {
  const absl::Status status = TestLaunch(Module("", R"(
    .reg .b64 %rd<5>;
    mov.u64 %rd1, message;
    cvta.global.u64 %rd2, %rd1;
    { .param .b64 a; .param .b64 b; .param .b32 c; .param .b64 d; .param .b64 e;
      st.param.b64 [a], %rd2;
      st.param.b64 [b], %rd2;
      st.param.b32 [c], 42;
      st.param.b64 [d], %rd2;
      st.param.b64 [e], 1;
      call.uni __assertfail, (a, b, c, d, e);
    }
    ret;)",
                                                R"(
.extern .func __assertfail (.param .b64 m, .param .b64 f, .param .b32 l, .param .b64 n, .param .b64 s) .noreturn;
.global .align 1 .b8 message[] = {97, 62, 98, 0};)"))
                                  .Run();
  EXPECT_EQ(status.code(), absl::StatusCode::kAborted);
  EXPECT_THAT(status.ToString(), HasSubstr("assertion 'a>b' failed at a>b:42 in a>b"));
}

constexpr char kHeap[] = R"(
.extern .func (.param .b64 r) malloc (.param .b64 n);
.extern .func free (.param .b64 p);
)";

TEST(HeapTest, AllocatesUsesAndFrees) {
  std::vector<uint32_t> out(40);
  TestLaunch launch(Module(".param .u64 out", R"(
    .reg .b32 %r<4>; .reg .b64 %rd<8>;
    ld.param.u64 %rd1, [out];
    mov.u32 %r1, %tid.x;
    { .param .b64 n; .param .b64 r;
      st.param.b64 [n], 100;
      call.uni (r), malloc, (n);
      ld.param.b64 %rd2, [r];
    }
    st.u32 [%rd2+96], %r1;
    ld.u32 %r2, [%rd2+96];
    mul.wide.u32 %rd3, %r1, 4;
    add.s64 %rd3, %rd1, %rd3;
    st.global.u32 [%rd3], %r2;
    { .param .b64 p;
      st.param.b64 [p], %rd2;
      call.uni free, (p);
    }
    ret;)",
                           kHeap));
  const absl::Status status = launch.Buffer(&out).Block(40).Run();
  ASSERT_TRUE(status.ok()) << status;
  for (uint32_t i = 0; i < 40; ++i) EXPECT_EQ(out[i], i);
}

TEST(HeapTest, IsBoundedAndChecked) {
  std::vector<uint64_t> out(1, 7);
  TestLaunch huge(Module(".param .u64 out", R"(
    .reg .b64 %rd<8>;
    ld.param.u64 %rd1, [out];
    { .param .b64 n; .param .b64 r;
      st.param.b64 [n], 0xffffffffffffffff;
      call.uni (r), malloc, (n);
      ld.param.b64 %rd2, [r];
    }
    st.global.u64 [%rd1], %rd2;
    ret;)",
                         kHeap));
  ASSERT_TRUE(huge.Buffer(&out).Run().ok());
  EXPECT_THAT(out, ElementsAre(0));
  TestLaunch wild(Module("", R"(
    { .param .b64 p;
      st.param.b64 [p], 1234;
      call.uni free, (p);
    }
    ret;)",
                         kHeap));
  EXPECT_THAT(wild.Run().ToString(), HasSubstr("free of 0x4d2"));
}

}  // namespace
}  // namespace thunky::interp
