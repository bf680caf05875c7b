// `thunky run`: runs a program, checks and saves its results.
#ifndef THUNKY_TOOLING_COMMANDS_RUN_COMMAND_H_
#define THUNKY_TOOLING_COMMANDS_RUN_COMMAND_H_

#include <cstdint>
#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "thunky/tooling/commands/execution_options.h"
#include "thunky/tooling/console.h"
#include "thunky/tooling/device_catalog.h"

namespace thunky::tooling {

struct RunCommandOptions {
  std::string file;
  ExecutionOptions execution;
  std::vector<std::string> inputs;
  std::string fill;  // empty: none
  std::vector<std::string> kernels;
  uint64_t repeat = 1;
  std::string graph = "auto";
  bool new_buffers = false;
  uint64_t max_decoded_mib = 256;
  std::string profile;
  // Understood, so that they can be refused by name.
  uint64_t devices = 1;
  std::vector<std::string> ffi_libraries;
};

// Adds the subcommand to `app`; parsing fills `options`.
CLI::App* AddRunCommand(CLI::App& app, RunCommandOptions& options);

ExitCode RunProgram(const RunCommandOptions& options, const DeviceCatalog& devices,
                    Console& console);

}  // namespace thunky::tooling

#endif  // THUNKY_TOOLING_COMMANDS_RUN_COMMAND_H_
