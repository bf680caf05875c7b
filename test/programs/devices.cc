#include "test/programs/devices.h"

#include "test/programs/replaying_device.h"
#include "thunky/hal/host/host_device.h"
#include "thunky/interp/loader.h"

namespace thunky::program_tests {

const std::vector<DeviceFactory>& AllDevices() {
  static const auto& devices = *new std::vector<DeviceFactory>{
      {.name = "interp",
       .make = [] { return hal::MakeHostDevice(interp::MakeInterpreterLoader()); }},
      {.name = "replayed",
       .make =
           [] {
             return MakeReplayingDevice(
                 hal::MakeHostDevice(interp::MakeInterpreterLoader()));
           },
       .errors_name_thunks = false},
  };
  return devices;
}

}  // namespace thunky::program_tests
