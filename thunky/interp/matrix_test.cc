// ldmatrix, stmatrix, mma and cp.async.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "absl/strings/str_cat.h"
#include "thunky/interp/launch_for_test.h"

namespace thunky::interp {
namespace {

using ::testing::HasSubstr;

constexpr char kProlog[] = R"(
  .reg .pred %p<9>; .reg .b32 %r<30>; .reg .f32 %f<9>; .reg .b64 %rd<20>;
  .shared .align 16 .b8 tile[512];
  ld.param.u64 %rd1, [in];
  ld.param.u64 %rd2, [out];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, tile;
  mul.wide.u32 %rd3, %r1, 16;
  add.s64 %rd4, %rd1, %rd3;
  shl.b32 %r3, %r1, 4;
  add.u32 %r3, %r2, %r3;
)";

absl::Status RunWarp(std::vector<uint32_t>* in, std::vector<uint32_t>* out,
                     const std::string& body) {
  TestLaunch launch(Module(".param .u64 in, .param .u64 out", kProlog + body));
  return launch.Buffer(in).Buffer(out).Block(32).Run();
}

// 16-bit element number i of the input is i.
std::vector<uint32_t> Numbered(size_t words) {
  std::vector<uint32_t> v(words);
  for (uint32_t i = 0; i < words; ++i) v[i] = (2 * i) | (2 * i + 1) << 16;
  return v;
}

constexpr char kFill[] = R"(
  ld.global.v4.u32 {%r4, %r5, %r6, %r7}, [%rd4];
  st.shared.v4.u32 [%r3], {%r4, %r5, %r6, %r7};
  bar.sync 0;
)";

TEST(MatrixTest, LoadsFragments) {
  std::vector<uint32_t> in = Numbered(128);
  std::vector<uint32_t> out(128);
  const absl::Status status = RunWarp(&in, &out, absl::StrCat(kFill, R"(
    ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r8, %r9, %r10, %r11}, [%r3];
    add.s64 %rd5, %rd2, %rd3;
    st.global.v4.u32 [%rd5], {%r8, %r9, %r10, %r11};
    ret;)"));
  ASSERT_TRUE(status.ok()) << status;
  for (uint32_t lane = 0; lane < 32; ++lane) {
    for (uint32_t m = 0; m < 4; ++m) {
      EXPECT_EQ(out[lane * 4 + m] & 0xffff, m * 64 + lane / 4 * 8 + lane % 4 * 2);
    }
  }
}

TEST(MatrixTest, TransposedStoreUndoesTransposedLoad) {
  std::vector<uint32_t> in = Numbered(128);
  std::vector<uint32_t> out(128);
  const absl::Status status = RunWarp(&in, &out, absl::StrCat(kFill, R"(
    ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%r8}, [%r3];
    bar.sync 0;
    stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r3], {%r8};
    bar.sync 0;
    ld.shared.v4.u32 {%r8, %r9, %r10, %r11}, [%r3];
    add.s64 %rd5, %rd2, %rd3;
    st.global.v4.u32 [%rd5], {%r8, %r9, %r10, %r11};
    ret;)"));
  ASSERT_TRUE(status.ok()) << status;
  for (uint32_t row = 0; row < 8; ++row) {
    for (uint32_t column = 0; column < 8; ++column) {
      const uint32_t word = out[row * 4 + column / 2];
      EXPECT_EQ((word >> (16 * (column % 2))) & 0xffff, column * 8 + row);
    }
  }
}

