#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "thunky/ptx/lowering_for_test.h"

namespace thunky::ptx {
namespace {

using ::testing::ElementsAre;

constexpr char kTwice[] =
    ".func (.param .b32 out) twice(.param .b32 in) { .reg .b32 %r<2>;\n"
    "ld.param.b32 %r0, [in]; add.s32 %r1, %r0, %r0; st.param.b32 [out], %r1; ret; }\n";

std::string Error(const std::string& items, const std::string& body) {
  const absl::StatusOr<ir::Program> program = LowerItems(
      items +
      "\n.visible .entry k() {\n.reg .b32 %r<4>; .reg .b64 %rd<4>; .reg .pred p;\n" +
      body + "\n}");
  // Without the line.
  const std::string message(program.status().message());
  const size_t colon = message.find(": ");
  return colon == std::string::npos ? message : message.substr(colon + 2);
}

TEST(CallTest, ThroughParameterVariables) {
  const absl::StatusOr<ir::Program> program =
      LowerItems(std::string(kTwice) +
                 ".visible .entry k() { .reg .b32 %r<2>; { .param .b32 p; st.param.b32 "
                 "[p], 4; .param "
                 ".b32 q; call.uni (q), twice, (p); ld.param.b32 %r0, [q]; } }");
  ASSERT_TRUE(program.ok()) << program.status();
  ASSERT_EQ(program->functions.size(), 2u);
  const ir::Function& k = program->functions[0];
  EXPECT_TRUE(k.is_entry);
  ASSERT_EQ(k.calls.size(), 1u);
  EXPECT_EQ(k.calls[0].callee, 1u);
  EXPECT_FALSE(k.calls[0].indirect);
  ASSERT_EQ(k.calls[0].arguments.size(), 1u);
  EXPECT_FALSE(k.calls[0].arguments[0].is_register);
  EXPECT_EQ(k.symbols[k.calls[0].arguments[0].index].name, "p");
  EXPECT_EQ(k.symbols[k.calls[0].results[0].index].name, "q");
  EXPECT_EQ(k.calls[0].results[0].size, 4u);
  const ir::Function& twice = program->functions[1];
  EXPECT_FALSE(twice.is_entry);
  EXPECT_EQ(twice.symbols[0].name, "in");
  EXPECT_EQ(twice.symbols[1].name, "out");
  EXPECT_EQ(twice.results[0].offset, 4u);
  EXPECT_EQ(twice.param_bytes, 8u);
}

TEST(CallTest, RegistersNumbersAndSinksAsOperands) {
  const absl::StatusOr<ir::Program> program =
      LowerItems(std::string(kTwice) +
                 ".visible .entry k() { .reg .b32 %r<2>; .reg .pred p; @p call (%r0), "
                 "twice, (%r1); call (_), twice, (5); }");
  ASSERT_TRUE(program.ok()) << program.status();
  const ir::Function& k = program->functions[0];
  EXPECT_TRUE(k.calls[0].arguments[0].is_register);
  EXPECT_EQ(k.registers[k.calls[0].arguments[0].index].name, "%r1");
  EXPECT_TRUE(k.code[0].guard.has_value());
  EXPECT_EQ(k.code[1].op, ir::Op::kMov);
  EXPECT_EQ(k.code[1].src[0].bits, 5u);
  EXPECT_EQ(k.calls[1].arguments[0].index, k.code[1].dst[0].index);
  EXPECT_EQ(k.code[2].target, 1u);
}

TEST(CallTest, ParametersInRegistersAreMovedAtBothEnds) {
  const absl::StatusOr<ir::Program> program = LowerItems(
      ".func (.reg .u32 out) f(.reg .u32 in) { .reg .pred p; add.u32 out, in, 1; @p ret; "
      "add.u32 out, out, 1; }\n"
      ".visible .entry k() { .reg .u32 %r; call (%r), f, (7); }");
  ASSERT_TRUE(program.ok()) << program.status();
  const ir::Function& f = program->functions[1];
  std::string text;
  for (const ir::Instruction& instruction : f.code) {
    text += Describe(instruction, f, *program) + "\n";
  }
  EXPECT_EQ(text,
            "ld.u32 param | in | | [&in+0]\n"
            "add.u32 | out | in 0x1\n"
            "st.u32 param | | out | [&out+0]\n"
            "@p ret\n"
            "add.u32 | out | out 0x1\n"
            "st.u32 param | | out | [&out+0]\n"
            "ret\n");
}

TEST(CallTest, Recursion) {
  const absl::StatusOr<ir::Program> program = LowerItems(
      ".func a();\n.func b() { call a; ret; }\n.func a() { call b; call a; ret; }\n"
      ".visible .entry k() { call a; }");
  ASSERT_TRUE(program.ok()) << program.status();
  ASSERT_EQ(program->functions.size(), 3u);
  EXPECT_EQ(program->functions[1].name, "a");
  EXPECT_EQ(program->functions[1].calls[1].callee, 1u);
  EXPECT_EQ(program->functions[2].calls[0].callee, 1u);
}

TEST(CallTest, Builtins) {
  const absl::StatusOr<ir::Program> program = LowerItems(
      ".extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);\n"
      ".extern .func __assertfail(.param .b64 a, .param .b64 b, .param .b32 c, .param "
      ".b64 "
      "d, .param .b64 e) .noreturn;\n"
      ".extern .func (.param .b64 r) malloc(.param .b64 a);\n"
      ".extern .func free(.param .b64 a);\n"
      ".visible .entry k() { .reg .b32 r; .reg .b64 d; call (r), vprintf, (d, d); call "
      "__assertfail, (d, d, r, d, 8); call (d), malloc, (d); call free, (d); }");
  ASSERT_TRUE(program.ok()) << program.status();
  EXPECT_EQ(program->functions.size(), 1u);
  std::vector<ir::Builtin> builtins;
  for (const ir::Call& call : program->functions[0].calls) {
    builtins.push_back(call.builtin);
  }
  EXPECT_THAT(builtins, ElementsAre(ir::Builtin::kVprintf, ir::Builtin::kAssertFail,
                                    ir::Builtin::kMalloc, ir::Builtin::kFree));
}

TEST(CallTest, ABodyOfItsOwnWinsOverABuiltin) {
  const absl::StatusOr<ir::Program> program = LowerItems(
      ".func free(.param .b64 a) { ret; }\n"
      ".visible .entry k() { .reg .b64 d; call free, (d); }");
  ASSERT_TRUE(program.ok()) << program.status();
  EXPECT_EQ(program->functions[0].calls[0].builtin, ir::Builtin::kNone);
  EXPECT_EQ(program->functions[0].calls[0].callee, 1u);
}

TEST(CallTest, ThroughAPointerWithAPrototype) {
  const absl::StatusOr<ir::Program> program = LowerItems(
      std::string(kTwice) +
      ".func (.param .b32 o) same(.param .b32 i) { ret; }\n"
      ".func other(.param .b64 i) { ret; }\n"
      ".func (.param .b32 o) not_taken(.param .b32 i) { ret; }\n"
      ".global .u64 table[2] = {same, other};\n"
      ".visible .entry k() { .reg .b64 %rd<2>; .reg .b32 %r; mov.u64 %rd0, twice;\n"
      "mov.u64 %rd1, table; call (%r), not_taken, (3);\n"
      "proto: .callprototype (.param .b32 _) _ (.param .b32 _);\n"
      "call (%r), %rd0, (%r), proto; }");
  ASSERT_TRUE(program.ok()) << program.status();
  const ir::Function& k = program->functions[0];
  ASSERT_EQ(k.calls.size(), 2u);
  EXPECT_TRUE(k.calls[1].indirect);
  EXPECT_EQ(k.registers[k.calls[1].pointer_register].name, "%rd0");
  std::vector<std::string> names;
  for (const uint32_t candidate : k.calls[1].candidates) {
    names.push_back(program->functions[candidate].name);
  }
  EXPECT_THAT(names, ElementsAre("twice", "same"));
  EXPECT_EQ(k.code[0].src[0].kind, ir::Operand::Kind::kFunction);
}

TEST(CallTest, ThroughAPointerWithTargets) {
  const absl::StatusOr<ir::Program> program = LowerItems(
      std::string(kTwice) +
      ".func (.param .b32 o) same(.param .b32 i) { ret; }\n"
      ".visible .entry k() { .reg .b64 %rd; .reg .b32 %r; call (%r), %rd, (%r), list;\n"
      "list: .calltargets same, twice; }");
  ASSERT_TRUE(program.ok()) << program.status();
  EXPECT_THAT(program->functions[0].calls[0].candidates, ElementsAre(1u, 2u));
  EXPECT_EQ(program->functions[1].name, "same");
}

TEST(CallTest, AliasesNameTheFunctionBehindThem) {
  const absl::StatusOr<ir::Program> program = LowerItems(
      ".func real() { ret; }\n.func other();\n.alias other, real;\n"
      ".visible .entry k() { call other; }");
  ASSERT_TRUE(program.ok()) << program.status();
  EXPECT_EQ(program->functions[1].name, "real");
}

TEST(CallTest, Errors) {
  const std::string twice = kTwice;
  EXPECT_EQ(Error(twice, "call twice, (%r0);"),
            "'call': passes 0 results, the function has 1");
  EXPECT_EQ(Error(twice, "call (%r0), twice;"),
            "'call': passes 0 arguments, the function has 1");
  EXPECT_EQ(Error(twice, "call (%r0), twice, (%rd0);"),
            "'call': argument 1: has 8 bytes, the parameter 4");
  EXPECT_EQ(Error(twice, "call (p), twice, (%r0);"),
            "'call': result 1: has 0 bytes, the parameter 4");
  EXPECT_EQ(Error(twice, "call (%r0), twice, (nothing);"),
            "'call': argument 1: an immediate is needed");
  EXPECT_EQ(Error(twice, ".local .b32 l; call (%r0), twice, (l);"),
            "'call': argument 1: 'l' is neither a register nor a .param variable");
  EXPECT_EQ(Error(twice, "call (5), twice, (1);"),
            "'call': result 1: is neither a register nor a .param variable");
  EXPECT_EQ(Error("", "call nowhere;"), "'call': 'nowhere' is not declared");
  EXPECT_EQ(Error("", "call k;"), "'call': 'k' is an entry");
  EXPECT_EQ(Error(".extern .func f();", "call f;"),
            "'call': function 'f' has no body in this module");
  EXPECT_EQ(Error(".extern .func free();", "call free;"),
            "'call': 'free' is declared with other parameters than it has");
  EXPECT_EQ(Error(twice, "call (%r0), %rd0, (%r1);"),
            "'call': a call through a register needs a .callprototype or .calltargets");
  EXPECT_EQ(Error(twice, "call (%r0), %rd0, (%r1), twice;"),
            "'call': 'twice' is neither a .callprototype nor a .calltargets list");
  EXPECT_EQ(Error(twice, "call (%r0), %r1, (%r1), twice;"),
            "'call': '%r1' is a .b32 register, .b64 is needed");
  EXPECT_EQ(Error(twice, "call;"),
            "'call': takes '(results), function, (arguments), prototype', of which only "
            "the function is needed");
  EXPECT_EQ(Error(twice + ".func (.param .b64 o) f(.param .b32 i) { ret; }",
                  "L: .calltargets twice, f;\ncall (%r0), %rd0, (%r1), L;"),
            "function 'f' in .calltargets has other parameters than the call in 'k' "
            "passes");
}

TEST(CallTest, UnreachedFunctionsAreNotLookedAt) {
  EXPECT_EQ(Error(".func bad() { foo.bar; ret; }", "ret;"), "");
  EXPECT_EQ(Error(".func bad() { foo.bar; ret; }", "call bad;"),
            "unknown instruction 'foo.bar'");
}

}  // namespace
}  // namespace thunky::ptx
