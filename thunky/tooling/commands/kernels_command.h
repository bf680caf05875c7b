// `thunky kernels`: the kernels of a PTX file or an executable.
#ifndef THUNKY_TOOLING_COMMANDS_KERNELS_COMMAND_H_
#define THUNKY_TOOLING_COMMANDS_KERNELS_COMMAND_H_

#include <cstdint>
#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "thunky/tooling/console.h"

namespace thunky::tooling {

struct KernelsCommandOptions {
  std::string file;
  std::vector<std::string> kernels;
  std::string extract;
  bool json = false;
  uint64_t max_decoded_mib = 256;
};

// Adds the subcommand to `app`; parsing fills `options`.
CLI::App* AddKernelsCommand(CLI::App& app, KernelsCommandOptions& options);

ExitCode ListKernels(const KernelsCommandOptions& options, Console& console);

}  // namespace thunky::tooling

#endif  // THUNKY_TOOLING_COMMANDS_KERNELS_COMMAND_H_
