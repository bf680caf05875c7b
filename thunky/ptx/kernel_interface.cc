#include "thunky/ptx/kernel_interface.h"

#include <memory>
#include <optional>
#include <unordered_set>
#include <utility>
#include <variant>

#include "absl/strings/str_cat.h"
#include "thunky/base/status_macros.h"
#include "thunky/ptx/launch_bounds.h"
#include "thunky/ptx/module_names.h"
#include "thunky/ptx/variable_layout.h"

namespace thunky::ptx {
namespace {

// A running total of `.shared` variables.
struct SharedTotal {
  uint64_t bytes = 0;
  bool dynamic = false;

  absl::Status Add(const ast::Variable& variable) {
    if (variable.space != ".shared") return absl::OkStatus();
    if (IsExtern(variable)) {
      dynamic = true;
      return absl::OkStatus();
    }
    ASSIGN_OR_RETURN(const VariableLayout layout, LayOutVariable(variable));
    uint64_t offset = bytes;
    ASSIGN_OR_RETURN(bytes, Place(&offset, layout.size, layout.alignment));
    return absl::OkStatus();
  }

  absl::Status AddBlock(const ast::Block& block) {
    for (const ast::Statement& statement : block.statements) {
      if (const auto* variable = std::get_if<ast::Variable>(&statement)) {
        RETURN_IF_ERROR(Add(*variable));
      } else if (const auto* inner =
                     std::get_if<std::unique_ptr<ast::Block>>(&statement)) {
        RETURN_IF_ERROR(AddBlock(**inner));
      }
    }
    return absl::OkStatus();
  }
};

std::string_view WithoutDot(const std::string& text) {
  return std::string_view(text).substr(text.empty() ? 0 : 1);
}

std::string TypeText(const ast::Variable& variable, const VariableLayout& layout) {
  std::string text;
  if (!variable.vector.empty()) {
    absl::StrAppend(&text, std::string(WithoutDot(variable.vector)), " ");
  }
  absl::StrAppend(&text, std::string(WithoutDot(variable.type)));
  for (size_t i = 0; i < variable.dims.size(); ++i) {
    absl::StrAppend(&text, "[", layout.extents[i], "]");
  }
  return text;
}

absl::Status AddParameters(const ast::Function& function, KernelInterface& kernel) {
  for (const ast::Variable& variable : function.parameters) {
    ASSIGN_OR_RETURN(const VariableLayout layout, LayOutVariable(variable));
    KernelParameter parameter;
    parameter.name = variable.name;
    parameter.type = TypeText(variable, layout);
    parameter.size = layout.size;
    parameter.alignment = layout.alignment;
    parameter.offset = kernel.parameter_bytes;
    parameter.is_pointer = variable.pointer.has_value();
    ASSIGN_OR_RETURN(kernel.parameter_bytes,
                     Place(&parameter.offset, layout.size, layout.alignment));
    kernel.parameters.push_back(std::move(parameter));
  }
  return absl::OkStatus();
}

absl::StatusOr<KernelInterface> Describe(const ast::Function& function,
                                         SharedTotal shared) {
  KernelInterface kernel;
  kernel.name = function.name;
  kernel.location = function.location;
  kernel.has_body = function.body.has_value();
  RETURN_IF_ERROR(AddParameters(function, kernel));
  ASSIGN_OR_RETURN(kernel.bounds, ReadLaunchBounds(function));
  if (kernel.has_body) RETURN_IF_ERROR(shared.AddBlock(*function.body));
  kernel.static_shared_bytes = shared.bytes;
  kernel.declares_dynamic_shared = shared.dynamic;
  return kernel;
}

// Names of the entries that have a body.
std::unordered_set<std::string> DefinedEntries(const ast::Module& module) {
  std::unordered_set<std::string> defined;
  for (const ast::ModuleItem& item : module.items) {
    const auto* function = std::get_if<ast::Function>(&item);
    if (function == nullptr || !function->is_entry) continue;
    if (function->body.has_value()) defined.insert(function->name);
  }
  return defined;
}

}  // namespace

absl::StatusOr<std::vector<KernelInterface>> ListKernels(const ast::Module& module) {
  SharedTotal shared;
  for (const ast::ModuleItem& item : module.items) {
    const auto* variable = std::get_if<ast::Variable>(&item);
    if (variable != nullptr) RETURN_IF_ERROR(shared.Add(*variable));
  }
  const std::unordered_set<std::string> defined = DefinedEntries(module);
  std::vector<KernelInterface> kernels;
  for (const ast::ModuleItem& item : module.items) {
    const auto* function = std::get_if<ast::Function>(&item);
    if (function == nullptr || !function->is_entry) continue;
    if (!function->body.has_value() && defined.count(function->name) > 0) continue;
    absl::StatusOr<KernelInterface> kernel = Describe(*function, shared);
    if (!kernel.ok()) {
      return Annotate(kernel.status(), absl::StrCat("entry '", function->name, "'"));
    }
    kernels.push_back(*std::move(kernel));
  }
  return kernels;
}

}  // namespace thunky::ptx
