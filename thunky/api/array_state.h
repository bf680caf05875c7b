// The memory of an array.
#ifndef THUNKY_API_ARRAY_STATE_H_
#define THUNKY_API_ARRAY_STATE_H_

#include <memory>
#include <utility>

#include "thunky/api/device_state.h"
#include "thunky/hal/memory.h"

namespace thunky::api {

class ArrayState {
 public:
  ArrayState(std::shared_ptr<DeviceState> device, std::unique_ptr<hal::Allocation> memory)
      : device_(std::move(device)), memory_(std::move(memory)) {}

  hal::DeviceSpan span() const { return memory_->span(); }

 private:
  std::shared_ptr<DeviceState> device_;  // outlives its memory
  std::unique_ptr<hal::Allocation> memory_;
};

}  // namespace thunky::api

#endif  // THUNKY_API_ARRAY_STATE_H_
