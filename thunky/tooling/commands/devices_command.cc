#include "thunky/tooling/commands/devices_command.h"

#include <vector>

#include "absl/strings/str_cat.h"
#include "thunky/tooling/json_text.h"

namespace thunky::tooling {

CLI::App* AddDevicesCommand(CLI::App& app, DevicesCommandOptions& options) {
  CLI::App* devices =
      app.add_subcommand("devices", "List what can run here, and why the others cannot");
  devices->footer("Example:\n  thunky devices");
  devices->add_flag("--json", options.json, "Print the answer as JSON");
  return devices;
}

ExitCode ListDevices(const DevicesCommandOptions& options, const DeviceCatalog& devices,
                     Console& console) {
  const std::vector<DeviceStatus> list = devices.List();
  if (options.json) {
    nlohmann::ordered_json json = {{"schema", kJsonSchema},
                                   {"devices", nlohmann::ordered_json::array()}};
    for (const DeviceStatus& device : list) {
      json["devices"].push_back(
          {{"name", device.name}, {"usable", device.usable}, {"detail", device.detail}});
    }
    console.out() << JsonText(json);
    return ExitCode::kDone;
  }
  for (const DeviceStatus& device : list) {
    console.out() << device.name << ": " << (device.usable ? "" : "not usable: ")
                  << device.detail << "\n";
  }
  return ExitCode::kDone;
}

}  // namespace thunky::tooling
