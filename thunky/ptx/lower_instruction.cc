// One instruction: from dots and operands to ir::Instruction.
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "thunky/base/status_macros.h"
#include "thunky/ptx/function_state.h"
#include "thunky/ptx/instruction_table.h"
#include "thunky/ptx/lower_mov.h"
#include "thunky/ptx/pattern_operands.h"

namespace thunky::ptx {
namespace {

absl::Status CheckCount(const ast::Instruction& source, size_t count) {
  if (source.operands.size() == count) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("takes ", count,
                                                 count == 1 ? " operand" : " operands",
                                                 ", found ", source.operands.size()));
}

// The entry of kind `kind` that operand `index` names.
absl::StatusOr<ScopeEntry> NamedOperand(const ast::Instruction& source, size_t index,
                                        ScopeEntry::Kind kind, FunctionState& state) {
  const ast::Expr& expr = source.operands[index];
  if (expr.kind == ast::Expr::Kind::kIdentifier) {
    const std::optional<ScopeEntry> entry = state.scopes.Find(expr.text);
    if (entry.has_value() && entry->kind == kind) return *entry;
    if (!entry.has_value()) {
      return absl::InvalidArgumentError(
          absl::StrCat("operand ", index + 1, ": '", expr.text, "' is not declared"));
    }
    return absl::InvalidArgumentError(
        absl::StrCat("operand ", index + 1, ": '", expr.text, "' is ",
                     std::string(KindName(entry->kind)), ", ",
                     std::string(KindName(kind)), " is needed"));
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "operand ", index + 1, ": ", std::string(KindName(kind)), " is needed"));
}

absl::Status LowerBranch(const ast::Instruction& source, FunctionState& state,
                         ir::Instruction& lowered) {
  RETURN_IF_ERROR(CheckCount(source, 1));
  ASSIGN_OR_RETURN(const ScopeEntry label,
                   NamedOperand(source, 0, ScopeEntry::Kind::kLabel, state));
  lowered.target = label.index;
  return absl::OkStatus();
}

absl::Status LowerIndexedBranch(const ast::Instruction& source, FunctionState& state,
                                ir::Instruction& lowered) {
  RETURN_IF_ERROR(CheckCount(source, 2));
  SourceRules rules;
  rules.type = ir::Type::kU32;
  absl::StatusOr<ir::Operand> index = state.operands.Source(source.operands[0], rules);
  if (!index.ok()) return Annotate(index.status(), "operand 1");
  ASSIGN_OR_RETURN(const ScopeEntry table,
                   NamedOperand(source, 1, ScopeEntry::Kind::kBranchTable, state));
  lowered.src.push_back(*index);
  lowered.target = table.index;
  return absl::OkStatus();
}

absl::Status LowerReturn(const ast::Instruction& source, FunctionState& state,
                         ir::Instruction& lowered) {
  RETURN_IF_ERROR(CheckCount(source, 0));
  StoreRegisterResults(state, lowered.location);
  return absl::OkStatus();
}

// wait_all: commits what is open, then waits for all groups.
absl::Status LowerWaitAll(const ast::Instruction& source, FunctionState& state,
                          ir::Instruction& lowered) {
  RETURN_IF_ERROR(CheckCount(source, 0));
  ir::Instruction commit = lowered;
  commit.op = ir::Op::kCpAsyncCommit;
  state.function.code.push_back(std::move(commit));
  ir::Operand none_pending;
  none_pending.kind = ir::Operand::Kind::kImmediate;
  lowered.src.push_back(none_pending);
  return absl::OkStatus();
}

absl::Status LowerOperands(const ast::Instruction& source, const FormMatch& match,
                           FunctionState& state, ir::Instruction& lowered) {
  switch (match.form->handler) {
    case Handler::kPattern:
      return LowerPattern(source, match, state.operands, lowered);
    case Handler::kMov:
      return LowerMov(source, state.operands, lowered);
    case Handler::kBranch:
      return LowerBranch(source, state, lowered);
    case Handler::kIndexedBranch:
      return LowerIndexedBranch(source, state, lowered);
    case Handler::kCall:
      return LowerCall(source, state, lowered);
    case Handler::kReturn:
      return LowerReturn(source, state, lowered);
    case Handler::kWaitAll:
      return LowerWaitAll(source, state, lowered);
  }
  return absl::InternalError("no such handler");
}

absl::Status LowerGuard(const ast::Guard& guard, FunctionState& state,
                        ir::Instruction& lowered) {
  absl::StatusOr<uint32_t> predicate = state.operands.Predicate(guard.predicate);
  if (!predicate.ok()) return Annotate(predicate.status(), "guard");
  lowered.guard.emplace();
  lowered.guard->predicate = *predicate;
  lowered.guard->negated = guard.negated;
  return absl::OkStatus();
}

absl::Status Lower(const ast::Instruction& source, const FormMatch& match,
                   FunctionState& state, ir::Instruction& lowered) {
  if (source.guard.has_value()) {
    RETURN_IF_ERROR(LowerGuard(*source.guard, state, lowered));
  }
  RETURN_IF_ERROR(LowerOperands(source, match, state, lowered));
  if (match.form->finish == nullptr) return absl::OkStatus();
  const char* mistake = match.form->finish(lowered);
  return mistake == nullptr ? absl::OkStatus() : absl::InvalidArgumentError(mistake);
}

}  // namespace

absl::Status LowerInstruction(const ast::Instruction& instruction, FunctionState& state) {
  ASSIGN_OR_RETURN(const FormMatch match, MatchForm(instruction));
  ir::Instruction lowered;
  lowered.op = match.form->op;
  lowered.type = match.type;
  lowered.src_type = match.src_type;
  lowered.mod = match.modifiers;
  lowered.location = instruction.location;
  const absl::Status status = Lower(instruction, match, state, lowered);
  if (!status.ok()) {
    return Annotate(status, absl::StrCat("'", instruction.Spelling(), "'"));
  }
  if (lowered.op == ir::Op::kBar) state.builder.program().uses_block_barrier = true;
  state.function.code.push_back(std::move(lowered));
  return absl::OkStatus();
}

}  // namespace thunky::ptx
