#include "thunky/compiler/library/module_text.h"

#include "absl/strings/str_cat.h"
#include "llvm/Support/SourceMgr.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/Dialect/Func/Extensions/InlinerExtension.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/AsmState.h"
#include "mlir/Parser/Parser.h"
#include "thunky/compiler/dialect/thunky_dialect.h"

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

absl::Status checkNesting(llvm::StringRef text) {
  int depth = 0;
  int line = 1;
  size_t lineStart = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    switch (text[i]) {
      case '\n':
        ++line;
        lineStart = i + 1;
        break;
      case '"':
        for (++i; i < text.size() && text[i] != '"' && text[i] != '\n'; ++i) {
          if (text[i] == '\\') ++i;
        }
        if (i < text.size() && text[i] == '\n') --i;
        break;
      case '/':
        if (text.substr(i).starts_with("//")) {
          const size_t end = text.find('\n', i);
          i = (end == llvm::StringRef::npos ? text.size() : end) - 1;
        }
        break;
      case '(':
      case '[':
      case '{':
      case '<':
        if (++depth > kMaxNesting) {
          return absl::InvalidArgumentError(
              absl::StrCat(line, ":", i - lineStart + 1,
                           ": brackets are nested deeper than ", kMaxNesting));
        }
        break;
      case '>':
        if (i > 0 && text[i - 1] == '-') break;  // an arrow
        [[fallthrough]];
      case ')':
      case ']':
      case '}':
        if (depth > 0) --depth;
        break;
      default:
        break;
    }
  }
  return absl::OkStatus();
}

mlir::OwningOpRef<mlir::ModuleOp> readModule(mlir::MLIRContext* context,
                                             llvm::StringRef name,
                                             llvm::StringRef content) {
  auto buffer = llvm::MemoryBuffer::getMemBufferCopy(content, name);
  const bool isBytecode = mlir::isBytecode(buffer->getMemBufferRef());
  if (!isBytecode) {
    const absl::Status nesting = checkNesting(content);
    if (!nesting.ok()) {
      mlir::emitError(mlir::NameLoc::get(mlir::StringAttr::get(context, name)))
          << std::string(nesting.message());
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
  return text;
}

std::string writeBytecode(mlir::ModuleOp module) {
  std::string bytes;
  llvm::raw_string_ostream stream(bytes);
  if (mlir::failed(mlir::writeBytecodeToFile(module, stream))) return "";
  return bytes;
}

}  // namespace thunky::compiler
