#include "thunky/ptx/lower_mov.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "thunky/base/status_macros.h"

namespace thunky::ptx {
namespace {

using Kind = ast::Expr::Kind;

// The type of each of `count` parts of a value of bit type `whole`.
absl::StatusOr<ir::Type> PartType(ir::Type whole, size_t count) {
  const bool is_bits = whole >= ir::Type::kB16 && whole <= ir::Type::kB64;
  const int width = ir::BitWidth(whole);
  if (is_bits && (count == 2 || count == 4)) {
    switch (width / static_cast<int>(count)) {
      case 8:
        return ir::Type::kB8;
      case 16:
        return ir::Type::kB16;
      case 32:
        return ir::Type::kB32;
      default:
        break;
    }
  }
  return absl::InvalidArgumentError(
      absl::StrCat("a value of type .", std::string(ir::TypeName(whole)),
                   " has no vector of ", count, " elements"));
}

SourceRules Plain(ir::Type type) {
  SourceRules rules;
  rules.type = type;
  return rules;
}

absl::Status LowerCopy(const ast::Instruction& source, OperandResolver& operands,
                       ir::Instruction& lowered) {
  absl::StatusOr<ir::Operand> to =
      operands.Destination(source.operands[0], lowered.type, false, false);
  if (!to.ok()) return Annotate(to.status(), "operand 1");
  SourceRules rules = Plain(lowered.type);
  rules.may_negate = true;
  rules.may_be_special = true;
  rules.may_be_symbol = true;
  absl::StatusOr<ir::Operand> from = operands.Source(source.operands[1], rules);
  if (!from.ok()) return Annotate(from.status(), "operand 2");
  lowered.dst.push_back(*to);
  lowered.src.push_back(*from);
  return absl::OkStatus();
}

absl::Status LowerPack(const ast::Instruction& source, OperandResolver& operands,
                       ir::Instruction& lowered) {
  lowered.op = ir::Op::kPack;
  const ast::Expr& parts = source.operands[1];
  absl::StatusOr<ir::Operand> to =
      operands.Destination(source.operands[0], lowered.type, false, false);
  if (!to.ok()) return Annotate(to.status(), "operand 1");
  lowered.dst.push_back(*to);
  absl::StatusOr<ir::Type> type = PartType(lowered.type, parts.args.size());
  if (!type.ok()) return Annotate(type.status(), "operand 2");
  for (const ast::Expr& part : parts.args) {
    absl::StatusOr<ir::Operand> from = operands.Source(part, Plain(*type));
    if (!from.ok()) return Annotate(from.status(), "operand 2");
    lowered.src.push_back(*from);
  }
  return absl::OkStatus();
}

absl::Status LowerUnpack(const ast::Instruction& source, OperandResolver& operands,
                         ir::Instruction& lowered) {
  lowered.op = ir::Op::kUnpack;
  const ast::Expr& parts = source.operands[0];
  absl::StatusOr<ir::Type> type = PartType(lowered.type, parts.args.size());
  if (!type.ok()) return Annotate(type.status(), "operand 1");
  for (const ast::Expr& part : parts.args) {
    absl::StatusOr<ir::Operand> to = operands.Destination(part, *type, false, true);
    if (!to.ok()) return Annotate(to.status(), "operand 1");
    lowered.dst.push_back(*to);
  }
  absl::StatusOr<ir::Operand> from =
      operands.Source(source.operands[1], Plain(lowered.type));
  if (!from.ok()) return Annotate(from.status(), "operand 2");
  lowered.src.push_back(*from);
  return absl::OkStatus();
}

}  // namespace

absl::Status LowerMov(const ast::Instruction& source, OperandResolver& operands,
                      ir::Instruction& lowered) {
  if (source.operands.size() != 2) {
    return absl::InvalidArgumentError(
        absl::StrCat("takes 2 operands, found ", source.operands.size()));
  }
  if (source.operands[0].kind == Kind::kVector) {
    return LowerUnpack(source, operands, lowered);
  }
  if (source.operands[1].kind == Kind::kVector) {
    return LowerPack(source, operands, lowered);
  }
  return LowerCopy(source, operands, lowered);
}

}  // namespace thunky::ptx
