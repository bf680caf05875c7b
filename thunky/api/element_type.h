// Element types, and types of arrays.
//
//   Type t = thunky::f32(64, 256);   // f32[64,256]
//   t.byte_size();                   // 65536
#ifndef THUNKY_API_ELEMENT_TYPE_H_
#define THUNKY_API_ELEMENT_TYPE_H_

#include <complex>
#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "thunky/api/visibility.h"

namespace thunky {

class Type;

// The type of one element. Values are the constants below; each has the name that XLA
// gives it in text ("f32", "s32", "pred").
class THUNKY_API ElementType {
 public:
  // `code` is XLA's number (xla.PrimitiveType).
  constexpr ElementType(uint8_t code, uint8_t bits, const char* name)
      : code_(code), bits_(bits), name_(name) {}

  // The type of that name; also "bool" and "i8" to "i64". Nothing for other names.
  static std::optional<ElementType> from_name(std::string_view name);
  static std::optional<ElementType> from_code(int code);

  constexpr int code() const { return code_; }
  // Bits of one element; bool has 8.
  constexpr int bits() const { return bits_; }
  constexpr std::string_view name() const { return name_; }

  // An array of this type; without dimensions a scalar.
  template <std::integral... Dimensions>
    requires(!std::same_as<Dimensions, bool> && ...)
  Type operator()(Dimensions... dimensions) const;

  friend constexpr bool operator==(const ElementType& a, const ElementType& b) {
    return a.code_ == b.code_;
  }

 private:
  uint8_t code_;
  uint8_t bits_;
  const char* name_;
};

// Element types that operations compute with.
inline constexpr ElementType boolean{1, 8, "pred"};
inline constexpr ElementType i2{26, 2, "s2"};
inline constexpr ElementType i4{21, 4, "s4"};
inline constexpr ElementType i8{2, 8, "s8"};
inline constexpr ElementType i16{3, 16, "s16"};
inline constexpr ElementType i32{4, 32, "s32"};
inline constexpr ElementType i64{5, 64, "s64"};
inline constexpr ElementType u2{27, 2, "u2"};
inline constexpr ElementType u4{22, 4, "u4"};
inline constexpr ElementType u8{6, 8, "u8"};
inline constexpr ElementType u16{7, 16, "u16"};
inline constexpr ElementType u32{8, 32, "u32"};
inline constexpr ElementType u64{9, 64, "u64"};
inline constexpr ElementType f8e4m3fn{20, 8, "f8e4m3fn"};
inline constexpr ElementType f8e5m2{19, 8, "f8e5m2"};
inline constexpr ElementType bf16{16, 16, "bf16"};
inline constexpr ElementType f16{10, 16, "f16"};
inline constexpr ElementType f32{11, 32, "f32"};
inline constexpr ElementType f64{12, 64, "f64"};
inline constexpr ElementType c64{15, 64, "c64"};
inline constexpr ElementType c128{18, 128, "c128"};
// XLA's other ones, which arrays and views may have.
inline constexpr ElementType i1{30, 1, "s1"};
inline constexpr ElementType u1{31, 1, "u1"};
inline constexpr ElementType f4e2m1fn{32, 4, "f4e2m1fn"};
inline constexpr ElementType f6e3m2fn{35, 6, "f6e3m2fn"};
inline constexpr ElementType f6e2m3fn{36, 6, "f6e2m3fn"};
inline constexpr ElementType f8e3m4{29, 8, "f8e3m4"};
inline constexpr ElementType f8e4m3{28, 8, "f8e4m3"};
inline constexpr ElementType f8e4m3b11fnuz{23, 8, "f8e4m3b11fnuz"};
inline constexpr ElementType f8e4m3fnuz{25, 8, "f8e4m3fnuz"};
inline constexpr ElementType f8e5m2fnuz{24, 8, "f8e5m2fnuz"};
inline constexpr ElementType f8e8m0fnu{33, 8, "f8e8m0fnu"};

// Element type and shape: what a ref or an array of a device holds. Row-major, elements
// below a byte packed with the first in the lowest bits.
class THUNKY_API Type {
 public:
  // A scalar, by the element type alone.
  Type(ElementType element) : element_(element) {}  // NOLINT(google-explicit-constructor)
  Type(ElementType element, std::vector<int64_t> shape)
      : element_(element), shape_(std::move(shape)) {}

  ElementType element() const { return element_; }
  const std::vector<int64_t>& shape() const { return shape_; }
  int64_t rank() const { return static_cast<int64_t>(shape_.size()); }

  // Empty for a type that something can have; else what is wrong with it: a negative
  // dimension, a size that is no whole number of bytes or that 63 bits do not hold.
  std::string problem() const;
  // Both throw Error(invalid_argument) with problem() where there is one.
  int64_t byte_size() const;
  int64_t element_count() const;

  // "f32[64,256]"; "f32[]" for a scalar.
  std::string to_string() const;

  friend bool operator==(const Type& a, const Type& b) = default;

 private:
  ElementType element_;
  std::vector<int64_t> shape_;
};

template <std::integral... Dimensions>
  requires(!std::same_as<Dimensions, bool> && ...)
Type ElementType::operator()(Dimensions... dimensions) const {
  return Type(*this, {static_cast<int64_t>(dimensions)...});
}

// The element type of values of a C++ type: bool, integers, float, double, and complex
// numbers of those two. Other types of C++ have none, which does not compile.
template <typename T>
constexpr ElementType element_type_of() {
  using V = std::remove_cv_t<T>;
  if constexpr (std::same_as<V, bool>) {
    return boolean;
  } else if constexpr (std::integral<V>) {
    constexpr bool kSigned = std::signed_integral<V>;
    if constexpr (sizeof(V) == 1) return kSigned ? i8 : u8;
    if constexpr (sizeof(V) == 2) return kSigned ? i16 : u16;
    if constexpr (sizeof(V) == 4) return kSigned ? i32 : u32;
    if constexpr (sizeof(V) == 8) return kSigned ? i64 : u64;
  } else if constexpr (std::same_as<V, float>) {
    return f32;
  } else if constexpr (std::same_as<V, double>) {
    return f64;
  } else if constexpr (std::same_as<V, std::complex<float>>) {
    return c64;
  } else {
    static_assert(std::same_as<V, std::complex<double>>,
                  "no element type has values of this C++ type; pass the bytes and say "
                  "the type");
    return c128;
  }
}

}  // namespace thunky

#endif  // THUNKY_API_ELEMENT_TYPE_H_
