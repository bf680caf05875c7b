#include "thunky/interp/numerics.h"

#include <cfenv>
#include <cmath>
#include <limits>

namespace thunky::interp {
namespace {

using ptx::ir::Rounding;

// Whether a magnitude whose kept part is odd or even (`odd`), with the first
// dropped bit `half` and any further bits `rest`, is rounded away from zero.
bool RoundsUp(Rounding mode, bool negative, bool odd, bool half, bool rest) {
  switch (mode) {
    case Rounding::kZero:
    case Rounding::kIntZero:
      return false;
    case Rounding::kDown:
    case Rounding::kIntDown:
      return negative && (half || rest);
    case Rounding::kUp:
    case Rounding::kIntUp:
      return !negative && (half || rest);
    case Rounding::kNearestAway:
      return half;
    case Rounding::kDefault:
    case Rounding::kNearestEven:
    case Rounding::kIntNearestEven:
      break;
  }
  return half && (rest || odd);
}

// The finite result of an overflow: the largest value instead of infinity?
bool OverflowsToLargest(Rounding mode, bool negative) {
  switch (mode) {
    case Rounding::kZero:
      return true;
    case Rounding::kDown:
      return !negative;
    case Rounding::kUp:
      return negative;
    default:
      return false;
  }
}

// exponent of the smallest normal number
int MinExponent(Format format) { return 2 - (1 << (format.exponent_bits - 1)); }

double DecodeSmall(uint32_t bits, int exponent_bits, int mantissa_bits) {
  const uint32_t mantissa = bits & ((1u << mantissa_bits) - 1);
  const int exponent =
      static_cast<int>((bits >> mantissa_bits) & ((1u << exponent_bits) - 1));
  const bool negative = ((bits >> (exponent_bits + mantissa_bits)) & 1) != 0;
  const int min_exponent = MinExponent({exponent_bits, mantissa_bits});
  const double significand = exponent == 0 ? mantissa : mantissa + (1u << mantissa_bits);
  const int scale = (exponent == 0 ? min_exponent : min_exponent + exponent - 1);
  const double magnitude = std::ldexp(significand, scale - mantissa_bits);
  return negative ? -magnitude : magnitude;
}

}  // namespace

uint64_t RoundAndPack(bool negative, int exponent, uint64_t significand, bool sticky,
                      Format format, Rounding mode) {
  const int mantissa_bits = format.mantissa_bits;
  const int min_exponent = MinExponent(format);
  const uint64_t sign = uint64_t{negative}
                        << (format.exponent_bits + format.mantissa_bits);
  const uint64_t infinity = ((uint64_t{1} << format.exponent_bits) - 1) << mantissa_bits;
  if (exponent > 2 - min_exponent) {  // far above the largest finite value
    return sign | (OverflowsToLargest(mode, negative) ? infinity - 1 : infinity);
  }
  const bool subnormal = exponent < min_exponent;
  const int dropped = 63 - mantissa_bits + (subnormal ? min_exponent - exponent : 0);
  uint64_t kept = 0;
  bool half = false;
  bool rest = sticky;
  if (dropped > 64) {
    rest = true;
  } else if (dropped == 64) {
    half = true;  // bit 63
    rest = rest || (significand << 1) != 0;
  } else {
    kept = significand >> dropped;
    half = ((significand >> (dropped - 1)) & 1) != 0;
    rest = rest || (significand & ((uint64_t{1} << (dropped - 1)) - 1)) != 0;
  }
  if (RoundsUp(mode, negative, (kept & 1) != 0, half, rest)) ++kept;
  uint64_t result = kept;  // a carry moves into the exponent by itself
  if (!subnormal) {
    result += static_cast<uint64_t>(exponent - min_exponent) << mantissa_bits;
  }
  if (result >= infinity) {
    result = OverflowsToLargest(mode, negative) ? infinity - 1 : infinity;
  }
  return sign | result;
}

uint64_t EncodeDouble(double value, Format format, Rounding mode) {
  const uint64_t bits = ToBits(value);
  const bool negative = (bits >> 63) != 0;
  const int total = format.exponent_bits + format.mantissa_bits;
  if (std::isnan(value)) return (uint64_t{1} << total) - 1;
  const uint64_t sign = uint64_t{negative} << total;
  if (std::isinf(value)) {
    return sign | (((uint64_t{1} << format.exponent_bits) - 1) << format.mantissa_bits);
  }
  if (value == 0) return sign;
  uint64_t significand = bits & 0xfffffffffffffu;
  int exponent = static_cast<int>((bits >> 52) & 0x7ff) - 1023;
  if (exponent == -1023) {
    exponent = -1022;
  } else {
    significand |= uint64_t{1} << 52;
  }
  const int shift = std::countl_zero(significand);
  return RoundAndPack(negative, exponent + 11 - shift, significand << shift, false,
                      format, mode);
}

uint64_t EncodeInteger(bool negative, uint64_t magnitude, Format format, Rounding mode) {
  if (magnitude == 0) return 0;
  const int shift = std::countl_zero(magnitude);
  return RoundAndPack(negative, 63 - shift, magnitude << shift, false, format, mode);
}

uint32_t EncodeF32(double value, Rounding mode) {
  if (mode == Rounding::kDefault || mode == Rounding::kNearestEven) {
    if (std::isnan(value)) return kNanF32;
    return ToBits(static_cast<float>(value));
  }
  return static_cast<uint32_t>(EncodeDouble(value, kFormatF32, mode));
}

double DecodeF16(uint16_t bits) {
  if ((bits & 0x7c00) == 0x7c00) {
    if ((bits & 0x3ff) != 0) return std::numeric_limits<double>::quiet_NaN();
    const double infinity = std::numeric_limits<double>::infinity();
    return (bits & 0x8000) != 0 ? -infinity : infinity;
  }
  return DecodeSmall(bits, 5, 10);
}

uint16_t EncodeF16(double value, Rounding mode) {
  return static_cast<uint16_t>(EncodeDouble(value, kFormatF16, mode));
}

uint16_t EncodeBF16(double value, Rounding mode) {
  return static_cast<uint16_t>(EncodeDouble(value, kFormatBF16, mode));
}

uint8_t EncodeE4M3(double value) {
  if (std::isnan(value)) return 0x7f;
  const uint8_t sign = std::signbit(value) ? 0x80 : 0;
  if (std::abs(value) >= 448) return sign | 0x7e;
  // The format uses its top exponent for numbers: encode with one exponent bit
  // more, where no infinity is near; the factor moves the bias from 15 to 7.
  const double shifted = std::abs(value) * 0x1p-8;
  const uint64_t bits = EncodeDouble(shifted, {5, 3}, Rounding::kNearestEven);
  return sign | static_cast<uint8_t>(bits);
}

uint8_t EncodeE5M2(double value) {
  if (std::isnan(value)) return 0x7f;
  const uint8_t sign = std::signbit(value) ? 0x80 : 0;
  if (std::abs(value) >= 57344) return sign | 0x7b;
  const uint64_t bits = EncodeDouble(std::abs(value), {5, 2}, Rounding::kNearestEven);
  return sign | static_cast<uint8_t>(bits);
}

double DecodeE4M3(uint8_t bits) {
  if ((bits & 0x7f) == 0x7f) return std::numeric_limits<double>::quiet_NaN();
  return DecodeSmall(bits, 4, 3);
}

double DecodeE5M2(uint8_t bits) { return DecodeF16(static_cast<uint16_t>(bits << 8)); }

double AddToOdd(double a, double b) {
  const double sum = a + b;
  if (!std::isfinite(sum)) return sum;
  const double b_part = sum - a;
  const double error = (a - (sum - b_part)) + (b - b_part);
  const uint64_t bits = ToBits(sum);
  if (error == 0 || (bits & 1) != 0) return sum;
  // The exact sum lies between `sum` and its neighbour towards the error.
  const bool away = (error > 0) == !std::signbit(sum);
  return AsDouble(away ? bits + 1 : bits - 1);
}

double RoundToIntegral(double value, Rounding mode) {
  switch (mode) {
    case Rounding::kZero:
    case Rounding::kIntZero:
      return std::trunc(value);
    case Rounding::kDown:
    case Rounding::kIntDown:
      return std::floor(value);
    case Rounding::kUp:
    case Rounding::kIntUp:
      return std::ceil(value);
    default:
      return std::nearbyint(value);
  }
}

uint64_t ToInteger(double integral, int width, bool is_signed, bool nan_is_top_bit) {
  const uint64_t top = uint64_t{1} << (width - 1);
  const uint64_t all = top | (top - 1);
  if (std::isnan(integral)) return nan_is_top_bit ? top : 0;
  if (is_signed) {
    const double limit = std::ldexp(1.0, width - 1);
    if (integral >= limit) return top - 1;
    if (integral <= -limit) return top;
    return static_cast<uint64_t>(static_cast<int64_t>(integral)) & all;
  }
  if (integral <= 0) return 0;
  if (integral >= std::ldexp(1.0, width)) return all;
  return static_cast<uint64_t>(integral);
}

uint32_t ApproxRcp(uint32_t a) { return EncodeF32(1.0 / AsFloat(a)); }
uint32_t ApproxSqrt(uint32_t a) {
  return EncodeF32(std::sqrt(static_cast<double>(AsFloat(a))));
}
uint32_t ApproxRsqrt(uint32_t a) {
  return EncodeF32(1.0 / std::sqrt(static_cast<double>(AsFloat(a))));
}
uint32_t ApproxSin(uint32_t a) {
  return EncodeF32(std::sin(static_cast<double>(AsFloat(a))));
}
uint32_t ApproxCos(uint32_t a) {
  return EncodeF32(std::cos(static_cast<double>(AsFloat(a))));
}
uint32_t ApproxLg2(uint32_t a) {
  return EncodeF32(std::log2(static_cast<double>(AsFloat(a))));
}
uint32_t ApproxEx2(uint32_t a) {
  return EncodeF32(std::exp2(static_cast<double>(AsFloat(a))));
}
uint32_t ApproxTanh(uint32_t a) {
  return EncodeF32(std::tanh(static_cast<double>(AsFloat(a))));
}

uint32_t ApproxDiv(uint32_t a, uint32_t b) {
  const uint32_t magnitude = b & 0x7fffffffu;
  if (magnitude > 0x7e800000u && magnitude < 0x7f800000u) {
    const bool infinite = (a & 0x7fffffffu) >= 0x7f800000u;
    return infinite ? kNanF32 : (a ^ b) & 0x80000000u;
  }
  return FullDiv(a, b);
}

uint32_t FullDiv(uint32_t a, uint32_t b) {
  return CanonicalF32(ToBits(AsFloat(a) / AsFloat(b)));
}

namespace {

// Keeps the upper word; a NaN becomes the canonical one.
uint64_t UpperWord(double value) {
  if (std::isnan(value)) return 0x7fffffff00000000u;
  return FlushF64(ToBits(value)) & 0xffffffff00000000u;
}

}  // namespace

uint64_t GrossRcp(uint64_t a) {
  return UpperWord(1.0 / AsDouble(FlushF64(a & 0xffffffff00000000u)));
}

uint64_t GrossRsqrt(uint64_t a) {
  return UpperWord(1.0 / std::sqrt(AsDouble(FlushF64(a & 0xffffffff00000000u))));
}

uint64_t ApproxRsqrtF64(uint64_t a) { return ToBits(1.0 / std::sqrt(AsDouble(a))); }

RoundingScope::RoundingScope(Rounding mode) : saved_(std::fegetround()) {
  int wanted = FE_TONEAREST;
  if (mode == Rounding::kZero) wanted = FE_TOWARDZERO;
  if (mode == Rounding::kDown) wanted = FE_DOWNWARD;
  if (mode == Rounding::kUp) wanted = FE_UPWARD;
  std::fesetround(wanted);
}

RoundingScope::~RoundingScope() { std::fesetround(saved_); }

}  // namespace thunky::interp
