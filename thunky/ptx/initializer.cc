// Initialisers of .global and .const variables.
#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"
#include "thunky/base/status_macros.h"
#include "thunky/ptx/constant_expression.h"
#include "thunky/ptx/program_builder.h"
#include "thunky/ptx/symbol_address.h"

namespace thunky::ptx {
namespace {

using Kind = ast::Expr::Kind;

class Writer {
 public:
  Writer(const VariableLayout& layout, ProgramBuilder& builder, ir::Symbol& symbol)
      : layout_(layout), builder_(builder), symbol_(symbol) {}

  // Writes `expr` at byte `at`: braces for each dimension from `depth` on, then a value.
  absl::Status Write(const ast::Expr& expr, size_t depth, uint64_t at) {
    if (depth == layout_.extents.size()) return WriteScalar(expr, at);
    if (expr.kind != Kind::kVector) {
      return absl::InvalidArgumentError("its initialiser needs braces");
    }
    if (expr.args.size() > layout_.extents[depth]) {
      return absl::InvalidArgumentError(absl::StrCat("its initialiser has ",
                                                     expr.args.size(), " elements for ",
                                                     layout_.extents[depth]));
    }
    const uint64_t stride = layout_.Stride(depth);
    for (size_t i = 0; i < expr.args.size(); ++i) {
      RETURN_IF_ERROR(Write(expr.args[i], depth + 1, at + i * stride));
    }
    return absl::OkStatus();
  }

 private:
  absl::Status WriteScalar(const ast::Expr& expr, uint64_t at) {
    if (expr.kind == Kind::kVector || expr.kind == Kind::kString) {
      return absl::InvalidArgumentError(
          "its initialiser has an element that is no value");
    }
    if (NamesSomething(expr)) return WriteAddress(expr, at);
    ASSIGN_OR_RETURN(const Constant constant, EvaluateConstant(expr));
    ASSIGN_OR_RETURN(const uint64_t bits, ConstantBits(constant, layout_.element));
    WriteBytes(bits, at);
    return absl::OkStatus();
  }

  void WriteBytes(uint64_t bits, uint64_t at) {
    const uint64_t end = at + layout_.element_bytes;
    if (symbol_.init.size() < end) symbol_.init.resize(end);
    for (uint64_t i = 0; i < layout_.element_bytes && i < 8; ++i) {
      symbol_.init[at + i] = static_cast<uint8_t>(bits >> (8 * i));
    }
  }

  absl::Status WriteAddress(const ast::Expr& expr, uint64_t at) {
    ASSIGN_OR_RETURN(const SymbolAddress address, ParseSymbolAddress(expr));
    if (address.element.has_value()) {
      return absl::UnimplementedError("an element's address is not supported");
    }
    if (layout_.element_bytes != 8 || ir::IsFloat(layout_.element)) {
      return absl::UnimplementedError(
          absl::StrCat("an address in an element of type .",
                       std::string(ir::TypeName(layout_.element)), " is not supported"));
    }
    ir::Symbol::Relocation relocation;
    relocation.at = at;
    relocation.addend = address.offset;
    RETURN_IF_ERROR(Resolve(address, relocation));
    symbol_.relocations.push_back(relocation);
    WriteBytes(0, at);
    return absl::OkStatus();
  }

  absl::Status Resolve(const SymbolAddress& address, ir::Symbol::Relocation& relocation) {
    if (const ast::Function* function = builder_.names().FindFunction(address.name)) {
      relocation.function = true;
      ASSIGN_OR_RETURN(relocation.index, builder_.TakeAddress(*function));
      return absl::OkStatus();
    }
    const ast::Variable* variable = builder_.names().FindVariable(address.name);
    if (variable == nullptr) {
      return absl::InvalidArgumentError(
          absl::StrCat("'", address.name, "' is not declared"));
    }
    ASSIGN_OR_RETURN(const uint32_t index, builder_.UseVariable(*variable));
    if (builder_.ModuleSymbol(index).space == ir::Space::kShared) {
      return absl::UnimplementedError(absl::StrCat(
          "the address of '", address.name, "' in .shared is not known before a launch"));
    }
    relocation.index = index - ir::kModuleSymbolBase;
    relocation.generic = address.generic;
    return absl::OkStatus();
  }

  const VariableLayout& layout_;
  ProgramBuilder& builder_;
  ir::Symbol& symbol_;
};

}  // namespace

absl::Status LowerInitializer(const ast::Variable& variable, const VariableLayout& layout,
                              ProgramBuilder& builder, ir::Symbol& symbol) {
  const absl::Status status =
      Writer(layout, builder, symbol).Write(*variable.initializer, 0, 0);
  return Annotate(status, absl::StrCat("variable '", variable.name, "'"));
}

}  // namespace thunky::ptx
