#include "thunky/tooling/tensor_layout.h"

#include <cstring>

#include "absl/strings/str_cat.h"

namespace thunky::tooling {
namespace {

// For each axis, how far apart neighbours are on the device, in elements. Empty
// when the device order is C order.
std::vector<uint64_t> DeviceStrides(const schema::TensorType& type) {
  const size_t rank = type.dimensions.size();
  bool c_order = true;
  for (size_t i = 0; i < type.minor_to_major.size(); ++i) {
    c_order &= type.minor_to_major[i] == static_cast<int64_t>(rank - 1 - i);
  }
  std::vector<uint64_t> strides;
  if (c_order) return strides;
  strides.resize(rank);
  uint64_t stride = 1;
  for (int64_t axis : type.minor_to_major) {
    strides[static_cast<size_t>(axis)] = stride;
    stride *= static_cast<uint64_t>(type.dimensions[static_cast<size_t>(axis)]);
  }
  return strides;
}

// Calls `move(array element, device element)` for all elements, by an odometer
// over the indices in C order.
template <typename Move>
void ForEachElement(const schema::TensorType& type, const std::vector<uint64_t>& strides,
                    Move move) {
  const uint64_t elements = static_cast<uint64_t>(schema::ElementCount(type));
  std::vector<int64_t> index(strides.size(), 0);
  uint64_t on_device = 0;
  for (uint64_t in_array = 0; in_array < elements; ++in_array) {
    move(in_array, on_device);
    for (size_t axis = strides.size(); axis-- > 0;) {
      on_device += strides[axis];
      if (++index[axis] < type.dimensions[axis]) break;
      on_device -= strides[axis] * static_cast<uint64_t>(type.dimensions[axis]);
      index[axis] = 0;
    }
  }
}

}  // namespace

absl::StatusOr<const ElementType*> ArrayElementType(const schema::TensorType& type) {
  const ElementType* element = FindElementType(type.element_type);
  if (element != nullptr) return element;
  return absl::UnimplementedError(absl::StrCat("arrays of ",
                                               schema::ElementTypeName(type.element_type),
                                               " are not supported by this build"));
}

std::vector<uint64_t> ShapeOf(const schema::TensorType& type) {
  return {type.dimensions.begin(), type.dimensions.end()};
}

std::vector<uint8_t> ToDeviceOrder(const schema::TensorType& type,
                                   std::vector<uint8_t> bytes) {
  const std::vector<uint64_t> strides = DeviceStrides(type);
  if (strides.empty()) return bytes;
  const size_t size = FindElementType(type.element_type)->npy.size;
  std::vector<uint8_t> result(bytes.size());
  ForEachElement(type, strides, [&](uint64_t in_array, uint64_t on_device) {
    std::memcpy(&result[on_device * size], &bytes[in_array * size], size);
  });
  return result;
}

std::vector<uint8_t> ToArrayOrder(const schema::TensorType& type,
                                  std::vector<uint8_t> bytes) {
  const std::vector<uint64_t> strides = DeviceStrides(type);
  if (strides.empty()) return bytes;
  const size_t size = FindElementType(type.element_type)->npy.size;
  std::vector<uint8_t> result(bytes.size());
  ForEachElement(type, strides, [&](uint64_t in_array, uint64_t on_device) {
    std::memcpy(&result[in_array * size], &bytes[on_device * size], size);
  });
  return result;
}

}  // namespace thunky::tooling
