// Barriers of a block, fences, and what only asks for patience.
#include <iterator>
#include <string_view>

#include "thunky/ptx/instruction_table.h"

namespace thunky::ptx {
namespace {

using ir::Op;

// A block has 16 barriers.
const char* CheckBarrier(ir::Instruction& instruction) {
  const ir::Operand& barrier = instruction.src[0];
  const bool out_of_range =
      barrier.kind == ir::Operand::Kind::kImmediate && barrier.bits > 15;
  return out_of_range ? "the barrier is a number from 0 to 15" : nullptr;
}

constexpr std::string_view kSync = "a:u32, =0; a:u32, b:u32";
constexpr std::string_view kReduce = "d, a:u32, =0, !c:pred; d, a:u32, b:u32, !c:pred";

constexpr Form kForms[] = {
    {"bar", Op::kBar, "+aligned lit:cta? bar:sync", "", kSync, CheckBarrier},
    {"bar", Op::kBar, "+aligned lit:cta? bar:arrive", "", "a:u32, b:u32", CheckBarrier},
    {"bar", Op::kBar, "+aligned lit:cta? lit:red bar:popc", "u32", kReduce, CheckBarrier},
    {"bar", Op::kBar, "+aligned lit:cta? lit:red bar:and|or", "pred", kReduce,
     CheckBarrier},
    {"barrier", Op::kBar, "lit:cta? bar:sync aligned?", "", kSync, CheckBarrier},
    {"barrier", Op::kBar, "lit:cta? bar:arrive aligned?", "", "a:u32, b:u32",
     CheckBarrier},
    {"barrier", Op::kBar, "lit:cta? lit:red bar:popc aligned?", "u32", kReduce,
     CheckBarrier},
    {"barrier", Op::kBar, "lit:cta? lit:red bar:and|or aligned?", "pred", kReduce,
     CheckBarrier},
    {"membar", Op::kFence, "+order:sc scope:cta|gl|sys", "", ""},
    {"fence", Op::kFence, "+order:acq_rel order:sc|acq_rel|acquire|release? <scope>", "",
     ""},
    // Every proxy reaches memory the same way on a CPU.
    {"fence", Op::kFence, "+order:sc lit:proxy lit:alias", "", ""},
    {"fence", Op::kFence, "+order:sc lit:proxy lit:async", "", ""},
    {"fence", Op::kFence, "+order:sc lit:proxy lit:async lit:global|shared::cta", "", ""},
    {"nanosleep", Op::kNanosleep, "", "u32", "a"},
    {"griddepcontrol", Op::kGriddepcontrol, "lit:launch_dependents|wait", "", ""},
};

}  // namespace

FormSpan BlockForms() { return {kForms, std::size(kForms)}; }

}  // namespace thunky::ptx
