#include "thunky/ptx/operand_resolver.h"

#include <optional>
#include <string>

#include "absl/strings/str_cat.h"
#include "thunky/base/status_macros.h"
#include "thunky/ptx/constant_expression.h"
#include "thunky/ptx/special_registers.h"

namespace thunky::ptx {
namespace {

using Kind = ast::Expr::Kind;

std::string Quote(std::string_view name) {
  return absl::StrCat("'", std::string(name), "'");
}

std::string Dotted(std::string_view name) { return absl::StrCat(".", std::string(name)); }

absl::Status Undeclared(std::string_view name) {
  return absl::InvalidArgumentError(absl::StrCat(Quote(name), " is not declared"));
}

absl::Status NotARegister(std::string_view name, ScopeEntry::Kind kind) {
  return absl::InvalidArgumentError(absl::StrCat(
      Quote(name), " is ", std::string(KindName(kind)), ", a register is needed"));
}

bool IsBits(ir::Type type) { return type >= ir::Type::kB8 && type <= ir::Type::kB128; }

// Integers proper: neither bits nor packed.
bool IsInteger(ir::Type type) { return type >= ir::Type::kU8 && type <= ir::Type::kS64; }

bool IsPackedInteger(ir::Type type) {
  return type == ir::Type::kU16x2 || type == ir::Type::kS16x2;
}

// Spaces whose addresses fit 32 bits.
bool IsWindow(ir::Space space) {
  return space == ir::Space::kShared || space == ir::Space::kLocal ||
         space == ir::Space::kParam;
}

// Types that hold an address in `space`.
bool HoldsAddress(ir::Type type, ir::Space space) {
  if (!IsBits(type) && !IsInteger(type)) return false;
  const int width = ir::BitWidth(type);
  return width == 64 || (width == 32 && IsWindow(space));
}

std::string_view DescribeKind(Kind kind) {
  switch (kind) {
    case Kind::kVector:
      return "a vector '{...}'";
    case Kind::kAddress:
      return "an address '[...]'";
    case Kind::kTuple:
      return "a list '(...)'";
    case Kind::kPair:
      return "a pair 'p|q'";
    case Kind::kSink:
      return "'_'";
    case Kind::kString:
      return "a string";
    default:
      return "an expression";
  }
}

bool IsStructured(Kind kind) {
  return kind == Kind::kVector || kind == Kind::kAddress || kind == Kind::kTuple ||
         kind == Kind::kPair || kind == Kind::kSink || kind == Kind::kString;
}

absl::Status NotAllowed(Kind kind) {
  return absl::InvalidArgumentError(
      absl::StrCat(std::string(DescribeKind(kind)), " is not allowed here"));
}

}  // namespace

bool RegisterFits(ir::Type declared, ir::Type needed, bool may_be_wider) {
  if (declared == ir::Type::kPred || needed == ir::Type::kPred) {
    return declared == needed;
  }
  const int has = ir::BitWidth(declared);
  const int wants = ir::BitWidth(needed);
  if (may_be_wider ? has < wants : has != wants) return false;
  if (declared == needed || IsBits(declared) || IsBits(needed)) return true;
  if (IsPackedInteger(needed)) return IsInteger(declared);
  return IsInteger(declared) && IsInteger(needed);
}

const ir::Symbol& OperandResolver::Symbol(uint32_t index) const {
  return index >= ir::kModuleSymbolBase ? builder_.ModuleSymbol(index)
                                        : function_.symbols[index];
}

const ir::Register* OperandResolver::FindRegister(const ast::Expr& expr) {
  if (expr.kind != Kind::kIdentifier) return nullptr;
  const std::optional<ScopeEntry> entry = scopes_.Find(expr.text);
  if (!entry.has_value() || entry->kind != ScopeEntry::Kind::kRegister) return nullptr;
  return &function_.registers[entry->index];
}

absl::StatusOr<uint32_t> OperandResolver::Predicate(std::string_view name) {
  const std::optional<ScopeEntry> entry = scopes_.Find(name);
  if (!entry.has_value()) return Undeclared(name);
  if (entry->kind != ScopeEntry::Kind::kRegister) return NotARegister(name, entry->kind);
  RETURN_IF_ERROR(Register(name, entry->index, ir::Type::kPred, false).status());
  return entry->index;
}

absl::StatusOr<ir::Operand> OperandResolver::Register(std::string_view name,
                                                      uint32_t index, ir::Type type,
                                                      bool may_be_wider) const {
  const ir::Type declared = function_.registers[index].type;
  if (!RegisterFits(declared, type, may_be_wider)) {
    return absl::InvalidArgumentError(
        absl::StrCat(Quote(name), " is a ", Dotted(ir::TypeName(declared)), " register, ",
                     Dotted(ir::TypeName(type)), " is needed"));
  }
  ir::Operand operand;
  operand.kind = ir::Operand::Kind::kRegister;
  operand.index = index;
  return operand;
}

absl::StatusOr<ir::Operand> OperandResolver::Immediate(const ast::Expr& expr,
                                                       ir::Type type) {
  if (IsStructured(expr.kind)) return NotAllowed(expr.kind);
  if (NamesSomething(expr)) {
    return absl::InvalidArgumentError("an immediate is needed");
  }
  ASSIGN_OR_RETURN(const Constant constant, EvaluateConstant(expr));
  ir::Operand operand;
  operand.kind = ir::Operand::Kind::kImmediate;
  ASSIGN_OR_RETURN(operand.bits, ConstantBits(constant, type));
  return operand;
}

absl::StatusOr<ir::Operand> OperandResolver::Destination(const ast::Expr& expr,
                                                         ir::Type type, bool may_be_wider,
                                                         bool may_be_sink) {
  if (expr.kind == Kind::kSink && may_be_sink) return ir::Operand{};
  if (IsStructured(expr.kind)) return NotAllowed(expr.kind);
  if (expr.kind != Kind::kIdentifier) {
    return absl::InvalidArgumentError("a register is needed");
  }
  const std::optional<ScopeEntry> entry = scopes_.Find(expr.text);
  if (entry.has_value()) {
    if (entry->kind != ScopeEntry::Kind::kRegister) {
      return NotARegister(expr.text, entry->kind);
    }
    return Register(expr.text, entry->index, type, may_be_wider);
  }
  if (FindSpecialRegister(expr.text).has_value()) {
    return absl::InvalidArgumentError(
        absl::StrCat("special register ", Quote(expr.text), " cannot be written"));
  }
  return Undeclared(expr.text);
}

absl::StatusOr<ir::Operand> OperandResolver::Source(const ast::Expr& expr,
                                                    const SourceRules& rules) {
  if (IsStructured(expr.kind)) return NotAllowed(expr.kind);
  if (!NamesSomething(expr)) return Immediate(expr, rules.type);
  if (expr.kind == Kind::kIdentifier) return Name(expr, rules);
  if (expr.kind == Kind::kUnary && expr.text == "!" &&
      expr.args[0].kind == Kind::kIdentifier) {
    if (!rules.may_negate || rules.type != ir::Type::kPred) {
      return absl::InvalidArgumentError("'!' is not allowed here");
    }
    ASSIGN_OR_RETURN(ir::Operand operand, Name(expr.args[0], rules));
    operand.negated = true;
    return operand;
  }
  ASSIGN_OR_RETURN(const SymbolAddress address, ParseSymbolAddress(expr));
  return SymbolOperand(address, rules);
}

absl::StatusOr<ir::Operand> OperandResolver::Name(const ast::Expr& expr,
                                                  const SourceRules& rules) {
  const std::optional<ScopeEntry> entry = scopes_.Find(expr.text);
  if (entry.has_value() && entry->kind == ScopeEntry::Kind::kRegister) {
    return Register(expr.text, entry->index, rules.type, rules.may_be_wider);
  }
  if (entry.has_value() && entry->kind != ScopeEntry::Kind::kSymbol) {
    return NotARegister(expr.text, entry->kind);
  }
  if (!entry.has_value() && !expr.text.empty() && expr.text[0] == '%') {
    return Special(expr.text, rules);
  }
  SymbolAddress address;
  address.name = expr.text;
  return SymbolOperand(address, rules);
}

absl::StatusOr<ir::Operand> OperandResolver::Special(std::string_view name,
                                                     const SourceRules& rules) const {
  const std::optional<SpecialRegister> found = FindSpecialRegister(name);
  if (!found.has_value()) {
    if (!IsUnsupportedSpecialRegister(name)) return Undeclared(name);
    return absl::UnimplementedError(
        absl::StrCat("special register ", Quote(name), " is not supported"));
  }
  if (!rules.may_be_special) {
    return absl::InvalidArgumentError(
        absl::StrCat("special register ", Quote(name), " is not allowed here"));
  }
  const bool fits = RegisterFits(found->type, rules.type, false) ||
                    (found->other_type != ir::Type::kNone &&
                     RegisterFits(found->other_type, rules.type, false));
  if (!fits) {
    return absl::InvalidArgumentError(
        absl::StrCat(Quote(name), " is a ", Dotted(ir::TypeName(found->type)),
                     " register, ", Dotted(ir::TypeName(rules.type)), " is needed"));
  }
  ir::Operand operand;
  operand.kind = ir::Operand::Kind::kSpecial;
  operand.special = found->special;
  operand.component = found->component;
  return operand;
}

absl::StatusOr<uint32_t> OperandResolver::FindSymbol(std::string_view name) {
  const std::optional<ScopeEntry> entry = scopes_.Find(name);
  if (entry.has_value()) {
    if (entry->kind == ScopeEntry::Kind::kSymbol) return entry->index;
    return absl::InvalidArgumentError(absl::StrCat(Quote(name), " is ",
                                                   std::string(KindName(entry->kind)),
                                                   ", a variable is needed"));
  }
  const ast::Variable* variable = builder_.names().FindVariable(name);
  if (variable == nullptr) return Undeclared(name);
  return builder_.UseVariable(*variable);
}

absl::StatusOr<ir::Operand> OperandResolver::FunctionOperand(const SymbolAddress& address,
                                                             const SourceRules& rules) {
  if (address.offset != 0 || address.element.has_value() ||
      !HoldsAddress(rules.type, ir::Space::kGeneric)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the address of function ", Quote(address.name), " needs 64 bits and no offset"));
  }
  ir::Operand operand;
  operand.kind = ir::Operand::Kind::kFunction;
  const ast::Function* function = builder_.names().FindFunction(address.name);
  ASSIGN_OR_RETURN(operand.index, builder_.TakeAddress(*function));
  return operand;
}

absl::StatusOr<ir::Operand> OperandResolver::SymbolOperand(const SymbolAddress& address,
                                                           const SourceRules& rules) {
  const std::optional<ScopeEntry> entry = scopes_.Find(address.name);
  if (entry.has_value() && entry->kind == ScopeEntry::Kind::kRegister) {
    return absl::InvalidArgumentError(
        absl::StrCat("register ", Quote(address.name), " takes no offset here"));
  }
  const bool local = entry.has_value();
  const bool function = !local && builder_.names().FindFunction(address.name) != nullptr;
  if (!local && !function && builder_.names().FindVariable(address.name) == nullptr) {
    return Undeclared(address.name);
  }
  if (!rules.may_be_symbol) {
    return absl::InvalidArgumentError(
        absl::StrCat(Quote(address.name), " is an address, a register is needed"));
  }
  if (function) return FunctionOperand(address, rules);
  ir::Operand operand;
  operand.kind = ir::Operand::Kind::kSymbol;
  ASSIGN_OR_RETURN(operand.index, FindSymbol(address.name));
  const ir::Symbol& symbol = Symbol(operand.index);
  if (address.generic) {
    return absl::InvalidArgumentError("'generic(...)' is for initialisers");
  }
  if (rules.symbol_space != ir::Space::kGeneric && rules.symbol_space != symbol.space) {
    return absl::InvalidArgumentError(
        absl::StrCat(Quote(address.name), " is in ", Dotted(ir::SpaceName(symbol.space)),
                     ", not in ", Dotted(ir::SpaceName(rules.symbol_space))));
  }
  if (!HoldsAddress(rules.type, symbol.space)) {
    return absl::InvalidArgumentError(absl::StrCat("the address of ", Quote(address.name),
                                                   " does not fit type ",
                                                   Dotted(ir::TypeName(rules.type))));
  }
  operand.bits = static_cast<uint64_t>(address.offset);
  if (address.element.has_value()) {
    operand.bits += *address.element * symbol.element_bytes;
  }
  return operand;
}

absl::StatusOr<ir::Address> OperandResolver::SymbolBase(const SymbolAddress& parsed,
                                                        uint32_t index, ir::Space* space,
                                                        uint64_t access_bytes) const {
  const ir::Symbol& symbol = Symbol(index);
  if (*space == ir::Space::kGeneric) *space = symbol.space;
  if (*space != symbol.space) {
    return absl::InvalidArgumentError(
        absl::StrCat(Quote(parsed.name), " is in ", Dotted(ir::SpaceName(symbol.space)),
                     ", not in ", Dotted(ir::SpaceName(*space))));
  }
  ir::Address address;
  address.base = ir::Address::Base::kSymbol;
  address.index = index;
  address.offset = parsed.offset;
  if (parsed.element.has_value()) {
    address.offset = static_cast<int64_t>(static_cast<uint64_t>(address.offset) +
                                          *parsed.element * symbol.element_bytes);
  }
  const bool outside = address.offset < 0 || access_bytes > symbol.size ||
                       static_cast<uint64_t>(address.offset) > symbol.size - access_bytes;
  if (symbol.space == ir::Space::kParam && outside) {
    return absl::InvalidArgumentError(
        absl::StrCat("an access of ", access_bytes, " bytes at offset ", address.offset,
                     " of ", Quote(parsed.name), ", which has ", symbol.size));
  }
  return address;
}

absl::StatusOr<ir::Address> OperandResolver::Address(const ast::Expr& expr,
                                                     ir::Space* space,
                                                     uint64_t access_bytes) {
  if (expr.kind != Kind::kAddress || expr.args.size() != 1) {
    return absl::InvalidArgumentError("an address '[...]' is needed");
  }
  ASSIGN_OR_RETURN(const SymbolAddress parsed, ParseSymbolAddress(expr.args[0]));
  ir::Address address;
  address.offset = parsed.offset;
  if (parsed.name.empty()) return address;
  if (parsed.generic) {
    return absl::InvalidArgumentError("'generic(...)' is for initialisers");
  }
  const std::optional<ScopeEntry> entry = scopes_.Find(parsed.name);
  if (!entry.has_value() || entry->kind != ScopeEntry::Kind::kRegister) {
    ASSIGN_OR_RETURN(const uint32_t symbol, FindSymbol(parsed.name));
    return SymbolBase(parsed, symbol, space, access_bytes);
  }
  const ir::Type type = function_.registers[entry->index].type;
  if (!HoldsAddress(type, *space) || parsed.element.has_value()) {
    return absl::InvalidArgumentError(absl::StrCat(
        Quote(parsed.name), " is a ", Dotted(ir::TypeName(type)),
        " register, which holds no address in ", Dotted(ir::SpaceName(*space))));
  }
  address.base = ir::Address::Base::kRegister;
  address.index = entry->index;
  return address;
}

}  // namespace thunky::ptx
