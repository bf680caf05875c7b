// Attributes of custom calls, as XLA's typed FFI passes them to handlers.
#ifndef THUNKY_FRONTEND_ATTRIBUTES_H_
#define THUNKY_FRONTEND_ATTRIBUTES_H_

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <source_location>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "thunky/api/visibility.h"

namespace thunky {

class AttributeValue;

// Names and values, kept in the order of the names.
class THUNKY_API Attributes {
 public:
  Attributes() = default;
  // Errors: a name that is there twice.
  Attributes(std::initializer_list<std::pair<const std::string, AttributeValue>> values,
             const std::source_location& where = std::source_location::current());

  // The value of that name is added, or replaced.
  void set(const std::string& name, AttributeValue value);
  const std::map<std::string, AttributeValue>& values() const { return values_; }
  bool empty() const { return values_.empty(); }

 private:
  std::map<std::string, AttributeValue> values_;
};

// One value. Numbers keep the size that they have in C++: 5 is an i32, int64_t{5} an
// i64, 0.5 an f64 and 0.5f an f32. Strings are bytes. Values of other types do not
// compile.
class THUNKY_API AttributeValue {
 public:
  // Vectors of bool are not among XLA's attributes.
  using Variant =
      std::variant<bool, int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t,
                   uint64_t, float, double, std::string, std::vector<int8_t>,
                   std::vector<int16_t>, std::vector<int32_t>, std::vector<int64_t>,
                   std::vector<uint8_t>, std::vector<uint16_t>, std::vector<uint32_t>,
                   std::vector<uint64_t>, std::vector<float>, std::vector<double>,
                   Attributes>;

  template <typename T>
    requires(!std::same_as<std::remove_cvref_t<T>, AttributeValue>)
  AttributeValue(T&& value)  // NOLINT(google-explicit-constructor)
      : value_(variant_of(std::forward<T>(value))) {}

  const Variant& value() const { return value_; }

 private:
  // The integer type of this size: long and long long are one of int32_t and int64_t.
  template <typename T>
  static constexpr auto sized(T value) {
    if constexpr (sizeof(T) == 1) {
      return static_cast<std::conditional_t<std::is_signed_v<T>, int8_t, uint8_t>>(value);
    } else if constexpr (sizeof(T) == 2) {
      return static_cast<std::conditional_t<std::is_signed_v<T>, int16_t, uint16_t>>(
          value);
    } else if constexpr (sizeof(T) == 4) {
      return static_cast<std::conditional_t<std::is_signed_v<T>, int32_t, uint32_t>>(
          value);
    } else {
      return static_cast<std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>>(
          value);
    }
  }

  template <typename T>
  static Variant variant_of(T&& value) {
    using V = std::remove_cvref_t<T>;
    if constexpr (std::same_as<V, bool> || std::same_as<V, float> ||
                  std::same_as<V, double>) {
      return value;
    } else if constexpr (std::integral<V>) {
      return sized(value);
    } else if constexpr (std::convertible_to<T, std::string_view>) {
      return std::string(std::string_view(value));
    } else {
      static_assert(std::constructible_from<Variant, T>,
                    "an attribute is a bool, an integer, a float, a double, a string, a "
                    "std::vector of numbers, or Attributes");
      return Variant(std::forward<T>(value));
    }
  }

  Variant value_;
};

}  // namespace thunky

#endif  // THUNKY_FRONTEND_ATTRIBUTES_H_
