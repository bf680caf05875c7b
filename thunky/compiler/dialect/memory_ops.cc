// Buffers, and thunks that fill and copy them.
#include "mlir/IR/AsmState.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "thunky/compiler/dialect/accesses.h"
#include "thunky/compiler/dialect/constant_value.h"
#include "thunky/compiler/dialect/proto_attributes.h"
#include "thunky/compiler/dialect/shapes.h"
#include "thunky/compiler/dialect/thunky_dialect.h"

namespace thunky::compiler {
namespace {

int64_t sizeOf(mlir::Value buffer) {
  return llvm::cast<BufferType>(buffer.getType()).getSize();
}

bool isFresh(const wire::ThunkProto& thunk) {
  return thunk.impl_case() == wire::ThunkProto::IMPL_NOT_SET;
}

bool isDeeperThan(SliceBufferOp slice, int limit) {
  int depth = 0;
  while (slice && slice->getNumOperands() == 1) {
    if (++depth > limit) return true;
    slice = slice->getOperand(0).getDefiningOp<SliceBufferOp>();
  }
  return false;
}

}  // namespace

llvm::LogicalResult SliceBufferOp::verify() {
  const int64_t parent = sizeOf(getSource());
  const int64_t size = sizeOf(getResult());
  const int64_t offset = getOffset();
  if (offset < 0 || size > parent || offset > parent - size) {
    return emitOpError("takes ")
           << size << " bytes at offset " << offset << " of a buffer of " << parent
           << "; a slice must lie inside";
  }
  if (isDeeperThan(*this, kMaxSliceDepth)) {
    return emitOpError("is a slice of a slice, more than ")
           << kMaxSliceDepth << " times; at most so many are allowed";
  }
  return mlir::success();
}

// A slice of everything is the buffer; a slice of a slice is one of its source.
mlir::OpFoldResult SliceBufferOp::fold(FoldAdaptor) {
  if (getOffset() == 0 && getSource().getType() == getResult().getType()) {
    return getSource();
  }
  auto parent = getSource().getDefiningOp<SliceBufferOp>();
  if (!parent) return nullptr;
  setOffset(parent.getOffset() + getOffset());
  getSourceMutable().assign(parent.getSource());
  return getResult();
}

llvm::LogicalResult ConstantOp::verify() {
  if (!llvm::isa<mlir::StringAttr, mlir::DenseElementsAttr,
                 mlir::DenseResourceElementsAttr>(getValue())) {
    return emitOpError("has value ")
           << getValue() << "; a string or dense elements are needed";
  }
  const std::optional<int64_t> size = constantSize(getValue());
  if (!size.has_value()) {
    return emitOpError("has elements that cannot be stored: ")
           << llvm::cast<mlir::ElementsAttr>(getValue()).getElementType()
           << "; integers, floats and complex numbers can";
  }
  if (auto resource = llvm::dyn_cast<mlir::DenseResourceElementsAttr>(getValue())) {
    const mlir::AsmResourceBlob* blob = resource.getRawHandle().getBlob();
    if (blob != nullptr && static_cast<int64_t>(blob->getData().size()) != *size) {
      return emitOpError("has resource '")
             << resource.getRawHandle().getKey() << "' of " << blob->getData().size()
             << " bytes; its type takes " << *size;
    }
  }
  if (*size <= sizeOf(getResult())) return mlir::success();
  return emitOpError("has a value of ")
         << *size << " bytes in a buffer of " << sizeOf(getResult()) << "; it must fit";
}

llvm::LogicalResult MemzeroOp::lower(ThunkLowering& lowering, wire::ThunkProto& thunk) {
  const ShapeList shapes(getShapesAttr(), getLayoutsAttr());
  if (mlir::failed(shapes.verify(*this, 1))) return mlir::failure();
  const bool fresh = isFresh(thunk);
  lowering.setShapedSlice(getDestination(), shapes, 0, fresh,
                          *thunk.mutable_memzero_thunk()->mutable_dest_buffer());
  return mlir::success();
}

llvm::LogicalResult Memset32Op::lower(ThunkLowering& lowering, wire::ThunkProto& thunk) {
  const bool fresh = isFresh(thunk);
  wire::Memset32BitValueThunkProto& fill = *thunk.mutable_memset32bit_value_thunk();
  wire::BufferAllocationSliceProto& slice = *fill.mutable_dest_buffer();
  lowering.setSlice(getDestination(), slice);
  if (getElementType().has_value()) {
    const wire::PrimitiveType type = elementTypeOf(*getElementType());
    if (type == wire::PRIMITIVE_TYPE_INVALID) {
      return emitOpError("has element type ")
             << *getElementType() << ", which executables have no name for";
    }
    slice.set_element_type(type);
  } else if (fresh) {
    slice.set_element_type(wire::U32);
  }
  fill.set_value(static_cast<uint32_t>(getValue()));
  return mlir::success();
}

llvm::LogicalResult CopyOp::lower(ThunkLowering& lowering, wire::ThunkProto& thunk) {
  const ShapeList shapes(getShapesAttr(), getLayoutsAttr());
  if (mlir::failed(shapes.verify(*this, 2))) return mlir::failure();
  const bool fresh = isFresh(thunk);
  wire::CopyThunkProto& copy =
      getPlain() ? *thunk.mutable_copy_thunk()
                 : *thunk.mutable_device_to_device_copy_thunk()->mutable_copy_thunk();
  lowering.setShapedSlice(getSource(), shapes, 0, fresh, *copy.mutable_source_buffer());
  lowering.setShapedSlice(getDestination(), shapes, 1, fresh,
                          *copy.mutable_destination_buffer());
  copy.set_mem_size(sizeOf(getSource()));
  return mlir::success();
}

// Copying a buffer to itself does nothing.
llvm::LogicalResult CopyOp::canonicalize(CopyOp op, mlir::PatternRewriter& rewriter) {
  const BufferRange source = resolveBuffer(op.getSource());
  const BufferRange destination = resolveBuffer(op.getDestination());
  if (source.root != destination.root || source.offset != destination.offset) {
    return mlir::failure();
  }
  rewriter.eraseOp(op);
  return mlir::success();
}

// Two fills of ranges that touch are one.
llvm::LogicalResult MemzeroOp::canonicalize(MemzeroOp op,
                                            mlir::PatternRewriter& rewriter) {
  // What lies between may only be a view: then the order of work is the same.
  mlir::Operation* next = op->getNextNode();
  while (next != nullptr && llvm::isa<SliceBufferOp>(next)) next = next->getNextNode();
  auto second = llvm::dyn_cast_or_null<MemzeroOp>(next);
  if (!second) return mlir::failure();
  BufferRange low = resolveBuffer(op.getDestination());
  BufferRange high = resolveBuffer(second.getDestination());
  if (low.root != high.root) return mlir::failure();
  if (low.offset > high.offset) std::swap(low, high);
  if (low.offset + low.size != high.offset) return mlir::failure();
  // One thunk cannot say two different things about itself.
  for (const llvm::StringRef name : {kRegion, kResidual, kResidualBytes}) {
    if (op->getAttr(name) != second->getAttr(name)) return mlir::failure();
  }
  rewriter.setInsertionPoint(second);
  const auto type = BufferType::get(op.getContext(), low.size + high.size);
  mlir::Value both = low.root;
  if (type != low.root.getType()) {
    both = SliceBufferOp::create(rewriter, op.getLoc(), type, low.root,
                                 rewriter.getI64IntegerAttr(low.offset));
  }
  auto merged =
      MemzeroOp::create(rewriter, rewriter.getFusedLoc({op.getLoc(), second.getLoc()}),
                        both, nullptr, nullptr);
  for (const mlir::NamedAttribute& attribute : op->getDiscardableAttrs()) {
    merged->setDiscardableAttr(attribute.getName(), attribute.getValue());
  }
  rewriter.eraseOp(second);
  rewriter.eraseOp(op);
  return mlir::success();
}

llvm::LogicalResult PartitionIdOp::lower(ThunkLowering& lowering,
                                         wire::ThunkProto& thunk) {
  const bool fresh = isFresh(thunk);
  auto& slice = *thunk.mutable_partition_id_thunk()->mutable_dest_buffer();
  lowering.setSlice(getDestination(), slice);
  if (fresh) slice.set_element_type(wire::U32);
  return mlir::success();
}

llvm::LogicalResult ReplicaIdOp::lower(ThunkLowering& lowering, wire::ThunkProto& thunk) {
  const bool fresh = isFresh(thunk);
  auto& slice = *thunk.mutable_replica_id_thunk()->mutable_dest_buffer();
  lowering.setSlice(getDestination(), slice);
  if (fresh) slice.set_element_type(wire::U32);
  return mlir::success();
}

}  // namespace thunky::compiler
