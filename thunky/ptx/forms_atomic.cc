// Atomic operations, with and without a result.
#include <iterator>
#include <string_view>

#include "thunky/ptx/instruction_table.h"

namespace thunky::ptx {
namespace {

using ir::Op;

constexpr std::string_view kAtom = "d, [a], b";
constexpr std::string_view kRed = "[a], b";

constexpr Form kForms[] = {
    {"atom", Op::kAtom, "<atom> atom:and|or|xor|exch", "b32|b64", kAtom},
    {"atom", Op::kAtom, "<atom> atom:cas", "<bits>", "d, [a], b, c"},
    {"atom", Op::kAtom, "<atom> atom:add", "u32|s32|u64|f32|f64", kAtom},
    {"atom", Op::kAtom, "<atom> atom:add lit:noftz", "f16|f16x2|bf16|bf16x2", kAtom},
    {"atom", Op::kAtom, "<atom> atom:inc|dec", "u32", kAtom},
    {"atom", Op::kAtom, "<atom> atom:min|max", "u32|s32|u64|s64", kAtom},
    {"red", Op::kRed, "<red> atom:and|or|xor", "b32|b64", kRed},
    {"red", Op::kRed, "<red> atom:add", "u32|s32|u64|f32|f64", kRed},
    {"red", Op::kRed, "<red> atom:add lit:noftz", "f16|f16x2|bf16|bf16x2", kRed},
    {"red", Op::kRed, "<red> atom:inc|dec", "u32", kRed},
    {"red", Op::kRed, "<red> atom:min|max", "u32|s32|u64|s64", kRed},
};

}  // namespace

FormSpan AtomicForms() { return {kForms, std::size(kForms)}; }

}  // namespace thunky::ptx
