// cvt: saturation, rounding and NaN by pairs of types.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "thunky/interp/launch_for_test.h"

namespace thunky::interp {
namespace {

using ::testing::ElementsAre;

constexpr uint64_t kNan = 0x7fffffff;

TEST(ConvertTest, BetweenIntegers) {
  EXPECT_THAT(Evaluate("cvt.s64.s32 %d, %a;", "b64", {{"b32", {0xffffffff, 5}}}),
              ElementsAre(~uint64_t{0}, 5));
  EXPECT_THAT(Evaluate("cvt.u64.u32 %d, %a;", "b64", {{"b32", {0xffffffff}}}),
              ElementsAre(0xffffffff));
  EXPECT_THAT(Evaluate("cvt.u32.u64 %d, %a;", "b32", {{"b64", {0x1122334455667788}}}),
              ElementsAre(0x55667788));
  EXPECT_THAT(Evaluate("cvt.s32.s8 %d, %a;", "b32", {{"b32", {0x180, 0x7f}}}),
              ElementsAre(0xffffff80, 0x7f));
  // The register is wider than the type: the value is extended by its sign.
  EXPECT_THAT(Evaluate("cvt.s8.s32 %d, %a;", "b32", {{"b32", {0x80, 0x101}}}),
              ElementsAre(0xffffff80, 1));
  EXPECT_THAT(Evaluate("cvt.u8.u32 %d, %a;", "b32", {{"b32", {0x1ff}}}),
              ElementsAre(0xff));
  EXPECT_THAT(Evaluate("cvt.s16.s8 %d, %a;", "b16", {{"b16", {0x80}}}),
              ElementsAre(0xff80));
  EXPECT_THAT(Evaluate("cvt.sat.u8.s32 %d, %a;", "b32", {{"b32", {0xffffffff, 300, 7}}}),
              ElementsAre(0, 255, 7));
  EXPECT_THAT(Evaluate("cvt.sat.s16.u32 %d, %a;", "b16", {{"b32", {0xffffffff, 7}}}),
              ElementsAre(0x7fff, 7));
  EXPECT_THAT(Evaluate("cvt.sat.s8.s32 %d, %a;", "b32", {{"b32", {0xffff0000}}}),
              ElementsAre(0xffffff80));
}

TEST(ConvertTest, FloatToIntegerClamps) {
  const std::vector<Cases> values = {
      {"f32", {F32(2.5f), F32(-2.5f), F32(3e9f), F32(-3e9f), kNan, F32(INFINITY)}}};
  EXPECT_THAT(Evaluate("cvt.rzi.s32.f32 %d, %a;", "b32", values),
              ElementsAre(2, 0xfffffffe, 0x7fffffff, 0x80000000, 0, 0x7fffffff));
  EXPECT_THAT(Evaluate("cvt.rni.s32.f32 %d, %a;", "b32", values),
              ElementsAre(2, 0xfffffffe, 0x7fffffff, 0x80000000, 0, 0x7fffffff));
  EXPECT_THAT(Evaluate("cvt.rmi.s32.f32 %d, %a;", "b32", values),
              ElementsAre(2, 0xfffffffd, 0x7fffffff, 0x80000000, 0, 0x7fffffff));
  EXPECT_THAT(Evaluate("cvt.rpi.u32.f32 %d, %a;", "b32", values),
              ElementsAre(3, 0, 3000000000u, 0, 0, 0xffffffff));
  EXPECT_THAT(Evaluate("cvt.rzi.u8.f32 %d, %a;", "b32",
                       {{"f32", {F32(300), F32(-1), F32(7.9f)}}}),
              ElementsAre(255, 0, 7));
  EXPECT_THAT(
      Evaluate("cvt.rzi.s64.f32 %d, %a;", "b64", {{"f32", {kNan, F32(1e30f), F32(-5)}}}),
      ElementsAre(0x8000000000000000, 0x7fffffffffffffff, static_cast<uint64_t>(-5)));
  EXPECT_THAT(
      Evaluate("cvt.rzi.s32.f64 %d, %a;", "b32", {{"f64", {F64(-7.9), F64(1e300)}}}),
      ElementsAre(0xfffffff9, 0x7fffffff));
  EXPECT_THAT(Evaluate("cvt.rzi.ftz.s32.f32 %d, %a;", "b32", {{"f32", {1}}}),
              ElementsAre(0));
  EXPECT_THAT(Evaluate("cvt.rpi.ftz.s32.f32 %d, %a;", "b32", {{"f32", {1}}}),
              ElementsAre(0));
  EXPECT_THAT(Evaluate("cvt.rpi.s32.f32 %d, %a;", "b32", {{"f32", {1}}}), ElementsAre(1));
}

TEST(ConvertTest, IntegerToFloatRounds) {
  const std::vector<Cases> values = {{"b32", {16777217, 0xfeffffff, 0}}};
  EXPECT_THAT(Evaluate("cvt.rn.f32.s32 %d, %a;", "f32", values),
              ElementsAre(F32(16777216), F32(-16777216), 0));
  EXPECT_THAT(Evaluate("cvt.rp.f32.s32 %d, %a;", "f32", values),
              ElementsAre(F32(16777218), F32(-16777216), 0));
  EXPECT_THAT(Evaluate("cvt.rm.f32.s32 %d, %a;", "f32", values),
              ElementsAre(F32(16777216), F32(-16777218), 0));
  EXPECT_THAT(Evaluate("cvt.rn.f32.u64 %d, %a;", "f32",
                       {{"b64", {~uint64_t{0}, 0x8000008000000001}}}),
              ElementsAre(F32(0x1p64f), F32(0x1.000002p63f)));
  EXPECT_THAT(Evaluate("cvt.rz.f64.u64 %d, %a;", "f64", {{"b64", {~uint64_t{0}}}}),
              ElementsAre(F64(0x1p64) - 1));
  EXPECT_THAT(Evaluate("cvt.rn.f16.u32 %d, %a;", "b16", {{"b32", {2049, 70000}}}),
              ElementsAre(0x6800, 0x7c00));
}

TEST(ConvertTest, BetweenFloats) {
  EXPECT_THAT(
      Evaluate(
          "cvt.rn.f32.f64 %d, %a;", "f32",
          {{"f64", {F64(1 + 0x1p-24), F64(1e300), F64(std::nan("")), F64(0x1p-149)}}}),
      ElementsAre(F32(1), F32(INFINITY), 0x7fc00000, 1));
  EXPECT_THAT(
      Evaluate("cvt.rz.f32.f64 %d, %a;", "f32", {{"f64", {F64(1e300), F64(-1e300)}}}),
      ElementsAre(0x7f7fffff, 0xff7fffff));
  EXPECT_THAT(Evaluate("cvt.rp.ftz.f32.f64 %d, %a;", "f32", {{"f64", {F64(0x1p-149)}}}),
              ElementsAre(0));
  EXPECT_THAT(Evaluate("cvt.f64.f32 %d, %a;", "f64", {{"f32", {F32(0.1f), 1}}}),
              ElementsAre(F64(0.1f), F64(0x1p-149)));
  EXPECT_THAT(
      Evaluate("cvt.rn.f16.f32 %d, %a;", "b16",
               {{"f32", {F32(65519), F32(65520), F32(0x1p-25f), F32(0x1.8p-25f), kNan}}}),
      ElementsAre(0x7bff, 0x7c00, 0, 1, 0x7fff));
  EXPECT_THAT(Evaluate("cvt.rz.f16.f32 %d, %a;", "b16", {{"f32", {F32(1e6f)}}}),
              ElementsAre(0x7bff));
  EXPECT_THAT(Evaluate("cvt.f32.f16 %d, %a;", "f32", {{"b16", {0x0001, 0xfc00, 0x7e00}}}),
              ElementsAre(F32(0x1p-24f), F32(-INFINITY), kNan));
  EXPECT_THAT(Evaluate("cvt.rn.bf16.f32 %d, %a;", "b16",
                       {{"f32", {0x3f808000, 0x3f818000, 0x7fc00001, 0x7f7fffff}}}),
              ElementsAre(0x3f80, 0x3f82, 0x7fff, 0x7f80));
  EXPECT_THAT(Evaluate("cvt.f32.bf16 %d, %a;", "f32", {{"b16", {0xbf80}}}),
              ElementsAre(F32(-1)));
  EXPECT_THAT(Evaluate("cvt.sat.f32.f32 %d, %a;", "f32",
                       {{"f32", {kNan, F32(-1), F32(2), F32(0.5f), 0x80000000}}}),
              ElementsAre(0, 0, F32(1), F32(0.5f), 0));
  EXPECT_THAT(
      Evaluate("cvt.rni.f32.f32 %d, %a;", "f32", {{"f32", {F32(2.5f), F32(-0.4f)}}}),
      ElementsAre(F32(2), 0x80000000));
  EXPECT_THAT(Evaluate("cvt.rmi.f64.f64 %d, %a;", "f64", {{"f64", {F64(-0.5)}}}),
              ElementsAre(F64(-1)));
  EXPECT_THAT(
      Evaluate("cvt.rna.tf32.f32 %d, %a;", "b32", {{"f32", {0x3f801000, 0x3f800fff}}}),
      ElementsAre(0x3f802000, 0x3f800000));
}

TEST(ConvertTest, NanPayloads) {
  EXPECT_THAT(Evaluate("cvt.rn.f32.f64 %d, %a;", "f32",
                       {{"f64", {0xfff0000020000000, 0x7ff8000000000001}}}),
              ElementsAre(0xffc00001, 0x7fc00000));
  EXPECT_THAT(Evaluate("cvt.f64.f16 %d, %a;", "f64", {{"b16", {0xfc01}}}),
              ElementsAre(0xfff8040000000000));
  EXPECT_THAT(Evaluate("cvt.f32.bf16 %d, %a;", "f32", {{"b16", {0x7fc0}}}),
              ElementsAre(0x7fc00000));
  EXPECT_THAT(Evaluate("cvt.rzi.f64.f64 %d, %a;", "f64", {{"f64", {0x7ff0000000000002}}}),
              ElementsAre(0x7ff8000000000002));
  EXPECT_THAT(Evaluate("cvt.rn.f16.f32 %d, %a;", "b16", {{"f32", {0xffc00001}}}),
              ElementsAre(0x7fff));
}

TEST(ConvertTest, PairsAndBytes) {
  EXPECT_THAT(Evaluate("cvt.rn.f16x2.f32 %d, %a, %b;", "b32",
                       {{"f32", {F32(1)}}, {"f32", {F32(2)}}}),
              ElementsAre(0x3c004000));
  EXPECT_THAT(Evaluate("cvt.rn.relu.bf16x2.f32 %d, %a, %b;", "b32",
                       {{"f32", {F32(-1)}}, {"f32", {F32(2)}}}),
              ElementsAre(0x00004000));
  EXPECT_THAT(Evaluate("cvt.rn.satfinite.e4m3x2.f32 %d, %a, %b;", "b16",
                       {{"f32", {F32(1000), F32(0x1p-9f), kNan}},
                        {"f32", {F32(-1.5f), F32(0x1p-11f), F32(440)}}}),
              ElementsAre(0x7ebc, 0x0100, 0x7f7e));
  EXPECT_THAT(Evaluate("cvt.rn.satfinite.e5m2x2.f32 %d, %a, %b;", "b16",
                       {{"f32", {F32(1e6f)}}, {"f32", {F32(1)}}}),
              ElementsAre(0x7b3c));
  EXPECT_THAT(Evaluate("cvt.rn.f16x2.e4m3x2 %d, %a;", "b32", {{"b16", {0x7eb8, 0x7f01}}}),
              ElementsAre(0x5f00bc00, 0x7fff1800));
  EXPECT_THAT(Evaluate("cvt.rn.satfinite.f16.f32 %d, %a;", "b16",
                       {{"f32", {F32(1e6f), F32(-1e6f)}}}),
              ElementsAre(0x7bff, 0xfbff));
}

}  // namespace
}  // namespace thunky::interp
