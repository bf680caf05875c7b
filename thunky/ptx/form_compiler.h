// Rows of the instruction table, taken apart for matching.
#ifndef THUNKY_PTX_FORM_COMPILER_H_
#define THUNKY_PTX_FORM_COMPILER_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "thunky/ptx/instruction_table.h"
#include "thunky/ptx/ir.h"

namespace thunky::ptx {

struct ModifierChoice {
  std::string role;
  std::vector<std::string> tokens;
  bool optional = false;

  bool Has(std::string_view token) const;
};

// A set of ir::Type.
using TypeSet = uint64_t;
static_assert(ir::kTypeCount <= 64);
inline bool Contains(TypeSet set, ir::Type type) {
  return (set >> static_cast<unsigned>(type)) & 1;
}

struct CompiledForm {
  const Form* form = nullptr;
  std::vector<ModifierChoice> implied;  // of one token each
  std::vector<ModifierChoice> choices;
  std::vector<TypeSet> types;
  std::vector<OperandPattern> patterns;
};

// Takes `form` apart. Mistakes in it are appended to `errors` as "opcode: text"; the
// result is then incomplete.
CompiledForm CompileForm(const Form& form, std::vector<std::string>& errors);

}  // namespace thunky::ptx

#endif  // THUNKY_PTX_FORM_COMPILER_H_
