// The engines that this build can run kernels on. A new engine is tested by adding
// one entry.
#ifndef THUNKY_TEST_KERNELS_MACHINES_H_
#define THUNKY_TEST_KERNELS_MACHINES_H_

#include <vector>

#include "test/kernels/kernel_scenario.h"

namespace thunky::kernel_tests {

const std::vector<MachineFactory>& AllMachines();

}  // namespace thunky::kernel_tests

#endif  // THUNKY_TEST_KERNELS_MACHINES_H_
