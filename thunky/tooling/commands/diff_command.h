// `thunky diff`: what differs between two programs.
#ifndef THUNKY_TOOLING_COMMANDS_DIFF_COMMAND_H_
#define THUNKY_TOOLING_COMMANDS_DIFF_COMMAND_H_

#include <cstdint>
#include <string>

#include "CLI/CLI.hpp"
#include "thunky/tooling/console.h"

namespace thunky::tooling {

struct DiffCommandOptions {
  std::string a;
  std::string b;
  bool json = false;
  uint64_t max_decoded_mib = 256;
};

// Adds the subcommand to `app`; parsing fills `options`.
CLI::App* AddDiffCommand(CLI::App& app, DiffCommandOptions& options);

// kDone when the programs are equal, kFailed when they differ.
ExitCode ShowDifferences(const DiffCommandOptions& options, Console& console);

}  // namespace thunky::tooling

#endif  // THUNKY_TOOLING_COMMANDS_DIFF_COMMAND_H_
