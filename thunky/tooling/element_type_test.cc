#include "thunky/tooling/element_type.h"

#include <cmath>
#include <cstring>
#include <limits>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace thunky::tooling {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Bytes = std::vector<uint8_t>;

double Float(wire::PrimitiveType primitive, uint32_t bits) {
  Bytes data(4);
  std::memcpy(data.data(), &bits, sizeof(bits));
  return AsFloat(*FindElementType(primitive), data, 0);
}

TEST(ElementTypeTest, FindsByName) {
  EXPECT_EQ(FindElementType("f32")->primitive, wire::F32);
  EXPECT_EQ(FindElementType("i64")->primitive, wire::S64);
  EXPECT_EQ(FindElementType("s64"), FindElementType("i64"));
  EXPECT_EQ(FindElementType("bool")->primitive, wire::PRED);
  EXPECT_EQ(FindElementType(wire::BF16)->name, "bf16");
  EXPECT_EQ(FindElementType("float"), nullptr);
  EXPECT_EQ(FindElementType(""), nullptr);
  EXPECT_EQ(FindElementType("sf32"), nullptr);
  EXPECT_EQ(FindElementType(wire::TUPLE), nullptr);
  EXPECT_EQ(FindElementType(wire::S4), nullptr);
  EXPECT_THAT(ElementTypeNames(), HasSubstr("pred, s8"));
}

TEST(ElementTypeTest, EveryNameFindsItsType) {
  for (int number = 0; number < 64; ++number) {
    const ElementType* type = FindElementType(static_cast<wire::PrimitiveType>(number));
    if (type == nullptr) continue;
    EXPECT_EQ(FindElementType(type->name), type);
  }
}

TEST(ElementTypeTest, HoldsOnlyItsOwnType) {
  EXPECT_TRUE(CanHold(*FindElementType("f32"), {'f', 4}));
  EXPECT_FALSE(CanHold(*FindElementType("f32"), {'f', 8}));
  EXPECT_FALSE(CanHold(*FindElementType("f32"), {'i', 4}));
  EXPECT_TRUE(CanHold(*FindElementType("bf16"), {'V', 2}));
  EXPECT_FALSE(CanHold(*FindElementType("bf16"), {'f', 2}));
  EXPECT_TRUE(CanHold(*FindElementType("f8e4m3fn"), {'V', 1}));
}

TEST(ElementTypeTest, Describes) {
  EXPECT_EQ(DescribeStored({'f', 8}, {2, 3}), "f64[2,3]");
  EXPECT_EQ(DescribeStored({'i', 4}, {}), "s32[]");
  EXPECT_EQ(DescribeStored({'V', 2}, {1}), "V2[1]");
  EXPECT_EQ(DescribeType(*FindElementType("bf16"), {1}), "bf16[1]");
}

TEST(ElementTypeTest, DecodesSmallFloats) {
  EXPECT_EQ(Float(wire::F16, 0x3c00), 1.0);
  EXPECT_EQ(Float(wire::F16, 0xc000), -2.0);
  EXPECT_EQ(Float(wire::F16, 0x7bff), 65504.0);
  EXPECT_EQ(Float(wire::F16, 0x0001), std::ldexp(1.0, -24));
  EXPECT_EQ(Float(wire::F16, 0xfc00), -std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(Float(wire::F16, 0x7e00)));
  EXPECT_EQ(Float(wire::BF16, 0x3f80), 1.0);
  EXPECT_EQ(Float(wire::BF16, 0x4049), 3.140625);
  EXPECT_TRUE(std::isnan(Float(wire::BF16, 0x7fc0)));
  EXPECT_EQ(Float(wire::F8E4M3FN, 0x7e), 448.0);
  EXPECT_TRUE(std::isnan(Float(wire::F8E4M3FN, 0x7f)));
  EXPECT_TRUE(std::isnan(Float(wire::F8E4M3FN, 0xff)));
  EXPECT_EQ(Float(wire::F8E4M3FN, 0x01), std::ldexp(1.0, -9));
  EXPECT_EQ(Float(wire::F8E5M2, 0x7b), 57344.0);
  EXPECT_EQ(Float(wire::F8E5M2, 0x7c), std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(Float(wire::F8E5M2, 0x7d)));
  EXPECT_EQ(Float(wire::F8E4M3, 0x77), 240.0);
  EXPECT_EQ(Float(wire::F8E3M4, 0x6f), 15.5);
  EXPECT_EQ(Float(wire::F8E4M3FNUZ, 0x7f), 240.0);
  EXPECT_TRUE(std::isnan(Float(wire::F8E4M3FNUZ, 0x80)));
  EXPECT_EQ(Float(wire::F8E5M2FNUZ, 0x7f), 57344.0);
  EXPECT_EQ(Float(wire::F8E4M3B11FNUZ, 0x7f), 30.0);
  EXPECT_EQ(Float(wire::F8E8M0FNU, 127), 1.0);
  EXPECT_EQ(Float(wire::F8E8M0FNU, 0), std::ldexp(1.0, -127));
  EXPECT_TRUE(std::isnan(Float(wire::F8E8M0FNU, 0xff)));
}

