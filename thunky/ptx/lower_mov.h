// mov: a copy, an address, or a change between a register and a vector of registers.
#ifndef THUNKY_PTX_LOWER_MOV_H_
#define THUNKY_PTX_LOWER_MOV_H_

#include "absl/status/status.h"
#include "thunky/ptx/ast.h"
#include "thunky/ptx/ir.h"
#include "thunky/ptx/operand_resolver.h"

namespace thunky::ptx {

// Fills in dst and src of `lowered`, whose op becomes kPack or kUnpack when the operands
// say so.
absl::Status LowerMov(const ast::Instruction& source, OperandResolver& operands,
                      ir::Instruction& lowered);

}  // namespace thunky::ptx

#endif  // THUNKY_PTX_LOWER_MOV_H_
