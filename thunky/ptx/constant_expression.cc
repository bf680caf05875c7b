#include "thunky/ptx/constant_expression.h"

#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <string_view>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "thunky/base/status_macros.h"

namespace thunky::ptx {
namespace {

using Kind = ast::Expr::Kind;

Constant Integer(uint64_t value, bool is_unsigned = false) {
  Constant constant;
  constant.is_unsigned = is_unsigned;
  constant.integer = value;
  return constant;
}

Constant Double(double value) {
  Constant constant;
  constant.kind = Constant::Kind::kDouble;
  constant.real = value;
  return constant;
}

absl::Status NotConstant(std::string_view what) {
  return absl::InvalidArgumentError(
      absl::StrCat("'", std::string(what), "' is not a constant"));
}

// --- Literals --------------------------------------------------------------

absl::StatusOr<Constant> FloatLiteral(std::string_view text) {
  const bool hex = text.size() > 2 && text[0] == '0';
  if (hex && (text[1] == 'f' || text[1] == 'F' || text[1] == 'd' || text[1] == 'D')) {
    uint64_t bits = 0;
    const auto [end, error] =
        std::from_chars(text.data() + 2, text.data() + text.size(), bits, 16);
    if (error != std::errc() || end != text.data() + text.size()) {
      return NotConstant(text);
    }
    if (text[1] == 'd' || text[1] == 'D') return Double(std::bit_cast<double>(bits));
    Constant constant;
    constant.kind = Constant::Kind::kSingle;
    constant.integer = bits & 0xffffffff;
    return constant;
  }
  double value = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::result_out_of_range) {
    return absl::InvalidArgumentError(
        absl::StrCat("'", std::string(text), "' is out of the range of f64"));
  }
  if (error != std::errc() || end != text.data() + text.size()) return NotConstant(text);
  return Double(value);
}

absl::StatusOr<Constant> IntegerLiteral(const ast::Expr& expr) {
  const bool fits = expr.integer <= uint64_t{std::numeric_limits<int64_t>::max()};
  return Integer(expr.integer, expr.is_unsigned || !fits);
}

// --- Operators -------------------------------------------------------------

absl::Status NoOperator(std::string_view op, std::string_view operands) {
  return absl::InvalidArgumentError(absl::StrCat(
      "operator '", std::string(op), "' does not take ", std::string(operands)));
}

bool IsTrue(const Constant& value) {
  return value.kind == Constant::Kind::kDouble ? value.real != 0 : value.integer != 0;
}

double AsDouble(const Constant& value) {
  if (value.kind == Constant::Kind::kDouble) return value.real;
  return value.is_unsigned ? static_cast<double>(value.integer)
                           : static_cast<double>(static_cast<int64_t>(value.integer));
}

absl::StatusOr<Constant> Unary(std::string_view op, Constant value) {
  if (value.kind == Constant::Kind::kSingle) {
    // The sign of a 32-bit literal is part of the value, not arithmetic.
    if (op == "-") value.integer ^= 0x80000000;
    if (op == "-" || op == "+") return value;
    return NoOperator(op, "a 32-bit floating-point literal");
  }
  if (op == "!") return Integer(IsTrue(value) ? 0 : 1);
  if (op == "+") return value;
  if (value.kind == Constant::Kind::kDouble) {
    if (op == "-") return Double(-value.real);
    return NoOperator(op, "a floating-point value");
  }
  if (op == "-") return Integer(0 - value.integer, value.is_unsigned);
  if (op == "~") return Integer(~value.integer, value.is_unsigned);
  if (op == "(.s64)") return Integer(value.integer, false);
  if (op == "(.u64)") return Integer(value.integer, true);
  return NoOperator(op, "an integer");
}

// Value of a comparison whose three-way result is `order` (-1, 0, 1; 2: unordered).
// -1 when `op` is no comparison.
int CompareResult(std::string_view op, int order) {
  if (op == "==") return order == 0;
  if (op == "!=") return order != 0;
  if (op == "<") return order == -1;
  if (op == "<=") return order == -1 || order == 0;
  if (op == ">") return order == 1;
  if (op == ">=") return order == 1 || order == 0;
  return -1;
}

template <typename T>
int Order(T a, T b) {
  if (a < b) return -1;
  if (a > b) return 1;
  return a == b ? 0 : 2;
}

absl::StatusOr<Constant> DoubleBinary(std::string_view op, double a, double b) {
  if (const int result = CompareResult(op, Order(a, b)); result >= 0) {
    return Integer(static_cast<uint64_t>(result));
  }
  if (op == "+") return Double(a + b);
  if (op == "-") return Double(a - b);
  if (op == "*") return Double(a * b);
  if (op == "/") {
    if (b == 0) return absl::InvalidArgumentError("division by zero in a constant");
    return Double(a / b);
  }
  return NoOperator(op, "floating-point values");
}

absl::StatusOr<Constant> Divide(bool remainder, const Constant& a, const Constant& b,
                                bool is_unsigned) {
  if (b.integer == 0) return absl::InvalidArgumentError("division by zero in a constant");
  if (is_unsigned) {
    return Integer(remainder ? a.integer % b.integer : a.integer / b.integer, true);
  }
  const auto x = static_cast<int64_t>(a.integer);
  const auto y = static_cast<int64_t>(b.integer);
  // The quotient of the smallest number and -1 wraps.
  if (y == -1) return Integer(remainder ? 0 : 0 - a.integer);
  return Integer(static_cast<uint64_t>(remainder ? x % y : x / y));
}

Constant Shift(bool left, const Constant& a, uint64_t count) {
  const bool negative = !a.is_unsigned && static_cast<int64_t>(a.integer) < 0;
  if (count > 63) return Integer(!left && negative ? ~uint64_t{0} : 0, a.is_unsigned);
  if (left) return Integer(a.integer << count, a.is_unsigned);
  uint64_t value = a.integer >> count;
  if (negative && count > 0) value |= ~uint64_t{0} << (64 - count);
  return Integer(value, a.is_unsigned);
}

absl::StatusOr<Constant> IntegerBinary(std::string_view op, const Constant& a,
                                       const Constant& b) {
  const bool is_unsigned = a.is_unsigned || b.is_unsigned;
  const int order = is_unsigned ? Order(a.integer, b.integer)
                                : Order(static_cast<int64_t>(a.integer),
                                        static_cast<int64_t>(b.integer));
  if (const int result = CompareResult(op, order); result >= 0) {
    return Integer(static_cast<uint64_t>(result));
  }
  if (op == "<<" || op == ">>") return Shift(op == "<<", a, b.integer);
  if (op == "+") return Integer(a.integer + b.integer, is_unsigned);
  if (op == "-") return Integer(a.integer - b.integer, is_unsigned);
  if (op == "*") return Integer(a.integer * b.integer, is_unsigned);
  if (op == "/" || op == "%") return Divide(op == "%", a, b, is_unsigned);
  if (op == "&") return Integer(a.integer & b.integer, is_unsigned);
  if (op == "|") return Integer(a.integer | b.integer, is_unsigned);
  if (op == "^") return Integer(a.integer ^ b.integer, is_unsigned);
  return NoOperator(op, "integers");
}

absl::StatusOr<Constant> Binary(std::string_view op, const Constant& a,
                                const Constant& b) {
  if (a.kind == Constant::Kind::kSingle || b.kind == Constant::Kind::kSingle) {
    return NoOperator(op, "a 32-bit floating-point literal");
  }
  if (op == "&&") return Integer(IsTrue(a) && IsTrue(b));
  if (op == "||") return Integer(IsTrue(a) || IsTrue(b));
  if (a.kind == Constant::Kind::kDouble || b.kind == Constant::Kind::kDouble) {
    return DoubleBinary(op, AsDouble(a), AsDouble(b));
  }
  return IntegerBinary(op, a, b);
}

// --- Conversion ------------------------------------------------------------

uint64_t SingleBits(double value) {
  // A float conversion that overflows is not defined: spell the result.
  constexpr double kRoundsToInfinity = 0x1.ffffffp127;
  if (std::abs(value) >= kRoundsToInfinity) {
    return value < 0 ? 0xff800000 : 0x7f800000;
  }
  return std::bit_cast<uint32_t>(static_cast<float>(value));
}

absl::Status Mismatch(std::string_view what, ir::Type type) {
  return absl::InvalidArgumentError(absl::StrCat(
      std::string(what), " cannot be of type .", std::string(ir::TypeName(type))));
}

absl::StatusOr<uint64_t> IntegerBits(uint64_t value, ir::Type type) {
  if (type == ir::Type::kPred) return uint64_t{value != 0};
  const int width = ir::BitWidth(type);
  if (ir::IsFloat(type) || width == 0 || width > 64) {
    return Mismatch("an integer", type);
  }
  return width == 64 ? value : value & ((uint64_t{1} << width) - 1);
}

absl::StatusOr<uint64_t> FloatBits(const Constant& constant, ir::Type type) {
  const bool single = constant.kind == Constant::Kind::kSingle;
  switch (type) {
    case ir::Type::kF32:
      return single ? constant.integer : SingleBits(constant.real);
    case ir::Type::kB32:
      if (single) return constant.integer;
      break;
    case ir::Type::kF64:
      if (!single) return std::bit_cast<uint64_t>(constant.real);
      return std::bit_cast<uint64_t>(static_cast<double>(
          std::bit_cast<float>(static_cast<uint32_t>(constant.integer))));
    case ir::Type::kB64:
      if (!single) return std::bit_cast<uint64_t>(constant.real);
      break;
    default:
      break;
  }
  return Mismatch(single ? "a 32-bit floating-point literal" : "a floating-point value",
                  type);
}

}  // namespace

