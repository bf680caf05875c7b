#include "test/kernels/kernel_scenario.h"

#include <cstdlib>
#include <fstream>
#include <map>
#include <mutex>
#include <ostream>
#include <random>
#include <sstream>
#include <utility>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "thunky/base/status_macros.h"
#include "thunky/hal/memory.h"

namespace thunky::kernel_tests {
namespace {

// The bytes that a launch passes for `argument`.
Bytes ArgumentBytes(const Argument& argument, const std::vector<Bytes>& buffers) {
  if (const Bytes* value = std::get_if<Bytes>(&argument)) return *value;
  const Bytes& buffer = buffers[std::get<BufferAddress>(argument).buffer];
  const auto address = reinterpret_cast<uintptr_t>(buffer.data());
  return ToBytes(std::vector<uint64_t>{address});
}

hal::MemoryMap MapBuffers(const std::vector<Bytes>& buffers) {
  std::vector<hal::MemoryRange> ranges;
  for (size_t i = 0; i < buffers.size(); ++i) {
    if (buffers[i].empty()) continue;
    const auto begin = reinterpret_cast<uintptr_t>(buffers[i].data());
    ranges.push_back({.begin = begin,
                      .end = begin + buffers[i].size(),
                      .writable = true,
                      .name = absl::StrCat("buffer ", i)});
  }
  return hal::MemoryMap(std::move(ranges));
}

class HostMachine : public Machine {
 public:
  explicit HostMachine(std::unique_ptr<hal::KernelLoader> loader)
      : loader_(std::move(loader)) {}

  absl::Status Run(const std::vector<KernelLaunch>& launches, std::vector<Bytes>& buffers,
                   const MachineOptions& options) override {
    const hal::MemoryMap memory = MapBuffers(buffers);
    for (const KernelLaunch& launch : launches) {
      ASSIGN_OR_RETURN(std::shared_ptr<const hal::HostKernel> kernel, Kernel(launch));
      hal::LaunchParams params;
      params.grid = launch.grid;
      params.block = launch.block;
      params.dynamic_shared_bytes = launch.dynamic_shared_bytes;
      for (const Argument& argument : launch.arguments) {
        params.arguments.push_back(ArgumentBytes(argument, buffers));
      }
      params.memory = &memory;
      params.checks = options.checks;
      params.cancellation = options.cancellation;
      params.step_budget = options.step_budget;
      params.print = options.print;
      RETURN_IF_ERROR(kernel->Launch(params));
    }
    return absl::OkStatus();
  }

  absl::Status Load(const hal::KernelSource& source) override {
    return loader_->Load(source).status();
  }

 private:
  absl::StatusOr<std::shared_ptr<const hal::HostKernel>> Kernel(
      const KernelLaunch& launch) {
    auto& kernel = kernels_[{launch.module, launch.entry}];
    if (kernel == nullptr) {
      hal::KernelSource source;
      source.entry = launch.entry;
      source.ptx = ReadPtx(launch.module);
      source.origin = launch.module + ".ptx";
      ASSIGN_OR_RETURN(kernel, loader_->Load(source));
    }
    return kernel;
  }

  std::unique_ptr<hal::KernelLoader> loader_;
  std::map<std::pair<std::string, std::string>, std::shared_ptr<const hal::HostKernel>>
      kernels_;
};

}  // namespace

std::unique_ptr<Machine> MakeHostMachine(std::unique_ptr<hal::KernelLoader> loader) {
  return std::make_unique<HostMachine>(std::move(loader));
}

std::string TestFolder() {
  const char* folder = std::getenv("THUNKY_TEST_DATA");
  return folder == nullptr ? THUNKY_TEST_FOLDER : folder;
}

std::shared_ptr<const std::string> ReadPtx(const std::string& module) {
  const std::string path = absl::StrCat(TestFolder(), "/kernels/ptx/", module, ".ptx");
  std::ifstream file(path);
  EXPECT_TRUE(file.good()) << "cannot read " << path;
  std::ostringstream text;
  text << file.rdbuf();
  return std::make_shared<const std::string>(text.str());
}

void PrintTo(const MachineFactory& machine, std::ostream* os) { *os << machine.name; }

namespace {

// Uniform in [0, 1) with 24 bits; the standard distributions differ by library.
double Unit(std::mt19937& engine) { return (engine() >> 8) * (1.0 / 16777216.0); }

}  // namespace

std::vector<int32_t> RandomInts(size_t count, uint32_t seed, int32_t low, int32_t high) {
  std::mt19937 engine(seed);
  std::vector<int32_t> values(count);
  const uint64_t range = static_cast<uint64_t>(int64_t{high} - low) + 1;
  for (int32_t& v : values)
    v = static_cast<int32_t>(low + static_cast<int64_t>(engine() % range));
  return values;
}

std::vector<float> RandomFloats(size_t count, uint32_t seed, float low, float high) {
  std::mt19937 engine(seed);
  std::vector<float> values(count);
  for (float& v : values) v = low + (high - low) * static_cast<float>(Unit(engine));
  return values;
}

std::vector<double> RandomDoubles(size_t count, uint32_t seed, double low, double high) {
  std::mt19937 engine(seed);
  std::vector<double> values(count);
  for (double& v : values) v = low + (high - low) * Unit(engine);
  return values;
}

std::vector<uint64_t> RandomWords(size_t count, uint32_t seed) {
  std::mt19937_64 engine(seed);
  std::vector<uint64_t> values(count);
  for (uint64_t& v : values) v = engine();
  return values;
}

}  // namespace thunky::kernel_tests
