#include "thunky/tooling/tensor_layout.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace thunky::tooling {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Bytes = std::vector<uint8_t>;

schema::TensorType Type(wire::PrimitiveType element, std::vector<int64_t> dimensions,
                        std::vector<int64_t> minor_to_major) {
  schema::TensorType type;
  type.element_type = element;
  type.dimensions = std::move(dimensions);
  type.minor_to_major = std::move(minor_to_major);
  type.storage_bits = *schema::ElementBits(element);
  return type;
}

TEST(TensorLayoutTest, DefaultLayoutsMoveNothing) {
  const Bytes bytes = {0, 1, 2, 3, 4, 5};
  for (const std::vector<int64_t>& layout : {std::vector<int64_t>{1, 0}, {}}) {
    EXPECT_EQ(ToDeviceOrder(Type(wire::U8, {2, 3}, layout), bytes), bytes);
    EXPECT_EQ(ToArrayOrder(Type(wire::U8, {2, 3}, layout), bytes), bytes);
  }
  EXPECT_EQ(ToDeviceOrder(Type(wire::U8, {}, {}), {7}), Bytes{7});
}

TEST(TensorLayoutTest, TransposedMatrix) {
  const schema::TensorType type = Type(wire::U8, {2, 3}, {0, 1});
  EXPECT_THAT(ToDeviceOrder(type, {0, 1, 2, 10, 11, 12}),
              ElementsAre(0, 10, 1, 11, 2, 12));
  EXPECT_THAT(ToArrayOrder(type, {0, 10, 1, 11, 2, 12}),
              ElementsAre(0, 1, 2, 10, 11, 12));
}

TEST(TensorLayoutTest, ThreeDimensionsThereAndBack) {
  // Axis 1 is the fastest, then 2, then 0.
  const schema::TensorType type = Type(wire::U16, {2, 3, 4}, {1, 2, 0});
  Bytes bytes(48);
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<uint8_t>(i);
  const Bytes device = ToDeviceOrder(type, bytes);
  // Element [1,2,3] lies at 1 * 12 + 3 * 3 + 2.
  EXPECT_EQ(device[2 * 23], bytes[2 * 23]);
  // Element [0,1,0] follows [0,0,0].
  EXPECT_EQ(device[2], bytes[2 * 4]);
  EXPECT_EQ(device[3], bytes[2 * 4 + 1]);
  EXPECT_EQ(ToArrayOrder(type, device), bytes);
}

TEST(TensorLayoutTest, EmptyArrays) {
  EXPECT_TRUE(ToDeviceOrder(Type(wire::F32, {0, 3}, {0, 1}), {}).empty());
}

TEST(TensorLayoutTest, TypesOfLessThanAByteAreRefused) {
  EXPECT_TRUE(ArrayElementType(Type(wire::F32, {}, {})).ok());
  const absl::Status status = ArrayElementType(Type(wire::S4, {2}, {0})).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented);
  EXPECT_THAT(std::string(status.message()), HasSubstr("arrays of s4"));
}

TEST(TensorLayoutTest, NamesAreThoseOfTheSchema) {
  for (int number = 0; number < 64; ++number) {
    const auto primitive = static_cast<wire::PrimitiveType>(number);
    const ElementType* type = FindElementType(primitive);
    if (type == nullptr) continue;
    EXPECT_EQ(std::string(type->name), schema::ElementTypeName(primitive));
    EXPECT_EQ(static_cast<int>(type->npy.size) * 8, *schema::ElementBits(primitive));
  }
}

}  // namespace
}  // namespace thunky::tooling
