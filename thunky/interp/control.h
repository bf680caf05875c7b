// Micro-operations that decide what runs next, and those that only decoding makes.
#ifndef THUNKY_INTERP_CONTROL_H_
#define THUNKY_INTERP_CONTROL_H_

#include "thunky/interp/micro_op.h"
#include "thunky/interp/warp.h"

namespace thunky::interp {

// Every jump has in `imm` the number of operations of its block. `target` is an index
// into the function's code; conditions are the predicate a, negated if extra != 0.
const MicroOp* ExecJump(Warp& warp, const MicroOp* op);
const MicroOp* ExecBranch(Warp& warp, const MicroOp* op);
const MicroOp* ExecFallThrough(Warp& warp, const MicroOp* op);
// Index in a; `target` is the branch table of the function.
const MicroOp* ExecIndexedBranch(Warp& warp, const MicroOp* op);

// What stands between these two acts on the lanes where the condition holds. Without
// any, control goes on `target` operations after the first.
const MicroOp* ExecGuard(Warp& warp, const MicroOp* op);
const MicroOp* ExecEndGuard(Warp& warp, const MicroOp* op);

// `extra` is the index of the call in the function; `a` the pointer of an indirect
// call.
const MicroOp* ExecCall(Warp& warp, const MicroOp* op);
const MicroOp* ExecIndirectCall(Warp& warp, const MicroOp* op);
const MicroOp* ExecReturn(Warp& warp, const MicroOp* op);
const MicroOp* ExecExit(Warp& warp, const MicroOp* op);
const MicroOp* ExecTrap(Warp& warp, const MicroOp* op);

// Calls of functions that the device runtime provides.
ExecFn BuiltinFn(ptx::ir::Builtin builtin);

// Arguments and results of a call, value number `index` of lane `lane`.
uint64_t ReadArgument(Warp& warp, const ptx::ir::Call& call, size_t index, int lane);
void WriteResult(Warp& warp, const ptx::ir::Call& call, size_t index, int lane,
                 uint64_t value);

}  // namespace thunky::interp

#endif  // THUNKY_INTERP_CONTROL_H_
