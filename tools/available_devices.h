// The devices this build has: the host, with kernels by the interpreter.
#ifndef THUNKY_TOOLS_AVAILABLE_DEVICES_H_
#define THUNKY_TOOLS_AVAILABLE_DEVICES_H_

#include <memory>
#include <string_view>
#include <vector>

#include "thunky/tooling/device_catalog.h"

namespace thunky {

class AvailableDevices : public tooling::DeviceCatalog {
 public:
  std::vector<tooling::DeviceStatus> List() const override;
  absl::StatusOr<std::unique_ptr<hal::Device>> Open(
      std::string_view name, std::string_view engine) const override;
};

}  // namespace thunky

#endif  // THUNKY_TOOLS_AVAILABLE_DEVICES_H_
