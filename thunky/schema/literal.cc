// Literals as device memory holds them.
#include <bit>
#include <string>

#include "absl/strings/str_cat.h"
#include "thunky/base/status_macros.h"
#include "thunky/schema/constants.h"
#include "thunky/schema/tensor_type.h"

namespace thunky::schema {
namespace {

static_assert(std::endian::native == std::endian::little,
              "literals hold little-endian bytes");

absl::Status WrongCount(int64_t found, const char* what, int64_t expected,
                        const TensorType& type) {
  return absl::InvalidArgumentError(absl::StrCat(
      "the literal has ", found, " ", what, "; ", type.ToString(), " takes ", expected));
}

// A repeated field with `per_element` values an element.
template <typename List>
absl::StatusOr<std::string> Values(const List& values, int64_t per_element,
                                   const TensorType& type) {
  const int64_t expected = ElementCount(type) * per_element;
  if (values.size() != expected) {
    return WrongCount(values.size(), "values", expected, type);
  }
  const size_t bytes = values.size() * sizeof(*values.data());
  if (bytes == 0) return std::string();
  return std::string(reinterpret_cast<const char*>(values.data()), bytes);
}

// A bytes field that holds the array as it is.
absl::StatusOr<std::string> Raw(const std::string& bytes, int64_t per_element,
                                const TensorType& type) {
  const int64_t expected = ElementCount(type) * per_element;
  if (static_cast<int64_t>(bytes.size()) == expected) return bytes;
  return WrongCount(static_cast<int64_t>(bytes.size()), "bytes", expected, type);
}

// A bytes field with one element a byte, in its low bits. Device memory has them
// packed, the first element of each byte in the lowest bits.
absl::StatusOr<std::string> Packed(const std::string& bytes, int bits,
                                   const TensorType& type) {
  RETURN_IF_ERROR(Raw(bytes, 1, type).status());
  const size_t per_byte = 8 / bits;
  const unsigned mask = (1u << bits) - 1;
  std::string packed((bytes.size() + per_byte - 1) / per_byte, '\0');
  for (size_t i = 0; i < bytes.size(); ++i) {
    const unsigned value = static_cast<unsigned char>(bytes[i]) & mask;
    const unsigned old = static_cast<unsigned char>(packed[i / per_byte]);
    packed[i / per_byte] = static_cast<char>(old | value << (i % per_byte * bits));
  }
  return packed;
}

}  // namespace

absl::StatusOr<std::string> LiteralBytes(const wire::LiteralProto& literal) {
  ASSIGN_OR_RETURN(const TensorType type, TensorTypeOf(literal.shape()));
  if (literal.sparse_indices_size() != 0) {
    return absl::InvalidArgumentError("the literal is sparse, which is not supported");
  }
  switch (type.element_type) {
    case wire::PRED:
      return Values(literal.preds(), 1, type);
    case wire::S1:
      return Packed(literal.s1s(), 1, type);
    case wire::S2:
      return Packed(literal.s2s(), 2, type);
    case wire::S4:
      return Packed(literal.s4s(), 4, type);
    case wire::S8:
      return Raw(literal.s8s(), 1, type);
    case wire::S16:
      return Raw(literal.s16s(), 2, type);
    case wire::S32:
      return Values(literal.s32s(), 1, type);
    case wire::S64:
      return Values(literal.s64s(), 1, type);
    case wire::U1:
      return Packed(literal.u1s(), 1, type);
    case wire::U2:
      return Packed(literal.u2s(), 2, type);
    case wire::U4:
      return Packed(literal.u4s(), 4, type);
    case wire::U8:
      return Raw(literal.u8s(), 1, type);
    case wire::U16:
      return Raw(literal.u16s(), 2, type);
    case wire::U32:
      return Values(literal.u32s(), 1, type);
    case wire::U64:
      return Values(literal.u64s(), 1, type);
    case wire::F16:
      return Raw(literal.f16s(), 2, type);
    case wire::BF16:
      return Raw(literal.bf16s(), 2, type);
    case wire::F32:
      return Values(literal.f32s(), 1, type);
    case wire::F64:
      return Values(literal.f64s(), 1, type);
    case wire::C64:
      return Values(literal.c64s(), 2, type);
    case wire::C128:
      return Values(literal.c128s(), 2, type);
    case wire::F4E2M1FN:
      return Packed(literal.f4e2m1fns(), 4, type);
    case wire::F6E2M3FN:
      return Raw(literal.f6e2m3fns(), 1, type);
    case wire::F6E3M2FN:
      return Raw(literal.f6e3m2fns(), 1, type);
    case wire::F8E3M4:
      return Raw(literal.f8e3m4s(), 1, type);
    case wire::F8E4M3:
      return Raw(literal.f8e4m3s(), 1, type);
    case wire::F8E4M3B11FNUZ:
      return Raw(literal.f8e4m3b11fnuzs(), 1, type);
    case wire::F8E4M3FN:
      return Raw(literal.f8e4m3fns(), 1, type);
    case wire::F8E4M3FNUZ:
      return Raw(literal.f8e4m3fnuzs(), 1, type);
    case wire::F8E5M2:
      return Raw(literal.f8e5m2s(), 1, type);
    case wire::F8E5M2FNUZ:
      return Raw(literal.f8e5m2fnuzs(), 1, type);
    case wire::F8E8M0FNU:
      return Raw(literal.f8e8m0fnus(), 1, type);
    default:
      return absl::InvalidArgumentError(absl::StrCat(
          "a literal of ", ElementTypeName(type.element_type), " is not supported"));
  }
}

}  // namespace thunky::schema
