#include "thunky/ptx/pattern_operands.h"

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "thunky/base/status_macros.h"

namespace thunky::ptx {
namespace {

using Kind = ast::Expr::Kind;
using Role = OperandItem::Role;

ir::Type DoubleWidth(ir::Type type) {
  switch (type) {
    case ir::Type::kU16:
      return ir::Type::kU32;
    case ir::Type::kU32:
      return ir::Type::kU64;
    case ir::Type::kS16:
      return ir::Type::kS32;
    case ir::Type::kS32:
      return ir::Type::kS64;
    default:
      return ir::Type::kNone;
  }
}

class PatternLowering {
 public:
  PatternLowering(OperandResolver& operands, ir::Instruction& lowered)
      : operands_(operands), lowered_(lowered) {}

  // `expr` is null for items that have no operand in the text.
  absl::Status Lower(const OperandItem& item, const ast::Expr* expr) {
    switch (item.role) {
      case Role::kZero:
        lowered_.src.emplace_back().kind = ir::Operand::Kind::kImmediate;
        return absl::OkStatus();
      case Role::kDestination:
        return LowerDestination(item, *expr);
      case Role::kSource:
        return LowerSource(item, *expr);
      case Role::kAddress:
        return LowerAddress(*expr);
      case Role::kImmediate:
        return LowerImmediate(item, *expr);
      case Role::kBytes:
        return LowerBytes(item, *expr);
      case Role::kIgnored:
        return operands_.Source(*expr, Rules(item, *expr)).status();
    }
    return absl::InternalError("no such operand role");
  }

 private:
  ir::Type TypeOf(const OperandItem& item) const {
    switch (item.type_rule) {
      case OperandItem::TypeRule::kInstruction:
        return lowered_.type;
      case OperandItem::TypeRule::kSource:
        return lowered_.src_type;
      case OperandItem::TypeRule::kWide:
        return DoubleWidth(lowered_.type);
      case OperandItem::TypeRule::kFixed:
        return item.fixed;
    }
    return ir::Type::kNone;
  }

  SourceRules Rules(const OperandItem& item, const ast::Expr& expr) {
    SourceRules rules;
    rules.type = TypeOf(item);
    if (item.alternative != ir::Type::kNone) {
      const ir::Register* used = operands_.FindRegister(expr);
      if (used != nullptr && used->type == item.alternative)
        rules.type = item.alternative;
    }
    rules.may_be_wider = item.may_be_wider;
    rules.may_negate = item.may_negate;
    rules.may_be_special = item.may_be_special;
    rules.may_be_symbol = item.may_be_symbol;
    rules.symbol_space = lowered_.mod.space;
    return rules;
  }

  // The elements of a vector operand; a bare operand may stand for a vector of one.
  absl::StatusOr<std::vector<const ast::Expr*>> Elements(const OperandItem& item,
                                                         const ast::Expr& expr) const {
    std::vector<const ast::Expr*> elements;
    const bool is_vector = item.vector_of_mod || item.vector > 0;
    const size_t wanted = item.vector_of_mod ? lowered_.mod.vec : item.vector;
    if (!is_vector || (wanted == 1 && expr.kind != Kind::kVector)) {
      elements.push_back(&expr);
      return elements;
    }
    if (expr.kind != Kind::kVector) {
      return absl::InvalidArgumentError(
          absl::StrCat("a vector of ", wanted, " elements is needed"));
    }
    if (expr.args.size() != wanted) {
      return absl::InvalidArgumentError(
          absl::StrCat("a vector of ", wanted, wanted == 1 ? " element" : " elements",
                       " is needed, found ", expr.args.size()));
    }
    for (const ast::Expr& element : expr.args) elements.push_back(&element);
    return elements;
  }

  absl::Status LowerDestination(const OperandItem& item, const ast::Expr& expr) {
    if (item.second_predicate && expr.kind == Kind::kPair) return LowerPair(item, expr);
    ASSIGN_OR_RETURN(const std::vector<const ast::Expr*> elements, Elements(item, expr));
    const bool may_be_sink = elements.size() > 1 || lowered_.op == ir::Op::kAtom;
    for (const ast::Expr* element : elements) {
      ASSIGN_OR_RETURN(
          const ir::Operand operand,
          operands_.Destination(*element, TypeOf(item), item.may_be_wider, may_be_sink));
      lowered_.dst.push_back(operand);
    }
    return absl::OkStatus();
  }

