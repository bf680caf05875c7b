// Registers, variables and parameters of a function.
#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "thunky/base/status_macros.h"
#include "thunky/ptx/function_state.h"
#include "thunky/ptx/variable_layout.h"

namespace thunky::ptx {
namespace {

absl::Status CheckRegisterType(const ast::Variable& variable, ir::Type type) {
  if (type == ir::Type::kNone || type == ir::Type::kB128) {
    return absl::UnimplementedError(absl::StrCat("register '", variable.name, "': type '",
                                                 variable.type, "' is not supported"));
  }
  if (!variable.vector.empty()) {
    return absl::UnimplementedError(absl::StrCat(
        "register '", variable.name, "': vectors of registers are not supported"));
  }
  if (!variable.dims.empty() || variable.initializer.has_value()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "register '", variable.name, "' can have neither dimensions nor a value"));
  }
  return absl::OkStatus();
}

absl::Status DeclareRegisters(const ast::Variable& variable, FunctionState& state) {
  const ir::Type type = ir::TypeFromName(
      std::string_view(variable.type).substr(variable.type.empty() ? 0 : 1));
  const absl::Status checked = CheckRegisterType(variable, type);
  const absl::Status declared =
      variable.count.has_value()
          ? state.scopes.DeclareRegisters(variable.name, *variable.count, type,
                                          variable.location)
          : state.scopes.DeclareRegister(variable.name, type, variable.location);
  return checked.ok() ? declared : checked;
}

absl::StatusOr<uint32_t> AddLocal(const ast::Variable& variable, FunctionState& state) {
  ASSIGN_OR_RETURN(const VariableLayout layout, LayOutVariable(variable));
  if (variable.initializer.has_value() || layout.unsized) {
    return absl::InvalidArgumentError(
        absl::StrCat("variable '", variable.name,
                     "' in .local needs a size and cannot have an initialiser"));
  }
  ir::Symbol symbol;
  symbol.name = variable.name;
  symbol.space = ir::Space::kLocal;
  symbol.alignment = layout.alignment;
  symbol.size = layout.size;
  symbol.element_bytes = layout.element_bytes;
  symbol.location = variable.location;
  symbol.offset = state.function.local_bytes;
  ASSIGN_OR_RETURN(const uint64_t end,
                   Place(&symbol.offset, symbol.size, symbol.alignment));
  if (end > kMaxLocalBytes) {
    return absl::InvalidArgumentError(
        absl::StrCat("variable '", variable.name, "': .local variables of ", end,
                     " bytes exceed the limit of ", kMaxLocalBytes));
  }
  state.function.local_bytes = end;
  state.function.symbols.push_back(std::move(symbol));
  return static_cast<uint32_t>(state.function.symbols.size() - 1);
}

absl::StatusOr<uint32_t> AddParam(const ast::Variable& variable, FunctionState& state) {
  ASSIGN_OR_RETURN(const VariableLayout layout, LayOutVariable(variable));
  return AddParamSymbol(state, variable.name, layout, variable.location);
}

absl::StatusOr<uint32_t> AddVariable(const ast::Variable& variable,
                                     FunctionState& state) {
  if (variable.space == ".local") return AddLocal(variable, state);
  if (variable.space == ".param") return AddParam(variable, state);
  return state.builder.AddStaticVariable(variable);
}

// A parameter or result of the function itself.
absl::StatusOr<ir::Parameter> AddParameter(const ast::Variable& variable,
                                           FunctionState& state) {
  ASSIGN_OR_RETURN(const VariableLayout layout, LayOutVariable(variable));
  if (layout.unsized) {
    return absl::UnimplementedError(
        absl::StrCat("parameter '", variable.name, "' of unknown size is not supported"));
  }
  ASSIGN_OR_RETURN(const uint32_t index,
                   AddParamSymbol(state, variable.name, layout, variable.location));
  const ir::Symbol& symbol = state.function.symbols[index];
  ir::Parameter parameter;
  parameter.name = variable.name;
  parameter.type = layout.element;
  parameter.size = symbol.size;
  parameter.alignment = symbol.alignment;
  parameter.offset = symbol.offset;
  parameter.is_pointer = variable.pointer.has_value();
  return parameter;
}

