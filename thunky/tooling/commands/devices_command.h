// `thunky devices`: what can run here, and why the others cannot.
#ifndef THUNKY_TOOLING_COMMANDS_DEVICES_COMMAND_H_
#define THUNKY_TOOLING_COMMANDS_DEVICES_COMMAND_H_

#include "CLI/CLI.hpp"
#include "thunky/tooling/console.h"
#include "thunky/tooling/device_catalog.h"

namespace thunky::tooling {

struct DevicesCommandOptions {
  bool json = false;
};

// Adds the subcommand to `app`; parsing fills `options`.
CLI::App* AddDevicesCommand(CLI::App& app, DevicesCommandOptions& options);

ExitCode ListDevices(const DevicesCommandOptions& options, const DeviceCatalog& devices,
                     Console& console);

}  // namespace thunky::tooling

#endif  // THUNKY_TOOLING_COMMANDS_DEVICES_COMMAND_H_
