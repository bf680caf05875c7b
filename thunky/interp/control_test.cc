// Divergence, loops, calls, and lanes that wait for each other.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "thunky/interp/launch_for_test.h"

namespace thunky::interp {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// %rd2 = address of element %tid.x of the first parameter, %r1 = %tid.x
constexpr char kProlog[] = R"(
  .reg .pred %p<9>; .reg .b32 %r<20>; .reg .b64 %rd<20>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd2, %rd1, %rd2;
)";

std::vector<uint32_t> RunOn(uint32_t threads, const std::string& body,
                            const std::string& before = "") {
  std::vector<uint32_t> out(threads);
  TestLaunch launch(Module(".param .u64 out", kProlog + body, before));
  const absl::Status status = launch.Buffer(&out).Block(threads).Run();
  EXPECT_TRUE(status.ok()) << status;
  return out;
}

TEST(ControlTest, NestedDivergence) {
  const std::vector<uint32_t> out = RunOn(64, R"(
    mov.u32 %r3, 0;
    setp.lt.u32 %p1, %r1, 40;
    @!%p1 bra ELSE;
    and.b32 %r2, %r1, 1;
    setp.eq.u32 %p2, %r2, 0;
    @%p2 bra EVEN;
    add.u32 %r3, %r3, 1;
    bra JOIN;
  EVEN:
    add.u32 %r3, %r3, 2;
    bra JOIN;
  ELSE:
    mov.u32 %r3, 10;
  JOIN:
    add.u32 %r3, %r3, 100;
    st.global.u32 [%rd2], %r3;
    ret;)");
  for (uint32_t i = 0; i < 64; ++i) {
    EXPECT_EQ(out[i], i >= 40 ? 110 : i % 2 == 0 ? 102 : 101) << i;
  }
}

TEST(ControlTest, LoopsOfDifferentLength) {
  const std::vector<uint32_t> out = RunOn(33, R"(
    mov.u32 %r3, 0;
    mov.u32 %r4, 0;
  OUTER:
    mov.u32 %r5, 0;
  INNER:
    add.u32 %r3, %r3, 1;
    add.u32 %r5, %r5, 1;
    setp.le.u32 %p1, %r5, %r4;
    @%p1 bra INNER;
    add.u32 %r4, %r4, 1;
    setp.le.u32 %p1, %r4, %r1;
    @%p1 bra OUTER;
    activemask.b32 %r6;
    st.global.u32 [%rd2], %r3;
    ret;)");
  for (uint32_t i = 0; i < 33; ++i) EXPECT_EQ(out[i], (i + 1) * (i + 2) / 2) << i;
}

TEST(ControlTest, LanesMeetAgainAfterABranch) {
  const std::vector<uint32_t> out = RunOn(32, R"(
    setp.lt.u32 %p1, %r1, 7;
    @%p1 bra A;
    bra B;
  A:
    mov.u32 %r3, 5;
  B:
    activemask.b32 %r3;
    st.global.u32 [%rd2], %r3;
    ret;)");
  EXPECT_EQ(out[0], 0xffffffffu);
  EXPECT_EQ(out[31], 0xffffffffu);
}

// Two entries into a loop: no structured nesting describes it.
TEST(ControlTest, UnstructuredLoop) {
  const std::vector<uint32_t> out = RunOn(32, R"(
    mov.u32 %r3, 0;
    mov.u32 %r4, 0;
    and.b32 %r5, %r1, 1;
    setp.eq.u32 %p1, %r5, 0;
    @%p1 bra SECOND;
  FIRST:
    add.u32 %r3, %r3, 1;
  SECOND:
    add.u32 %r3, %r3, 16;
    add.u32 %r4, %r4, 1;
    setp.lt.u32 %p2, %r4, 3;
    @%p2 bra FIRST;
    st.global.u32 [%rd2], %r3;
    ret;)");
  EXPECT_EQ(out[0], 50u);
  EXPECT_EQ(out[1], 51u);
}

TEST(ControlTest, IndexedBranch) {
  const std::string body = R"(
    and.b32 %r2, %r1, 3;
    TABLE: .branchtargets L0, L1, L0, L2;
    brx.idx %r2, TABLE;
  L0: mov.u32 %r3, 10; bra END;
  L1: mov.u32 %r3, 11; bra END;
  L2: mov.u32 %r3, 12;
  END:
    st.global.u32 [%rd2], %r3;
    ret;)";
  EXPECT_THAT(RunOn(4, body), ElementsAre(10, 11, 10, 12));
}

