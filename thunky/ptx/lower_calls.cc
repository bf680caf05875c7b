// Calls: direct, through a pointer, and to what this build provides itself.
#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "thunky/base/status_macros.h"
#include "thunky/ptx/constant_expression.h"
#include "thunky/ptx/function_state.h"
#include "thunky/ptx/variable_layout.h"

namespace thunky::ptx {
namespace {

using Kind = ast::Expr::Kind;

// Sizes and types of what a call passes.
struct Signature {
  std::vector<VariableLayout> parameters;
  std::vector<VariableLayout> results;
};

// The parts of `call (results), callee, (arguments), prototype;`.
struct CallText {
  const std::vector<ast::Expr>* results = nullptr;
  const ast::Expr* callee = nullptr;
  const std::vector<ast::Expr>* arguments = nullptr;
  const ast::Expr* prototype = nullptr;
};

absl::StatusOr<CallText> Dissect(const ast::Instruction& source) {
  CallText text;
  auto next = source.operands.begin();
  const auto end = source.operands.end();
  if (next != end && next->kind == Kind::kTuple) text.results = &(next++)->args;
  if (next != end && next->kind == Kind::kIdentifier) text.callee = &*next++;
  if (next != end && next->kind == Kind::kTuple) text.arguments = &(next++)->args;
  if (next != end && next->kind == Kind::kIdentifier) text.prototype = &*next++;
  if (text.callee == nullptr || next != end) {
    return absl::InvalidArgumentError(
        "takes '(results), function, (arguments), prototype', of which only the function "
        "is needed");
  }
  return text;
}

absl::Status LayOutList(const std::vector<ast::Variable>& variables,
                        std::vector<VariableLayout>& list) {
  for (const ast::Variable& variable : variables) {
    ASSIGN_OR_RETURN(VariableLayout layout, LayOutVariable(variable));
    if (layout.unsized) {
      return absl::UnimplementedError(absl::StrCat("parameter '", variable.name,
                                                   "' of unknown size is not supported"));
    }
    list.push_back(std::move(layout));
  }
  return absl::OkStatus();
}

absl::Status CheckCount(std::string_view what, const std::vector<ast::Expr>* passed,
                        const std::vector<ast::Variable>& declared) {
  const size_t found = passed == nullptr ? 0 : passed->size();
  if (found == declared.size()) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("passes ", found, " ", std::string(what),
                                                 ", the function has ", declared.size()));
}

// Of a function or a prototype that `text` calls with the right number of operands.
template <typename Declaration>
absl::StatusOr<Signature> SignatureOf(const Declaration& declaration,
                                      const CallText& text) {
  RETURN_IF_ERROR(CheckCount("arguments", text.arguments, declaration.parameters));
  RETURN_IF_ERROR(CheckCount("results", text.results, declaration.results));
  Signature signature;
  RETURN_IF_ERROR(LayOutList(declaration.parameters, signature.parameters));
  RETURN_IF_ERROR(LayOutList(declaration.results, signature.results));
  return signature;
}

// --- Functions this build provides -----------------------------------------

struct BuiltinRow {
  std::string_view name;
  ir::Builtin builtin;
  std::vector<uint64_t> parameters;  // bytes
  std::vector<uint64_t> results;
};

const std::vector<BuiltinRow>& Builtins() {
  static const auto* const rows = new std::vector<BuiltinRow>{
      {"vprintf", ir::Builtin::kVprintf, {8, 8}, {4}},
      {"__assertfail", ir::Builtin::kAssertFail, {8, 8, 4, 8, 8}, {}},
      {"malloc", ir::Builtin::kMalloc, {8}, {8}},
      {"free", ir::Builtin::kFree, {8}, {}},
  };
  return *rows;
}

bool HasSizes(const std::vector<VariableLayout>& layouts,
              const std::vector<uint64_t>& sizes) {
  return std::equal(
      layouts.begin(), layouts.end(), sizes.begin(), sizes.end(),
      [](const VariableLayout& layout, uint64_t size) { return layout.size == size; });
}

absl::StatusOr<ir::Builtin> FindBuiltin(const std::string& name,
                                        const Signature& signature) {
  for (const BuiltinRow& row : Builtins()) {
    if (row.name != name) continue;
    if (HasSizes(signature.parameters, row.parameters) &&
        HasSizes(signature.results, row.results)) {
      return row.builtin;
    }
    return absl::InvalidArgumentError(
        absl::StrCat("'", name, "' is declared with other parameters than it has"));
  }
  return absl::UnimplementedError(
      absl::StrCat("function '", name, "' has no body in this module"));
}

// --- Slots -----------------------------------------------------------------

absl::Status WrongSize(uint64_t found, uint64_t needed) {
  return absl::InvalidArgumentError(
      absl::StrCat("has ", found, " bytes, the parameter ", needed));
}

ir::Type BitsOfSize(uint64_t bytes) {
  switch (bytes) {
    case 1:
      return ir::Type::kB8;
    case 2:
      return ir::Type::kB16;
    case 4:
      return ir::Type::kB32;
    case 8:
      return ir::Type::kB64;
    default:
      return ir::Type::kNone;
  }
}

ir::Call::Slot MakeSlot(bool is_register, uint32_t index, uint64_t size) {
  ir::Call::Slot slot;
  slot.is_register = is_register;
  slot.index = index;
  slot.size = size;
  return slot;
}

class SlotLowering {
 public:
  SlotLowering(FunctionState& state, SourceLocation location)
      : state_(state), location_(location) {}

