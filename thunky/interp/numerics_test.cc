#include "thunky/interp/numerics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace thunky::interp {
namespace {

using ptx::ir::Rounding;

TEST(NumericsTest, HalvesSurviveARoundTrip) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    const uint16_t half = static_cast<uint16_t>(bits);
    const double value = DecodeF16(half);
    const double wide = DecodeBF16(half);
    EXPECT_EQ(EncodeF16(value), std::isnan(value) ? kNanHalf : half);
    EXPECT_EQ(EncodeBF16(wide), std::isnan(wide) ? kNanHalf : half);
  }
}

TEST(NumericsTest, BytesSurviveARoundTrip) {
  for (uint32_t bits = 0; bits < 0x100; ++bits) {
    const uint8_t byte = static_cast<uint8_t>(bits);
    const double e4m3 = DecodeE4M3(byte);
    EXPECT_EQ(EncodeE4M3(e4m3), std::isnan(e4m3) ? 0x7f : byte);
    const double e5m2 = DecodeE5M2(byte);
    if (std::isfinite(e5m2)) {
      EXPECT_EQ(EncodeE5M2(e5m2), byte);
    }
  }
}

TEST(NumericsTest, RoundsAsTheHardwareDoes) {
  // Doubles near floats of all magnitudes, with bits behind the float's last.
  for (uint64_t i = 0; i < 200'000; ++i) {
    const uint64_t bits = i * 0x9e3779b97f4a7c15u;
    const double value = AsDouble((bits & 0x8fffffffffffffffu) | 0x3000000000000000u);
    EXPECT_EQ(EncodeDouble(value, kFormatF32, Rounding::kNearestEven),
              ToBits(static_cast<float>(value)));
    const double down =
        AsFloat(static_cast<uint32_t>(EncodeDouble(value, kFormatF32, Rounding::kDown)));
    const double up =
        AsFloat(static_cast<uint32_t>(EncodeDouble(value, kFormatF32, Rounding::kUp)));
    EXPECT_LE(down, value);
    EXPECT_GE(up, value);
    EXPECT_EQ(std::nextafterf(static_cast<float>(down), INFINITY) >= up, true);
  }
}

TEST(NumericsTest, BF16FromSingleAgreesWithTheGeneralWay) {
  for (uint64_t i = 0; i < (1u << 20); ++i) {
    const uint32_t bits = static_cast<uint32_t>(i * 0x9e3779b1u);
    EXPECT_EQ(EncodeBF16FromF32(bits), EncodeBF16(AsFloat(bits)));
  }
}

TEST(NumericsTest, OverflowByMode) {
  const double huge = 1e300;
  EXPECT_EQ(EncodeDouble(huge, kFormatF16, Rounding::kNearestEven), 0x7c00u);
  EXPECT_EQ(EncodeDouble(huge, kFormatF16, Rounding::kZero), 0x7bffu);
  EXPECT_EQ(EncodeDouble(huge, kFormatF16, Rounding::kDown), 0x7bffu);
  EXPECT_EQ(EncodeDouble(-huge, kFormatF16, Rounding::kDown), 0xfc00u);
  EXPECT_EQ(EncodeDouble(-huge, kFormatF16, Rounding::kUp), 0xfbffu);
}

TEST(NumericsTest, UnderflowByMode) {
  const double tiny = std::numeric_limits<double>::denorm_min();
  EXPECT_EQ(EncodeDouble(tiny, kFormatF32, Rounding::kUp), 1u);
  EXPECT_EQ(EncodeDouble(tiny, kFormatF32, Rounding::kNearestEven), 0u);
  EXPECT_EQ(EncodeDouble(-tiny, kFormatF32, Rounding::kDown), 0x80000001u);
  EXPECT_EQ(EncodeDouble(0x1p-150, kFormatF32, Rounding::kNearestEven), 0u);
  EXPECT_EQ(EncodeDouble(0x1.8p-150, kFormatF32, Rounding::kNearestEven), 1u);
}

TEST(NumericsTest, IntegersInTheLimit) {
  EXPECT_EQ(EncodeInteger(false, ~uint64_t{0}, kFormatF64, Rounding::kNearestEven),
            ToBits(0x1p64));
  EXPECT_EQ(EncodeInteger(true, 3, kFormatF32, Rounding::kNearestEven), ToBits(-3.0f));
  EXPECT_EQ(ToInteger(1e30, 64, false, true), ~uint64_t{0});
  EXPECT_EQ(ToInteger(-1e30, 64, true, true), uint64_t{1} << 63);
  EXPECT_EQ(ToInteger(-128, 8, true, false), 0x80u);
  EXPECT_EQ(ToInteger(NAN, 32, true, true), 0x80000000u);
}

TEST(NumericsTest, SumsRoundedToOdd) {
  EXPECT_EQ(AddToOdd(1.0, 0x1p-80), std::nextafter(1.0, 2.0));
  EXPECT_EQ(AddToOdd(1.0, -0x1p-80), std::nextafter(1.0, 0.0));
  EXPECT_EQ(AddToOdd(1.5, 0.25), 1.75);
  EXPECT_EQ(AddToOdd(-1.0, -0x1p-80), std::nextafter(-1.0, -2.0));
}

TEST(NumericsTest, RoundingScopesNest) {
  volatile float one = 1.0f;
  volatile float three = 3.0f;
  const float nearest = one / three;
  {
    const RoundingScope up(Rounding::kUp);
    volatile float result = one / three;
    EXPECT_GE(result, nearest);
    {
      const RoundingScope down(Rounding::kDown);
      volatile float lower = one / three;
      EXPECT_LT(lower, result);
    }
  }
  EXPECT_EQ(one / three, nearest);
}

}  // namespace
}  // namespace thunky::interp
