#include "thunky/ptx/constant_expression.h"

#include <cstdint>
#include <string>
#include <string_view>

#include "gtest/gtest.h"
#include "thunky/ptx/lowering_for_test.h"

namespace thunky::ptx {
namespace {

// The immediate of `mov.TYPE`, or the error.
std::string Value(std::string_view type, std::string_view expression) {
  const std::string name = type == "f32" ? "%f1" : type == "f64" ? "%d1" : "%rd1";
  const std::string text = LowerOne("mov." + std::string(type) + " " + name + ", " +
                                    std::string(expression) + ";");
  constexpr std::string_view kError = "operand 2: ";
  if (const size_t at = text.find(kError); at != std::string::npos) {
    return text.substr(at + kError.size());
  }
  return text.substr(text.rfind(' ') + 1);
}

TEST(ConstantExpressionTest, IntegersFollowTheRulesOfC) {
  EXPECT_EQ(Value("u64", "1 + 2 * 3"), "0x7");
  EXPECT_EQ(Value("u64", "(1 + 2) * 3"), "0x9");
  EXPECT_EQ(Value("u64", "7 / 2 - 7 % 4"), "0x0");
  EXPECT_EQ(Value("s64", "-7 / 2"), "0xfffffffffffffffd");
  EXPECT_EQ(Value("s64", "-7 % 2"), "0xffffffffffffffff");
  EXPECT_EQ(Value("u64", "0xF0 & ~0x10 | 1 ^ 3"), "0xe2");
  EXPECT_EQ(Value("u64", "1 << 3 >> 1"), "0x4");
  EXPECT_EQ(Value("u64", "3 > 2 && 2 >= 2 && !(1 == 2) && 1 != 2"), "0x1");
  EXPECT_EQ(Value("u64", "0 || 3 < 2"), "0x0");
  EXPECT_EQ(Value("u64", "WARP_SZ > 16 ? 5 : 6"), "0x5");
  EXPECT_EQ(Value("u64", "+4"), "0x4");
}

TEST(ConstantExpressionTest, SignDecidesComparisonsDivisionAndShifts) {
  EXPECT_EQ(Value("u64", "-1 < 1"), "0x1");
  EXPECT_EQ(Value("u64", "-1 < 1U"), "0x0");
  EXPECT_EQ(Value("u64", "(.u64) -1 > 1"), "0x1");
  EXPECT_EQ(Value("u64", "(.s64) 0xFFFFFFFFFFFFFFFF < 0"), "0x1");
  EXPECT_EQ(Value("u64", "0xFFFFFFFFFFFFFFFF > 0"), "0x1");
  EXPECT_EQ(Value("u64", "0xFFFFFFFFFFFFFFFF / 2"), "0x7fffffffffffffff");
  EXPECT_EQ(Value("u64", "-16 >> 2"), "0xfffffffffffffffc");
  EXPECT_EQ(Value("u64", "0xF000000000000000 >> 60"), "0xf");
}

TEST(ConstantExpressionTest, NothingOverflows) {
  EXPECT_EQ(Value("u64", "0x7FFFFFFFFFFFFFFF + 1"), "0x8000000000000000");
  EXPECT_EQ(Value("u64", "0x7FFFFFFFFFFFFFFF * 2"), "0xfffffffffffffffe");
  EXPECT_EQ(Value("u64", "(-0x7FFFFFFFFFFFFFFF - 1) / -1"), "0x8000000000000000");
  EXPECT_EQ(Value("u64", "(-0x7FFFFFFFFFFFFFFF - 1) % -1"), "0x0");
  EXPECT_EQ(Value("u64", "1 << 64"), "0x0");
  EXPECT_EQ(Value("u64", "1 << -1"), "0x0");
  EXPECT_EQ(Value("u64", "-1 >> 64"), "0xffffffffffffffff");
  EXPECT_EQ(Value("u64", "-1 >> 0"), "0xffffffffffffffff");
}

TEST(ConstantExpressionTest, FloatingPoint) {
  EXPECT_EQ(Value("f64", "1.5 + 2.0 * 0.25"), "0x4000000000000000");
  EXPECT_EQ(Value("f64", "-1.0 / 4.0"), "0xbfd0000000000000");
  EXPECT_EQ(Value("f64", "1.5 + 1"), "0x4004000000000000");
  EXPECT_EQ(Value("f64", "1e-3"), "0x3f50624dd2f1a9fc");
  EXPECT_EQ(Value("f64", "0f3FC00000"), "0x3ff8000000000000");
  EXPECT_EQ(Value("u64", "1.5 > 1.0"), "0x1");
  EXPECT_EQ(Value("f32", "-0f3F800000"), "0xbf800000");
  EXPECT_EQ(Value("f32", "0d3FF0000000000000"), "0x3f800000");
  EXPECT_EQ(Value("f32", "0f7FC00001"), "0x7fc00001");
}

TEST(ConstantExpressionTest, RoundsDoublesToNearestEven) {
  EXPECT_EQ(Value("f32", "16777217.0"), "0x4b800000");
  EXPECT_EQ(Value("f32", "16777219.0"), "0x4b800002");
  EXPECT_EQ(Value("f32", "1e300"), "0x7f800000");
  EXPECT_EQ(Value("f32", "-1e300"), "0xff800000");
  EXPECT_EQ(Value("f32", "3.4028235677973364e38"), "0x7f7fffff");
  EXPECT_EQ(Value("f32", "3.4028235677973366e38"), "0x7f800000");
  EXPECT_EQ(Value("f32", "1e-45"), "0x1");
  EXPECT_EQ(Value("f32", "1e-60"), "0x0");
}

TEST(ConstantExpressionTest, Errors) {
  EXPECT_EQ(Value("u64", "1 % 0"), "division by zero in a constant");
  EXPECT_EQ(Value("f64", "1.0 / 0.0"), "division by zero in a constant");
  EXPECT_EQ(Value("u64", "1.5 % 2.0"),
            "operator '%' does not take floating-point values");
  EXPECT_EQ(Value("u64", "~1.5"), "operator '~' does not take a floating-point value");
  EXPECT_EQ(Value("f64", "0f3F800000 + 1.0"),
            "operator '+' does not take a 32-bit floating-point literal");
  EXPECT_EQ(Value("f64", "1e400"), "'1e400' is out of the range of f64");
  EXPECT_EQ(Value("u64", "(.f32) 1"), "operator '(.f32)' does not take an integer");
}

TEST(ConstantExpressionTest, Sizes) {
  ast::Expr expr;
  expr.kind = ast::Expr::Kind::kInteger;
  expr.integer = 7;
  EXPECT_EQ(EvaluateSize(expr).value(), 7u);
  ast::Expr minus;
  minus.kind = ast::Expr::Kind::kUnary;
  minus.text = "-";
  minus.args.push_back(expr);
  EXPECT_EQ(EvaluateSize(minus).status().message(),
            "a size is an integer and not negative");
}

}  // namespace
}  // namespace thunky::ptx
