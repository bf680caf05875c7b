// Merging a program into another one.
#ifndef THUNKY_COMPILER_TRANSFORMS_SPLICE_H_
#define THUNKY_COMPILER_TRANSFORMS_SPLICE_H_

#include <cstdint>
#include <memory>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Location.h"
#include "mlir/IR/Value.h"

namespace thunky::compiler {

// Adds a scratch argument of `size` bytes to @main, after all others, and gives it.
// `name` becomes its thunky.name unless it is empty.
mlir::BlockArgument addScratch(mlir::func::FuncOp main, int64_t size,
                               mlir::Location where, llvm::StringRef name);

// The same for many at once, without names: the function gets its new type once.
llvm::SmallVector<mlir::BlockArgument> addScratch(mlir::func::FuncOp main,
                                                  llvm::ArrayRef<int64_t> sizes,
                                                  mlir::Location where);

// Merges other programs into one, the host. All are modules of one context. It may be
// kept while others change the host too: it remembers only the content of attributes.
class ModuleSplicer {
 public:
  // The host is a module with a function @main of buffers. It need not be complete: the
  // function may lack its return and regions their ends.
  explicit ModuleSplicer(mlir::ModuleOp host);
  ~ModuleSplicer();
  ModuleSplicer(const ModuleSplicer&) = delete;
  ModuleSplicer& operator=(const ModuleSplicer&) = delete;

  // Adds the operations of the callee's @main where `builder` stands: in the host's
  // @main or in a region inside it. The callee has passed verification and stays as it
  // is; its calls are inlined on the way.
  //
  // `operands` has a buffer for each argument of the callee's @main, in order and of the
  // argument's size, which must be visible at the point of insertion. Null asks for a
  // new scratch argument of the host's @main (addScratch): for scratch of the callee,
  // and for any other argument whose bytes the caller wants there. Returns the buffer
  // that each argument became.
  //
  // - Kernel code that the operations use is merged by content: a symbol of the host
  //   with equal content serves, whatever its name; otherwise one is added, under the
  //   callee's name where that is free.
  // - Constants come to the start of the host's @main. One of the host's at the start
  //   with equal bytes and size serves; otherwise one is added, under the callee's name
  //   where that is free among the constants at the start. (Constants with names belong
  //   there.)
  // - Annotations, residuals and regions of thunks come along, attributes of arguments
  //   and of the module do not.
  // - The location of each operation is its own, called from `callSite`.
  //
  // Fails with a diagnostic, without a change of the host: for operands that do not fit;
  // for a callee that is no program, calls itself, or holds a thunk of a kind this build
  // does not know; for a host whose allocations must keep their numbers
  // (thunky.keep_allocations). Whether a buffer that the callee writes may be written is
  // for the verifier to say.
  mlir::FailureOr<llvm::SmallVector<mlir::Value>> splice(
      mlir::OpBuilder& builder, mlir::Location callSite, mlir::ModuleOp callee,
      llvm::ArrayRef<mlir::Value> operands);

 private:
  class Splice;
  struct Contents;

  mlir::ModuleOp host_;
  std::unique_ptr<Contents> contents_;
};

}  // namespace thunky::compiler

#endif  // THUNKY_COMPILER_TRANSFORMS_SPLICE_H_
