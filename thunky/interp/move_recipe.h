// Micro-operations that decoding puts together operands with.
#ifndef THUNKY_INTERP_MOVE_RECIPE_H_
#define THUNKY_INTERP_MOVE_RECIPE_H_

#include <cstddef>

#include "thunky/interp/micro_op.h"
#include "thunky/ptx/ir.h"

namespace thunky::interp {

// d = parts, lowest first, or parts = a. Parts are slots from target on; bytes have
// cells of 16 bits. Null when a value of `whole` bits has no such parts.
ExecFn PackFn(int whole, size_t parts);
ExecFn UnpackFn(int whole, size_t parts);
// d = a with cells of `to` and `from` bits. The sign of the low `sign_bits` is
// extended; 0: cut off or extended by zeros.
ExecFn ResizeFn(int to, int from, int sign_bits);
// d = not a, for all lanes.
ExecFn NegatePredicateFn();
// d (64 bits) = address in the local window of byte `imm` of the activation.
ExecFn FrameAddressFn();
// d (64 bits) = clock or timer number `extra`.
ExecFn ClockFn();
ExecFn CvtaFn(const ptx::ir::Instruction& instruction);
ExecFn IsspacepFn();
// Fences, nanosleep, and nothing at all.
ExecFn FenceFn();
ExecFn NanosleepFn();
ExecFn NothingFn();

}  // namespace thunky::interp

#endif  // THUNKY_INTERP_MOVE_RECIPE_H_
