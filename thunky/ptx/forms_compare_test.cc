// Comparison and selection.
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
    {"setp.lt.s32 %p1, %r2, %r3;", "setp.s32 lt | %p1 | %r2 %r3"},
    {"setp.eq.b32 %p1|%p2, %r2, 7;", "setp.b32 | %p1 %p2 | %r2 0x7"},
    {"setp.lo.u64 %p1, %rd2, %rd3;", "setp.u64 lo | %p1 | %rd2 %rd3"},
    {"setp.nan.f32 %p1, %f2, %f2;", "setp.f32 nan | %p1 | %f2 %f2"},
    {"setp.geu.ftz.f32 %p1, %f2, 0f00000000;", "setp.f32 geu ftz | %p1 | %f2 0x0"},
    {"setp.neu.and.f64 %p1, %d2, %d3, !%p4;",
     "setp.f64 neu bool=and | %p1 | %d2 %d3 !%p4"},
    {"setp.gt.or.s32 _|%p2, %r2, %r3, %p4;", "setp.s32 gt bool=or | _ %p2 | %r2 %r3 %p4"},
    {"setp.lt.f16x2 %p1|%p2, %r2, %r3;", "setp.f16x2 lt | %p1 %p2 | %r2 %r3"},
    {"setp.num.bf16 %p1, %h2, %h3;", "setp.bf16 num | %p1 | %h2 %h3"},
    {"set.lt.u32.f32 %r1, %f2, %f3;", "set.u32.f32 lt | %r1 | %f2 %f3"},
    {"set.eq.xor.f32.s32 %f1, %r2, %r3, %p4;",
     "set.f32.s32 bool=xor | %f1 | %r2 %r3 %p4"},
    {"set.gt.ftz.f16x2.f16x2 %r1, %r2, %r3;", "set.f16x2.f16x2 gt ftz | %r1 | %r2 %r3"},
    {"selp.b32 %r1, %r2, 0, %p3;", "selp.b32 | %r1 | %r2 0x0 %p3"},
    {"selp.f32 %f1, 0f7FC00000, %f3, !%p4;", "selp.f32 | %f1 | 0x7fc00000 %f3 !%p4"},
    {"selp.b16 %h1, 1, 0, %p3;", "selp.b16 | %h1 | 0x1 0x0 %p3"},
    {"slct.f32.s32 %f1, %f2, %f3, %r4;", "slct.f32.s32 | %f1 | %f2 %f3 %r4"},
    {"slct.ftz.u64.f32 %rd1, %rd2, %rd3, %f4;",
     "slct.u64.f32 ftz | %rd1 | %rd2 %rd3 %f4"},
};

TEST(CompareFormsTest, Lower) {
  for (const Case& c : kCases) EXPECT_EQ(LowerOne(c.text), c.lowered) << c.text;
}

}  // namespace
}  // namespace thunky::ptx