// A holds row * 16 + column in f16, B the unit matrix: D repeats A's first columns.
TEST(MatrixTest, MultipliesHalves) {
  std::vector<uint32_t> in(128);
  const auto half = [](uint32_t value) {  // exact f16 of a small integer
    if (value == 0) return 0u;
    uint32_t exponent = 0;
    while ((value >> (exponent + 1)) != 0) ++exponent;
    return ((exponent + 15) << 10) | ((value << (10 - exponent)) & 0x3ffu);
  };
  for (uint32_t lane = 0; lane < 32; ++lane) {
    for (uint32_t r = 0; r < 4; ++r) {
      const uint32_t row = lane / 4 + (r % 2) * 8;
      const uint32_t column = lane % 4 * 2 + (r / 2) * 8;
      in[lane * 4 + r] = half(row * 16 + column) | half(row * 16 + column + 1) << 16;
    }
  }
  std::vector<uint32_t> out(128);
  const absl::Status status = RunWarp(&in, &out, R"(
    ld.global.v4.u32 {%r4, %r5, %r6, %r7}, [%rd4];
    // b0 holds rows 2 * (lane % 4) and the next of column lane / 4.
    and.b32 %r8, %r1, 3;
    shl.b32 %r8, %r8, 1;
    shr.u32 %r9, %r1, 2;
    mov.u32 %r10, 0;
    setp.eq.u32 %p1, %r8, %r9;
    @%p1 mov.u32 %r10, 0x00003c00;
    add.u32 %r8, %r8, 1;
    setp.eq.u32 %p1, %r8, %r9;
    @%p1 mov.u32 %r10, 0x3c000000;
    mov.u32 %r11, 0;
    mov.f32 %f1, 0f3F000000;
    mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
      {%f2, %f3, %f4, %f5}, {%r4, %r5, %r6, %r7}, {%r10, %r11}, {%f1, %f1, %f1, %f1};
    add.s64 %rd5, %rd2, %rd3;
    st.global.v4.f32 [%rd5], {%f2, %f3, %f4, %f5};
    ret;)");
  ASSERT_TRUE(status.ok()) << status;
  for (uint32_t lane = 0; lane < 32; ++lane) {
    for (uint32_t r = 0; r < 4; ++r) {
      const uint32_t row = lane / 4 + (r / 2) * 8;
      const uint32_t column = lane % 4 * 2 + r % 2;
      EXPECT_EQ(out[lane * 4 + r], F32(static_cast<float>(row * 16 + column) + 0.5f));
    }
  }
}

TEST(AsyncCopyTest, ArrivesWhenWaitedFor) {
  std::vector<uint32_t> in = Numbered(128);
  std::vector<uint32_t> out(128);
  const absl::Status status = RunWarp(&in, &out, R"(
    st.shared.v4.u32 [%r3], {%r1, %r1, %r1, %r1};
    cp.async.cg.shared.global [%r3], [%rd4], 16, 8;
    cp.async.commit_group;
    ld.shared.u32 %r4, [%r3];
    cp.async.wait_group 0;
    ld.shared.u32 %r5, [%r3+4];
    ld.shared.u32 %r6, [%r3+8];
    add.s64 %rd5, %rd2, %rd3;
    st.global.v4.u32 [%rd5], {%r4, %r5, %r6, %r6};
    ret;)");
  ASSERT_TRUE(status.ok()) << status;
  for (uint32_t lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(out[lane * 4], lane) << "the old value, before the wait";
    EXPECT_EQ(out[lane * 4 + 1], in[lane * 4 + 1]);
    EXPECT_EQ(out[lane * 4 + 2], 0u) << "zeros behind the source's 8 bytes";
  }
}

TEST(AsyncCopyTest, OldestGroupFirst) {
  std::vector<uint32_t> in = Numbered(128);
  std::vector<uint32_t> out(128);
  const absl::Status status = RunWarp(&in, &out, R"(
    st.shared.v4.u32 [%r3], {0, 0, 0, 0};
    cp.async.ca.shared.global [%r3], [%rd4], 4;
    cp.async.commit_group;
    cp.async.ca.shared.global [%r3+4], [%rd4], 4;
    cp.async.commit_group;
    cp.async.wait_group 1;
    ld.shared.v2.u32 {%r4, %r5}, [%r3];
    cp.async.wait_all;
    ld.shared.u32 %r6, [%r3+4];
    add.s64 %rd5, %rd2, %rd3;
    st.global.v4.u32 [%rd5], {%r4, %r5, %r6, %r6};
    ret;)");
  ASSERT_TRUE(status.ok()) << status;
  EXPECT_EQ(out[4], in[4]);
  EXPECT_EQ(out[5], 0u);
  EXPECT_EQ(out[6], in[4]);
}

TEST(AsyncCopyTest, WildSourceIsTouchedOnlyForItsBytes) {
  std::vector<uint32_t> in(1);
  std::vector<uint32_t> out(1);
  const std::string address = "mov.u64 %rd4, 0x100;\n";
  EXPECT_TRUE(RunWarp(&in, &out, address + R"(
    cp.async.cg.shared.global [%r3], [%rd4], 16, 0;
    cp.async.wait_all;
    ret;)")
                  .ok());
  EXPECT_THAT(RunWarp(&in, &out, address + R"(
    cp.async.cg.shared.global [%r3], [%rd4], 16;
    ret;)")
                  .ToString(),
              HasSubstr("global load of 16 bytes at 0x100"));
}

}  // namespace
}  // namespace thunky::interp
