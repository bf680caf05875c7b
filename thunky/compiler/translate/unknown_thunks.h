// Thunks of kinds that this build does not know.
#ifndef THUNKY_COMPILER_TRANSLATE_UNKNOWN_THUNKS_H_
#define THUNKY_COMPILER_TRANSLATE_UNKNOWN_THUNKS_H_

#include "mlir/IR/Operation.h"
#include "thunky/compiler/dialect/thunky_dialect.h"

namespace thunky::compiler {

// The first operation in `root`, in pre-order, whose payload is of an unknown kind or
// holds one that counts in the program's allocations: it may refer to any of them by its
// number. Null when there is none.
CallThunkProtoOp findUnknownThunk(mlir::Operation* root);

}  // namespace thunky::compiler

#endif  // THUNKY_COMPILER_TRANSLATE_UNKNOWN_THUNKS_H_