  absl::StatusOr<ir::Call::Slot> Argument(const ast::Expr& expr,
                                          const VariableLayout& layout) {
    if (expr.kind == Kind::kIdentifier && state_.scopes.Find(expr.text).has_value()) {
      return Named(expr.text, layout);
    }
    return Constant(expr, layout);
  }

  absl::StatusOr<ir::Call::Slot> Result(const ast::Expr& expr,
                                        const VariableLayout& layout) {
    if (expr.kind == Kind::kSink) {
      ASSIGN_OR_RETURN(const uint32_t symbol,
                       AddParamSymbol(state_, "_", layout, location_));
      return MakeSlot(false, symbol, layout.size);
    }
    if (expr.kind != Kind::kIdentifier) {
      return absl::InvalidArgumentError("is neither a register nor a .param variable");
    }
    return Named(expr.text, layout);
  }

 private:
  absl::StatusOr<ir::Call::Slot> Named(const std::string& name,
                                       const VariableLayout& layout) {
    const std::optional<ScopeEntry> entry = state_.scopes.Find(name);
    if (!entry.has_value()) {
      return absl::InvalidArgumentError(absl::StrCat("'", name, "' is not declared"));
    }
    if (entry->kind == ScopeEntry::Kind::kRegister) return Register(*entry, layout);
    const bool is_param = entry->kind == ScopeEntry::Kind::kSymbol &&
                          state_.operands.Symbol(entry->index).space == ir::Space::kParam;
    if (!is_param) {
      return absl::InvalidArgumentError(
          absl::StrCat("'", name, "' is neither a register nor a .param variable"));
    }
    const uint64_t size = state_.operands.Symbol(entry->index).size;
    if (size != layout.size) return WrongSize(size, layout.size);
    return MakeSlot(false, entry->index, size);
  }

  absl::StatusOr<ir::Call::Slot> Register(const ScopeEntry& entry,
                                          const VariableLayout& layout) {
    const ir::Type type = state_.function.registers[entry.index].type;
    const uint64_t size = static_cast<uint64_t>(ir::BitWidth(type)) / 8;
    if (type == ir::Type::kPred || size != layout.size) {
      return WrongSize(size, layout.size);
    }
    return MakeSlot(true, entry.index, size);
  }

  // A number travels in a register of its own.
  absl::StatusOr<ir::Call::Slot> Constant(const ast::Expr& expr,
                                          const VariableLayout& layout) {
    if (!layout.extents.empty() || BitsOfSize(layout.size) == ir::Type::kNone) {
      return absl::InvalidArgumentError("is a number, the parameter an array");
    }
    ASSIGN_OR_RETURN(const ir::Operand value,
                     state_.operands.Immediate(expr, layout.element));
    const auto index = static_cast<uint32_t>(state_.function.registers.size());
    state_.function.registers.push_back({"", layout.element});
    ir::Instruction move;
    move.op = ir::Op::kMov;
    move.type = layout.element;
    move.location = location_;
    ir::Operand destination;
    destination.kind = ir::Operand::Kind::kRegister;
    destination.index = index;
    move.dst.push_back(destination);
    move.src.push_back(value);
    state_.function.code.push_back(std::move(move));
    return MakeSlot(true, index, layout.size);
  }

