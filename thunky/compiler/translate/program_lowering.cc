#include "thunky/compiler/translate/program_lowering.h"

#include <optional>

#include "thunky/compiler/dialect/payload.h"
#include "thunky/compiler/dialect/proto_attributes.h"
#include "thunky/compiler/dialect/source_place.h"
#include "thunky/compiler/translate/access_modes.h"

namespace thunky::compiler {
namespace {

std::string at(llvm::StringRef name, const mlir::FileLineColLoc& file) {
  return name.str() + " @ " + file.getFilename().str() + ":" +
         std::to_string(file.getLine());
}

}  // namespace

std::string annotationOf(mlir::Operation* op) {
  const SourcePlace place = sourcePlaceOf(op->getLoc());
  const std::string kind = op->getName().stripDialect().str();
  if (auto annotation = op->getAttrOfType<mlir::StringAttr>(kAnnotation)) {
    // A program that was merged: what it calls the thunk, and the line that merged it.
    const llvm::StringRef name = annotation.getValue();
    return place.call.has_value() ? at(name.empty() ? kind : name, *place.call)
                                  : name.str();
  }
  // Of an inlined call, the line that does the work.
  const auto file = place.file.has_value() ? place.file : place.call;
  if (!file.has_value()) return place.name;
  return at(place.name.empty() ? kind : place.name, *file);
}

llvm::LogicalResult ProgramLowering::lower(mlir::func::FuncOp main,
                                           schema::ThunkList& thunks) {
  return lowerBlock(main.getBody().front(), thunks);
}

llvm::LogicalResult ProgramLowering::lowerRegion(mlir::Region& region,
                                                 schema::ThunkList& thunks) {
  return lowerBlock(region.front(), thunks);
}

llvm::LogicalResult ProgramLowering::lowerBlock(mlir::Block& block,
                                                schema::ThunkList& thunks) {
  for (mlir::Operation& op : block) {
    // Views and constants are part of the slices that use them.
    if (llvm::isa<SliceBufferOp, ConstantOp, YieldOp, mlir::func::ReturnOp>(op)) {
      continue;
    }
    auto thunk = llvm::dyn_cast<ThunkOpInterface>(op);
    if (!thunk) {
      return op.emitOpError(
          "cannot become a thunk; operations of the thunky dialect and "
          "calls that can be inlined can");
    }
    if (mlir::failed(lowerThunk(thunk, *thunks.Add()))) return mlir::failure();
  }
  return mlir::success();
}

llvm::LogicalResult ProgramLowering::lowerThunk(ThunkOpInterface op,
                                                wire::ThunkProto& thunk) {
  if (mlir::failed(readResidual(op, thunk))) return mlir::failure();
  const int64_t id = nextThunk_++;
  unknownRoot_ = false;
  if (mlir::failed(op.lower(*this, thunk))) return mlir::failure();
  if (unknownRoot_) {
    return op->emitOpError(
        "uses a buffer that is neither an argument of @main nor a "
        "constant nor a slice of one");
  }
  wire::ThunkInfoProto& info = *thunk.mutable_thunk_info();
  info.set_thunk_id(id);
  info.set_profile_annotation(annotationOf(op));
  if (auto region = op->getAttrOfType<mlir::IntegerAttr>(kRegion)) {
    info.set_concurrent_region_id(region.getInt());
  }
  if (thunk.has_custom_kernel_thunk()) {
    wire::CustomKernelThunkProto& launch = *thunk.mutable_custom_kernel_thunk();
    dropImpliedAccess(launch);
    if (!keepAccess_) launch.clear_thunky_access();
  }
  if (llvm::isa<CallThunkProtoOp>(op.getOperation())) {
    for (wire::ThunkProto* embedded : embeddedThunksOf(thunk)) {
      embedded->mutable_thunk_info()->set_thunk_id(nextThunk_++);
    }
  }
  return mlir::success();
}

uint64_t ProgramLowering::asyncIdOf(mlir::Value token) {
  return asyncIds_.try_emplace(token, asyncIds_.size() + 1).first->second;
}

llvm::LogicalResult ProgramLowering::attachCode(mlir::Operation* op,
                                                mlir::FlatSymbolRefAttr code,
                                                wire::KernelLoaderSpecProto& spec) {
  return code_.attach(op, code, spec);
}

llvm::LogicalResult ProgramLowering::checkNumbers(mlir::Operation* op,
                                                  mlir::ValueRange buffers) {
  for (const auto& [i, buffer] : llvm::enumerate(buffers)) {
    const BufferRange range = resolveBuffer(buffer);
    const auto number = static_cast<int64_t>(i);
    const bool isWhole =
        range.offset == 0 &&
        range.size == llvm::cast<BufferType>(range.root.getType()).getSize();
    const int64_t found = allocationOf(range.root);
    if (found == number && isWhole) continue;
    return op->emitOpError(
               "is a thunk of a kind this build does not know, which may refer to any "
               "allocation by its number, so they must stay as they were; operand ")
           << i << " is " << (isWhole ? "" : "a part of ") << "allocation " << found;
  }
  return mlir::success();
}

int64_t ProgramLowering::allocationOf(mlir::Value root) {
  const auto found = allocations_.find(root);
  if (found != allocations_.end()) return found->second;
  unknownRoot_ = true;
  return 0;
}

}  // namespace thunky::compiler
