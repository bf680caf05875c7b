// Variables and parameters.
#ifndef THUNKY_PTX_PARSER_DECLARATION_H_
#define THUNKY_PTX_PARSER_DECLARATION_H_

#include <string>
#include <vector>

#include "thunky/ptx/ast.h"
#include "thunky/ptx/parser_cursor.h"

namespace thunky::ptx {

// Whether the token names a state space, such as `.global`.
bool IsStateSpace(const Token& token);

// Takes `.visible`, `.extern`, `.weak` and `.common`, as many as there are.
std::vector<std::string> TakeLinkage(Cursor& cursor);

// `.attribute(...)`, any number of them, as raw texts. False after an error
// reported to the cursor, here and below.
bool ParseAttributes(Cursor& cursor, std::vector<std::string>* attributes);

// A declaration from its state space up to and with the `;`. `.reg .b32 a, b;`
// gives two variables.
bool ParseVariables(Cursor& cursor, std::vector<std::string> linkage,
                    std::vector<ast::Variable>* variables);

// `( parameter, parameter, ... )`, possibly empty.
bool ParseParameters(Cursor& cursor, std::vector<ast::Variable>* parameters);

}  // namespace thunky::ptx

#endif  // THUNKY_PTX_PARSER_DECLARATION_H_
