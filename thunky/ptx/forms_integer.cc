// Integer arithmetic and bit fields.
#include <iterator>
#include <string_view>

#include "thunky/ptx/instruction_table.h"

namespace thunky::ptx {
namespace {

using ir::Op;

constexpr Form kForms[] = {
    {"add", Op::kAdd, "", "<int>", "d, a, b"},
    {"add", Op::kAdd, "", "u16x2|s16x2", "d, a, b"},
    {"add", Op::kAdd, "sat", "s32", "d, a, b"},
    {"add", Op::kAdd, "cc", "<carry>", "d, a, b"},
    {"addc", Op::kAdd, "+carry_in cc?", "<carry>", "d, a, b"},
    {"sub", Op::kSub, "", "<int>", "d, a, b"},
    {"sub", Op::kSub, "sat", "s32", "d, a, b"},
    {"sub", Op::kSub, "cc", "<carry>", "d, a, b"},
    {"subc", Op::kSub, "+carry_in cc?", "<carry>", "d, a, b"},
    {"mul", Op::kMul, "part:lo|hi", "<int>", "d, a, b"},
    {"mul", Op::kMul, "part:wide", "u16|u32|s16|s32", "d:W, a, b"},
    {"mad", Op::kMad, "part:lo|hi", "<int>", "d, a, b, c"},
    {"mad", Op::kMad, "part:wide", "u16|u32|s16|s32", "d:W, a, b, c:W"},
    {"mad", Op::kMad, "part:hi sat", "s32", "d, a, b, c"},
    {"mad", Op::kMad, "part:lo|hi cc", "<carry>", "d, a, b, c"},
    {"madc", Op::kMad, "+carry_in part:lo|hi cc?", "<carry>", "d, a, b, c"},
    {"mul24", Op::kMul24, "part:lo|hi", "u32|s32", "d, a, b"},
    {"mad24", Op::kMad24, "part:lo|hi", "u32|s32", "d, a, b, c"},
    {"mad24", Op::kMad24, "part:hi sat", "s32", "d, a, b, c"},
    {"sad", Op::kSad, "", "<int>", "d, a, b, c"},
    {"div", Op::kDiv, "", "<int>", "d, a, b"},
    {"rem", Op::kRem, "", "<int>", "d, a, b"},
    {"abs", Op::kAbs, "", "<signed>", "d, a"},
    {"neg", Op::kNeg, "", "<signed>", "d, a"},
    {"min", Op::kMin, "", "<int>", "d, a, b"},
    {"min", Op::kMin, "", "u16x2", "d, a, b"},
    {"min", Op::kMin, "relu?", "s16x2", "d, a, b"},
    {"min", Op::kMin, "relu", "s32", "d, a, b"},
    {"max", Op::kMax, "", "<int>", "d, a, b"},
    {"max", Op::kMax, "", "u16x2", "d, a, b"},
    {"max", Op::kMax, "relu?", "s16x2", "d, a, b"},
    {"max", Op::kMax, "relu", "s32", "d, a, b"},
    {"dp4a", Op::kDp4a, "", "u32|s32 u32|s32", "d:u32, a, b:S, c:u32"},
    {"dp2a", Op::kDp2a, "part:lo|hi", "u32|s32 u32|s32", "d:u32, a, b:S, c:u32"},
    {"popc", Op::kPopc, "", "b32|b64", "d:u32, a"},
    {"clz", Op::kClz, "", "b32|b64", "d:u32, a"},
    {"bfind", Op::kBfind, "shiftamt?", "u32|u64|s32|s64", "d:u32, a"},
    {"fns", Op::kFns, "", "b32", "d, a, b:b32, c:s32"},
    {"brev", Op::kBrev, "", "b32|b64", "d, a"},
    {"bfe", Op::kBfe, "", "u32|u64|s32|s64", "d, a, b:u32, c:u32"},
    {"bfi", Op::kBfi, "", "b32|b64", "dst, a, b, c:u32, w:u32"},
    {"bmsk", Op::kBmsk, "clamp|wrap", "b32", "d, a:u32, b:u32"},
    {"szext", Op::kSzext, "clamp|wrap", "u32|s32", "d, a, b:u32"},
};

}  // namespace

FormSpan IntegerForms() { return {kForms, std::size(kForms)}; }

}  // namespace thunky::ptx
