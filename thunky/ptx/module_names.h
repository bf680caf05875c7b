// Names of a module: functions, variables, aliases.
#ifndef THUNKY_PTX_MODULE_NAMES_H_
#define THUNKY_PTX_MODULE_NAMES_H_

#include <string>
#include <string_view>
#include <unordered_map>

#include "thunky/ptx/ast.h"
#include "thunky/ptx/diagnostics.h"

namespace thunky::ptx {

// Points into the module, which must outlive it.
class ModuleNames {
 public:
  // Definitions win over declarations. A second definition of a name, and a name that
  // is both a function and a variable, are reported.
  ModuleNames(const ast::Module& module, Diagnostics& diagnostics);

  // Null when there is none. Aliases are followed.
  const ast::Function* FindFunction(std::string_view name) const;
  const ast::Variable* FindVariable(std::string_view name) const;

 private:
  void AddFunction(const ast::Function& function, Diagnostics& diagnostics);
  void AddVariable(const ast::Variable& variable, Diagnostics& diagnostics);

  std::unordered_map<std::string, const ast::Function*> functions_;
  std::unordered_map<std::string, const ast::Variable*> variables_;
  std::unordered_map<std::string, const ast::Alias*> aliases_;
};

// Whether `.extern` is among the variable's linkage.
bool IsExtern(const ast::Variable& variable);

}  // namespace thunky::ptx

#endif  // THUNKY_PTX_MODULE_NAMES_H_
