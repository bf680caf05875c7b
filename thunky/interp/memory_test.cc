// Loads, stores and atomics: address spaces, vectors, and what must not be touched.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "thunky/interp/launch_for_test.h"

namespace thunky::interp {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr char kProlog[] = R"(
  .reg .pred %p<9>; .reg .b16 %h<9>; .reg .b32 %r<20>; .reg .f32 %f<9>; .reg .b64 %rd<20>;
  ld.param.u64 %rd1, [data];
  mov.u32 %r1, %tid.x;
)";

absl::Status RunOn(std::vector<uint32_t>* data, uint32_t threads, const std::string& body,
                   const std::string& before = "", bool writable = true) {
  TestLaunch launch(Module(".param .u64 data", kProlog + body, before));
  launch.params.step_budget = 10'000'000;
  return launch.Buffer(data, writable).Block(threads).Run();
}

TEST(MemoryTest, WidthsAndSigns) {
  std::vector<uint32_t> data = {0x80ff8081, 0, 0, 0, 0, 0};
  ASSERT_TRUE(RunOn(&data, 1, R"(
    ld.global.s8 %r2, [%rd1];
    st.global.u32 [%rd1+4], %r2;
    ld.global.u8 %r2, [%rd1+1];
    st.global.u32 [%rd1+8], %r2;
    ld.global.s16 %r2, [%rd1+2];
    st.global.u32 [%rd1+12], %r2;
    ld.global.u16 %h1, [%rd1+2];
    st.global.u16 [%rd1+16], %h1;
    mov.u32 %r2, 0x12345678;
    st.global.u8 [%rd1+20], %r2;
    ret;)")
                  .ok());
  EXPECT_THAT(data, ElementsAre(0x80ff8081, 0xffffff81, 0x80, 0xffff80ff, 0x80ff, 0x78));
}

TEST(MemoryTest, Vectors) {
  std::vector<uint32_t> data = {1, 2, 3, 4, 0, 0, 0, 0, 0, 0};
  ASSERT_TRUE(RunOn(&data, 1, R"(
    ld.global.v4.u32 {%r2, %r3, %r4, %r5}, [%rd1];
    st.global.v2.u32 [%rd1+16], {%r5, %r4};
    st.global.v2.u32 [%rd1+24], {%r3, %r2};
    ld.global.v2.u16 {%h1, %h2}, [%rd1+24];
    st.global.u16 [%rd1+32], %h1;
    ret;)")
                  .ok());
  EXPECT_THAT(data, ElementsAre(1, 2, 3, 4, 4, 3, 2, 1, 2, 0));
}

TEST(MemoryTest, LocalArraysAreOfTheThread) {
  std::vector<uint32_t> data(64);
  const absl::Status status = RunOn(&data, 64, R"(
    .local .align 8 .b8 depot[64];
    mov.u64 %rd2, depot;
    cvta.local.u64 %rd3, %rd2;
    and.b32 %r2, %r1, 7;
    mul.wide.u32 %rd4, %r2, 8;
    add.s64 %rd5, %rd2, %rd4;
    st.local.u32 [%rd5], %r1;
    add.s64 %rd6, %rd3, %rd4;
    ld.u32 %r3, [%rd6];
    mul.wide.u32 %rd7, %r1, 4;
    add.s64 %rd8, %rd1, %rd7;
    st.global.u32 [%rd8], %r3;
    ret;)");
  ASSERT_TRUE(status.ok()) << status;
  for (uint32_t i = 0; i < 64; ++i) EXPECT_EQ(data[i], i);
}

