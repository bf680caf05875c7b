// Every program that JAX compiled goes through a module and comes back.
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "thunky/compiler/dialect/argument_attributes.h"
#include "thunky/compiler/library/module_text.h"
#include "thunky/compiler/translate/expected_export.h"
#include "thunky/compiler/translate/test_modules.h"
#include "thunky/container/fixture_files.h"

namespace thunky::compiler {
namespace {

ExecutableFile read(const std::string& fixture) {
  absl::StatusOr<ExecutableFile> file = ReadExecutableFile(FixtureExecutable(fixture));
  EXPECT_TRUE(file.ok()) << file.status();
  return file.ok() ? *std::move(file) : ExecutableFile();
}

// A program, and the module it is, in a context of its own.
struct Imported {
  explicit Imported(const std::string& fixture) : file(read(fixture)) {
    module = compiler.import(file);
    EXPECT_TRUE(module) << compiler.diagnostics();
  }

  TestCompiler compiler;
  ExecutableFile file;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

void forEachFixture(const std::function<void(Imported&)>& check) {
  const std::vector<std::string> names = FixtureNames();
  EXPECT_GE(names.size(), 70u);
  for (const std::string& name : names) {
    SCOPED_TRACE(name);
    Imported program(name);
    if (program.module) check(program);
  }
}

TEST(FixtureTest, ExportIsTheSameFile) {
  forEachFixture([](Imported& program) {
    const auto exported =
        program.compiler.exportFrom(*program.module, CodePlacement::kCubinFirst, true);
    ASSERT_TRUE(exported.has_value()) << program.compiler.diagnostics();
    const ExecutableFile& original = program.file;
    EXPECT_EQ(differenceOf(expectedExport(original.executable), exported->executable),
              "");
    EXPECT_EQ(exported->metadata_bytes, original.metadata_bytes);
    ASSERT_TRUE(original.options.has_value() && exported->options.has_value());
    EXPECT_EQ(differenceOf(*original.options, *exported->options), "");
  });
}

TEST(FixtureTest, RuntimeFormHasTheSameThunksAndCode) {
  forEachFixture([](Imported& program) {
    const auto exported =
        program.compiler.exportFrom(*program.module, CodePlacement::kTable);
    ASSERT_TRUE(exported.has_value()) << program.compiler.diagnostics();
    wire::GpuExecutableProto expected = expectedExport(program.file.executable);
    expected.clear_binary();
    expected.clear_asm_text();
    EXPECT_EQ(differenceOf(expected, withCodeInline(exported->executable)), "");
  });
}

// The module does not depend on the numbers in the file it came from.
TEST(FixtureTest, ImportOfTheExportIsTheSameModule) {
  forEachFixture([](Imported& program) {
    const std::string text = writeText(*program.module, /*elide=*/false);
    auto exported =
        program.compiler.exportFrom(*program.module, CodePlacement::kCubinFirst, true);
    ASSERT_TRUE(exported.has_value()) << program.compiler.diagnostics();
    TestCompiler other;
    const auto again = other.import(*std::move(exported));
    ASSERT_TRUE(again) << other.diagnostics();
    EXPECT_TRUE(writeText(*again, false) == text);
  });
}

// The runtime's form has lost the module's binary only, which is part of the origin.
TEST(FixtureTest, ImportOfTheRuntimeFormIsTheSameModule) {
  const auto textOf = [](mlir::ModuleOp module) {
    module->removeAttr(kOrigin);
    return writeText(module, false);
  };
  forEachFixture([&](Imported& program) {
    auto exported = program.compiler.exportFrom(*program.module, CodePlacement::kTable);
    ASSERT_TRUE(exported.has_value()) << program.compiler.diagnostics();
    TestCompiler other;
    const auto again = other.import(*std::move(exported));
    ASSERT_TRUE(again) << other.diagnostics();
    EXPECT_TRUE(textOf(*again) == textOf(*program.module));
  });
}

TEST(FixtureTest, TextAndBytecodeKeepEverything) {
  forEachFixture([](Imported& program) {
    const std::string text = writeText(*program.module, false);
    TestCompiler fromText;
    const auto parsed = fromText.read(text);
    ASSERT_TRUE(parsed) << fromText.diagnostics();
    EXPECT_TRUE(writeText(*parsed, false) == text);

    TestCompiler fromBytecode;
    const auto decoded = fromBytecode.read(writeBytecode(*program.module));
    ASSERT_TRUE(decoded) << fromBytecode.diagnostics();
    EXPECT_TRUE(writeText(*decoded, false) == text);

    const wire::GpuExecutableProto expected = expectedExport(program.file.executable);
    for (const auto& [compiler, copy] :
         {std::pair(&fromText, *parsed), std::pair(&fromBytecode, *decoded)}) {
      const auto exported = compiler->exportFrom(copy, CodePlacement::kCubinFirst, true);
      ASSERT_TRUE(exported.has_value()) << compiler->diagnostics();
      EXPECT_EQ(differenceOf(expected, exported->executable), "");
    }
  });
}

TEST(FixtureTest, TransformerHasTheArgumentsThatItsThunksUse) {
  Imported program("bench/flax_lm12_forward");
  ASSERT_TRUE(program.module);
  auto main = program.module->lookupSymbol<mlir::func::FuncOp>("main");
  EXPECT_EQ(main.getNumArguments(), 200u);
}

}  // namespace
}  // namespace thunky::compiler
