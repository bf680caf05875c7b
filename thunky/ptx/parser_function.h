// Entries and functions.
#ifndef THUNKY_PTX_PARSER_FUNCTION_H_
#define THUNKY_PTX_PARSER_FUNCTION_H_

#include <string>
#include <vector>

#include "thunky/ptx/ast.h"
#include "thunky/ptx/parser_cursor.h"

namespace thunky::ptx {

// A function from its `.entry` or `.func` to the end of its body, or to the `;`
// of a declaration. False after an error reported to the cursor outside the body.
bool ParseFunction(Cursor& cursor, std::vector<std::string> linkage,
                   ast::Function* function);

}  // namespace thunky::ptx

#endif  // THUNKY_PTX_PARSER_FUNCTION_H_
