// Real PTX of XLA, Triton and nvcc: it parses, and printing is a fixed point.
#include <string>

#include "gtest/gtest.h"
#include "thunky/ptx/corpus_for_test.h"
#include "thunky/ptx/lexer.h"
#include "thunky/ptx/parser.h"
#include "thunky/ptx/printer.h"

namespace thunky::ptx {
namespace {

constexpr size_t kLeastFiles = 100;

TEST(ParserCorpusTest, PrintingIsAFixedPoint) {
  const std::vector<CorpusFile> files = ReadCorpus();
  ASSERT_GE(files.size(), kLeastFiles) << "is THUNKY_TEST_DATA set?";
  for (const CorpusFile& file : files) {
    SCOPED_TRACE(file.path);
    const auto module = ParseModule(file.text);
    ASSERT_TRUE(module.ok()) << module.status();
    EXPECT_FALSE(module->items.empty());
    const std::string printed = PrintModule(*module);
    const auto again = ParseModule(printed);
    ASSERT_TRUE(again.ok()) << again.status();
    EXPECT_EQ(PrintModule(*again), printed);
  }
}

// Token by token, the printed text says what the file says; only integers may be
// spelled in another base.
std::string Essence(std::string_view text) {
  std::string essence;
  Lexer lexer(text);
  for (Token token = lexer.Next(); token.kind != TokenKind::kEnd; token = lexer.Next()) {
    const bool is_integer =
        token.kind == TokenKind::kNumber && token.text.substr(0, 2) != "0f" &&
        token.text.substr(0, 2) != "0d" && token.text.find('.') == std::string_view::npos;
    essence += is_integer ? std::string("N") : std::string(token.text);
    essence += '\n';
  }
  return essence;
}

TEST(ParserCorpusTest, PrintingLosesNoToken) {
  const std::vector<CorpusFile> files = ReadCorpus();
  ASSERT_GE(files.size(), kLeastFiles) << "is THUNKY_TEST_DATA set?";
  for (const CorpusFile& file : files) {
    SCOPED_TRACE(file.path);
    const auto module = ParseModule(file.text);
    ASSERT_TRUE(module.ok()) << module.status();
    EXPECT_EQ(Essence(PrintModule(*module)), Essence(file.text));
  }
}

}  // namespace
}  // namespace thunky::ptx
