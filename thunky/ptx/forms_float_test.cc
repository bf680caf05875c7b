// Floating-point arithmetic.
#include <string_view>

#include "gtest/gtest.h"
#include "thunky/ptx/lowering_for_test.h"

namespace thunky::ptx {
namespace {

struct Case {
  std::string_view text;
  std::string_view lowered;
};

constexpr Case kCases[] = {
    {"add.f32 %f1, %f2, 0f3F800000;", "add.f32 | %f1 | %f2 0x3f800000"},
    {"add.rn.f32 %r1, %r2, 1.5;", "add.f32 rn | %r1 | %r2 0x3fc00000"},
    {"add.rz.ftz.sat.f32 %f1, %f2, %f3;", "add.f32 rz ftz sat | %f1 | %f2 %f3"},
    {"add.rm.f64 %d1, %d2, 0.1;", "add.f64 rm | %d1 | %d2 0x3fb999999999999a"},
    {"add.f32.rn %f1, %f2, %f3;", "add.f32 rn | %f1 | %f2 %f3"},
    {"add.rn.f32x2 %rd1, %rd2, %rd3;", "add.f32x2 rn | %rd1 | %rd2 %rd3"},
    {"add.rn.ftz.sat.f16 %h1, %h2, %h3;", "add.f16 rn ftz sat | %h1 | %h2 %h3"},
    {"add.rn.bf16x2 %r1, %r2, %r3;", "add.bf16x2 rn | %r1 | %r2 %r3"},
    {"sub.rp.f32 %f1, %f2, %f3;", "sub.f32 rp | %f1 | %f2 %f3"},
    {"mul.ftz.f32 %f1, %f2, %f3;", "mul.f32 ftz | %f1 | %f2 %f3"},
    {"mul.f16x2 %r1, %r2, %r3;", "mul.f16x2 | %r1 | %r2 %r3"},
    {"fma.rn.f32 %f1, %f2, %f3, %f4;", "fma.f32 rn | %f1 | %f2 %f3 %f4"},
    {"fma.rm.sat.f32 %f1, %f2, %f3, %f4;", "fma.f32 rm sat | %f1 | %f2 %f3 %f4"},
    {"fma.rn.relu.bf16x2 %r1, %r2, %r3, %r4;", "fma.bf16x2 rn relu | %r1 | %r2 %r3 %r4"},
    {"fma.rn.ftz.f16 %h1, %h2, %h3, %h4;", "fma.f16 rn ftz | %h1 | %h2 %h3 %h4"},
    {"fma.rz.f64 %d1, %d2, %d3, %d4;", "fma.f64 rz | %d1 | %d2 %d3 %d4"},
    {"mad.rn.f32 %f1, %f2, %f3, %f4;", "fma.f32 rn | %f1 | %f2 %f3 %f4"},
    {"div.full.f32 %f1, %f2, %f3;", "div.f32 full | %f1 | %f2 %f3"},
    {"div.approx.ftz.f32 %f1, %f2, %f3;", "div.f32 ftz approx | %f1 | %f2 %f3"},
    {"div.rn.f64 %d1, %d2, %d3;", "div.f64 rn | %d1 | %d2 %d3"},
    {"abs.ftz.f32 %f1, %f2;", "abs.f32 ftz | %f1 | %f2"},
    {"neg.f32 %f1, %f2;", "neg.f32 | %f1 | %f2"},
    {"neg.bf16x2 %r1, %r2;", "neg.bf16x2 | %r1 | %r2"},
    {"min.f32 %f1, %f2, %f3;", "min.f32 | %f1 | %f2 %f3"},
    {"max.NaN.f32 %f1, %f2, %f3;", "max.f32 NaN | %f1 | %f2 %f3"},
    {"max.ftz.NaN.xorsign.abs.f32 %f1, %f2, %f3;",
     "max.f32 ftz NaN xorsign | %f1 | %f2 %f3"},
    {"min.f32 %f1, %f2, %f3, %f4;", "min.f32 three | %f1 | %f2 %f3 %f4"},
    {"max.NaN.bf16 %h1, %h2, %h3;", "max.bf16 NaN | %h1 | %h2 %h3"},
    {"max.f64 %d1, %d2, %d3;", "max.f64 | %d1 | %d2 %d3"},
    {"rcp.approx.ftz.f32 %f1, %f2;", "rcp.f32 ftz approx | %f1 | %f2"},
    {"rcp.rn.f64 %d1, %d2;", "rcp.f64 rn | %d1 | %d2"},
    {"rcp.approx.ftz.f64 %d1, %d2;", "rcp.f64 ftz approx | %d1 | %d2"},
    {"sqrt.approx.f32 %f1, %f2;", "sqrt.f32 approx | %f1 | %f2"},
    {"sqrt.rn.f64 %d1, %d2;", "sqrt.f64 rn | %d1 | %d2"},
    {"rsqrt.approx.f32 %f1, %f2;", "rsqrt.f32 approx | %f1 | %f2"},
    {"rsqrt.approx.ftz.f64 %d1, %d2;", "rsqrt.f64 ftz approx | %d1 | %d2"},
    {"sin.approx.ftz.f32 %f1, %f2;", "sin.f32 ftz approx | %f1 | %f2"},
    {"cos.approx.f32 %f1, %f2;", "cos.f32 approx | %f1 | %f2"},
    {"lg2.approx.f32 %f1, %f2;", "lg2.f32 approx | %f1 | %f2"},
    {"ex2.approx.ftz.f32 %f1, %f2;", "ex2.f32 ftz approx | %f1 | %f2"},
    {"ex2.approx.f16x2 %r1, %r2;", "ex2.f16x2 approx | %r1 | %r2"},
    {"ex2.approx.ftz.bf16 %h1, %h2;", "ex2.bf16 ftz approx | %h1 | %h2"},
    {"tanh.approx.f32 %f1, %f2;", "tanh.f32 approx | %f1 | %f2"},
    {"testp.notanumber.f32 %p1, %f2;", "testp.f32 notanumber | %p1 | %f2"},
    {"testp.finite.f64 %p1, %d2;", "testp.f64 | %p1 | %d2"},
    {"copysign.f32 %f1, %f2, %f3;", "copysign.f32 | %f1 | %f2 %f3"},
};

TEST(FloatFormsTest, Lower) {
  for (const Case& c : kCases) EXPECT_EQ(LowerOne(c.text), c.lowered) << c.text;
}

}  // namespace
}  // namespace thunky::ptx
