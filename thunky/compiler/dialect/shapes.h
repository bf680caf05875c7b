// Array types of MLIR and shapes of XLA.
#ifndef THUNKY_COMPILER_DIALECT_SHAPES_H_
#define THUNKY_COMPILER_DIALECT_SHAPES_H_

#include <cstdint>
#include <optional>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "mlir/IR/BuiltinTypes.h"
#include "proto/shape.pb.h"

namespace thunky::compiler {

// The element type; PRIMITIVE_TYPE_INVALID for a type that XLA has no name for.
// Signless integers are XLA's signed ones, i1 is pred.
wire::PrimitiveType elementTypeOf(mlir::Type type);
// Null for what is no element of an array.
mlir::Type elementTypeOf(mlir::MLIRContext* context, wire::PrimitiveType type);

struct ArrayType {
  mlir::RankedTensorType type;
  llvm::SmallVector<int64_t> minorToMajor;

  bool isRowMajor() const;
};

// The type, when it says all that the shape does: a dense array with a layout and
// static dimensions as jaxlib writes it, nothing else.
std::optional<ArrayType> arrayTypeOf(mlir::MLIRContext* context,
                                     const wire::ShapeProto& shape);

// The shape as jaxlib writes it. The element type must be a known one, the shape static
// and `minorToMajor` a permutation.
void writeShape(mlir::RankedTensorType type, llvm::ArrayRef<int64_t> minorToMajor,
                wire::ShapeProto& shape);
// Row-major.
void writeShape(mlir::RankedTensorType type, wire::ShapeProto& shape);
void writeShape(wire::PrimitiveType elementType, llvm::ArrayRef<int64_t> dimensions,
                wire::ShapeProto& shape);

}  // namespace thunky::compiler

#endif  // THUNKY_COMPILER_DIALECT_SHAPES_H_
