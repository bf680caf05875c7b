// What is said about operands that do not fit.
#include <string_view>

#include "gtest/gtest.h"
#include "thunky/ptx/lowering_for_test.h"

namespace thunky::ptx {
namespace {

void Expect(std::string_view text, std::string_view message) {
  EXPECT_EQ(LowerOne(text), message) << text;
}

TEST(OperandErrorTest, Count) {
  Expect("add.f32 %f1, %f2;", "'add.f32': takes 3 operands, found 2");
  Expect("exit %r1;", "'exit': takes 0 operands, found 1");
  Expect("bar.sync;", "'bar.sync': takes 1 or 2 operands, found 0");
  Expect("nanosleep.u32 1, 2;", "'nanosleep.u32': takes 1 operand, found 2");
  Expect("bra;", "'bra': takes 1 operand, found 0");
  Expect("ret %r1;", "'ret': takes 0 operands, found 1");
  Expect("mov.b32 %r1;", "'mov.b32': takes 2 operands, found 1");
}

TEST(OperandErrorTest, RegisterType) {
  Expect("add.f32 %f1, %rd1, %f3;",
         "'add.f32': operand 2: '%rd1' is a .b64 register, .f32 is needed");
  Expect("add.s32 %f1, %r2, %r3;",
         "'add.s32': operand 1: '%f1' is a .f32 register, .s32 is needed");
  Expect("add.f32 %f1, %u2, %f3;",
         "'add.f32': operand 2: '%u2' is a .u32 register, .f32 is needed");
  Expect("mov.b32 %rd1, %r1;",
         "'mov.b32': operand 1: '%rd1' is a .b64 register, .b32 is needed");
  Expect("selp.b32 %r1, %r2, %r3, %r4;",
         "'selp.b32': operand 4: '%r4' is a .b32 register, .pred is needed");
  Expect("add.s32 %p1, %r2, %r3;",
         "'add.s32': operand 1: '%p1' is a .pred register, .s32 is needed");
  Expect("mul.wide.s32 %r1, %r2, %r3;",
         "'mul.wide.s32': operand 1: '%r1' is a .b32 register, .s64 is needed");
  Expect("shl.b64 %rd1, %rd2, %rd3;",
         "'shl.b64': operand 3: '%rd3' is a .b64 register, .u32 is needed");
  Expect("fma.rn.f16x2 %f1, %r2, %r3, %r4;",
         "'fma.rn.f16x2': operand 1: '%f1' is a .f32 register, .f16x2 is needed");
  Expect("@%r1 exit;", "'exit': guard: '%r1' is a .b32 register, .pred is needed");
}

TEST(OperandErrorTest, WiderRegistersOnlyWhereTheyAreAllowed) {
  Expect("ld.global.f32 %rd1, [%rd2];", "ld.f32 global | %rd1 | | [%rd2+0]");
  Expect("ld.global.u64 %r1, [%rd2];",
         "'ld.global.u64': operand 1: '%r1' is a .b32 register, .u64 is needed");
  Expect("ld.global.u32 %f1, [%rd2];",
         "'ld.global.u32': operand 1: '%f1' is a .f32 register, .u32 is needed");
  Expect("cvt.u16.u32 %r1, %r2;", "cvt.u16.u32 | %r1 | %r2");
  Expect("cvt.u32.u64 %r1, %r2;",
         "'cvt.u32.u64': operand 2: '%r2' is a .b32 register, .u64 is needed");
}

TEST(OperandErrorTest, Names) {
  Expect("add.f32 %f1, %f2, %f9;", "'add.f32': operand 3: '%f9' is not declared");
  Expect("add.f32 %f1, %f2, %f01;", "'add.f32': operand 3: '%f01' is not declared");
  Expect("mov.u64 %rd1, nowhere;", "'mov.u64': operand 2: 'nowhere' is not declared");
  Expect("ld.global.f32 %f1, [nowhere+4];",
         "'ld.global.f32': operand 2: 'nowhere' is not declared");
  Expect("@%q exit;", "'exit': guard: '%q' is not declared");
  Expect("mov.u32 %r1, %tid.w;", "'mov.u32': operand 2: '%tid.w' is not declared");
  Expect("mov.u32 %r1, %pm0;",
         "'mov.u32': operand 2: special register '%pm0' is not supported");
}

TEST(OperandErrorTest, Kinds) {
  Expect("add.u64 %rd1, g, 4;",
         "'add.u64': operand 2: 'g' is an address, a register is needed");
  Expect("add.s32 %r1, %tid.x, 1;",
         "'add.s32': operand 2: special register '%tid.x' is not allowed here");
  Expect("mov.u32 %tid.x, 1;",
         "'mov.u32': operand 1: special register '%tid.x' cannot be written");
  Expect("add.s32 1, %r2, %r3;", "'add.s32': operand 1: a register is needed");
  Expect("add.s32 %r1, [%rd1], %r3;",
         "'add.s32': operand 2: an address '[...]' is not allowed here");
  Expect("add.s32 %r1, {%r1, %r2}, %r3;",
         "'add.s32': operand 2: a vector '{...}' is not allowed here");
  Expect("add.s32 _, %r2, %r3;", "'add.s32': operand 1: '_' is not allowed here");
  Expect("and.b32 %r1, %r2, !%r3;", "'and.b32': operand 3: '!' is not allowed here");
  Expect("add.s32 %r1, %r2, %r3 + 1;",
         "'add.s32': operand 3: register '%r3' takes no offset here");
  Expect("ld.global.f32 %f1, g;",
         "'ld.global.f32': operand 2: an address '[...]' is needed");
  Expect("cp.async.wait_group %r1;",
         "'cp.async.wait_group': operand 1: an immediate is needed");
  Expect("mov.u32 %r1, %laneid + 1;", "'mov.u32': operand 2: '%laneid' is not declared");
}

TEST(OperandErrorTest, Immediates) {
  Expect("add.f32 %f1, %f2, 1;",
         "'add.f32': operand 3: an integer cannot be of type .f32");
  Expect("add.s32 %r1, %r2, 1.5;",
         "'add.s32': operand 3: a floating-point value cannot be of type .s32");
  Expect("mov.b32 %r1, 1.5;",
         "'mov.b32': operand 2: a floating-point value cannot be of type .b32");
  Expect("mov.b64 %rd1, 0f3F800000;",
         "'mov.b64': operand 2: a 32-bit floating-point literal cannot be of type .b64");
  Expect("add.f16 %h1, %h2, 1.0;",
         "'add.f16': operand 3: a floating-point value cannot be of type .f16");
  Expect("mov.u32 %r1, 1 / 0;", "'mov.u32': operand 2: division by zero in a constant");
  Expect("bar.sync 16;", "'bar.sync': the barrier is a number from 0 to 15");
  Expect("lop3.b32 %r1, %r2, %r3, %r4, 256;",
         "'lop3.b32': the table is a number from 0 to 255");
  Expect("cp.async.ca.shared.global [%r1], [%rd2], 5;",
         "'cp.async.ca.shared.global': the size is 4, 8 or 16 bytes");
  Expect("cp.async.cg.shared.global [%r1], [%rd2], 8;",
         "'cp.async.cg.shared.global': the size of '.cg' is 16 bytes");
  Expect("cp.async.ca.shared.global [%r1], [%rd2], 260;",
         "'cp.async.ca.shared.global': operand 3: 260 is too large");
}

TEST(OperandErrorTest, Vectors) {
  Expect("ld.global.v2.f32 {%f1, %f2, %f3, %f4}, [%rd1];",
         "'ld.global.v2.f32': operand 1: a vector of 2 elements is needed, found 4");
  Expect("ld.global.v4.f32 %f1, [%rd1];",
         "'ld.global.v4.f32': operand 1: a vector of 4 elements is needed");
  Expect("st.shared.v2.b32 [%r1], {%r1};",
         "'st.shared.v2.b32': operand 2: a vector of 2 elements is needed, found 1");
  Expect("ld.shared.v4.b64 {%rd1, %rd2, %rd3, %rd4}, [%r1];",
         "'ld.shared.v4.b64': a vector access of more than 16 bytes is for global memory "
         "only");
  Expect("ld.global.v8.b64 {%rd0, %rd1, %rd2, %rd3, %rd4, %rd5, %rd6, %rd7}, [%rd1];",
         "'ld.global.v8.b64': a vector access is at most 32 bytes wide");
  Expect("ld.global.v8.b16 {%h0, %h1, %h2, %h3, %h4, %h5, %h6, %h7}, [%rd1];",
         "'ld.global.v8.b16': '.v8' takes elements of 32 bits");
  Expect("mov.b64 %rd1, {%r1, %r2, %r3};",
         "'mov.b64': operand 2: a value of type .b64 has no vector of 3 elements");
  Expect("mov.f64 %d1, {%r1, %r2};",
         "'mov.f64': operand 2: a value of type .f64 has no vector of 2 elements");
  Expect("mov.b64 {%h1, %h2}, %rd1;",
         "'mov.b64': operand 1: '%h1' is a .b16 register, .b32 is needed");
}

TEST(OperandErrorTest, Addresses) {
  Expect("ld.shared.u32 %r1, [g];",
         "'ld.shared.u32': operand 2: 'g' is in .global, not in .shared");
  Expect(
      "ld.global.u32 %r1, [%r1];",
      "'ld.global.u32': operand 2: '%r1' is a .b32 register, which holds no address in "
      ".global");
  Expect(
      "ld.global.u32 %r1, [%d1];",
      "'ld.global.u32': operand 2: '%d1' is a .f64 register, which holds no address in "
      ".global");
  Expect(
      "ld.param.u64 %rd1, [x+4];",
      "'ld.param.u64': operand 2: an access of 8 bytes at offset 4 of 'x', which has 8");
  Expect("ld.param.u32 %r1, [x-4];",
         "'ld.param.u32': operand 2: an access of 4 bytes at offset -4 of 'x', which has "
         "8");
  Expect("ld.global.u32 %r1, [%rd1+%rd2];",
         "'ld.global.u32': operand 2: an address is a name plus or minus a number");
  Expect("ld.global.u32 %r1, [4-%rd2];",
         "'ld.global.u32': operand 2: an address is a name plus or minus a number");
  Expect("ld.global.u32 %r1, [g*4];",
         "'ld.global.u32': operand 2: an address is a name plus or minus a number");
  Expect("mov.u32 %r1, g;",
         "'mov.u32': operand 2: the address of 'g' does not fit type .u32");
  Expect("mov.f64 %d1, g;",
         "'mov.f64': operand 2: the address of 'g' does not fit type .f64");
  Expect("cvta.shared.u64 %rd1, g;",
         "'cvta.shared.u64': operand 2: 'g' is in .global, not in .shared");
}

TEST(OperandErrorTest, DestinationsAndCombinations) {
  Expect(
      "setp.lt.and.s32 %p1, %r2, %r3;",
      "'setp.lt.and.s32': a combined comparison takes a predicate as its last operand");
  Expect("setp.lt.s32 %p1, %r2, %r3, %p2;",
         "'setp.lt.s32': a predicate as last operand needs '.and', '.or' or '.xor'");
  Expect("setp.lt.f16x2 %p1, %r2, %r3;",
         "'setp.lt.f16x2': a packed comparison has two destinations, p|q");
  Expect("setp.lt.f16 %p1|%p2, %h2, %h3;",
         "'setp.lt.f16': a comparison of this type has one destination");
  Expect("elect.sync %r1, -1;", "'elect.sync': the destination is a pair d|p");
  Expect("vote.sync.any.pred %p1|%p2, %p3, -1;",
         "'vote.sync.any.pred': operand 1: a pair 'p|q' is not allowed here");
  Expect("min.xorsign.abs.f32 %f1, %f2, %f3, %f4;",
         "'min.xorsign.abs.f32': takes 3 operands, found 4");
}

}  // namespace
}  // namespace thunky::ptx
