#include "thunky/tooling/element_type.h"

#include <cmath>
#include <cstring>
#include <limits>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace thunky::tooling {
namespace {

using Bytes = absl::Span<const uint8_t>;

constexpr ElementType kTypes[] = {
    {wire::PRED, "pred", ElementClass::kBool, {'b', 1}},
    {wire::S8, "s8", ElementClass::kSigned, {'i', 1}},
    {wire::S16, "s16", ElementClass::kSigned, {'i', 2}},
    {wire::S32, "s32", ElementClass::kSigned, {'i', 4}},
    {wire::S64, "s64", ElementClass::kSigned, {'i', 8}},
    {wire::U8, "u8", ElementClass::kUnsigned, {'u', 1}},
    {wire::U16, "u16", ElementClass::kUnsigned, {'u', 2}},
    {wire::U32, "u32", ElementClass::kUnsigned, {'u', 4}},
    {wire::U64, "u64", ElementClass::kUnsigned, {'u', 8}},
    {wire::F16, "f16", ElementClass::kFloat, {'f', 2}},
    {wire::BF16, "bf16", ElementClass::kFloat, {'V', 2}},
    {wire::F32, "f32", ElementClass::kFloat, {'f', 4}},
    {wire::F64, "f64", ElementClass::kFloat, {'f', 8}},
    {wire::F8E5M2, "f8e5m2", ElementClass::kFloat, {'V', 1}},
    {wire::F8E4M3, "f8e4m3", ElementClass::kFloat, {'V', 1}},
    {wire::F8E4M3FN, "f8e4m3fn", ElementClass::kFloat, {'V', 1}},
    {wire::F8E4M3B11FNUZ, "f8e4m3b11fnuz", ElementClass::kFloat, {'V', 1}},
    {wire::F8E3M4, "f8e3m4", ElementClass::kFloat, {'V', 1}},
    {wire::F8E5M2FNUZ, "f8e5m2fnuz", ElementClass::kFloat, {'V', 1}},
    {wire::F8E4M3FNUZ, "f8e4m3fnuz", ElementClass::kFloat, {'V', 1}},
    {wire::F8E8M0FNU, "f8e8m0fnu", ElementClass::kFloat, {'V', 1}},
    {wire::C64, "c64", ElementClass::kComplex, {'c', 8}},
    {wire::C128, "c128", ElementClass::kComplex, {'c', 16}},
};

// Formats of at most 16 bits: how wide the fields are and what stands for the
// values that are no numbers.
struct SmallFloat {
  enum class Specials : uint8_t {
    kIeee,          // top exponent: infinities and NaNs
    kNanAllOnes,    // "fn": only all ones is NaN, no infinity
    kNanMinusZero,  // "fnuz": only minus zero is NaN, no infinity
    kExponentOnly,  // no sign, no mantissa; all ones is NaN
  };
  wire::PrimitiveType primitive;
  int exponent_bits;
  int mantissa_bits;
  int bias;
  Specials specials;
};

constexpr SmallFloat kSmallFloats[] = {
    {wire::F16, 5, 10, 15, SmallFloat::Specials::kIeee},
    {wire::BF16, 8, 7, 127, SmallFloat::Specials::kIeee},
    {wire::F8E5M2, 5, 2, 15, SmallFloat::Specials::kIeee},
    {wire::F8E4M3, 4, 3, 7, SmallFloat::Specials::kIeee},
    {wire::F8E3M4, 3, 4, 3, SmallFloat::Specials::kIeee},
    {wire::F8E4M3FN, 4, 3, 7, SmallFloat::Specials::kNanAllOnes},
    {wire::F8E4M3B11FNUZ, 4, 3, 11, SmallFloat::Specials::kNanMinusZero},
    {wire::F8E5M2FNUZ, 5, 2, 16, SmallFloat::Specials::kNanMinusZero},
    {wire::F8E4M3FNUZ, 4, 3, 8, SmallFloat::Specials::kNanMinusZero},
    {wire::F8E8M0FNU, 8, 0, 127, SmallFloat::Specials::kExponentOnly},
};

double DecodeSmallFloat(const SmallFloat& format, uint32_t bits) {
  using Specials = SmallFloat::Specials;
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  const uint32_t magnitude_bits =
      static_cast<uint32_t>(format.exponent_bits + format.mantissa_bits);
  const uint32_t magnitude = bits & ((1u << magnitude_bits) - 1);
  const uint32_t mantissa = bits & ((1u << format.mantissa_bits) - 1);
  const uint32_t top = (1u << format.exponent_bits) - 1;
  const uint32_t exponent = magnitude >> format.mantissa_bits;
  const bool all_ones = magnitude == (1u << magnitude_bits) - 1;
  if (format.specials == Specials::kExponentOnly) {
    return all_ones ? kNan : std::ldexp(1.0, static_cast<int>(exponent) - format.bias);
  }
  const bool negative = (bits >> magnitude_bits) & 1;
  if (format.specials == Specials::kNanAllOnes && all_ones) return kNan;
  if (format.specials == Specials::kNanMinusZero && negative && magnitude == 0) {
    return kNan;
  }
  if (format.specials == Specials::kIeee && exponent == top) {
    if (mantissa != 0) return kNan;
    const double infinity = std::numeric_limits<double>::infinity();
    return negative ? -infinity : infinity;
  }
  const bool normal = exponent != 0;
  const uint32_t significand = mantissa | (normal ? 1u << format.mantissa_bits : 0);
  const double value = std::ldexp(
      static_cast<double>(significand),
      (normal ? static_cast<int>(exponent) : 1) - format.bias - format.mantissa_bits);
  return negative ? -value : value;
}

template <typename T>
T Load(Bytes data, uint64_t at) {
  T value;
  std::memcpy(&value, data.data() + at, sizeof(value));
  return value;
}

template <typename T>
std::vector<uint8_t> ToBytes(T value, size_t size = sizeof(T)) {
  std::vector<uint8_t> bytes(sizeof(value));
  std::memcpy(bytes.data(), &value, sizeof(value));
  bytes.resize(size);
  return bytes;
}

absl::Status NotA(const ElementType& type, std::string_view text) {
  return absl::InvalidArgumentError(absl::StrCat("expected a value of ",
                                                 std::string(type.name), ", found '",
                                                 std::string(text), "'"));
}

absl::StatusOr<std::vector<uint8_t>> ParseInteger(const ElementType& type,
                                                  std::string_view text) {
  std::string_view digits = text;
  const bool negative = !digits.empty() && digits[0] == '-';
  if (negative) digits.remove_prefix(1);
  const bool hexadecimal = digits.substr(0, 2) == "0x";
  if (hexadecimal) digits.remove_prefix(2);
  const char* const allowed = hexadecimal ? "0123456789abcdefABCDEF" : "0123456789";
  uint64_t magnitude = 0;
  const absl::string_view number(digits.data(), digits.size());
  if (digits.empty() || digits.find_first_not_of(allowed) != std::string_view::npos ||
      !(hexadecimal ? absl::SimpleHexAtoi(number, &magnitude)
                    : absl::SimpleAtoi(number, &magnitude))) {
    return NotA(type, text);
  }
  const uint32_t bits = type.npy.size * 8;
  const uint64_t unsigned_max = ~uint64_t{0} >> (64 - bits);
  const uint64_t half = uint64_t{1} << (bits - 1);
  const bool is_signed = type.kind == ElementClass::kSigned;
  const uint64_t limit = !is_signed ? (negative ? 0 : unsigned_max)
                         : negative ? half
                                    : half - 1;
  if (magnitude > limit) return NotA(type, text);
  return ToBytes(negative ? ~magnitude + 1 : magnitude, type.npy.size);
}

}  // namespace

