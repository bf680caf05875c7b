// Programs of others, in which there is nothing to find.
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "thunky/compiler/analysis/hazards.h"
#include "thunky/compiler/translate/program_parts.h"
#include "thunky/compiler/translate/test_modules.h"
#include "thunky/container/fixture_files.h"

namespace thunky::compiler {
namespace {

using ::testing::IsEmpty;

// "kind: message" of each hazard.
std::vector<std::string> hazardsIn(mlir::OwningOpRef<mlir::ModuleOp> module) {
  const auto main = inlinedMain(*module);
  if (mlir::failed(main)) return {"no @main"};
  const auto report = findHazards(*main);
  if (mlir::failed(report)) return {"no report"};
  std::vector<std::string> messages;
  for (const Hazard& hazard : report->hazards) messages.push_back(hazard.message);
  return messages;
}

// Every program that JAX compiled, scratch shared as XLA shares it.
TEST(CorpusTest, NothingInWhatJaxCompiled) {
  const std::vector<std::string> names = FixtureNames();
  EXPECT_GE(names.size(), 70u);
  for (const std::string& name : names) {
    SCOPED_TRACE(name);
    absl::StatusOr<ExecutableFile> file = ReadExecutableFile(FixtureExecutable(name));
    ASSERT_TRUE(file.ok()) << file.status();
    TestCompiler compiler;
    mlir::OwningOpRef<mlir::ModuleOp> module = compiler.import(*std::move(file));
    ASSERT_TRUE(module) << compiler.diagnostics();
    EXPECT_THAT(hazardsIn(std::move(module)), IsEmpty());
  }
}

// Programs of this project that run; those that are wrong on purpose do not import.
TEST(CorpusTest, NothingInProgramsThatRun) {
  int checked = 0;
  for (const auto& entry : std::filesystem::directory_iterator(
           std::string(std::getenv("THUNKY_TEST_DATA")) + "/programs")) {
    if (entry.path().extension() != ".textproto") continue;
    const std::string name = entry.path().stem();
    SCOPED_TRACE(name);
    absl::StatusOr<ExecutableFile> file =
        ReadExecutableFile(TestFile("programs/" + name + ".textproto"));
    if (!file.ok()) continue;
    TestCompiler compiler;
    mlir::OwningOpRef<mlir::ModuleOp> module = compiler.import(*std::move(file));
    if (!module) continue;
    ++checked;
    EXPECT_THAT(hazardsIn(std::move(module)), IsEmpty());
  }
  EXPECT_GE(checked, 60);
}

}  // namespace
}  // namespace thunky::compiler
