// What a program does with its arguments.
#ifndef THUNKY_COMPILER_TRANSLATE_ARGUMENT_EFFECTS_H_
#define THUNKY_COMPILER_TRANSLATE_ARGUMENT_EFFECTS_H_

#include <vector>

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace thunky::compiler {

struct ArgumentEffect {
  bool read = false;
  bool written = false;
  // Every byte is written, on every path and before anything may read it: what the
  // caller puts there does not matter.
  bool overwritten = false;
};

// One for each argument of `main`, which holds no calls. A kernel that writes without
// saying that it writes everything may depend on old bytes, and so may work that runs
// beside a write.
std::vector<ArgumentEffect> effectsOf(mlir::func::FuncOp main);

}  // namespace thunky::compiler

#endif  // THUNKY_COMPILER_TRANSLATE_ARGUMENT_EFFECTS_H_
