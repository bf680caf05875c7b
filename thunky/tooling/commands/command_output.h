// What a command makes: into a file, or to whoever reads its output.
#ifndef THUNKY_TOOLING_COMMANDS_COMMAND_OUTPUT_H_
#define THUNKY_TOOLING_COMMANDS_COMMAND_OUTPUT_H_

#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "thunky/tooling/console.h"

namespace thunky::tooling {

// Binary output without a file, on a terminal, is nothing that anybody means.
absl::Status CheckOutput(const std::string& path, bool binary, const Console& console);

// Writes `bytes` to the file `path`; an empty path means standard output.
ExitCode WriteOutput(const std::string& path, std::string_view bytes, Console& console);

}  // namespace thunky::tooling

#endif  // THUNKY_TOOLING_COMMANDS_COMMAND_OUTPUT_H_
