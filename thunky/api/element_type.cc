#include "thunky/api/element_type.h"

#include <algorithm>

#include "thunky/api/error.h"

namespace thunky {
namespace {

constexpr ElementType kTypes[] = {
    boolean,    i1,        i2,     i4,     i8,       i16,           i32,        i64,
    u1,         u2,        u4,     u8,     u16,      u32,           u64,        f4e2m1fn,
    f6e2m3fn,   f6e3m2fn,  f8e3m4, f8e4m3, f8e4m3fn, f8e4m3b11fnuz, f8e4m3fnuz, f8e5m2,
    f8e5m2fnuz, f8e8m0fnu, bf16,   f16,    f32,      f64,           c64,        c128,
};

// Elements of a shape; nothing when a dimension is negative or there are too many.
std::optional<int64_t> CountOf(const std::vector<int64_t>& shape) {
  int64_t count = 1;
  bool overflows = false;
  for (const int64_t dimension : shape) {
    if (dimension < 0) return std::nullopt;
    overflows |= __builtin_mul_overflow(count, dimension, &count);
  }
  // A dimension of zero makes up for any other.
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return 0;
  return overflows ? std::nullopt : std::optional<int64_t>(count);
}

std::optional<int64_t> BitsOf(const Type& type) {
  const std::optional<int64_t> count = CountOf(type.shape());
  int64_t bits = 0;
  if (!count || __builtin_mul_overflow(*count, type.element().bits(), &bits)) {
    return std::nullopt;
  }
  return bits;
}

}  // namespace

std::optional<ElementType> ElementType::from_name(std::string_view name) {
  for (const ElementType& type : kTypes) {
    if (type.name() == name) return type;
  }
  if (name == "bool") return boolean;
  if (!name.empty() && name[0] == 'i') {
    std::string signed_name(name);
    signed_name[0] = 's';
    return from_name(signed_name);
  }
  return std::nullopt;
}

std::optional<ElementType> ElementType::from_code(int code) {
  for (const ElementType& type : kTypes) {
    if (type.code() == code) return type;
  }
  return std::nullopt;
}

std::string Type::problem() const {
  if (std::any_of(shape_.begin(), shape_.end(), [](int64_t d) { return d < 0; })) {
    return to_string() + ": a dimension is negative";
  }
  const std::optional<int64_t> bits = BitsOf(*this);
  if (!bits) return to_string() + " has more than 2^63 - 1 bits";
  if (*bits % 8 != 0) {
    return to_string() + " has " + std::to_string(*bits) +
           " bits; a whole number of bytes is needed";
  }
  return "";
}

int64_t Type::byte_size() const {
  if (const std::string text = problem(); !text.empty()) {
    throw Error(ErrorCode::invalid_argument, text);
  }
  return *BitsOf(*this) / 8;
}

int64_t Type::element_count() const {
  if (const std::string text = problem(); !text.empty()) {
    throw Error(ErrorCode::invalid_argument, text);
  }
  return *CountOf(shape_);
}

std::string Type::to_string() const {
  std::string text(element_.name());
  text += '[';
  for (size_t i = 0; i < shape_.size(); ++i) {
    if (i != 0) text += ',';
    text += std::to_string(shape_[i]);
  }
  return text + ']';
}

}  // namespace thunky
