#include "thunky/compiler/dialect/backend_config.h"

#include <limits>
#include <optional>
#include <string>
#include <type_traits>

#include "llvm/ADT/StringExtras.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Diagnostics.h"

namespace thunky::compiler {
namespace {

using wire::ArrayProto;
using wire::ScalarProto;

// Dictionaries nested deeper are refused.
constexpr int kMaxDepth = 32;

// An integer type of XLA's attributes: how it looks in MLIR, and where the messages
// keep it. The widths below 32 bits are kept in wider fields.
template <typename T, typename Stored>
struct IntegerKind {
  using Value = T;
  void (ScalarProto::*setScalar)(Stored);
  google::protobuf::RepeatedField<Stored>* (*values)(ArrayProto&);

  static mlir::IntegerType type(mlir::MLIRContext* context) {
    return mlir::IntegerType::get(
        context, std::numeric_limits<T>::digits + (std::is_signed_v<T> ? 1 : 0),
        std::is_signed_v<T> ? mlir::IntegerType::Signless : mlir::IntegerType::Unsigned);
  }
};

template <typename Function>
void forEachInteger(Function&& function) {
  function(IntegerKind<int8_t, int32_t>{&ScalarProto::set_i8, [](ArrayProto& a) {
                                          return a.mutable_i8()->mutable_values();
                                        }});
  function(IntegerKind<int16_t, int32_t>{&ScalarProto::set_i16, [](ArrayProto& a) {
                                           return a.mutable_i16()->mutable_values();
                                         }});
  function(IntegerKind<int32_t, int32_t>{&ScalarProto::set_i32, [](ArrayProto& a) {
                                           return a.mutable_i32()->mutable_values();
                                         }});
  function(IntegerKind<int64_t, int64_t>{&ScalarProto::set_i64, [](ArrayProto& a) {
                                           return a.mutable_i64()->mutable_values();
                                         }});
  function(IntegerKind<uint8_t, uint32_t>{&ScalarProto::set_u8, [](ArrayProto& a) {
                                            return a.mutable_u8()->mutable_values();
                                          }});
  function(IntegerKind<uint16_t, uint32_t>{&ScalarProto::set_u16, [](ArrayProto& a) {
                                             return a.mutable_u16()->mutable_values();
                                           }});
  function(IntegerKind<uint32_t, uint32_t>{&ScalarProto::set_u32, [](ArrayProto& a) {
                                             return a.mutable_u32()->mutable_values();
                                           }});
  function(IntegerKind<uint64_t, uint64_t>{&ScalarProto::set_u64, [](ArrayProto& a) {
                                             return a.mutable_u64()->mutable_values();
                                           }});
}

template <typename T>
T integerFrom(const llvm::APInt& value) {
  return std::is_signed_v<T> ? static_cast<T>(value.getSExtValue())
                             : static_cast<T>(value.getZExtValue());
}

bool writeScalar(mlir::TypedAttr attribute, ScalarProto& scalar) {
  if (auto flag = llvm::dyn_cast<mlir::BoolAttr>(attribute)) {
    scalar.set_b(flag.getValue());
    return true;
  }
  if (auto number = llvm::dyn_cast<mlir::FloatAttr>(attribute)) {
    if (number.getType().isF32()) {
      scalar.set_f32(number.getValue().convertToFloat());
    } else if (number.getType().isF64()) {
      scalar.set_f64(number.getValue().convertToDouble());
    } else {
      return false;
    }
    return true;
  }
  auto number = llvm::dyn_cast<mlir::IntegerAttr>(attribute);
  if (!number) return false;
  bool written = false;
  forEachInteger([&](auto kind) {
    using T = typename decltype(kind)::Value;
    if (number.getType() != kind.type(attribute.getContext())) return;
    (scalar.*kind.setScalar)(integerFrom<T>(number.getValue()));
    written = true;
  });
  return written;
}

// One-dimensional arrays, dense or of MLIR's array kind.
bool writeDenseArray(mlir::Attribute attribute, ArrayProto& array) {
  auto dense = llvm::dyn_cast<mlir::DenseArrayAttr>(attribute);
  if (!dense) return false;
  const mlir::Type type = dense.getElementType();
  if (auto floats = llvm::dyn_cast<mlir::DenseF32ArrayAttr>(attribute)) {
    auto& values = *array.mutable_f32()->mutable_values();
    values.Assign(floats.asArrayRef().begin(), floats.asArrayRef().end());
    return true;
  }
  if (auto doubles = llvm::dyn_cast<mlir::DenseF64ArrayAttr>(attribute)) {
    auto& values = *array.mutable_f64()->mutable_values();
    values.Assign(doubles.asArrayRef().begin(), doubles.asArrayRef().end());
    return true;
  }
  bool written = false;
  forEachInteger([&](auto kind) {
    using T = typename decltype(kind)::Value;
    if (type != kind.type(attribute.getContext())) return;
    auto& values = *kind.values(array);
    const char* raw = dense.getRawData().data();
    for (int64_t i = 0; i < dense.getSize(); ++i) {
      T value;
      std::memcpy(&value, raw + i * sizeof(T), sizeof(T));
      values.Add(value);
    }
    written = true;
  });
  return written;
}

bool writeDenseElements(mlir::Attribute attribute, ArrayProto& array) {
  auto dense = llvm::dyn_cast<mlir::DenseElementsAttr>(attribute);
  if (!dense || dense.getType().getRank() != 1) return false;
  const mlir::Type type = dense.getElementType();
  if (type.isF32()) {
    auto& values = *array.mutable_f32()->mutable_values();
    for (const llvm::APFloat& value : dense.getValues<llvm::APFloat>()) {
      values.Add(value.convertToFloat());
    }
    return true;
  }
  if (type.isF64()) {
    auto& values = *array.mutable_f64()->mutable_values();
    for (const llvm::APFloat& value : dense.getValues<llvm::APFloat>()) {
      values.Add(value.convertToDouble());
    }
    return true;
  }
  bool written = false;
  forEachInteger([&](auto kind) {
    using T = typename decltype(kind)::Value;
    if (type != kind.type(attribute.getContext())) return;
    auto& values = *kind.values(array);
    for (const llvm::APInt& value : dense.getValues<llvm::APInt>()) {
      values.Add(integerFrom<T>(value));
    }
    written = true;
  });
  return written;
}

llvm::LogicalResult writeMap(mlir::Operation* op, mlir::DictionaryAttr config, int depth,
                             wire::AttributesMapProto& attributes);

llvm::LogicalResult writeValue(mlir::Operation* op, mlir::NamedAttribute entry, int depth,
                               wire::AttributeProto& proto) {
  const mlir::Attribute value = entry.getValue();
  if (auto text = llvm::dyn_cast<mlir::StringAttr>(value)) {
    proto.set_str(text.getValue().str());
    return mlir::success();
  }
  if (auto inner = llvm::dyn_cast<mlir::DictionaryAttr>(value)) {
    if (depth == kMaxDepth) {
      return op->emitOpError("has dictionaries nested deeper than ") << kMaxDepth;
    }
    return writeMap(op, inner, depth + 1, *proto.mutable_dict());
  }
  auto typed = llvm::dyn_cast<mlir::TypedAttr>(value);
  if (typed && writeScalar(typed, *proto.mutable_scalar())) return mlir::success();
  if (writeDenseArray(value, *proto.mutable_array()) ||
      writeDenseElements(value, *proto.mutable_array())) {
    return mlir::success();
  }
  return op->emitOpError("has backend_config value ")
         << value << " for '" << entry.getName().getValue()
         << "'; bool, i8 to i64, ui8 to ui64, f32, f64, strings, one-dimensional arrays "
         << "of those numbers and dictionaries are allowed";
}

llvm::LogicalResult writeMap(mlir::Operation* op, mlir::DictionaryAttr config, int depth,
                             wire::AttributesMapProto& attributes) {
  for (const mlir::NamedAttribute& entry : config) {
    // Text that names nothing could not be read again.
    if (entry.getName().empty()) {
      return op->emitOpError("has a backend_config value without a name");
    }
    wire::AttributeProto& proto =
        (*attributes.mutable_attrs())[entry.getName().getValue().str()];
    if (mlir::failed(writeValue(op, entry, depth, proto))) return mlir::failure();
  }
  return mlir::success();
}

// Null when the number does not fit its type.
template <typename T>
mlir::Attribute integerAttribute(mlir::MLIRContext* context, int64_t value) {
  using Wide = std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>;
  const auto wide = static_cast<Wide>(value);
  if (wide < static_cast<Wide>(std::numeric_limits<T>::min()) ||
      wide > static_cast<Wide>(std::numeric_limits<T>::max())) {
    return nullptr;
  }
  const mlir::IntegerType type = IntegerKind<T, int32_t>::type(context);
  return mlir::IntegerAttr::get(type,
                                llvm::APInt(type.getWidth(), static_cast<uint64_t>(value),
                                            std::is_signed_v<T>, /*implicitTrunc=*/true));
}

mlir::Attribute readScalar(mlir::MLIRContext* context, const ScalarProto& scalar) {
  mlir::Builder builder(context);
  switch (scalar.value_case()) {
    case ScalarProto::kB:
      return builder.getBoolAttr(scalar.b());
    case ScalarProto::kI8:
      return integerAttribute<int8_t>(context, scalar.i8());
    case ScalarProto::kI16:
      return integerAttribute<int16_t>(context, scalar.i16());
    case ScalarProto::kI32:
      return integerAttribute<int32_t>(context, scalar.i32());
    case ScalarProto::kI64:
      return integerAttribute<int64_t>(context, scalar.i64());
    case ScalarProto::kU8:
      return integerAttribute<uint8_t>(context, scalar.u8());
    case ScalarProto::kU16:
      return integerAttribute<uint16_t>(context, scalar.u16());
    case ScalarProto::kU32:
      return integerAttribute<uint32_t>(context, scalar.u32());
    case ScalarProto::kU64:
      return integerAttribute<uint64_t>(context, static_cast<int64_t>(scalar.u64()));
    case ScalarProto::kF32:
      return builder.getF32FloatAttr(scalar.f32());
    case ScalarProto::kF64:
      return builder.getF64FloatAttr(scalar.f64());
    case ScalarProto::VALUE_NOT_SET:
      break;
  }
  return nullptr;
}

// Signed numbers are MLIR's array kind, unsigned ones, which that has not, dense
// elements.
template <typename T, typename Values>
mlir::Attribute integersAttribute(mlir::MLIRContext* context, const Values& values) {
  std::vector<T> narrow;
  narrow.reserve(values.size());
  for (const auto value : values) {
    if (value != static_cast<std::decay_t<decltype(value)>>(static_cast<T>(value))) {
      return nullptr;
    }
    narrow.push_back(static_cast<T>(value));
  }
  const mlir::IntegerType type = IntegerKind<T, int32_t>::type(context);
  const llvm::ArrayRef raw(reinterpret_cast<const char*>(narrow.data()),
                           narrow.size() * sizeof(T));
  const auto size = static_cast<int64_t>(narrow.size());
  if constexpr (std::is_signed_v<T>) {
    return mlir::DenseArrayAttr::get(context, type, size, raw);
  } else {
    return mlir::DenseElementsAttr::getFromRawBuffer(
        mlir::RankedTensorType::get({size}, type), raw);
  }
}

mlir::Attribute readArray(mlir::MLIRContext* context, const ArrayProto& array) {
  mlir::Builder builder(context);
  const auto span = [](const auto& values) {
    return llvm::ArrayRef(values.data(), values.size());
  };
  switch (array.value_case()) {
    case ArrayProto::kI8:
      return integersAttribute<int8_t>(context, array.i8().values());
    case ArrayProto::kI16:
      return integersAttribute<int16_t>(context, array.i16().values());
    case ArrayProto::kI32:
      return integersAttribute<int32_t>(context, array.i32().values());
    case ArrayProto::kI64:
      return integersAttribute<int64_t>(context, array.i64().values());
    case ArrayProto::kU8:
      return integersAttribute<uint8_t>(context, array.u8().values());
    case ArrayProto::kU16:
      return integersAttribute<uint16_t>(context, array.u16().values());
    case ArrayProto::kU32:
      return integersAttribute<uint32_t>(context, array.u32().values());
    case ArrayProto::kU64:
      return integersAttribute<uint64_t>(context, array.u64().values());
    case ArrayProto::kF32:
      return builder.getDenseF32ArrayAttr(span(array.f32().values()));
    case ArrayProto::kF64:
      return builder.getDenseF64ArrayAttr(span(array.f64().values()));
    case ArrayProto::VALUE_NOT_SET:
      break;
  }
  return nullptr;
}

mlir::DictionaryAttr readMap(mlir::MLIRContext* context,
                             const wire::AttributesMapProto& attributes, int depth) {
  mlir::Builder builder(context);
  llvm::SmallVector<mlir::NamedAttribute> entries;
  for (const auto& [key, proto] : attributes.attrs()) {
    mlir::Attribute value;
    switch (proto.value_case()) {
      case wire::AttributeProto::kScalar:
        value = readScalar(context, proto.scalar());
        break;
      case wire::AttributeProto::kArray:
        value = readArray(context, proto.array());
        break;
      case wire::AttributeProto::kStr:
        value = builder.getStringAttr(proto.str());
        break;
      case wire::AttributeProto::kDict:
        if (depth < kMaxDepth) value = readMap(context, proto.dict(), depth + 1);
        break;
      case wire::AttributeProto::VALUE_NOT_SET:
        break;
    }
    if (!value || key.empty()) return nullptr;
    entries.push_back(builder.getNamedAttr(key, value));
  }
  return builder.getDictionaryAttr(entries);
}

}  // namespace

llvm::LogicalResult writeBackendConfig(mlir::Operation* op, mlir::DictionaryAttr config,
                                       wire::AttributesMapProto& attributes) {
  attributes.Clear();
  return writeMap(op, config, 0, attributes);
}

mlir::DictionaryAttr readBackendConfig(mlir::MLIRContext* context,
                                       const wire::AttributesMapProto& attributes) {
  return readMap(context, attributes, 0);
}

}  // namespace thunky::compiler
