// `thunky export`: a module becomes an executable.
#ifndef THUNKY_TOOLING_COMMANDS_EXPORT_COMMAND_H_
#define THUNKY_TOOLING_COMMANDS_EXPORT_COMMAND_H_

#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "thunky/tooling/console.h"

namespace thunky::tooling {

struct ExportCommandOptions {
  std::string file;
  std::string output;  // empty: standard output
  bool bare = false;
  std::string target;  // "cubin", "ptx", "runtime"; empty: a cubin, else PTX
  std::string gpu;     // "9.0a"; empty: the module's own
  std::vector<std::string> kernels;
};

// Adds the subcommand to `app`; parsing fills `options`.
CLI::App* AddExportCommand(CLI::App& app, ExportCommandOptions& options);

ExitCode ExportProgram(const ExportCommandOptions& options, Console& console);

}  // namespace thunky::tooling

#endif  // THUNKY_TOOLING_COMMANDS_EXPORT_COMMAND_H_
