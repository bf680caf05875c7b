#include "thunky/ptx/module_names.h"

#include <algorithm>
#include <variant>

#include "absl/strings/str_cat.h"

namespace thunky::ptx {
namespace {

// Aliases of aliases that are followed before giving up.
constexpr int kMaxAliasLength = 16;

absl::Status Twice(const std::string& name, SourceLocation first) {
  return absl::InvalidArgumentError(
      absl::StrCat("'", name, "' is defined twice; first at line ", first.line));
}

}  // namespace

bool IsExtern(const ast::Variable& variable) {
  return std::find(variable.linkage.begin(), variable.linkage.end(), ".extern") !=
         variable.linkage.end();
}

ModuleNames::ModuleNames(const ast::Module& module, Diagnostics& diagnostics) {
  for (const ast::ModuleItem& item : module.items) {
    if (const auto* function = std::get_if<ast::Function>(&item)) {
      AddFunction(*function, diagnostics);
    } else if (const auto* variable = std::get_if<ast::Variable>(&item)) {
      AddVariable(*variable, diagnostics);
    } else if (const auto* alias = std::get_if<ast::Alias>(&item)) {
      aliases_.try_emplace(alias->name, alias);
    }
  }
}

void ModuleNames::AddFunction(const ast::Function& function, Diagnostics& diagnostics) {
  if (const auto variable = variables_.find(function.name);
      variable != variables_.end()) {
    diagnostics.Add(function.location, Twice(function.name, variable->second->location));
    return;
  }
  const auto [known, inserted] = functions_.try_emplace(function.name, &function);
  if (inserted || !function.body.has_value()) return;
  if (known->second->body.has_value()) {
    diagnostics.Add(function.location, Twice(function.name, known->second->location));
    return;
  }
  known->second = &function;
}

void ModuleNames::AddVariable(const ast::Variable& variable, Diagnostics& diagnostics) {
  if (const auto function = functions_.find(variable.name);
      function != functions_.end()) {
    diagnostics.Add(variable.location, Twice(variable.name, function->second->location));
    return;
  }
  const auto [known, inserted] = variables_.try_emplace(variable.name, &variable);
  if (inserted || IsExtern(variable)) return;
  if (!IsExtern(*known->second)) {
    diagnostics.Add(variable.location, Twice(variable.name, known->second->location));
    return;
  }
  known->second = &variable;
}

const ast::Function* ModuleNames::FindFunction(std::string_view name) const {
  std::string key(name);
  for (int i = 0; i < kMaxAliasLength; ++i) {
    if (const auto found = functions_.find(key);
        found != functions_.end() && found->second->body.has_value()) {
      return found->second;
    }
    const auto alias = aliases_.find(key);
    if (alias == aliases_.end()) break;
    key = alias->second->aliasee;
  }
  const auto found = functions_.find(std::string(name));
  return found == functions_.end() ? nullptr : found->second;
}

const ast::Variable* ModuleNames::FindVariable(std::string_view name) const {
  const auto found = variables_.find(std::string(name));
  return found == variables_.end() ? nullptr : found->second;
}

}  // namespace thunky::ptx
