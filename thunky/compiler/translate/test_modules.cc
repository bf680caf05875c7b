#include "thunky/compiler/translate/test_modules.h"

#include <utility>

#include "gtest/gtest.h"
#include "thunky/compiler/dialect/thunky_dialect.h"
#include "thunky/compiler/library/module_text.h"
#include "thunky/compiler/translate/import.h"

namespace thunky::compiler {
namespace {

mlir::DialectRegistry dialects() {
  mlir::DialectRegistry registry;
  registerDialects(registry);
  return registry;
}

}  // namespace

TestCompiler::TestCompiler()
    : context_(dialects(), mlir::MLIRContext::Threading::DISABLED),
      collector_(&context_, diagnostics_) {
  context_.loadAllAvailableDialects();
}

mlir::OwningOpRef<mlir::ModuleOp> TestCompiler::import(ExecutableFile file) {
  return importExecutable(&context_, "input", std::move(file));
}

mlir::OwningOpRef<mlir::ModuleOp> TestCompiler::read(const std::string& module) {
  return readModule(&context_, "module", module);
}

std::optional<ExecutableFile> TestCompiler::exportFrom(mlir::ModuleOp module,
                                                       CodePlacement code,
                                                       bool complete) {
  ExportOptions options;
  options.code = code;
  mlir::FailureOr<ExecutableFile> file = exportModule(module, options, complete);
  if (mlir::failed(file)) return std::nullopt;
  return *std::move(file);
}

wire::GpuExecutableProto TestCompiler::exportText(const std::string& module) {
  const mlir::OwningOpRef<mlir::ModuleOp> parsed = read(module);
  EXPECT_TRUE(parsed) << diagnostics_;
  if (!parsed) return {};
  std::optional<ExecutableFile> file = exportFrom(*parsed);
  EXPECT_TRUE(file.has_value()) << diagnostics_;
  return file.has_value() ? std::move(file->executable) : wire::GpuExecutableProto();
}

std::string TestCompiler::errorOf(const std::string& module) {
  diagnostics_.clear();
  const mlir::OwningOpRef<mlir::ModuleOp> parsed = read(module);
  if (parsed && exportFrom(*parsed).has_value()) return "";
  EXPECT_NE(diagnostics_, "") << "refused without a word";
  return diagnostics_;
}

ExecutableFile bareFile(wire::GpuExecutableProto executable) {
  ExecutableFile file;
  file.kind = ExecutableKind::kBinaryProto;
  file.executable = std::move(executable);
  return file;
}

std::string thunkOpsOf(mlir::ModuleOp module) {
  std::string names;
  module.walk<mlir::WalkOrder::PreOrder>([&](ThunkOpInterface op) {
    if (!names.empty()) names += ", ";
    names += op->getName().getStringRef().str();
  });
  return names;
}

}  // namespace thunky::compiler
