// What the parts of function lowering share.
#ifndef THUNKY_PTX_FUNCTION_STATE_H_
#define THUNKY_PTX_FUNCTION_STATE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "thunky/ptx/ast.h"
#include "thunky/ptx/ir.h"
#include "thunky/ptx/lower_scope.h"
#include "thunky/ptx/operand_resolver.h"
#include "thunky/ptx/program_builder.h"

namespace thunky::ptx {

// One function body under construction. Not copyable: parts point at each other.
struct FunctionState {
  FunctionState(ProgramBuilder& builder, const ast::Function& source)
      : builder(builder), source(source) {}
  FunctionState(const FunctionState&) = delete;
  FunctionState& operator=(const FunctionState&) = delete;

  ProgramBuilder& builder;
  const ast::Function& source;
  ir::Function function;
  ScopeStack scopes{function.registers};
  OperandResolver operands{builder, scopes, function};

  // By number of ScopeEntry. A label's position is the instruction it stands before.
  std::vector<uint32_t> label_positions;
  std::vector<const ast::TargetList*> call_tables;
  std::vector<const ast::Prototype*> prototypes;

  // Results of the function in the `.reg` space, and the symbols that carry them.
  struct RegisterResult {
    uint32_t register_index;
    uint32_t symbol;
    ir::Type type;
  };
  std::vector<RegisterResult> register_results;

  // End of the parameter area in use; what nested scopes took is given back.
  uint64_t param_end = 0;
};

// Adds a symbol to the parameter area; its index. InvalidArgument beyond
// kMaxParamBytes.
absl::StatusOr<uint32_t> AddParamSymbol(FunctionState& state, const std::string& name,
                                        const VariableLayout& layout,
                                        SourceLocation location);

// Lowers one statement `instruction` and appends it to the function's code.
absl::Status LowerInstruction(const ast::Instruction& instruction, FunctionState& state);

// Lowers the operands of a `call` into `lowered` and Function::calls; may append
// instructions that must run before it.
absl::Status LowerCall(const ast::Instruction& instruction, FunctionState& state,
                       ir::Instruction& lowered);

// Moves register results to their symbols, before a `ret` at `location`.
void StoreRegisterResults(FunctionState& state, SourceLocation location);

// Parameters and results, as symbols and, in `.reg`, as registers.
void DeclareParameters(FunctionState& state);

// A variable of the body. A register is declared even when something is wrong with it.
absl::Status DeclareVariable(const ast::Variable& variable, FunctionState& state);

}  // namespace thunky::ptx

#endif  // THUNKY_PTX_FUNCTION_STATE_H_
