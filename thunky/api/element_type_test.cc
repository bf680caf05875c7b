#include "thunky/api/element_type.h"

#include <gtest/gtest.h>

#include <limits>

#include "thunky/api/error.h"

namespace thunky {
namespace {

constexpr int64_t kMost = std::numeric_limits<int64_t>::max();

TEST(ElementTypeTest, IsFoundByNameAndCode) {
  for (const ElementType& type : {boolean, i1, i2, i4, i64, u1, u8, f4e2m1fn, f8e5m2fnuz,
                                  bf16, f16, f32, f64, c64, c128}) {
    EXPECT_EQ(ElementType::from_name(type.name()), type) << type.name();
    EXPECT_EQ(ElementType::from_code(type.code()), type) << type.name();
  }
  EXPECT_EQ(ElementType::from_name("s32"), i32);
  EXPECT_EQ(ElementType::from_name("i32"), i32);
  EXPECT_EQ(ElementType::from_name("bool"), boolean);
  for (const char* name : {"", "i", "i5", "F32", "f32 ", "float"}) {
    EXPECT_EQ(ElementType::from_name(name), std::nullopt) << name;
  }
  EXPECT_EQ(ElementType::from_code(0), std::nullopt);
  EXPECT_EQ(ElementType::from_code(13), std::nullopt);  // a tuple
  EXPECT_EQ(ElementType::from_code(-1), std::nullopt);
}

TEST(ElementTypeTest, OfTypesOfCpp) {
  EXPECT_EQ(element_type_of<bool>(), boolean);
  EXPECT_EQ(element_type_of<const char>(),
            std::numeric_limits<char>::is_signed ? i8 : u8);
  EXPECT_EQ(element_type_of<uint8_t>(), u8);
  EXPECT_EQ(element_type_of<int16_t>(), i16);
  EXPECT_EQ(element_type_of<unsigned>(), u32);
  EXPECT_EQ(element_type_of<long long>(), i64);
  EXPECT_EQ(element_type_of<float>(), f32);
  EXPECT_EQ(element_type_of<const double>(), f64);
  EXPECT_EQ(element_type_of<std::complex<float>>(), c64);
  EXPECT_EQ(element_type_of<std::complex<double>>(), c128);
}

TEST(TypeTest, CountsElementsAndBytes) {
  const Type type = f32(64, 256);
  EXPECT_EQ(type.to_string(), "f32[64,256]");
  EXPECT_EQ(type.rank(), 2);
  EXPECT_EQ(type.element_count(), 16384);
  EXPECT_EQ(type.byte_size(), 65536);
  EXPECT_EQ(type.problem(), "");
  const Type scalar = bf16;
  EXPECT_EQ(scalar.to_string(), "bf16[]");
  EXPECT_EQ(scalar.byte_size(), 2);
  EXPECT_EQ(scalar, bf16());
  EXPECT_FALSE(scalar == f16());
  EXPECT_EQ(i4(3, 2).byte_size(), 3);
  EXPECT_EQ(i1(16).byte_size(), 2);
}

TEST(TypeTest, ADimensionOfZeroMakesUpForAnyOther) {
  EXPECT_EQ(f32(kMost, kMost, 0).element_count(), 0);
  EXPECT_EQ(f32(0, kMost, kMost).byte_size(), 0);
}

TEST(TypeTest, WhatNothingCanHave) {
  const auto problem = [](const Type& type) {
    const std::string text = type.problem();
    for (const bool bytes : {false, true}) {
      try {
        bytes ? type.byte_size() : type.element_count();
        ADD_FAILURE() << "expected an Error";
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
        EXPECT_EQ(error.message(), text);
      }
    }
    return text;
  };
  EXPECT_EQ(problem(f32(2, -1)), "f32[2,-1]: a dimension is negative");
  EXPECT_EQ(problem(f32(0, -1)), "f32[0,-1]: a dimension is negative");
  EXPECT_EQ(problem(i4(3)), "s4[3] has 12 bits; a whole number of bytes is needed");
  EXPECT_EQ(problem(u8(kMost)), "u8[9223372036854775807] has more than 2^63 - 1 bits");
  EXPECT_EQ(problem(u1(kMost, 2)),
            "u1[9223372036854775807,2] has more than 2^63 - 1 bits");
}

}  // namespace
}  // namespace thunky
