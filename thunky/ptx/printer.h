// Syntax tree to text. ParseModule(PrintModule(m)) prints to the same text.
#ifndef THUNKY_PTX_PRINTER_H_
#define THUNKY_PTX_PRINTER_H_

#include <string>

#include "thunky/ptx/ast.h"

namespace thunky::ptx {

std::string PrintModule(const ast::Module& module);
std::string PrintExpr(const ast::Expr& expr);
std::string PrintInstruction(const ast::Instruction& instruction);

}  // namespace thunky::ptx

#endif  // THUNKY_PTX_PRINTER_H_