TEST(ControlTest, IndexOutsideTheTable) {
  std::vector<uint32_t> out(1);
  TestLaunch launch(Module(".param .u64 out", std::string(kProlog) + R"(
    TABLE: .branchtargets L0;
    mov.u32 %r2, 7;
    brx.idx %r2, TABLE;
  L0: ret;)"));
  EXPECT_THAT(launch.Buffer(&out).Run().ToString(), HasSubstr("branch index 7"));
}

TEST(ControlTest, GuardedInstructionsAndExits) {
  const std::vector<uint32_t> out = RunOn(32, R"(
    mov.u32 %r3, 1;
    setp.lt.u32 %p1, %r1, 8;
    setp.eq.u32 %p2, %r1, 9;
    @%p1 mov.u32 %r3, 2;
    @!%p1 add.u32 %r3, %r3, 10;
    @%p2 exit;
    st.global.u32 [%rd2], %r3;
    ret;)");
  EXPECT_EQ(out[0], 2u);
  EXPECT_EQ(out[8], 11u);
  EXPECT_EQ(out[9], 0u);
  EXPECT_EQ(out[10], 11u);
}

constexpr char kFactorial[] = R"(
.func (.param .b32 result) factorial(.param .b32 n)
{
  .reg .pred %p; .reg .b32 %r<5>;
  ld.param.b32 %r1, [n];
  setp.gt.u32 %p, %r1, 1;
  @%p bra MORE;
  st.param.b32 [result], 1;
  ret;
MORE:
  sub.u32 %r2, %r1, 1;
  { .param .b32 a; .param .b32 r;
    st.param.b32 [a], %r2;
    call.uni (r), factorial, (a);
    ld.param.b32 %r3, [r];
  }
  mul.lo.u32 %r4, %r3, %r1;
  st.param.b32 [result], %r4;
  ret;
}
)";

TEST(CallTest, DivergentRecursion) {
  EXPECT_THAT(RunOn(6, R"(
    { .param .b32 a; .param .b32 r;
      st.param.b32 [a], %r1;
      call.uni (r), factorial, (a);
      ld.param.b32 %r3, [r];
    }
    st.global.u32 [%rd2], %r3;
    ret;)",
                    kFactorial),
              ElementsAre(1, 1, 2, 6, 24, 120));
}

TEST(CallTest, RecursionIsLimited) {
  std::vector<uint32_t> out(1);
  TestLaunch launch(Module(".param .u64 out", std::string(kProlog) + R"(
    mov.u32 %r1, 1000000;
    { .param .b32 a; .param .b32 r;
      st.param.b32 [a], %r1;
      call.uni (r), factorial, (a);
      ld.param.b32 %r3, [r];
    }
    st.global.u32 [%rd1], %r3;
    ret;)",
                           kFactorial));
  const absl::Status status = launch.Buffer(&out).Run();
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(status.ToString(), HasSubstr("1024 deep"));
}

TEST(CallTest, ThroughPointersOfATable) {
  EXPECT_THAT(RunOn(4, R"(
    and.b32 %r2, %r1, 1;
    mul.wide.u32 %rd3, %r2, 8;
    mov.u64 %rd4, table;
    add.s64 %rd4, %rd4, %rd3;
    ld.global.u64 %rd5, [%rd4];
    { .param .b32 a; .param .b32 r;
      st.param.b32 [a], %r1;
      PROTO: .callprototype (.param .b32 _) _ (.param .b32 _);
      call (r), %rd5, (a), PROTO;
      ld.param.b32 %r3, [r];
    }
    st.global.u32 [%rd2], %r3;
    ret;)",
                    R"(
.func (.param .b32 result) plus(.param .b32 n)
{ .reg .b32 %r<3>; ld.param.b32 %r1, [n]; add.u32 %r2, %r1, 100; st.param.b32 [result], %r2; ret; }
.func (.param .b32 result) times(.param .b32 n)
{ .reg .b32 %r<3>; ld.param.b32 %r1, [n]; mul.lo.u32 %r2, %r1, 7; st.param.b32 [result], %r2; ret; }
.global .u64 table[2] = {plus, times};)"),
              ElementsAre(100, 7, 102, 21));
}

