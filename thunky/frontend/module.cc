#include "thunky/frontend/module.h"

#include "thunky/compiler/library/module_text.h"

namespace thunky::frontend {

std::unique_ptr<mlir::MLIRContext> Module::make_context() {
  mlir::DialectRegistry registry;
  compiler::registerDialects(registry);
  auto context = std::make_unique<mlir::MLIRContext>(
      registry, mlir::MLIRContext::Threading::DISABLED);
  context->loadAllAvailableDialects();
  context->printOpOnDiagnostic(false);
  return context;
}

Module::Module()
    : context_(make_context()),
      module_(mlir::ModuleOp::create(mlir::UnknownLoc::get(context_.get()))) {}

const std::string& Module::bytecode() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (bytecode_.empty()) bytecode_ = compiler::writeBytecode(module());
  return bytecode_;
}

}  // namespace thunky::frontend
