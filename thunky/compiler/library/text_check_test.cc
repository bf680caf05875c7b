#include "thunky/compiler/library/text_check.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace thunky::compiler {
namespace {

using ::testing::HasSubstr;

std::string errorOf(const std::string& text) {
  return std::string(checkText(text).message());
}

std::string repeated(int count, const std::string& text) {
  std::string all;
  for (int i = 0; i < count; ++i) all += text;
  return all;
}

TEST(TextCheckTest, Nesting) {
  for (const std::string bracket : {"(", "[", "{", "<"}) {
    EXPECT_EQ(errorOf(repeated(256, bracket)), "");
    EXPECT_EQ(errorOf(repeated(256, bracket) + "\n " + bracket),
              "2:2: brackets are nested deeper than 256");
  }
  EXPECT_EQ(errorOf(repeated(1000, "() -> <[{}]>\n")), "");
  EXPECT_EQ(errorOf("\"" + repeated(1000, "(\\\"") + "\""), "");
  EXPECT_EQ(errorOf("// " + repeated(1000, "(") + "\n"), "");
  // A string ends with its line.
  EXPECT_NE(errorOf("\"\n" + repeated(257, "(")), "");
  EXPECT_NE(errorOf("\"\\\n" + repeated(257, "(")), "");
}

TEST(TextCheckTest, AliasesThatMultiply) {
  for (const std::string sigil : {"#", "!"}) {
    for (const std::string end : {"\n", " "}) {
      std::string text = absl::StrCat(sigil, "a-0 = [1, 1]", end);
      for (int i = 1; i <= 20; ++i) {
        const std::string one = absl::StrCat(sigil, "a-", i - 1);
        absl::StrAppend(&text, sigil, "a-", i, " = [", one, ",\n", one, "]", end);
      }
      EXPECT_THAT(errorOf(text), HasSubstr(absl::StrCat("the alias ", sigil, "a-1")));
      EXPECT_THAT(errorOf(text), HasSubstr("1048576 bytes when it is written out"));
    }
  }
  // A function type goes on after its arrow.
  std::string text = "!a0 = () -> i32\n";
  for (int i = 1; i <= 20; ++i) {
    absl::StrAppend(&text, "!a", i, " = ()\n->\n(!a", i - 1, ", !a", i - 1, ")\n");
  }
  EXPECT_THAT(errorOf(text), HasSubstr("written out"));
}

TEST(TextCheckTest, WhatFollowsAliasesIsNotTheirs) {
  const std::string body = repeated(200000, "thunky.memzero %a : <8>\n");
  for (const std::string alias :
       {"#a = 1 : i64", "!a = tensor<4xf32>", "#a = loc(\"x\")", "!a = () -> i32",
        "#a = true", "#a = [#thunky.access<read>]", "#a = \"text\""}) {
    EXPECT_EQ(errorOf(absl::StrCat(alias, "\nfunc.func @main() {", body, "}\n")), "");
    EXPECT_EQ(errorOf(absl::StrCat(alias, " \"builtin.module\"() ({", body, "})\n")), "");
    EXPECT_EQ(errorOf(absl::StrCat(alias, "\n{-# ", body, " #-}\n")), "");
  }
}

TEST(TextCheckTest, AlignmentsOfResources) {
  const std::string blob = "{-# dialect_resources: { builtin: { x: \"0x";
  EXPECT_EQ(errorOf(blob + "01000000FF\" } } #-}"), "");
  EXPECT_EQ(errorOf(blob + "00100000FF\" } } #-}"), "");
  EXPECT_THAT(
      errorOf(blob + "00200000FF\" } } #-}"),
      HasSubstr("a resource is aligned to 8192 bytes; a power of two up to 4096"));
  EXPECT_THAT(errorOf(blob + "00000080FF\" } } #-}"), HasSubstr("2147483648"));
  EXPECT_THAT(errorOf(blob + "00000000FF\" } } #-}"), HasSubstr("aligned to 0 bytes"));
  EXPECT_THAT(errorOf(blob + "03000000FF\" } } #-}"), HasSubstr("aligned to 3 bytes"));
  // No resource, and no blob.
  EXPECT_EQ(errorOf("dense<\"0xFFFFFFFF\"> : tensor<1xi32>"), "");
  EXPECT_EQ(errorOf(blob + "\" } } #-}"), "");
}

TEST(TextCheckTest, NumbersOfResults) {
  EXPECT_EQ(errorOf("%a#0 %a#63 %a #7"), "");
  EXPECT_THAT(errorOf("use %a#64"), HasSubstr("1:7: #64 is no result of an operation"));
  EXPECT_THAT(errorOf("%a #99999999999999999999"), HasSubstr("the highest number is 63"));
  EXPECT_THAT(errorOf("%a#700-"), HasSubstr("#700 is no result"));
}

TEST(TextCheckTest, TypesAndMapsThatCostMemory) {
  EXPECT_EQ(
      errorOf("array<i128: 1> : tensor<4x?xui64> %i999 @i999 #i999 ^i999 {i999 = 1, "
              "thunky.i999} max1 \"i999\""),
      "");
  for (const std::string type : {"i129", "si129", "ui129", "i99999999999999999999999",
                                 "tensor<4xi129>", "tensor<?xi129>", "array<i129: 1>"}) {
    EXPECT_THAT(errorOf(type), HasSubstr("has more than 128 bits")) << type;
  }
  EXPECT_THAT(errorOf("x = affine_map<() -> (- - 1)>"),
              HasSubstr("1:5: affine_map has no use"));
  EXPECT_THAT(errorOf("affine_set<() : (1 == 0)>"), HasSubstr("affine_set"));
  EXPECT_EQ(errorOf("\"affine_map\" @affine_map"), "");
}

TEST(TextCheckTest, AnyBytes) {
  for (int c = 0; c < 256; ++c) {
    for (const std::string& text :
         std::vector<std::string>{"", "\"", "\"\\", "#", "{-#\"0x"}) {
      (void)checkText(text + static_cast<char>(c));
    }
  }
}

}  // namespace
}  // namespace thunky::compiler
