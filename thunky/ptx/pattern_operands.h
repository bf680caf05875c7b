// Operands of the instructions whose row in the table says what they are.
#ifndef THUNKY_PTX_PATTERN_OPERANDS_H_
#define THUNKY_PTX_PATTERN_OPERANDS_H_

#include "absl/status/status.h"
#include "thunky/ptx/ast.h"
#include "thunky/ptx/instruction_table.h"
#include "thunky/ptx/ir.h"
#include "thunky/ptx/operand_resolver.h"

namespace thunky::ptx {

// Fills in dst, src and the addresses of `lowered`. InvalidArgument: "takes 3 operands,
// found 2", or "operand 2: " and what is wrong with it.
absl::Status LowerPattern(const ast::Instruction& source, const FormMatch& match,
                          OperandResolver& operands, ir::Instruction& lowered);

}  // namespace thunky::ptx

#endif  // THUNKY_PTX_PATTERN_OPERANDS_H_
