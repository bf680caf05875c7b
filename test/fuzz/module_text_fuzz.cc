// Any text as a module: read, verified, checked for hazards and exported. MLIR's own
// parser is part of it, for want of another way in.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "mlir/IR/MLIRContext.h"
#include "thunky/compiler/analysis/hazards.h"
#include "thunky/compiler/library/diagnostics.h"
#include "thunky/compiler/library/module_text.h"
#include "thunky/compiler/translate/export.h"
#include "thunky/compiler/translate/program_parts.h"

namespace {

namespace compiler = thunky::compiler;

mlir::DialectRegistry registry() {
  mlir::DialectRegistry registry;
  compiler::registerDialects(registry);
  return registry;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const llvm::StringRef text(reinterpret_cast<const char*>(data), size);
  // Bytecode is trusted.
  if (text.starts_with("ML\xefR")) return 0;
  std::string diagnostics;
  mlir::MLIRContext context(registry(), mlir::MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  const compiler::DiagnosticCollector collector(&context, diagnostics);
  auto module = compiler::readModule(&context, "text", text);
  if (module) {
    const auto main = compiler::inlinedMain(*module);
    if (mlir::succeeded(main)) (void)compiler::findHazards(*main);
  }
  compiler::ExportOptions options;
  options.code = compiler::CodePlacement::kTable;
  if (module &&
      mlir::succeeded(compiler::exportModule(*module, options, /*complete=*/false))) {
    return 0;
  }
  if (diagnostics.empty()) {
    std::fprintf(stderr, "refused without a word\n");
    std::abort();
  }
  return 0;
}
