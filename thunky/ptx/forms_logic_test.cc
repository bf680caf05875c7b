// Logic, shifts and permutation.
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
    {"and.b32 %r1, %r2, 0xff;", "and.b32 | %r1 | %r2 0xff"},
    {"and.pred %p1, %p2, !%p3;", "and.pred | %p1 | %p2 !%p3"},
    {"or.b64 %rd1, %rd2, %rd3;", "or.b64 | %rd1 | %rd2 %rd3"},
    {"xor.b16 %h1, %h2, -1;", "xor.b16 | %h1 | %h2 0xffff"},
    {"not.pred %p1, %p2;", "not.pred | %p1 | %p2"},
    {"not.b32 %f1, %f2;", "not.b32 | %f1 | %f2"},
    {"cnot.b64 %rd1, %rd2;", "cnot.b64 | %rd1 | %rd2"},
    {"lop3.b32 %r1, %r2, %r3, %r4, 0x80;", "lop3.b32 | %r1 | %r2 %r3 %r4 0x80"},
    {"lop3.or.b32 _|%p1, %r2, %r3, %r4, 0xfe, !%p5;",
     "lop3.b32 bool=or | _ %p1 | %r2 %r3 %r4 0xfe !%p5"},
    {"shl.b64 %rd1, %rd2, %r3;", "shl.b64 | %rd1 | %rd2 %r3"},
    {"shr.s32 %r1, %r2, 31;", "shr.s32 | %r1 | %r2 0x1f"},
    {"shr.u16 %h1, %h2, 4;", "shr.u16 | %h1 | %h2 0x4"},
    {"shr.b32 %r1, %r2, %r3;", "shr.b32 | %r1 | %r2 %r3"},
    {"shf.l.wrap.b32 %r1, %r2, %r3, 7;", "shf.b32 wrap left | %r1 | %r2 %r3 0x7"},
    {"shf.r.clamp.b32 %r1, %r2, %r3, %r4;", "shf.b32 | %r1 | %r2 %r3 %r4"},
    {"prmt.b32 %r1, %r2, %r3, 0x5410;", "prmt.b32 | %r1 | %r2 %r3 0x5410"},
    {"prmt.b32.f4e %r1, %r2, %r3, %r4;", "prmt.b32 f4e | %r1 | %r2 %r3 %r4"},
    {"prmt.b32.rc16 %r1, %r2, %r3, %r4;", "prmt.b32 rc16 | %r1 | %r2 %r3 %r4"},
};

TEST(LogicFormsTest, Lower) {
  for (const Case& c : kCases) EXPECT_EQ(LowerOne(c.text), c.lowered) << c.text;
}

}  // namespace
}  // namespace thunky::ptx
