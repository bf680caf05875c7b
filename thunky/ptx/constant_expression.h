// Values of constant expressions.
#ifndef THUNKY_PTX_CONSTANT_EXPRESSION_H_
#define THUNKY_PTX_CONSTANT_EXPRESSION_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "thunky/ptx/ast.h"
#include "thunky/ptx/ir.h"

namespace thunky::ptx {

// Integers are 64 bits wide and wrap. Floating-point values are doubles, except
// `0f...`, which keeps its 32 bits and takes part in no arithmetic.
struct Constant {
  enum class Kind : uint8_t { kInteger, kDouble, kSingle };
  Kind kind = Kind::kInteger;
  bool is_unsigned = false;  // kInteger
  uint64_t integer = 0;      // kInteger: two's complement; kSingle: the 32 bits
  double real = 0;           // kDouble
};

// Evaluates with the rules of C: usual conversions, precedence by the tree, unsigned
// when either side is. InvalidArgument: a name other than WARP_SZ ("'x' is not a
// constant"), a division by zero, an operator its operands do not have.
absl::StatusOr<Constant> EvaluateConstant(const ast::Expr& expr);

// The bits of `constant` as an operand of `type`: integers are truncated to the width
// of an integer or bit type, doubles rounded to nearest even for f32, any non-zero
// integer is a true predicate. InvalidArgument for kinds that do not go together: an
// integer for f32, a decimal fraction for u32, anything for f16.
absl::StatusOr<uint64_t> ConstantBits(const Constant& constant, ir::Type type);

// EvaluateConstant for a size: InvalidArgument for a negative or floating-point value.
absl::StatusOr<uint64_t> EvaluateSize(const ast::Expr& expr);

}  // namespace thunky::ptx

#endif  // THUNKY_PTX_CONSTANT_EXPRESSION_H_
