// Integer instructions on inputs where they differ from C.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "thunky/interp/launch_for_test.h"

namespace thunky::interp {
namespace {

using ::testing::ElementsAre;

constexpr uint64_t kMin32 = 0x80000000u;
constexpr uint64_t kMax32 = 0x7fffffffu;
constexpr uint64_t kAll32 = 0xffffffffu;
constexpr uint64_t kMin64 = 0x8000000000000000u;
constexpr uint64_t kAll64 = ~uint64_t{0};

TEST(IntegerTest, AdditionWrapsAndSaturates) {
  EXPECT_THAT(Evaluate("add.s32 %d, %a, %b;", "b32",
                       {{"b32", {kMax32, 5, kAll32}}, {"b32", {1, 7, 1}}}),
              ElementsAre(kMin32, 12, 0));
  EXPECT_THAT(Evaluate("add.sat.s32 %d, %a, %b;", "b32",
                       {{"b32", {kMax32, kMin32, 5}}, {"b32", {1, kAll32, kAll32}}}),
              ElementsAre(kMax32, kMin32, 4));
  EXPECT_THAT(Evaluate("sub.sat.s32 %d, %a, %b;", "b32",
                       {{"b32", {kMin32, kMax32, 0}}, {"b32", {1, kAll32, 1}}}),
              ElementsAre(kMin32, kMax32, kAll32));
  EXPECT_THAT(
      Evaluate("add.u16 %d, %a, %b;", "b16", {{"b16", {0xffff, 1}}, {"b16", {2, 2}}}),
      ElementsAre(1, 3));
  EXPECT_THAT(Evaluate("sub.u64 %d, %a, %b;", "b64", {{"b64", {0, 9}}, {"b64", {1, 4}}}),
              ElementsAre(kAll64, 5));
}

TEST(IntegerTest, MultiplicationParts) {
  const std::vector<Cases> words = {{"b32", {kAll32, kMin32, 7}},
                                    {"b32", {kAll32, kMin32, 6}}};
  EXPECT_THAT(Evaluate("mul.lo.u32 %d, %a, %b;", "b32", words), ElementsAre(1, 0, 42));
  EXPECT_THAT(Evaluate("mul.hi.u32 %d, %a, %b;", "b32", words),
              ElementsAre(0xfffffffe, 0x40000000, 0));
  EXPECT_THAT(Evaluate("mul.hi.s32 %d, %a, %b;", "b32", words),
              ElementsAre(0, 0x40000000, 0));
  EXPECT_THAT(Evaluate("mul.wide.s32 %d, %a, %b;", "b64", words),
              ElementsAre(1, 0x4000000000000000, 42));
  EXPECT_THAT(Evaluate("mul.wide.u32 %d, %a, %b;", "b64", words),
              ElementsAre(0xfffffffe00000001, 0x4000000000000000, 42));
  const std::vector<Cases> longs = {{"b64", {kAll64, kMin64}}, {"b64", {kAll64, kMin64}}};
  EXPECT_THAT(Evaluate("mul.hi.u64 %d, %a, %b;", "b64", longs),
              ElementsAre(0xfffffffffffffffe, 0x4000000000000000));
  EXPECT_THAT(Evaluate("mul.hi.s64 %d, %a, %b;", "b64", longs),
              ElementsAre(0, 0x4000000000000000));
  EXPECT_THAT(Evaluate("mul.lo.u16 %d, %a, %b;", "b16",
                       {{"b16", {0xffff, 300}}, {"b16", {0xffff, 300}}}),
              ElementsAre(1, 90000 & 0xffff));
  EXPECT_THAT(Evaluate("mul.hi.u16 %d, %a, %b;", "b16",
                       {{"b16", {0xffff, 300}}, {"b16", {0xffff, 300}}}),
              ElementsAre(0xfffe, 1));
  EXPECT_THAT(Evaluate("mul.wide.s16 %d, %a, %b;", "b32",
                       {{"b16", {0x8000, 0xffff}}, {"b16", {0x8000, 2}}}),
              ElementsAre(0x40000000, 0xfffffffe));
}

TEST(IntegerTest, MultiplyAdd) {
  const std::vector<Cases> abc = {
      {"b32", {kAll32, 3}}, {"b32", {kAll32, 4}}, {"b32", {5, 6}}};
  EXPECT_THAT(Evaluate("mad.lo.s32 %d, %a, %b, %c;", "b32", abc), ElementsAre(6, 18));
  EXPECT_THAT(Evaluate("mad.hi.u32 %d, %a, %b, %c;", "b32", abc), ElementsAre(3, 6));
  EXPECT_THAT(Evaluate("mad.hi.sat.s32 %d, %a, %b, %c;", "b32",
                       {{"b32", {kMin32}}, {"b32", {kMin32}}, {"b32", {kMax32}}}),
              ElementsAre(kMax32));
  EXPECT_THAT(Evaluate("mad.wide.u32 %d, %a, %b, %c;", "b64",
                       {{"b32", {kAll32}}, {"b32", {kAll32}}, {"b64", {kAll64}}}),
              ElementsAre(0xfffffffe00000000));
  EXPECT_THAT(Evaluate("mul24.lo.s32 %d, %a, %b;", "b32",
                       {{"b32", {0xffffff, 0x1000002}}, {"b32", {3, 5}}}),
              ElementsAre(0xfffffffd, 10));
  EXPECT_THAT(Evaluate("mul24.hi.u32 %d, %a, %b;", "b32",
                       {{"b32", {0xffffff}}, {"b32", {0xffffff}}}),
              ElementsAre(0xfffffe00u));
  EXPECT_THAT(Evaluate("mad24.lo.u32 %d, %a, %b, %c;", "b32",
                       {{"b32", {0xff000002}}, {"b32", {3}}, {"b32", {4}}}),
              ElementsAre(10));
}

TEST(IntegerTest, DivisionNeverTraps) {
  EXPECT_THAT(Evaluate("div.s32 %d, %a, %b;", "b32",
                       {{"b32", {kMin32, 7, 0xfffffff9, 7}}, {"b32", {kAll32, 0, 2, 2}}}),
              ElementsAre(kMin32, kAll32, 0xfffffffd, 3));
  EXPECT_THAT(Evaluate("rem.s32 %d, %a, %b;", "b32",
                       {{"b32", {kMin32, 7, 0xfffffff9}}, {"b32", {kAll32, 0, 2}}}),
              ElementsAre(0, kAll32, kAll32));
  EXPECT_THAT(
      Evaluate("div.u64 %d, %a, %b;", "b64", {{"b64", {kAll64, 1}}, {"b64", {10, 0}}}),
      ElementsAre(kAll64 / 10, kAll64));
  EXPECT_THAT(
      Evaluate("div.s64 %d, %a, %b;", "b64", {{"b64", {kMin64}}, {"b64", {kAll64}}}),
      ElementsAre(kMin64));
  EXPECT_THAT(Evaluate("rem.u16 %d, %a, %b;", "b16", {{"b16", {7, 7}}, {"b16", {4, 0}}}),
              ElementsAre(3, 0xffff));
}

TEST(IntegerTest, SignsAndExtremes) {
  EXPECT_THAT(Evaluate("abs.s32 %d, %a;", "b32", {{"b32", {kMin32, kAll32, 5}}}),
              ElementsAre(kMin32, 1, 5));
  EXPECT_THAT(Evaluate("neg.s16 %d, %a;", "b16", {{"b16", {0x8000, 1}}}),
              ElementsAre(0x8000, 0xffff));
  EXPECT_THAT(Evaluate("min.s32 %d, %a, %b;", "b32",
                       {{"b32", {kAll32, 1}}, {"b32", {1, kMin32}}}),
              ElementsAre(kAll32, kMin32));
  EXPECT_THAT(Evaluate("max.u32 %d, %a, %b;", "b32", {{"b32", {kAll32}}, {"b32", {1}}}),
              ElementsAre(kAll32));
  EXPECT_THAT(Evaluate("max.s16x2 %d, %a, %b;", "b32",
                       {{"b32", {0xffff0005}}, {"b32", {0x00018000}}}),
              ElementsAre(0x00010005));
  EXPECT_THAT(Evaluate("add.u16x2 %d, %a, %b;", "b32",
                       {{"b32", {0xffff0001}}, {"b32", {0x00010002}}}),
              ElementsAre(0x00000003));
  EXPECT_THAT(Evaluate("min.relu.s32 %d, %a, %b;", "b32",
                       {{"b32", {kAll32, 3}}, {"b32", {5, 5}}}),
              ElementsAre(0, 3));
  EXPECT_THAT(Evaluate("sad.s32 %d, %a, %b, %c;", "b32",
                       {{"b32", {kMin32, 3}}, {"b32", {1, 10}}, {"b32", {0, 1}}}),
              ElementsAre(0x80000001, 8));
}

// 128-bit sums out of 32-bit words.
TEST(IntegerTest, CarryChains) {
  EXPECT_THAT(Evaluate("{.reg .b32 %lo; add.cc.u32 %lo, %a, %b; addc.u32 %d, %a, %b;}",
                       "b32", {{"b32", {kAll32, 1}}, {"b32", {1, 1}}}),
              ElementsAre(1, 2));
  EXPECT_THAT(Evaluate("{.reg .b32 %lo; sub.cc.u32 %lo, %a, %b; subc.u32 %d, %c, 0;}",
                       "b32", {{"b32", {0, 5}}, {"b32", {1, 5}}, {"b32", {7, 7}}}),
              ElementsAre(6, 7));
  // A carry in that makes the sum wrap sets the carry out.
  EXPECT_THAT(Evaluate("{.reg .b32 %x; add.cc.u32 %x, %a, 1; addc.cc.u32 %x, %a, 0; "
                       "addc.u32 %d, 0, 0;}",
                       "b32", {{"b32", {kAll32, 0}}}),
              ElementsAre(1, 0));
  EXPECT_THAT(
      Evaluate("{.reg .b32 %x; mad.lo.cc.u32 %x, %a, %b, %c; "
               "madc.hi.u32 %d, %a, %b, 0;}",
               "b32", {{"b32", {kAll32, 2}}, {"b32", {kAll32, 3}}, {"b32", {kAll32, 1}}}),
      ElementsAre(0xffffffff, 0));
  EXPECT_THAT(Evaluate("{.reg .b64 %x; add.cc.u64 %x, %a, %a; addc.u64 %d, 0, 0;}", "b64",
                       {{"b64", {kMin64, 1}}}),
              ElementsAre(1, 0));
}

TEST(BitsTest, Counting) {
  EXPECT_THAT(Evaluate("popc.b64 %d, %a;", "b32", {{"b64", {0, kAll64, kMin64}}}),
              ElementsAre(0, 64, 1));
  EXPECT_THAT(Evaluate("clz.b32 %d, %a;", "b32", {{"b32", {0, 1, kMin32}}}),
              ElementsAre(32, 31, 0));
  EXPECT_THAT(Evaluate("bfind.u32 %d, %a;", "b32", {{"b32", {0, 1, kMin32}}}),
              ElementsAre(kAll32, 0, 31));
  EXPECT_THAT(Evaluate("bfind.s32 %d, %a;", "b32", {{"b32", {kAll32, 0xfffffffe, 4}}}),
              ElementsAre(kAll32, 0, 2));
  EXPECT_THAT(Evaluate("bfind.shiftamt.u64 %d, %a;", "b32", {{"b64", {1, kMin64}}}),
              ElementsAre(63, 0));
  EXPECT_THAT(Evaluate("brev.b32 %d, %a;", "b32", {{"b32", {1, 0x0000ffff}}}),
              ElementsAre(kMin32, 0xffff0000));
  EXPECT_THAT(Evaluate("fns.b32 %d, %a, %b, %c;", "b32",
                       {{"b32", {0xaaaaaaaa, 0xaaaaaaaa, 0xaaaaaaaa, 0xaaaaaaaa}},
                        {"b32", {3, 3, 3, 4}},
                        {"b32", {1, 2, kAll32, 0}}}),
              ElementsAre(3, 5, 3, kAll32));
}

TEST(BitsTest, FieldsOutOfRange) {
  const std::vector<Cases> fields = {
      {"b32", {0x80000001, 0x80000001, 0x12345678, 0x80000000, 0x80000000}},
      {"b32", {31, 0, 8, 40, 16}},
      {"b32", {1, 0, 8, 4, 32}}};
  EXPECT_THAT(Evaluate("bfe.u32 %d, %a, %b, %c;", "b32", fields),
              ElementsAre(1, 0, 0x56, 0, 0x8000));
  EXPECT_THAT(Evaluate("bfe.s32 %d, %a, %b, %c;", "b32", fields),
              ElementsAre(kAll32, 0, 0x56, kAll32, 0xffff8000));
  EXPECT_THAT(Evaluate("bfe.s64 %d, %a, %b, %c;", "b64",
                       {{"b64", {kMin64}}, {"b32", {60}}, {"b32", {4}}}),
              ElementsAre(0xfffffffffffffff8));
  EXPECT_THAT(Evaluate("bfi.b32 %d, %a, %b, %c, %e;", "b32",
                       {{"b32", {0xff, 0xff, 0xff}},
                        {"b32", {0, 0x1234, 0}},
                        {"b32", {8, 32, 28}},
                        {"b32", {4, 8, 16}}}),
              ElementsAre(0xf00, 0x1234, 0xf0000000));
  EXPECT_THAT(Evaluate("bmsk.clamp.b32 %d, %a, %b;", "b32",
                       {{"b32", {4, 40, 0}}, {"b32", {8, 1, 99}}}),
              ElementsAre(0xff0, 0, kAll32));
  EXPECT_THAT(Evaluate("szext.wrap.s32 %d, %a, %b;", "b32",
                       {{"b32", {0x80, 0x80}}, {"b32", {8, 40}}}),
              ElementsAre(0xffffff80, 0xffffff80));
}

TEST(BitsTest, DotProducts) {
  EXPECT_THAT(Evaluate("dp4a.s32.s32 %d, %a, %b, %c;", "b32",
                       {{"b32", {0xff020304}}, {"b32", {0x01010101}}, {"b32", {100}}}),
              ElementsAre(108));
  EXPECT_THAT(Evaluate("dp4a.u32.u32 %d, %a, %b, %c;", "b32",
                       {{"b32", {0xff020304}}, {"b32", {0x01010101}}, {"b32", {100}}}),
              ElementsAre(364));
  EXPECT_THAT(Evaluate("dp2a.hi.s32.u32 %d, %a, %b, %c;", "b32",
                       {{"b32", {0xffff0002}}, {"b32", {0x05070000}}, {"b32", {0}}}),
              ElementsAre(9));
}

TEST(LogicTest, ShiftsBeyondTheWidth) {
  const std::vector<Cases> cases = {{"b32", {0x80000001, 0x80000001, 0x80000001}},
                                    {"b32", {31, 32, kAll32}}};
  EXPECT_THAT(Evaluate("shl.b32 %d, %a, %b;", "b32", cases), ElementsAre(kMin32, 0, 0));
  EXPECT_THAT(Evaluate("shr.u32 %d, %a, %b;", "b32", cases), ElementsAre(1, 0, 0));
  EXPECT_THAT(Evaluate("shr.s32 %d, %a, %b;", "b32", cases),
              ElementsAre(kAll32, kAll32, kAll32));
  EXPECT_THAT(
      Evaluate("shl.b16 %d, %a, %b;", "b16", {{"b16", {1, 1}}, {"b32", {15, 16}}}),
      ElementsAre(0x8000, 0));
  EXPECT_THAT(Evaluate("shr.s64 %d, %a, %b;", "b64", {{"b64", {kMin64}}, {"b32", {64}}}),
              ElementsAre(kAll64));
  const std::vector<Cases> funnel = {{"b32", {0x11111111, 0x11111111}},
                                     {"b32", {0x22222222, 0x22222222}},
                                     {"b32", {4, 36}}};
  EXPECT_THAT(Evaluate("shf.l.wrap.b32 %d, %a, %b, %c;", "b32", funnel),
              ElementsAre(0x22222221, 0x22222221));
  EXPECT_THAT(Evaluate("shf.l.clamp.b32 %d, %a, %b, %c;", "b32", funnel),
              ElementsAre(0x22222221, 0x11111111));
  EXPECT_THAT(Evaluate("shf.r.clamp.b32 %d, %a, %b, %c;", "b32", funnel),
              ElementsAre(0x21111111, 0x22222222));
}

TEST(LogicTest, PermutesBytes) {
  const auto prmt = [](const char* mode, uint64_t selector) {
    return Evaluate(
        std::string("prmt.b32") + mode + " %d, %a, %b, %c;", "b32",
        {{"b32", {0x83828180}}, {"b32", {0x07060504}}, {"b32", {selector}}})[0];
  };
  EXPECT_EQ(prmt("", 0x7531), 0x07058381u);
  EXPECT_EQ(prmt("", 0xfb80), 0x00ffff80u) << "the top bit of a selector copies the sign";
  EXPECT_EQ(prmt(".f4e", 1), 0x04838281u);
  EXPECT_EQ(prmt(".b4e", 1), 0x06078081u);
  EXPECT_EQ(prmt(".rc8", 2), 0x82828282u);
  EXPECT_EQ(prmt(".ecl", 1), 0x83828181u);
  EXPECT_EQ(prmt(".ecr", 1), 0x81818180u);
  EXPECT_EQ(prmt(".rc16", 1), 0x83828382u);
}

TEST(LogicTest, Lop3AndSelection) {
  EXPECT_THAT(Evaluate("lop3.b32 %d, %a, %b, %c, 0x96;", "b32",
                       {{"b32", {0xf0}}, {"b32", {0xcc}}, {"b32", {0xaa}}}),
              ElementsAre(0xf0 ^ 0xcc ^ 0xaa));
  EXPECT_THAT(Evaluate("cnot.b32 %d, %a;", "b32", {{"b32", {0, 7}}}), ElementsAre(1, 0));
  EXPECT_THAT(Evaluate("slct.b32.s32 %d, %a, %b, %c;", "b32",
                       {{"b32", {1, 1}}, {"b32", {2, 2}}, {"b32", {0, kAll32}}}),
              ElementsAre(1, 2));
  EXPECT_THAT(Evaluate("slct.b32.f32 %d, %a, %b, %c;", "b32",
                       {{"b32", {1, 1}}, {"b32", {2, 2}}, {"b32", {kMin32, 0x7fc00000}}}),
              ElementsAre(1, 2));
  EXPECT_THAT(Evaluate("selp.b16 %d, %a, %b, %c;", "b16",
                       {{"b16", {1, 1}}, {"b16", {2, 2}}, {"pred", {1, 0}}}),
              ElementsAre(1, 2));
  EXPECT_THAT(Evaluate("{.reg .pred %x; not.pred %x, %a; xor.pred %d, %x, %b;}", "pred",
                       {{"pred", {0, 1, 1}}, {"pred", {1, 1, 0}}}),
              ElementsAre(0, 1, 0));
}

TEST(LogicTest, PacksAndUnpacks) {
  EXPECT_THAT(Evaluate("mov.b64 %d, {%b, %a};", "b64", {{"b32", {1}}, {"b32", {2}}}),
              ElementsAre(0x0000000100000002));
  EXPECT_THAT(Evaluate("{.reg .b32 %x; mov.b64 {_, %d}, %a;}", "b32",
                       {{"b64", {0x1122334455667788}}}),
              ElementsAre(0x11223344));
  EXPECT_THAT(Evaluate("{.reg .b16 %x<4>; mov.b64 {%x0, %x1, %x2, %x3}, %a; "
                       "mov.b64 %d, {%x3, %x2, %x1, %x0};}",
                       "b64", {{"b64", {0x1111222233334444}}}),
              ElementsAre(0x4444333322221111));
}

}  // namespace
}  // namespace thunky::interp
