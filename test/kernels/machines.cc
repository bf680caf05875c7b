#include "test/kernels/machines.h"

#include <vector>

#include "thunky/interp/loader.h"

namespace thunky::kernel_tests {

const std::vector<MachineFactory>& AllMachines() {
  static const auto& machines = *new std::vector<MachineFactory>{
      {.name = "interp",
       .make = [] { return MakeHostMachine(interp::MakeInterpreterLoader()); }},
  };
  return machines;
}

}  // namespace thunky::kernel_tests
