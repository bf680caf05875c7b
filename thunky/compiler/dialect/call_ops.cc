// Calls of handlers, and thunks without an operation.
#include "thunky/compiler/dialect/backend_config.h"
#include "thunky/compiler/dialect/payload.h"
#include "thunky/compiler/dialect/proto_attributes.h"
#include "thunky/compiler/dialect/thunky_dialect.h"
#include "thunky/compiler/dialect/verify_kernel_use.h"
#include "thunky/schema/executable_rules.h"
#include "thunky/schema/kinds.h"

namespace thunky::compiler {
namespace {

using NullableSlices = google::protobuf::RepeatedPtrField<wire::NullableShapedSliceProto>;

void writeSlices(ThunkLowering& lowering, mlir::ValueRange buffers,
                 const ShapeList& shapes, bool fresh, NullableSlices& slices) {
  const int count = static_cast<int>(buffers.size());
  while (slices.size() > count) slices.RemoveLast();
  while (slices.size() < count) slices.Add();
  for (int i = 0; i < count; ++i) {
    lowering.setShapedSlice(buffers[i], shapes, i, fresh,
                            *slices[i].mutable_shaped_slice());
  }
}

}  // namespace

llvm::LogicalResult CustomCallOp::lower(ThunkLowering& lowering,
                                        wire::ThunkProto& thunk) {
  const auto operands = static_cast<int64_t>(getNumOperands());
  const auto results = static_cast<int64_t>(getNumResults());
  const auto buffers = static_cast<int64_t>(getBuffers().size());
  if (operands < 0 || results < 0 || operands > buffers ||
      results != buffers - operands) {
    return emitOpError("has ") << buffers << " buffers, num_operands is " << operands
                               << " and num_results " << results
                               << "; together they must be the buffers";
  }
  const ShapeList operandShapes(getOperandShapesAttr(), getOperandLayoutsAttr());
  const ShapeList resultShapes(getResultShapesAttr(), getResultLayoutsAttr());
  if (mlir::failed(operandShapes.verify(*this, operands)) ||
      mlir::failed(resultShapes.verify(*this, results))) {
    return mlir::failure();
  }
  const bool fresh = thunk.impl_case() == wire::ThunkProto::IMPL_NOT_SET;
  wire::CustomCallThunkProto& call = *thunk.mutable_custom_call_thunk();
  call.set_target_name(getTargetName().str());
  call.set_api_version(wire::API_VERSION_TYPED_FFI);
  call.set_use_pdl(getProgrammaticLaunch());
  if (getEmptyState()) call.mutable_execution_state();
  writeSlices(lowering, getBuffers().take_front(operands), operandShapes, fresh,
              *call.mutable_operands());
  writeSlices(lowering, getBuffers().drop_front(operands), resultShapes, fresh,
              *call.mutable_results());
  return writeBackendConfig(*this, getBackendConfig(), *call.mutable_attributes());
}

namespace {

// The code of each kernel in the payload.
llvm::LogicalResult attachPayloadCode(CallThunkProtoOp op, ThunkLowering& lowering,
                                      wire::ThunkProto& thunk) {
  const std::vector<wire::KernelLoaderSpecProto*> kernels = kernelsOf(thunk);
  if (!op.getCode()) return mlir::success();
  const mlir::ArrayAttr code = *op.getCode();
  if (code.size() != kernels.size()) {
    return op.emitOpError("has code for ")
           << code.size() << " kernels; the payload has " << kernels.size();
  }
  for (const auto& [symbol, kernel] : llvm::zip_equal(code, kernels)) {
    if (llvm::isa<mlir::UnitAttr>(symbol)) continue;
    auto reference = llvm::dyn_cast<mlir::FlatSymbolRefAttr>(symbol);
    if (!reference) {
      return op.emitOpError("has ") << symbol << " in code; symbols and unit are allowed";
    }
    if (kernel->payload_case() != wire::KernelLoaderSpecProto::PAYLOAD_NOT_SET) {
      return op.emitOpError("gives kernel '")
             << kernel->kernel_name() << "' the code " << symbol
             << ", but the payload holds code for it";
    }
    if (mlir::failed(lowering.attachCode(op, reference, *kernel))) {
      return mlir::failure();
    }
  }
  return mlir::success();
}

// Kinds that the payload must not be: their thunks belong into regions.
bool hasOwnOperation(schema::ThunkKind kind) {
  switch (kind) {
    case schema::ThunkKind::kSequential:
    case schema::ThunkKind::kConditional:
    case schema::ThunkKind::kWhile:
    case schema::ThunkKind::kAsyncStart:
    case schema::ThunkKind::kAsyncDone:
    case schema::ThunkKind::kCollectiveGroup:
      return true;
    default:
      return false;
  }
}

}  // namespace

llvm::LogicalResult CallThunkProtoOp::lower(ThunkLowering& lowering,
                                            wire::ThunkProto& thunk) {
  thunk.Clear();
  const absl::Status parsed = parseBytes(getThunkProto(), thunk);
  if (!parsed.ok()) {
    return emitOpError("has a payload that is no ThunkProto: ")
           << std::string(parsed.message());
  }
  const wire::ThunkInfoProto& info = thunk.thunk_info();
  if (!info.profile_annotation().empty() || info.thunk_id() != 0 ||
      info.has_concurrent_region_id()) {
    return emitOpError(
        "has a payload with thunk_info; attributes of the operation say "
        "what that would");
  }
  const absl::StatusOr<schema::ThunkKind> kind = schema::KindOf(thunk);
  if (!kind.ok() && thunk.GetReflection()->GetUnknownFields(thunk).empty()) {
    return emitOpError("has a payload that says nothing; a thunk of some kind is needed");
  }
  if (!kind.ok()) return lowering.checkNumbers(*this, getBuffers());
  if (hasOwnOperation(*kind)) {
    return emitOpError("has a ") << schema::KindName(*kind)
                                 << " thunk as its payload; there is an operation for it";
  }
  for (wire::BufferAllocationSliceProto* slice : slicesOf(thunk)) {
    const int64_t index = slice->buffer_allocation_index();
    if (index < 0 || index >= static_cast<int64_t>(getBuffers().size())) {
      return emitOpError("has a payload with a slice of allocation ")
             << index << "; there are " << getBuffers().size() << " operands";
    }
    const int64_t size = resolveBuffer(getBuffers()[index]).size;
    if (slice->offset() < 0 || slice->size() < 0 || slice->size() > size ||
        slice->offset() > size - slice->size()) {
      return emitOpError("has a payload with a slice of ")
             << slice->size() << " bytes at offset " << slice->offset() << " of operand "
             << index << ", which has " << size;
    }
    lowering.setSlice(getBuffers()[index], slice->offset(), slice->size(), *slice);
  }
  return attachPayloadCode(*this, lowering, thunk);
}

llvm::LogicalResult CallThunkProtoOp::verifySymbolUses(
    mlir::SymbolTableCollection& symbols) {
  if (!getCode()) return mlir::success();
  wire::ThunkProto thunk;
  if (!parseBytes(getThunkProto(), thunk).ok()) return mlir::success();
  const std::vector<wire::KernelLoaderSpecProto*> kernels = kernelsOf(thunk);
  for (const auto& [symbol, kernel] : llvm::zip(*getCode(), kernels)) {
    auto reference = llvm::dyn_cast<mlir::FlatSymbolRefAttr>(symbol);
    if (reference && mlir::failed(verifyKernelUse(*this, reference, kernel->kernel_name(),
                                                  kernel->arity(), symbols))) {
      return mlir::failure();
    }
  }
  return mlir::success();
}

}  // namespace thunky::compiler
