// The command line program. Everything it does is in thunky/tooling.
#include <unistd.h>

#include <iostream>

#include "absl/status/status.h"
#include "thunky/tooling/command_line.h"
#include "thunky/tooling/console.h"
#include "tools/available_devices.h"

int main(int argc, char** argv) {
  using thunky::tooling::ExitCode;
  thunky::tooling::Console console(std::cout, std::cerr, isatty(STDERR_FILENO) != 0,
                                   isatty(STDOUT_FILENO) != 0);
  ExitCode code =
      thunky::tooling::RunCommandLine(argc, argv, thunky::AvailableDevices(), console);
  std::cout.flush();
  if (!std::cout && code == ExitCode::kDone) {
    code = console.Fail(ExitCode::kFailed,
                        absl::DataLossError("standard output: cannot write"));
  }
  return static_cast<int>(code);
}
