// Instructions that lanes of a warp execute together.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "thunky/interp/launch_for_test.h"

namespace thunky::interp {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<uint64_t> Iota(uint64_t count) {
  std::vector<uint64_t> values(count);
  std::iota(values.begin(), values.end(), uint64_t{0});
  return values;
}

std::vector<uint64_t> Shfl(const std::string& mode, uint64_t b, uint64_t c,
                           uint64_t lanes = 32) {
  return Evaluate("shfl.sync." + mode + ".b32 %d, %a, " + std::to_string(b) + ", " +
                      std::to_string(c) + ", 0xffffffff;",
                  "b32", {{"b32", Iota(lanes)}});
}

TEST(ShflTest, WholeWarp) {
  const auto up = Shfl("up", 4, 0);
  const auto down = Shfl("down", 4, 31);
  const auto bfly = Shfl("bfly", 16, 31);
  const auto idx = Shfl("idx", 7, 31);
  for (uint64_t i = 0; i < 32; ++i) {
    EXPECT_EQ(up[i], i < 4 ? i : i - 4);
    EXPECT_EQ(down[i], i > 27 ? i : i + 4);
    EXPECT_EQ(bfly[i], i ^ 16);
    EXPECT_EQ(idx[i], 7u);
  }
}

TEST(ShflTest, SegmentsOfEight) {
  constexpr uint64_t kSegment = 0x1800;  // segments of 8 lanes
  const auto up = Shfl("up", 1, kSegment);
  const auto down = Shfl("down", 1, kSegment | 7);
  const auto idx = Shfl("idx", 3, kSegment | 7);
  for (uint64_t i = 0; i < 32; ++i) {
    EXPECT_EQ(up[i], i % 8 == 0 ? i : i - 1);
    EXPECT_EQ(down[i], i % 8 == 7 ? i : i + 1);
    EXPECT_EQ(idx[i], i / 8 * 8 + 3);
  }
}

TEST(ShflTest, PredicateSaysInRange) {
  const auto d =
      Evaluate("{.reg .b32 %x; shfl.sync.down.b32 %x|%d, %a, 30, 31, 0xffffffff;}",
               "pred", {{"b32", Iota(32)}});
  EXPECT_EQ(d[1], 1u);
  EXPECT_EQ(d[2], 0u);
}

TEST(ShflTest, MissingLanesGiveTheOwnValue) {
  EXPECT_THAT(Shfl("down", 1, 31, 3), ElementsAre(1, 2, 2));
}

TEST(VoteTest, OverMembersOnly) {
  EXPECT_THAT(
      Evaluate("vote.sync.ballot.b32 %d, %a, 0xffffffff;", "b32", {{"pred", {1, 0, 1}}}),
      Each(5));
  EXPECT_THAT(
      Evaluate("vote.sync.all.pred %d, %a, 0xffffffff;", "pred", {{"pred", {1, 0}}}),
      Each(0));
  EXPECT_THAT(
      Evaluate("vote.sync.any.pred %d, %a, 0xffffffff;", "pred", {{"pred", {1, 0}}}),
      Each(1));
  EXPECT_THAT(
      Evaluate("vote.sync.uni.pred %d, !%a, 0xffffffff;", "pred", {{"pred", {0, 0}}}),
      Each(1));
}

TEST(MatchTest, AnyAndAll) {
  EXPECT_THAT(
      Evaluate("match.any.sync.b32 %d, %a, 0xffffffff;", "b32", {{"b32", {7, 9, 7, 9}}}),
      ElementsAre(5, 10, 5, 10));
  EXPECT_THAT(
      Evaluate("match.all.sync.b64 %d, %a, 0xffffffff;", "b32", {{"b64", {7, 7}}}),
      Each(3));
  EXPECT_THAT(Evaluate("{.reg .b32 %x; match.all.sync.b32 %x|%d, %a, 0xffffffff;}",
                       "pred", {{"b32", {7, 8}}}),
              Each(0));
}

TEST(ReduxTest, Operations) {
  const std::vector<Cases> values = {{"b32", {5, 0xffffffff, 3}}};
  EXPECT_THAT(Evaluate("redux.sync.add.u32 %d, %a, 0xffffffff;", "b32", values), Each(7));
  EXPECT_THAT(Evaluate("redux.sync.min.s32 %d, %a, 0xffffffff;", "b32", values),
              Each(0xffffffff));
  EXPECT_THAT(Evaluate("redux.sync.max.u32 %d, %a, 0xffffffff;", "b32", values),
              Each(0xffffffff));
  EXPECT_THAT(Evaluate("redux.sync.and.b32 %d, %a, 0xffffffff;", "b32", values), Each(1));
  EXPECT_THAT(Evaluate("redux.sync.xor.b32 %d, %a, 0xffffffff;", "b32", values),
              Each(0xfffffff9));
}

TEST(ElectTest, LowestMember) {
  EXPECT_THAT(Evaluate("{.reg .b32 %x; elect.sync %x|%d, 0xffffffff;}", "pred",
                       {{"b32", {0, 0, 0}}}),
              ElementsAre(1, 0, 0));
}

absl::Status RunWarp(const std::string& body, std::vector<uint32_t>* out) {
  TestLaunch launch(Module(".param .u64 out", R"(
    .reg .pred %p<9>; .reg .b32 %r<20>; .reg .b64 %rd<20>;
    ld.param.u64 %rd1, [out];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd2, %r1, 4;
    add.s64 %rd2, %rd1, %rd2;
)" + body));
  launch.params.step_budget = 1'000'000;
  return launch.Buffer(out).Block(out->size()).Run();
}

// The branches reach the same shuffle at different times.
TEST(WarpSyncTest, LanesWaitForTheirMembers) {
  std::vector<uint32_t> out(32);
  const absl::Status status = RunWarp(R"(
    mov.u32 %r2, %r1;
    mov.u32 %r3, 0;
  LOOP:
    add.u32 %r3, %r3, 1;
    setp.lt.u32 %p1, %r3, %r1;
    @%p1 bra LOOP;
    setp.lt.u32 %p1, %r1, 16;
    @%p1 bra LOW;
    add.u32 %r2, %r2, 100;
    shfl.sync.idx.b32 %r4, %r2, 0, 31, -1;
    bra END;
  LOW:
    shfl.sync.idx.b32 %r4, %r2, 31, 31, -1;
  END:
    st.global.u32 [%rd2], %r4;
    ret;)",
                                      &out);
  ASSERT_TRUE(status.ok()) << status;
  for (uint32_t i = 0; i < 32; ++i) EXPECT_EQ(out[i], i < 16 ? 131u : 0u) << i;
}

TEST(WarpSyncTest, MasksOfHalves) {
  std::vector<uint32_t> out(32);
  const absl::Status status = RunWarp(R"(
    setp.lt.u32 %p1, %r1, 16;
    @%p1 bra LOW;
    shfl.sync.idx.b32 %r4, %r1, 20, 31, 0xffff0000;
    bra END;
  LOW:
    shfl.sync.idx.b32 %r4, %r1, 3, 31, 0x0000ffff;
  END:
    st.global.u32 [%rd2], %r4;
    ret;)",
                                      &out);
  ASSERT_TRUE(status.ok()) << status;
  for (uint32_t i = 0; i < 32; ++i) EXPECT_EQ(out[i], i < 16 ? 3u : 20u) << i;
}

