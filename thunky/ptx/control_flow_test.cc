#include "thunky/ptx/control_flow.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "gtest/gtest.h"
#include "thunky/ptx/lowering_for_test.h"

namespace thunky::ptx {
namespace {

// "0:[0,2)->2,1 1:..." of the entry's blocks; the error otherwise.
std::string Blocks(const std::string& body) {
  const absl::StatusOr<ir::Program> program = LowerItems(
      ".visible .entry k() { .reg .pred p; .reg .b32 r; .reg .f32 f;\n" + body + "\n}");
  if (!program.ok()) return std::string(program.status().message());
  std::vector<std::string> parts;
  for (const ir::Block& block : program->functions[0].blocks) {
    parts.push_back(absl::StrCat(parts.size(), ":[", block.first, ",", block.last, ")->",
                                 absl::StrJoin(block.successors, ",")));
  }
  return absl::StrJoin(parts, " ");
}

TEST(ControlFlowTest, AnEmptyBodyReturns) {
  const absl::StatusOr<ir::Program> program = LowerItems(".visible .entry k() { }");
  ASSERT_TRUE(program.ok()) << program.status();
  const ir::Function& k = program->functions[0];
  ASSERT_EQ(k.code.size(), 1u);
  EXPECT_EQ(k.code[0].op, ir::Op::kRet);
  EXPECT_EQ(k.blocks.size(), 1u);
}

TEST(ControlFlowTest, FallingOffTheEndReturns) {
  EXPECT_EQ(Blocks("mov.b32 r, 1;"), "0:[0,2)->");
  EXPECT_EQ(Blocks("ret;"), "0:[0,1)->");
  EXPECT_EQ(Blocks("@p ret;"), "0:[0,1)->1 1:[1,2)->");
  EXPECT_EQ(Blocks("bra L; L:"), "0:[0,1)->1 1:[1,2)->");
}

TEST(ControlFlowTest, ConditionalBranchesFallThrough) {
  EXPECT_EQ(Blocks("@p bra L; mov.b32 r, 1; L: ret;"),
            "0:[0,1)->2,1 1:[1,2)->2 2:[2,3)->");
  EXPECT_EQ(Blocks("@!p bra.uni L; L: ret;"), "0:[0,1)->1 1:[1,2)->");
}

TEST(ControlFlowTest, Loops) {
  EXPECT_EQ(Blocks("mov.b32 r, 0; L: add.s32 r, r, 1; setp.lt.s32 p, r, 9; @p bra L; "
                   "exit;"),
            "0:[0,1)->1 1:[1,4)->1,2 2:[4,5)->");
  EXPECT_EQ(Blocks("L: bra L;"), "0:[0,1)->0");
}

TEST(ControlFlowTest, GuardedExitsAndTrapsFallThrough) {
  EXPECT_EQ(Blocks("@p exit; @p trap; @!p ret; mov.b32 r, 1; trap;"),
            "0:[0,1)->1 1:[1,2)->2 2:[2,3)->3 3:[3,5)->");
}

TEST(ControlFlowTest, UnreachableCodeStays) {
  EXPECT_EQ(Blocks("ret; mov.b32 r, 1; bra L; L: exit; mov.b32 r, 2;"),
            "0:[0,1)-> 1:[1,3)->2 2:[3,4)-> 3:[4,6)->");
}

TEST(ControlFlowTest, LabelsOfTheSamePlace) {
  EXPECT_EQ(Blocks("@p bra A; bra B; A: B: ret;"), "0:[0,1)->2,1 1:[1,2)->2 2:[2,3)->");
}

TEST(ControlFlowTest, LabelsBelongToTheirScope) {
  EXPECT_EQ(Blocks("{ L: bra L; } { L: bra L; }"), "0:[0,1)->0 1:[1,2)->1");
  EXPECT_EQ(Blocks("{ bra L; } mov.b32 r, 1; L: ret;"),
            "0:[0,1)->2 1:[1,2)->2 2:[2,3)->");
  EXPECT_EQ(Blocks("bra L; { L: ret; }"),
            "line 5: 'bra': operand 1: 'L' is not declared");
}

TEST(ControlFlowTest, BranchErrors) {
  EXPECT_EQ(Blocks("bra nowhere;"),
            "line 5: 'bra': operand 1: 'nowhere' is not declared");
  EXPECT_EQ(Blocks("bra r;"),
            "line 5: 'bra': operand 1: 'r' is a register, a label is needed");
  EXPECT_EQ(Blocks("bra 5;"), "line 5: 'bra': operand 1: a label is needed");
}

TEST(ControlFlowTest, IndexedBranches) {
  EXPECT_EQ(Blocks("T: .branchtargets B, A, B;\nbrx.idx r, T; A: exit; B: ret;"),
            "0:[0,1)->2,1 1:[1,2)-> 2:[2,3)->");
  const absl::StatusOr<ir::Program> program = LowerItems(
      ".visible .entry k() { .reg .u32 r; T: .branchtargets B, A, B; @p brx.idx.uni r, "
      "T; "
      "A: exit; B: ret; .reg .pred p; }");
  EXPECT_EQ(program.status().message(),
            "line 4: 'brx.idx.uni': guard: 'p' is not declared");
  EXPECT_EQ(Blocks("T: .branchtargets A, C;\nbrx.idx r, T; A: ret;"),
            "line 5: 'C' in .branchtargets is not a label");
  EXPECT_EQ(Blocks("brx.idx f, T; T: .branchtargets A; A: ret;"),
            "line 5: 'brx.idx': operand 1: 'f' is a .f32 register, .u32 is needed");
  EXPECT_EQ(
      Blocks("A: brx.idx r, A;"),
      "line 5: 'brx.idx': operand 2: 'A' is a label, a .branchtargets list is needed");
}

TEST(ControlFlowTest, BranchTablesKeepTheirOrder) {
  const absl::StatusOr<ir::Program> program = LowerItems(
      ".visible .entry k() { .reg .u32 r; T: .branchtargets B, A, B; brx.idx r, T; "
      "A: exit; B: ret; }");
  ASSERT_TRUE(program.ok()) << program.status();
  const ir::Function& k = program->functions[0];
  EXPECT_EQ(k.branch_tables, (std::vector<std::vector<uint32_t>>{{2, 1, 2}}));
  EXPECT_EQ(k.code[0].target, 0u);
}

TEST(ControlFlowTest, ManyBranchesThroughOneLargeTable) {
  std::string body = "T: .branchtargets A";
  for (int i = 0; i < 3000; ++i) absl::StrAppend(&body, ", L", i);
  body += ";\n";
  for (int i = 0; i < 3000; ++i) absl::StrAppend(&body, "L", i, ": brx.idx r, T;\n");
  EXPECT_EQ(Blocks(body + "A: ret;"),
            "line 4: function 'k' has more than 4194304 edges between its blocks");
}

}  // namespace
}  // namespace thunky::ptx
