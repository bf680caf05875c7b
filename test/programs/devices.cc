#include "test/programs/devices.h"

#include "thunky/hal/host/host_device.h"
#include "thunky/interp/loader.h"

namespace thunky::program_tests {

const std::vector<DeviceFactory>& AllDevices() {
  static const auto& devices = *new std::vector<DeviceFactory>{
      {.name = "interp",
       .make = [] { return hal::MakeHostDevice(interp::MakeInterpreterLoader()); }},
  };
  return devices;
}

}  // namespace thunky::program_tests
