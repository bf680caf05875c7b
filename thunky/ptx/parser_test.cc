#include "thunky/ptx/parser.h"

#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "thunky/ptx/printer.h"

namespace thunky::ptx {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;
using Kind = ast::Expr::Kind;

constexpr char kHead[] = ".version 9.0\n.target sm_90a\n.address_size 64\n";

ast::Module Parse(const std::string& text) {
  auto module = ParseModule(text);
  EXPECT_TRUE(module.ok()) << module.status() << "\n" << text;
  return module.ok() ? *std::move(module) : ast::Module{};
}

// Items of a module that consists of `text` behind the usual head.
std::vector<ast::ModuleItem> Items(const std::string& text) {
  return Parse(kHead + text).items;
}

template <typename T>
T Item(const std::string& text) {
  std::vector<ast::ModuleItem> items = Items(text);
  EXPECT_THAT(items, SizeIs(1));
  EXPECT_TRUE(std::holds_alternative<T>(items.at(0)));
  return std::get<T>(std::move(items.at(0)));
}

std::vector<ast::Statement> Statements(const std::string& text) {
  auto function = Item<ast::Function>(".entry k() {\n" + text + "\n}");
  EXPECT_TRUE(function.body.has_value());
  return std::move(function.body->statements);
}

template <typename T>
T Single(const std::string& text) {
  std::vector<ast::Statement> statements = Statements(text);
  EXPECT_THAT(statements, SizeIs(1));
  EXPECT_TRUE(std::holds_alternative<T>(statements.at(0)));
  return std::get<T>(std::move(statements.at(0)));
}

ast::Instruction Instruction(const std::string& text) {
  return Single<ast::Instruction>(text);
}

std::vector<Kind> Kinds(const ast::Instruction& instruction) {
  std::vector<Kind> kinds;
  kinds.reserve(instruction.operands.size());
  for (const ast::Expr& operand : instruction.operands) kinds.push_back(operand.kind);
  return kinds;
}

// --- Module ----------------------------------------------------------------

TEST(ParserTest, Head) {
  const ast::Module module = Parse(
      "// comment\n.version 8.10\n.target sm_90a, texmode_independent\n"
      ".address_size 64\n");
  EXPECT_EQ(module.version_major, 8);
  EXPECT_EQ(module.version_minor, 10);
  EXPECT_THAT(module.targets, ElementsAre("sm_90a", "texmode_independent"));
  EXPECT_EQ(module.address_size, 64);
  EXPECT_THAT(module.items, IsEmpty());
  EXPECT_EQ(Parse(".version 9.3 .target sm_90 .address_size 32").address_size, 32);
  EXPECT_EQ(Parse(".version 1.4\n.target sm_10").address_size, 32);
}

TEST(ParserTest, ModuleVariable) {
  const auto variable = Item<ast::Variable>(
      ".visible .weak .global .attribute(.managed) .align 16 .v4 .f32 table[2][3] = "
      "{{1.0, 0f3F800000}, {-1, 0x10U}};");
  EXPECT_THAT(variable.linkage, ElementsAre(".visible", ".weak"));
  EXPECT_EQ(variable.space, ".global");
  EXPECT_THAT(variable.attributes, ElementsAre(".attribute(.managed)"));
  EXPECT_EQ(variable.alignment, 16u);
  EXPECT_EQ(variable.vector, ".v4");
  EXPECT_EQ(variable.type, ".f32");
  EXPECT_EQ(variable.name, "table");
  ASSERT_THAT(variable.dims, SizeIs(2));
  EXPECT_EQ(variable.dims[0]->integer, 2u);
  EXPECT_EQ(variable.dims[1]->integer, 3u);
  ASSERT_TRUE(variable.initializer.has_value());
  EXPECT_EQ(PrintExpr(*variable.initializer), "{{1.0, 0f3F800000}, {-1, 16U}}");
  EXPECT_TRUE(variable.initializer->args[1].args[1].is_unsigned);
}

TEST(ParserTest, VariableWithoutFirstDimension) {
  const auto variable = Item<ast::Variable>(".extern .shared .align 4 .b8 smem[][4];");
  ASSERT_THAT(variable.dims, SizeIs(2));
  EXPECT_FALSE(variable.dims[0].has_value());
  EXPECT_EQ(variable.dims[1]->integer, 4u);
}

TEST(ParserTest, OneDeclarationOfSeveralVariables) {
  const auto items = Items(".global .u32 a = 1, b[2] = {1, 2}, c;");
  ASSERT_THAT(items, SizeIs(3));
  EXPECT_EQ(std::get<ast::Variable>(items[0]).initializer->integer, 1u);
  EXPECT_THAT(std::get<ast::Variable>(items[1]).dims, SizeIs(1));
  EXPECT_FALSE(std::get<ast::Variable>(items[2]).initializer.has_value());
  for (const auto& item : items) EXPECT_EQ(std::get<ast::Variable>(item).type, ".u32");
}

TEST(ParserTest, InitialisersWithAddresses) {
  const auto variable = Item<ast::Variable>(
      ".global .u64 x[] = {sym, sym+4, generic(sym)+8, 0xFF00(sym), generic(sym+4)};");
  const std::vector<ast::Expr>& values = variable.initializer->args;
  ASSERT_THAT(values, SizeIs(5));
  EXPECT_EQ(values[0].kind, Kind::kIdentifier);
  EXPECT_EQ(values[1].kind, Kind::kBinary);
  EXPECT_EQ(values[2].args[0].kind, Kind::kCall);
  EXPECT_EQ(values[2].args[0].text, "generic");
  EXPECT_EQ(values[3].kind, Kind::kCall);
  EXPECT_EQ(values[3].text, "0xFF00");
  EXPECT_EQ(values[3].args[0].text, "sym");
  EXPECT_EQ(values[4].args[0].kind, Kind::kBinary);
}

TEST(ParserTest, SamplerFields) {
  const auto variable = Item<ast::Variable>(
      ".global .samplerref s = {addr_mode_0 = clamp_to_border, filter_mode = nearest};");
  const ast::Expr& field = variable.initializer->args.at(0);
  EXPECT_EQ(field.kind, Kind::kBinary);
  EXPECT_EQ(field.text, "=");
  EXPECT_EQ(field.args[1].text, "clamp_to_border");
}

TEST(ParserTest, ConstantExpressions) {
  const std::pair<const char*, const char*> kCases[] = {
      {"1+2*3", "1+2 * 3"},
      {"(1+2)*3", "(1+2) * 3"},
      {"1-2-3", "1-2-3"},
      {"1-(2-3)", "1-(2-3)"},
      {"((1))", "1"},
      {"1<<2|3&~4", "1 << 2 | 3 & ~4"},
      {"(1|2)&3", "(1 | 2) & 3"},
      {"a==b&&c!=d||!e", "a == b && c != d || !e"},
      {"1?2:3?4:5", "1 ? 2 : 3 ? 4 : 5"},
      {"(1?2:3)?4:5", "(1 ? 2 : 3) ? 4 : 5"},
      {"-(1+2)", "-(1+2)"},
      {"- -1", "--1"},
      {"(.s64)-1+(.u64)2", "(.s64)-1+(.u64)2"},
      {"7 % 4 / 2", "7 % 4 / 2"},
      {"a>=b<c", "a >= b < c"},
      {"1^2", "1 ^ 2"},
      {"WARP_SZ", "WARP_SZ"},
      {"0b11+017+0x1f", "3+15+31"},
  };
  for (const auto& [text, printed] : kCases) {
    const auto variable =
        Item<ast::Variable>(std::string(".const .s64 x = ") + text + ";");
    EXPECT_EQ(PrintExpr(*variable.initializer), printed);
  }
}

TEST(ParserTest, ConstantBank) {
  EXPECT_EQ(Item<ast::Variable>(".extern .const[2] .b32 x[];").space, ".const[2]");
}

TEST(ParserTest, ModuleDirectives) {
  const auto items = Items(
      ".file 1 \"a b.cu\", 12, 34\n"
      ".pragma \"nounroll\", \"x\";\n"
      ".alias f, g;\n"
      ".target sm_80\n"
      ".unknown 1, (2,\n3) \"x;\"\n"
      ".strange { .a { b } }\n");
  ASSERT_THAT(items, SizeIs(6));
  const auto& file = std::get<ast::RawDirective>(items[0]);
  EXPECT_EQ(file.name, ".file");
  EXPECT_THAT(file.tokens, ElementsAre("1", "\"a b.cu\"", ",", "12", ",", "34"));
  EXPECT_FALSE(file.semicolon);
  EXPECT_TRUE(std::get<ast::RawDirective>(items[1]).semicolon);
  EXPECT_EQ(std::get<ast::Alias>(items[2]).name, "f");
  EXPECT_EQ(std::get<ast::Alias>(items[2]).aliasee, "g");
  EXPECT_EQ(std::get<ast::RawDirective>(items[3]).name, ".target");
  EXPECT_THAT(std::get<ast::RawDirective>(items[4]).tokens,
              ElementsAre("1", ",", "(", "2", ",", "3", ")", "\"x;\""));
  const auto& strange = std::get<ast::RawDirective>(items[5]);
  EXPECT_TRUE(strange.braces);
  EXPECT_THAT(strange.tokens, IsEmpty());
  EXPECT_THAT(strange.body, ElementsAre(".a", "{", "b", "}"));
}

TEST(ParserTest, Section) {
  const auto section = Item<ast::RawDirective>(
      ".section .debug_info\n{\nL1:\n.b8 1, -2\n.b32 .debug_abbrev+4\n}");
  EXPECT_EQ(section.name, ".section");
  EXPECT_THAT(section.tokens, ElementsAre(".debug_info"));
  EXPECT_TRUE(section.braces);
  EXPECT_THAT(section.body, ElementsAre("L1", ":", ".b8", "1", ",", "-", "2", ".b32",
                                        ".debug_abbrev", "+", "4"));
}

// --- Functions -------------------------------------------------------------

TEST(ParserTest, EntryWithParametersAndDirectives) {
  const auto entry = Item<ast::Function>(
      ".visible .entry k(\n  .param .u64 .ptr .global .align 16 a,\n"
      "  .param.u64.ptr b, .param .align 8 .b8 c[24], .param .f32 d)\n"
      ".maxntid 128, 1, 1 .minnctapersm 2\n.pragma \"nounroll\";\n.blocksareclusters\n"
      ".newer_directive (1, .x), foo\n{ ret; }");
  EXPECT_TRUE(entry.is_entry);
  EXPECT_THAT(entry.linkage, ElementsAre(".visible"));
  EXPECT_EQ(entry.name, "k");
  ASSERT_THAT(entry.parameters, SizeIs(4));
  ASSERT_TRUE(entry.parameters[0].pointer.has_value());
  EXPECT_EQ(entry.parameters[0].pointer->space, ".global");
  EXPECT_EQ(entry.parameters[0].pointer->alignment, 16u);
  ASSERT_TRUE(entry.parameters[1].pointer.has_value());
  EXPECT_EQ(entry.parameters[1].pointer->space, "");
  EXPECT_FALSE(entry.parameters[1].pointer->alignment.has_value());
  EXPECT_EQ(entry.parameters[2].alignment, 8u);
  EXPECT_FALSE(entry.parameters[3].pointer.has_value());
  ASSERT_THAT(entry.directives, SizeIs(5));
  EXPECT_THAT(entry.directives[0].tokens, ElementsAre("128", ",", "1", ",", "1"));
  EXPECT_THAT(entry.directives[1].tokens, ElementsAre("2"));
  EXPECT_TRUE(entry.directives[2].semicolon);
  EXPECT_THAT(entry.directives[3].tokens, IsEmpty());
  EXPECT_THAT(entry.directives[4].tokens,
              ElementsAre("(", "1", ",", ".x", ")", ",", "foo"));
  ASSERT_TRUE(entry.body.has_value());
  EXPECT_THAT(entry.body->statements, SizeIs(1));
}

TEST(ParserTest, PerformanceDirectivesKeepTheirArguments) {
  for (const char* directive :
       {".reqntid 8, 8, 8", ".maxntid 1024", ".minnctapersm 2", ".maxnctapersm 4",
        ".maxnreg 32", ".noreturn", ".abi_preserve 4", ".abi_preserve_control 0",
        ".explicitcluster", ".reqnctapercluster 2, 1, 1", ".maxclusterrank 8",
        ".blocksareclusters"}) {
    const auto entry =
        Item<ast::Function>(std::string(".entry k() ") + directive + " { }");
    ASSERT_THAT(entry.directives, SizeIs(1)) << directive;
    EXPECT_NE(PrintModule(Parse(kHead + (std::string(".entry k() ") + directive + " {}")))
                  .find(std::string("\n") + directive + "\n{"),
              std::string::npos)
        << directive;
  }
}

TEST(ParserTest, FunctionDeclarations) {
  const auto items = Items(
      ".extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b)\n;\n"
      ".func f() .noreturn;\n"
      ".visible .func .attribute(.unified(0xAB, 0xCD)) () g;\n"
      ".func (.reg .u32 %r, .reg .pred %p) h(.reg .u32 %a, .param .b8 va[]) { }\n"
      ".entry k\n{ }");
  ASSERT_THAT(items, SizeIs(5));
  const auto& vprintf_function = std::get<ast::Function>(items[0]);
  EXPECT_THAT(vprintf_function.results, SizeIs(1));
  EXPECT_THAT(vprintf_function.parameters, SizeIs(2));
  EXPECT_FALSE(vprintf_function.body.has_value());
  EXPECT_EQ(std::get<ast::Function>(items[1]).directives.at(0).name, ".noreturn");
  EXPECT_THAT(std::get<ast::Function>(items[2]).attributes,
              ElementsAre(".attribute(.unified(0xAB, 0xCD))"));
  EXPECT_THAT(std::get<ast::Function>(items[3]).results, SizeIs(2));
  EXPECT_FALSE(std::get<ast::Function>(items[3]).parameters[1].dims.at(0).has_value());
  EXPECT_TRUE(std::get<ast::Function>(items[4]).is_entry);
}

// --- Statements ------------------------------------------------------------

TEST(ParserTest, RegisterDeclarations) {
  const auto statements = Statements(".reg .b32 a, b, c<4>;\n.reg.v4.f32 v;");
  ASSERT_THAT(statements, SizeIs(4));
  EXPECT_EQ(std::get<ast::Variable>(statements[1]).name, "b");
  EXPECT_EQ(std::get<ast::Variable>(statements[2]).count, 4u);
  EXPECT_FALSE(std::get<ast::Variable>(statements[1]).count.has_value());
  EXPECT_EQ(std::get<ast::Variable>(statements[3]).vector, ".v4");
}

TEST(ParserTest, NestedScopes) {
  const auto statements = Statements("{ .reg .b32 t; { .reg .b32 t; } }\n{}");
  ASSERT_THAT(statements, SizeIs(2));
  const auto& outer = std::get<std::unique_ptr<ast::Block>>(statements[0]);
  ASSERT_THAT(outer->statements, SizeIs(2));
  EXPECT_TRUE(std::holds_alternative<std::unique_ptr<ast::Block>>(outer->statements[1]));
  EXPECT_THAT(std::get<std::unique_ptr<ast::Block>>(statements[1])->statements,
              IsEmpty());
}

TEST(ParserTest, LabelsAndTables) {
  const auto statements = Statements(
      "L1: L2:\n bra L1;\n ts: .branchtargets L1, L2;\n cs: .calltargets f, g;\n"
      "p0 : .callprototype (.param .b32 _) _ (.param .b64 _, .param .align 4 .b8 _[8]) "
      ".noreturn;\np1: .callprototype _ ;\np2: .callprototype ()_ ();");
  ASSERT_THAT(statements, SizeIs(8));
  EXPECT_EQ(std::get<ast::Label>(statements[0]).name, "L1");
  EXPECT_EQ(std::get<ast::Label>(statements[1]).name, "L2");
  const auto& branches = std::get<ast::TargetList>(statements[3]);
  EXPECT_EQ(branches.name, "ts");
  EXPECT_FALSE(branches.is_call);
  EXPECT_THAT(branches.targets, ElementsAre("L1", "L2"));
  EXPECT_TRUE(std::get<ast::TargetList>(statements[4]).is_call);
  const auto& prototype = std::get<std::unique_ptr<ast::Prototype>>(statements[5]);
  EXPECT_EQ(prototype->name, "p0");
  EXPECT_THAT(prototype->results, SizeIs(1));
  EXPECT_THAT(prototype->parameters, SizeIs(2));
  EXPECT_EQ(prototype->directives.at(0).name, ".noreturn");
  EXPECT_THAT(std::get<std::unique_ptr<ast::Prototype>>(statements[6])->parameters,
              IsEmpty());
}

TEST(ParserTest, Guards) {
  EXPECT_FALSE(Instruction("ret;").guard.has_value());
  EXPECT_EQ(Instruction("@%p1 bra L;").guard->predicate, "%p1");
  EXPECT_FALSE(Instruction("@%p1 bra L;").guard->negated);
  EXPECT_TRUE(Instruction("@ ! p bra L;").guard->negated);
}

TEST(ParserTest, OpcodeAndModifiers) {
  const auto load = Instruction("ld.param::entry.L1::evict_last.v2.f32 {%f1,%f2}, [x];");
  EXPECT_EQ(load.opcode, "ld");
  EXPECT_THAT(load.modifiers, ElementsAre("param::entry", "L1::evict_last", "v2", "f32"));
  EXPECT_EQ(load.Spelling(), "ld.param::entry.L1::evict_last.v2.f32");
  EXPECT_THAT(Instruction("mov .u32 %r1, 5;").modifiers, ElementsAre("u32"));
  EXPECT_THAT(Instruction("frobnicate.3d.x9;").modifiers, ElementsAre("3d", "x9"));
}

TEST(ParserTest, Operands) {
  const auto mov = Instruction("mov.b32 %r1, %tid.x;");
  EXPECT_THAT(Kinds(mov), ElementsAre(Kind::kIdentifier, Kind::kIdentifier));
  EXPECT_EQ(mov.operands[1].text, "%tid.x");
  EXPECT_THAT(Kinds(Instruction("x _, 1, 0f3F800000, -2, !%p, \"s\", v.x, a[1];")),
              ElementsAre(Kind::kSink, Kind::kInteger, Kind::kFloat, Kind::kUnary,
                          Kind::kUnary, Kind::kString, Kind::kIdentifier, Kind::kIndex));
  EXPECT_THAT(Kinds(Instruction("mov.b64 %rd1, {%r1, _};")),
              ElementsAre(Kind::kIdentifier, Kind::kVector));
}

TEST(ParserTest, Addresses) {
  const std::pair<const char*, const char*> kCases[] = {
      {"[%rd1]", "[%rd1]"},
      {"[ %rd1 + 8 ]", "[%rd1+8]"},
      {"[%rd1+-8]", "[%rd1+-8]"},
      {"[%rd1-8]", "[%rd1-8]"},
      {"[sym+%r1]", "[sym+%r1]"},
      {"[0x100]", "[256]"},
      {"[tex, {x,y}]", "[tex, {x, y}]"},
      {"[tex, smp, {x}]", "[tex, smp, {x}]"},
      {"[sym+4+8]", "[sym+4+8]"},
  };
  for (const auto& [text, printed] : kCases) {
    const auto load = Instruction(std::string("ld.b32 %r1, ") + text + ";");
    ASSERT_THAT(Kinds(load), ElementsAre(Kind::kIdentifier, Kind::kAddress));
    EXPECT_EQ(PrintExpr(load.operands[1]), printed);
  }
}

TEST(ParserTest, PairsAreDestinationsOnly) {
  const auto setp = Instruction("setp.eq.and.b32 %p1|_, %r1, %r2, !%p3;");
  EXPECT_EQ(setp.operands[0].kind, Kind::kPair);
  EXPECT_EQ(setp.operands[0].args[0].text, "%p1");
  EXPECT_EQ(setp.operands[0].args[1].kind, Kind::kSink);
  EXPECT_EQ(Instruction("mov.b32 %r1, A|B;").operands[1].kind, Kind::kBinary);
  EXPECT_EQ(Instruction("bar.sync 1|2;").operands[0].kind, Kind::kBinary);
  const auto tex = Instruction("tex.1d.v4.f32.f32 {a, b, c, d}|%p, [t, {x}];");
  EXPECT_EQ(tex.operands[0].kind, Kind::kPair);
  EXPECT_EQ(tex.operands[0].args[0].kind, Kind::kVector);
}

TEST(ParserTest, Calls) {
  const std::pair<const char*, std::vector<Kind>> kCases[] = {
      {"call f;", {Kind::kIdentifier}},
      {"call.uni f, (a, 4);", {Kind::kIdentifier, Kind::kTuple}},
      {"call (r), f, (a);", {Kind::kTuple, Kind::kIdentifier, Kind::kTuple}},
      {"call (r, s), %rd1, (a), proto;",
       {Kind::kTuple, Kind::kIdentifier, Kind::kTuple, Kind::kIdentifier}},
      {"call (), %rd1, (), proto;",
       {Kind::kTuple, Kind::kIdentifier, Kind::kTuple, Kind::kIdentifier}},
      {"call %rd1, targets;", {Kind::kIdentifier, Kind::kIdentifier}},
  };
  for (const auto& [text, kinds] : kCases) {
    EXPECT_EQ(Kinds(Instruction(text)), kinds) << text;
    EXPECT_EQ(PrintInstruction(Instruction(text)), text);
  }
}

// Instructions with unusual operands keep everything.
TEST(ParserTest, InstructionsPrintAsWritten) {
  for (const char* text : {
           "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1, %f2, %f3, %f4}, "
           "{%r1, %r2, %r3, %r4}, {%r5, %r6}, {%f1, %f2, %f3, %f4};",
           "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1, %f2}, %rd1, %rd2, "
           "%p1, 1, -1, 0, 1;",
           "tcgen05.mma.cta_group::1.kind::f16 [%r1], %rd1, %rd2, %r2, {%r3, %r4}, %p1;",
           "tcgen05.ld.sync.aligned.32x32b.x2.b32 {%r1, %r2}, [%r3];",
           "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], "
           "[%rd1], 128, [%r2];",
           "cp.async.bulk.tensor.2d.shared::cluster.global.tile [%r1], [%rd1, {%r2, "
           "%r3}], "
           "[%r4];",
           "mbarrier.try_wait.parity.shared::cta.b64 %p1, [%r1], %r2;",
           "mbarrier.arrive.shared::cluster.b64 _, [%r1];",
           "shfl.sync.bfly.b32 %r1|%p1, %r2, 16, 31, -1;",
           "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r1, %r2, %r3, %r4}, [%r5+16];",
           "atom.global.cas.b32 %r1, [%rd1], %r2, %r3;",
           "barrier.cta.sync.aligned 0;",
           "brx.idx.uni %r1, table;",
           "vadd.u32.u32.u32 %r1, %r2.b0, %r3.h1;",
           "sust.b.2d.v2.b32.trap [surf, {%r1, %r2}], {%r3, %r4};",
           "fence.proxy.tensormap::generic.acquire.gpu [%rd1], 128;",
           "@!%p1 red.async.shared::cluster.mbarrier::complete_tx::bytes.inc.u32 [%r1], "
           "%r2, [%r3];",
           "setmaxnreg.inc.sync.aligned.u32 240;",
           "prefetch.global.L2::evict_last [%rd1];",
           "lop3.b32 %r1, %r2, %r3, %r4, 226;",
           "not_yet_invented.b7 {%r1, {_, 1}}, [a, b], c|d, 1 ? 2 : 3;",
       }) {
    std::string expected = text;
    if (expected.find("c|d") != std::string::npos) {
      expected.replace(expected.find("c|d"), 3, "c | d");
    }
    EXPECT_EQ(PrintInstruction(Instruction(text)), expected);
  }
}

TEST(ParserTest, DirectivesInBodies) {
  const auto statements = Statements(
      ".loc 1 2 3 mov.b32 %r1, 3;\n"
      ".loc 1 53 13, function_name $L__info_string0+4, inlined_at 1 38 3\n"
      ".pragma \"nounroll\";\n"
      ".unknown 7\n"
      "{ ret; }\n"
      ".extern .shared .b8 s[];");
  ASSERT_THAT(statements, SizeIs(7));
  EXPECT_THAT(std::get<ast::RawDirective>(statements[0]).tokens,
              ElementsAre("1", "2", "3"));
  EXPECT_EQ(std::get<ast::Instruction>(statements[1]).opcode, "mov");
  EXPECT_THAT(std::get<ast::RawDirective>(statements[2]).tokens,
              ElementsAre("1", "53", "13", ",", "function_name", "$L__info_string0", "+",
                          "4", ",", "inlined_at", "1", "38", "3"));
  EXPECT_TRUE(std::get<ast::RawDirective>(statements[3]).semicolon);
  EXPECT_FALSE(std::get<ast::RawDirective>(statements[4]).braces);
  EXPECT_TRUE(std::holds_alternative<std::unique_ptr<ast::Block>>(statements[5]));
  EXPECT_THAT(std::get<ast::Variable>(statements[6]).linkage, ElementsAre(".extern"));
}

TEST(ParserTest, Locations) {
  const auto statements = Statements("  add.s32 %r1, %r2,\n    3;");
  const auto& add = std::get<ast::Instruction>(statements[0]);
  // Three lines of the head and one of the entry stand above.
  EXPECT_EQ(add.location.line, 5u);
  EXPECT_EQ(add.location.column, 3u);
  EXPECT_EQ(add.operands[2].location.line, 6u);
  EXPECT_EQ(add.operands[2].location.column, 5u);
}

}  // namespace
}  // namespace thunky::ptx
