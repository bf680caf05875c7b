// Floating-point facts of the PTX ISA as functions on bit patterns: formats,
// rounding, flushing, saturation, canonical NaNs. No state, no exceptions; all
// functions accept all inputs.
#ifndef THUNKY_INTERP_NUMERICS_H_
#define THUNKY_INTERP_NUMERICS_H_

#include <bit>
#include <cstdint>

#include "thunky/ptx/ir.h"

namespace thunky::interp {

inline constexpr uint32_t kNanF32 = 0x7fffffff;
inline constexpr uint16_t kNanHalf = 0x7fff;  // f16 and bf16

inline float AsFloat(uint32_t bits) { return std::bit_cast<float>(bits); }
inline double AsDouble(uint64_t bits) { return std::bit_cast<double>(bits); }
inline uint32_t ToBits(float value) { return std::bit_cast<uint32_t>(value); }
inline uint64_t ToBits(double value) { return std::bit_cast<uint64_t>(value); }

inline bool IsNanF32(uint32_t bits) { return (bits & 0x7fffffffu) > 0x7f800000u; }
inline bool IsNanF64(uint64_t bits) {
  return (bits & 0x7fffffffffffffffu) > 0x7ff0000000000000u;
}

// Subnormals become zeros of the same sign.
inline uint32_t FlushF32(uint32_t bits) {
  return (bits & 0x7f800000u) == 0 ? bits & 0x80000000u : bits;
}
inline uint64_t FlushF64(uint64_t bits) {
  return (bits & 0x7ff0000000000000u) == 0 ? bits & 0x8000000000000000u : bits;
}
inline uint32_t CanonicalF32(uint32_t bits) { return IsNanF32(bits) ? kNanF32 : bits; }

// .sat: clamps to [0, 1]; NaN becomes +0.
inline uint32_t SaturateF32(uint32_t bits) {
  const float value = AsFloat(bits);
  const uint32_t low = value > 0.0f ? bits : 0u;  // also NaN and -0
  return value > 1.0f ? 0x3f800000u : low;
}
inline uint64_t SaturateF64(uint64_t bits) {
  const double value = AsDouble(bits);
  const uint64_t low = value > 0.0 ? bits : 0u;
  return value > 1.0 ? ToBits(1.0) : low;
}

// An IEEE-like binary format.
struct Format {
  int exponent_bits;
  int mantissa_bits;
};
inline constexpr Format kFormatF16{5, 10};
inline constexpr Format kFormatBF16{8, 7};
inline constexpr Format kFormatTF32{8, 10};
inline constexpr Format kFormatF32{8, 23};
inline constexpr Format kFormatF64{11, 52};

// Rounds (-1)^negative * significand * 2^(exponent - 63) to `format`. The
// significand has bit 63 set; `sticky` says that lower bits were lost. Overflow
// gives infinity or the largest finite value, as the mode says. kDefault is
// nearest even.
uint64_t RoundAndPack(bool negative, int exponent, uint64_t significand, bool sticky,
                      Format format, ptx::ir::Rounding mode);

// Rounds a double to `format`; a NaN becomes the positive all-ones pattern.
uint64_t EncodeDouble(double value, Format format, ptx::ir::Rounding mode);
// Rounds an integer (magnitude and sign) to `format`.
uint64_t EncodeInteger(bool negative, uint64_t magnitude, Format format,
                       ptx::ir::Rounding mode);

// The nearest float of a double under a rounding mode, NaN canonical.
uint32_t EncodeF32(double value, ptx::ir::Rounding mode = ptx::ir::Rounding::kDefault);

// f16 as a double, exact. NaN becomes a quiet NaN.
double DecodeF16(uint16_t bits);
inline double DecodeBF16(uint16_t bits) {
  return AsFloat(static_cast<uint32_t>(bits) << 16);
}
uint16_t EncodeF16(double value, ptx::ir::Rounding mode = ptx::ir::Rounding::kDefault);
uint16_t EncodeBF16(double value, ptx::ir::Rounding mode = ptx::ir::Rounding::kDefault);
// f32 bits to bf16, nearest even.
inline uint16_t EncodeBF16FromF32(uint32_t bits) {
  const uint32_t rounded = (bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16;
  return static_cast<uint16_t>(IsNanF32(bits) ? kNanHalf : rounded);
}

// 8-bit floats. e4m3 has no infinities (largest 448, NaN 0x7f); both saturate to
// the largest finite value.
uint8_t EncodeE4M3(double value);
uint8_t EncodeE5M2(double value);
double DecodeE4M3(uint8_t bits);
double DecodeE5M2(uint8_t bits);

// a + b rounded to odd: a later rounding to fewer bits is then the rounding of
// the exact sum. NaN and infinity as the plain sum.
double AddToOdd(double a, double b);

// Rounds to an integral value: .rni .rzi .rmi .rpi.
double RoundToIntegral(double value, ptx::ir::Rounding mode);

// Float to integer with saturation. `width` is 8, 16, 32 or 64. NaN gives 0, or
// the pattern with only the top bit set when `nan_is_top_bit`.
uint64_t ToInteger(double integral, int width, bool is_signed, bool nan_is_top_bit);

// Approximate instructions; results within the ISA's bounds. Inputs and outputs
// are f32 patterns, not flushed.
uint32_t ApproxRcp(uint32_t a);
uint32_t ApproxSqrt(uint32_t a);
uint32_t ApproxRsqrt(uint32_t a);
uint32_t ApproxSin(uint32_t a);
uint32_t ApproxCos(uint32_t a);
uint32_t ApproxLg2(uint32_t a);
uint32_t ApproxEx2(uint32_t a);
uint32_t ApproxTanh(uint32_t a);
// div.approx (0 for 2^126 < |b| < 2^128) and div.full.
uint32_t ApproxDiv(uint32_t a, uint32_t b);
uint32_t FullDiv(uint32_t a, uint32_t b);
// rcp.approx.ftz.f64 and rsqrt.approx.ftz.f64: only the upper words count.
uint64_t GrossRcp(uint64_t a);
uint64_t GrossRsqrt(uint64_t a);
// rsqrt.approx.f64
uint64_t ApproxRsqrtF64(uint64_t a);

// Sets the rounding mode of the calling thread for a scope. Operations whose
// operands are loaded from and stored to memory inside the scope obey it.
class RoundingScope {
 public:
  explicit RoundingScope(ptx::ir::Rounding mode);
  ~RoundingScope();
  RoundingScope(const RoundingScope&) = delete;
  RoundingScope& operator=(const RoundingScope&) = delete;

 private:
  int saved_;
};

}  // namespace thunky::interp

#endif  // THUNKY_INTERP_NUMERICS_H_
