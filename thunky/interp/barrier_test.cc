// Block barriers in all the places where they are legal, and where they are not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "thunky/interp/launch_for_test.h"

namespace thunky::interp {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::HasSubstr;

constexpr char kProlog[] = R"(
  .reg .pred %p<9>; .reg .b32 %r<20>; .reg .b64 %rd<20>;
  .shared .align 4 .b8 buffer[4096];
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %ntid.x;
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd2, %rd1, %rd2;
  shl.b32 %r3, %r1, 2;
  mov.u32 %r4, buffer;
  add.u32 %r5, %r4, %r3;
)";

struct Result {
  absl::Status status;
  std::vector<uint32_t> out;
};

Result RunOn(uint32_t threads, const std::string& body, bool checked = true) {
  Result result;
  result.out.resize(threads);
  TestLaunch launch(Module(".param .u64 out", kProlog + body));
  launch.params.step_budget = 10'000'000;
  if (checked) launch.Checked();
  result.status = launch.Buffer(&result.out).Block(threads).Run();
  return result;
}

// Every thread reads what the last one wrote: reversal through shared memory.
constexpr char kReverse[] = R"(
  st.shared.u32 [%r5], %r1;
  bar.sync 0;
  sub.u32 %r6, %r2, %r1;
  sub.u32 %r6, %r6, 1;
  shl.b32 %r6, %r6, 2;
  add.u32 %r6, %r4, %r6;
  ld.shared.u32 %r7, [%r6];
  st.global.u32 [%rd2], %r7;
  ret;)";

class ReverseTest : public ::testing::TestWithParam<uint32_t> {};

TEST_P(ReverseTest, AnyNumberOfThreads) {
  const uint32_t threads = GetParam();
  const Result result = RunOn(threads, kReverse);
  ASSERT_TRUE(result.status.ok()) << result.status;
  for (uint32_t i = 0; i < threads; ++i) EXPECT_EQ(result.out[i], threads - 1 - i);
}

INSTANTIATE_TEST_SUITE_P(Threads, ReverseTest,
                         ::testing::Values(1, 31, 32, 33, 64, 100, 1024));

TEST(BarrierTest, InNestedLoopsWithUniformTrips) {
  // A running sum over the block, once for each trip.
  const Result result = RunOn(33, R"(
    mov.u32 %r9, 0;
  OUTER:
    mov.u32 %r10, 0;
  INNER:
    add.u32 %r11, %r1, %r9;
    st.shared.u32 [%r5], %r11;
    bar.sync 0;
    ld.shared.u32 %r12, [buffer+128];
    bar.sync 0;
    add.u32 %r10, %r10, 1;
    setp.lt.u32 %p1, %r10, 2;
    @%p1 bra INNER;
    add.u32 %r9, %r9, 1;
    setp.lt.u32 %p1, %r9, 3;
    @%p1 bra OUTER;
    st.global.u32 [%rd2], %r12;
    ret;)");
  ASSERT_TRUE(result.status.ok()) << result.status;
  EXPECT_THAT(result.out, Each(34));
}

TEST(BarrierTest, AfterAnEarlyExit) {
  const Result result = RunOn(64, R"(
    setp.ge.u32 %p1, %r1, 20;
    @%p1 exit;
    st.shared.u32 [%r5], %r1;
    bar.sync 0;
    ld.shared.u32 %r7, [buffer+76];
    st.global.u32 [%rd2], %r7;
    ret;)");
  ASSERT_TRUE(result.status.ok()) << result.status;
  EXPECT_EQ(result.out[0], 19u);
  EXPECT_EQ(result.out[19], 19u);
  EXPECT_EQ(result.out[20], 0u);
}

// One barrier instruction in each branch: all threads arrive, so it completes. The
// checked mode calls it divergent.
constexpr char kBarrierInBothBranches[] = R"(
    st.shared.u32 [%r5], %r1;
    setp.lt.u32 %p1, %r1, 16;
    @%p1 bra LOW;
    bar.sync 0;
    ld.shared.u32 %r7, [buffer];
    bra END;
  LOW:
    bar.sync 0;
    ld.shared.u32 %r7, [buffer+124];
  END:
    st.global.u32 [%rd2], %r7;
    ret;)";

TEST(BarrierTest, InBothBranches) {
  const Result result = RunOn(32, kBarrierInBothBranches, /*checked=*/false);
  ASSERT_TRUE(result.status.ok()) << result.status;
  EXPECT_EQ(result.out[0], 31u);
  EXPECT_EQ(result.out[31], 0u);
}

