// How instructions become micro-operations, one function a family.
#ifndef THUNKY_INTERP_RECIPE_H_
#define THUNKY_INTERP_RECIPE_H_

#include <array>
#include <cstdint>
#include <type_traits>

#include "thunky/interp/micro_op.h"
#include "thunky/ptx/ir.h"

namespace thunky::interp {

// Widths of operands in bits: 16, 32, 64, 1 for a predicate, 0 for none. Operand k
// of a micro-operation is operand k of the instruction; a source that the
// instruction lacks but the recipe names is a predicate that is always true or the
// value zero.
struct Recipe {
  ExecFn fn = nullptr;  // null: this form is not supported
  std::array<uint8_t, 2> dst = {};
  std::array<uint8_t, 4> src = {};
  CollectiveFn collective = nullptr;
  CompareFn compare = nullptr;
};

// Families (execute_<family>.cc).
Recipe IntegerRecipe(const ptx::ir::Instruction& instruction);
Recipe PackedIntegerRecipe(const ptx::ir::Instruction& instruction);
Recipe BitsRecipe(const ptx::ir::Instruction& instruction);
Recipe FloatRecipe(const ptx::ir::Instruction& instruction);
Recipe DoubleRecipe(const ptx::ir::Instruction& instruction);
Recipe ApproximateRecipe(const ptx::ir::Instruction& instruction);
Recipe HalfRecipe(const ptx::ir::Instruction& instruction);
Recipe CompareRecipe(const ptx::ir::Instruction& instruction);
Recipe LogicRecipe(const ptx::ir::Instruction& instruction);
Recipe ConvertRecipe(const ptx::ir::Instruction& instruction);
Recipe WarpRecipe(const ptx::ir::Instruction& instruction);

// Recipe of an operation whose operands all have type T (an unsigned type).
template <typename T>
Recipe Uniform(ExecFn fn, int sources) {
  constexpr uint8_t kWidth = sizeof(T) * 8;
  Recipe recipe{fn, {kWidth, 0}, {}};
  for (int i = 0; i < sources; ++i) recipe.src[i] = kWidth;
  return recipe;
}

template <typename T>
using Unsigned = std::make_unsigned_t<T>;

// Calls `visit` with a value of the C++ type of a PTX integer or bit type.
template <typename Visitor>
Recipe VisitInteger(ptx::ir::Type type, Visitor visit) {
  using ptx::ir::Type;
  switch (type) {
    case Type::kU8:
    case Type::kS8:
    case Type::kB8:
      return {};
    case Type::kB16:
    case Type::kU16:
      return visit(uint16_t{});
    case Type::kS16:
      return visit(int16_t{});
    case Type::kB32:
    case Type::kU32:
      return visit(uint32_t{});
    case Type::kS32:
      return visit(int32_t{});
    case Type::kB64:
    case Type::kU64:
      return visit(uint64_t{});
    case Type::kS64:
      return visit(int64_t{});
    default:
      return {};
  }
}

}  // namespace thunky::interp

#endif  // THUNKY_INTERP_RECIPE_H_
