// Syntax tree to text, in one canonical layout.
//
// ParseModule(PrintModule(m)) prints to the same text. Trees must be no higher
// than the parser makes them (256 levels).
#ifndef THUNKY_PTX_PRINTER_H_
#define THUNKY_PTX_PRINTER_H_

#include <string>

#include "thunky/ptx/ast.h"

namespace thunky::ptx {

// Integers are printed in decimal, one variable per declaration. There are no
// comments. Ends with a line break.
std::string PrintModule(const ast::Module& module);

// Parentheses only where the tree needs them.
std::string PrintExpr(const ast::Expr& expr);

// On one line, with the guard and the `;`.
std::string PrintInstruction(const ast::Instruction& instruction);

}  // namespace thunky::ptx

#endif  // THUNKY_PTX_PRINTER_H_