ir::Instruction ParamAccess(ir::Op op, ir::Type type, uint32_t symbol,
                            SourceLocation location) {
  ir::Instruction access;
  access.op = op;
  access.type = type;
  access.mod.space = ir::Space::kParam;
  access.address.emplace();
  access.address->base = ir::Address::Base::kSymbol;
  access.address->index = symbol;
  access.location = location;
  return access;
}

ir::Operand RegisterOperand(uint32_t index) {
  ir::Operand operand;
  operand.kind = ir::Operand::Kind::kRegister;
  operand.index = index;
  return operand;
}

// Makes the parameter's name known: as its symbol, or as a register beside it.
absl::Status DeclareParameterName(const ast::Variable& variable, bool is_result,
                                  uint32_t symbol, ir::Type type, FunctionState& state) {
  if (variable.space != ".reg") {
    ScopeEntry entry;
    entry.kind = ScopeEntry::Kind::kSymbol;
    entry.index = symbol;
    entry.location = variable.location;
    return state.scopes.Declare(variable.name, entry);
  }
  RETURN_IF_ERROR(DeclareRegisters(variable, state));
  const uint32_t index = state.scopes.Find(variable.name)->index;
  if (is_result) {
    state.register_results.push_back({index, symbol, type});
    return absl::OkStatus();
  }
  ir::Instruction load = ParamAccess(ir::Op::kLd, type, symbol, variable.location);
  load.dst.push_back(RegisterOperand(index));
  state.function.code.push_back(std::move(load));
  return absl::OkStatus();
}

void DeclareList(const std::vector<ast::Variable>& variables, bool is_result,
                 FunctionState& state, std::vector<ir::Parameter>& list) {
  for (const ast::Variable& variable : variables) {
    absl::StatusOr<ir::Parameter> parameter = AddParameter(variable, state);
    absl::Status status = parameter.status();
    if (status.ok()) {
      const auto symbol = static_cast<uint32_t>(state.function.symbols.size() - 1);
      status = DeclareParameterName(variable, is_result, symbol, parameter->type, state);
      list.push_back(*std::move(parameter));
    }
    state.builder.diagnostics().Add(variable.location, status);
  }
}

}  // namespace

absl::StatusOr<uint32_t> AddParamSymbol(FunctionState& state, const std::string& name,
                                        const VariableLayout& layout,
                                        SourceLocation location) {
  ir::Symbol symbol;
  symbol.name = name;
  symbol.space = ir::Space::kParam;
  symbol.alignment = layout.alignment;
  symbol.size = layout.size;
  symbol.element_bytes = layout.element_bytes;
  symbol.location = location;
  symbol.offset = state.param_end;
  ASSIGN_OR_RETURN(const uint64_t end,
                   Place(&symbol.offset, symbol.size, symbol.alignment));
  if (end > kMaxParamBytes) {
    return absl::InvalidArgumentError(
        absl::StrCat("parameter '", name, "': .param variables of ", end,
                     " bytes exceed the limit of ", kMaxParamBytes));
  }
  state.param_end = end;
  state.function.param_bytes = std::max(state.function.param_bytes, end);
  state.function.symbols.push_back(std::move(symbol));
  return static_cast<uint32_t>(state.function.symbols.size() - 1);
}

void DeclareParameters(FunctionState& state) {
  DeclareList(state.source.parameters, false, state, state.function.parameters);
  DeclareList(state.source.results, true, state, state.function.results);
}

absl::Status DeclareVariable(const ast::Variable& variable, FunctionState& state) {
  if (variable.space == ".reg") return DeclareRegisters(variable, state);
  ASSIGN_OR_RETURN(const uint32_t index, AddVariable(variable, state));
  ScopeEntry entry;
  entry.kind = ScopeEntry::Kind::kSymbol;
  entry.index = index;
  entry.location = variable.location;
  return state.scopes.Declare(variable.name, entry);
}

void StoreRegisterResults(FunctionState& state, SourceLocation location) {
  for (const FunctionState::RegisterResult& result : state.register_results) {
    ir::Instruction store =
        ParamAccess(ir::Op::kSt, result.type, result.symbol, location);
    store.src.push_back(RegisterOperand(result.register_index));
    state.function.code.push_back(std::move(store));
  }
}

}  // namespace thunky::ptx
