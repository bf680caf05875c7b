#include "thunky/schema/tensor_type.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace thunky::schema {
namespace {

struct ElementFacts {
  wire::PrimitiveType type;
  const char* name;
  int bits;  // 0: no array element
};

constexpr ElementFacts kElements[] = {
    {wire::PRED, "pred", 8},
    {wire::S1, "s1", 1},
    {wire::S2, "s2", 2},
    {wire::S4, "s4", 4},
    {wire::S8, "s8", 8},
    {wire::S16, "s16", 16},
    {wire::S32, "s32", 32},
    {wire::S64, "s64", 64},
    {wire::U1, "u1", 1},
    {wire::U2, "u2", 2},
    {wire::U4, "u4", 4},
    {wire::U8, "u8", 8},
    {wire::U16, "u16", 16},
    {wire::U32, "u32", 32},
    {wire::U64, "u64", 64},
    {wire::F16, "f16", 16},
    {wire::F32, "f32", 32},
    {wire::BF16, "bf16", 16},
    {wire::F64, "f64", 64},
    {wire::F8E5M2, "f8e5m2", 8},
    {wire::F8E4M3, "f8e4m3", 8},
    {wire::F8E4M3FN, "f8e4m3fn", 8},
    {wire::F8E4M3B11FNUZ, "f8e4m3b11fnuz", 8},
    {wire::F8E3M4, "f8e3m4", 8},
    {wire::F8E5M2FNUZ, "f8e5m2fnuz", 8},
    {wire::F8E4M3FNUZ, "f8e4m3fnuz", 8},
    {wire::F4E2M1FN, "f4e2m1fn", 4},
    {wire::F8E8M0FNU, "f8e8m0fnu", 8},
    {wire::F6E3M2FN, "f6e3m2fn", 6},
    {wire::F6E2M3FN, "f6e2m3fn", 6},
    {wire::C64, "c64", 64},
    {wire::C128, "c128", 128},
    {wire::TUPLE, "tuple", 0},
    {wire::OPAQUE_TYPE, "opaque", 0},
    {wire::TOKEN, "token", 0},
    {wire::BUFFER, "buffer", 0},
    {wire::PRIMITIVE_TYPE_INVALID, "invalid", 0},
};

const ElementFacts* Find(wire::PrimitiveType type) {
  for (const ElementFacts& facts : kElements) {
    if (facts.type == type) return &facts;
  }
  return nullptr;
}

absl::Status CheckDimensions(const wire::ShapeProto& shape, int storage_bits) {
  int64_t bits = storage_bits;
  for (int i = 0; i < shape.dimensions_size(); ++i) {
    const int64_t dimension = shape.dimensions(i);
    if (dimension < 0) {
      return absl::InvalidArgumentError(
          absl::StrCat("dimension ", i, " is ", dimension, "; it must not be negative"));
    }
    if (i < shape.is_dynamic_dimension_size() && shape.is_dynamic_dimension(i)) {
      return absl::InvalidArgumentError(
          absl::StrCat("dimension ", i, " is dynamic, which is not supported"));
    }
    // A zero counts as one: strides of an empty array have to fit too.
    if (__builtin_mul_overflow(bits, std::max<int64_t>(dimension, 1), &bits)) {
      return absl::InvalidArgumentError("the array has more than 2^63 - 1 bits");
    }
  }
  return absl::OkStatus();
}

absl::Status CheckLayout(const wire::LayoutProto& layout, int rank) {
  if (layout.tiles_size() != 0) {
    return absl::InvalidArgumentError("the layout has tiles, which are not supported");
  }
  if (layout.minor_to_major_size() == 0) return absl::OkStatus();
  std::vector<bool> seen(rank, false);
  bool permutation = layout.minor_to_major_size() == rank;
  for (const int64_t dimension : layout.minor_to_major()) {
    if (!permutation || dimension < 0 || dimension >= rank || seen[dimension]) {
      permutation = false;
      break;
    }
    seen[dimension] = true;
  }
  if (permutation) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("the layout {", absl::StrJoin(layout.minor_to_major(), ","),
                   "} is no permutation of the ", rank, " dimensions"));
}

absl::StatusOr<int> StorageBits(const wire::ShapeProto& shape, int element_bits) {
  const int64_t packed = shape.layout().element_size_in_bits();
  if (packed == 0) return element_bits < 8 ? 8 : element_bits;
  if (packed == element_bits || (element_bits < 8 && packed == 8)) {
    return static_cast<int>(packed);
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "the layout stores ", ElementTypeName(shape.element_type()), " in ", packed,
      " bits; ", element_bits, element_bits < 8 ? " and 8 are" : " is", " supported"));
}

}  // namespace

std::string ElementTypeName(wire::PrimitiveType type) {
  const ElementFacts* facts = Find(type);
  return facts != nullptr ? facts->name : absl::StrCat("type ", static_cast<int>(type));
}

absl::StatusOr<wire::PrimitiveType> ElementTypeOf(absl::string_view name) {
  for (const ElementFacts& facts : kElements) {
    if (name == facts.name) return facts.type;
  }
  return absl::InvalidArgumentError(
      absl::StrCat("no element type is called '", name, "'"));
}

absl::StatusOr<int> ElementBits(wire::PrimitiveType type) {
  const ElementFacts* facts = Find(type);
  if (facts == nullptr || facts->bits == 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("element type ", ElementTypeName(type), " is no array element"));
  }
  return facts->bits;
}

std::string TensorType::ToString() const {
  return absl::StrCat(ElementTypeName(element_type), "[", absl::StrJoin(dimensions, ","),
                      "]");
}

absl::StatusOr<TensorType> TensorTypeOf(const wire::ShapeProto& shape) {
  const absl::StatusOr<int> element_bits = ElementBits(shape.element_type());
  if (!element_bits.ok()) return element_bits.status();
  const absl::StatusOr<int> storage_bits = StorageBits(shape, *element_bits);
  if (!storage_bits.ok()) return storage_bits.status();
  absl::Status status = CheckDimensions(shape, *storage_bits);
  if (status.ok()) status = CheckLayout(shape.layout(), shape.dimensions_size());
  if (!status.ok()) return status;

  TensorType type;
  type.element_type = shape.element_type();
  type.dimensions.assign(shape.dimensions().begin(), shape.dimensions().end());
  type.minor_to_major.assign(shape.layout().minor_to_major().begin(),
                             shape.layout().minor_to_major().end());
  type.storage_bits = *storage_bits;
  return type;
}

int64_t ElementCount(const TensorType& type) {
  int64_t count = 1;
  for (const int64_t dimension : type.dimensions) count *= dimension;
  return count;
}

int64_t ByteSize(const TensorType& type) {
  const int64_t bits = ElementCount(type) * type.storage_bits;
  return bits / 8 + (bits % 8 != 0);
}

}  // namespace thunky::schema
