// How large a program becomes when its calls are inlined.
#ifndef THUNKY_COMPILER_TRANSLATE_INLINED_SIZE_H_
#define THUNKY_COMPILER_TRANSLATE_INLINED_SIZE_H_

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace thunky::compiler {

inline constexpr int64_t kMaxInlinedOperations = 1000000;
inline constexpr int kMaxCallDepth = 256;

// Fails with a diagnostic when a function that `main` calls, directly or not, calls
// itself, when calls are nested deeper than kMaxCallDepth, or when there would be more
// than kMaxInlinedOperations: functions that each call the one before twice double with
// every line of text.
llvm::LogicalResult checkInlinedSize(mlir::func::FuncOp main);

}  // namespace thunky::compiler

#endif  // THUNKY_COMPILER_TRANSLATE_INLINED_SIZE_H_
