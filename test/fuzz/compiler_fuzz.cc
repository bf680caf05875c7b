// Any bytes as an executable: what is imported is written as text, read again and
// exported, with the result that import said.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

#include "mlir/IR/MLIRContext.h"
#include "thunky/compiler/library/diagnostics.h"
#include "thunky/compiler/library/module_text.h"
#include "thunky/compiler/translate/export.h"
#include "thunky/compiler/translate/import.h"
#include "thunky/container/executable_file.h"

namespace {

namespace compiler = thunky::compiler;

constexpr thunky::ReadLimits kLimits = {.max_decoded_bytes = uint64_t{4} << 20};

struct Context {
  Context() : mlir(registry(), mlir::MLIRContext::Threading::DISABLED) {
    mlir.loadAllAvailableDialects();
  }
  static mlir::DialectRegistry registry() {
    mlir::DialectRegistry registry;
    compiler::registerDialects(registry);
    return registry;
  }
  std::string diagnostics;
  mlir::MLIRContext mlir;
  compiler::DiagnosticCollector collector{&mlir, diagnostics};
};

[[noreturn]] void fail(const char* what, const Context& context) {
  std::fprintf(stderr, "%s: %s\n", what, context.diagnostics.c_str());
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  auto file = thunky::ReadExecutableFile(bytes, kLimits);
  if (!file.ok()) return 0;
  std::string text;
  {
    Context context;
    const auto module =
        compiler::importExecutable(&context.mlir, "input", *std::move(file));
    if (!module) {
      if (context.diagnostics.empty()) fail("refused without a word", context);
      return 0;
    }
    text = compiler::writeText(*module, /*elide=*/false);
  }
  Context context;
  const auto module = compiler::readModule(&context.mlir, "text", text);
  if (!module) fail("what import wrote is not read", context);
  if (compiler::writeText(*module, false) != text) fail("the text changed", context);
  compiler::ExportOptions options;
  options.code = compiler::CodePlacement::kTable;
  // May be refused, as when a kernel has no code; not silently.
  const auto exported = compiler::exportModule(*module, options, /*complete=*/false);
  if (mlir::failed(exported) && context.diagnostics.empty()) {
    fail("refused without a word", context);
  }
  return 0;
}
