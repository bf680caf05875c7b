// A module and its context. Not public: needs MLIR.
#ifndef THUNKY_FRONTEND_MODULE_H_
#define THUNKY_FRONTEND_MODULE_H_

#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "thunky/api/error.h"

namespace thunky::frontend {

// Owns a module together with its context. While it is built one thread has it; from
// then on it does not change, and what reads it takes the lock, since a context without
// threads is no place for two.
class Module {
 public:
  // Empty. Errors: those of make_context.
  explicit Module(const SourceLocation& where);
  // Takes the context over.
  Module(std::unique_ptr<mlir::MLIRContext> context,
         mlir::OwningOpRef<mlir::ModuleOp> module)
      : context_(std::move(context)), module_(std::move(module)) {}

  // A context with the dialects that modules use.
  // Errors: failed_precondition when the thread is ending.
  static std::unique_ptr<mlir::MLIRContext> make_context(const SourceLocation& where);

  mlir::MLIRContext* context() const { return context_.get(); }
  mlir::ModuleOp module() const { return const_cast<Module*>(this)->module_.get(); }
  mlir::func::FuncOp main() const {
    return module().lookupSymbol<mlir::func::FuncOp>("main");
  }
  std::mutex& mutex() const { return mutex_; }

  // Its bytecode, which other contexts read.
  const std::string& bytecode() const;

 private:
  std::unique_ptr<mlir::MLIRContext> context_;
  mlir::OwningOpRef<mlir::ModuleOp> module_;
  mutable std::mutex mutex_;
  mutable std::string bytecode_;  // empty until somebody wants it
};

}  // namespace thunky::frontend

#endif  // THUNKY_FRONTEND_MODULE_H_
