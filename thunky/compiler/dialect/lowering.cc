#include "thunky/compiler/dialect/lowering.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Operation.h"
#include "thunky/compiler/dialect/accesses.h"
#include "thunky/compiler/dialect/shapes.h"

namespace thunky::compiler {
namespace {

// A bare type is a scalar.
mlir::RankedTensorType tensorOf(mlir::Attribute attribute) {
  const mlir::Type type = llvm::cast<mlir::TypeAttr>(attribute).getValue();
  if (auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(type)) return tensor;
  if (elementTypeOf(type) == wire::PRIMITIVE_TYPE_INVALID) return nullptr;
  return mlir::RankedTensorType::get({}, type);
}

bool isPermutation(llvm::ArrayRef<int64_t> order, int64_t rank) {
  llvm::SmallVector<int64_t> sorted(order);
  llvm::sort(sorted);
  for (int64_t i = 0; i < static_cast<int64_t>(sorted.size()); ++i) {
    if (sorted[i] != i) return false;
  }
  return static_cast<int64_t>(order.size()) == rank;
}

}  // namespace

llvm::LogicalResult ShapeList::verify(mlir::Operation* op, size_t count) const {
  if (!shapes_ && layouts_) return op->emitOpError("has layouts but no shapes");
  if (!shapes_) return mlir::success();
  if (shapes_.size() != count) {
    return op->emitOpError("has ") << shapes_.size() << " shapes for " << count
                                   << " buffers; there must be one for each, or none";
  }
  if (layouts_ && layouts_.size() != count) {
    return op->emitOpError("has ") << layouts_.size() << " layouts for " << count
                                   << " shapes; there must be one for each, or none";
  }
  for (size_t i = 0; i < count; ++i) {
    const mlir::RankedTensorType type = tensorOf(shapes_[i]);
    if (!type || !type.hasStaticShape() || type.getEncoding() ||
        elementTypeOf(type.getElementType()) == wire::PRIMITIVE_TYPE_INVALID) {
      return op->emitOpError("has shape ")
             << shapes_[i] << "; a tensor of static shape and known element type is "
             << "needed";
    }
    if (!layouts_) continue;
    const auto layout = llvm::cast<mlir::DenseI64ArrayAttr>(layouts_[i]);
    if (!isPermutation(layout.asArrayRef(), type.getRank())) {
      return op->emitOpError("has layout ")
             << layout << " for " << type << "; each dimension must be there once";
    }
  }
  return mlir::success();
}

mlir::RankedTensorType ShapeList::operator[](size_t index) const {
  return tensorOf(shapes_[index]);
}

void ShapeList::write(size_t index, wire::ShapeProto& shape) const {
  const mlir::RankedTensorType type = tensorOf(shapes_[index]);
  if (!layouts_) return writeShape(type, shape);
  const auto layout = llvm::cast<mlir::DenseI64ArrayAttr>(layouts_[index]);
  writeShape(type, layout.asArrayRef(), shape);
}

llvm::LogicalResult ThunkLowering::checkNumbers(mlir::Operation*, mlir::ValueRange) {
  return mlir::success();
}

void ThunkLowering::setSlice(mlir::Value buffer,
                             wire::BufferAllocationSliceProto& slice) {
  setSlice(buffer, 0, resolveBuffer(buffer).size, slice);
}

void ThunkLowering::setSlice(mlir::Value buffer, int64_t offset, int64_t size,
                             wire::BufferAllocationSliceProto& slice) {
  const BufferRange range = resolveBuffer(buffer);
  slice.set_buffer_allocation_index(allocationOf(range.root));
  slice.set_offset(range.offset + offset);
  slice.set_size(size);
}

void ThunkLowering::setShapedSlice(mlir::Value buffer, const ShapeList& shapes,
                                   size_t index, bool fresh,
                                   wire::ShapedSliceProto& shaped) {
  setSlice(buffer, *shaped.mutable_slice());
  if (!shapes.empty()) {
    shapes.write(index, *shaped.mutable_shape());
  } else if (fresh) {
    writeShape(wire::U8, resolveBuffer(buffer).size, *shaped.mutable_shape());
  } else {
    return;
  }
  shaped.mutable_slice()->set_element_type(shaped.shape().element_type());
}

}  // namespace thunky::compiler
