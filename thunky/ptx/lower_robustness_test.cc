// Lowering mangled texts: any answer will do, as long as there is one.
#include <map>
#include <random>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "thunky/ptx/corpus_for_test.h"
#include "thunky/ptx/kernel_interface.h"
#include "thunky/ptx/lower.h"
#include "thunky/ptx/parser.h"

namespace thunky::ptx {
namespace {

// `text` in which `random` replaces a few words by others that stand behind the same
// separator: most of it still parses.
std::string Mangle(const std::string& text, std::mt19937& random) {
  std::map<char, std::vector<size_t>> places;  // of words, by their first character
  std::vector<std::string> words(1);
  for (const char c : text) {
    if (c == ' ' || c == '\n' || c == '\t' || c == ',' || c == '.' || c == ';') {
      places[c].push_back(words.size());
      words.emplace_back();
    }
    words.back() += c;
  }
  for (int i = 0; i < 4; ++i) {
    std::string& word = words[random() % words.size()];
    const std::vector<size_t>& like = places[word.empty() ? ' ' : word[0]];
    if (!like.empty()) word = words[like[random() % like.size()]];
  }
  std::string mangled;
  for (const std::string& word : words) mangled += word;
  return mangled;
}

TEST(LowerRobustnessTest, MangledFilesGetAnAnswer) {
  std::mt19937 random(20240607);
  size_t lowered = 0;
  size_t refused = 0;
  for (const CorpusFile& file : ReadCorpus()) {
    if (file.text.size() > 40000) continue;
    for (int i = 0; i < 12; ++i) {
      const absl::StatusOr<ast::Module> module = ParseModule(Mangle(file.text, random));
      if (!module.ok()) continue;
      const auto kernels = ListKernels(*module);
      if (!kernels.ok()) continue;
      for (const KernelInterface& kernel : *kernels) {
        const absl::StatusOr<ir::Program> program = LowerEntry(*module, kernel.name);
        ++(program.ok() ? lowered : refused);
        EXPECT_EQ(program.status().message().empty(), program.ok());
      }
    }
  }
  EXPECT_GT(lowered, 50u);
  EXPECT_GT(refused, 50u);
}

}  // namespace
}  // namespace thunky::ptx
