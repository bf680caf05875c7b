#include "thunky/ptx/corpus_for_test.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace thunky::ptx {

std::vector<CorpusFile> ReadCorpus() {
  std::vector<CorpusFile> files;
  const char* root = std::getenv("THUNKY_TEST_DATA");
  if (root == nullptr) return files;
  for (std::filesystem::recursive_directory_iterator at(root), end; at != end; ++at) {
    const std::filesystem::directory_entry& entry = *at;
    if (entry.is_directory() && entry.path().filename() == "Inputs") {
      at.disable_recursion_pending();
    }
    if (!entry.is_regular_file() || entry.path().extension() != ".ptx") continue;
    // Inputs of tests of text are wrong on purpose.
    if (entry.path().string().find("/lit/") != std::string::npos) continue;
    std::ifstream stream(entry.path(), std::ios::binary);
    files.push_back(
        {entry.path().string(), std::string(std::istreambuf_iterator<char>(stream), {})});
  }
  std::sort(files.begin(), files.end(),
            [](const CorpusFile& a, const CorpusFile& b) { return a.path < b.path; });
  return files;
}

}  // namespace thunky::ptx
