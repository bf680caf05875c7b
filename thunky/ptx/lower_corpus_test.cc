// Every entry of every PTX file in the test data lowers.
#include <map>
#include <string>

#include "gtest/gtest.h"
#include "thunky/ptx/corpus_for_test.h"
#include "thunky/ptx/kernel_interface.h"
#include "thunky/ptx/lower.h"
#include "thunky/ptx/parser.h"

namespace thunky::ptx {
namespace {

// What holds for any lowered function.
void CheckShape(const ir::Function& function) {
  ASSERT_FALSE(function.blocks.empty());
  ASSERT_FALSE(function.code.empty());
  uint32_t expected = 0;
  for (const ir::Block& block : function.blocks) {
    EXPECT_EQ(block.first, expected);
    EXPECT_LT(block.first, block.last);
    expected = block.last;
    for (const uint32_t successor : block.successors) {
      EXPECT_LT(successor, function.blocks.size());
    }
  }
  EXPECT_EQ(expected, function.code.size());
  EXPECT_TRUE(ir::IsTerminator(function.code.back().op));
  EXPECT_FALSE(function.code.back().guard.has_value());
  for (const ir::Instruction& instruction : function.code) {
    for (const auto* list : {&instruction.dst, &instruction.src}) {
      for (const ir::Operand& operand : *list) {
        if (operand.kind != ir::Operand::Kind::kRegister) continue;
        EXPECT_LT(operand.index, function.registers.size());
      }
    }
  }
}

TEST(LowerCorpusTest, EveryEntryLowers) {
  size_t entries = 0;
  for (const CorpusFile& file : ReadCorpus()) {
    SCOPED_TRACE(file.path);
    const absl::StatusOr<ast::Module> module = ParseModule(file.text);
    ASSERT_TRUE(module.ok()) << module.status();
    const auto kernels = ListKernels(*module);
    ASSERT_TRUE(kernels.ok()) << kernels.status();
    for (const KernelInterface& kernel : *kernels) {
      SCOPED_TRACE(kernel.name);
      const absl::StatusOr<ir::Program> program = LowerEntry(*module, kernel.name);
      ASSERT_TRUE(program.ok()) << program.status();
      ++entries;
      EXPECT_EQ(program->bounds.reqntid, kernel.bounds.reqntid);
      EXPECT_EQ(program->functions[0].parameters.size(), kernel.parameters.size());
      for (const ir::Function& function : program->functions) CheckShape(function);
    }
  }
  EXPECT_GE(entries, 100u);
}

}  // namespace
}  // namespace thunky::ptx
