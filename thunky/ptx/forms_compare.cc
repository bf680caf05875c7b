// Comparison and selection.
#include <iterator>
#include <string_view>

#include "thunky/ptx/instruction_table.h"

namespace thunky::ptx {
namespace {

using ir::Op;

// A combined form has a predicate source more than a plain one.
const char* CheckCombination(ir::Instruction& instruction) {
  const bool combined = instruction.mod.bool_op != ir::BoolOp::kNone;
  if (combined == (instruction.src.size() == 3)) return nullptr;
  return combined ? "a combined comparison takes a predicate as its last operand"
                  : "a predicate as last operand needs '.and', '.or' or '.xor'";
}

// The two destinations take the two halves.
const char* CheckPackedCompare(ir::Instruction& instruction) {
  if (instruction.dst.size() != 2) return "a packed comparison has two destinations, p|q";
  return CheckCombination(instruction);
}

// Half precision gives one predicate.
const char* CheckHalfCompare(ir::Instruction& instruction) {
  if (instruction.dst.size() != 1) return "a comparison of this type has one destination";
  return CheckCombination(instruction);
}

constexpr std::string_view kSetp = "d|:pred, a, b; d|:pred, a, b, !c:pred";
constexpr std::string_view kSet = "d, a:S, b:S; d, a:S, b:S, !c:pred";

constexpr Form kForms[] = {
    {"setp", Op::kSetp, "<equality> <bool>?", "<bits>", kSetp, CheckCombination},
    {"setp", Op::kSetp, "<unsigned_compare> <bool>?", "<unsigned>", kSetp,
     CheckCombination},
    {"setp", Op::kSetp, "<signed_compare> <bool>?", "<signed>", kSetp, CheckCombination},
    {"setp", Op::kSetp, "<float_compare> <bool>? ftz?", "f32", kSetp, CheckCombination},
    {"setp", Op::kSetp, "<float_compare> <bool>? ftz?", "f16", kSetp, CheckHalfCompare},
    {"setp", Op::kSetp, "<float_compare> <bool>?", "f64", kSetp, CheckCombination},
    {"setp", Op::kSetp, "<float_compare> <bool>?", "bf16", kSetp, CheckHalfCompare},
    {"setp", Op::kSetp, "<float_compare> <bool>? ftz?", "f16x2", kSetp,
     CheckPackedCompare},
    {"setp", Op::kSetp, "<float_compare> <bool>?", "bf16x2", kSetp, CheckPackedCompare},
    {"set", Op::kSet, "<equality> <bool>?", "<set_result> <bits>", kSet,
     CheckCombination},
    {"set", Op::kSet, "<unsigned_compare> <bool>?", "<set_result> <unsigned>", kSet,
     CheckCombination},
    {"set", Op::kSet, "<signed_compare> <bool>?", "<set_result> <signed>", kSet,
     CheckCombination},
    {"set", Op::kSet, "<float_compare> <bool>? ftz?", "<set_result> f32", kSet,
     CheckCombination},
    {"set", Op::kSet, "<float_compare> <bool>?", "<set_result> f64", kSet,
     CheckCombination},
    {"set", Op::kSet, "<float_compare> <bool>? ftz?", "<set_result>|u16|s16 f16", kSet,
     CheckCombination},
    {"set", Op::kSet, "<float_compare> <bool>?", "<set_result>|u16|s16 bf16", kSet,
     CheckCombination},
    {"set", Op::kSet, "<float_compare> <bool>? ftz?", "f16x2|u32|s32 f16x2", kSet,
     CheckCombination},
    {"set", Op::kSet, "<float_compare> <bool>?", "bf16x2|u32|s32 bf16x2", kSet,
     CheckCombination},
    {"selp", Op::kSelp, "", "<data>", "d, a, b, !c:pred"},
    {"slct", Op::kSlct, "", "<data> s32", "d, a, b, c:S"},
    {"slct", Op::kSlct, "ftz?", "<data> f32", "d, a, b, c:S"},
};

}  // namespace

FormSpan CompareForms() { return {kForms, std::size(kForms)}; }

}  // namespace thunky::ptx
