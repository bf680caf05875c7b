#include "thunky/api/device.h"

#include <map>
#include <mutex>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "thunky/api/device_state.h"
#include "thunky/api/error.h"
#include "thunky/api/handles.h"
#include "thunky/api/status.h"
#include "thunky/base/status_macros.h"
#include "thunky/hal/cuda/cuda_device.h"
#include "thunky/hal/host/host_device.h"
#include "thunky/interp/loader.h"

namespace thunky {
namespace {

// Ends a device's queue with the process: work that nobody waited for must not go on
// while everything else is being destroyed. The device itself is never destroyed, since
// whoever is destroyed later may still use it, and arrays may live on.
class QueueEnd {
 public:
  explicit QueueEnd(api::DeviceState& device) : device_(device) {}
  ~QueueEnd() { device_.queue().Finish(); }
  QueueEnd(const QueueEnd&) = delete;
  QueueEnd& operator=(const QueueEnd&) = delete;

 private:
  api::DeviceState& device_;
};

// The GPUs that somebody asked for, each once. As above, the queues end with the process
// and the devices never.
class Gpus {
 public:
  absl::StatusOr<std::shared_ptr<api::DeviceState>> Get(int index) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto known = states_.find(index);
    if (known != states_.end()) return known->second;
    ASSIGN_OR_RETURN(auto device, hal::MakeCudaDevice(index));
    return states_[index] = std::make_shared<api::DeviceState>(std::move(device));
  }

  void FinishQueues() {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (auto& [index, state] : states_) state->queue().Finish();
  }

 private:
  std::mutex mutex_;
  std::map<int, std::shared_ptr<api::DeviceState>> states_;
};

class GpusEnd {
 public:
  explicit GpusEnd(Gpus& gpus) : gpus_(gpus) {}
  ~GpusEnd() { gpus_.FinishQueues(); }
  GpusEnd(const GpusEnd&) = delete;
  GpusEnd& operator=(const GpusEnd&) = delete;

 private:
  Gpus& gpus_;
};

}  // namespace

Device Device::host() {
  static const auto* host =
      new std::shared_ptr<api::DeviceState>(std::make_shared<api::DeviceState>(
          hal::MakeHostDevice(interp::MakeInterpreterLoader())));
  static const QueueEnd end(**host);
  return Device(*host);
}

Device Device::cuda(int index, const std::source_location& where) {
  const std::string call = absl::StrCat("Device::cuda(", index, "): ");
  if (index < 0) {
    throw Error(ErrorCode::invalid_argument,
                absl::StrCat(call, "expected a number from 0, found ", index), where);
  }
  static auto* gpus = new Gpus;
  static const GpusEnd end(*gpus);
  auto state = gpus->Get(index);
  if (state.ok()) return Device(*std::move(state));
  throw Error(api::CodeOf(state.status()),
              absl::StrCat(call, std::string(state.status().message())), where);
}

std::string Device::name() const { return std::string(state_->device().name()); }

std::string Device::description() const { return state_->device().description(); }

DeviceMemory Device::memory(const std::source_location& where) const {
  const hal::MemoryInfo info = api::ValueOrThrow(state_->device().memory_info(), where);
  return {.free_bytes = info.free_bytes, .total_bytes = info.total_bytes};
}

void Device::wait() const { state_->queue().Wait(); }

}  // namespace thunky
