// Kernel code of a module as an executable wants it.
#ifndef THUNKY_COMPILER_TRANSLATE_CODE_EXPORTER_H_
#define THUNKY_COMPILER_TRANSLATE_CODE_EXPORTER_H_

#include <map>
#include <optional>
#include <string>

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"
#include "proto/executable.pb.h"
#include "thunky/compiler/dialect/thunky_dialect.h"

namespace thunky::compiler {

enum class CodePlacement {
  kTable,       // once, in the private table
  kCubinFirst,  // in each kernel: the cubin where there is one, else PTX
  kCubin,       // in each kernel: the cubin, or an error
  kPtx,         // in each kernel: PTX, or an error
};

class CodeExporter {
 public:
  // `architecture` ("sm_90a") picks among cubins; empty: there must be only one.
  CodeExporter(mlir::ModuleOp module, CodePlacement placement, std::string architecture);

  // Gives `spec` the code. Fails with a diagnostic of `op`.
  llvm::LogicalResult attach(mlir::Operation* op, mlir::FlatSymbolRefAttr symbol,
                             wire::KernelLoaderSpecProto& spec);

  // Moves the private table into the executable.
  void finish(wire::GpuExecutableProto& executable);

 private:
  llvm::LogicalResult attachPayload(mlir::Operation* op, KernelCodeOp code,
                                    wire::KernelLoaderSpecProto& spec);
  // Null when there is none for the architecture.
  mlir::Attribute cubinOf(KernelCodeOp code) const;

  mlir::SymbolTable symbols_;
  CodePlacement placement_;
  std::string architecture_;
  llvm::DenseMap<mlir::Attribute, std::string> hashes_;
  std::map<std::string, wire::KernelCodeProto> table_;  // by hash
};

}  // namespace thunky::compiler

#endif  // THUNKY_COMPILER_TRANSLATE_CODE_EXPORTER_H_
