// Choice of the micro-operation of a memory instruction.
#ifndef THUNKY_INTERP_MEMORY_RECIPE_H_
#define THUNKY_INTERP_MEMORY_RECIPE_H_

#include <cstdint>

#include "thunky/interp/memory_access.h"
#include "thunky/interp/micro_op.h"
#include "thunky/ptx/ir.h"

namespace thunky::interp {

// Operands of all of these: a and imm make the address with the mode in `extra`;
// with more than one element the data are slots [target, target + vec), with one it
// is d of a load and b of a store. Cells of data have the width CellBits says.
ExecFn LoadFn(const ptx::ir::Instruction& instruction);
ExecFn StoreFn(const ptx::ir::Instruction& instruction);
// ld.param of the entry's own parameters at offset `imm`.
ExecFn ArgumentFn(const ptx::ir::Instruction& instruction);
// d = old value; operands b and c. Null when the type has no such operation.
ExecFn AtomicFn(const ptx::ir::Instruction& instruction);
// Data are slots [target, target + vec).
ExecFn LdmatrixFn();
ExecFn StmatrixFn();
// All operands are slots from target on: D, A, B, C.
ExecFn MmaFn(const ptx::ir::Instruction& instruction);
// cp.async: the address as above is the destination. Slot target is the base of the
// source, with its mode in the second byte of `extra` (kAbsolute: an array of whole
// addresses), slot target + 1 the operand that limits the copy, its kind in the
// third byte.
enum class CopyLimit : uint32_t {
  kNone,
  kBytes,   // 32-bit number of bytes to read
  kIgnore,  // predicate: read nothing
};
ExecFn CpAsyncFn();
ExecFn CpAsyncCommitFn();
ExecFn CpAsyncWaitFn();  // imm: groups that may stay pending

inline AddressMode ModeOf(const MicroOp* op) {
  return static_cast<AddressMode>(op->extra & 0xff);
}

// Width of the register cell of an element of `type`: 16, 32 or 64; 0 when elements
// of this type cannot be held.
int CellBits(ptx::ir::Type type);

}  // namespace thunky::interp

#endif  // THUNKY_INTERP_MEMORY_RECIPE_H_
