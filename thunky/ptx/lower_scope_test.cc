// Registers and scopes.
#include "thunky/ptx/lower_scope.h"

#include <string>

#include "gtest/gtest.h"
#include "thunky/ptx/lowering_for_test.h"

namespace thunky::ptx {
namespace {

std::string Error(const std::string& body) {
  const absl::StatusOr<ir::Program> program =
      LowerItems(".visible .entry k(.param .u32 x) {\n" + body + "\n}");
  return std::string(program.status().message());
}

TEST(ScopeTest, OnlyUsedRegistersExist) {
  const absl::StatusOr<ir::Program> program = LowerItems(
      ".visible .entry k() { .reg .b32 %r<0xFFFFFFFFFFFFFFFF>; .reg .f32 a, b;\n"
      "mov.b32 %r4000000000, 1; mov.b32 %r18446744073709551614, %r4000000000; }");
  ASSERT_TRUE(program.ok()) << program.status();
  const ir::Function& k = program->functions[0];
  ASSERT_EQ(k.registers.size(), 2u);
  EXPECT_EQ(k.registers[0].name, "%r4000000000");
  EXPECT_EQ(k.registers[0].type, ir::Type::kB32);
  EXPECT_EQ(k.code[1].src[0].index, 0u);
}

TEST(ScopeTest, RangesEndWhereTheyEnd) {
  EXPECT_EQ(Error(".reg .b32 %r<4>; mov.b32 %r4, 1;"),
            "line 5: 'mov.b32': operand 1: '%r4' is not declared");
  EXPECT_EQ(Error(".reg .b32 %r<4>; mov.b32 %r, 1;"),
            "line 5: 'mov.b32': operand 1: '%r' is not declared");
  // The longest prefix does not win: %r12 may be the 12th of %r or the 2nd of %r1.
  EXPECT_EQ(
      Error(".reg .b32 %r<13>; .reg .b64 %x1<3>; mov.b32 %r12, 1; mov.b64 %x12, 1;"), "");
}

TEST(ScopeTest, InnerScopesRedeclare) {
  const absl::StatusOr<ir::Program> program = LowerItems(
      ".visible .entry k() { .reg .b32 a; .reg .pred p; mov.b32 a, 1;\n"
      "{ .reg .b64 a; .reg .pred p; mov.b64 a, 2; setp.eq.b64 p, a, 2; @p mov.b64 a, 3; "
      "}\n"
      "{ .reg .b64 a; mov.b64 a, 4; } mov.b32 a, 5; }");
  ASSERT_TRUE(program.ok()) << program.status();
  const ir::Function& k = program->functions[0];
  ASSERT_EQ(k.registers.size(), 4u);
  EXPECT_EQ(k.code[0].dst[0].index, 0u);
  EXPECT_EQ(k.code[1].dst[0].index, 1u);
  EXPECT_EQ(k.code[4].dst[0].index, 3u);
  EXPECT_EQ(k.code[5].dst[0].index, 0u);
}

TEST(ScopeTest, NamesEndWithTheirScope) {
  EXPECT_EQ(Error("{ .reg .b32 a; } mov.b32 a, 1;"),
            "line 5: 'mov.b32': operand 1: 'a' is not declared");
}

TEST(ScopeTest, DuplicateDeclarations) {
  EXPECT_EQ(Error(".reg .b32 a;\n.reg .b64 a;"),
            "line 6: 'a' is declared twice; first at line 5");
  EXPECT_EQ(Error(".reg .b32 %r<4>;\n.reg .b64 %r<2>;"),
            "line 6: '%r<N>' is declared twice; first at line 5");
  EXPECT_EQ(Error(".reg .b32 x;"), "line 5: 'x' is declared twice; first at line 4");
  EXPECT_EQ(Error("a: .reg .b32 a;"), "line 5: 'a' is declared twice; first at line 5");
  EXPECT_EQ(Error("a:\na:"), "line 6: 'a' is declared twice; first at line 5");
  EXPECT_EQ(Error("{ .reg .b32 %r<4>; .reg .b32 %r2; }"),
            "line 5: '%r2' is declared twice; first at line 5");
  EXPECT_EQ(Error("{ .reg .b32 %r2; .reg .b32 %r<4>; mov.b32 %r2, 1; }"),
            "line 5: '%r2' is declared twice; first at line 5");
}

TEST(ScopeTest, RegistersThatAreNotSupported) {
  EXPECT_EQ(Error(".reg .b128 q;"),
            "line 5: register 'q': type '.b128' is not supported");
  EXPECT_EQ(Error(".reg .v4 .f32 v;"),
            "line 5: register 'v': vectors of registers are not supported");
  EXPECT_EQ(Error(".reg .b32 a[2];"),
            "line 5: register 'a' can have neither dimensions nor a value");
}

TEST(ScopeTest, LabelsAndVariablesAreNotRegisters) {
  EXPECT_EQ(Error(".local .b32 l; mov.b32 l, 1;"),
            "line 5: 'mov.b32': operand 1: 'l' is a variable, a register is needed");
  EXPECT_EQ(Error("L: .reg .b32 a; mov.b32 a, L;"),
            "line 5: 'mov.b32': operand 2: 'L' is a label, a register is needed");
}

}  // namespace
}  // namespace thunky::ptx
