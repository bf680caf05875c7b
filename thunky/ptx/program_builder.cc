#include "thunky/ptx/program_builder.h"

#include <algorithm>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "thunky/base/status_macros.h"

namespace thunky::ptx {
namespace {

absl::StatusOr<ir::Space> StaticSpace(const ast::Variable& variable) {
  if (variable.space == ".global") return ir::Space::kGlobal;
  if (variable.space == ".const") return ir::Space::kConst;
  if (variable.space == ".shared") return ir::Space::kShared;
  return absl::UnimplementedError(absl::StrCat("variable '", variable.name, "': space '",
                                               variable.space,
                                               "' is not supported here"));
}

absl::Status VariableError(const ast::Variable& variable, std::string_view what) {
  return absl::InvalidArgumentError(
      absl::StrCat("variable '", variable.name, "' ", std::string(what)));
}

// Sizes of what a function takes and gives, as a key.
std::string SlotKey(const ir::Function& function) {
  std::string key;
  for (const ir::Parameter& parameter : function.parameters) {
    absl::StrAppend(&key, parameter.size, ",");
  }
  key += ">";
  for (const ir::Parameter& result : function.results) {
    absl::StrAppend(&key, result.size, ",");
  }
  return key;
}

std::string SlotKey(const ir::Call& call) {
  std::string key;
  for (const ir::Call::Slot& slot : call.arguments) absl::StrAppend(&key, slot.size, ",");
  key += ">";
  for (const ir::Call::Slot& slot : call.results) absl::StrAppend(&key, slot.size, ",");
  return key;
}

}  // namespace

ProgramBuilder::ProgramBuilder(const ast::Module& module, Diagnostics& diagnostics)
    : diagnostics_(diagnostics), names_(module, diagnostics) {}

absl::StatusOr<uint32_t> ProgramBuilder::UseFunction(const ast::Function& function) {
  if (!function.body.has_value()) {
    return absl::UnimplementedError(
        absl::StrCat("function '", function.name, "' has no body in this module"));
  }
  const auto [found, inserted] =
      function_indices_.try_emplace(&function, static_cast<uint32_t>(functions_.size()));
  if (inserted) {
    functions_.push_back(&function);
    address_taken_.push_back(false);
  }
  return found->second;
}

absl::StatusOr<uint32_t> ProgramBuilder::TakeAddress(const ast::Function& function) {
  ASSIGN_OR_RETURN(const uint32_t index, UseFunction(function));
  address_taken_[index] = true;
  return index;
}

absl::StatusOr<uint32_t> ProgramBuilder::UseVariable(const ast::Variable& variable) {
  const auto found = variable_indices_.find(&variable);
  if (found != variable_indices_.end()) return found->second;
  ASSIGN_OR_RETURN(const uint32_t index, AddStaticVariable(variable));
  variable_indices_.emplace(&variable, index);
  return index;
}

absl::StatusOr<uint32_t> ProgramBuilder::AddStaticVariable(
    const ast::Variable& variable) {
  ASSIGN_OR_RETURN(VariableLayout layout, LayOutVariable(variable));
  ir::Symbol symbol;
  symbol.name = variable.name;
  symbol.location = variable.location;
  symbol.alignment = layout.alignment;
  symbol.element_bytes = layout.element_bytes;
  ASSIGN_OR_RETURN(symbol.space, StaticSpace(variable));
  if (layout.unsized && variable.initializer.has_value()) {
    // `x[] = {...}` is as long as its initialiser.
    layout.unsized = false;
    layout.extents[0] = variable.initializer->args.size();
    const uint64_t stride = std::max<uint64_t>(layout.Stride(0), 1);
    if (layout.extents[0] > kMaxGlobalBytes / stride) {
      return VariableError(variable, "is too large");
    }
    layout.size = layout.extents[0] * layout.Stride(0);
  }
  symbol.size = layout.size;
  if (layout.unsized && !IsExtern(variable)) {
    return VariableError(variable, "has no size");
  }
  RETURN_IF_ERROR(PlaceSymbol(variable, symbol));
  const auto index = static_cast<uint32_t>(program_.symbols.size());
  program_.symbols.push_back(std::move(symbol));
  if (variable.initializer.has_value()) {
    pending_.push_back({&variable, std::move(layout), index});
  }
  return ir::kModuleSymbolBase + index;
}

absl::Status ProgramBuilder::PlaceSymbol(const ast::Variable& variable,
                                         ir::Symbol& symbol) {
  if (symbol.space == ir::Space::kShared) return PlaceShared(variable, symbol);
  return PlaceGlobal(variable, symbol);
}

absl::Status ProgramBuilder::PlaceShared(const ast::Variable& variable,
                                         ir::Symbol& symbol) {
  if (variable.initializer.has_value()) {
    return VariableError(variable, "is in .shared and cannot have an initialiser");
  }
  program_.shared_alignment = std::max(program_.shared_alignment, symbol.alignment);
  if (IsExtern(variable)) {
    symbol.dynamic_shared = true;
    program_.uses_dynamic_shared = true;
    return absl::OkStatus();
  }
  symbol.offset = program_.static_shared_bytes;
  ASSIGN_OR_RETURN(program_.static_shared_bytes,
                   Place(&symbol.offset, symbol.size, symbol.alignment));
  return absl::OkStatus();
}

absl::Status ProgramBuilder::PlaceGlobal(const ast::Variable& variable,
                                         ir::Symbol& symbol) {
  symbol.is_extern = IsExtern(variable);
  uint64_t offset = global_bytes_;
  ASSIGN_OR_RETURN(const uint64_t end, Place(&offset, symbol.size, symbol.alignment));
  if (end > kMaxGlobalBytes) {
    return absl::InvalidArgumentError(
        absl::StrCat("variable '", variable.name, "': .global and .const variables of ",
                     end, " bytes exceed the limit of ", kMaxGlobalBytes));
  }
  global_bytes_ = end;
  return absl::OkStatus();
}

const ast::Function* ProgramBuilder::NextFunction(uint32_t* index) {
  if (next_function_ == functions_.size()) return nullptr;
  *index = static_cast<uint32_t>(next_function_);
  return functions_[next_function_++];
}

void ProgramBuilder::LowerInitializers() {
  while (!pending_.empty()) {
    const PendingInitializer next = std::move(pending_.back());
    pending_.pop_back();
    // Lowering may add symbols: work on a copy.
    ir::Symbol symbol = program_.symbols[next.symbol];
    const absl::Status status =
        LowerInitializer(*next.variable, next.layout, *this, symbol);
    diagnostics_.Add(next.variable->location, status);
    program_.symbols[next.symbol] = std::move(symbol);
  }
}

absl::Status ProgramBuilder::CountCandidates(uint64_t count) {
  candidates_ += count;
  if (candidates_ <= kMaxCandidates) return absl::OkStatus();
  return absl::UnimplementedError(
      absl::StrCat("indirect calls with more than ", kMaxCandidates,
                   " pairs of a call and a function are not supported"));
}

absl::Status ProgramBuilder::ResolveIndirectCalls() {
  std::vector<std::string> keys;
  std::unordered_map<std::string, std::vector<uint32_t>> by_slots;
  for (uint32_t i = 0; i < program_.functions.size(); ++i) {
    keys.push_back(SlotKey(program_.functions[i]));
    if (address_taken_[i]) by_slots[keys[i]].push_back(i);
  }
  for (ir::Function& function : program_.functions) {
    for (ir::Call& call : function.calls) {
      if (!call.indirect) continue;
      const std::string key = SlotKey(call);
      if (call.candidates.empty()) {
        const std::vector<uint32_t>& found = by_slots[key];
        RETURN_IF_ERROR(CountCandidates(found.size()));
        call.candidates = found;
      }
      for (const uint32_t candidate : call.candidates) {
        if (keys[candidate] == key) continue;
        return absl::InvalidArgumentError(
            absl::StrCat("function '", program_.functions[candidate].name,
                         "' in .calltargets has other parameters than the call in '",
                         function.name, "' passes"));
      }
    }
  }
  return absl::OkStatus();
}

}  // namespace thunky::ptx