TEST(BarrierTest, InBothBranchesIsReportedWhenChecked) {
  const Result result = RunOn(32, kBarrierInBothBranches);
  EXPECT_EQ(result.status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(
      result.status.ToString(),
      AllOf(HasSubstr("barrier divergence"), HasSubstr("line 22"), HasSubstr("line 26")));
}

TEST(BarrierTest, DifferentBarriersNeverComplete) {
  const Result result = RunOn(32, R"(
    setp.lt.u32 %p1, %r1, 16;
    @%p1 bra LOW;
    bar.sync 1;
    ret;
  LOW:
    bar.sync 2;
    ret;)");
  EXPECT_EQ(result.status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(result.status.ToString(),
              AllOf(HasSubstr("no thread can go on"),
                    HasSubstr("barrier 1: 16 of 32 threads have arrived (line 21)"),
                    HasSubstr("barrier 2: 16 of 32 threads have arrived (line 24)")));
}

TEST(BarrierTest, MissingWarpIsReported) {
  const Result result = RunOn(96, R"(
    setp.lt.u32 %p1, %r1, 32;
    @%p1 exit;
    bar.sync 0, 96;
    ret;)");
  EXPECT_THAT(result.status.ToString(),
              HasSubstr("barrier 0: 64 of 96 threads have arrived (line 21)"));
}

TEST(BarrierTest, CountsThatDiffer) {
  const Result result = RunOn(64, R"(
    setp.lt.u32 %p1, %r1, 32;
    @%p1 bra LOW;
    bar.sync 3, 64;
    ret;
  LOW:
    bar.sync 3, 32;
    bar.sync 3, 96;
    ret;)");
  EXPECT_THAT(result.status.ToString(), HasSubstr("barrier 3 is used with"));
}

TEST(BarrierTest, InvalidNumbersAndCounts) {
  EXPECT_THAT(RunOn(32, "mov.u32 %r6, 16; bar.sync %r6; ret;").status.ToString(),
              HasSubstr("barrier 16 does not exist"));
  EXPECT_THAT(RunOn(32, "mov.u32 %r6, 33; bar.sync 1, %r6; ret;").status.ToString(),
              HasSubstr("not a multiple of 32"));
}

// Producer warp arrives without waiting; consumer warp waits.
TEST(BarrierTest, ProducerAndConsumer) {
  const Result result = RunOn(64, R"(
    setp.lt.u32 %p1, %r1, 32;
    @%p1 bra CONSUMER;
    st.shared.u32 [%r5], %r1;
    bar.arrive 5, 64;
    ret;
  CONSUMER:
    bar.sync 5, 64;
    ld.shared.u32 %r7, [%r5+128];
    st.global.u32 [%rd2], %r7;
    ret;)");
  ASSERT_TRUE(result.status.ok()) << result.status;
  for (uint32_t i = 0; i < 32; ++i) EXPECT_EQ(result.out[i], i + 32);
}

TEST(BarrierTest, Reductions) {
  const Result result = RunOn(70, R"(
    setp.lt.u32 %p1, %r1, 40;
    setp.lt.u32 %p2, %r1, 70;
    bar.red.popc.u32 %r6, 0, %p1;
    bar.red.and.pred %p3, 0, %p1;
    bar.red.or.pred %p4, 0, !%p2;
    bar.red.and.pred %p5, 0, %p2;
    selp.u32 %r7, 1000, 0, %p3;
    selp.u32 %r8, 2000, 0, %p4;
    selp.u32 %r9, 4000, 0, %p5;
    add.u32 %r6, %r6, %r7; add.u32 %r6, %r6, %r8; add.u32 %r6, %r6, %r9;
    st.global.u32 [%rd2], %r6;
    ret;)");
  ASSERT_TRUE(result.status.ok()) << result.status;
  EXPECT_THAT(result.out, Each(4040));
}

TEST(BarrierTest, GuardedByAUniformPredicate) {
  const Result result = RunOn(64, R"(
    setp.lt.u32 %p1, %r2, 100;
    st.shared.u32 [%r5], %r1;
    @%p1 bar.sync 0;
    ld.shared.u32 %r7, [buffer+252];
    st.global.u32 [%rd2], %r7;
    ret;)");
  ASSERT_TRUE(result.status.ok()) << result.status;
  EXPECT_THAT(result.out, Each(63));
}

// Threads leave a loop at different trips and meet at the barrier behind it.
TEST(BarrierTest, BehindADivergentLoop) {
  const Result result = RunOn(64, R"(
    mov.u32 %r9, 0;
  LOOP:
    add.u32 %r9, %r9, 1;
    setp.lt.u32 %p1, %r9, %r1;
    @%p1 bra LOOP;
    st.shared.u32 [%r5], %r9;
    bar.sync 0;
    ld.shared.u32 %r7, [buffer+252];
    st.global.u32 [%rd2], %r7;
    ret;)");
  ASSERT_TRUE(result.status.ok()) << result.status;
  EXPECT_THAT(result.out, Each(63));
}

}  // namespace
}  // namespace thunky::interp
