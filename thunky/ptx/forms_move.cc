// Moves between registers; their operands decide what they are.
#include <iterator>
#include <string_view>

#include "thunky/ptx/instruction_table.h"

namespace thunky::ptx {
namespace {

using ir::Op;

constexpr Form kForms[] = {
    {"mov", Op::kMov, "", "pred|<data>", "", nullptr, Handler::kMov},
    // A cache policy is opaque and only a hint: any value will do.
    {"createpolicy", Op::kMov,
     "lit:fractional "
     "hint:L2::evict_last|L2::evict_normal|L2::evict_first|L2::evict_unchanged "
     "hint:L2::evict_unchanged?",
     "b64", "d, =0; d, =0, *fraction:f32"},
};

}  // namespace

FormSpan MoveForms() { return {kForms, std::size(kForms)}; }

}  // namespace thunky::ptx