const ElementType* FindElementType(wire::PrimitiveType primitive) {
  for (const ElementType& type : kTypes) {
    if (type.primitive == primitive) return &type;
  }
  return nullptr;
}

const ElementType* FindElementType(std::string_view name) {
  std::string wanted(name);
  if (name == "bool") wanted = "pred";
  if (name == "i8" || name == "i16" || name == "i32" || name == "i64") wanted[0] = 's';
  for (const ElementType& type : kTypes) {
    if (type.name == wanted) return &type;
  }
  return nullptr;
}

const ElementType* FindStoredElementType(const NpyType& stored) {
  if (stored.kind == 'V') return nullptr;
  for (const ElementType& type : kTypes) {
    if (type.npy == stored) return &type;
  }
  return nullptr;
}

std::string ElementTypeNames() {
  std::string names;
  for (const ElementType& type : kTypes) {
    absl::StrAppend(&names, names.empty() ? "" : ", ", std::string(type.name));
  }
  return names;
}

std::string DescribeStored(const NpyType& stored, absl::Span<const uint64_t> shape) {
  const ElementType* type = FindStoredElementType(stored);
  return type != nullptr ? DescribeType(*type, shape) : DescribeArray(stored, shape);
}

std::string DescribeType(const ElementType& type, absl::Span<const uint64_t> shape) {
  return absl::StrCat(std::string(type.name), DescribeShape(shape));
}

