// Programs whose scratch shares memory give the same results, bit for bit.
#include <cstdio>
#include <filesystem>
#include <functional>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Verifier.h"
#include "test/modules/host_program.h"
#include "test/modules/random_program.h"
#include "test/programs/test_program.h"
#include "thunky/compiler/dialect/argument_attributes.h"
#include "thunky/compiler/library/module_text.h"
#include "thunky/compiler/transforms/assign_scratch.h"
#include "thunky/compiler/transforms/attach_kernels.h"
#include "thunky/compiler/transforms/splice.h"
#include "thunky/container/fixture_files.h"

namespace thunky::module_tests {
namespace {

using compiler::ScratchReport;
using compiler::TestCompiler;
using Module = mlir::OwningOpRef<mlir::ModuleOp>;

mlir::func::FuncOp mainOf(mlir::ModuleOp module) {
  return module.lookupSymbol<mlir::func::FuncOp>("main");
}

// Runs the module, lets its scratch share memory, runs it again and compares. Nothing
// when something failed.
std::optional<ScratchReport> assignAndCompare(TestCompiler& compiler,
                                              mlir::ModuleOp module,
                                              const std::vector<Bytes>& arguments) {
  auto before = HostProgram::make(compiler, module);
  EXPECT_TRUE(before.ok()) << before.status();
  if (!before.ok()) return std::nullopt;
  const auto report = compiler::assignScratch(module);
  EXPECT_TRUE(mlir::succeeded(report)) << compiler.diagnostics();
  EXPECT_TRUE(mlir::succeeded(mlir::verify(module))) << compiler.diagnostics();
  auto after = HostProgram::make(compiler, module);
  EXPECT_TRUE(after.ok()) << after.status();
  if (mlir::failed(report) || !after.ok()) return std::nullopt;
  EXPECT_LE(report->bytesAfter, report->bytesBefore);
  EXPECT_EQ(before->scratchBytes(), static_cast<uint64_t>(report->bytesBefore));
  EXPECT_EQ(after->scratchBytes(), static_cast<uint64_t>(report->bytesAfter));
  const auto& given = arguments.empty() ? before->madeUpArguments(1) : arguments;
  const auto expected = before->run(given);
  EXPECT_TRUE(expected.ok()) << expected.status();
  const auto found = after->run(given);
  EXPECT_TRUE(found.ok()) << found.status();
  if (!expected.ok() || !found.ok()) return std::nullopt;
  EXPECT_TRUE(*found == *expected) << "results differ";
  return *report;
}

void print(const std::string& name, const ScratchReport& report) {
  std::printf("%-50s %5lld buffers %10lld bytes before %10lld after\n", name.c_str(),
              static_cast<long long>(report.buffers),
              static_cast<long long>(report.bytesBefore),
              static_cast<long long>(report.bytesAfter));
}

// Merges programs one after another, with scratch for everything but the arguments.
void spliceTimes(mlir::ModuleOp host, mlir::ModuleOp callee, int times) {
  compiler::ModuleSplicer splicer(host);
  for (int i = 0; i < times; ++i) {
    mlir::Block* body = &mainOf(host).getBody().front();
    mlir::OpBuilder builder = mlir::OpBuilder::atBlockTerminator(body);
    llvm::SmallVector<mlir::Value> operands;
    for (unsigned j = 0; j < mainOf(callee).getNumArguments(); ++j) {
      const bool own = mainOf(callee).getArgAttr(j, compiler::kScratch) != nullptr;
      operands.push_back(own ? mlir::Value() : mlir::Value(body->getArgument(j)));
    }
    ASSERT_TRUE(mlir::succeeded(splicer.splice(
        builder, mlir::UnknownLoc::get(host.getContext()), callee, operands)));
  }
}

TEST(AssignScratchRunsTest, RandomProgramsComputeTheSame) {
  constexpr int kPrograms = 600;
  int smaller = 0;
  for (int seed = 0; seed < kPrograms && !::testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    TestCompiler compiler;
    const Module module = compiler.read(randomProgram(seed));
    ASSERT_TRUE(module) << compiler.diagnostics() << randomProgram(seed);
    const auto report = assignAndCompare(compiler, *module, {});
    ASSERT_TRUE(report.has_value()) << randomProgram(seed);
    smaller += report->bytesAfter < report->bytesBefore ? 1 : 0;
  }
  EXPECT_GT(smaller, kPrograms / 2);
}

// Every program of JAX that the host can run, and the same program twice in a row.
TEST(AssignScratchRunsTest, ProgramsOfJaxComputeTheSame) {
  int runnable = 0;
  for (const std::string& name : FixtureNames()) {
    if (name.find("-ptx/") == std::string::npos && name.rfind("captured/", 0) != 0) {
      continue;
    }
    SCOPED_TRACE(name);
    TestCompiler compiler;
    JaxProgram program = readJaxProgram(compiler, name);
    ASSERT_TRUE(program.module);
    const auto alone = HostProgram::make(compiler, *program.module);
    if (!alone.ok()) continue;  // a library or a handler that is not here
    ++runnable;
    std::vector<Bytes> arguments = alone->madeUpArguments(1);
    size_t number = 0;
    for (size_t i = 0; i < arguments.size(); ++i) {
      if (!alone->executable().arguments()[i].parameter.has_value()) continue;
      // JAX drops parameters that nothing uses; their arrays stay.
      while (program.arrays.count(absl::StrCat("in", number)) != 0 &&
             program.arrays.at(absl::StrCat("in", number)).size() !=
                 arguments[i].size()) {
        ++number;
      }
      const auto array = program.arrays.find(absl::StrCat("in", number++));
      ASSERT_NE(array, program.arrays.end());
      arguments[i] = array->second;
    }
    const Module twice(mlir::cast<mlir::ModuleOp>((*program.module)->clone()));
    spliceTimes(*twice, *program.module, 1);
    const auto once = assignAndCompare(compiler, *program.module, arguments);
    const auto both = assignAndCompare(compiler, *twice, arguments);
    ASSERT_TRUE(once.has_value() && both.has_value());
    print(name, *once);
    print(name + ", twice", *both);
    EXPECT_EQ(once->bytesAfter, once->bytesBefore) << "one temporary allocation";
    EXPECT_LE(both->bytesAfter, once->bytesAfter) << "of one run after the other";
  }
  EXPECT_GE(runnable, 18);
}

TEST(AssignScratchRunsTest, ProgramsByHandComputeTheSame) {
  int run = 0;
  for (const program_tests::TestProgram& test : program_tests::AllPrograms()) {
    if (test.outcome != program_tests::Outcome::kRuns || test.replica_id != 0 ||
        test.partition_id != 0 || !test.message.empty()) {
      continue;
    }
    SCOPED_TRACE(test.name);
    TestCompiler compiler;
    const Module module = compiler.import(compiler::bareFile(test.proto));
    if (!module) continue;  // a form that no operation can say
    const auto report = assignAndCompare(compiler, *module, test.arguments);
    ASSERT_TRUE(report.has_value());
    if (report->buffers > 0) print(test.name, *report);
    ++run;
  }
  EXPECT_GE(run, 50) << "of all programs";
}

TEST(AssignScratchRunsTest, ExamplesComputeTheSame) {
  const std::filesystem::path folder =
      std::filesystem::path(std::getenv("THUNKY_TEST_DATA")).parent_path() / "examples";
  int run = 0;
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    if (file.path().extension() != ".mlir") continue;
    SCOPED_TRACE(file.path());
    TestCompiler compiler;
    const Module module =
        compiler.read(TestFile("../examples/" + file.path().filename().string()));
    ASSERT_TRUE(module) << compiler.diagnostics();
    ASSERT_TRUE(mlir::succeeded(compiler::readCodeFiles(*module, folder.string())));
    const auto report = assignAndCompare(compiler, *module, {});
    ASSERT_TRUE(report.has_value());
    print(file.path().filename(), *report);
    ++run;
  }
  EXPECT_GT(run, 0);
}

// XLA laid its temporaries out itself; merged ten times they take no more.
TEST(AssignScratchRunsTest, ATransformerTakesNoMoreThanXlaGaveIt) {
  TestCompiler compiler;
  JaxProgram program = readJaxProgram(compiler, "bench/flax_lm12_forward");
  ASSERT_TRUE(program.module);
  int64_t temporary = 0;
  for (const mlir::BlockArgument argument : mainOf(*program.module).getArguments()) {
    if (!mainOf(*program.module)
             .getArgAttr(argument.getArgNumber(), compiler::kScratch)) {
      continue;
    }
    temporary += llvm::cast<compiler::BufferType>(argument.getType()).getSize();
  }
  EXPECT_GT(temporary, 0);
  const Module many(mlir::cast<mlir::ModuleOp>((*program.module)->clone()));
  spliceTimes(*many, *program.module, 9);
  const auto alone = compiler::assignScratch(*program.module);
  const auto report = compiler::assignScratch(*many);
  ASSERT_TRUE(mlir::succeeded(alone) && mlir::succeeded(report))
      << compiler.diagnostics();
  print("flax_lm12_forward", *alone);
  print("flax_lm12_forward, ten times", *report);
  EXPECT_LE(alone->bytesAfter, temporary + 255);
  EXPECT_EQ(report->bytesAfter, alone->bytesAfter);
  EXPECT_TRUE(
      compiler.exportFrom(*many, compiler::CodePlacement::kCubinFirst, true).has_value())
      << compiler.diagnostics();
}

}  // namespace
}  // namespace thunky::module_tests
