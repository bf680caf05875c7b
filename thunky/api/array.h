// Arrays in the memory of a device.
//
//   Array x = Array::from(device, std::vector<float>{1, 2, 3, 4}, {2, 2});   // f32[2,2]
//   Array y = Array::zeros(device, thunky::f32(2, 2));
//   ...
//   std::vector<float> values = y.to_vector<float>();
#ifndef THUNKY_API_ARRAY_H_
#define THUNKY_API_ARRAY_H_

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <memory>
#include <optional>
#include <ranges>
#include <source_location>
#include <span>
#include <type_traits>
#include <vector>

#include "thunky/api/device.h"
#include "thunky/api/element_type.h"
#include "thunky/api/visibility.h"

namespace thunky {

namespace api {
class ArrayState;
}  // namespace api

// Values of the host in one piece: a span, a vector, an array. Vectors of bool are not.
template <typename R>
concept HostValues = std::ranges::contiguous_range<R> && std::ranges::sized_range<R>;

// The C++ type of one of them.
template <typename R>
using HostValueOf = std::ranges::range_value_t<R>;

// A handle; copies are the same array. The memory is freed with the last of them, and not
// before the work that was enqueued with it is done. Elements are row-major and without
// gaps, as Type says, and start at a multiple of 256 bytes.
//
// Functions may be called from any thread. Copies to and from the host wait for nothing
// but themselves: who enqueued work that uses the array waits for its future first.
//
// Errors of all: a device that fails. Those that take or give values of C++ throw
// Error(invalid_argument) when the element type is not that of the values, or when there
// are more or fewer values than elements; bytes go with every element type.
class THUNKY_API Array {
 public:
  // Contents are undefined. Errors: invalid_argument for a type that nothing can have
  // (Type::problem); resource_exhausted when there is not as much memory.
  static Array empty(const Device& device, const Type& type,
                     const std::source_location& where = std::source_location::current());
  static Array zeros(const Device& device, const Type& type,
                     const std::source_location& where = std::source_location::current());

  // The values as an array of one dimension, or of `shape`.
  template <HostValues R>
  static Array from(const Device& device, const R& values,
                    const std::source_location& where = std::source_location::current()) {
    return from_values(device, {std::ranges::data(values), std::ranges::size(values)},
                       std::nullopt, where);
  }
  template <HostValues R>
  static Array from(const Device& device, const R& values, std::vector<int64_t> shape,
                    const std::source_location& where = std::source_location::current()) {
    return from_values(device, {std::ranges::data(values), std::ranges::size(values)},
                       std::move(shape), where);
  }
  template <typename T>
  static Array from(const Device& device, std::initializer_list<T> values,
                    const std::source_location& where = std::source_location::current()) {
    return from_values(device, {values.begin(), values.size()}, std::nullopt, where);
  }
  template <typename T>
  static Array from(const Device& device, std::initializer_list<T> values,
                    std::vector<int64_t> shape,
                    const std::source_location& where = std::source_location::current()) {
    return from_values(device, {values.begin(), values.size()}, std::move(shape), where);
  }
  // An array without dimensions.
  template <typename T>
  static Array scalar(
      const Device& device, const T& value,
      const std::source_location& where = std::source_location::current()) {
    return from_values(device, {&value, 1}, std::vector<int64_t>{}, where);
  }
  // `bytes` are those of an array of `type`.
  static Array from_bytes(
      const Device& device, const Type& type, std::span<const std::byte> bytes,
      const std::source_location& where = std::source_location::current());

  // A .npy file of NumPy; Fortran order is put into row-major order. `type` says what the
  // file must hold, and is needed for element types that NumPy does not know (bf16, the
  // float8 ones), whose files do not say what they hold. Errors name the file:
  // not_found; invalid_argument for a file that is damaged or holds something else;
  // unimplemented for data that no array of this interface has, such as strings.
  static Array load_npy(
      const Device& device, const std::filesystem::path& path,
      const std::optional<Type>& type = std::nullopt,
      const std::source_location& where = std::source_location::current());
  // Writes the file in one step: a failure leaves what was there. Error(unimplemented)
  // for elements of less than a byte.
  void save_npy(
      const std::filesystem::path& path,
      const std::source_location& where = std::source_location::current()) const;

