// A host device that has graphs: it runs plans by replaying them.
#ifndef THUNKY_TEST_PROGRAMS_REPLAYING_DEVICE_H_
#define THUNKY_TEST_PROGRAMS_REPLAYING_DEVICE_H_

#include <memory>

#include "thunky/hal/device.h"

namespace thunky::program_tests {

// In everything else it is `device`.
std::unique_ptr<hal::Device> MakeReplayingDevice(std::unique_ptr<hal::Device> device);

}  // namespace thunky::program_tests

#endif  // THUNKY_TEST_PROGRAMS_REPLAYING_DEVICE_H_
