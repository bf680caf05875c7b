// Attributes of modules and of the arguments of @main.
#ifndef THUNKY_COMPILER_DIALECT_ARGUMENT_ATTRIBUTES_H_
#define THUNKY_COMPILER_DIALECT_ARGUMENT_ATTRIBUTES_H_

#include <cstdint>

#include "llvm/ADT/StringRef.h"
#include "mlir/IR/Attributes.h"
#include "mlir/IR/Operation.h"

namespace thunky::compiler {

// Of a module.
inline constexpr llvm::StringLiteral kVersion = "thunky.version";
// What an imported program has beside its operations: a resource of bytes, a
// serialized wire::ModuleOriginProto.
inline constexpr llvm::StringLiteral kOrigin = "thunky.origin";
// unit: allocations keep the numbers of the imported program, since some thunk is of a
// kind this build does not know and may refer to any of them.
inline constexpr llvm::StringLiteral kKeepAllocations = "thunky.keep_allocations";
// "9.0a": the GPU that a program of its own is exported for.
inline constexpr llvm::StringLiteral kComputeCapability = "thunky.compute_capability";

// Of a constant and of an argument: its allocation in the imported program, an i64.
inline constexpr llvm::StringLiteral kOriginAllocation = "thunky.allocation";

// Of an argument, what a caller passes there. All are optional; see
// docs/dialect.md.
inline constexpr llvm::StringLiteral kName = "thunky.name";            // string
inline constexpr llvm::StringLiteral kParameter = "thunky.parameter";  // i64
// Path of the parameter through nested tuples, array<i64>.
inline constexpr llvm::StringLiteral kParameterIndex = "thunky.parameter_index";
// Array of the paths of the results in this buffer, each an array<i64>.
inline constexpr llvm::StringLiteral kResults = "thunky.results";
// "may" or "must": a parameter whose memory a result takes.
inline constexpr llvm::StringLiteral kAlias = "thunky.alias";
// unit: the result is the parameter itself, never written.
inline constexpr llvm::StringLiteral kPassthrough = "thunky.passthrough";
inline constexpr llvm::StringLiteral kType = "thunky.type";        // a tensor type
inline constexpr llvm::StringLiteral kLayout = "thunky.layout";    // array<i64>
inline constexpr llvm::StringLiteral kScratch = "thunky.scratch";  // unit

// Whether an attribute of the dialect on argument `argument` of the function `op` is
// one of these, of the right kind.
llvm::LogicalResult verifyArgumentAttribute(mlir::Operation* op, unsigned argument,
                                            mlir::NamedAttribute attribute);

}  // namespace thunky::compiler

#endif  // THUNKY_COMPILER_DIALECT_ARGUMENT_ATTRIBUTES_H_
