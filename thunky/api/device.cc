#include "thunky/api/device.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "thunky/api/device_state.h"
#include "thunky/api/error.h"
#include "thunky/api/handles.h"
#include "thunky/api/status.h"
#include "thunky/hal/host/host_device.h"
#include "thunky/interp/loader.h"

namespace thunky {
namespace {

// The one host device. Its queue ends with the process: work that nobody waited for must
// not go on while everything else is being destroyed. Arrays may live on.
class TheHost {
 public:
  TheHost()
      : state_(std::make_shared<api::DeviceState>(
            hal::MakeHostDevice(interp::MakeInterpreterLoader()))) {}
  ~TheHost() { state_->queue().Finish(); }

  const std::shared_ptr<api::DeviceState>& state() const { return state_; }

 private:
  std::shared_ptr<api::DeviceState> state_;
};

}  // namespace

Device Device::host() {
  static const TheHost host;
  return Device(host.state());
}

Device Device::cuda(int index, const std::source_location& where) {
  const std::string call = absl::StrCat("Device::cuda(", index, "): ");
  if (index < 0) {
    throw Error(ErrorCode::invalid_argument,
                absl::StrCat(call, "expected a number from 0, found ", index), where);
  }
  throw Error(ErrorCode::unimplemented,
              absl::StrCat(call, "this build has no CUDA device layer"), where);
}

std::string Device::name() const { return std::string(state_->device().name()); }

std::string Device::description() const { return state_->device().description(); }

DeviceMemory Device::memory(const std::source_location& where) const {
  const hal::MemoryInfo info = api::ValueOrThrow(state_->device().memory_info(), where);
  return {.free_bytes = info.free_bytes, .total_bytes = info.total_bytes};
}

void Device::wait() const { state_->queue().Wait(); }

}  // namespace thunky
