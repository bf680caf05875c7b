// `thunky import`: an executable becomes a module.
#ifndef THUNKY_TOOLING_COMMANDS_IMPORT_COMMAND_H_
#define THUNKY_TOOLING_COMMANDS_IMPORT_COMMAND_H_

#include <cstdint>
#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "thunky/tooling/console.h"

namespace thunky::tooling {

struct ImportCommandOptions {
  std::string file;
  std::string output;  // empty: standard output
  std::vector<std::string> kernels;
  bool elide = false;
  bool no_elide = false;
  bool bytecode = false;
  uint64_t max_decoded_mib = 256;
};

// Adds the subcommand to `app`; parsing fills `options`.
CLI::App* AddImportCommand(CLI::App& app, ImportCommandOptions& options);

ExitCode ImportProgram(const ImportCommandOptions& options, Console& console);

}  // namespace thunky::tooling

#endif  // THUNKY_TOOLING_COMMANDS_IMPORT_COMMAND_H_
