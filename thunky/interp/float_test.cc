// Single and double precision: rounding, flushing, NaN rules, approximations.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "thunky/interp/launch_for_test.h"

namespace thunky::interp {
namespace {

using ::testing::ElementsAre;

constexpr uint64_t kNan = 0x7fffffff;
constexpr uint64_t kSignalling = 0xff800001;  // a NaN with another payload and sign
constexpr uint64_t kInf = 0x7f800000;
constexpr uint64_t kMinusInf = 0xff800000;
constexpr uint64_t kOne = 0x3f800000;
constexpr uint64_t kMinusZero = 0x80000000;
constexpr uint64_t kDenormal = 0x00000001;
constexpr uint64_t kLargest = 0x7f7fffff;
constexpr uint64_t kSmallestNormal = 0x00800000;

TEST(FloatTest, NanResultsAreCanonical) {
  EXPECT_THAT(
      Evaluate("add.f32 %d, %a, %b;", "f32",
               {{"f32", {kSignalling, kInf, kOne}}, {"f32", {kOne, kMinusInf, kOne}}}),
      ElementsAre(kNan, kNan, F32(2)));
  EXPECT_THAT(Evaluate("mul.f32 %d, %a, %b;", "f32",
                       {{"f32", {kInf, F32(3)}}, {"f32", {0, F32(-2)}}}),
              ElementsAre(kNan, F32(-6)));
  EXPECT_THAT(
      Evaluate("sqrt.rn.f32 %d, %a;", "f32", {{"f32", {F32(-1), F32(4), kMinusZero}}}),
      ElementsAre(kNan, F32(2), kMinusZero));
}

TEST(FloatTest, RoundingModes) {
  const uint64_t tiny = F32(std::ldexp(1.0f, -30));
  for (const auto& [mode, up, down] :
       {std::tuple{"rn", kOne, F32(-1)}, std::tuple{"rz", kOne, F32(-1)},
        std::tuple{"rp", kOne + 1, F32(-1)},
        std::tuple{"rm", kOne, uint64_t{0xbf800001}}}) {
    EXPECT_THAT(Evaluate(std::string("add.") + mode + ".f32 %d, %a, %b;", "f32",
                         {{"f32", {kOne, F32(-1)}}, {"f32", {tiny, tiny ^ kMinusZero}}}),
                ElementsAre(up, down))
        << mode;
  }
  EXPECT_THAT(Evaluate("add.rz.f32 %d, %a, %b;", "f32",
                       {{"f32", {kLargest}}, {"f32", {kLargest}}}),
              ElementsAre(kLargest));
  EXPECT_THAT(
      Evaluate("div.rp.f32 %d, %a, %b;", "f32", {{"f32", {kOne}}, {"f32", {F32(3)}}}),
      ElementsAre(0x3eaaaaab));
  EXPECT_THAT(
      Evaluate("div.rm.f32 %d, %a, %b;", "f32", {{"f32", {kOne}}, {"f32", {F32(3)}}}),
      ElementsAre(0x3eaaaaaa));
  EXPECT_THAT(Evaluate("rcp.rz.f32 %d, %a;", "f32", {{"f32", {F32(3), 0}}}),
              ElementsAre(0x3eaaaaaa, kInf));
  EXPECT_THAT(Evaluate("sqrt.rp.f32 %d, %a;", "f32", {{"f32", {F32(2)}}}),
              ElementsAre(0x3fb504f4));
  // 1 + 2^-24 + 2^-60 is above the midpoint: only a fused operation sees that.
  EXPECT_THAT(Evaluate("fma.rn.f32 %d, %a, %b, %c;", "f32",
                       {{"f32", {F32(std::ldexp(1.0f, -12)), F32(4097)}},
                        {"f32", {F32(std::ldexp(1.0f, -12)), F32(4097)}},
                        {"f32", {kOne, F32(-16785408)}}}),
              ElementsAre(kOne, F32(1)));
  EXPECT_THAT(Evaluate("fma.rm.f32 %d, %a, %b, %c;", "f32",
                       {{"f32", {F32(0x1p-30f)}}, {"f32", {F32(-1)}}, {"f32", {kOne}}}),
              ElementsAre(kOne - 1));
  EXPECT_THAT(Evaluate("add.rm.f64 %d, %a, %b;", "f64",
                       {{"f64", {F64(1), F64(1)}}, {"f64", {F64(-1e-30), F64(-1)}}}),
              ElementsAre(F64(1) - 1, 0x8000000000000000));
  EXPECT_THAT(
      Evaluate("div.rp.f64 %d, %a, %b;", "f64", {{"f64", {F64(1)}}, {"f64", {F64(3)}}}),
      ElementsAre(F64(1.0 / 3) + 1));
}

TEST(FloatTest, FlushesOnlyWhereItSaysSo) {
  const std::vector<Cases> sum = {{"f32", {kDenormal, 0x80000005, kSmallestNormal}},
                                  {"f32", {kDenormal, 0, 0x80000001}}};
  EXPECT_THAT(Evaluate("add.f32 %d, %a, %b;", "f32", sum),
              ElementsAre(2, 0x80000005, 0x007fffff));
  EXPECT_THAT(Evaluate("add.ftz.f32 %d, %a, %b;", "f32", sum),
              ElementsAre(0, 0, kSmallestNormal));
  EXPECT_THAT(
      Evaluate("mul.ftz.f32 %d, %a, %b;", "f32",
               {{"f32", {kSmallestNormal, 0x80800000}}, {"f32", {F32(0.5f), F32(0.5f)}}}),
      ElementsAre(0, kMinusZero));
  EXPECT_THAT(Evaluate("neg.ftz.f32 %d, %a;", "f32", {{"f32", {kDenormal}}}),
              ElementsAre(kMinusZero));
  EXPECT_THAT(Evaluate("mul.f64 %d, %a, %b;", "f64", {{"f64", {1}}, {"f64", {F64(1)}}}),
              ElementsAre(1));
}

// Rounding makes these normal, but they are flushed for what they are before it.
TEST(FloatTest, FlushesBeforeRounding) {
  EXPECT_THAT(Evaluate("mul.rn.ftz.f32 %d, %a, %b;", "f32",
                       {{"f32", {kSmallestNormal, 0x80800000}},
                        {"f32", {0x3f7fffff, 0x3f7fffff}}}),
              ElementsAre(0, kMinusZero));
  EXPECT_THAT(Evaluate("rcp.rp.ftz.f32 %d, %a;", "f32", {{"f32", {0x7e800001}}}),
              ElementsAre(0));
  EXPECT_THAT(Evaluate("mul.rn.f32 %d, %a, %b;", "f32",
                       {{"f32", {kSmallestNormal}}, {"f32", {0x3f7fffff}}}),
              ElementsAre(kSmallestNormal));
}

TEST(FloatTest, NanOperandsOfDoublesPassThrough) {
  constexpr uint64_t kA = 0x7ff0000000000001;
  constexpr uint64_t kB = 0xfff8000000000002;
  constexpr uint64_t kC = 0x7ff8000000000003;
  constexpr uint64_t kQuiet = 0x0008000000000000;
  const uint64_t one = F64(1);
  EXPECT_THAT(
      Evaluate("add.f64 %d, %a, %b;", "f64", {{"f64", {kA, kA}}, {"f64", {kB, one}}}),
      ElementsAre(kB, kA | kQuiet));
  EXPECT_THAT(Evaluate("fma.rn.f64 %d, %a, %b, %c;", "f64",
                       {{"f64", {kA, kA}}, {"f64", {kB, one}}, {"f64", {kC, kC}}}),
              ElementsAre(kB, kC));
  EXPECT_THAT(Evaluate("neg.f64 %d, %a;", "f64", {{"f64", {kB}}}), ElementsAre(kB));
}

TEST(FloatTest, SaturatesToUnitInterval) {
  EXPECT_THAT(Evaluate("add.sat.f32 %d, %a, %b;", "f32",
                       {{"f32", {kOne, F32(-3), kNan, F32(0.25f)}},
                        {"f32", {kOne, kOne, kOne, F32(0.25f)}}}),
              ElementsAre(kOne, 0, 0, F32(0.5f)));
}

TEST(FloatTest, MinimaAndMaxima) {
  const std::vector<Cases> pairs = {
      {"f32", {kNan, kOne, kMinusZero, 0, kSignalling, F32(3)}},
      {"f32", {kOne, kNan, 0, kMinusZero, kNan, F32(-4)}}};
  EXPECT_THAT(Evaluate("min.f32 %d, %a, %b;", "f32", pairs),
              ElementsAre(kOne, kOne, kMinusZero, kMinusZero, kNan, F32(-4)));
  EXPECT_THAT(Evaluate("max.f32 %d, %a, %b;", "f32", pairs),
              ElementsAre(kOne, kOne, 0, 0, kNan, F32(3)));
  EXPECT_THAT(Evaluate("max.NaN.f32 %d, %a, %b;", "f32", pairs),
              ElementsAre(kNan, kNan, 0, 0, kNan, F32(3)));
  EXPECT_THAT(Evaluate("min.xorsign.abs.f32 %d, %a, %b;", "f32",
                       {{"f32", {F32(-3), F32(2)}}, {"f32", {F32(4), F32(5)}}}),
              ElementsAre(F32(-3), F32(2)));
  EXPECT_THAT(Evaluate("max.f32 %d, %a, %b, %c;", "f32",
                       {{"f32", {kOne}}, {"f32", {F32(3)}}, {"f32", {kNan}}}),
              ElementsAre(F32(3)));
  EXPECT_THAT(Evaluate("min.f64 %d, %a, %b;", "f64",
                       {{"f64", {F64(std::nan("")), 0}}, {"f64", {F64(2), 1ull << 63}}}),
              ElementsAre(F64(2), 1ull << 63));
}

TEST(FloatTest, Comparisons) {
  const std::vector<Cases> pairs = {{"f32", {kOne, kNan, 0, F32(2)}},
                                    {"f32", {kOne, kOne, kMinusZero, F32(3)}}};
  EXPECT_THAT(Evaluate("setp.eq.f32 %d, %a, %b;", "pred", pairs),
              ElementsAre(1, 0, 1, 0));
  EXPECT_THAT(Evaluate("setp.ne.f32 %d, %a, %b;", "pred", pairs),
              ElementsAre(0, 0, 0, 1));
  EXPECT_THAT(Evaluate("setp.neu.f32 %d, %a, %b;", "pred", pairs),
              ElementsAre(0, 1, 0, 1));
  EXPECT_THAT(Evaluate("setp.equ.f32 %d, %a, %b;", "pred", pairs),
              ElementsAre(1, 1, 1, 0));
  EXPECT_THAT(Evaluate("setp.lt.f32 %d, %a, %b;", "pred", pairs),
              ElementsAre(0, 0, 0, 1));
  EXPECT_THAT(Evaluate("setp.ltu.f32 %d, %a, %b;", "pred", pairs),
              ElementsAre(0, 1, 0, 1));
  EXPECT_THAT(Evaluate("setp.geu.f32 %d, %a, %b;", "pred", pairs),
              ElementsAre(1, 1, 1, 0));
  EXPECT_THAT(Evaluate("setp.num.f32 %d, %a, %b;", "pred", pairs),
              ElementsAre(1, 0, 1, 1));
  EXPECT_THAT(Evaluate("setp.nan.f32 %d, %a, %b;", "pred", pairs),
              ElementsAre(0, 1, 0, 0));
  EXPECT_THAT(Evaluate("setp.eq.ftz.f32 %d, %a, %b;", "pred",
                       {{"f32", {kDenormal}}, {"f32", {0}}}),
              ElementsAre(1));
  // p = compare and c, q = not compare and c
  EXPECT_THAT(Evaluate("{.reg .pred %p; setp.lt.and.s32 %p|%d, %a, %b, %c;}", "pred",
                       {{"b32", {1, 2, 2}}, {"b32", {2, 1, 1}}, {"pred", {1, 1, 0}}}),
              ElementsAre(0, 1, 0));
  EXPECT_THAT(Evaluate("set.gt.f32.u32 %d, %a, %b;", "f32",
                       {{"b32", {0xffffffff, 1}}, {"b32", {1, 2}}}),
              ElementsAre(kOne, 0));
  EXPECT_THAT(Evaluate("set.lt.u32.s32 %d, %a, %b;", "b32",
                       {{"b32", {0xffffffff, 1}}, {"b32", {1, 1}}}),
              ElementsAre(0xffffffff, 0));
  EXPECT_THAT(
      Evaluate("setp.hi.u64 %d, %a, %b;", "pred", {{"b64", {~0ull, 1}}, {"b64", {1, 1}}}),
      ElementsAre(1, 0));
}

TEST(FloatTest, TestpAndCopysign) {
  const std::vector<Cases> values = {{"f32", {kInf, kNan, kDenormal, kOne, 0}}};
  EXPECT_THAT(Evaluate("testp.finite.f32 %d, %a;", "pred", values),
              ElementsAre(0, 0, 1, 1, 1));
  EXPECT_THAT(Evaluate("testp.normal.f32 %d, %a;", "pred", values),
              ElementsAre(0, 0, 0, 1, 1));
  EXPECT_THAT(Evaluate("testp.subnormal.f32 %d, %a;", "pred", values),
              ElementsAre(0, 0, 1, 0, 0));
  EXPECT_THAT(Evaluate("testp.notanumber.f32 %d, %a;", "pred", values),
              ElementsAre(0, 1, 0, 0, 0));
  EXPECT_THAT(Evaluate("copysign.f32 %d, %a, %b;", "f32",
                       {{"f32", {F32(-2)}}, {"f32", {F32(5)}}}),
              ElementsAre(F32(-5)));
}

TEST(FloatTest, ApproximationsAtTheEdges) {
  EXPECT_THAT(
      Evaluate("rcp.approx.ftz.f32 %d, %a;", "f32",
               {{"f32", {0, kMinusZero, kInf, kDenormal, F32(4), F32(0x1p127f)}}}),
      ElementsAre(kInf, kMinusInf, 0, kInf, F32(0.25f), 0));
  EXPECT_THAT(
      Evaluate("rsqrt.approx.f32 %d, %a;", "f32", {{"f32", {0, F32(4), F32(-1), kInf}}}),
      ElementsAre(kInf, F32(0.5f), kNan, 0));
  EXPECT_THAT(Evaluate("ex2.approx.ftz.f32 %d, %a;", "f32",
                       {{"f32", {0, F32(10), kMinusInf, F32(200), F32(-130), kNan}}}),
              ElementsAre(kOne, F32(1024), 0, kInf, 0, kNan));
  EXPECT_THAT(Evaluate("ex2.approx.f32 %d, %a;", "f32", {{"f32", {F32(-149)}}}),
              ElementsAre(kDenormal));
  EXPECT_THAT(Evaluate("lg2.approx.f32 %d, %a;", "f32",
                       {{"f32", {0, F32(8), F32(-1), kInf, kDenormal}}}),
              ElementsAre(kMinusInf, F32(3), kNan, kInf, F32(-149)));
  EXPECT_THAT(Evaluate("div.approx.f32 %d, %a, %b;", "f32",
                       {{"f32", {kOne, kOne}}, {"f32", {F32(4), F32(0x1p127f)}}}),
              ElementsAre(F32(0.25f), 0));
  EXPECT_THAT(Evaluate("div.full.f32 %d, %a, %b;", "f32",
                       {{"f32", {F32(0x1p127f), kOne}}, {"f32", {F32(0x1p127f), 0}}}),
              ElementsAre(kOne, kInf));
  EXPECT_THAT(Evaluate("sin.approx.f32 %d, %a;", "f32", {{"f32", {0, kMinusZero, kInf}}}),
              ElementsAre(0, kMinusZero, kNan));
  EXPECT_THAT(Evaluate("cos.approx.f32 %d, %a;", "f32", {{"f32", {0}}}),
              ElementsAre(kOne));
  EXPECT_THAT(Evaluate("tanh.approx.f32 %d, %a;", "f32", {{"f32", {kInf, F32(-100), 0}}}),
              ElementsAre(kOne, F32(-1), 0));
  EXPECT_THAT(Evaluate("rcp.approx.ftz.f64 %d, %a;", "f64", {{"f64", {F64(3), 1}}}),
              ElementsAre(F64(1.0 / 3) & 0xffffffff00000000, F64(INFINITY)));
}

TEST(FloatTest, DoublesAndPairs) {
  EXPECT_THAT(
      Evaluate(
          "fma.rn.f64 %d, %a, %b, %c;", "f64",
          {{"f64", {F64(1 + 0x1p-30)}}, {"f64", {F64(1 - 0x1p-30)}}, {"f64", {F64(-1)}}}),
      ElementsAre(F64(-0x1p-60)));
  EXPECT_THAT(
      Evaluate("add.rn.f32x2 %d, %a, %b;", "b64",
               {{"b64", {F32(1) | F32(2) << 32}}, {"b64", {F32(3) | F32(4) << 32}}}),
      ElementsAre(F32(4) | F32(6) << 32));
}

}  // namespace
}  // namespace thunky::interp
