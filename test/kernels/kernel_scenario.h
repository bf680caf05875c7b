// Kernels under test: buffers, launches, and the machines that run them.
//
// A test describes what to run as a Scenario and checks the buffers afterwards.
// It runs on every machine of AllMachines(), so a new engine is tested by adding
// one entry there.
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
#include "gtest/gtest.h"
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

// A machine that runs a loader's kernels in this process, on the buffers' own
// memory. Kernels may touch the buffers and nothing else.
std::unique_ptr<Machine> MakeHostMachine(std::unique_ptr<hal::KernelLoader> loader);

// Every engine of this build.
const std::vector<MachineFactory>& AllMachines();

// The committed PTX of cuda/`module`.cu. The test fails when it cannot be read.
std::shared_ptr<const std::string> ReadPtx(const std::string& module);

// One size, one block shape, one machine.
struct KernelParam {
  MachineFactory machine;
  int n = 0;
  hal::Dim3 block;
  // Blocks along x for n elements; for no elements either none, or one block
  // whose threads have nothing to do, by block shape.
  uint64_t empty_grid = 0;
};

void PrintTo(const MachineFactory& machine, std::ostream* os);
void PrintTo(const KernelParam& param, std::ostream* os);
std::string KernelParamName(const ::testing::TestParamInfo<KernelParam>& info);

// All machines x sizes 0, 1, 31, 33, 1000 x the two shapes.
std::vector<KernelParam> KernelParams(hal::Dim3 first, hal::Dim3 second);

// A test of one kernel against its reference.
class KernelTest : public ::testing::TestWithParam<KernelParam> {
 protected:
  using Check = std::function<void(const std::vector<Bytes>& buffers)>;

  int n() const { return GetParam().n; }
  hal::Dim3 block() const { return GetParam().block; }
  uint64_t threads() const { return GetParam().block.count(); }
  // Blocks for n() elements at `per_block` each.
  uint64_t Blocks(uint64_t per_block) const;

  // Runs the scenario three times in the same buffers, three times in new ones
  // and once with all checks on; `check` sees the buffers after each run.
  void RunAndCheck(const Scenario& scenario, const Check& check);
};

// A test of what a machine says: one machine, no sizes.
class MachineTest : public ::testing::TestWithParam<MachineFactory> {
 protected:
  // Runs the scenario once, in new buffers.
  absl::Status RunOnce(const Scenario& scenario, const MachineOptions& options = {},
                       std::vector<Bytes>* results = nullptr);
};

std::string MachineName(const ::testing::TestParamInfo<MachineFactory>& info);

// Values that look random and are the same everywhere.
std::vector<int32_t> RandomInts(size_t count, uint32_t seed, int32_t low, int32_t high);
std::vector<float> RandomFloats(size_t count, uint32_t seed, float low, float high);
std::vector<double> RandomDoubles(size_t count, uint32_t seed, double low, double high);
std::vector<uint64_t> RandomWords(size_t count, uint32_t seed);

}  // namespace thunky::kernel_tests

// Runs the tests of fixture `name` over all machines, all sizes and two blocks.
#define INSTANTIATE_KERNEL_TEST(name, first, second)                            \
  INSTANTIATE_TEST_SUITE_P(                                                     \
      Kernels, name,                                                            \
      ::testing::ValuesIn(::thunky::kernel_tests::KernelParams(first, second)), \
      ::thunky::kernel_tests::KernelParamName)

#define INSTANTIATE_MACHINE_TEST(name)                                                 \
  INSTANTIATE_TEST_SUITE_P(Kernels, name,                                              \
                           ::testing::ValuesIn(::thunky::kernel_tests::AllMachines()), \
                           ::thunky::kernel_tests::MachineName)

#endif  // THUNKY_TEST_KERNELS_KERNEL_SCENARIO_H_
