// Element types and the sizes of arrays of them.
#ifndef THUNKY_SCHEMA_TENSOR_TYPE_H_
#define THUNKY_SCHEMA_TENSOR_TYPE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "proto/shape.pb.h"

namespace thunky::schema {

// "f32", "bf16", "pred", "s4", "f8e4m3fn"; also "tuple", "token", "opaque",
// "buffer", and "type 99" for a number without a name.
std::string ElementTypeName(wire::PrimitiveType type);
// The type of that name; InvalidArgument when there is none.
absl::StatusOr<wire::PrimitiveType> ElementTypeOf(absl::string_view name);

// Bits of one element. InvalidArgument for what is no array element (tuple,
// token, opaque, buffer, invalid, unknown numbers). pred has 8.
absl::StatusOr<int> ElementBits(wire::PrimitiveType type);

struct TensorType {
  wire::PrimitiveType element_type = wire::PRIMITIVE_TYPE_INVALID;
  std::vector<int64_t> dimensions;
  // Minor to major; as in the file, empty when it gives none.
  std::vector<int64_t> minor_to_major;
  // Bits an element takes up in memory: element bits, or 8 for a smaller type
  // that the layout does not pack.
  int storage_bits = 0;

  // "f32[16,8]"; "f32[]" for a scalar.
  std::string ToString() const;
};

// The type of an array shape. InvalidArgument: not an array, a negative or
// dynamic dimension, a layout that is no permutation, tiles, a packing this build
// does not know, or more than 2^63 - 1 bits.
absl::StatusOr<TensorType> TensorTypeOf(const wire::ShapeProto& shape);

// Elements, and bytes of the dense array. TensorTypeOf made sure that they fit.
int64_t ElementCount(const TensorType& type);
int64_t ByteSize(const TensorType& type);

}  // namespace thunky::schema

#endif  // THUNKY_SCHEMA_TENSOR_TYPE_H_
