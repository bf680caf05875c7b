#include "thunky/tooling/compare.h"

#include <cstring>
#include <limits>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace thunky::tooling {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Bytes = std::vector<uint8_t>;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

template <typename T>
Bytes ToBytes(std::vector<T> values) {
  Bytes bytes(values.size() * sizeof(T));
  if (!bytes.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

template <typename T>
Comparison CompareArrays(const char* type, std::vector<uint64_t> shape,
                         std::vector<T> found, std::vector<T> expected,
                         const Tolerance& tolerance = {}) {
  absl::StatusOr<Comparison> result = Compare(
      *FindElementType(type), shape, ToBytes(found), ToBytes(expected), tolerance);
  EXPECT_TRUE(result.ok()) << result.status();
  return *result;
}

TEST(CompareTest, FloatsWithinTheDefaults) {
  // rtol 1e-5, atol 1e-5 x 100.
  Comparison result =
      CompareArrays<float>("f32", {2, 2}, {100, 0.0009f, 1, 2}, {100, 0, 1, 2});
  EXPECT_TRUE(result.holds);
  EXPECT_DOUBLE_EQ(result.atol, 1e-3);
  EXPECT_FLOAT_EQ(static_cast<float>(result.largest_difference), 0.0009f);
  EXPECT_THAT(result.index, ElementsAre(0, 1));
  EXPECT_EQ(result.expected, "0");
  result = CompareArrays<float>("f32", {2, 2}, {100, 0.0011f, 1, 2}, {100, 0, 1, 2});
  EXPECT_FALSE(result.holds);
  EXPECT_EQ(result.mismatches, 1u);
  EXPECT_THAT(DescribeComparison(result),
              HasSubstr("at [0,1] (found 0.00109999999, expected 0); 1 of 4 elements"));
}

TEST(CompareTest, ToleranceIsRelativeToTheReference) {
  EXPECT_TRUE(CompareArrays<double>("f64", {1}, {1.1}, {1.0}, {0.1001, 0.0}).holds);
  EXPECT_FALSE(CompareArrays<double>("f64", {1}, {1.0}, {0.9}, {0.1001, 0.0}).holds);
  EXPECT_TRUE(CompareArrays<double>("f64", {1}, {1.0}, {0.9}, {0.0, 0.1001}).holds);
  EXPECT_TRUE(CompareArrays<double>("f64", {1}, {0.5}, {0.5}, {0.0, 0.0}).holds);
}

TEST(CompareTest, NanEqualsNanAndInfinitiesAreExact) {
  EXPECT_TRUE(CompareArrays<float>("f32", {3}, {kNan, kInfinity, -kInfinity},
                                   {kNan, kInfinity, -kInfinity})
                  .holds);
  for (auto [found, expected] : {std::pair{kNan, 1.f},
                                 {1.f, kNan},
                                 {kInfinity, kNan},
                                 {kInfinity, -kInfinity},
                                 {kInfinity, 1e38f},
                                 {1e38f, kInfinity}}) {
    Comparison result =
        CompareArrays<float>("f32", {1}, {found}, {expected}, {1.0, 1e300});
    EXPECT_FALSE(result.holds) << found << " " << expected;
    EXPECT_EQ(result.largest_difference, kInfinity);
  }
  // An infinity in the reference does not widen the tolerance of the others.
  EXPECT_FALSE(CompareArrays<float>("f32", {2}, {kInfinity, 1.1f}, {kInfinity, 1}).holds);
}

TEST(CompareTest, IntegersAreExact) {
  EXPECT_TRUE(CompareArrays<int64_t>("i64", {1}, {1}, {1}).holds);
  // 2^53 + 1 and 2^53 are one number in double.
  const int64_t big = int64_t{1} << 53;
  Comparison result =
      CompareArrays<int64_t>("i64", {2}, {0, big + 1}, {0, big}, {1.0, 1e9});
  EXPECT_FALSE(result.holds);
  EXPECT_EQ(result.largest_difference, 1);
  EXPECT_THAT(result.index, ElementsAre(1));
  const int64_t least = std::numeric_limits<int64_t>::min();
  result =
      CompareArrays<int64_t>("i64", {1}, {std::numeric_limits<int64_t>::max()}, {least});
  EXPECT_EQ(result.largest_difference, 18446744073709551615.0);
  EXPECT_EQ(CompareArrays<uint8_t>("u8", {1}, {3}, {250}).largest_difference, 247);
  EXPECT_FALSE(CompareArrays<uint8_t>("bool", {1}, {1}, {0}).holds);
}

TEST(CompareTest, ComplexNumbersByMagnitude) {
  EXPECT_TRUE(CompareArrays<float>("c64", {1}, {3, 4.00001f}, {3, 4}).holds);
  Comparison result = CompareArrays<float>("c64", {1}, {3, 4}, {0, 0}, {0.0, 4.9});
  EXPECT_FALSE(result.holds);
  EXPECT_EQ(result.largest_difference, 5);
  EXPECT_TRUE(CompareArrays<float>("c64", {1}, {kNan, 4}, {kNan, 5}).holds);
  EXPECT_FALSE(CompareArrays<float>("c64", {1}, {kInfinity, 4}, {kInfinity, 5}).holds);
}

TEST(CompareTest, SmallFloats) {
  EXPECT_TRUE(CompareArrays<uint16_t>("bf16", {1}, {0x3f80}, {0x3f80}).holds);
  EXPECT_EQ(CompareArrays<uint16_t>("bf16", {1}, {0x3f80}, {0x4000}).largest_difference,
            1);
  EXPECT_EQ(CompareArrays<uint16_t>("f16", {1}, {0x3c00}, {0x4000}).found, "1");
}

TEST(CompareTest, EmptyAndScalar) {
  EXPECT_EQ(DescribeComparison(CompareArrays<float>("f32", {0, 3}, {}, {})),
            "no elements");
  Comparison scalar = CompareArrays<float>("f32", {}, {1}, {1});
  EXPECT_TRUE(scalar.holds);
  EXPECT_EQ(DescribeComparison(scalar), "largest difference 0");
}

TEST(CompareTest, RefusesSizesThatDiffer) {
  const ElementType& type = *FindElementType("f32");
  EXPECT_FALSE(Compare(type, {2}, Bytes(8), Bytes(4), {}).ok());
  EXPECT_FALSE(Compare(type, {2}, Bytes(4), Bytes(4), {}).ok());
  EXPECT_FALSE(Compare(type, {2}, Bytes(12), Bytes(12), {}).ok());
  EXPECT_FALSE(Compare(type, {uint64_t{1} << 62, 4}, Bytes(0), Bytes(0), {}).ok());
  EXPECT_FALSE(Compare(type, {uint64_t{1} << 63, 2, 1}, Bytes(4), Bytes(4), {}).ok());
  EXPECT_FALSE(Compare(type, {1}, Bytes(4), Bytes(4), {-1.0, {}}).ok());
  EXPECT_FALSE(Compare(type, {1}, Bytes(4), Bytes(4), {0.0, kNan}).ok());
}

}  // namespace
}  // namespace thunky::tooling