  const Type& type() const;
  const Device& device() const;
  int64_t byte_size() const;

  // All elements, in row-major order.
  template <typename T>
  std::vector<T> to_vector(
      const std::source_location& where = std::source_location::current()) const;
  // To a place of exactly as many values.
  template <HostValues R>
  void copy_to(R&& values, const std::source_location& where =
                               std::source_location::current()) const {
    copy_values(std::span(std::ranges::data(values), std::ranges::size(values)), where);
  }
  // The value of an array of one element.
  template <typename T>
  T item(const std::source_location& where = std::source_location::current()) const {
    T value{};
    copy_values(std::span<T>(&value, 1), where);
    return value;
  }
  std::vector<std::byte> to_bytes(
      const std::source_location& where = std::source_location::current()) const;
  // To a place of byte_size() bytes.
  void copy_to_bytes(
      std::span<std::byte> bytes,
      const std::source_location& where = std::source_location::current()) const;

  // Replaces all elements.
  template <HostValues R>
  void assign(const R& values,
              const std::source_location& where = std::source_location::current()) {
    assign_values({std::ranges::data(values), std::ranges::size(values)}, where);
  }
  template <typename T>
  void assign(std::initializer_list<T> values,
              const std::source_location& where = std::source_location::current()) {
    assign_values({values.begin(), values.size()}, where);
  }
  void assign_bytes(std::span<const std::byte> bytes,
                    const std::source_location& where = std::source_location::current());

  // The same memory as an array of another type of as many bytes.
  Array as(const Type& type,
           const std::source_location& where = std::source_location::current()) const;

 private:
  friend struct api::Handles;
  Array(std::shared_ptr<api::ArrayState> state, Device device, Type type)
      : state_(std::move(state)), device_(std::move(device)), type_(std::move(type)) {}

  // Pointer, number and element type of values.
  struct Values {
    const void* data;
    size_t count;
    ElementType element;
    size_t bytes;

    template <typename T>
    Values(const T* data, size_t count)
        : data(data),
          count(count),
          element(element_type_of<T>()),
          bytes(count * sizeof(T)) {}
  };
  static Array from_values(const Device& device, const Values& values,
                           std::optional<std::vector<int64_t>> shape,
                           const std::source_location& where);
  void assign_values(const Values& values, const std::source_location& where);
  // Throws unless `count` values of `element` are what this holds.
  void check_values(ElementType element, size_t count,
                    const std::source_location& where) const;

  template <typename T>
  void copy_values(std::span<T> values, const std::source_location& where) const;

  std::shared_ptr<api::ArrayState> state_;
  Device device_;
  Type type_;
};

template <typename T>
void Array::copy_values(std::span<T> values, const std::source_location& where) const {
  static_assert(!std::is_const_v<T>, "expected a place that can be written to");
  check_values(element_type_of<T>(), values.size(), where);
  if constexpr (std::same_as<T, bool>) {
    // Any byte may be in memory; a bool of C++ is 0 or 1.
    const std::vector<std::byte> bytes = to_bytes(where);
    for (size_t i = 0; i < bytes.size(); ++i) values[i] = bytes[i] != std::byte{0};
  } else {
    copy_to_bytes(std::as_writable_bytes(values), where);
  }
}

template <typename T>
std::vector<T> Array::to_vector(const std::source_location& where) const {
  check_values(element_type_of<T>(), static_cast<size_t>(type_.element_count()), where);
  std::vector<T> values(static_cast<size_t>(type_.element_count()));
  if constexpr (std::same_as<T, bool>) {
    const std::vector<std::byte> bytes = to_bytes(where);
    for (size_t i = 0; i < bytes.size(); ++i) values[i] = bytes[i] != std::byte{0};
  } else {
    copy_to_bytes(std::as_writable_bytes(std::span<T>(values)), where);
  }
  return values;
}

}  // namespace thunky

#endif  // THUNKY_API_ARRAY_H_
