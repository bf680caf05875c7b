// The checked mode: races and reads of bytes that were never written.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "thunky/interp/launch_for_test.h"

namespace thunky::interp {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

absl::Status RunChecked(uint32_t threads, const std::string& body, uint32_t blocks = 1) {
  TestLaunch launch(Module("", R"(
    .reg .pred %p<9>; .reg .b32 %r<20>;
    .shared .align 4 .b8 cells[4096];
    mov.u32 %r1, %tid.x;
    shl.b32 %r2, %r1, 2;
    mov.u32 %r3, cells;
    add.u32 %r3, %r3, %r2;
)" + body));
  return launch.Checked().Block(threads).Grid(blocks).Run();
}

TEST(RaceTest, WriteThenReadByAnotherWarp) {
  const absl::Status status = RunChecked(64, R"(
    st.shared.u32 [%r3], %r1;
    ld.shared.u32 %r4, [cells+4];
    ret;)");
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  // Lane 0 reads what lane 1 wrote one instruction before.
  EXPECT_THAT(status.ToString(),
              AllOf(HasSubstr("thread (0,0,0), line 16"), HasSubstr("race: byte 4"),
                    HasSubstr("written by thread (1,0,0) on line 15")));
}

TEST(RaceTest, ReadThenWrite) {
  EXPECT_THAT(RunChecked(64, R"(
    st.shared.u32 [%r3], %r1;
    bar.sync 0;
    ld.shared.u32 %r4, [cells+252];
    st.shared.u32 [%r3], %r4;
    ret;)")
                  .ToString(),
              AllOf(HasSubstr("is written here and was read by"), HasSubstr("line 17")));
}

TEST(RaceTest, OneLocationForAll) {
  EXPECT_THAT(RunChecked(32, "st.shared.u32 [cells], %r1; ret;").ToString(),
              HasSubstr("race: byte 0"));
}

// All write the same: harmless, whoever is last.
TEST(RaceTest, EqualValuesDoNotRace) {
  EXPECT_TRUE(RunChecked(128, "st.shared.u32 [cells], 7; ret;").ok());
  EXPECT_TRUE(RunChecked(64, "st.shared.v2.u32 [cells+8], {%r0, 5}; ret;").ok());
  EXPECT_THAT(RunChecked(64, "st.shared.v2.u32 [cells+8], {5, %r1}; ret;").ToString(),
              HasSubstr("race: byte 12"));
  // A reader still sees either the old or the new value.
  EXPECT_FALSE(
      RunChecked(64, "st.shared.u32 [cells], 7; ld.shared.u32 %r4, [cells]; ret;").ok());
}

TEST(RaceTest, BarriersOrder) {
  const absl::Status status = RunChecked(256, R"(
    st.shared.u32 [%r3], %r1;
    bar.sync 0;
    ld.shared.u32 %r4, [cells+1020];
    bar.sync 0;
    st.shared.u32 [%r3], %r4;
    ret;)",
                                         3);
  EXPECT_TRUE(status.ok()) << status;
}

TEST(RaceTest, WarpWideInstructionsOrderLanes) {
  const std::string exchange = R"(
    ld.shared.u32 %r4, [cells+124];
    ret;)";
  EXPECT_FALSE(RunChecked(32, "st.shared.u32 [%r3], %r1;" + exchange).ok());
  EXPECT_TRUE(
      RunChecked(32, "st.shared.u32 [%r3], %r1; bar.warp.sync -1;" + exchange).ok());
  EXPECT_TRUE(RunChecked(32,
                         "st.shared.u32 [%r3], %r1; "
                         "shfl.sync.idx.b32 %r5, %r1, 0, 31, -1;" +
                             exchange)
                  .ok());
  // Not between warps.
  EXPECT_FALSE(
      RunChecked(64, "st.shared.u32 [%r3], %r1; bar.warp.sync -1;" + exchange).ok());
}

TEST(RaceTest, NamedBarriersOrderTheirWarpsOnly) {
  const auto run = [](const char* count) {
    return RunChecked(96, std::string(R"(
      setp.ge.u32 %p1, %r1, )") +
                              count + R"(;
      st.shared.u32 [%r3], %r1;
      @%p1 bra OTHERS;
      bar.sync 1, )" + count + R"(;
      ld.shared.u32 %r4, [cells+252];
    OTHERS:
      ret;)");
  };
  EXPECT_TRUE(run("64").ok()) << run("64");
  EXPECT_FALSE(run("32").ok());
}

TEST(RaceTest, AtomicsDoNotRaceWithEachOther) {
  EXPECT_TRUE(RunChecked(1, "st.shared.u32 [cells], 0; ret;").ok());
  const absl::Status status = RunChecked(128, R"(
    setp.eq.u32 %p1, %r1, 0;
    @%p1 st.shared.u32 [cells], 0;
    bar.sync 0;
    atom.shared.add.u32 %r4, [cells], 1;
    ret;)");
  EXPECT_TRUE(status.ok()) << status;
  EXPECT_THAT(RunChecked(64, R"(
    setp.eq.u32 %p1, %r1, 0;
    @%p1 st.shared.u32 [cells], 0;
    bar.sync 0;
    setp.eq.u32 %p1, %r1, 40;
    @!%p1 atom.shared.add.u32 %r4, [cells], 1;
    @%p1 st.shared.u32 [cells], 0;
    ret;)")
                  .ToString(),
              HasSubstr("race"));
}

TEST(UninitializedTest, ReadBeforeWrite) {
  EXPECT_THAT(RunChecked(32, "ld.shared.u32 %r4, [%r3]; ret;").ToString(),
              HasSubstr("byte 0 of shared memory is read before it is written"));
  EXPECT_THAT(RunChecked(1, "st.shared.u16 [%r3], %r1; ld.shared.u32 %r4, [%r3]; ret;")
                  .ToString(),
              HasSubstr("byte 2 of shared memory is read before it is written"));
  // What an earlier block wrote is not there for the next.
  EXPECT_THAT(RunChecked(1, R"(
    mov.u32 %r5, %ctaid.x;
    setp.eq.u32 %p1, %r5, 0;
    @%p1 st.shared.u32 [%r3], 1;
    @!%p1 ld.shared.u32 %r4, [%r3];
    ret;)",
                         2)
                  .ToString(),
              HasSubstr("block (1,0,0)"));
}

TEST(UninitializedTest, NotCheckedUnlessAsked) {
  TestLaunch launch(Module("", R"(
    .reg .b32 %r<3>; .shared .u32 cell;
    ld.shared.u32 %r1, [cell];
    st.shared.u32 [cell], %r1;
    ret;)"));
  EXPECT_TRUE(launch.Block(64).Run().ok());
}

}  // namespace
}  // namespace thunky::interp
