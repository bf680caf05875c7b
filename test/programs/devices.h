// The devices that test programs run on.
#ifndef THUNKY_TEST_PROGRAMS_DEVICES_H_
#define THUNKY_TEST_PROGRAMS_DEVICES_H_

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "thunky/hal/device.h"

namespace thunky::program_tests {

struct DeviceFactory {
  std::string name;  // a word, for test names
  std::function<std::unique_ptr<hal::Device>()> make;
  // Whether the error of a run names its thunk. One that went to the device as a graph
  // does not know it.
  bool errors_name_thunks = true;
};

// Every device and engine of this build.
const std::vector<DeviceFactory>& AllDevices();

}  // namespace thunky::program_tests

#endif  // THUNKY_TEST_PROGRAMS_DEVICES_H_
