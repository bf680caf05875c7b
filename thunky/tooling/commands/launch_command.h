// `thunky launch`: one kernel from the shell.
#ifndef THUNKY_TOOLING_COMMANDS_LAUNCH_COMMAND_H_
#define THUNKY_TOOLING_COMMANDS_LAUNCH_COMMAND_H_

#include <cstdint>
#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "thunky/tooling/commands/execution_options.h"
#include "thunky/tooling/console.h"
#include "thunky/tooling/device_catalog.h"

namespace thunky::tooling {

struct LaunchCommandOptions {
  std::string file;
  std::string entry;
  ExecutionOptions execution;
  std::string grid = "1";
  std::string block = "1";
  uint64_t shared_bytes = 0;
  std::vector<std::string> arguments;
};

// Adds the subcommand to `app`; parsing fills `options`.
CLI::App* AddLaunchCommand(CLI::App& app, LaunchCommandOptions& options);

ExitCode LaunchKernel(const LaunchCommandOptions& options, const DeviceCatalog& devices,
                      Console& console);

}  // namespace thunky::tooling

#endif  // THUNKY_TOOLING_COMMANDS_LAUNCH_COMMAND_H_
