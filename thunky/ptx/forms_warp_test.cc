// Warp-wide instructions and matrices.
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
    {"shfl.sync.down.b32 %r1|%p2, %r3, 16, 31, -1;",
     "shfl.b32 down sync | %r1 %p2 | %r3 0x10 0x1f 0xffffffff"},
    {"shfl.sync.bfly.b32 %f1, %f2, %r3, %r4, %r5;",
     "shfl.b32 bfly sync | %f1 | %f2 %r3 %r4 %r5"},
    {"shfl.sync.idx.b32 _|%p1, %r2, 0, 0x1f, 0xffffffff;",
     "shfl.b32 sync | _ %p1 | %r2 0x0 0x1f 0xffffffff"},
    {"shfl.up.b32 %r1, %r2, 1, 0;", "shfl.b32 up | %r1 | %r2 0x1 0x0"},
    {"vote.sync.any.pred %p1, !%p2, %r3;", "vote.pred any sync | %p1 | !%p2 %r3"},
    {"vote.sync.ballot.b32 %r1, %p2, -1;", "vote.b32 ballot sync | %r1 | %p2 0xffffffff"},
    {"vote.all.pred %p1, %p2;", "vote.pred | %p1 | %p2"},
    {"vote.ballot.b32 %r1, %p2;", "vote.b32 ballot | %r1 | %p2"},
    {"match.any.sync.b64 %r1, %rd2, -1;", "match.b64 sync | %r1 | %rd2 0xffffffff"},
    {"match.all.sync.b32 %r1|%p2, %r3, %r4;", "match.b32 sync all | %r1 %p2 | %r3 %r4"},
    {"activemask.b32 %r1;", "activemask.b32 | %r1"},
    {"redux.sync.add.s32 %r1, %r2, -1;", "redux.s32 op=add sync | %r1 | %r2 0xffffffff"},
    {"redux.sync.xor.b32 %r1, %r2, %r3;", "redux.b32 op=xor sync | %r1 | %r2 %r3"},
    {"bar.warp.sync %r1;", "bar.warp sync | | %r1"},
    {"elect.sync %r1|%p2, -1;", "elect sync | %r1 %p2 | 0xffffffff"},
    {"elect.sync _|%p1, %r2;", "elect sync | _ %p1 | %r2"},
    {"ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r1, %r2, %r3, %r4}, [%r5+16];",
     "ldmatrix.b16 shared aligned vec=4 m8n8k0 | %r1 %r2 %r3 %r4 | | [%r5+16]"},
    {"ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%r1, %r2}, [%r3];",
     "ldmatrix.b16 shared aligned trans vec=2 m8n8k0 | %r1 %r2 | | [%r3+0]"},
    {"ldmatrix.sync.aligned.m8n8.x1.b16 {%r1}, [%rd1];",
     "ldmatrix.b16 aligned m8n8k0 | %r1 | | [%rd1+0]"},
    {"stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r1], {%r2};",
     "stmatrix.b16 shared aligned m8n8k0 | | %r2 | [%r1+0]"},
    {"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%r0, %r1, %r2, %r3}, {%r4, %r5, "
     "%r6, %r7}, {%r4, %r5}, {%f0, %f1, %f2, %f3};",
     "mma.f32.f16 aligned m16n8k16 | %r0 %r1 %r2 %r3 | %r4 %r5 %r6 %r7 %r4 %r5 %f0 %f1 "
     "%f2 %f3"},
    {"mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%f0, %f1, %f2, %f3}, {%r4, "
     "%r5, %r6, %r7}, {%r4, %r5}, {%f0, %f1, %f2, 0f00000000};",
     "mma.f32.bf16 aligned m16n8k16 | %f0 %f1 %f2 %f3 | %r4 %r5 %r6 %r7 %r4 %r5 %f0 %f1 "
     "%f2 0x0"},
    {"mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%f0, %f1, %f2, %f3}, {%r4, "
     "%r5, %r6, %r7}, {%r4, %r5}, {%f0, %f1, %f2, %f3};",
     "mma.f32.tf32 aligned m16n8k8 | %f0 %f1 %f2 %f3 | %r4 %r5 %r6 %r7 %r4 %r5 %f0 %f1 "
     "%f2 %f3"},
    {"mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f0, %f1, %f2, %f3}, {%r4, %r5}, "
     "{%r4}, {%f0, %f1, %f2, %f3};",
     "mma.f32.f16 aligned m16n8k8 | %f0 %f1 %f2 %f3 | %r4 %r5 %r4 %f0 %f1 %f2 %f3"},
};

TEST(WarpFormsTest, Lower) {
  for (const Case& c : kCases) EXPECT_EQ(LowerOne(c.text), c.lowered) << c.text;
}

}  // namespace
}  // namespace thunky::ptx
