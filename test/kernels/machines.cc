// The engines of this build.
#include <memory>
#include <vector>

#include "test/kernels/kernel_scenario.h"
#include "thunky/interp/loader.h"

namespace thunky::kernel_tests {

const std::vector<MachineFactory>& AllMachines() {
  static const auto& machines = *new std::vector<MachineFactory>{
      {.name = "interp", .make = [] { return MakeHostMachine(MakeInterpreterLoader()); }},
  };
  return machines;
}

}  // namespace thunky::kernel_tests
