#include "thunky/compiler/dialect/shapes.h"

#include <numeric>

#include "google/protobuf/message.h"
#include "llvm/ADT/STLExtras.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "thunky/schema/tensor_type.h"

namespace thunky::compiler {
namespace {

// Both directions read one list of these.
struct ElementType {
  wire::PrimitiveType primitive;
  mlir::Type (*make)(mlir::MLIRContext* context);
  bool (*is)(mlir::Type type);
};

template <unsigned kWidth, mlir::IntegerType::SignednessSemantics kSign>
struct Integer {
  static mlir::Type make(mlir::MLIRContext* context) {
    return mlir::IntegerType::get(context, kWidth, kSign);
  }
  static bool is(mlir::Type type) {
    auto integer = llvm::dyn_cast<mlir::IntegerType>(type);
    return integer && integer.getWidth() == kWidth && integer.getSignedness() == kSign;
  }
};

template <unsigned kWidth>
using Signed = Integer<kWidth, mlir::IntegerType::Signless>;
template <unsigned kWidth>
using Unsigned = Integer<kWidth, mlir::IntegerType::Unsigned>;

template <typename Type>
struct Float {
  static mlir::Type make(mlir::MLIRContext* context) { return Type::get(context); }
  static bool is(mlir::Type type) { return llvm::isa<Type>(type); }
};

template <typename Type>
struct Complex {
  static mlir::Type make(mlir::MLIRContext* context) {
    return mlir::ComplexType::get(Type::get(context));
  }
  static bool is(mlir::Type type) {
    auto complex = llvm::dyn_cast<mlir::ComplexType>(type);
    return complex && llvm::isa<Type>(complex.getElementType());
  }
};

template <typename Type>
constexpr ElementType entry(wire::PrimitiveType primitive) {
  return {primitive, Type::make, Type::is};
}

// s1 and pred would both be i1: a signed bit has the explicit sign.
constexpr ElementType kElementTypes[] = {
    entry<Signed<1>>(wire::PRED),
    entry<Integer<1, mlir::IntegerType::Signed>>(wire::S1),
    entry<Signed<2>>(wire::S2),
    entry<Signed<4>>(wire::S4),
    entry<Signed<8>>(wire::S8),
    entry<Signed<16>>(wire::S16),
    entry<Signed<32>>(wire::S32),
    entry<Signed<64>>(wire::S64),
    entry<Unsigned<1>>(wire::U1),
    entry<Unsigned<2>>(wire::U2),
    entry<Unsigned<4>>(wire::U4),
    entry<Unsigned<8>>(wire::U8),
    entry<Unsigned<16>>(wire::U16),
    entry<Unsigned<32>>(wire::U32),
    entry<Unsigned<64>>(wire::U64),
    entry<Float<mlir::Float16Type>>(wire::F16),
    entry<Float<mlir::Float32Type>>(wire::F32),
    entry<Float<mlir::BFloat16Type>>(wire::BF16),
    entry<Float<mlir::Float64Type>>(wire::F64),
    entry<Float<mlir::Float8E5M2Type>>(wire::F8E5M2),
    entry<Float<mlir::Float8E4M3Type>>(wire::F8E4M3),
    entry<Float<mlir::Float8E4M3FNType>>(wire::F8E4M3FN),
    entry<Float<mlir::Float8E4M3B11FNUZType>>(wire::F8E4M3B11FNUZ),
    entry<Float<mlir::Float8E3M4Type>>(wire::F8E3M4),
    entry<Float<mlir::Float8E5M2FNUZType>>(wire::F8E5M2FNUZ),
    entry<Float<mlir::Float8E4M3FNUZType>>(wire::F8E4M3FNUZ),
    entry<Float<mlir::Float4E2M1FNType>>(wire::F4E2M1FN),
    entry<Float<mlir::Float8E8M0FNUType>>(wire::F8E8M0FNU),
    entry<Float<mlir::Float6E3M2FNType>>(wire::F6E3M2FN),
    entry<Float<mlir::Float6E2M3FNType>>(wire::F6E2M3FN),
    entry<Complex<mlir::Float32Type>>(wire::C64),
    entry<Complex<mlir::Float64Type>>(wire::C128),
};

bool hasUnknownFields(const google::protobuf::Message& message) {
  return !message.GetReflection()->GetUnknownFields(message).empty();
}

// Bits the layout states for an element: those of one below a byte, which lie packed;
// 0, which means whole bytes, for the others.
int64_t packedBits(wire::PrimitiveType type) {
  const absl::StatusOr<int> bits = schema::ElementBits(type);
  return bits.ok() && *bits < 8 ? *bits : 0;
}

// What jaxlib writes for a dense array, and nothing else, apart from the order of
// the dimensions.
bool isPlainLayout(const wire::LayoutProto& layout, wire::PrimitiveType type) {
  return layout.dim_level_types().empty() && layout.dim_unique().empty() &&
         layout.dim_ordered().empty() && layout.tiles().empty() &&
         layout.tail_padding_alignment_in_elements() == 1 &&
         layout.element_size_in_bits() == packedBits(type) &&
         layout.memory_space() == 0 &&
         layout.index_primitive_type() == wire::PRIMITIVE_TYPE_INVALID &&
         layout.pointer_primitive_type() == wire::PRIMITIVE_TYPE_INVALID &&
         !layout.has_physical_shape() &&
         layout.dynamic_shape_metadata_prefix_bytes() == 0 &&
         layout.split_configs().empty() && !hasUnknownFields(layout);
}

bool isPermutation(llvm::ArrayRef<int64_t> order, size_t rank) {
  if (order.size() != rank) return false;
  llvm::SmallVector<bool> seen(rank, false);
  for (const int64_t dimension : order) {
    if (dimension < 0 || dimension >= static_cast<int64_t>(rank)) return false;
    if (seen[dimension]) return false;
    seen[dimension] = true;
  }
  return true;
}

llvm::SmallVector<int64_t> rowMajor(size_t rank) {
  llvm::SmallVector<int64_t> order(rank);
  std::iota(order.rbegin(), order.rend(), 0);
  return order;
}

}  // namespace

wire::PrimitiveType elementTypeOf(mlir::Type type) {
  if (!type) return wire::PRIMITIVE_TYPE_INVALID;
  for (const ElementType& element : kElementTypes) {
    if (element.is(type)) return element.primitive;
  }
  return wire::PRIMITIVE_TYPE_INVALID;
}

mlir::Type elementTypeOf(mlir::MLIRContext* context, wire::PrimitiveType type) {
  for (const ElementType& element : kElementTypes) {
    if (element.primitive == type) return element.make(context);
  }
  return nullptr;
}

bool ArrayType::isRowMajor() const {
  return llvm::equal(minorToMajor, rowMajor(minorToMajor.size()));
}

std::optional<ArrayType> arrayTypeOf(mlir::MLIRContext* context,
                                     const wire::ShapeProto& shape) {
  const mlir::Type element = elementTypeOf(context, shape.element_type());
  const int rank = shape.dimensions_size();
  if (!element || !shape.tuple_shapes().empty() || !shape.has_layout() ||
      shape.is_dynamic_dimension_size() != rank || hasUnknownFields(shape) ||
      !isPlainLayout(shape.layout(), shape.element_type())) {
    return std::nullopt;
  }
  if (llvm::is_contained(shape.is_dynamic_dimension(), true) ||
      llvm::any_of(shape.dimensions(), [](int64_t size) { return size < 0; })) {
    return std::nullopt;
  }
  ArrayType array;
  array.minorToMajor.assign(shape.layout().minor_to_major().begin(),
                            shape.layout().minor_to_major().end());
  if (!isPermutation(array.minorToMajor, rank)) return std::nullopt;
  array.type = mlir::RankedTensorType::get(
      llvm::ArrayRef(shape.dimensions().data(), rank), element);
  return array;
}

void writeShape(wire::PrimitiveType elementType, llvm::ArrayRef<int64_t> dimensions,
                wire::ShapeProto& shape) {
  shape.Clear();
  shape.set_element_type(elementType);
  for (const int64_t size : dimensions) {
    shape.add_dimensions(size);
    shape.add_is_dynamic_dimension(false);
  }
  wire::LayoutProto& layout = *shape.mutable_layout();
  layout.set_tail_padding_alignment_in_elements(1);
  layout.set_element_size_in_bits(packedBits(elementType));
  for (const int64_t dimension : rowMajor(dimensions.size())) {
    layout.add_minor_to_major(dimension);
  }
}

void writeShape(mlir::RankedTensorType type, wire::ShapeProto& shape) {
  writeShape(elementTypeOf(type.getElementType()), type.getShape(), shape);
}

void writeShape(mlir::RankedTensorType type, llvm::ArrayRef<int64_t> minorToMajor,
                wire::ShapeProto& shape) {
  writeShape(type, shape);
  shape.mutable_layout()->mutable_minor_to_major()->Assign(minorToMajor.begin(),
                                                           minorToMajor.end());
}

}  // namespace thunky::compiler
