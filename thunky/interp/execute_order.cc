// What concerns only the order of things: fences, sleeping, hints.
#include <atomic>

#include "thunky/interp/move_recipe.h"
#include "thunky/interp/warp.h"

namespace thunky::interp {
namespace {

const MicroOp* ExecFence(Warp&, const MicroOp* op) {
  std::atomic_thread_fence(std::memory_order_seq_cst);
  return op + 1;
}

// Everybody else first.
const MicroOp* ExecNanosleep(Warp& w, const MicroOp* op) {
  w.penalty += w.fuel;
  w.fuel = 0;
  return op + 1;
}

const MicroOp* ExecNothing(Warp&, const MicroOp* op) { return op + 1; }

}  // namespace

ExecFn FenceFn() { return &ExecFence; }
ExecFn NanosleepFn() { return &ExecNanosleep; }
ExecFn NothingFn() { return &ExecNothing; }

}  // namespace thunky::interp
