// `thunky check`: verifies a program and looks for hazards.
#ifndef THUNKY_TOOLING_COMMANDS_CHECK_COMMAND_H_
#define THUNKY_TOOLING_COMMANDS_CHECK_COMMAND_H_

#include <cstdint>
#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "thunky/tooling/console.h"

namespace thunky::tooling {

struct CheckCommandOptions {
  std::string file;
  std::vector<std::string> kernels;
  bool json = false;
  uint64_t max_decoded_mib = 256;
};

// Adds the subcommand to `app`; parsing fills `options`.
CLI::App* AddCheckCommand(CLI::App& app, CheckCommandOptions& options);

// kDone when there is no hazard, or only such as are warnings; kFailed when one is an
// error; kCouldNotStart when the program cannot be checked.
ExitCode CheckProgram(const CheckCommandOptions& options, Console& console);

}  // namespace thunky::tooling

#endif  // THUNKY_TOOLING_COMMANDS_CHECK_COMMAND_H_
