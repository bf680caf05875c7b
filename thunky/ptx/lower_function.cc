#include "thunky/ptx/lower_function.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/strings/str_cat.h"
#include "thunky/ptx/control_flow.h"
#include "thunky/ptx/function_state.h"
#include "thunky/ptx/launch_bounds.h"

namespace thunky::ptx {
namespace {

class BodyLowering {
 public:
  explicit BodyLowering(FunctionState& state)
      : state_(state), diagnostics_(state.builder.diagnostics()) {}

  // A `{ ... }` below the function's own.
  void LowerBlock(const ast::Block& block) {
    const uint64_t param_end = state_.param_end;
    state_.scopes.Open();
    LowerStatements(block);
    diagnostics_.Add(block.location, state_.scopes.Close());
    state_.param_end = param_end;
  }

  void LowerStatements(const ast::Block& block) {
    DeclareTargets(block);
    for (const ast::Statement& statement : block.statements) {
      std::visit([this](const auto& s) { Lower(s); }, statement);
    }
  }

 private:
  void Declare(const std::string& name, ScopeEntry::Kind kind, size_t index,
               SourceLocation location) {
    ScopeEntry entry;
    entry.kind = kind;
    entry.index = static_cast<uint32_t>(index);
    entry.location = location;
    diagnostics_.Add(location, state_.scopes.Declare(name, entry));
  }

  // Labels and lists may be used before they appear: all of a block's are declared when
  // it opens.
  void DeclareTargets(const ast::Block& block) {
    std::vector<std::pair<const ast::TargetList*, size_t>> tables;
    for (const ast::Statement& statement : block.statements) {
      if (const auto* label = std::get_if<ast::Label>(&statement)) {
        Declare(label->name, ScopeEntry::Kind::kLabel, state_.label_positions.size(),
                label->location);
        state_.label_positions.push_back(0);
      } else if (const auto* prototype =
                     std::get_if<std::unique_ptr<ast::Prototype>>(&statement)) {
        Declare((*prototype)->name, ScopeEntry::Kind::kPrototype,
                state_.prototypes.size(), (*prototype)->location);
        state_.prototypes.push_back(prototype->get());
      } else if (const auto* list = std::get_if<ast::TargetList>(&statement)) {
        DeclareList(*list, tables);
      }
    }
    for (const auto& [list, index] : tables) ResolveTable(*list, index);
  }

  void DeclareList(const ast::TargetList& list,
                   std::vector<std::pair<const ast::TargetList*, size_t>>& tables) {
    if (list.is_call) {
      Declare(list.name, ScopeEntry::Kind::kCallTable, state_.call_tables.size(),
              list.location);
      state_.call_tables.push_back(&list);
      return;
    }
    const size_t index = state_.function.branch_tables.size();
    Declare(list.name, ScopeEntry::Kind::kBranchTable, index, list.location);
    state_.function.branch_tables.emplace_back();
    tables.emplace_back(&list, index);
  }

  void ResolveTable(const ast::TargetList& list, size_t index) {
    for (const std::string& name : list.targets) {
      const std::optional<ScopeEntry> entry = state_.scopes.Find(name);
      if (entry.has_value() && entry->kind == ScopeEntry::Kind::kLabel) {
        state_.function.branch_tables[index].push_back(entry->index);
        continue;
      }
      diagnostics_.Add(list.location,
                       absl::InvalidArgumentError(absl::StrCat(
                           "'", name, "' in .branchtargets is not a label")));
    }
  }

  void Lower(const ast::Variable& variable) {
    diagnostics_.Add(variable.location, DeclareVariable(variable, state_));
  }
  void Lower(const ast::Instruction& instruction) {
    const absl::Status status = LowerInstruction(instruction, state_);
    if (!status.ok()) {
      diagnostics_.Add(instruction.location, status, instruction.Spelling());
    }
  }
  void Lower(const ast::Label& label) {
    const std::optional<ScopeEntry> entry = state_.scopes.Find(label.name);
    if (!entry.has_value() || entry->kind != ScopeEntry::Kind::kLabel) return;
    state_.label_positions[entry->index] =
        static_cast<uint32_t>(state_.function.code.size());
  }
  // Lines, pragmas and the like say nothing about what the code does.
  void Lower(const ast::RawDirective&) {}
  // Declared when their block was opened.
  void Lower(const ast::TargetList&) {}
  void Lower(const std::unique_ptr<ast::Prototype>&) {}
  void Lower(const std::unique_ptr<ast::Block>& block) { LowerBlock(*block); }

  FunctionState& state_;
  Diagnostics& diagnostics_;
};

// Falling off the end of a function returns.
void ReturnAtEnd(FunctionState& state) {
  const std::vector<ir::Instruction>& code = state.function.code;
  const bool label_at_end =
      std::find(state.label_positions.begin(), state.label_positions.end(),
                code.size()) != state.label_positions.end();
  if (!code.empty() && !label_at_end && ir::IsTerminator(code.back().op) &&
      !code.back().guard.has_value()) {
    return;
  }
  StoreRegisterResults(state, state.source.location);
  ir::Instruction end;
  end.op = ir::Op::kRet;
  end.location = state.source.location;
  state.function.code.push_back(std::move(end));
}

}  // namespace

ir::Function LowerFunction(const ast::Function& function, ProgramBuilder& builder) {
  FunctionState state(builder, function);
  state.function.name = function.name;
  state.function.is_entry = function.is_entry;
  state.function.location = function.location;
  state.function.noreturn = HasDirective(function, ".noreturn");
  state.scopes.Open();
  DeclareParameters(state);
  BodyLowering(state).LowerStatements(*function.body);
  builder.diagnostics().Add(function.location, state.scopes.Close());
  ReturnAtEnd(state);
  builder.diagnostics().Add(function.location,
                            BuildBlocks(state.label_positions, state.function));
  return std::move(state.function);
}

}  // namespace thunky::ptx