TEST(ElementTypeTest, ReadsUnalignedElements) {
  Bytes data(1 + 16);
  const double value = 0.1;
  std::memcpy(&data[9], &value, sizeof(value));
  absl::Span<const uint8_t> odd = absl::MakeConstSpan(data).subspan(1);
  EXPECT_EQ(AsFloat(*FindElementType("f64"), odd, 1), 0.1);
  EXPECT_EQ(AsComplex(*FindElementType("c128"), odd, 0).imag(), 0.1);
}

TEST(ElementTypeTest, Prints) {
  EXPECT_EQ(ElementToString(*FindElementType("i8"), Bytes{0xff}, 0), "-1");
  EXPECT_EQ(ElementToString(*FindElementType("u8"), Bytes{0xff}, 0), "255");
  EXPECT_EQ(ElementToString(*FindElementType("bool"), Bytes{1}, 0), "true");
  EXPECT_EQ(ElementToString(*FindElementType("f16"), Bytes{0, 0x3c}, 0), "1");
  EXPECT_EQ(
      ElementToString(*FindElementType("c64"), Bytes{0, 0, 128, 63, 0, 0, 0, 192}, 0),
      "1-2i");
}

Bytes Parsed(const char* type, const char* text) {
  absl::StatusOr<Bytes> bytes = ParseScalar(*FindElementType(type), text);
  return bytes.ok() ? *bytes : Bytes{};
}

TEST(ElementTypeTest, ParsesScalars) {
  EXPECT_THAT(Parsed("f32", "2.5"), ElementsAre(0, 0, 32, 64));
  EXPECT_THAT(Parsed("f32", "-inf"), ElementsAre(0, 0, 128, 255));
  EXPECT_EQ(Parsed("f64", "1e-3").size(), 8u);
  EXPECT_THAT(Parsed("i8", "-128"), ElementsAre(128));
  EXPECT_THAT(Parsed("u16", "0xff01"), ElementsAre(1, 255));
  EXPECT_THAT(Parsed("u64", "18446744073709551615"),
              ElementsAre(255, 255, 255, 255, 255, 255, 255, 255));
  EXPECT_THAT(Parsed("i64", "-9223372036854775808"),
              ElementsAre(0, 0, 0, 0, 0, 0, 0, 128));
  EXPECT_THAT(Parsed("bool", "true"), ElementsAre(1));
}

TEST(ElementTypeTest, RefusesScalars) {
  const std::pair<const char*, const char*> cases[] = {{"i8", "128"},
                                                       {"i8", "-129"},
                                                       {"u8", "256"},
                                                       {"u8", "-1"},
                                                       {"i32", ""},
                                                       {"i32", "-"},
                                                       {"i32", "0x"},
                                                       {"i32", "7.5"},
                                                       {"i32", " 7"},
                                                       {"i32", "+-7"},
                                                       {"i32", "--7"},
                                                       {"f32", "seven"},
                                                       {"f32", ""},
                                                       {"bool", "2"},
                                                       {"u64", "18446744073709551616"},
                                                       {"i64", "9223372036854775808"}};
  for (const auto& [type, text] : cases) {
    absl::StatusOr<Bytes> bytes = ParseScalar(*FindElementType(type), text);
    EXPECT_EQ(bytes.status().code(), absl::StatusCode::kInvalidArgument)
        << type << ":" << text;
  }
  EXPECT_EQ(ParseScalar(*FindElementType("bf16"), "1").status().code(),
            absl::StatusCode::kUnimplemented);
}

}  // namespace
}  // namespace thunky::tooling
