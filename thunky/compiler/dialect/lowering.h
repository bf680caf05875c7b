// What operations need in order to say themselves as thunks.
#ifndef THUNKY_COMPILER_DIALECT_LOWERING_H_
#define THUNKY_COMPILER_DIALECT_LOWERING_H_

#include <cstdint>
#include <optional>

#include "google/protobuf/repeated_ptr_field.h"
#include "llvm/ADT/ArrayRef.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Region.h"
#include "mlir/IR/Value.h"
#include "mlir/IR/ValueRange.h"
#include "proto/thunk.pb.h"

namespace thunky::compiler {

// The attributes `shapes` and `layouts` of an operation: an array type for each of its
// buffers, or for none.
class ShapeList {
 public:
  // Either may be null.
  ShapeList(mlir::ArrayAttr shapes, mlir::ArrayAttr layouts)
      : shapes_(shapes), layouts_(layouts) {}

  // Fails with a diagnostic of `op` unless there are no shapes, or one for each of
  // `count` buffers that is a ranked tensor of a known element type and static shape,
  // with a layout that is a permutation of its dimensions.
  llvm::LogicalResult verify(mlir::Operation* op, size_t count) const;

  bool empty() const { return !shapes_; }
  // These require !empty() and verify(). The type of buffer `index`:
  mlir::RankedTensorType operator[](size_t index) const;
  void write(size_t index, wire::ShapeProto& shape) const;

 private:
  mlir::ArrayAttr shapes_;
  mlir::ArrayAttr layouts_;
};

// Gives operations the numbers that mean something only as part of a program.
class ThunkLowering {
 public:
  virtual ~ThunkLowering() = default;

  // The thunks of a region, appended to `thunks`.
  virtual llvm::LogicalResult lowerRegion(
      mlir::Region& region,
      google::protobuf::RepeatedPtrField<wire::ThunkProto>& thunks) = 0;
  // The id that ties an async_start to its async_done.
  virtual uint64_t asyncIdOf(mlir::Value token) = 0;
  // Makes `spec` use the code of the symbol. Fails with a diagnostic of `op`.
  virtual llvm::LogicalResult attachCode(mlir::Operation* op,
                                         mlir::FlatSymbolRefAttr code,
                                         wire::KernelLoaderSpecProto& spec) = 0;

  // For a thunk that nobody can look into, and that may refer to allocations by their
  // numbers: fails with a diagnostic of `op` unless `buffers` are the first allocations
  // of the program, each whole, in the order of their numbers. Where nothing is numbered
  // there is nothing to check.
  virtual llvm::LogicalResult checkNumbers(mlir::Operation* op, mlir::ValueRange buffers);

  // Index, offset and size of the buffer; the element type stays.
  void setSlice(mlir::Value buffer, wire::BufferAllocationSliceProto& slice);
  // The same for a part of a buffer.
  virtual void setSlice(mlir::Value buffer, int64_t offset, int64_t size,
                        wire::BufferAllocationSliceProto& slice);
  // Slice and shape: the one of the list, else, where `fresh` says that `shaped` has no
  // history, u8[N], else the one that is there.
  void setShapedSlice(mlir::Value buffer, const ShapeList& shapes, size_t index,
                      bool fresh, wire::ShapedSliceProto& shaped);

 protected:
  // The number of the allocation of a root buffer.
  virtual int64_t allocationOf(mlir::Value root) = 0;
};

}  // namespace thunky::compiler

#endif  // THUNKY_COMPILER_DIALECT_LOWERING_H_
