// Machines that programs run on.
//
//   const thunky::Device cpu = thunky::Device::host();
#ifndef THUNKY_API_DEVICE_H_
#define THUNKY_API_DEVICE_H_

#include <cstdint>
#include <memory>
#include <source_location>
#include <string>

#include "thunky/api/visibility.h"

namespace thunky {

namespace api {
class DeviceState;
struct Handles;
}  // namespace api

// Bytes of a device's memory.
struct DeviceMemory {
  uint64_t free_bytes = 0;
  uint64_t total_bytes = 0;
};

// A handle; copies are the same device. Thread-safe. Like every handle of this interface,
// one that was moved from may only be assigned to or destroyed.
class THUNKY_API Device {
 public:
  // This computer's processor and memory; kernels are interpreted. There is one host
  // device in a process.
  static Device host();
  // NVIDIA GPU number `index`, from 0; the same device each time. Errors: unimplemented
  // in a build without CUDA's header; not_found without a driver; failed_precondition
  // where there is no such GPU.
  static Device cuda(int index,
                     const std::source_location& where = std::source_location::current());

  // "host", "cuda:0"
  std::string name() const;
  // One line for people: what it is and what runs its kernels.
  std::string description() const;
  // What is there now; other processes take from it too.
  DeviceMemory memory(
      const std::source_location& where = std::source_location::current()) const;

  // Waits until everything that was enqueued before the call is done. Failures are those
  // of the futures: this throws none. Not for `print` functions of a run: they would wait
  // for themselves.
  void wait() const;

  friend bool operator==(const Device& a, const Device& b) = default;

 private:
  friend struct api::Handles;
  explicit Device(std::shared_ptr<api::DeviceState> state) : state_(std::move(state)) {}

  std::shared_ptr<api::DeviceState> state_;
};

}  // namespace thunky

#endif  // THUNKY_API_DEVICE_H_
