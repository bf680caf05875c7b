// What the dots of a mnemonic mean. The same token means different things in
// different roles: `.and` of setp, atom, vote and bar.red.
#ifndef THUNKY_PTX_MODIFIER_VOCABULARY_H_
#define THUNKY_PTX_MODIFIER_VOCABULARY_H_

#include <cstdint>
#include <string_view>

#include "thunky/ptx/ir.h"

namespace thunky::ptx {

// Sets what `token` says in `role` ("" for flags). Tokens of the roles "lit", "cop",
// "scope" and "hint" are accepted and say nothing: fixed parts of a name, cache
// operators, scopes (a CPU has one) and performance hints. False for a token that
// the role does not have.
bool ApplyModifier(std::string_view role, std::string_view token, ir::Modifiers& mod);

// The text that `<name>` stands for in a row's modifiers: one group or several, which
// may name others. Empty when there is none.
std::string_view ModifierGroup(std::string_view name);

// The types that `<name>` stands for in a row's types, `|` between them; empty when
// there is none.
std::string_view TypeGroup(std::string_view name);

}  // namespace thunky::ptx

#endif  // THUNKY_PTX_MODIFIER_VOCABULARY_H_