  absl::Status LowerPair(const OperandItem& item, const ast::Expr& expr) {
    ASSIGN_OR_RETURN(const ir::Operand first,
                     operands_.Destination(expr.args[0], TypeOf(item), false, true));
    ASSIGN_OR_RETURN(const ir::Operand second,
                     operands_.Destination(expr.args[1], ir::Type::kPred, false, true));
    lowered_.dst.push_back(first);
    lowered_.dst.push_back(second);
    return absl::OkStatus();
  }

  absl::Status LowerSource(const OperandItem& item, const ast::Expr& expr) {
    ASSIGN_OR_RETURN(const std::vector<const ast::Expr*> elements, Elements(item, expr));
    for (const ast::Expr* element : elements) {
      ASSIGN_OR_RETURN(const ir::Operand operand,
                       operands_.Source(*element, Rules(item, *element)));
      lowered_.src.push_back(operand);
    }
    return absl::OkStatus();
  }

  absl::Status LowerAddress(const ast::Expr& expr) {
    const uint64_t bytes =
        static_cast<uint64_t>(ir::BitWidth(lowered_.type)) / 8 * lowered_.mod.vec;
    if (!lowered_.address.has_value()) {
      ASSIGN_OR_RETURN(lowered_.address,
                       operands_.Address(expr, &lowered_.mod.space, bytes));
      return absl::OkStatus();
    }
    // The one instruction with two addresses reads the second in global memory.
    ir::Space space = ir::Space::kGlobal;
    ASSIGN_OR_RETURN(lowered_.address2, operands_.Address(expr, &space, bytes));
    return absl::OkStatus();
  }

  absl::Status LowerImmediate(const OperandItem& item, const ast::Expr& expr) {
    ASSIGN_OR_RETURN(const ir::Operand operand, operands_.Immediate(expr, TypeOf(item)));
    lowered_.src.push_back(operand);
    return absl::OkStatus();
  }

  absl::Status LowerBytes(const OperandItem& item, const ast::Expr& expr) {
    ASSIGN_OR_RETURN(const ir::Operand operand, operands_.Immediate(expr, TypeOf(item)));
    if (operand.bits > std::numeric_limits<uint8_t>::max()) {
      return absl::InvalidArgumentError(absl::StrCat(operand.bits, " is too large"));
    }
    lowered_.mod.bytes = static_cast<uint8_t>(operand.bits);
    return absl::OkStatus();
  }

  OperandResolver& operands_;
  ir::Instruction& lowered_;
};

absl::Status WrongCount(const std::vector<OperandPattern>& patterns, size_t found) {
  std::vector<size_t> counts;
  counts.reserve(patterns.size());
  for (const OperandPattern& pattern : patterns) counts.push_back(pattern.count);
  std::sort(counts.begin(), counts.end());
  const bool one = counts.size() == 1 && counts[0] == 1;
  return absl::InvalidArgumentError(absl::StrCat("takes ", absl::StrJoin(counts, " or "),
                                                 one ? " operand" : " operands",
                                                 ", found ", found));
}

}  // namespace

absl::Status LowerPattern(const ast::Instruction& source, const FormMatch& match,
                          OperandResolver& operands, ir::Instruction& lowered) {
  const size_t count = source.operands.size();
  const auto pattern =
      std::find_if(match.patterns->begin(), match.patterns->end(),
                   [&](const OperandPattern& p) { return p.count == count; });
  if (pattern == match.patterns->end()) return WrongCount(*match.patterns, count);
  PatternLowering lowering(operands, lowered);
  size_t next = 0;
  for (const OperandItem& item : pattern->items) {
    const bool in_text = item.role != Role::kZero;
    const ast::Expr* expr = in_text ? &source.operands[next++] : nullptr;
    const absl::Status status = lowering.Lower(item, expr);
    if (!status.ok()) return Annotate(status, absl::StrCat("operand ", next));
  }
  return absl::OkStatus();
}

}  // namespace thunky::ptx
