// Collectives in branches, the text of reports, limits.
#include "thunky/compiler/analysis/hazards.h"

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "thunky/compiler/analysis/test_programs.h"
#include "thunky/compiler/translate/test_modules.h"

namespace thunky::compiler {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

HazardReport reportOf(const std::string& body) {
  TestCompiler compiler;
  auto module = compiler.read(program(body));
  EXPECT_TRUE(module) << compiler.diagnostics();
  auto report = findHazards(module->lookupSymbol<mlir::func::FuncOp>("main"));
  EXPECT_TRUE(mlir::succeeded(report)) << compiler.diagnostics();
  if (mlir::failed(report)) return {};
  // The operations are gone with the module.
  for (Hazard& hazard : report->hazards) hazard.first.op = hazard.second.op = nullptr;
  return *std::move(report);
}

TEST(CollectiveOrderTest, TheSameInBothBranches) {
  const std::string both = reduce("%a", "%b") + gather("%c");
  EXPECT_THAT(verdict(cond(both, both)), IsEmpty());
  // Where buffers lie is each device's own business.
  EXPECT_THAT(verdict(cond(reduce("%a", "%b"), reduce("%a", "%c"))), IsEmpty());
  EXPECT_THAT(verdict(reduce("%a", "%b") + cond(zero("%a"), zero("%b"))), IsEmpty());
}

TEST(CollectiveOrderTest, OtherOrders) {
  EXPECT_THAT(
      verdict(cond(reduce("%a", "%b") + gather("%c"), gather("%c") + reduce("%a", "%b"))),
      ElementsAre("error collective_order: all_reduce, all_gather"));
  // Sizes tell collectives apart.
  EXPECT_THAT(verdict(cond(reduce("%a", "%b") + reduce("%a[0:32]", "%c[0:32]"),
                           reduce("%a[0:32]", "%c[0:32]") + reduce("%a", "%b"))),
              ElementsAre("error collective_order: all_reduce, all_reduce"));
  // Also where one branch has more.
  EXPECT_THAT(verdict(cond(reduce("%a", "%b") + gather("%c"),
                           gather("%c") + gather("%c[0:32]") + reduce("%a", "%b"))),
              ElementsAre("error collective_order: all_reduce, all_gather"));
}

TEST(CollectiveOrderTest, OneBranchLacksSome) {
  EXPECT_THAT(verdict(cond(reduce("%a", "%b"), "")),
              ElementsAre("warning collective_order: all_reduce, cond"));
  EXPECT_THAT(verdict(cond(reduce("%a", "%b"), reduce("%a", "%b") + gather("%c"))),
              ElementsAre("warning collective_order: cond, all_gather"));
  EXPECT_THAT(verdict(choose({reduce("%a", "%b"), reduce("%a", "%b"), ""})),
              ElementsAre("warning collective_order: all_reduce, cond"));
}

TEST(CollectiveOrderTest, InRegionsOfBranches) {
  EXPECT_THAT(verdict(cond(async("%x", "1", reduce("%a", "%b")) + gather("%c"),
                           gather("%c") + repeat(2, reduce("%a", "%b")))),
              ElementsAre("error collective_order: all_reduce, all_gather"));
  const std::string inner = cond(reduce("%a", "%b"), reduce("%a", "%b"));
  EXPECT_THAT(verdict(cond(inner + gather("%c"), reduce("%a", "%b") + gather("%c"))),
              IsEmpty());
  EXPECT_THAT(verdict(cond(inner + gather("%c"), gather("%c") + inner)),
              ElementsAre("error collective_order: all_reduce, all_gather"));
}

TEST(CollectiveOrderTest, AGroupIsOneOfNoOrder) {
  const std::string a = reduce("%a[0:32]", "%a[0:32]");
  const std::string b = gather("%a[32:64]");
  EXPECT_THAT(verdict(cond(group(a + b), group(b + a))), IsEmpty());
  EXPECT_THAT(verdict(cond(group(a + b) + gather("%c"), gather("%c") + group(b + a))),
              ElementsAre("error collective_order: collective_group, all_gather"));
}

TEST(HazardTextTest, BothPlacesAndTheBytes) {
  const HazardReport report = reportOf(start("%x", "1", kernel({"%s[0:32] write"})) +
                                       kernel({"%s read", "%a write"}) + done("%x"));
  ASSERT_EQ(report.hazards.size(), 2u);
  EXPECT_EQ(report.errors, 2);
  EXPECT_EQ(report.warnings, 0);
  EXPECT_EQ(report.hazards[0].message,
            "race: ptx_kernel 'k1' at module:5 (args[0], write) and ptx_kernel 'k2' at "
            "module:7 (args[0], read) use bytes [0, 32) of scratch argument 5, and "
            "nothing orders them");
  EXPECT_EQ(report.hazards[0].first.role, "args[0]");
  EXPECT_EQ(report.hazards[1].message,
            "uninitialized read: ptx_kernel 'k2' at module:7 (args[0], read) reads bytes "
            "[32, 64) of scratch argument 5, which nothing wrote before");
  EXPECT_THAT(reportOf(cond(zero("%s"), "") + copy("%s", "%a")).hazards[0].message,
              HasSubstr("which nothing wrote before on some path"));
}

TEST(HazardTextTest, Collectives) {
  const HazardReport report = reportOf(
      cond(reduce("%a", "%b") + gather("%c"), gather("%c") + reduce("%a", "%b")));
  EXPECT_EQ(report.hazards[0].message,
            "possible deadlock: collectives in different orders, if devices take "
            "different branches of cond at module:3: where branch 0 issues all_reduce at "
            "module:4, branch 1 issues all_gather at module:7");
  EXPECT_EQ(reportOf(cond("", reduce("%a", "%b"))).hazards[0].message,
            "different collectives, if devices take different branches of cond at "
            "module:3: where branch 0 issues no more, branch 1 issues all_reduce at "
            "module:5");
}

TEST(HazardTest, ListsAreCutAndCountsAreNot) {
  std::string body;
  for (int i = 0; i < 150; ++i) body += copy("%s", "%a");  // settled by the first
  for (int i = 0; i < 150; ++i) body += zero("%t");
  const HazardReport unread = reportOf(body);
  EXPECT_EQ(unread.errors, 1);
  // The copies overwrite each other, too.
  EXPECT_EQ(unread.warnings, 149 + 149);
  EXPECT_EQ(unread.hazards.size(), 101u);
  EXPECT_EQ(unread.hazards[0].kind, HazardKind::kUninitializedRead);
}

TEST(HazardTest, DiagnosticsHaveBothPlaces) {
  TestCompiler compiler;
  auto module = compiler.read(program(start("%x", "1", zero("%a")) + copy("%a", "%b") +
                                      done("%x") + zero("%s") + zero("%s")));
  ASSERT_TRUE(module);
  auto main = module->lookupSymbol<mlir::func::FuncOp>("main");
  const auto report = findHazards(main);
  ASSERT_TRUE(mlir::succeeded(report));
  emitDiagnostics(main, *report);
  EXPECT_THAT(compiler.diagnostics(),
              AllOf(HasSubstr("module:4:1: race: "), HasSubstr("module:6:1: note: "),
                    HasSubstr("module:8:1: warning: overwritten unread: ")));
}

TEST(HazardTest, CallsAreInlinedFirst) {
  TestCompiler compiler;
  auto module = compiler.read(
      "func.func private @f() { return }\n"
      "func.func @main() { func.call @f() : () -> () return }\n");
  ASSERT_TRUE(module) << compiler.diagnostics();
  EXPECT_TRUE(
      mlir::failed(findHazards(module->lookupSymbol<mlir::func::FuncOp>("main"))));
  EXPECT_THAT(compiler.diagnostics(), HasSubstr("once calls are inlined"));
}

// All beside each other, and then all again after each other.
TEST(HazardTest, ThousandsOfStreams) {
  constexpr int kStreams = 2000;
  std::string first;
  std::string joins;
  std::string second;
  for (int i = 0; i < kStreams; ++i) {
    const std::string stream = absl::StrCat(i);
    first += start(absl::StrCat("%x", i), stream, kernel({"%b read"}));
    joins += done(absl::StrCat("%x", i));
    second += async(absl::StrCat("%y", i), absl::StrCat(kStreams + i), zero("%a"));
  }
  EXPECT_THAT(racesOf(first + joins + second), IsEmpty());
  // One that is not joined in time is found among them.
  EXPECT_THAT(racesOf(start("%z", "0", copy("%a", "%c")) + first + joins + zero("%a") +
                      done("%z")),
              IsEmpty());
  EXPECT_THAT(racesOf(start("%z", "9999", copy("%a", "%c")) + first + joins + zero("%a") +
                      done("%z")),
              ElementsAre("error race: copy, memzero: argument 0 [0, 64)"));
}

TEST(HazardTest, RacesAreNotLookedForWithoutEnd) {
  std::string body;
  for (int i = 0; i < 300; ++i) {
    body += start(absl::StrCat("%x", i), absl::StrCat(i), zero("%a"));
  }
  for (int i = 0; i < 300; ++i) body += done(absl::StrCat("%x", i));
  const HazardReport report = reportOf(body);
  EXPECT_EQ(report.errors, 10000);  // of 44850
}

TEST(HazardTest, DeepRegions) {
  std::string loops = kernel({"%s read_write"});
  std::string branches = loops;
  for (int i = 0; i < 60; ++i) {
    loops = i % 2 == 0 ? repeat(loops) : repeat(2, loops);
    branches = cond(branches, branches.size() > 2000 ? "" : branches);
  }
  EXPECT_THAT(verdict(zero("%s") + loops), IsEmpty());
  EXPECT_THAT(verdict(loops), ElementsAre("error uninitialized_read: ptx_kernel: "
                                          "scratch argument 5 [0, 64)"));
  EXPECT_THAT(verdict(zero("%s") + branches), IsEmpty());
}

// A payload that nobody can look into may read, but need not.
TEST(HazardTest, WhatIsOnlyAssumedIsNoUninitializedRead) {
  const std::string unknown =
      "thunky.call_thunk_proto \"new\" bytes \"\\A2\\06\\00\" (%s : <64>)\n";
  EXPECT_THAT(verdict(unknown + copy("%s", "%a")), IsEmpty());
  EXPECT_THAT(verdict(zero("%s") + unknown + zero("%s")), IsEmpty());
  EXPECT_THAT(verdict(start("%x", "1", unknown) + zero("%s") + done("%x")),
              ElementsAre("error race: call_thunk_proto, memzero: scratch argument 5 "
                          "[0, 64)"));
}

}  // namespace
}  // namespace thunky::compiler
