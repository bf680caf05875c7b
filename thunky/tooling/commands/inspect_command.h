// `thunky inspect`: what is in a program.
#ifndef THUNKY_TOOLING_COMMANDS_INSPECT_COMMAND_H_
#define THUNKY_TOOLING_COMMANDS_INSPECT_COMMAND_H_

#include <cstdint>
#include <string>

#include "CLI/CLI.hpp"
#include "thunky/tooling/console.h"

namespace thunky::tooling {

struct InspectCommandOptions {
  std::string file;
  std::string format = "text";
  bool json = false;
  uint64_t max_decoded_mib = 256;
};

// Adds the subcommand to `app`; parsing fills `options`.
CLI::App* AddInspectCommand(CLI::App& app, InspectCommandOptions& options);

ExitCode InspectProgram(const InspectCommandOptions& options, Console& console);

}  // namespace thunky::tooling

#endif  // THUNKY_TOOLING_COMMANDS_INSPECT_COMMAND_H_
