// Loads, stores, atomics, asynchronous copies.
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
    {"ld.global.f32 %f1, [%rd2];", "ld.f32 global | %f1 | | [%rd2+0]"},
    {"ld.global.nc.L1::no_allocate.L2::128B.v4.b32 {%r1, %r2, %r3, %r4}, [%rd1+-16];",
     "ld.b32 global nc vec=4 | %r1 %r2 %r3 %r4 | | [%rd1+-16]"},
    {"ld.global.ca.u8 %r1, [g+3];", "ld.u8 global | %r1 | | [&g+3]"},
    {"ld.global.s8 %rd1, [%rd2 - 4];", "ld.s8 global | %rd1 | | [%rd2+-4]"},
    {"ld.param.u64 %rd1, [x];", "ld.u64 param | %rd1 | | [&x+0]"},
    {"ld.param::entry.b32 %r1, [x+4];", "ld.b32 param | %r1 | | [&x+4]"},
    {"ld.shared.v2.f64 {%d1, _}, [%r2];", "ld.f64 shared vec=2 | %d1 _ | | [%r2+0]"},
    {"ld.shared::cta.b32 %r1, [s+8];", "ld.b32 shared | %r1 | | [&s+8]"},
    {"ld.const.f32 %f1, [c];", "ld.f32 const | %f1 | | [&c+0]"},
    {"ld.local.b32 %r1, [16];", "ld.b32 local | %r1 | | [16]"},
    {"ld.u32 %r1, [g];", "ld.u32 global | %r1 | | [&g+0]"},
    {"ld.b32 %r1, [%rd2];", "ld.b32 | %r1 | | [%rd2+0]"},
    {"ld.volatile.shared.u32 %r1, [%rd2];", "ld.u32 shared volatile | %r1 | | [%rd2+0]"},
    {"ld.relaxed.gpu.global.u64 %rd1, [%rd2];",
     "ld.u64 global relaxed | %rd1 | | [%rd2+0]"},
    {"ld.acquire.sys.u32 %r1, [%rd2];", "ld.u32 acquire | %r1 | | [%rd2+0]"},
    {"ld.mmio.relaxed.sys.global.u32 %r1, [%rd2];",
     "ld.u32 global relaxed | %r1 | | [%rd2+0]"},
    {"ld.global.L1::evict_last.L2::cache_hint.b32 %r1, [%rd2], %rd3;",
     "ld.b32 global | %r1 | | [%rd2+0]"},
    {"ld.global.v8.b32 {%r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7}, [%rd2];",
     "ld.b32 global vec=8 | %r0 %r1 %r2 %r3 %r4 %r5 %r6 %r7 | | [%rd2+0]"},
    {"ldu.global.f32 %f1, [%rd2];", "ld.f32 global | %f1 | | [%rd2+0]"},
    {"st.global.f32 [%rd1], %f2;", "st.f32 global | | %f2 | [%rd1+0]"},
    {"st.global.v2.b32 [%rd1+8], {%r2, 0f3F800000};",
     "st.b32 global vec=2 | | %r2 0x3f800000 | [%rd1+8]"},
    {"st.shared.b8 [%r1], %r2;", "st.b8 shared | | %r2 | [%r1+0]"},
    {"st.shared.u8 [s], 255;", "st.u8 shared | | 0xff | [&s+0]"},
    {"st.global.wt.b16 [%rd1], %h2;", "st.b16 global | | %h2 | [%rd1+0]"},
    {"st.release.gpu.global.u32 [%rd1], 1;", "st.u32 global release | | 0x1 | [%rd1+0]"},
    {"st.volatile.u32 [%rd1], %r2;", "st.u32 volatile | | %r2 | [%rd1+0]"},
    {"st.local.b64 [%rd1], %rd2;", "st.b64 local | | %rd2 | [%rd1+0]"},
    {"atom.global.add.u32 %r1, [%rd2], 1;",
     "atom.u32 global op=add relaxed | %r1 | 0x1 | [%rd2+0]"},
    {"atom.relaxed.sys.global.add.f32 %f1, [%rd2], %f3;",
     "atom.f32 global op=add relaxed | %f1 | %f3 | [%rd2+0]"},
    {"atom.shared.cas.b32 %r1, [s+4], %r2, %r3;",
     "atom.b32 shared op=cas relaxed | %r1 | %r2 %r3 | [&s+4]"},
    {"atom.acq_rel.gpu.exch.b64 %rd1, [%rd2], %rd3;",
     "atom.b64 op=exch acq_rel | %rd1 | %rd3 | [%rd2+0]"},
    {"atom.global.max.s64 _, [%rd2], %rd3;",
     "atom.s64 global op=max relaxed | _ | %rd3 | [%rd2+0]"},
    {"atom.global.add.noftz.f16x2 %r1, [%rd2], %r3;",
     "atom.f16x2 global op=add relaxed | %r1 | %r3 | [%rd2+0]"},
    {"atom.cas.b16 %h1, [%rd2], %h3, %h4;",
     "atom.b16 op=cas relaxed | %h1 | %h3 %h4 | [%rd2+0]"},
    {"atom.inc.u32 %r1, [%rd2], 15;", "atom.u32 op=inc relaxed | %r1 | 0xf | [%rd2+0]"},
    {"red.global.add.f64 [%rd1], %d2;",
     "red.f64 global op=add relaxed | | %d2 | [%rd1+0]"},
    {"red.release.gpu.global.or.b32 [%rd1], %r2;",
     "red.b32 global op=or release | | %r2 | [%rd1+0]"},
    {"red.shared.min.s32 [%r1], %r2;", "red.s32 shared op=min relaxed | | %r2 | [%r1+0]"},
    {"prefetch.global.L2 [%rd1];", "prefetch global | | | [%rd1+0]"},
    {"prefetch.L1 [%rd1+64];", "prefetch | | | [%rd1+64]"},
    {"prefetchu.L1 [%rd1];", "prefetch | | | [%rd1+0]"},
    {"applypriority.global.L2::evict_normal [%rd1], 128;",
     "prefetch global | | | [%rd1+0]"},
    {"cp.async.ca.shared.global [%r1], [%rd2], 4;",
     "cp.async shared bytes=4 | | | [%r1+0] [%rd2+0]"},
    {"cp.async.cg.shared.global [%r1+16], [%rd2+32], 0x10, %r3;",
     "cp.async shared bytes=16 | | %r3 | [%r1+16] [%rd2+32]"},
    {"cp.async.ca.shared::cta.global.L2::128B [s], [g+4], 8, %p1;",
     "cp.async shared bytes=8 | | %p1 | [&s+0] [&g+4]"},
    {"cp.async.cg.shared.global.L2::cache_hint [%r1], [%rd2], 16, %rd3;",
     "cp.async shared bytes=16 | | | [%r1+0] [%rd2+0]"},
    {"cp.async.commit_group;", "cp.async.commit_group"},
    {"cp.async.wait_group 2;", "cp.async.wait_group | | 0x2"},
    {"cp.async.wait_all;", "cp.async.commit_group"},
};

TEST(MemoryFormsTest, Lower) {
  for (const Case& c : kCases) EXPECT_EQ(LowerOne(c.text), c.lowered) << c.text;
}

}  // namespace
}  // namespace thunky::ptx
