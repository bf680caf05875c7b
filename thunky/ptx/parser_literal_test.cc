#include "thunky/ptx/parser_literal.h"

#include <cstdint>
#include <string>

#include "gtest/gtest.h"

namespace thunky::ptx {
namespace {

using Kind = ast::Expr::Kind;

TEST(ParseNumberTest, Integers) {
  const struct {
    const char* text;
    uint64_t value;
    bool is_unsigned;
  } kCases[] = {
      {"0", 0, false},
      {"0U", 0, true},
      {"42", 42, false},
      {"42U", 42, true},
      {"0x1f", 31, false},
      {"0XFFU", 255, true},
      {"0b101", 5, false},
      {"0B1U", 1, true},
      {"017", 15, false},
      {"017U", 15, true},
      {"18446744073709551615", UINT64_MAX, false},
      {"0xFFFFFFFFFFFFFFFF", UINT64_MAX, false},
      {"01777777777777777777777", UINT64_MAX, false},
  };
  for (const auto& c : kCases) {
    ast::Expr expr;
    ASSERT_TRUE(ParseNumber(c.text, &expr).ok()) << c.text;
    EXPECT_EQ(expr.kind, Kind::kInteger) << c.text;
    EXPECT_EQ(expr.integer, c.value) << c.text;
    EXPECT_EQ(expr.is_unsigned, c.is_unsigned) << c.text;
  }
}

TEST(ParseNumberTest, FloatsKeepTheirText) {
  for (const char* text :
       {"0f3F800000", "0F3f800000", "0d3FF0000000000000", "0D3FF0000000000000", "1.5",
        "1.", ".5", "1e3", "1.5E-10", "0.5", "09.5", "0e0"}) {
    ast::Expr expr;
    ASSERT_TRUE(ParseNumber(text, &expr).ok()) << text;
    EXPECT_EQ(expr.kind, Kind::kFloat) << text;
    EXPECT_EQ(expr.text, text);
  }
}

TEST(ParseNumberTest, MalformedOnesAreErrors) {
  for (const char* text :
       {"0x", "0xU", "0x1G", "0b", "0b2", "08", "019", "1u", "12abc", "1.5f", "1.2.3",
        "1e", "1e+", ".", "U", "1UU", "_1", "1_000"}) {
    ast::Expr expr;
    EXPECT_EQ(ParseNumber(text, &expr).message(), "malformed number") << text;
  }
}

TEST(ParseNumberTest, HexadecimalFloatsHaveAllDigits) {
  ast::Expr expr;
  EXPECT_EQ(ParseNumber("0f3F8", &expr).message(), "0f takes 8 hexadecimal digits");
  EXPECT_EQ(ParseNumber("0F3F8000000", &expr).message(), "0F takes 8 hexadecimal digits");
  EXPECT_EQ(ParseNumber("0d3F800000", &expr).message(), "0d takes 16 hexadecimal digits");
  EXPECT_EQ(ParseNumber("0f3F80000G", &expr).message(), "0f takes 8 hexadecimal digits");
}

TEST(ParseNumberTest, IntegersFit64Bits) {
  for (const char* text : {"18446744073709551616", "0x10000000000000000",
                           "99999999999999999999999999999", "02000000000000000000000"}) {
    ast::Expr expr;
    EXPECT_EQ(ParseNumber(text, &expr).message(), "integer does not fit 64 bits") << text;
  }
}

TEST(ParseSmallDecimalTest, Limits) {
  EXPECT_EQ(ParseSmallDecimal("0", 99), 0);
  EXPECT_EQ(ParseSmallDecimal("07", 99), 7);
  EXPECT_EQ(ParseSmallDecimal("99", 99), 99);
  EXPECT_EQ(ParseSmallDecimal("100", 99), std::nullopt);
  EXPECT_EQ(ParseSmallDecimal("", 99), std::nullopt);
  EXPECT_EQ(ParseSmallDecimal("1a", 99), std::nullopt);
  EXPECT_EQ(ParseSmallDecimal("99999999999999999999", 99), std::nullopt);
}

TEST(StringTest, Escapes) {
  EXPECT_EQ(UnescapeString(R"("plain")"), "plain");
  EXPECT_EQ(UnescapeString(R"("a\tb\n\"\\")"), "a\tb\n\"\\");
  EXPECT_EQ(UnescapeString(R"("\x41\101\0")"), std::string("AA\0", 3));
  EXPECT_EQ(UnescapeString(R"("\q\xz")"), "\\q\\xz");
  EXPECT_EQ(UnescapeString(R"("")"), "");
}

TEST(StringTest, QuotingIsUndoneByUnescaping) {
  std::string every_byte;
  for (int byte = 0; byte < 256; ++byte) every_byte += static_cast<char>(byte);
  every_byte += "7\\7";
  EXPECT_EQ(UnescapeString(QuoteString(every_byte)), every_byte);
  EXPECT_EQ(QuoteString("a\"\n7"), R"("a\"\0127")");
}

}  // namespace
}  // namespace thunky::ptx
