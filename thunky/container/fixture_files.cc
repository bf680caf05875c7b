#include "thunky/container/fixture_files.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "gtest/gtest.h"

namespace thunky {
namespace {

std::filesystem::path TestFolder() {
  const char* folder = std::getenv("THUNKY_TEST_DATA");
  EXPECT_NE(folder, nullptr) << "THUNKY_TEST_DATA names the folder test/";
  return folder == nullptr ? "" : folder;
}

}  // namespace

std::string TestFile(const std::string& path) {
  std::ifstream file(TestFolder() / path, std::ios::binary);
  EXPECT_TRUE(file.good()) << "no file " << path;
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::vector<std::string> FixtureNames() {
  const std::filesystem::path folder = TestFolder() / "fixtures";
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().filename() != "executable.bin") continue;
    names.push_back(std::filesystem::relative(entry.path().parent_path(), folder));
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string FixtureExecutable(const std::string& name) {
  return TestFile("fixtures/" + name + "/executable.bin");
}

}  // namespace thunky
