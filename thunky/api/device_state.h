// A device as the interface's handles share it.
#ifndef THUNKY_API_DEVICE_STATE_H_
#define THUNKY_API_DEVICE_STATE_H_

#include <memory>
#include <string>

#include "thunky/api/work_queue.h"
#include "thunky/hal/device.h"

namespace thunky::api {

class DeviceState {
 public:
  explicit DeviceState(std::unique_ptr<hal::Device> device)
      : device_(std::move(device)) {}

  hal::Device& device() { return *device_; }
  WorkQueue& queue() { return queue_; }

 private:
  std::unique_ptr<hal::Device> device_;
  WorkQueue queue_;  // ends before the device does
};

}  // namespace thunky::api

#endif  // THUNKY_API_DEVICE_STATE_H_
