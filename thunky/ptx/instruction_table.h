// The instruction forms this build knows, as data: which dots, types and operands
// an opcode takes, and which ir::Op it becomes.
#ifndef THUNKY_PTX_INSTRUCTION_TABLE_H_
#define THUNKY_PTX_INSTRUCTION_TABLE_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "thunky/ptx/ast.h"
#include "thunky/ptx/ir.h"

namespace thunky::ptx {

// What turns the operands of a form into those of an ir::Instruction.
enum class Handler : uint8_t {
  kPattern,  // the row's `operands`
  kMov,
  kBranch,
  kIndexedBranch,
  kCall,
  kReturn,
  kWaitAll,
};

// One form of an instruction, as a row.
//
// `modifiers`: groups separated by blanks. A group is `role:token|token...` and
// takes one of its tokens; `?` at its end makes it optional. The role says what the
// tokens mean (modifier_vocabulary.h); without a role a token is a flag. `<name>`
// stands for what many rows share, `+role:token` for a token that the row
// implies. Dots may come in any order.
//
// `types`: the type dots in order, separated by blanks; each `type|type...` or
// `<name>`. The first becomes `type`, the second `src_type`, others are only checked.
//
// `operands`: alternatives separated by `;`, chosen by their number of operands. An
// alternative is a list of items separated by `,`:
//   d, dst        a destination (any name that starts with d)
//   d|            the same, with an optional `|q` predicate after it
//   a             a source (any other name)
//   [a]           an address; the second one becomes address2
//   #n            an immediate; #bytes is stored in mod.bytes
//   *x            checked, then dropped
//   =0            no operand: an immediate zero in the typed form
// Before a source name `!` allows a negated predicate, `&` a symbol's address, `%` a
// special register. After a name: `{v}` a vector of mod.vec elements, `{4}` of four;
// `~` the register may be wider than the type; `:type` its type when it is not that
// of the instruction: `S` for the second type dot, `W` for double the width of the
// first, or `u32`; `u32/pred` accepts either register.
struct Form {
  std::string_view opcode;
  ir::Op op;
  std::string_view modifiers;
  std::string_view types;
  std::string_view operands;
  // What the columns cannot say. Returns an error text, or nullptr; may complete the
  // instruction. Null when there is nothing to add.
  const char* (*finish)(ir::Instruction&) = nullptr;
  Handler handler = Handler::kPattern;
};

// An item of `Form::operands`.
struct OperandItem {
  enum class Role : uint8_t {
    kDestination,
    kSource,
    kAddress,
    kImmediate,
    kBytes,
    kIgnored,
    kZero,
  };
  enum class TypeRule : uint8_t { kInstruction, kSource, kWide, kFixed };
  Role role = Role::kSource;
  TypeRule type_rule = TypeRule::kInstruction;
  ir::Type fixed = ir::Type::kNone;
  ir::Type alternative = ir::Type::kNone;  // `u32/pred`: the second
  bool second_predicate = false;           // d|
  bool may_negate = false;
  bool may_be_symbol = false;
  bool may_be_special = false;
  bool may_be_wider = false;
  bool vector_of_mod = false;  // {v}
  uint8_t vector = 0;          // {4}; 0: not a vector
};

// Operands of one alternative. `count`: operands in the text, without `=0`.
struct OperandPattern {
  std::vector<OperandItem> items;
  size_t count = 0;
};

struct FormMatch {
  const Form* form = nullptr;
  const std::vector<OperandPattern>* patterns = nullptr;
  ir::Modifiers modifiers;
  ir::Type type = ir::Type::kNone;
  ir::Type src_type = ir::Type::kNone;
};

// The form that the opcode and dots of `instruction` spell. Errors, all of which
// begin with the spelling in quotes:
//   Unimplemented    an opcode, dot or type, or a combination, that no row has
//   InvalidArgument  dots that exclude each other, or a required one is missing
absl::StatusOr<FormMatch> MatchForm(const ast::Instruction& instruction);

// All rows, of all families.
const std::vector<const Form*>& AllForms();

// Mistakes in the rows themselves: empty in a correct build (for tests).
const std::vector<std::string>& FormTableErrors();

// The families; each is defined in forms_<family>.cc.
struct FormSpan {
  const Form* data;
  size_t size;
};
FormSpan IntegerForms();
FormSpan FloatForms();
FormSpan CompareForms();
FormSpan LogicForms();
FormSpan ConvertForms();
FormSpan MoveForms();
FormSpan MemoryForms();
FormSpan AtomicForms();
FormSpan WarpForms();
FormSpan MatrixForms();
FormSpan BlockForms();
FormSpan ControlForms();

}  // namespace thunky::ptx

#endif  // THUNKY_PTX_INSTRUCTION_TABLE_H_
