#include "thunky/ptx/symbol_address.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "thunky/base/status_macros.h"
#include "thunky/ptx/constant_expression.h"

namespace thunky::ptx {
namespace {

using Kind = ast::Expr::Kind;

absl::StatusOr<int64_t> IntegerValue(const ast::Expr& expr) {
  ASSIGN_OR_RETURN(const Constant value, EvaluateConstant(expr));
  if (value.kind != Constant::Kind::kInteger) {
    return absl::InvalidArgumentError("an offset is an integer");
  }
  return static_cast<int64_t>(value.integer);
}

absl::StatusOr<SymbolAddress> Sum(const ast::Expr& expr) {
  const bool subtract = expr.text == "-";
  const bool left_is_name = NamesSomething(expr.args[0]);
  const bool right_is_name = NamesSomething(expr.args[1]);
  if ((expr.text != "+" && !subtract) || (right_is_name && (left_is_name || subtract))) {
    return absl::InvalidArgumentError("an address is a name plus or minus a number");
  }
  ASSIGN_OR_RETURN(SymbolAddress address,
                   ParseSymbolAddress(expr.args[right_is_name ? 1 : 0]));
  ASSIGN_OR_RETURN(const int64_t offset, IntegerValue(expr.args[right_is_name ? 0 : 1]));
  // Offsets wrap, as the addresses themselves do.
  const auto base = static_cast<uint64_t>(address.offset);
  const auto step = static_cast<uint64_t>(offset);
  address.offset = static_cast<int64_t>(subtract ? base - step : base + step);
  return address;
}

absl::StatusOr<SymbolAddress> Element(const ast::Expr& expr) {
  if (expr.args[0].kind != Kind::kIdentifier) {
    return absl::UnimplementedError("an element of an element is not supported");
  }
  ASSIGN_OR_RETURN(SymbolAddress address, ParseSymbolAddress(expr.args[0]));
  ASSIGN_OR_RETURN(address.element, EvaluateSize(expr.args[1]));
  return address;
}

}  // namespace

bool NamesSomething(const ast::Expr& expr) {
  if (expr.kind == Kind::kIdentifier) return expr.text != "WARP_SZ";
  if (expr.kind == Kind::kCall) return true;
  return std::any_of(expr.args.begin(), expr.args.end(), NamesSomething);
}

absl::StatusOr<SymbolAddress> ParseSymbolAddress(const ast::Expr& expr) {
  SymbolAddress address;
  if (!NamesSomething(expr)) {
    ASSIGN_OR_RETURN(address.offset, IntegerValue(expr));
    return address;
  }
  switch (expr.kind) {
    case Kind::kIdentifier:
      address.name = expr.text;
      return address;
    case Kind::kBinary:
      return Sum(expr);
    case Kind::kIndex:
      return Element(expr);
    case Kind::kCall: {
      if (expr.text != "generic" || expr.args.size() != 1) {
        return absl::UnimplementedError(
            absl::StrCat("'", expr.text, "(...)' of an address is not supported"));
      }
      ASSIGN_OR_RETURN(address, ParseSymbolAddress(expr.args[0]));
      address.generic = true;
      return address;
    }
    default:
      return absl::InvalidArgumentError("an address is a name plus or minus a number");
  }
}

}  // namespace thunky::ptx
