// The pass thunky-attach-kernels.
#include <algorithm>

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "thunky/compiler/transforms/attach_kernels.h"
#include "thunky/compiler/transforms/passes.h"

namespace thunky::compiler {

#define GEN_PASS_DEF_ATTACHKERNELSPASS
#include "thunky/compiler/transforms/passes.h.inc"

namespace {

class AttachKernelsPass : public impl::AttachKernelsPassBase<AttachKernelsPass> {
 public:
  using AttachKernelsPassBase::AttachKernelsPassBase;

  void runOnOperation() override {
    mlir::ModuleOp module = getOperation();
    code::PtxLibrary library;
    for (const std::string& path : kernels) {
      if (mlir::failed(addPath(module, path, library))) return signalPassFailure();
    }
    if (mlir::failed(readCodeFiles(module, folder)) ||
        mlir::failed(attachKernels(module, library))) {
      signalPassFailure();
    }
  }

 private:
  llvm::LogicalResult addFile(mlir::ModuleOp module, const std::string& path,
                              code::PtxLibrary& library) {
    absl::StatusOr<std::string> content = readCodeFile(path);
    if (!content.ok()) {
      return module.emitError(path) << ": " << std::string(content.status().message());
    }
    const absl::Status added = library.Add(path, *std::move(content));
    if (!added.ok()) return module.emitError(std::string(added.message()));
    return mlir::success();
  }

  llvm::LogicalResult addPath(mlir::ModuleOp module, const std::string& path,
                              code::PtxLibrary& library) {
    if (!llvm::sys::fs::is_directory(path)) return addFile(module, path, library);
    std::vector<std::string> files;
    std::error_code error;
    for (llvm::sys::fs::directory_iterator entry(path, error), end;
         entry != end && !error; entry.increment(error)) {
      if (llvm::sys::path::extension(entry->path()) == ".ptx") {
        files.push_back(entry->path());
      }
    }
    if (error) return module.emitError(path) << ": " << error.message();
    if (files.empty()) return module.emitError(path) << ": no *.ptx file is in it";
    std::sort(files.begin(), files.end());
    for (const std::string& file : files) {
      if (mlir::failed(addFile(module, file, library))) return mlir::failure();
    }
    return mlir::success();
  }
};

}  // namespace
}  // namespace thunky::compiler