absl::StatusOr<Constant> EvaluateConstant(const ast::Expr& expr) {
  switch (expr.kind) {
    case Kind::kInteger:
      return IntegerLiteral(expr);
    case Kind::kFloat:
      return FloatLiteral(expr.text);
    case Kind::kIdentifier:
      if (expr.text == "WARP_SZ") return Integer(32);
      return NotConstant(expr.text);
    case Kind::kUnary: {
      ASSIGN_OR_RETURN(Constant value, EvaluateConstant(expr.args[0]));
      return Unary(expr.text, value);
    }
    case Kind::kBinary: {
      ASSIGN_OR_RETURN(const Constant a, EvaluateConstant(expr.args[0]));
      ASSIGN_OR_RETURN(const Constant b, EvaluateConstant(expr.args[1]));
      return Binary(expr.text, a, b);
    }
    case Kind::kTernary: {
      ASSIGN_OR_RETURN(const Constant condition, EvaluateConstant(expr.args[0]));
      return EvaluateConstant(expr.args[IsTrue(condition) ? 1 : 2]);
    }
    default:
      return absl::InvalidArgumentError("this is not a constant expression");
  }
}

absl::StatusOr<uint64_t> ConstantBits(const Constant& constant, ir::Type type) {
  if (constant.kind == Constant::Kind::kInteger) {
    return IntegerBits(constant.integer, type);
  }
  return FloatBits(constant, type);
}

absl::StatusOr<uint64_t> EvaluateSize(const ast::Expr& expr) {
  ASSIGN_OR_RETURN(const Constant value, EvaluateConstant(expr));
  const bool negative = !value.is_unsigned && static_cast<int64_t>(value.integer) < 0;
  if (value.kind != Constant::Kind::kInteger || negative) {
    return absl::InvalidArgumentError("a size is an integer and not negative");
  }
  return value.integer;
}

}  // namespace thunky::ptx