TEST(MemoryTest, SharedStaticAndDynamic) {
  std::vector<uint32_t> data(33);
  TestLaunch launch(Module(".param .u64 data", std::string(kProlog) + R"(
    .shared .u32 fixed[33];
    mov.u32 %r2, fixed;
    mov.u32 %r3, dynamic;
    shl.b32 %r4, %r1, 2;
    add.u32 %r2, %r2, %r4;
    add.u32 %r3, %r3, %r4;
    st.shared.u32 [%r2], %r1;
    add.u32 %r5, %r1, 100;
    st.shared.u32 [%r3], %r5;
    ld.shared.u32 %r6, [%r2];
    ld.shared.u32 %r7, [%r3];
    cvt.u64.u32 %rd3, %r3;
    cvta.shared.u64 %rd4, %rd3;
    ld.u32 %r8, [%rd4];
    isspacep.shared %p1, %rd4;
    isspacep.global %p2, %rd1;
    add.u32 %r6, %r6, %r7;
    add.u32 %r6, %r6, %r8;
    @!%p1 mov.u32 %r6, 0;
    @!%p2 mov.u32 %r6, 0;
    mul.wide.u32 %rd7, %r1, 4;
    add.s64 %rd8, %rd1, %rd7;
    st.global.u32 [%rd8], %r6;
    ret;)",
                           ".extern .shared .align 16 .b8 dynamic[];"));
  const absl::Status status = launch.Buffer(&data).Block(33).Shared(33 * 4).Run();
  ASSERT_TRUE(status.ok()) << status;
  for (uint32_t i = 0; i < 33; ++i) EXPECT_EQ(data[i], 3 * i + 200);
}

TEST(MemoryTest, DynamicSharedMemoryThatIsNotThere) {
  std::vector<uint32_t> data(1);
  EXPECT_THAT(
      RunOn(&data, 1, "ld.shared.u32 %r2, [dynamic]; ret;",
            ".extern .shared .align 16 .b8 dynamic[];")
          .ToString(),
      HasSubstr("shared load of 4 bytes at 0x0 is outside the block's shared memory"));
}

TEST(MemoryTest, ConstantsAndGlobals) {
  std::vector<uint32_t> data(4);
  const absl::Status status = RunOn(&data, 1, R"(
    ld.const.u32 %r2, [table+4];
    ld.global.u64 %rd2, [pointer];
    ld.u32 %r3, [%rd2];
    st.global.u32 [counter], 9;
    ld.global.u32 %r4, [counter];
    st.global.u32 [%rd1], %r2;
    st.global.u32 [%rd1+4], %r3;
    st.global.u32 [%rd1+8], %r4;
    ret;)",
                                    R"(
.const .u32 table[3] = {5, 6, 7};
.global .u32 counter;
.global .u64 pointer = generic(table)+8;)");
  ASSERT_TRUE(status.ok()) << status;
  EXPECT_THAT(data, ElementsAre(6, 7, 9, 0));
}

TEST(MemoryTest, ConstantsCannotBeWritten) {
  std::vector<uint32_t> data(1);
  EXPECT_THAT(RunOn(&data, 1, R"(
    mov.u64 %rd2, table;
    cvta.const.u64 %rd3, %rd2;
    st.u32 [%rd3], 1;
    ret;)",
                    ".const .u32 table[1] = {5};")
                  .ToString(),
              HasSubstr("'variable table', which is read-only"));
}

TEST(MemoryTest, OutOfBoundsNamesEverything) {
  std::vector<uint32_t> data(8);
  const absl::Status status = RunOn(&data, 64, R"(
    mul.wide.u32 %rd2, %r1, 4;
    add.s64 %rd2, %rd1, %rd2;
    ld.global.u32 %r2, [%rd2];
    ret;)");
  EXPECT_EQ(status.code(), absl::StatusCode::kOutOfRange);
  EXPECT_THAT(status.ToString(),
              AllOf(HasSubstr("kernel 'k', block (0,0,0), thread (8,0,0), line 14"),
                    HasSubstr("global load of 4 bytes"),
                    HasSubstr("0 bytes after the end of 'argument 0' (32 bytes)")));
}

