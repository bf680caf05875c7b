// Logic, shifts and permutation.
#include <iterator>
#include <string_view>

#include "thunky/ptx/instruction_table.h"

namespace thunky::ptx {
namespace {

using ir::Op;

// The truth table is a byte.
const char* CheckTable(ir::Instruction& instruction) {
  return instruction.src[3].bits <= 0xff ? nullptr
                                         : "the table is a number from 0 to 255";
}

// The combined form gives a predicate as well.
const char* CheckCombinedTable(ir::Instruction& instruction) {
  if (instruction.dst.size() != 2) return "the destination is a pair d|p";
  return CheckTable(instruction);
}

constexpr Form kForms[] = {
    {"and", Op::kAnd, "", "pred|b16|b32|b64", "d, !a, !b"},
    {"or", Op::kOr, "", "pred|b16|b32|b64", "d, !a, !b"},
    {"xor", Op::kXor, "", "pred|b16|b32|b64", "d, !a, !b"},
    {"not", Op::kNot, "", "pred|b16|b32|b64", "d, !a"},
    {"cnot", Op::kCnot, "", "<bits>", "d, a"},
    {"lop3", Op::kLop3, "", "b32", "d, a, b, c, #table:u32", CheckTable},
    {"lop3", Op::kLop3, "bool:and|or", "b32", "d|, a, b, c, #table:u32, !q:pred",
     CheckCombinedTable},
    {"shl", Op::kShl, "", "<bits>", "d, a, b:u32"},
    {"shr", Op::kShr, "", "<bits>", "d, a, b:u32"},
    {"shr", Op::kShr, "", "<int>", "d, a, b:u32"},
    {"shf", Op::kShf, "l|r wrap|clamp", "b32", "d, a, b, c:u32"},
    {"prmt", Op::kPrmt, "prmt:f4e|b4e|rc8|ecl|ecr|rc16?", "b32", "d, a, b, c:u32"},
};

}  // namespace

FormSpan LogicForms() { return {kForms, std::size(kForms)}; }

}  // namespace thunky::ptx
