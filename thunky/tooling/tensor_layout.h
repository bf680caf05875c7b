// Between the element order of array files (C order) and that of device memory.
#ifndef THUNKY_TOOLING_TENSOR_LAYOUT_H_
#define THUNKY_TOOLING_TENSOR_LAYOUT_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "thunky/schema/tensor_type.h"
#include "thunky/tooling/element_type.h"

namespace thunky::tooling {

// The element type of arrays of `type`. Unimplemented for types that no array
// file holds as the device does: those of less than a byte.
absl::StatusOr<const ElementType*> ArrayElementType(const schema::TensorType& type);

std::vector<uint64_t> ShapeOf(const schema::TensorType& type);

// `bytes` are those of a dense array of `type`, whose element type
// ArrayElementType accepts. Without a layout, or with the default one, nothing
// is moved.
std::vector<uint8_t> ToDeviceOrder(const schema::TensorType& type,
                                   std::vector<uint8_t> bytes);
std::vector<uint8_t> ToArrayOrder(const schema::TensorType& type,
                                  std::vector<uint8_t> bytes);

}  // namespace thunky::tooling

#endif  // THUNKY_TOOLING_TENSOR_LAYOUT_H_
