// Kernels that XLA compiled load, every one of them.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "thunky/interp/loader.h"

namespace thunky::interp {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> PtxFiles() {
  std::vector<fs::path> files;
  const char* data = std::getenv("THUNKY_TEST_DATA");
  if (data == nullptr) return files;
  for (const auto& entry :
       fs::recursive_directory_iterator(fs::path(data) / "fixtures" / "jax-0.11.2-ptx")) {
    if (entry.path().extension() == ".ptx") files.push_back(entry.path());
  }
  return files;
}

std::string Read(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

std::vector<std::string> Entries(const std::string& text) {
  const std::string mark = ".entry ";
  std::vector<std::string> names;
  for (size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at)) {
    at += mark.size();
    names.push_back(text.substr(at, text.find_first_of("( \n\t", at) - at));
  }
  return names;
}

TEST(CorpusTest, KernelsOfXlaLoad) {
  const std::vector<fs::path> files = PtxFiles();
  ASSERT_GT(files.size(), 50u);
  const std::unique_ptr<hal::KernelLoader> loader = MakeInterpreterLoader();
  for (const fs::path& file : files) {
    hal::KernelSource source;
    source.ptx = std::make_shared<const std::string>(Read(file));
    source.origin = file.filename();
    for (const std::string& entry : Entries(*source.ptx)) {
      source.entry = entry;
      const auto kernel = loader->Load(source);
      EXPECT_TRUE(kernel.ok()) << file << ": " << kernel.status();
    }
  }
}

}  // namespace
}  // namespace thunky::interp
