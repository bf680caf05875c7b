// Barriers, fences and the end of a thread.
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
    {"bar.sync 0;", "bar aligned | | 0x0 0x0"},
    {"bar.sync %r1, 64;", "bar aligned | | %r1 0x40"},
    {"bar.cta.sync 1;", "bar aligned | | 0x1 0x0"},
    {"bar.arrive 1, 128;", "bar arrive aligned | | 0x1 0x80"},
    {"bar.red.popc.u32 %r1, 0, %p2;", "bar.u32 red=popc aligned | %r1 | 0x0 0x0 %p2"},
    {"bar.red.and.pred %p1, 0, 64, !%p2;",
     "bar.pred red=and aligned | %p1 | 0x0 0x40 !%p2"},
    {"barrier.sync.aligned 15;", "bar aligned | | 0xf 0x0"},
    {"barrier.sync %r1;", "bar | | %r1 0x0"},
    {"barrier.cta.arrive 3, %r2;", "bar arrive | | 0x3 %r2"},
    {"barrier.red.or.aligned.pred %p1, 2, %p3;",
     "bar.pred red=or aligned | %p1 | 0x2 0x0 %p3"},
    {"membar.gl;", "fence sc"},
    {"membar.sys;", "fence sc"},
    {"fence.sc.gpu;", "fence sc"},
    {"fence.acq_rel.cta;", "fence acq_rel"},
    {"fence.acquire.sys;", "fence acquire"},
    {"fence.gpu;", "fence acq_rel"},
    {"fence.proxy.async;", "fence sc"},
    {"fence.proxy.async.shared::cta;", "fence sc"},
    {"nanosleep.u32 100;", "nanosleep.u32 | | 0x64"},
    {"griddepcontrol.wait;", "griddepcontrol"},
    {"griddepcontrol.launch_dependents;", "griddepcontrol"},
    {"exit;", "exit"},
    {"@%p1 trap;", "@%p1 trap"},
    {"@!%p1 exit;", "@!%p1 exit"},
    {"brkpt;", "brkpt"},
    {"pmevent 7;", "nop | | 0x7"},
    {"setmaxnreg.inc.sync.aligned.u32 232;", "nop.u32 | | 0xe8"},
    {"ret.uni;", "ret uni"},
};

TEST(BlockFormsTest, Lower) {
  for (const Case& c : kCases) EXPECT_EQ(LowerOne(c.text), c.lowered) << c.text;
}

}  // namespace
}  // namespace thunky::ptx
