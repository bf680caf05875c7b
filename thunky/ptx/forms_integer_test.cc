// Integer arithmetic and bit fields.
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
    {"add.s32 %r1, %r2, -1;", "add.s32 | %r1 | %r2 0xffffffff"},
    {"add.u16 %h1, %us2, 65537;", "add.u16 | %h1 | %us2 0x1"},
    {"add.sat.s32 %r1, %r2, %r3;", "add.s32 sat | %r1 | %r2 %r3"},
    {"add.cc.u32 %r1, %r2, %r3;", "add.u32 carry_out | %r1 | %r2 %r3"},
    {"addc.u32 %r1, %r2, 0;", "add.u32 carry_in | %r1 | %r2 0x0"},
    {"addc.cc.s32 %r1, %r2, %r3;", "add.s32 carry_in carry_out | %r1 | %r2 %r3"},
    {"add.cc.u64 %rd1, %rd2, %rd3;", "add.u64 carry_out | %rd1 | %rd2 %rd3"},
    {"add.u16x2 %r1, %r2, %r3;", "add.u16x2 | %r1 | %r2 %r3"},
    {"sub.s64 %rd1, %rd2, 0x8000000000000000;",
     "sub.s64 | %rd1 | %rd2 0x8000000000000000"},
    {"sub.cc.u32 %r1, %r2, %r3;", "sub.u32 carry_out | %r1 | %r2 %r3"},
    {"subc.cc.u32 %r1, %r2, %r3;", "sub.u32 carry_in carry_out | %r1 | %r2 %r3"},
    {"mul.lo.s32 %r1, %r2, %r3;", "mul.s32 lo | %r1 | %r2 %r3"},
    {"mul.hi.u64 %rd1, %rd2, %rd3;", "mul.u64 hi | %rd1 | %rd2 %rd3"},
    {"mul.wide.u16 %r1, %h2, 10;", "mul.u16 wide | %r1 | %h2 0xa"},
    {"mul.wide.s32 %rd1, %r2, -4;", "mul.s32 wide | %rd1 | %r2 0xfffffffc"},
    {"mad.lo.s32 %r1, %r2, %r3, %r4;", "mad.s32 lo | %r1 | %r2 %r3 %r4"},
    {"mad.wide.u32 %rd1, %r2, 2, %rd3;", "mad.u32 wide | %rd1 | %r2 0x2 %rd3"},
    {"mad.hi.sat.s32 %r1, %r2, %r3, %r4;", "mad.s32 hi sat | %r1 | %r2 %r3 %r4"},
    {"mad.lo.cc.u32 %r1, %r2, %r3, %r4;", "mad.u32 lo carry_out | %r1 | %r2 %r3 %r4"},
    {"madc.hi.u32 %r1, %r2, %r3, %r4;", "mad.u32 hi carry_in | %r1 | %r2 %r3 %r4"},
    {"madc.lo.cc.s64 %rd1, %rd2, %rd3, %rd4;",
     "mad.s64 lo carry_in carry_out | %rd1 | %rd2 %rd3 %rd4"},
    {"mul24.lo.u32 %r1, %r2, %r3;", "mul24.u32 lo | %r1 | %r2 %r3"},
    {"mad24.hi.sat.s32 %r1, %r2, %r3, %r4;", "mad24.s32 hi sat | %r1 | %r2 %r3 %r4"},
    {"sad.u32 %r1, %r2, %r3, %r4;", "sad.u32 | %r1 | %r2 %r3 %r4"},
    {"div.s32 %r1, %r2, %r3;", "div.s32 | %r1 | %r2 %r3"},
    {"rem.u64 %rd1, %rd2, %rd3;", "rem.u64 | %rd1 | %rd2 %rd3"},
    {"abs.s32 %r1, %r2;", "abs.s32 | %r1 | %r2"},
    {"neg.s64 %rd1, %rd2;", "neg.s64 | %rd1 | %rd2"},
    {"min.u32 %r1, %r2, %r3;", "min.u32 | %r1 | %r2 %r3"},
    {"max.s16x2 %r1, %r2, %r3;", "max.s16x2 | %r1 | %r2 %r3"},
    {"max.relu.s32 %r1, %r2, %r3;", "max.s32 relu | %r1 | %r2 %r3"},
    {"dp4a.u32.s32 %r1, %r2, %r3, %r4;", "dp4a.u32.s32 | %r1 | %r2 %r3 %r4"},
    {"dp2a.hi.s32.u32 %r1, %r2, %r3, %r4;", "dp2a.s32.u32 hi | %r1 | %r2 %r3 %r4"},
    {"popc.b64 %r1, %rd2;", "popc.b64 | %r1 | %rd2"},
    {"clz.b32 %r1, %r2;", "clz.b32 | %r1 | %r2"},
    {"bfind.shiftamt.u32 %r1, %r2;", "bfind.u32 shiftamt | %r1 | %r2"},
    {"bfind.s64 %r1, %rd2;", "bfind.s64 | %r1 | %rd2"},
    {"fns.b32 %r1, %r2, %r3, -1;", "fns.b32 | %r1 | %r2 %r3 0xffffffff"},
    {"brev.b64 %rd1, %rd2;", "brev.b64 | %rd1 | %rd2"},
    {"bfe.s32 %r1, %r2, 5, %r3;", "bfe.s32 | %r1 | %r2 0x5 %r3"},
    {"bfi.b64 %rd1, %rd2, %rd3, 8, 16;", "bfi.b64 | %rd1 | %rd2 %rd3 0x8 0x10"},
    {"bmsk.wrap.b32 %r1, %r2, 4;", "bmsk.b32 wrap | %r1 | %r2 0x4"},
    {"bmsk.clamp.b32 %r1, 1, 2;", "bmsk.b32 | %r1 | 0x1 0x2"},
    {"szext.clamp.s32 %r1, %r2, 8;", "szext.s32 | %r1 | %r2 0x8"},
};

TEST(IntegerFormsTest, Lower) {
  for (const Case& c : kCases) EXPECT_EQ(LowerOne(c.text), c.lowered) << c.text;
}

}  // namespace
}  // namespace thunky::ptx
