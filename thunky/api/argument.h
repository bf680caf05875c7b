// What a run is given.
#ifndef THUNKY_API_ARGUMENT_H_
#define THUNKY_API_ARGUMENT_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <ranges>
#include <source_location>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "thunky/api/array.h"
#include "thunky/api/element_type.h"
#include "thunky/api/visibility.h"

namespace thunky {

// Values of the host for an argument that a program only reads: they are copied to the
// device when the run is called or enqueued, and may go away then. Made by host(), below,
// which says who owns them.
class THUNKY_API HostArray {
 public:
  // What `bytes` hold; they belong to the caller. Error(invalid_argument) unless there
  // are as many as `type` has.
  HostArray(Type type, std::span<const std::byte> bytes,
            const std::source_location& where = std::source_location::current())
      : HostArray(std::move(type), bytes, nullptr, where) {}
  // The same, with what keeps them alive.
  HostArray(Type type, std::span<const std::byte> bytes,
            std::shared_ptr<const void> owner,
            const std::source_location& where = std::source_location::current());

  // One value, without dimensions.
  template <typename T>
  static HostArray scalar(const T& value) {
    HostArray array{element_type_of<T>()};
    static_assert(sizeof(T) <= sizeof(array.scalar_));
    array.scalar_bytes_ = sizeof(T);
    std::memcpy(array.scalar_.data(), &value, sizeof(T));
    return array;
  }

  const Type& type() const { return type_; }
  std::span<const std::byte> bytes() const {
    return scalar_bytes_ == 0 ? bytes_ : std::span(scalar_).first(scalar_bytes_);
  }

 private:
  explicit HostArray(ElementType element) : type_(element) {}

  Type type_;
  std::span<const std::byte> bytes_;
  std::shared_ptr<const void> owner_;  // may be null
  std::array<std::byte, 16> scalar_{};
  size_t scalar_bytes_ = 0;  // 0: no scalar
};

// One dimension, or `shape`: a span, a vector, an array of numbers. Temporaries other
// than spans are moved into the result; all else must stay where it is until the run is
// called.
template <HostValues R>
HostArray host(R&& values, std::vector<int64_t> shape,
               const std::source_location& where = std::source_location::current()) {
  using Values = std::remove_cvref_t<R>;
  const Type type(element_type_of<HostValueOf<R>>(), std::move(shape));
  if constexpr (std::is_lvalue_reference_v<R> || std::ranges::borrowed_range<R>) {
    const std::span<const HostValueOf<R>> span(values);
    return HostArray(type, std::as_bytes(span), where);
  } else {
    auto owner = std::make_shared<const Values>(std::forward<R>(values));
    const std::span<const HostValueOf<R>> span(*owner);
    return HostArray(type, std::as_bytes(span), std::move(owner), where);
  }
}
template <HostValues R>
HostArray host(R&& values,
               const std::source_location& where = std::source_location::current()) {
  const auto size = static_cast<int64_t>(std::ranges::size(values));
  return host(std::forward<R>(values), {size}, where);
}
// A scalar.
template <typename T>
  requires(!HostValues<T>)
HostArray host(const T& scalar) {
  return HostArray::scalar(scalar);
}

// One argument of a run: an array of the program's device, or values of the host. Numbers
// are scalars of their own C++ type: 2.0 is f64[], 2.0f is f32[].
class THUNKY_API Argument {
 public:
  Argument(Array array) : value_(std::move(array)) {}        // NOLINT: implicit
  Argument(HostArray values) : value_(std::move(values)) {}  // NOLINT: implicit
  template <typename T>
    requires std::is_arithmetic_v<T>
  Argument(T scalar) : value_(HostArray::scalar(scalar)) {}  // NOLINT: implicit

  const std::variant<Array, HostArray>& value() const { return value_; }

 private:
  std::variant<Array, HostArray> value_;
};

// What a program expects at one place of the list of arguments.
struct THUNKY_API ArgumentInfo {
  enum class Role : uint8_t {
    input,     // read only
    in_place,  // a parameter that the program changes: a result takes its memory over
    result,    // written; what it holds before does not matter
  };

  std::string name;  // may be empty
  // u8[N] where the program gives no type, or where its bytes are not just the elements
  // in row-major order: then `declared` says more.
  Type type = Type(u8);
  int64_t byte_size = 0;
  Role role = Role::input;
  std::optional<int> parameter;  // number among the parameters
  std::vector<int> results;      // numbers of the results that it holds after a run
  std::string declared;          // the program's own words: "f32[4,8]{0,1}"

  // "argument 2 'x' (f32[4,8])"
  std::string describe(int position) const;
};

}  // namespace thunky

#endif  // THUNKY_API_ARGUMENT_H_
