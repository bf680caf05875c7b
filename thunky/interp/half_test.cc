// f16, bf16 and their pairs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "thunky/interp/launch_for_test.h"

namespace thunky::interp {
namespace {

using ::testing::ElementsAre;

constexpr uint64_t kOne = 0x3c00;
constexpr uint64_t kMax = 0x7bff;
constexpr uint64_t kInf = 0x7c00;
constexpr uint64_t kNan = 0x7fff;

TEST(HalfTest, AddMultiplyFuse) {
  EXPECT_THAT(Evaluate("add.rn.f16 %d, %a, %b;", "b16",
                       {{"b16", {kOne, kMax, 0x0001, kInf, kOne}},
                        {"b16", {0x1000, kMax, 0x0001, 0xfc00, 0x1001}}}),
              ElementsAre(kOne, kInf, 0x0002, kNan, 0x3c01));
  EXPECT_THAT(Evaluate("mul.f16 %d, %a, %b;", "b16",
                       {{"b16", {0x0400, 0x4200}}, {"b16", {0x3800, 0xc000}}}),
              ElementsAre(0x0200, 0xc600));
  EXPECT_THAT(
      Evaluate("mul.ftz.f16 %d, %a, %b;", "b16", {{"b16", {0x0400}}, {"b16", {0x3800}}}),
      ElementsAre(0));
  EXPECT_THAT(Evaluate("fma.rn.relu.f16 %d, %a, %b, %c;", "b16",
                       {{"b16", {kOne, kOne, kNan}},
                        {"b16", {kOne, kOne, 0}},
                        {"b16", {0xc000, kOne, 0}}}),
              ElementsAre(0, 0x4000, kNan));
  EXPECT_THAT(Evaluate("add.sat.f16 %d, %a, %b;", "b16",
                       {{"b16", {kOne, 0xc000}}, {"b16", {kOne, kOne}}}),
              ElementsAre(kOne, 0));
  EXPECT_THAT(Evaluate("sub.f16x2 %d, %a, %b;", "b32",
                       {{"b32", {0x40003c00}}, {"b32", {0x3c003c00}}}),
              ElementsAre(0x3c000000));
}

TEST(HalfTest, BFloat) {
  EXPECT_THAT(Evaluate("add.rn.bf16 %d, %a, %b;", "b16",
                       {{"b16", {0x3f80, 0x7f7f}}, {"b16", {0x3b80, 0x7f7f}}}),
              ElementsAre(0x3f80, 0x7f80));
  // 257/128 * 257/256 needs the sticky part of c to leave a tie.
  EXPECT_THAT(Evaluate("fma.rn.bf16 %d, %a, %b, %c;", "b16",
                       {{"b16", {0x3f81, 0x3f81}},
                        {"b16", {0x3fc0, 0x3fc0}},
                        {"b16", {0x0001, 0x8001}}}),
              ElementsAre(0x3fc2, 0x3fc1));
  EXPECT_THAT(
      Evaluate("fma.rn.bf16x2 %d, %a, %b, %c;", "b32",
               {{"b32", {0x3f804000}}, {"b32", {0x40004000}}, {"b32", {0x3f803f80}}}),
      ElementsAre(0x404040a0));
}

TEST(HalfTest, ExtremesAndSigns) {
  EXPECT_THAT(Evaluate("min.f16 %d, %a, %b;", "b16",
                       {{"b16", {kNan, 0x8000, kNan}}, {"b16", {kOne, 0, kNan}}}),
              ElementsAre(kOne, 0x8000, kNan));
  EXPECT_THAT(Evaluate("max.NaN.bf16x2 %d, %a, %b;", "b32",
                       {{"b32", {0x7fc03f80}}, {"b32", {0x3f804000}}}),
              ElementsAre(0x7fff4000));
  EXPECT_THAT(Evaluate("neg.f16x2 %d, %a;", "b32", {{"b32", {0x3c008000}}}),
              ElementsAre(0xbc000000));
  EXPECT_THAT(Evaluate("abs.bf16 %d, %a;", "b16", {{"b16", {0xbf80}}}),
              ElementsAre(0x3f80));
  EXPECT_THAT(Evaluate("ex2.approx.f16 %d, %a;", "b16", {{"b16", {0x4200}}}),
              ElementsAre(0x4800));
  EXPECT_THAT(Evaluate("tanh.approx.bf16 %d, %a;", "b16", {{"b16", {0x7f80}}}),
              ElementsAre(0x3f80));
}

TEST(HalfTest, Comparisons) {
  EXPECT_THAT(Evaluate("setp.lt.f16 %d, %a, %b;", "pred",
                       {{"b16", {kOne, kNan, 0xc000}}, {"b16", {0x4000, kOne, 0xbc00}}}),
              ElementsAre(1, 0, 1));
  EXPECT_THAT(
      Evaluate("{.reg .pred %p; setp.gt.f16x2 %p|%d, %a, %b;}", "pred",
               {{"b32", {0x40003c00, 0x3c004000}}, {"b32", {0x3c003c00, 0x3c003c00}}}),
      ElementsAre(1, 0));
  EXPECT_THAT(Evaluate("set.ge.f16x2.f16x2 %d, %a, %b;", "b32",
                       {{"b32", {0x40003800}}, {"b32", {0x3c003c00}}}),
              ElementsAre(0x3c000000));
}

}  // namespace
}  // namespace thunky::interp
