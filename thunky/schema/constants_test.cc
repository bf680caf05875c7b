#include "thunky/schema/constants.h"

#include "absl/strings/str_cat.h"
#include "thunky/schema/test_programs.h"

namespace thunky::schema {
namespace {

using namespace std::string_literals;  // bytes with zeros in them

std::string Literal(const std::string& instruction, const std::string& literal) {
  return absl::StrCat(
      "hlo_module_with_config { hlo_module { computations { instructions { name: '",
      instruction, "' opcode: 'constant' ", literal, " } } } } ");
}

constexpr char kTwoS32[] =
    "literal { shape { element_type: S32 dimensions: 2 } s32s: [1, -2] }";

absl::StatusOr<std::vector<Constant>> Of(const std::vector<int64_t>& sizes,
                                         const std::string& text) {
  return ConstantsOf(Program(sizes, text));
}

TEST(ConstantsTest, InlineContent) {
  const auto constants =
      Of({8, 4},
         "constants { symbol_name: 'c' allocation_index: 1 content { data: 'ab' } }");
  ASSERT_TRUE(constants.ok()) << constants.status();
  ASSERT_EQ(constants->size(), 1u);
  EXPECT_EQ((*constants)[0].name, "c");
  EXPECT_EQ((*constants)[0].allocation, 1);
  EXPECT_EQ((*constants)[0].bytes, "ab");  // two zero bytes follow
  EXPECT_EQ((*constants)[0].size, 4);
}

TEST(ConstantsTest, ContentLongerThanTheAllocationIsRefused) {
  EXPECT_THAT(Of({1}, "constants { symbol_name: 'c' content { data: 'ab' } }").status(),
              FailsWith("constant 'c': has 2 bytes; allocation 0 has 1"));
  EXPECT_THAT(Of({4}, Literal("x", kTwoS32) + "constants { symbol_name: 'buffer_for_x' }")
                  .status(),
              FailsWith("has 8 bytes; allocation 0 has 4"));
}

TEST(ConstantsTest, AHugeAllocationCostsNothing) {
  const auto constants =
      Of({int64_t{1} << 60}, "constants { symbol_name: 'c' content { data: 'ab' } }");
  ASSERT_TRUE(constants.ok()) << constants.status();
  EXPECT_EQ((*constants)[0].bytes.size(), 2u);
}

TEST(ConstantsTest, LiteralOfTheInstructionOfThatName) {
  const auto constants = Of({8}, Literal("a.b-c;1", kTwoS32) +
                                     "constants { symbol_name: 'buffer_for_a_b_c_1' }");
  ASSERT_TRUE(constants.ok()) << constants.status();
  EXPECT_EQ((*constants)[0].bytes, "\1\0\0\0\xfe\xff\xff\xff"s);
}

TEST(ConstantsTest, NamesMustLeadToOneLiteral) {
  const std::string constant = "constants { symbol_name: 'buffer_for_a_b' }";
  EXPECT_THAT(Of({8}, constant).status(),
              FailsWith("constant 'buffer_for_a_b': has no content, and no constant "
                        "instruction"));
  EXPECT_THAT(
      Of({8}, Literal("a.b", kTwoS32) + Literal("a-b", kTwoS32) + constant).status(),
      FailsWith("two constant instructions have that name: 'a.b' and 'a-b'"));
  EXPECT_THAT(Of({8}, Literal("a.b", "") + constant).status(),
              FailsWith("instruction 'a.b' has no literal"));
  EXPECT_THAT(Of({8}, Literal("a.b", "opcode: 'add' " + std::string(kTwoS32)) + constant)
                  .status(),
              FailsWith("no constant instruction"));
}

TEST(ConstantsTest, AnAmbiguousNameIsFineWhereContentIsInline) {
  EXPECT_TRUE(Of({8}, Literal("a.b", kTwoS32) + Literal("a-b", kTwoS32) +
                          "constants { symbol_name: 'buffer_for_a_b' "
                          "content { data: 'x' } }")
                  .ok());
}

TEST(ConstantsTest, ZeroBytesNeedNoLiteral) {
  const auto constants = Of({0}, "constants { symbol_name: 'c' }");
  ASSERT_TRUE(constants.ok()) << constants.status();
  EXPECT_EQ((*constants)[0].bytes, "");
}

TEST(ConstantsTest, WithoutAnAllocationTheyAreKept) {
  const auto constants = Of(
      {}, "constants { symbol_name: 'c' allocation_index: -1 content { data: 'ab' } }");
  ASSERT_TRUE(constants.ok()) << constants.status();
  EXPECT_EQ((*constants)[0].allocation, -1);
  EXPECT_EQ((*constants)[0].bytes, "ab");
  EXPECT_EQ((*constants)[0].size, 0);
}

TEST(ConstantsTest, PlacesAndNamesAreUnique) {
  EXPECT_THAT(Of({4},
                 "constants { symbol_name: 'c' content { data: 'a' } } "
                 "constants { symbol_name: 'd' content { data: 'a' } }")
                  .status(),
              FailsWith("constant 'd': lies in allocation 0, as another constant does"));
  EXPECT_THAT(Of({4, 4},
                 "constants { symbol_name: 'c' content { data: 'a' } } "
                 "constants { symbol_name: 'c' allocation_index: 1 }")
                  .status(),
              FailsWith("constant 'c': two constants have this name"));
  EXPECT_THAT(Of({4}, "constants { symbol_name: 'c' allocation_index: 1 }").status(),
              FailsWith("constant 'c': refers to allocation 1"));
  EXPECT_THAT(Of({4}, "constants { symbol_name: 'c' allocation_index: -2 }").status(),
              FailsWith("constant 'c': refers to allocation -2"));
}

absl::StatusOr<std::string> Bytes(const std::string& type, const std::string& dimensions,
                                  const std::string& values) {
  return LiteralBytes(Parse<wire::LiteralProto>(
      absl::StrCat("shape { element_type: ", type, " ", dimensions, " } ", values)));
}

TEST(LiteralBytesTest, Numbers) {
  EXPECT_EQ(*Bytes("PRED", "dimensions: 2", "preds: [true, false]"), "\1\0"s);
  EXPECT_EQ(*Bytes("S8", "dimensions: 2", "s8s: 'ab'"), "ab");
  EXPECT_EQ(*Bytes("U8", "dimensions: 2", "u8s: 'ab'"), "ab");
  EXPECT_EQ(*Bytes("S16", "dimensions: 2", "s16s: 'abcd'"), "abcd");
  EXPECT_EQ(*Bytes("U16", "", "u16s: 'ab'"), "ab");
  EXPECT_EQ(*Bytes("U32", "", "u32s: 258"), "\2\1\0\0"s);
  EXPECT_EQ(*Bytes("S64", "", "s64s: -1"), std::string(8, '\xff'));
  EXPECT_EQ(*Bytes("U64", "", "u64s: 1"), "\1\0\0\0\0\0\0\0"s);
  EXPECT_EQ(*Bytes("F16", "", "f16s: 'ab'"), "ab");
  EXPECT_EQ(*Bytes("BF16", "", "bf16s: 'ab'"), "ab");
  EXPECT_EQ(*Bytes("F32", "", "f32s: 1"), "\0\0\x80\x3f"s);
  EXPECT_EQ(*Bytes("F64", "", "f64s: 1"), "\0\0\0\0\0\0\xf0\x3f"s);
  EXPECT_EQ(*Bytes("C64", "", "c64s: [0, 1]"), "\0\0\0\0\0\0\x80\x3f"s);
  EXPECT_EQ(Bytes("C128", "dimensions: 2", "c128s: [0, 1, 2, 3]")->size(), 32u);
}

TEST(LiteralBytesTest, SmallFloats) {
  for (const auto& [type, field] : std::vector<std::pair<std::string, std::string>>{
           {"F8E5M2", "f8e5m2s"},
           {"F8E4M3", "f8e4m3s"},
           {"F8E4M3FN", "f8e4m3fns"},
           {"F8E4M3B11FNUZ", "f8e4m3b11fnuzs"},
           {"F8E3M4", "f8e3m4s"},
           {"F8E5M2FNUZ", "f8e5m2fnuzs"},
           {"F8E4M3FNUZ", "f8e4m3fnuzs"},
           {"F8E8M0FNU", "f8e8m0fnus"},
           {"F6E2M3FN", "f6e2m3fns"},
           {"F6E3M2FN", "f6e3m2fns"}}) {
    EXPECT_EQ(*Bytes(type, "dimensions: 3", field + ": 'abc'"), "abc") << type;
  }
  EXPECT_EQ(*Bytes("F4E2M1FN", "dimensions: 3", "f4e2m1fns: '\\001\\002\\003'"),
            "\x21\x03");
}

TEST(LiteralBytesTest, SubByteIntegersArePacked) {
  EXPECT_EQ(*Bytes("S4", "dimensions: 3", "s4s: '\\001\\377\\002'"), "\xf1\x02");
  EXPECT_EQ(*Bytes("U4", "dimensions: 2", "u4s: '\\001\\002'"), "\x21");
  EXPECT_EQ(*Bytes("S2", "dimensions: 5", "s2s: '\\001\\002\\003\\000\\001'"),
            "\x39\x01");
  EXPECT_EQ(*Bytes("U2", "dimensions: 1", "u2s: '\\003'"), "\x03");
  EXPECT_EQ(*Bytes("S1", "dimensions: 3", "s1s: '\\001\\000\\001'"), "\x05");
  EXPECT_EQ(*Bytes("U1", "dimensions: 9",
                   "u1s: '\\000\\000\\000\\000\\000\\000\\000\\001\\001'"),
            "\x80\x01");
}

TEST(LiteralBytesTest, EmptyArrays) {
  EXPECT_EQ(*Bytes("F32", "dimensions: 0", ""), "");
  EXPECT_EQ(*Bytes("S4", "dimensions: 0", ""), "");
}

TEST(LiteralBytesTest, CountsMustMatch) {
  EXPECT_THAT(Bytes("F32", "dimensions: 4", "f32s: 1").status(),
              FailsWith("has 1 values; f32[4] takes 4"));
  EXPECT_THAT(Bytes("C64", "", "c64s: 1").status(), FailsWith("c64[] takes 2"));
  EXPECT_THAT(Bytes("BF16", "dimensions: 2", "bf16s: 'abc'").status(),
              FailsWith("has 3 bytes; bf16[2] takes 4"));
  EXPECT_THAT(Bytes("S4", "dimensions: 4", "s4s: 'ab'").status(),
              FailsWith("has 2 bytes; s4[4] takes 4"));
  // The values of another type are none.
  EXPECT_THAT(Bytes("F32", "", "s32s: 1").status(), FailsWith("has 0 values"));
}

TEST(LiteralBytesTest, RefusesWhatIsNoDenseArray) {
  EXPECT_THAT(Bytes("TUPLE", "", "").status(), FailsWith("tuple is no array element"));
  EXPECT_THAT(Bytes("F32", "dimensions: -1", "").status(), FailsWith("dimension 0"));
  EXPECT_THAT(Bytes("F32", "", "f32s: 1 sparse_indices: 0").status(),
              FailsWith("sparse"));
}

TEST(ConstantSymbolNameTest, ReplacesWhatASymbolCannotHold) {
  EXPECT_EQ(ConstantSymbolName("constant.1-0;x_y"), "buffer_for_constant_1_0_x_y");
}

}  // namespace
}  // namespace thunky::schema