TEST(MemoryTest, OverlappingTheEnd) {
  std::vector<uint32_t> data(5);
  EXPECT_THAT(
      RunOn(&data, 1, "ld.global.v4.u32 {%r2,%r3,%r4,%r5}, [%rd1+8]; ret;").ToString(),
      HasSubstr("misaligned"));
  EXPECT_THAT(RunOn(&data, 1, "ld.global.v2.u32 {%r2,%r3}, [%rd1+16]; ret;").ToString(),
              HasSubstr("at byte 16 of 'argument 0' (20 bytes)"));
  EXPECT_THAT(RunOn(&data, 1, "ld.global.u32 %r2, [%rd1+-4]; ret;").ToString(),
              HasSubstr("4 bytes before 'argument 0'"));
  EXPECT_THAT(RunOn(&data, 1, "ld.global.u32 %r2, [%rd1+2]; ret;").ToString(),
              HasSubstr("not a multiple of 4"));
  EXPECT_THAT(RunOn(&data, 1, "mov.u64 %rd2, 0; ld.u32 %r2, [%rd2]; ret;").ToString(),
              HasSubstr("generic load of 4 bytes at 0x0"));
  EXPECT_THAT(
      RunOn(&data, 1, "mov.u64 %rd2, -4; ld.global.u32 %r2, [%rd2]; ret;").ToString(),
      HasSubstr("is outside the kernel's memory"));
}

TEST(MemoryTest, ReadOnlyArguments) {
  std::vector<uint32_t> data(1);
  EXPECT_THAT(RunOn(&data, 1, "st.global.u32 [%rd1], 1; ret;", "", false).ToString(),
              HasSubstr("global store of 4 bytes"));
  EXPECT_TRUE(RunOn(&data, 1, "ld.global.u32 %r2, [%rd1]; ret;", "", false).ok());
}

// Lanes whose guard is false have wild addresses.
TEST(MemoryTest, PredicatedOffAccessesTouchNothing) {
  std::vector<uint32_t> data(16, 3);
  const absl::Status status = RunOn(&data, 64, R"(
    setp.lt.u32 %p1, %r1, 16;
    mul.wide.u32 %rd2, %r1, 4;
    add.s64 %rd2, %rd1, %rd2;
    @!%p1 mov.u64 %rd2, 0xdeadbeefdeadbeef;
    mov.u32 %r2, 77;
    @%p1 ld.global.u32 %r2, [%rd2];
    add.u32 %r2, %r2, 1;
    @%p1 st.global.u32 [%rd2], %r2;
    @%p1 red.global.add.u32 [%rd2], 1;
    ret;)");
  ASSERT_TRUE(status.ok()) << status;
  EXPECT_THAT(data, ::testing::Each(5));
}

TEST(MemoryTest, OtherThreadsLocalMemoryIsOutOfReach) {
  std::vector<uint32_t> data(4);
  EXPECT_THAT(RunOn(&data, 2, R"(
    .local .align 8 .b8 depot[64];
    mov.u64 %rd2, depot;
    cvta.local.u64 %rd3, %rd2;
    setp.eq.u32 %p1, %r1, 0;
    @%p1 st.volatile.global.u64 [%rd1], %rd3;
    ld.volatile.global.u64 %rd4, [%rd1];
    ld.u32 %r2, [%rd4];
    ret;)")
                  .ToString(),
              HasSubstr("thread (1,0,0)"));
}

