// What a kernel takes besides buffers.
#ifndef THUNKY_COMPILER_DIALECT_KERNEL_PARAMETERS_H_
#define THUNKY_COMPILER_DIALECT_KERNEL_PARAMETERS_H_

#include <cstdint>

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"
#include "proto/kernel.pb.h"

namespace thunky::compiler {

// The attribute `parameters` of a kernel of `buffers` buffers as a packing spec; null
// means each buffer in order. Fails with a diagnostic of `op`.
llvm::LogicalResult writePacking(mlir::Operation* op, mlir::ArrayAttr parameters,
                                 size_t buffers, wire::KernelArgsPackingSpecProto& spec);

// The attribute that says `spec`: null for the buffers in order. Nothing when it
// cannot be said.
std::optional<mlir::ArrayAttr> readPacking(mlir::MLIRContext* context,
                                           const wire::KernelArgsPackingSpecProto& spec,
                                           int buffers);

}  // namespace thunky::compiler

#endif  // THUNKY_COMPILER_DIALECT_KERNEL_PARAMETERS_H_
