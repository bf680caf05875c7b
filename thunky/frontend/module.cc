#include "thunky/frontend/module.h"

#include "thunky/compiler/library/module_text.h"

namespace thunky::frontend {
namespace {

// Set when what belongs to a thread is being destroyed, MLIR's caches among it, without
// which no context can be made. Destructors of static objects run after that.
thread_local bool thread_ended = false;
struct ThreadEnd {
  ~ThreadEnd() { thread_ended = true; }
};

}  // namespace

std::unique_ptr<mlir::MLIRContext> Module::make_context(const SourceLocation& where) {
  if (thread_ended) {
    throw Error(ErrorCode::failed_precondition,
                "programs can no longer be traced or loaded: the thread is ending",
                where);
  }
  static thread_local const ThreadEnd end;
  mlir::DialectRegistry registry;
  compiler::registerDialects(registry);
  auto context = std::make_unique<mlir::MLIRContext>(
      registry, mlir::MLIRContext::Threading::DISABLED);
  // The constructor alone leaves caches that belong to threads, and a program may be used
  // when those of its thread are gone: by a destructor at the end of the process. Who
  // uses a context holds the module's mutex.
  context->disableMultithreading();
  context->loadAllAvailableDialects();
  context->printOpOnDiagnostic(false);
  return context;
}

Module::Module(const SourceLocation& where)
    : context_(make_context(where)),
      module_(mlir::ModuleOp::create(mlir::UnknownLoc::get(context_.get()))) {}

const std::string& Module::bytecode() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (bytecode_.empty()) bytecode_ = compiler::writeBytecode(module());
  return bytecode_;
}

}  // namespace thunky::frontend
