#include "thunky/ptx/instruction_table.h"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "thunky/ptx/form_compiler.h"
#include "thunky/ptx/modifier_vocabulary.h"

namespace thunky::ptx {
namespace {

struct Table {
  std::unordered_map<std::string, std::vector<CompiledForm>> by_opcode;
  std::vector<const Form*> forms;
  std::vector<std::string> errors;
};

Table BuildTable() {
  constexpr FormSpan (*kFamilies[])() = {
      IntegerForms, FloatForms,  CompareForms, LogicForms,  ConvertForms, MoveForms,
      MemoryForms,  AtomicForms, WarpForms,    MatrixForms, BlockForms,   ControlForms,
  };
  Table table;
  for (const auto family : kFamilies) {
    const FormSpan span = family();
    for (const Form* form = span.data; form != span.data + span.size; ++form) {
      table.forms.push_back(form);
      table.by_opcode[std::string(form->opcode)].push_back(
          CompileForm(*form, table.errors));
    }
  }
  return table;
}

const Table& TheTable() {
  static const Table* const table = new Table(BuildTable());
  return *table;
}

// How far one row goes with the dots of an instruction.
struct Attempt {
  enum class Problem { kNone, kMissing, kConflict, kCombination };
  Problem problem = Problem::kNone;
  size_t accepted = 0;  // dots that found their place
  std::string message;  // for kMissing and kConflict
  FormMatch match;
};

// The choices a row offers and what was picked.
class RowMatcher {
 public:
  explicit RowMatcher(const CompiledForm& form)
      : form_(form), picked_(form.choices.size()) {}

  Attempt Match(const std::vector<std::string>& dots) {
    for (const std::string& dot : dots) {
      if (!Place(dot)) return std::move(attempt_);
      ++attempt_.accepted;
    }
    FindMissing();
    if (attempt_.problem == Attempt::Problem::kNone) Finish();
    return std::move(attempt_);
  }

 private:
  // Gives `dot` to the first free choice that has it, else to the next type.
  bool Place(const std::string& dot) {
    for (size_t i = 0; i < picked_.size(); ++i) {
      if (!picked_[i].empty() || !form_.choices[i].Has(dot)) continue;
      picked_[i] = dot;
      return true;
    }
    const ir::Type type = ir::TypeFromName(dot);
    if (type != ir::Type::kNone && types_.size() < form_.types.size() &&
        Contains(form_.types[types_.size()], type)) {
      types_.push_back(type);
      return true;
    }
    attempt_.problem = Attempt::Problem::kCombination;
    for (size_t i = 0; i < picked_.size(); ++i) {
      if (!form_.choices[i].Has(dot)) continue;
      attempt_.problem = Attempt::Problem::kConflict;
      attempt_.message = picked_[i] == dot
                             ? absl::StrCat("modifier '.", dot, "' is given twice")
                             : absl::StrCat("modifiers '.", picked_[i], "' and '.", dot,
                                            "' exclude each other");
    }
    return false;
  }

  void FindMissing() {
    for (size_t i = 0; i < picked_.size(); ++i) {
      if (!picked_[i].empty() || form_.choices[i].optional) continue;
      attempt_.problem = Attempt::Problem::kMissing;
      attempt_.message =
          form_.choices[i].tokens.size() == 1
              ? absl::StrCat("modifier '.", form_.choices[i].tokens[0], "' is missing")
              : absl::StrCat("one of '.", absl::StrJoin(form_.choices[i].tokens, "', '."),
                             "' is missing");
      return;
    }
    if (types_.size() == form_.types.size()) return;
    attempt_.problem = Attempt::Problem::kMissing;
    attempt_.message = "a type is missing";
  }

  void Finish() {
    FormMatch& match = attempt_.match;
    match.form = form_.form;
    match.patterns = &form_.patterns;
    for (const ModifierChoice& choice : form_.implied) {
      ApplyModifier(choice.role, choice.tokens[0], match.modifiers);
    }
    for (size_t i = 0; i < picked_.size(); ++i) {
      if (picked_[i].empty()) continue;
      ApplyModifier(form_.choices[i].role, picked_[i], match.modifiers);
    }
    if (!types_.empty()) match.type = types_[0];
    if (types_.size() > 1) match.src_type = types_[1];
  }

  const CompiledForm& form_;
  std::vector<std::string> picked_;  // one a choice; empty: not given
  std::vector<ir::Type> types_;
  Attempt attempt_;
};

bool HasModifier(const CompiledForm& form, std::string_view dot) {
  return std::any_of(form.choices.begin(), form.choices.end(),
                     [&](const ModifierChoice& choice) { return choice.Has(dot); });
}

bool HasType(const CompiledForm& form, ir::Type type) {
  return std::any_of(form.types.begin(), form.types.end(),
                     [&](TypeSet set) { return Contains(set, type); });
}

// A dot that no form of the opcode has, as a message; empty when there is none.
std::string UnknownDot(const std::vector<CompiledForm>& forms,
                       const ast::Instruction& instruction) {
  for (const std::string& dot : instruction.modifiers) {
    const ir::Type type = ir::TypeFromName(dot);
    const bool known =
        std::any_of(forms.begin(), forms.end(), [&](const CompiledForm& form) {
          return HasModifier(form, dot) ||
                 (type != ir::Type::kNone && HasType(form, type));
        });
    if (known) continue;
    return absl::StrCat(type == ir::Type::kNone ? "modifier" : "type", " '.", dot,
                        "' is not known for ", instruction.opcode);
  }
  return "";
}

// Whether `a` explains the failure better than `b`.
bool IsCloser(const Attempt& a, const Attempt& b) {
  if (a.accepted != b.accepted) return a.accepted > b.accepted;
  return a.problem < b.problem;
}

}  // namespace

absl::StatusOr<FormMatch> MatchForm(const ast::Instruction& instruction) {
  const Table& table = TheTable();
  const std::string quoted = absl::StrCat("'", instruction.Spelling(), "'");
  const auto found = table.by_opcode.find(instruction.opcode);
  if (found == table.by_opcode.end()) {
    return absl::UnimplementedError(absl::StrCat("unknown instruction ", quoted));
  }
  Attempt closest;
  closest.problem = Attempt::Problem::kCombination;
  for (const CompiledForm& form : found->second) {
    Attempt attempt = RowMatcher(form).Match(instruction.modifiers);
    if (attempt.problem == Attempt::Problem::kNone) return attempt.match;
    if (IsCloser(attempt, closest)) closest = std::move(attempt);
  }
  if (const std::string unknown = UnknownDot(found->second, instruction);
      !unknown.empty()) {
    return absl::UnimplementedError(absl::StrCat(quoted, ": ", unknown));
  }
  if (closest.problem == Attempt::Problem::kCombination) {
    return absl::UnimplementedError(absl::StrCat(
        quoted, ": this combination of modifiers and types is not known for ",
        instruction.opcode));
  }
  return absl::InvalidArgumentError(absl::StrCat(quoted, ": ", closest.message));
}

const std::vector<const Form*>& AllForms() { return TheTable().forms; }

const std::vector<std::string>& FormTableErrors() { return TheTable().errors; }

}  // namespace thunky::ptx
