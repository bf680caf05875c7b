// The printer's part for expressions.
#ifndef THUNKY_PTX_PRINTER_EXPRESSION_H_
#define THUNKY_PTX_PRINTER_EXPRESSION_H_

#include <string>
#include <vector>

#include "thunky/ptx/ast.h"

namespace thunky::ptx {

// Appends the canonical text of `expr`.
void AppendExpr(const ast::Expr& expr, std::string* out);

// Appends `exprs`, separated by ", ".
void AppendExprs(const std::vector<ast::Expr>& exprs, std::string* out);

}  // namespace thunky::ptx

#endif  // THUNKY_PTX_PRINTER_EXPRESSION_H_
