// Passes of thunky modules; passes.td describes them.
#ifndef THUNKY_COMPILER_TRANSFORMS_PASSES_H_
#define THUNKY_COMPILER_TRANSFORMS_PASSES_H_

#include <memory>
#include <string>

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace thunky::compiler {

#define GEN_PASS_DECL
#include "thunky/compiler/transforms/passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "thunky/compiler/transforms/passes.h.inc"

}  // namespace thunky::compiler

#endif  // THUNKY_COMPILER_TRANSFORMS_PASSES_H_
