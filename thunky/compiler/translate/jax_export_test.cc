// Complete files of imported programs that were edited, or came without all parts.
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "thunky/compiler/dialect/constant_value.h"
#include "thunky/compiler/dialect/thunky_dialect.h"
#include "thunky/compiler/translate/test_modules.h"
#include "thunky/container/fixture_files.h"
#include "thunky/schema/constants.h"

namespace thunky::compiler {
namespace {

using ::testing::HasSubstr;

ExecutableFile fixture(const std::string& name) {
  absl::StatusOr<ExecutableFile> file = ReadExecutableFile(FixtureExecutable(name));
  EXPECT_TRUE(file.ok()) << file.status();
  return file.ok() ? *std::move(file) : ExecutableFile();
}

// What jaxlib takes the bytes from.
std::vector<std::string> literalsOf(const wire::GpuExecutableProto& executable) {
  std::vector<std::string> bytes;
  for (const auto& literal : schema::LiteralsOfConstants(executable)) {
    bytes.push_back(literal.value_or("none"));
  }
  return bytes;
}

ConstantOp firstConstant(mlir::ModuleOp module) {
  ConstantOp found;
  module.walk([&](ConstantOp op) { found = found ? found : op; });
  return found;
}

TEST(JaxExport, UnchangedConstantsStayWhereTheyAre) {
  const ExecutableFile original = fixture("jax-0.11.2/constant");
  TestCompiler compiler;
  const auto module = compiler.import(original);
  ASSERT_TRUE(module) << compiler.diagnostics();
  const auto file = compiler.exportFrom(*module, CodePlacement::kCubinFirst, true);
  ASSERT_TRUE(file.has_value()) << compiler.diagnostics();
  EXPECT_EQ(file->executable.binary(), original.executable.binary());
  EXPECT_EQ(literalsOf(file->executable), literalsOf(original.executable));
}

TEST(JaxExport, ChangedAndNewConstantsReachTheHloModule) {
  TestCompiler compiler;
  const auto module = compiler.import(fixture("jax-0.11.2/constant"));
  ASSERT_TRUE(module) << compiler.diagnostics();
  ConstantOp constant = firstConstant(*module);
  const std::string changed(16384, 'x');
  constant.setValueAttr(constantValue(compiler.context(), "changed", changed));
  mlir::OpBuilder builder(constant);
  ConstantOp::create(builder, builder.getUnknownLoc(),
                     BufferType::get(compiler.context(), 4), builder.getStringAttr("new"),
                     builder.getStringAttr("mine"));
  const auto file = compiler.exportFrom(*module, CodePlacement::kCubinFirst, true);
  ASSERT_TRUE(file.has_value()) << compiler.diagnostics();
  EXPECT_EQ(literalsOf(file->executable),
            std::vector<std::string>({changed, std::string("new\0", 4)}));
  EXPECT_EQ(file->executable.constants(0).symbol_name(), "buffer_for_constant_1_0");
  EXPECT_THAT(file->executable.binary(), HasSubstr("buffer_for_mine[4]"));
  // The same program comes back.
  const auto again = compiler.import(*file);
  ASSERT_TRUE(again) << compiler.diagnostics();
  EXPECT_EQ(thunkOpsOf(*again), thunkOpsOf(*module));
  EXPECT_EQ(constantBytes(firstConstant(*again).getValue()), changed);
}

TEST(JaxExport, PartsThatAreMissingAreMadeUpFor) {
  const ExecutableFile original = fixture("jax-0.11.2/multi_out");
  TestCompiler compiler;
  const auto module = compiler.import(bareFile(original.executable));
  ASSERT_TRUE(module) << compiler.diagnostics();
  const auto file = compiler.exportFrom(*module, CodePlacement::kCubinFirst, true);
  ASSERT_TRUE(file.has_value()) << compiler.diagnostics();
  EXPECT_EQ(file->kind, ExecutableKind::kComplete);
  EXPECT_EQ(file->metadata_bytes, original.metadata_bytes);
  EXPECT_TRUE(file->options.has_value());
}

// Written by hand as a proto: without an HLO module it is like a program of its own.
TEST(JaxExport, ExecutablesWithoutHloNeedACapability) {
  wire::GpuExecutableProto bare = fixture("jax-0.11.2/constant").executable;
  const std::vector<schema::Constant> constants = *schema::ConstantsOf(bare);
  bare.mutable_constants(0)->mutable_content()->set_data(constants[0].bytes);
  bare.clear_hlo_module_with_config();
  bare.clear_buffer_assignment();
  bare.clear_binary();
  for (const bool capable : {true, false}) {
    if (!capable) bare.clear_gpu_compute_capability();
    TestCompiler compiler;
    const auto module = compiler.import(bareFile(bare));
    ASSERT_TRUE(module) << compiler.diagnostics();
    const auto file = compiler.exportFrom(*module, CodePlacement::kCubinFirst, true);
    ASSERT_EQ(file.has_value(), capable) << compiler.diagnostics();
    if (capable) {
      EXPECT_EQ(literalsOf(file->executable)[0], constants[0].bytes);
    } else {
      EXPECT_THAT(compiler.diagnostics(),
                  HasSubstr("what is missing does not follow from the rest: the "
                            "executable has no compute capability"));
    }
  }
}

// What is no longer there cannot be made up for.
TEST(JaxExport, DamagedExecutablesAreRefused) {
  wire::GpuExecutableProto bare = fixture("jax-0.11.2/saxpy").executable;
  bare.clear_buffer_allocations_debug_summary();
  TestCompiler compiler;
  const auto module = compiler.import(bareFile(bare));
  ASSERT_TRUE(module) << compiler.diagnostics();
  EXPECT_FALSE(compiler.exportFrom(*module, CodePlacement::kCubinFirst, true));
  EXPECT_THAT(compiler.diagnostics(),
              HasSubstr("the executable has no summary of its buffer allocations"));
  EXPECT_TRUE(compiler.exportFrom(*module, CodePlacement::kCubinFirst, false));
}

}  // namespace
}  // namespace thunky::compiler
