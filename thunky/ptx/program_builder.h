// The program under construction: which functions and variables of the module the
// entry reaches.
#ifndef THUNKY_PTX_PROGRAM_BUILDER_H_
#define THUNKY_PTX_PROGRAM_BUILDER_H_

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "thunky/ptx/ast.h"
#include "thunky/ptx/diagnostics.h"
#include "thunky/ptx/ir.h"
#include "thunky/ptx/module_names.h"
#include "thunky/ptx/variable_layout.h"

namespace thunky::ptx {

// What a program may ask for.
inline constexpr uint64_t kMaxGlobalBytes = uint64_t{256} << 20;  // .global and .const
inline constexpr uint64_t kMaxLocalBytes = uint64_t{16} << 20;    // per thread
inline constexpr uint64_t kMaxParamBytes = uint64_t{1} << 20;     // per activation
inline constexpr uint64_t kMaxCandidates = uint64_t{1} << 20;     // of indirect calls

// Points into the module, which must outlive it.
class ProgramBuilder {
 public:
  ProgramBuilder(const ast::Module& module, Diagnostics& diagnostics);

  const ModuleNames& names() const { return names_; }
  Diagnostics& diagnostics() { return diagnostics_; }
  ir::Program& program() { return program_; }

  // The index of `function` in the program. The first use queues its body.
  // Unimplemented for a function without a body.
  absl::StatusOr<uint32_t> UseFunction(const ast::Function& function);
  // The same for a function whose address is taken: indirect calls may reach it.
  absl::StatusOr<uint32_t> TakeAddress(const ast::Function& function);

  // The symbol (from kModuleSymbolBase) of a variable of the module.
  absl::StatusOr<uint32_t> UseVariable(const ast::Variable& variable);
  // The same for a .shared, .global or .const variable declared in a body: a new
  // symbol for each call.
  absl::StatusOr<uint32_t> AddStaticVariable(const ast::Variable& variable);
  // The symbol of a module variable, for reading. The reference does not last.
  const ir::Symbol& ModuleSymbol(uint32_t index) const {
    return program_.symbols[index - ir::kModuleSymbolBase];
  }

  // The next function whose body is wanted, with its index; null when all are done.
  const ast::Function* NextFunction(uint32_t* index);

  // Whether a function or an initialiser is still to be lowered.
  bool HasWork() const { return next_function_ < functions_.size() || !pending_.empty(); }

  // Initialisers of the variables used since the last call; reports mistakes and may
  // use more functions and variables.
  void LowerInitializers();

  // Counts `count` more candidates of indirect calls. Unimplemented beyond
  // kMaxCandidates.
  absl::Status CountCandidates(uint64_t count);
  // Fills in the candidates of indirect calls; InvalidArgument when a listed one has
  // other slots than the call. Call once, when nothing is left to do.
  absl::Status ResolveIndirectCalls();

 private:
  struct PendingInitializer {
    const ast::Variable* variable;
    VariableLayout layout;
    uint32_t symbol;  // in program_.symbols
  };

  absl::Status PlaceSymbol(const ast::Variable& variable, ir::Symbol& symbol);
  absl::Status PlaceShared(const ast::Variable& variable, ir::Symbol& symbol);
  absl::Status PlaceGlobal(const ast::Variable& variable, ir::Symbol& symbol);

  Diagnostics& diagnostics_;
  ModuleNames names_;
  ir::Program program_;
  std::vector<const ast::Function*> functions_;  // by index; bodies up to next_ lowered
  size_t next_function_ = 0;
  std::unordered_map<const ast::Function*, uint32_t> function_indices_;
  std::unordered_map<const ast::Variable*, uint32_t> variable_indices_;
  std::vector<bool> address_taken_;  // by function index
  std::vector<PendingInitializer> pending_;
  uint64_t global_bytes_ = 0;
  uint64_t candidates_ = 0;
};

// Writes the initialiser of `variable` into `symbol` (initializer.cc). Names resolve
// through `builder`. Errors as the ISA's: too many elements, a value of another kind
// than the element, an address that does not fit.
absl::Status LowerInitializer(const ast::Variable& variable, const VariableLayout& layout,
                              ProgramBuilder& builder, ir::Symbol& symbol);

}  // namespace thunky::ptx

#endif  // THUNKY_PTX_PROGRAM_BUILDER_H_