  FunctionState& state_;
  SourceLocation location_;
};

using SlotFunction = absl::StatusOr<ir::Call::Slot> (SlotLowering::*)(
    const ast::Expr&, const VariableLayout&);

absl::Status LowerSlots(const std::vector<ast::Expr>* exprs,
                        const std::vector<VariableLayout>& layouts, std::string_view what,
                        SlotFunction lower, SlotLowering& slots,
                        std::vector<ir::Call::Slot>& out) {
  for (size_t i = 0; i < layouts.size(); ++i) {
    absl::StatusOr<ir::Call::Slot> slot = (slots.*lower)((*exprs)[i], layouts[i]);
    if (!slot.ok()) {
      return Annotate(slot.status(), absl::StrCat(std::string(what), " ", i + 1));
    }
    out.push_back(*slot);
  }
  return absl::OkStatus();
}

// --- Callees ---------------------------------------------------------------

absl::StatusOr<Signature> DirectCallee(const CallText& text, FunctionState& state,
                                       ir::Call& call) {
  const std::string& name = text.callee->text;
  const ast::Function* function = state.builder.names().FindFunction(name);
  if (function == nullptr) {
    return absl::InvalidArgumentError(absl::StrCat("'", name, "' is not declared"));
  }
  ASSIGN_OR_RETURN(Signature signature, SignatureOf(*function, text));
  if (function->is_entry) {
    return absl::InvalidArgumentError(absl::StrCat("'", name, "' is an entry"));
  }
  if (function->body.has_value()) {
    ASSIGN_OR_RETURN(call.callee, state.builder.UseFunction(*function));
  } else {
    ASSIGN_OR_RETURN(call.builtin, FindBuiltin(name, signature));
  }
  return signature;
}

// The functions of a `.calltargets` list; the signature of the first.
absl::StatusOr<Signature> ListedCallees(const CallText& text, const ast::TargetList& list,
                                        FunctionState& state, ir::Call& call) {
  RETURN_IF_ERROR(state.builder.CountCandidates(list.targets.size()));
  std::optional<Signature> signature;
  for (const std::string& name : list.targets) {
    const ast::Function* function = state.builder.names().FindFunction(name);
    if (function == nullptr) {
      return absl::InvalidArgumentError(absl::StrCat("'", name, "' is not declared"));
    }
    ASSIGN_OR_RETURN(const uint32_t index, state.builder.TakeAddress(*function));
    call.candidates.push_back(index);
    if (!signature.has_value()) {
      ASSIGN_OR_RETURN(signature, SignatureOf(*function, text));
    }
  }
  if (signature.has_value()) return *std::move(signature);
  return absl::InvalidArgumentError(absl::StrCat("list '", list.name, "' is empty"));
}

absl::StatusOr<Signature> IndirectCallee(const CallText& text, FunctionState& state,
                                         ir::Call& call) {
  SourceRules rules;
  rules.type = ir::Type::kB64;
  ASSIGN_OR_RETURN(const ir::Operand pointer, state.operands.Source(*text.callee, rules));
  call.indirect = true;
  call.pointer_register = pointer.index;
  if (text.prototype == nullptr) {
    return absl::InvalidArgumentError(
        "a call through a register needs a .callprototype or .calltargets");
  }
  const std::string& name = text.prototype->text;
  const std::optional<ScopeEntry> entry = state.scopes.Find(name);
  if (entry.has_value() && entry->kind == ScopeEntry::Kind::kPrototype) {
    return SignatureOf(*state.prototypes[entry->index], text);
  }
  if (entry.has_value() && entry->kind == ScopeEntry::Kind::kCallTable) {
    return ListedCallees(text, *state.call_tables[entry->index], state, call);
  }
  return absl::InvalidArgumentError(
      absl::StrCat("'", name, "' is neither a .callprototype nor a .calltargets list"));
}

}  // namespace

absl::Status LowerCall(const ast::Instruction& instruction, FunctionState& state,
                       ir::Instruction& lowered) {
  ASSIGN_OR_RETURN(const CallText text, Dissect(instruction));
  ir::Call call;
  const std::optional<ScopeEntry> entry = state.scopes.Find(text.callee->text);
  ASSIGN_OR_RETURN(const Signature signature, entry.has_value()
                                                  ? IndirectCallee(text, state, call)
                                                  : DirectCallee(text, state, call));
  SlotLowering slots(state, lowered.location);
  RETURN_IF_ERROR(LowerSlots(text.arguments, signature.parameters, "argument",
                             &SlotLowering::Argument, slots, call.arguments));
  RETURN_IF_ERROR(LowerSlots(text.results, signature.results, "result",
                             &SlotLowering::Result, slots, call.results));
  lowered.target = static_cast<uint32_t>(state.function.calls.size());
  state.function.calls.push_back(std::move(call));
  return absl::OkStatus();
}

}  // namespace thunky::ptx
