// Scratch buffers that are never needed at once share memory.
#ifndef THUNKY_COMPILER_TRANSFORMS_ASSIGN_SCRATCH_H_
#define THUNKY_COMPILER_TRANSFORMS_ASSIGN_SCRATCH_H_

#include <cstdint>

#include "mlir/IR/BuiltinOps.h"

namespace thunky::compiler {

// Of the scratch arguments that some thunk uses; for others executors allocate nothing.
// Bytes are what is allocated: each begins at a multiple of 256 and takes whole
// multiples.
struct ScratchReport {
  int64_t buffers = 0;  // before
  int64_t bytesBefore = 0;
  int64_t bytesAfter = 0;  // of the one that is left, or as before
};

// Replaces the scratch arguments of @main that thunks use by one, of which each becomes a
// part that begins at a multiple of 256 bytes, where that takes less memory; else the
// module stays as it is. What the program computes stays the same.
//
// An imported program has allocations of its own for them; these become empty.
//
// Fails with a diagnostic, without a change of the module, when @main has calls, and when
// allocations must keep their numbers, since a thunk of a kind that this build does not
// know may refer to any of them: it is named. The module has passed verification.
mlir::FailureOr<ScratchReport> assignScratch(mlir::ModuleOp module);

}  // namespace thunky::compiler

#endif  // THUNKY_COMPILER_TRANSFORMS_ASSIGN_SCRATCH_H_
