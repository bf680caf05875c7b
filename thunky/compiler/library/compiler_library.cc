// The C interface of thunky/capi/compiler.h.
#include <memory>
#include <string>
#include <utility>

#include "llvm/Config/llvm-config.h"
#include "llvm/Support/raw_ostream.h"
#include "mlir/IR/MLIRContext.h"
#include "thunky/capi/compiler.h"
#include "thunky/code/ptx_library.h"
#include "thunky/compiler/dialect/argument_attributes.h"
#include "thunky/compiler/library/diagnostics.h"
#include "thunky/compiler/library/hazard_json.h"
#include "thunky/compiler/library/module_text.h"
#include "thunky/compiler/transforms/attach_kernels.h"
#include "thunky/compiler/translate/export.h"
#include "thunky/compiler/translate/import.h"
#include "thunky/compiler/translate/program_parts.h"
#include "thunky/container/executable_file.h"
#include "thunky/container/executable_writer.h"

struct thunky_result {
  bool ok = false;
  std::string output;
  std::string diagnostics;
};

namespace thunky::compiler {
namespace {

llvm::StringRef textOf(thunky_bytes bytes) {
  return bytes.size == 0 ? llvm::StringRef() : llvm::StringRef(bytes.data, bytes.size);
}

std::string nameOf(const thunky_file& file) {
  return file.name != nullptr ? file.name : "input";
}

// One call: a context of its own, and a result that collects its diagnostics. Threads
// cost more to start than they save here.
class Call {
 public:
  Call() : context_(registry(), mlir::MLIRContext::Threading::DISABLED) {
    context_.loadAllAvailableDialects();
    // The place is enough: operations can be long, and regions longer.
    context_.printOpOnDiagnostic(false);
  }

  mlir::MLIRContext* context() { return &context_; }

  thunky_result* run(llvm::function_ref<bool(std::string& output)> body) {
    {
      const DiagnosticCollector collector(&context_, result_->diagnostics);
      result_->ok = body(result_->output);
    }
    if (!result_->ok) result_->output.clear();
    return result_.release();
  }

 private:
  static mlir::DialectRegistry registry() {
    mlir::DialectRegistry registry;
    registerDialects(registry);
    return registry;
  }