bool CanHold(const ElementType& type, const NpyType& stored) {
  return type.npy == stored;
}

int64_t AsSigned(const ElementType& type, Bytes data, uint64_t index) {
  switch (type.npy.size) {
    case 1:
      return Load<int8_t>(data, index);
    case 2:
      return Load<int16_t>(data, index * 2);
    case 4:
      return Load<int32_t>(data, index * 4);
    default:
      return Load<int64_t>(data, index * 8);
  }
}

uint64_t AsUnsigned(const ElementType& type, Bytes data, uint64_t index) {
  switch (type.npy.size) {
    case 1:
      return Load<uint8_t>(data, index);
    case 2:
      return Load<uint16_t>(data, index * 2);
    case 4:
      return Load<uint32_t>(data, index * 4);
    default:
      return Load<uint64_t>(data, index * 8);
  }
}

double AsFloat(const ElementType& type, Bytes data, uint64_t index) {
  if (type.primitive == wire::F32) return Load<float>(data, index * 4);
  if (type.primitive == wire::F64) return Load<double>(data, index * 8);
  for (const SmallFloat& format : kSmallFloats) {
    if (format.primitive != type.primitive) continue;
    return DecodeSmallFloat(format, static_cast<uint32_t>(AsUnsigned(type, data, index)));
  }
  return std::numeric_limits<double>::quiet_NaN();
}

std::complex<double> AsComplex(const ElementType& type, Bytes data, uint64_t index) {
  if (type.primitive == wire::C64) {
    return {Load<float>(data, index * 8), Load<float>(data, index * 8 + 4)};
  }
  return {Load<double>(data, index * 16), Load<double>(data, index * 16 + 8)};
}

std::string ElementToString(const ElementType& type, Bytes data, uint64_t index) {
  const int digits = type.primitive == wire::F64 || type.primitive == wire::C128 ? 17 : 9;
  switch (type.kind) {
    case ElementClass::kBool:
      return AsUnsigned(type, data, index) != 0 ? "true" : "false";
    case ElementClass::kSigned:
      return absl::StrCat(AsSigned(type, data, index));
    case ElementClass::kUnsigned:
      return absl::StrCat(AsUnsigned(type, data, index));
    case ElementClass::kFloat:
      return absl::StrFormat("%.*g", digits, AsFloat(type, data, index));
    case ElementClass::kComplex: {
      const std::complex<double> value = AsComplex(type, data, index);
      return absl::StrFormat("%.*g%+.*gi", digits, value.real(), digits, value.imag());
    }
  }
  return "";
}

absl::StatusOr<std::vector<uint8_t>> ParseScalar(const ElementType& type,
                                                 std::string_view text) {
  const absl::string_view number(text.data(), text.size());
  if (type.kind == ElementClass::kSigned || type.kind == ElementClass::kUnsigned) {
    return ParseInteger(type, text);
  }
  if (type.kind == ElementClass::kBool) {
    if (text != "true" && text != "false") return NotA(type, text);
    return ToBytes<uint8_t>(text == "true");
  }
  // Parsed at its own precision: by way of double it would be rounded twice.
  if (type.primitive == wire::F32) {
    float value = 0;
    if (!absl::SimpleAtof(number, &value)) return NotA(type, text);
    return ToBytes(value);
  }
  if (type.primitive == wire::F64) {
    double value = 0;
    if (!absl::SimpleAtod(number, &value)) return NotA(type, text);
    return ToBytes(value);
  }
  return absl::UnimplementedError(absl::StrCat("a scalar of ", std::string(type.name),
                                               " is not supported on the command line"));
}

}  // namespace thunky::tooling
