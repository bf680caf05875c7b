#include "thunky/schema/tensor_type.h"

#include "thunky/schema/test_programs.h"

namespace thunky::schema {
namespace {

absl::StatusOr<TensorType> TypeOf(const std::string& text) {
  return TensorTypeOf(Parse<wire::ShapeProto>(text));
}

TEST(ElementTypeTest, EveryTypeOfTheSchemaHasAName) {
  const auto* types = wire::PrimitiveType_descriptor();
  for (int i = 0; i < types->value_count(); ++i) {
    const auto type = static_cast<wire::PrimitiveType>(types->value(i)->number());
    const std::string name = ElementTypeName(type);
    EXPECT_EQ(name.find("type "), std::string::npos) << types->value(i)->name();
    EXPECT_EQ(ElementTypeOf(name).value(), type);
  }
  EXPECT_EQ(ElementTypeName(wire::BF16), "bf16");
  EXPECT_EQ(ElementTypeName(wire::F8E4M3FN), "f8e4m3fn");
  EXPECT_EQ(ElementTypeName(static_cast<wire::PrimitiveType>(99)), "type 99");
  EXPECT_THAT(ElementTypeOf("f33").status(), FailsWith("'f33'"));
}

TEST(ElementTypeTest, Bits) {
  EXPECT_EQ(ElementBits(wire::PRED).value(), 8);
  EXPECT_EQ(ElementBits(wire::S4).value(), 4);
  EXPECT_EQ(ElementBits(wire::C128).value(), 128);
  EXPECT_THAT(ElementBits(wire::TUPLE).status(), FailsWith("tuple is no array element"));
  EXPECT_THAT(ElementBits(static_cast<wire::PrimitiveType>(99)).status(),
              FailsWith("type 99"));
}

TEST(TensorTypeTest, SizesAndText) {
  const auto matrix =
      TypeOf("element_type: F32 dimensions: [3, 5] layout { minor_to_major: [0, 1] }");
  ASSERT_TRUE(matrix.ok()) << matrix.status();
  EXPECT_EQ(matrix->ToString(), "f32[3,5]");
  EXPECT_EQ(ByteSize(*matrix), 60);
  EXPECT_THAT(matrix->minor_to_major, testing::ElementsAre(0, 1));
  EXPECT_EQ(ByteSize(*TypeOf("element_type: C64")), 8);
  EXPECT_EQ(ByteSize(*TypeOf("element_type: F32 dimensions: [0, 4]")), 0);
}

TEST(TensorTypeTest, SubByteTypesArePackedWhereTheLayoutSaysSo) {
  EXPECT_EQ(ByteSize(*TypeOf("element_type: S4 dimensions: 5")), 5);
  EXPECT_EQ(ByteSize(*TypeOf("element_type: S4 dimensions: 5 "
                             "layout { minor_to_major: 0 element_size_in_bits: 4 }")),
            3);
  EXPECT_THAT(TypeOf("element_type: F32 layout { element_size_in_bits: 16 }").status(),
              FailsWith("stores f32 in 16 bits"));
}

TEST(TensorTypeTest, RefusesWhatHasNoSize) {
  EXPECT_THAT(TypeOf("element_type: F32 dimensions: -1").status(),
              FailsWith("dimension 0 is -1"));
  EXPECT_THAT(
      TypeOf("element_type: F32 dimensions: 4 is_dynamic_dimension: true").status(),
      FailsWith("dynamic"));
  EXPECT_THAT(TypeOf("element_type: F32 dimensions: [4611686018427387904, 4]").status(),
              FailsWith("more than 2^63 - 1 bits"));
  EXPECT_THAT(
      TypeOf("element_type: F32 dimensions: [0, 4611686018427387904, 4]").status(),
      FailsWith("more than 2^63 - 1 bits"));
  EXPECT_THAT(TypeOf("element_type: TUPLE").status(), FailsWith("no array element"));
  EXPECT_THAT(TypeOf("element_type: F32 dimensions: [2, 2] "
                     "layout { minor_to_major: [0, 0] }")
                  .status(),
              FailsWith("no permutation"));
  EXPECT_THAT(TypeOf("element_type: F32 dimensions: 2 "
                     "layout { minor_to_major: [0, 1] }")
                  .status(),
              FailsWith("no permutation"));
  EXPECT_THAT(TypeOf("element_type: F32 dimensions: 2 "
                     "layout { minor_to_major: 0 tiles { dimensions: 2 } }")
                  .status(),
              FailsWith("tiles"));
}

}  // namespace
}  // namespace thunky::schema
