// The body of one function.
#ifndef THUNKY_PTX_LOWER_FUNCTION_H_
#define THUNKY_PTX_LOWER_FUNCTION_H_

#include "thunky/ptx/ast.h"
#include "thunky/ptx/ir.h"
#include "thunky/ptx/program_builder.h"

namespace thunky::ptx {

// Lowers `function`, which has a body. What is wrong goes to builder.diagnostics(); the
// statements concerned are left out of the result, which has at least one block.
ir::Function LowerFunction(const ast::Function& function, ProgramBuilder& builder);

}  // namespace thunky::ptx

#endif  // THUNKY_PTX_LOWER_FUNCTION_H_
