// Directives that are kept as their tokens.
#ifndef THUNKY_PTX_PARSER_DIRECTIVE_H_
#define THUNKY_PTX_PARSER_DIRECTIVE_H_

#include "thunky/ptx/ast.h"
#include "thunky/ptx/parser_cursor.h"

namespace thunky::ptx {

enum class Scope { kModule, kBody };

// A directive among module items or statements: `.loc`, `.file`, `.pragma` and
// `.section` by their own grammar. Any other one ends with `;`, behind `{ ... }`,
// or with its line unless that leaves a bracket or a comma open. False after an
// error reported to the cursor, here and below.
bool ParseRawDirective(Cursor& cursor, Scope scope, ast::RawDirective* directive);

// One between a function's parameters and its body, `.maxntid 128, 1, 1`: it ends
// before the next directive, `{` or `;`. Only `.pragma` takes its `;`.
bool ParseHeaderDirective(Cursor& cursor, ast::RawDirective* directive);

}  // namespace thunky::ptx

#endif  // THUNKY_PTX_PARSER_DIRECTIVE_H_
