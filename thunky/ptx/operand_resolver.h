// Operands of one function body: registers, immediates, addresses.
#ifndef THUNKY_PTX_OPERAND_RESOLVER_H_
#define THUNKY_PTX_OPERAND_RESOLVER_H_

#include <cstdint>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "thunky/ptx/ast.h"
#include "thunky/ptx/ir.h"
#include "thunky/ptx/lower_scope.h"
#include "thunky/ptx/program_builder.h"
#include "thunky/ptx/symbol_address.h"

namespace thunky::ptx {

// What a source operand may be.
struct SourceRules {
  ir::Type type = ir::Type::kNone;
  bool may_be_wider = false;
  bool may_negate = false;
  bool may_be_special = false;
  bool may_be_symbol = false;
  // With may_be_symbol: the space the symbol must be in, kGeneric for any.
  ir::Space symbol_space = ir::Space::kGeneric;
};

// Whether an instruction of type `needed` may use a register declared as `declared`:
// the same width (or a wider register), and bits with anything, integers with
// integers, floating-point types only with their own.
bool RegisterFits(ir::Type declared, ir::Type needed, bool may_be_wider);

class OperandResolver {
 public:
  // All three must outlive it.
  OperandResolver(ProgramBuilder& builder, ScopeStack& scopes, ir::Function& function)
      : builder_(builder), scopes_(scopes), function_(function) {}

  // Errors name the operand and what is wrong with it: InvalidArgument for undeclared
  // names and wrong types, Unimplemented for special registers this build lacks.
  absl::StatusOr<ir::Operand> Source(const ast::Expr& expr, const SourceRules& rules);
  absl::StatusOr<ir::Operand> Destination(const ast::Expr& expr, ir::Type type,
                                          bool may_be_wider, bool may_be_sink);
  absl::StatusOr<ir::Operand> Immediate(const ast::Expr& expr, ir::Type type);
  // The register number of predicate `name`.
  absl::StatusOr<uint32_t> Predicate(std::string_view name);

  // `[...]` for an access in *space. A generic access to a symbol gets the space of the
  // symbol. `access_bytes`: an access to a .param symbol must lie within it.
  absl::StatusOr<ir::Address> Address(const ast::Expr& expr, ir::Space* space,
                                      uint64_t access_bytes);

  // The register entry that `expr` names; null when it is something else.
  const ir::Register* FindRegister(const ast::Expr& expr);
  // A symbol by its index in operands and addresses. The reference does not last.
  const ir::Symbol& Symbol(uint32_t index) const;

 private:
  absl::StatusOr<ir::Operand> Name(const ast::Expr& expr, const SourceRules& rules);
  absl::StatusOr<ir::Operand> Register(std::string_view name, uint32_t index,
                                       ir::Type type, bool may_be_wider) const;
  absl::StatusOr<ir::Operand> Special(std::string_view name,
                                      const SourceRules& rules) const;
  absl::StatusOr<ir::Operand> SymbolOperand(const SymbolAddress& address,
                                            const SourceRules& rules);
  absl::StatusOr<ir::Operand> FunctionOperand(const SymbolAddress& address,
                                              const SourceRules& rules);
  absl::StatusOr<ir::Address> SymbolBase(const SymbolAddress& parsed, uint32_t index,
                                         ir::Space* space, uint64_t access_bytes) const;
  // The symbol called `name`, of the body or the module.
  absl::StatusOr<uint32_t> FindSymbol(std::string_view name);

  ProgramBuilder& builder_;
  ScopeStack& scopes_;
  ir::Function& function_;
};

}  // namespace thunky::ptx

#endif  // THUNKY_PTX_OPERAND_RESOLVER_H_
