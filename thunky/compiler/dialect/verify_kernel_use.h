// That kernels exist where they are used.
#ifndef THUNKY_COMPILER_DIALECT_VERIFY_KERNEL_USE_H_
#define THUNKY_COMPILER_DIALECT_VERIFY_KERNEL_USE_H_

#include <cstdint>
#include <optional>

#include "llvm/ADT/StringRef.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/SymbolTable.h"

namespace thunky::compiler {

// The symbol is a kernel_code and each code that it holds has `kernel`, which takes
// `parameters` parameters where both sides state it. Code that is still in a file is
// checked when it is read. Fails with a diagnostic of `op`.
llvm::LogicalResult verifyKernelUse(mlir::Operation* op, mlir::FlatSymbolRefAttr symbol,
                                    llvm::StringRef kernel,
                                    std::optional<int64_t> parameters,
                                    mlir::SymbolTableCollection& symbols);

}  // namespace thunky::compiler

#endif  // THUNKY_COMPILER_DIALECT_VERIFY_KERNEL_USE_H_
