// Runs a fuzz target over seeds without libFuzzer: every file of the given
// folders as it is, cut short, and with flipped bits. The damage is the same on
// every run.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

constexpr int kCuts = 24;
constexpr int kDamagedCopies = 24;
constexpr int kFlipsPerCopy = 3;

std::vector<uint8_t> ReadFile(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

void Run(const std::vector<uint8_t>& input) {
  LLVMFuzzerTestOneInput(input.data(), input.size());
}

void RunCutShort(const std::vector<uint8_t>& seed) {
  for (int i = 0; i < kCuts; ++i) {
    Run({seed.begin(), seed.begin() + static_cast<ptrdiff_t>(seed.size() * i / kCuts)});
  }
}

void RunWithFlippedBits(const std::vector<uint8_t>& seed) {
  if (seed.empty()) return;
  std::minstd_rand random(static_cast<uint32_t>(seed.size()));
  for (int i = 0; i < kDamagedCopies; ++i) {
    std::vector<uint8_t> input = seed;
    for (int j = 0; j < kFlipsPerCopy; ++j) {
      input[random() % input.size()] ^= static_cast<uint8_t>(1U << (random() % 8));
    }
    Run(input);
  }
}

}  // namespace

int main(int argc, char** argv) {
  int seeds = 0;
  for (int i = 1; i < argc; ++i) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(argv[i])) {
      if (!entry.is_regular_file()) continue;
      const std::vector<uint8_t> seed = ReadFile(entry.path());
      Run(seed);
      RunCutShort(seed);
      RunWithFlippedBits(seed);
      ++seeds;
    }
  }
  std::printf("%d seeds\n", seeds);
  return seeds > 0 ? 0 : 1;
}
