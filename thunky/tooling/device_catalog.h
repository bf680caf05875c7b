// The devices that a program's build has. Implemented where back ends are
// chosen, in the program itself; commands know only this interface.
#ifndef THUNKY_TOOLING_DEVICE_CATALOG_H_
#define THUNKY_TOOLING_DEVICE_CATALOG_H_

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "thunky/hal/device.h"

namespace thunky::tooling {

struct DeviceStatus {
  std::string name;  // "host", "cuda"
  bool usable = false;
  std::string detail;  // what it is, or why it cannot be used
};

class DeviceCatalog {
 public:
  virtual ~DeviceCatalog() = default;

  // Every device kind, usable or not.
  virtual std::vector<DeviceStatus> List() const = 0;
  // The device called `name` ("host", "cuda", "cuda:1") with kernels by `engine`
  // ("interp", "jit"). InvalidArgument for a name that is none, listing those
  // that are; Unimplemented for what this build does not have. Never another
  // device than the one that was asked for.
  virtual absl::StatusOr<std::unique_ptr<hal::Device>> Open(
      std::string_view name, std::string_view engine) const = 0;
};

}  // namespace thunky::tooling

#endif  // THUNKY_TOOLING_DEVICE_CATALOG_H_
