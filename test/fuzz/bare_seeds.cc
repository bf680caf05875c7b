// Replaces every executable file of a folder by the GpuExecutableProto in it.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "thunky/container/executable_file.h"

namespace {

std::string ReadFile(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: bare_seeds FOLDER\n");
    return 2;
  }
  for (const auto& entry : std::filesystem::directory_iterator(argv[1])) {
    const auto file = thunky::ReadExecutableFile(ReadFile(entry.path()));
    if (!file.ok()) {
      std::fprintf(stderr, "%s: %s\n", entry.path().c_str(),
                   std::string(file.status().message()).c_str());
      return 1;
    }
    std::ofstream stream(entry.path(), std::ios::binary | std::ios::trunc);
    stream << file->executable.SerializeAsString();
  }
  return 0;
}
