#include "thunky/ptx/printer_expression.h"

#include <string_view>

#include "absl/strings/str_cat.h"
#include "thunky/ptx/operators.h"
#include "thunky/ptx/parser_literal.h"
#include "thunky/ptx/printer.h"

namespace thunky::ptx {
namespace {

using Kind = ast::Expr::Kind;

int Strength(const ast::Expr& expr) {
  switch (expr.kind) {
    case Kind::kTernary:
      return kTernaryStrength;
    case Kind::kBinary:
      return BinaryStrength(expr.text);
    case Kind::kUnary:
      return kUnaryStrength;
    default:
      return kPrimaryStrength;
  }
}

// `expr` as an operand of something that binds with `strength`.
void AppendOperand(const ast::Expr& expr, int strength, std::string* out) {
  const bool parentheses = Strength(expr) < strength;
  if (parentheses) *out += '(';
  AppendExpr(expr, out);
  if (parentheses) *out += ')';
}

// `field = value` of an initialiser.
void AppendField(const ast::Expr& expr, std::string* out) {
  AppendExpr(expr.args[0], out);
  *out += " = ";
  AppendExpr(expr.args[1], out);
}

void AppendBinary(const ast::Expr& expr, std::string* out) {
  if (expr.text == "=") return AppendField(expr, out);
  const int strength = BinaryStrength(expr.text);
  AppendOperand(expr.args[0], strength, out);
  // Sums stand tight, as in addresses; `%` would become a name without blanks.
  const bool tight = expr.text == "+" || expr.text == "-";
  if (!tight) *out += ' ';
  *out += expr.text;
  if (!tight) *out += ' ';
  // All binary operators associate to the left.
  AppendOperand(expr.args[1], strength + 1, out);
}

void AppendTernary(const ast::Expr& expr, std::string* out) {
  AppendOperand(expr.args[0], kTernaryStrength + 1, out);
  *out += " ? ";
  AppendExpr(expr.args[1], out);
  *out += " : ";
  AppendExpr(expr.args[2], out);
}

void AppendList(std::string_view open, const std::vector<ast::Expr>& exprs,
                std::string_view close, std::string* out) {
  out->append(open);
  AppendExprs(exprs, out);
  out->append(close);
}

void AppendPair(const ast::Expr& expr, std::string* out) {
  AppendExpr(expr.args[0], out);
  *out += '|';
  AppendExpr(expr.args[1], out);
}

void AppendIndex(const ast::Expr& expr, std::string* out) {
  AppendExpr(expr.args[0], out);
  *out += '[';
  AppendExpr(expr.args[1], out);
  *out += ']';
}

}  // namespace

void AppendExpr(const ast::Expr& expr, std::string* out) {
  switch (expr.kind) {
    case Kind::kIdentifier:
    case Kind::kFloat:
      *out += expr.text;
      return;
    case Kind::kInteger:
      absl::StrAppend(out, expr.integer, expr.is_unsigned ? "U" : "");
      return;
    case Kind::kString:
      *out += QuoteString(expr.text);
      return;
    case Kind::kSink:
      *out += '_';
      return;
    case Kind::kUnary:
      *out += expr.text;
      return AppendOperand(expr.args[0], kUnaryStrength, out);
    case Kind::kBinary:
      return AppendBinary(expr, out);
    case Kind::kTernary:
      return AppendTernary(expr, out);
    case Kind::kAddress:
      return AppendList("[", expr.args, "]", out);
    case Kind::kVector:
      return AppendList("{", expr.args, "}", out);
    case Kind::kTuple:
      return AppendList("(", expr.args, ")", out);
    case Kind::kPair:
      return AppendPair(expr, out);
    case Kind::kIndex:
      return AppendIndex(expr, out);
    case Kind::kCall:
      *out += expr.text;
      return AppendList("(", expr.args, ")", out);
  }
}

void AppendExprs(const std::vector<ast::Expr>& exprs, std::string* out) {
  bool first = true;
  for (const ast::Expr& expr : exprs) {
    if (!first) *out += ", ";
    first = false;
    AppendExpr(expr, out);
  }
}

std::string PrintExpr(const ast::Expr& expr) {
  std::string out;
  AppendExpr(expr, &out);
  return out;
}

}  // namespace thunky::ptx
