#include "thunky/ptx/printer.h"

#include <string>

#include "gtest/gtest.h"
#include "thunky/ptx/parser.h"

namespace thunky::ptx {
namespace {

std::string Print(std::string_view text) {
  const auto module = ParseModule(text);
  EXPECT_TRUE(module.ok()) << module.status();
  return module.ok() ? PrintModule(*module) : "";
}

TEST(PrinterTest, Layout) {
  constexpr char kCanonical[] = R"(.version 9.0
.target sm_90a, debug
.address_size 64

.file 1 "a.cu"
.extern .shared .align 16 .b8 smem[];
.visible .global .align 4 .u32 x[2] = {1, generic(smem)+4};

.extern .func (.param .b32 r) f(
	.param .b64 a,
	.param .b64 .ptr .global .align 4 b
)
.noreturn;

.visible .entry k(
	.param .align 8 .b8 p[24]
)
.reqntid 128, 1, 1
{
	.reg .b32 a;
	.reg .b32 b<3>;
	.loc 1 2 3, function_name L+4, inlined_at 1 5 6
L1:
	@!%p1 ld.global.v2.f32 {%f1, _}, [%rd1+8];
	{
		.reg .b32 t;
		setp.eq.s32 %p1|%p2, t, -1;
	}
	call (r), f, (a, b), proto;
proto: .callprototype (.param .b32 _) _ (.param .b64 _);
ts: .branchtargets L1, L2;
	.pragma "nounroll";
}

.func g()
{
}

.alias h, g;
.section .debug_info {
L:
.b8 1, -2
.b32 .debug_abbrev
}
)";
  EXPECT_EQ(Print(kCanonical), kCanonical);
}

TEST(PrinterTest, NormalisesSpacingNumbersAndLists) {
  EXPECT_EQ(Print(".version 9.00 .target sm_90,debug .address_size 64 // x\n"
                  ".global.u32 a=0x10,b[ 2 ]={0b1,017U};\n"
                  ".entry k {mov.u32 %r1,( ( 3 ) );ld.b32 %r1,[ %rd1 + 0x8 ];}"),
            ".version 9.0\n.target sm_90, debug\n.address_size 64\n\n"
            ".global .u32 a = 16;\n.global .u32 b[2] = {1, 15U};\n\n"
            ".entry k()\n{\n\tmov.u32 %r1, 3;\n\tld.b32 %r1, [%rd1+8];\n}\n");
}

TEST(PrinterTest, OldModulesHaveNoAddressSize) {
  constexpr char kOld[] = ".version 1.4\n.target sm_10\n";
  EXPECT_EQ(Print(kOld), kOld);
  EXPECT_EQ(Print(".version 3.0 .target sm_20"),
            ".version 3.0\n.target sm_20\n.address_size 32\n");
}

TEST(PrinterTest, IndentationIsBounded) {
  std::string text = ".version 9.0 .target sm_90 .entry k() ";
  for (int i = 0; i < 200; ++i) text += '{';
  text += "ret;";
  for (int i = 0; i < 200; ++i) text += '}';
  EXPECT_NE(Print(text).find("\n" + std::string(16, '\t') + "ret;\n"), std::string::npos);
}

TEST(PrinterTest, Strings) {
  constexpr char kText[] =
      ".version 9.0\n.target sm_90\n.address_size 64\n\n"
      ".file 1 \"C:\\dir\\a.cu\"\n";
  EXPECT_EQ(Print(kText), kText);
}

}  // namespace
}  // namespace thunky::ptx
