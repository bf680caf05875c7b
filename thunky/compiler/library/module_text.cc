#include "thunky/compiler/library/module_text.h"

#include "llvm/Support/SourceMgr.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/Dialect/Func/Extensions/InlinerExtension.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/AsmState.h"
#include "mlir/Parser/Parser.h"
#include "thunky/compiler/dialect/thunky_dialect.h"
#include "thunky/compiler/library/text_check.h"

namespace thunky::compiler {
namespace {

// Longer ones are left out of elided text.
constexpr int64_t kElideElements = 32;
constexpr uint64_t kElideCharacters = 64;

}  // namespace

void registerDialects(mlir::DialectRegistry& registry) {
  registry.insert<mlir::func::FuncDialect, ThunkyDialect>();
  mlir::func::registerInlinerExtension(registry);
}

mlir::OwningOpRef<mlir::ModuleOp> readModule(mlir::MLIRContext* context,
                                             llvm::StringRef name,
                                             llvm::StringRef content) {
  auto buffer = llvm::MemoryBuffer::getMemBufferCopy(content, name);
  const bool isBytecode = mlir::isBytecode(buffer->getMemBufferRef());
  if (!isBytecode) {
    const absl::Status checked = checkText(content);
    if (!checked.ok()) {
      const std::string message(checked.message());
      const auto [place, problem] = llvm::StringRef(message).split(": ");
      mlir::emitError(
          mlir::NameLoc::get(mlir::StringAttr::get(context, name + ":" + place)))
          << problem;
      return nullptr;
    }
  }
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
  return mlir::parseSourceFile<mlir::ModuleOp>(sources, context);
}

std::string writeText(mlir::ModuleOp module, bool elide) {
  mlir::OpPrintingFlags flags;
  if (elide) {
    flags.elideLargeElementsAttrs(kElideElements);
    flags.elideLargeResourceString(kElideCharacters);
  }
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream, flags);
  stream << "\n";
  // The list of resources that are all left out.
  constexpr llvm::StringLiteral kNoResources = "\n{-#\n\n#-}\n";
  if (const size_t at = text.find(kNoResources); elide && at != std::string::npos) {
    text.erase(at, kNoResources.size());
  }
  return text;
}

std::string writeBytecode(mlir::ModuleOp module) {
  std::string bytes;
  llvm::raw_string_ostream stream(bytes);
  if (mlir::failed(mlir::writeBytecodeToFile(module, stream))) return "";
  return bytes;
}

}  // namespace thunky::compiler