// The member masks come from match: one instruction, several groups.
TEST(WarpSyncTest, MasksThatDifferWithinAStrand) {
  std::vector<uint32_t> out(32);
  const absl::Status status = RunWarp(R"(
    and.b32 %r2, %r1, 3;
    match.any.sync.b32 %r3, %r2, -1;
    redux.sync.add.u32 %r4, %r1, %r3;
    st.global.u32 [%rd2], %r4;
    ret;)",
                                      &out);
  ASSERT_TRUE(status.ok()) << status;
  for (uint32_t i = 0; i < 32; ++i) EXPECT_EQ(out[i], 8 * (i % 4) + 4 * 28) << i;
}

TEST(WarpSyncTest, ExitedLanesAreNotWaitedFor) {
  std::vector<uint32_t> out(32);
  const absl::Status status = RunWarp(R"(
    setp.ge.u32 %p1, %r1, 10;
    @%p1 bra OUT;
    vote.sync.ballot.b32 %r4, 1, -1;
    bar.warp.sync -1;
    st.global.u32 [%rd2], %r4;
  OUT:
    ret;)",
                                      &out);
  // The lanes that leave come after those that vote, which wait for them until then.
  ASSERT_TRUE(status.ok()) << status;
  EXPECT_EQ(out[0], 0x3ffu);
}

TEST(WarpSyncTest, NeverComplete) {
  std::vector<uint32_t> out(32);
  const absl::Status status = RunWarp(R"(
    setp.ge.u32 %p1, %r1, 10;
    @%p1 bra HIGH;
    bar.warp.sync -1;
    ret;
  HIGH:
    bar.sync 0;
    ret;)",
                                      &out);
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(status.ToString(),
              HasSubstr("lanes 0x3ff wait for lanes 0xffffffff on line"));
}

TEST(WarpSyncTest, OutsideOfTheOwnMask) {
  std::vector<uint32_t> out(32);
  EXPECT_THAT(RunWarp("bar.warp.sync 1; ret;", &out).ToString(),
              HasSubstr("not in its own member mask"));
}

}  // namespace
}  // namespace thunky::interp