TEST(CallTest, WildPointer) {
  std::vector<uint32_t> out(1);
  TestLaunch launch(Module(".param .u64 out", std::string(kProlog) + R"(
    mov.u64 %rd5, 0x1234;
    PROTO: .callprototype _ ();
    call %rd5, (), PROTO;
    ret;)"));
  EXPECT_THAT(launch.Buffer(&out).Run().ToString(),
              HasSubstr("not the address of a function"));
}

// Each lane takes the lock of all lanes in turn.
TEST(FairnessTest, SpinLockAmongLanesOfAWarp) {
  std::vector<uint32_t> data(2);
  TestLaunch launch(Module(".param .u64 out", R"(
    .reg .pred %p; .reg .b32 %r<9>; .reg .b64 %rd<3>;
    ld.param.u64 %rd1, [out];
  AGAIN:
    atom.global.cas.b32 %r1, [%rd1], 0, 1;
    setp.ne.u32 %p, %r1, 0;
    @%p bra AGAIN;
    ld.volatile.global.u32 %r2, [%rd1+4];
    add.u32 %r2, %r2, 1;
    st.volatile.global.u32 [%rd1+4], %r2;
    membar.gl;
    atom.global.exch.b32 %r3, [%rd1], 0;
    ret;)"));
  launch.params.step_budget = 50'000'000;
  const absl::Status status = launch.Buffer(&data).Block(64).Run();
  EXPECT_TRUE(status.ok()) << status;
  EXPECT_THAT(data, ElementsAre(0, 64));
}

// Warp 0 waits for a flag that warp 1 sets.
TEST(FairnessTest, SpinBetweenWarps) {
  std::vector<uint32_t> data(64);
  TestLaunch launch(Module(".param .u64 out", std::string(kProlog) + R"(
    .shared .u32 flag;
    mov.u32 %r9, 0;
    setp.ge.u32 %p1, %r1, 32;
    @%p1 bra SET;
  WAIT:
    ld.volatile.shared.u32 %r3, [flag];
    setp.eq.u32 %p2, %r3, 0;
    @%p2 bra WAIT;
    st.global.u32 [%rd2], %r3;
    ret;
  SET:
    st.volatile.shared.u32 [flag], 5;
    ret;)"));
  launch.params.step_budget = 10'000'000;
  const absl::Status status = launch.Buffer(&data).Block(64).Run();
  EXPECT_TRUE(status.ok()) << status;
  EXPECT_EQ(data[0], 5u);
}

// Blocks run in order, so a block may wait for one before it.
TEST(FairnessTest, WaitForAnEarlierBlock) {
  std::vector<uint32_t> data(5);
  TestLaunch launch(Module(".param .u64 out", R"(
    .reg .pred %p; .reg .b32 %r<9>; .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [out];
    mov.u32 %r1, %ctaid.x;
    mul.wide.u32 %rd2, %r1, 4;
    add.s64 %rd2, %rd1, %rd2;
    mov.u32 %r2, 1;
    setp.eq.u32 %p, %r1, 0;
    @%p bra PUBLISH;
  WAIT:
    ld.acquire.gpu.global.u32 %r3, [%rd2+-4];
    setp.eq.u32 %p, %r3, 0;
    @%p bra WAIT;
    add.u32 %r2, %r3, 1;
  PUBLISH:
    st.release.gpu.global.u32 [%rd2], %r2;
    ret;)"));
  const absl::Status status = launch.Buffer(&data).Grid(5).Run();
  EXPECT_TRUE(status.ok()) << status;
  EXPECT_THAT(data, ElementsAre(1, 2, 3, 4, 5));
}

TEST(SpecialRegisterTest, PositionsInThreeDimensions) {
  std::vector<uint32_t> out(2 * 3 * 4 * 2);
  TestLaunch launch(Module(".param .u64 out", R"(
    .reg .b32 %r<20>; .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [out];
    mov.u32 %r1, %tid.x; mov.u32 %r2, %tid.y; mov.u32 %r3, %tid.z;
    mov.u32 %r4, %ntid.x; mov.u32 %r5, %ntid.y; mov.u32 %r6, %ntid.z;
    mad.lo.u32 %r7, %r3, %r5, %r2;
    mad.lo.u32 %r7, %r7, %r4, %r1;
    mov.u32 %r8, %ctaid.y;
    mad.lo.u32 %r7, %r8, 24, %r7;
    mul.wide.u32 %rd2, %r7, 4;
    add.s64 %rd1, %rd1, %rd2;
    mov.u32 %r9, %nctaid.y;
    mov.u32 %r10, %laneid;
    mad.lo.u32 %r11, %r10, 100, %r9;
    st.global.u32 [%rd1], %r11;
    ret;)"));
  const absl::Status status = launch.Buffer(&out).Grid(1, 2).Block(2, 3, 4).Run();
  ASSERT_TRUE(status.ok()) << status;
  for (uint32_t i = 0; i < out.size(); ++i) EXPECT_EQ(out[i], i % 24 * 100 + 2) << i;
}

TEST(SpecialRegisterTest, LaneMasksClocksAndClusters) {
  EXPECT_THAT(Evaluate("mov.u32 %d, %lanemask_le;", "b32", {{"b32", {0, 0, 0}}}),
              ElementsAre(1, 3, 7));
  EXPECT_THAT(Evaluate("mov.u32 %d, %lanemask_gt;", "b32", {{"b32", {0, 0}}}),
              ElementsAre(0xfffffffe, 0xfffffffc));
  EXPECT_THAT(Evaluate("mov.u32 %d, %cluster_nctaid.x;", "b32", {{"b32", {0}}}),
              ElementsAre(1));
  EXPECT_EQ(Evaluate("{.reg .b64 %s; .reg .pred %z; mov.u64 %s, %clock64; "
                     "mov.u64 %d, %clock64; sub.u64 %d, %d, %s;}",
                     "b64", {{"b64", {0}}})[0] >>
                32,
            0u);
  EXPECT_GT(Evaluate("mov.u64 %d, %globaltimer;", "b64", {{"b64", {0}}})[0],
            1'500'000'000'000'000'000u);
}

}  // namespace
}  // namespace thunky::interp