  mlir::MLIRContext context_;
  std::unique_ptr<thunky_result> result_ = std::make_unique<thunky_result>();
};

bool fail(mlir::MLIRContext* context, const std::string& name,
          const absl::Status& status) {
  mlir::emitError(mlir::NameLoc::get(mlir::StringAttr::get(context, name)))
      << std::string(status.message());
  return false;
}

// Attaches PTX files, if there are any.
bool attach(mlir::ModuleOp module, const thunky_file* files, size_t count) {
  if (count == 0) return true;
  code::PtxLibrary library;
  for (size_t i = 0; i < count; ++i) {
    const std::string name = nameOf(files[i]);
    const absl::Status added = library.Add(name, textOf(files[i].content).str());
    if (!added.ok()) return fail(module.getContext(), name, added);
  }
  return mlir::succeeded(attachKernels(module, library));
}

// Null, with a diagnostic, for what is no executable. No limit: the default.
mlir::OwningOpRef<mlir::ModuleOp> importFile(mlir::MLIRContext* context,
                                             const thunky_file& input,
                                             uint64_t maxDecodedBytes) {
  const std::string name = nameOf(input);
  ReadLimits limits;
  if (maxDecodedBytes != 0) limits.max_decoded_bytes = maxDecodedBytes;
  const llvm::StringRef content = textOf(input.content);
  absl::StatusOr<ExecutableFile> file =
      ReadExecutableFile(std::string_view(content.data(), content.size()), limits);
  if (!file.ok()) {
    fail(context, name, file.status());
    return nullptr;
  }
  return importExecutable(context, name, *std::move(file));
}

// A module with what lies in files beside it. Null, with a diagnostic, when it or one of
// them cannot be read.
mlir::OwningOpRef<mlir::ModuleOp> readFile(mlir::MLIRContext* context,
                                           const thunky_file& input, const char* folder) {
  mlir::OwningOpRef<mlir::ModuleOp> module =
      readModule(context, nameOf(input), textOf(input.content));
  if (!module || mlir::failed(readCodeFiles(*module, folder != nullptr ? folder : ""))) {
    return nullptr;
  }
  return module;
}

bool importInto(mlir::MLIRContext* context, const thunky_file& input,
                const thunky_import_options& options, std::string& output) {
  mlir::OwningOpRef<mlir::ModuleOp> module =
      importFile(context, input, options.max_decoded_bytes);
  if (!module || !attach(*module, options.kernels, options.kernel_count)) return false;
  output = options.format == THUNKY_MODULE_BYTECODE
               ? writeBytecode(*module)
               : writeText(*module, options.format == THUNKY_MODULE_TEXT_ELIDED);
  return true;
}

CodePlacement placementOf(const thunky_export_options& options) {
  if (options.form == THUNKY_EXPORT_RUNTIME) return CodePlacement::kTable;
  switch (options.code) {
    case THUNKY_EXPORT_CUBIN:
      return CodePlacement::kCubin;
    case THUNKY_EXPORT_PTX:
      return CodePlacement::kPtx;
    default:
      return CodePlacement::kCubinFirst;
  }
}

bool exportInto(mlir::MLIRContext* context, const thunky_file& input,
                const thunky_export_options& options, std::string& output) {
  const std::string name = nameOf(input);
  mlir::OwningOpRef<mlir::ModuleOp> module =
      readFile(context, input, options.base_folder);
  if (!module || !attach(*module, options.kernels, options.kernel_count)) return false;
  ExportOptions target;
  target.code = placementOf(options);
  if (options.compute_capability != nullptr) {
    target.computeCapability = options.compute_capability;
  }
  const bool complete = options.form == THUNKY_EXPORT_COMPLETE;
  mlir::FailureOr<ExecutableFile> file = exportModule(*module, target, complete);
  if (mlir::failed(file)) return false;
  ExecutableWriteOptions write;
  write.kind = complete ? ExecutableKind::kComplete : ExecutableKind::kBinaryProto;
  absl::StatusOr<std::string> bytes = WriteExecutableFile(*file, write);
  if (!bytes.ok()) return fail(context, name, bytes.status());
  output = *std::move(bytes);
  return true;
}

bool checkInto(mlir::MLIRContext* context, const thunky_file& input,
               const thunky_check_options& options, std::string& output) {
  mlir::OwningOpRef<mlir::ModuleOp> module =
      options.executable != 0 ? importFile(context, input, options.max_decoded_bytes)
                              : readFile(context, input, options.base_folder);
  if (!module || !attach(*module, options.kernels, options.kernel_count)) return false;
  const mlir::FailureOr<mlir::func::FuncOp> main = inlinedMain(*module);
  if (mlir::failed(main)) return false;
  const mlir::FailureOr<HazardReport> report = findHazards(*main);
  if (mlir::failed(report)) return false;
  output = hazardsAsJson(*report);
  return true;
}

}  // namespace
}  // namespace thunky::compiler

using thunky::compiler::Call;

extern "C" {

uint32_t thunky_compiler_abi_version(void) { return THUNKY_COMPILER_ABI_VERSION; }

const char* thunky_compiler_llvm_version(void) { return LLVM_VERSION_STRING; }

thunky_result* thunky_compiler_import(thunky_file executable,
                                      const thunky_import_options* options) {
  Call call;
  return call.run([&](std::string& output) {
    return thunky::compiler::importInto(call.context(), executable, *options, output);
  });
}

thunky_result* thunky_compiler_export(thunky_file module,
                                      const thunky_export_options* options) {
  Call call;
  return call.run([&](std::string& output) {
    return thunky::compiler::exportInto(call.context(), module, *options, output);
  });
}

thunky_result* thunky_compiler_check(thunky_file program,
                                     const thunky_check_options* options) {
  Call call;
  return call.run([&](std::string& output) {
    return thunky::compiler::checkInto(call.context(), program, *options, output);
  });
}

int thunky_result_ok(const thunky_result* result) { return result->ok ? 1 : 0; }

thunky_bytes thunky_result_output(const thunky_result* result) {
  return {result->output.data(), result->output.size()};
}

thunky_bytes thunky_result_diagnostics(const thunky_result* result) {
  return {result->diagnostics.data(), result->diagnostics.size()};
}

void thunky_result_free(thunky_result* result) { delete result; }

}  // extern "C"
