// Kernels under test: buffers, launches, and the machines that run them.
//
// A test describes what to run as a Scenario and checks the buffers afterwards; it
// does not know which machine ran it.
#ifndef THUNKY_TEST_KERNELS_KERNEL_SCENARIO_H_
#define THUNKY_TEST_KERNELS_KERNEL_SCENARIO_H_

#include <cstdint>
#include <cstring>
#include <functional>
#include <iosfwd>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "thunky/base/cancellation.h"
#include "thunky/hal/kernel.h"

namespace thunky::kernel_tests {

using Bytes = std::vector<uint8_t>;

template <typename T>
Bytes ToBytes(const std::vector<T>& values) {
  Bytes bytes(values.size() * sizeof(T));
  if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

// The bytes as values of T; a rest shorter than a T is left out.
template <typename T>
std::vector<T> FromBytes(const Bytes& bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  if (!values.empty())
    std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
  return values;
}

// The address of a buffer of the scenario, by its number.
struct BufferAddress {
  size_t buffer = 0;
};
using Argument = std::variant<BufferAddress, Bytes>;

inline Argument Buffer(size_t number) { return BufferAddress{number}; }
template <typename T>
Argument Value(T value) {
  return ToBytes(std::vector<T>{value});
}

struct KernelLaunch {
  std::string module;  // "saxpy": ptx/saxpy.ptx
  std::string entry;
  hal::Dim3 grid;
  hal::Dim3 block;
  uint64_t dynamic_shared_bytes = 0;
  std::vector<Argument> arguments;
};

struct Scenario {
  std::vector<Bytes> buffers;  // their first content
  std::vector<KernelLaunch> launches;
};

struct MachineOptions {
  hal::CheckOptions checks;
  const CancellationToken* cancellation = nullptr;
  uint64_t step_budget = 0;
  std::function<void(std::string_view)> print;
};

inline constexpr hal::CheckOptions kAllChecks = {
    .races = true, .uninitialized = true, .barrier_divergence = true};

// Something that runs kernels.
class Machine {
 public:
  virtual ~Machine() = default;
  // Runs the launches in order and leaves the results in `buffers`, which are as
  // many as the scenario's. The first error ends the run.
  virtual absl::Status Run(const std::vector<KernelLaunch>& launches,
                           std::vector<Bytes>& buffers,
                           const MachineOptions& options) = 0;
  // The load alone.
  virtual absl::Status Load(const hal::KernelSource& source) = 0;
};

struct MachineFactory {
  std::string name;  // a word, for test names
  std::function<std::unique_ptr<Machine>()> make;
  // Whether CheckOptions, cancellation, step budget and error texts work there.
  bool has_checks = true;
};
void PrintTo(const MachineFactory& machine, std::ostream* os);

// A machine that runs a loader's kernels in this process, on the buffers' own
// memory. Kernels may touch the buffers and nothing else.
std::unique_ptr<Machine> MakeHostMachine(std::unique_ptr<hal::KernelLoader> loader);

// The folder test/ of the source tree: $THUNKY_TEST_DATA, or where this was built.
std::string TestFolder();
// The committed PTX of cuda/`module`.cu. The test fails when it cannot be read.
std::shared_ptr<const std::string> ReadPtx(const std::string& module);

// Values that look random and are the same everywhere.
std::vector<int32_t> RandomInts(size_t count, uint32_t seed, int32_t low, int32_t high);
std::vector<float> RandomFloats(size_t count, uint32_t seed, float low, float high);
std::vector<double> RandomDoubles(size_t count, uint32_t seed, double low, double high);
std::vector<uint64_t> RandomWords(size_t count, uint32_t seed);

}  // namespace thunky::kernel_tests

#endif  // THUNKY_TEST_KERNELS_KERNEL_SCENARIO_H_
