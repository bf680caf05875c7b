// Modules and executables that were written once must come out the same for ever
// (test/golden/compiler).
#include <algorithm>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "thunky/compiler/library/module_text.h"
#include "thunky/compiler/translate/test_modules.h"
#include "thunky/container/executable_writer.h"
#include "thunky/container/fixture_files.h"

namespace thunky::compiler {
namespace {

struct Golden {
  const char* name;
  const char* fixture;
};

constexpr Golden kGolden[] = {
    {"saxpy", "jax-0.11.2-ptx/saxpy"},
    {"psum", "jax-0.11.2/four_devices/psum"},
    {"while_10", "bench/while_10"},
};

std::string goldenFile(const Golden& golden, const std::string& extension) {
  return TestFile(absl::StrCat("golden/compiler/jax-0.11.2/", golden.name, extension));
}

// Equal files; of unequal ones only where they differ, for they are long.
void expectSame(const std::string& actual, const std::string& golden) {
  const auto [a, b] =
      std::mismatch(actual.begin(), actual.end(), golden.begin(), golden.end());
  if (a == actual.end() && b == golden.end()) return;
  const size_t at = a - actual.begin();
  const size_t from = at - std::min<size_t>(at, 40);
  ADD_FAILURE() << "differs at byte " << at << ": expected '" << golden.substr(from, 120)
                << "', found '" << actual.substr(from, 120) << "'";
}

TEST(GoldenTest, ImportWritesTheSameText) {
  for (const Golden& golden : kGolden) {
    SCOPED_TRACE(golden.name);
    absl::StatusOr<ExecutableFile> file =
        ReadExecutableFile(FixtureExecutable(golden.fixture));
    ASSERT_TRUE(file.ok()) << file.status();
    TestCompiler compiler;
    const auto module = compiler.import(*std::move(file));
    ASSERT_TRUE(module) << compiler.diagnostics();
    expectSame(writeText(*module, false), goldenFile(golden, ".mlir"));
  }
}

TEST(GoldenTest, ExportWritesTheSameFiles) {
  for (const Golden& golden : kGolden) {
    SCOPED_TRACE(golden.name);
    for (const bool complete : {true, false}) {
      TestCompiler compiler;
      const auto module = compiler.read(goldenFile(golden, ".mlir"));
      ASSERT_TRUE(module) << compiler.diagnostics();
      const auto exported = compiler.exportFrom(
          *module, complete ? CodePlacement::kCubinFirst : CodePlacement::kTable,
          complete);
      ASSERT_TRUE(exported.has_value()) << compiler.diagnostics();
      const auto bytes = WriteExecutableFile(*exported);
      ASSERT_TRUE(bytes.ok()) << bytes.status();
      expectSame(*bytes, goldenFile(golden, complete ? ".bin" : ".pb"));
    }
  }
}

TEST(GoldenTest, ImportOfTheExportWritesTheSameText) {
  for (const Golden& golden : kGolden) {
    SCOPED_TRACE(golden.name);
    absl::StatusOr<ExecutableFile> file = ReadExecutableFile(goldenFile(golden, ".bin"));
    ASSERT_TRUE(file.ok()) << file.status();
    TestCompiler compiler;
    const auto module = compiler.import(*std::move(file));
    ASSERT_TRUE(module) << compiler.diagnostics();
    expectSame(writeText(*module, false), goldenFile(golden, ".mlir"));
  }
}

}  // namespace
}  // namespace thunky::compiler
