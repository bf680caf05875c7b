// A module taken apart for export.
#ifndef THUNKY_COMPILER_TRANSLATE_PROGRAM_PARTS_H_
#define THUNKY_COMPILER_TRANSLATE_PROGRAM_PARTS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "thunky/compiler/dialect/thunky_dialect.h"

namespace thunky::compiler {

struct ProgramConstant {
  ConstantOp op;
  int64_t size = 0;  // of the buffer
  std::string name;
  std::string bytes;  // the first ones; the rest of the buffer is zero
  // Its allocation in the imported program.
  std::optional<int64_t> origin;
  int64_t allocation = 0;  // the one it gets
};

// @main without calls, and its constants in pre-order.
struct ProgramParts {
  mlir::func::FuncOp main;
  std::vector<int64_t> argumentSizes;
  std::vector<ProgramConstant> constants;
  std::vector<int64_t> argumentAllocations;  // the one each argument gets
  // Some thunk may refer to any allocation by its number, so numbers must not change.
  bool keepAllocations = false;

  int64_t allocationCount() const {
    return static_cast<int64_t>(argumentSizes.size() + constants.size());
  }
};

// Sets the allocations that arguments and constants get: argument i number i, and
// constant j the one after the arguments and j others. With `keepAllocations` each has
// the number that it has in the imported program, and those that it does not have come
// after all others.
void numberAllocations(ProgramParts& parts);

// @main, once its calls are inlined, which changes the module; constants that several
// calls bring are shared then. Fails with a diagnostic when there is no public @main of
// buffers that returns nothing, or when its calls cannot be inlined.
mlir::FailureOr<mlir::func::FuncOp> inlinedMain(mlir::ModuleOp module);

// Inlines the calls of @main first. Fails with a diagnostic as inlinedMain does, and
// when a constant has no bytes.
mlir::FailureOr<ProgramParts> takeApart(mlir::ModuleOp module);

// @main, which may hold calls; fails as inlinedMain does.
mlir::FailureOr<mlir::func::FuncOp> findMain(mlir::ModuleOp module);
bool hasCalls(mlir::func::FuncOp main);

}  // namespace thunky::compiler

#endif  // THUNKY_COMPILER_TRANSLATE_PROGRAM_PARTS_H_
