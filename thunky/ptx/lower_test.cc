#include "thunky/ptx/lower.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "thunky/ptx/lowering_for_test.h"

namespace thunky::ptx {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(LowerTest, UnknownEntryListsTheEntries) {
  const absl::StatusOr<ir::Program> program = LowerItems(
      ".visible .entry a() { ret; }\n.visible .entry b() { ret; }\n.func k() { ret; }");
  EXPECT_EQ(program.status().code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(program.status().message(),
            "no entry 'k': the module has the entries 'a', 'b'");
  EXPECT_EQ(LowerItems("").status().message(), "no entry 'k': the module has no entries");
  EXPECT_EQ(CheckItems("").status().code(), absl::StatusCode::kNotFound);
}

TEST(LowerTest, FactsOfTheProgram) {
  const absl::StatusOr<ir::Program> program = LowerItems(
      ".func f() { bar.sync 0; ret; }\n"
      ".visible .entry k() .reqntid 128, 2 .maxntid 256 .minnctapersm 1 { call f; }");
  ASSERT_TRUE(program.ok()) << program.status();
  EXPECT_EQ(program->entry, "k");
  EXPECT_EQ(program->functions[0].name, "k");
  EXPECT_THAT(*program->bounds.reqntid, ElementsAre(128u, 2u, 1u));
  EXPECT_THAT(*program->bounds.maxntid, ElementsAre(256u, 1u, 1u));
  EXPECT_TRUE(program->uses_block_barrier);
  EXPECT_FALSE(program->uses_dynamic_shared);
  EXPECT_EQ(program->static_shared_bytes, 0u);
}

TEST(LowerTest, NoBoundsAndNoBarrier) {
  const absl::StatusOr<ir::Program> program =
      LowerItems(".func f() .noreturn { trap; }\n.visible .entry k() { call f; }");
  ASSERT_TRUE(program.ok()) << program.status();
  EXPECT_FALSE(program->bounds.reqntid.has_value());
  EXPECT_FALSE(program->bounds.maxntid.has_value());
  EXPECT_FALSE(program->uses_block_barrier);
  EXPECT_FALSE(program->functions[0].noreturn);
  EXPECT_TRUE(program->functions[1].noreturn);
}

TEST(LowerTest, BadLaunchBounds) {
  for (const char* bounds :
       {".reqntid", ".reqntid 0", ".reqntid 1, 2, 3, 4", ".reqntid 4294967296",
        ".reqntid 1 2", ".reqntid 1,", ".maxntid 1.5"}) {
    const absl::StatusOr<ir::Program> program =
        LowerItems(absl::StrCat(".visible .entry k() ", bounds, " { ret; }"));
    EXPECT_THAT(std::string(program.status().message()),
                HasSubstr("takes one to three numbers from 1 to 4294967295"))
        << bounds;
  }
}

TEST(LowerTest, ReportsAllUnsupportedInstructionsInOrder) {
  const absl::StatusOr<ir::Program> program = LowerItems(
      ".func f() { wgmma.fence.sync.aligned; ret; }\n"
      ".visible .entry k() { .reg .f32 a; call f;\n"
      "add.foo.f32 a, a, a;\n"
      "tex.1d.v4.f32.s32 a; }");
  EXPECT_EQ(program.status().code(), absl::StatusCode::kUnimplemented);
  EXPECT_EQ(program.status().message(),
            "line 4: unknown instruction 'wgmma.fence.sync.aligned'\n"
            "line 6: 'add.foo.f32': modifier '.foo' is not known for add\n"
            "line 7: unknown instruction 'tex.1d.v4.f32.s32'");
}

TEST(LowerTest, InvalidPtxGoesFirst) {
  const std::string items =
      ".visible .entry k() { .reg .f32 a;\nfoo;\nadd.f32 a, a, b; }";
  const absl::StatusOr<ir::Program> program = LowerItems(items);
  EXPECT_EQ(program.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(program.status().message(),
            "line 6: 'add.f32': operand 3: 'b' is not declared");
  const absl::StatusOr<std::vector<Diagnostic>> all = CheckItems(items);
  ASSERT_TRUE(all.ok()) << all.status();
  ASSERT_EQ(all->size(), 2u);
  EXPECT_TRUE((*all)[0].unsupported);
  EXPECT_EQ((*all)[0].spelling, "foo");
  EXPECT_EQ((*all)[0].location.line, 5u);
  EXPECT_EQ((*all)[0].message, "unknown instruction 'foo'");
  EXPECT_FALSE((*all)[1].unsupported);
  EXPECT_EQ((*all)[1].spelling, "");
}

TEST(LowerTest, NothingToReport) {
  const absl::StatusOr<std::vector<Diagnostic>> all =
      CheckItems(".visible .entry k() { ret; }");
  ASSERT_TRUE(all.ok()) << all.status();
  EXPECT_THAT(*all, IsEmpty());
}

TEST(LowerTest, LongListsAreCut) {
  std::string items = ".visible .entry k() {\n";
  for (int i = 0; i < 150; ++i) items += "foo;\n";
  const std::string message(LowerItems(items + "}").status().message());
  EXPECT_THAT(message, HasSubstr("line 104: unknown instruction 'foo'\nand 50 more"));
}

TEST(LowerTest, OnlyDeclaredEntry) {
  EXPECT_EQ(LowerItems(".extern .entry k();").status().message(),
            "line 4: function 'k' has no body in this module");
}

TEST(LowerTest, DefinedTwice) {
  EXPECT_EQ(LowerItems(".visible .entry k() { ret; }\n.visible .entry k() { ret; }")
                .status()
                .message(),
            "line 5: 'k' is defined twice; first at line 4");
}

TEST(LowerTest, LocationsAreThoseOfTheText) {
  const absl::StatusOr<ir::Program> program =
      LowerItems(".visible .entry k() {\n\n  exit;\n}");
  ASSERT_TRUE(program.ok()) << program.status();
  EXPECT_EQ(program->functions[0].code[0].location.line, 6u);
  EXPECT_EQ(program->functions[0].code[0].location.column, 3u);
  EXPECT_EQ(program->functions[0].location.line, 4u);
}

TEST(LowerTest, WaitAllCommitsFirst) {
  const absl::StatusOr<ir::Program> program =
      LowerItems(".visible .entry k() { cp.async.wait_all; }");
  ASSERT_TRUE(program.ok()) << program.status();
  const ir::Function& k = program->functions[0];
  ASSERT_EQ(k.code.size(), 3u);
  EXPECT_EQ(k.code[0].op, ir::Op::kCpAsyncCommit);
  EXPECT_EQ(k.code[1].op, ir::Op::kCpAsyncWait);
  EXPECT_EQ(k.code[1].src[0].bits, 0u);
}

TEST(LowerTest, AsmScopesOfLlvm) {
  const absl::StatusOr<ir::Program> program = LowerItems(
      ".visible .entry k() { .reg .b32 %r<4>; .reg .b64 %rd<2>;\n"
      "{ .reg .pred p; setp.ne.b32 p, %r1, 0; @p mov.b32 %r2, 1; }\n"
      "{ .reg .pred p; setp.ne.b32 p, %r2, 0; @!p mov.b32 %r2, 1; }\n"
      "{ .reg .b32 %dummy; mov.b64 {%dummy, %r3}, %rd1; } }");
  ASSERT_TRUE(program.ok()) << program.status();
  const ir::Function& k = program->functions[0];
  EXPECT_EQ(Describe(k.code[3], k, *program), "@!p mov.b32 | %r2 | 0x1");
  EXPECT_NE(k.code[1].guard->predicate, k.code[3].guard->predicate);
}

}  // namespace
}  // namespace thunky::ptx
