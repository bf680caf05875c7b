// Fixtures of the kernel tests: every kernel on every machine, in several sizes and
// block shapes.
#ifndef THUNKY_TEST_KERNELS_KERNEL_FIXTURE_H_
#define THUNKY_TEST_KERNELS_KERNEL_FIXTURE_H_

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "test/kernels/kernel_scenario.h"
#include "test/kernels/machines.h"
#include "thunky/hal/kernel.h"

namespace thunky::kernel_tests {

// One size, one block shape, one machine.
struct KernelParam {
  MachineFactory machine;
  int n = 0;
  hal::Dim3 block;
  // Blocks along x for n elements; for no elements either none, or one block
  // whose threads have nothing to do, by block shape.
  uint64_t empty_grid = 0;
};

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

#endif  // THUNKY_TEST_KERNELS_KERNEL_FIXTURE_H_
