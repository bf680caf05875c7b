// Statements of a function body.
#ifndef THUNKY_PTX_PARSER_STATEMENT_H_
#define THUNKY_PTX_PARSER_STATEMENT_H_

#include "thunky/ptx/ast.h"
#include "thunky/ptx/parser_cursor.h"

namespace thunky::ptx {

// `{ statement ... }`. An error inside a statement is reported to the cursor and
// skipped with the statement; false when the block itself does not end.
bool ParseBlock(Cursor& cursor, ast::Block* block);

}  // namespace thunky::ptx

#endif  // THUNKY_PTX_PARSER_STATEMENT_H_
