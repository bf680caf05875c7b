// Operands, initialisers and constant expressions.
#ifndef THUNKY_PTX_PARSER_EXPRESSION_H_
#define THUNKY_PTX_PARSER_EXPRESSION_H_

#include <cstdint>
#include <vector>

#include "thunky/ptx/ast.h"
#include "thunky/ptx/parser_cursor.h"

namespace thunky::ptx {

// An expression with the C operators: an array dimension. False after an error
// reported to the cursor, here and below. No tree is higher than kMaxNesting.
bool ParseConstant(Cursor& cursor, ast::Expr* expr);

// A plain integer literal: an alignment, a register count. `what` names it.
bool ParseInteger(Cursor& cursor, std::string_view what, uint64_t* value);

// What stands behind the `=` of a variable: an expression, or nested braces in
// which `name = value` is allowed.
bool ParseInitializer(Cursor& cursor, ast::Expr* expr);

// All operands of an instruction, up to and without the `;`. In a call,
// parentheses make kTuple; elsewhere they group.
bool ParseOperands(Cursor& cursor, bool is_call, std::vector<ast::Expr>* operands);

}  // namespace thunky::ptx

#endif  // THUNKY_PTX_PARSER_EXPRESSION_H_
