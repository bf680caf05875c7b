// The operations of @main as thunks.
#ifndef THUNKY_COMPILER_TRANSLATE_PROGRAM_LOWERING_H_
#define THUNKY_COMPILER_TRANSLATE_PROGRAM_LOWERING_H_

#include <cstdint>
#include <string>

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "proto/executable.pb.h"
#include "thunky/compiler/dialect/thunky_dialect.h"
#include "thunky/compiler/translate/code_exporter.h"
#include "thunky/schema/kinds.h"

namespace thunky::compiler {

class ProgramLowering : public ThunkLowering {
 public:
  // `keepAccess`: kernels say what they do with their arguments where the flags do not
  // say enough.
  ProgramLowering(CodeExporter& code, bool keepAccess)
      : code_(code), keepAccess_(keepAccess) {}

  // The number of the allocation of an argument or a constant.
  void setAllocation(mlir::Value root, int64_t number) { allocations_[root] = number; }

  // Appends the thunks of the function's body. Thunk ids count from 1, parents first.
  llvm::LogicalResult lower(mlir::func::FuncOp main, schema::ThunkList& thunks);

  llvm::LogicalResult lowerRegion(
      mlir::Region& region,
      google::protobuf::RepeatedPtrField<wire::ThunkProto>& thunks) override;
  uint64_t asyncIdOf(mlir::Value token) override;
  llvm::LogicalResult attachCode(mlir::Operation* op, mlir::FlatSymbolRefAttr code,
                                 wire::KernelLoaderSpecProto& spec) override;
  llvm::LogicalResult checkNumbers(mlir::Operation* op,
                                   mlir::ValueRange buffers) override;

 protected:
  int64_t allocationOf(mlir::Value root) override;

 private:
  llvm::LogicalResult lowerBlock(mlir::Block& block, schema::ThunkList& thunks);
  llvm::LogicalResult lowerThunk(ThunkOpInterface op, wire::ThunkProto& thunk);

  CodeExporter& code_;
  bool keepAccess_;
  llvm::DenseMap<mlir::Value, int64_t> allocations_;
  llvm::DenseMap<mlir::Value, uint64_t> asyncIds_;
  int64_t nextThunk_ = 1;
  bool unknownRoot_ = false;
};

// What `thunky.annotation` says, followed by the line that called where the location is
// that of a call ("softmax.2 @ app.cc:41"); without one the operation's location: a name,
// or "copy @ file.mlir:12", the line that does the work or else the one that called.
std::string annotationOf(mlir::Operation* op);

}  // namespace thunky::compiler

#endif  // THUNKY_COMPILER_TRANSLATE_PROGRAM_LOWERING_H_