TEST(MemoryTest, ParametersByAddress) {
  std::vector<uint32_t> out(1);
  TestLaunch launch(Module(".param .u64 out, .param .align 4 .b8 s[12]", R"(
    .reg .b32 %r<4>; .reg .b64 %rd<5>;
    ld.param.u64 %rd1, [out];
    mov.b64 %rd2, s;
    ld.param.u32 %r1, [%rd2+4];
    cvta.param.u64 %rd3, %rd2;
    ld.u32 %r2, [%rd3+8];
    add.u32 %r1, %r1, %r2;
    st.global.u32 [%rd1], %r1;
    ret;)"));
  const absl::Status status =
      launch.Buffer(&out).Value(std::array<uint32_t, 3>{1, 20, 300}).Run();
  ASSERT_TRUE(status.ok()) << status;
  EXPECT_THAT(out, ElementsAre(320));
}

TEST(AtomicTest, OldValuesAreDistinct) {
  std::vector<uint32_t> data(1001);
  const absl::Status status = RunOn(&data, 1000, R"(
    atom.global.add.u32 %r2, [%rd1], 1;
    mul.wide.u32 %rd2, %r2, 4;
    add.s64 %rd2, %rd1, %rd2;
    st.global.u32 [%rd2+4], 1;
    ret;)");
  ASSERT_TRUE(status.ok()) << status;
  EXPECT_EQ(data[0], 1000u);
  EXPECT_EQ(std::accumulate(data.begin() + 1, data.end(), 0u), 1000u);
}

TEST(AtomicTest, Operations) {
  std::vector<uint32_t> data = {5, 5, 0xffffffff, 0xffffffff, 0xf0, 0xf0, 3, 3, 0};
  const absl::Status status = RunOn(&data, 1, R"(
    red.global.inc.u32 [%rd1], 5;
    red.global.dec.u32 [%rd1+4], 9;
    red.global.min.s32 [%rd1+8], 1;
    red.global.min.u32 [%rd1+12], 1;
    red.global.and.b32 [%rd1+16], 0x3c;
    red.global.xor.b32 [%rd1+20], 0x3c;
    atom.global.cas.b32 %r2, [%rd1+24], 3, 8;
    atom.global.cas.b32 %r3, [%rd1+28], 4, 8;
    atom.global.exch.b32 %r4, [%rd1+32], 6;
    add.u32 %r2, %r2, %r3;
    add.u32 %r2, %r2, %r4;
    red.global.or.b32 [%rd1+32], %r2;
    ret;)");
  ASSERT_TRUE(status.ok()) << status;
  EXPECT_THAT(data, ElementsAre(0, 4, 0xffffffff, 1, 0x30, 0xcc, 8, 3, 6));
}

// Subnormal sums are flushed in global memory and kept in shared memory.
TEST(AtomicTest, FloatAddition) {
  std::vector<uint32_t> data = {1, 0, static_cast<uint32_t>(F32(1.5f)), 0x3c003c00};
  const absl::Status status = RunOn(&data, 1, R"(
    .shared .f32 cell;
    mov.f32 %f1, 0f00000001;
    red.global.add.f32 [%rd1], %f1;
    st.shared.f32 [cell], %f1;
    red.shared.add.f32 [cell], %f1;
    ld.shared.u32 %r2, [cell];
    st.global.u32 [%rd1+4], %r2;
    mov.f32 %f2, 0f40000000;
    atom.global.add.f32 %f3, [%rd1+8], %f2;
    mov.b32 %r3, 0x40003c00;
    red.global.add.noftz.f16x2 [%rd1+12], %r3;
    ret;)");
  ASSERT_TRUE(status.ok()) << status;
  EXPECT_THAT(data, ElementsAre(0, 2, F32(3.5f), 0x42004000));
}

TEST(AtomicTest, SharedHistogram) {
  std::vector<uint32_t> data(4);
  const absl::Status status = RunOn(&data, 1000, R"(
    .shared .u32 bins[4];
    and.b32 %r2, %r1, 3;
    shl.b32 %r2, %r2, 2;
    mov.u32 %r3, bins;
    add.u32 %r3, %r3, %r2;
    setp.lt.u32 %p1, %r1, 4;
    @%p1 st.shared.u32 [%r3], 0;
    bar.sync 0;
    atom.shared.add.u32 %r4, [%r3], 1;
    bar.sync 0;
    @!%p1 exit;
    ld.shared.u32 %r5, [%r3];
    cvt.u64.u32 %rd2, %r2;
    add.s64 %rd2, %rd1, %rd2;
    st.global.u32 [%rd2], %r5;
    ret;)");
  ASSERT_TRUE(status.ok()) << status;
  EXPECT_THAT(data, ElementsAre(250, 250, 250, 250));
}

}  // namespace
}  // namespace thunky::interp
