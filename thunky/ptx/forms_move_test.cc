// Moves, packs, conversions.
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
    {"mov.b32 %r1, %r2;", "mov.b32 | %r1 | %r2"},
    {"mov.f32 %f1, 0f3F800000;", "mov.f32 | %f1 | 0x3f800000"},
    {"mov.f32 %f1, 1.5;", "mov.f32 | %f1 | 0x3fc00000"},
    {"mov.f32 %f1, 0.1;", "mov.f32 | %f1 | 0x3dcccccd"},
    {"mov.f64 %d1, 0.1;", "mov.f64 | %d1 | 0x3fb999999999999a"},
    {"mov.b32 %r1, 0f3F800000;", "mov.b32 | %r1 | 0x3f800000"},
    {"mov.b64 %rd1, 0d3FF0000000000000;", "mov.b64 | %rd1 | 0x3ff0000000000000"},
    {"mov.b64 %rd1, 1.5;", "mov.b64 | %rd1 | 0x3ff8000000000000"},
    {"mov.u32 %r1, -1;", "mov.u32 | %r1 | 0xffffffff"},
    {"mov.u16 %h1, -2;", "mov.u16 | %h1 | 0xfffe"},
    {"mov.s64 %rd1, 1 << 40;", "mov.s64 | %rd1 | 0x10000000000"},
    {"mov.u32 %r1, (WARP_SZ - 1) * 2;", "mov.u32 | %r1 | 0x3e"},
    {"mov.u32 %r1, WARP_SZ;", "mov.u32 | %r1 | 0x20"},
    {"mov.pred %p1, %p2;", "mov.pred | %p1 | %p2"},
    {"mov.pred %p1, !%p2;", "mov.pred | %p1 | !%p2"},
    {"mov.pred %p1, -1;", "mov.pred | %p1 | 0x1"},
    {"mov.u32 %r1, %tid.x;", "mov.u32 | %r1 | special0.0"},
    {"mov.u32 %r1, %nctaid.z;", "mov.u32 | %r1 | special3.2"},
    {"mov.u16 %h1, %ctaid.y;", "mov.u16 | %h1 | special2.1"},
    {"mov.b32 %f1, %laneid;", "mov.b32 | %f1 | special4.0"},
    {"mov.u64 %rd1, %clock64;", "mov.u64 | %rd1 | special17.0"},
    {"mov.u32 %r1, %lanemask_lt;", "mov.u32 | %r1 | special12.0"},
    {"mov.u32 %r1, %envreg31;", "mov.u32 | %r1 | special23.31"},
    {"mov.u64 %rd1, g;", "mov.u64 | %rd1 | &g+0"},
    {"mov.u64 %rd1, g + 8;", "mov.u64 | %rd1 | &g+8"},
    {"mov.u64 %rd1, g[3];", "mov.u64 | %rd1 | &g+12"},
    {"mov.u32 %r1, s;", "mov.u32 | %r1 | &s+0"},
    {"mov.u64 %rd1, s - 4;", "mov.u64 | %rd1 | &s+18446744073709551612"},
    {"mov.b64 %rd1, x;", "mov.b64 | %rd1 | &x+0"},
    {"mov.b64 %rd1, {%r1, %f2};", "pack.b64 | %rd1 | %r1 %f2"},
    {"mov.b32 %r1, {%h1, 5};", "pack.b32 | %r1 | %h1 0x5"},
    {"mov.b64 %rd1, {%h1, %h2, %h3, %h4};", "pack.b64 | %rd1 | %h1 %h2 %h3 %h4"},
    {"mov.b64 {%r1, %r2}, %d1;", "unpack.b64 | %r1 %r2 | %d1"},
    {"mov.b32 {_, %h1}, %r1;", "unpack.b32 | _ %h1 | %r1"},
    {"mov.b64 {%h1, _, _, %h2}, %rd1;", "unpack.b64 | %h1 _ _ %h2 | %rd1"},
    {"createpolicy.fractional.L2::evict_last.b64 %rd1, 1.0;", "mov.b64 | %rd1 | 0x0"},
    {"cvt.u64.u32 %rd1, %r2;", "cvt.u64.u32 | %rd1 | %r2"},
    {"cvt.u32.u64 %r1, %rd2;", "cvt.u32.u64 | %r1 | %rd2"},
    {"cvt.s8.s32 %r1, %r2;", "cvt.s8.s32 | %r1 | %r2"},
    {"cvt.u16.u8 %h1, %r2;", "cvt.u16.u8 | %h1 | %r2"},
    {"cvt.sat.u8.s32 %h1, %r2;", "cvt.u8.s32 sat | %h1 | %r2"},
    {"cvt.u32.u16 %r1, %tid.x;", "cvt.u32.u16 | %r1 | special0.0"},
    {"cvt.rn.f32.s32 %f1, %r2;", "cvt.f32.s32 rn | %f1 | %r2"},
    {"cvt.rzi.s32.f32 %r1, %f2;", "cvt.s32.f32 rzi | %r1 | %f2"},
    {"cvt.rni.ftz.sat.u8.f32 %r1, %f2;", "cvt.u8.f32 rni ftz sat | %r1 | %f2"},
    {"cvt.rpi.s64.f64 %rd1, %d2;", "cvt.s64.f64 rpi | %rd1 | %d2"},
    {"cvt.sat.f32.f32 %f1, %f2;", "cvt.f32.f32 sat | %f1 | %f2"},
    {"cvt.rmi.f32.f32 %f1, %f2;", "cvt.f32.f32 rmi | %f1 | %f2"},
    {"cvt.f64.f32 %d1, %f2;", "cvt.f64.f32 | %d1 | %f2"},
    {"cvt.rz.f32.f64 %f1, %d2;", "cvt.f32.f64 rz | %f1 | %d2"},
    {"cvt.f32.f16 %f1, %h2;", "cvt.f32.f16 | %f1 | %h2"},
    {"cvt.f32.bf16 %r1, %h2;", "cvt.f32.bf16 | %r1 | %h2"},
    {"cvt.rn.bf16.f32 %h1, %f2;", "cvt.bf16.f32 rn | %h1 | %f2"},
    {"cvt.rn.relu.f16.f32 %h1, %f2;", "cvt.f16.f32 rn relu | %h1 | %f2"},
    {"cvt.rn.f16x2.f32 %r1, %f2, %f3;", "cvt.f16x2.f32 rn | %r1 | %f2 %f3"},
    {"cvt.rn.bf16x2.f32 %r1, %f2, %f3;", "cvt.bf16x2.f32 rn | %r1 | %f2 %f3"},
    {"cvt.rna.tf32.f32 %r1, %f2;", "cvt.tf32.f32 rna | %r1 | %f2"},
    {"cvt.rn.satfinite.e4m3x2.f32 %h1, %f2, %f3;",
     "cvt.e4m3x2.f32 rn satfinite | %h1 | %f2 %f3"},
    {"cvt.rn.f16x2.e5m2x2 %r1, %h2;", "cvt.f16x2.e5m2x2 rn | %r1 | %h2"},
    {"cvta.to.global.u64 %rd1, %rd2;", "cvta.u64 global to | %rd1 | %rd2"},
    {"cvta.shared.u64 %rd1, s;", "cvta.u64 shared | %rd1 | &s+0"},
    {"cvta.global.u64 %rd1, g + 4;", "cvta.u64 global | %rd1 | &g+4"},
    {"isspacep.shared %p1, %rd2;", "isspacep shared | %p1 | %rd2"},
};

TEST(MoveFormsTest, Lower) {
  for (const Case& c : kCases) EXPECT_EQ(LowerOne(c.text), c.lowered) << c.text;
}

}  // namespace
}  // namespace thunky::ptx
