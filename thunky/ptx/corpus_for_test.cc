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
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
    if (!entry.is_regular_file() || entry.path().extension() != ".ptx") continue;
    std::ifstream stream(entry.path(), std::ios::binary);
    files.push_back(
        {entry.path().string(), std::string(std::istreambuf_iterator<char>(stream), {})});
  }
  std::sort(files.begin(), files.end(),
            [](const CorpusFile& a, const CorpusFile& b) { return a.path < b.path; });
  return files;
}

}  // namespace thunky::ptx
