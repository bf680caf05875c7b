#include "thunky/tooling/commands/command_output.h"

#include "thunky/tooling/files.h"

namespace thunky::tooling {

absl::Status CheckOutput(const std::string& path, bool binary, const Console& console) {
  if (!path.empty() || !binary || !console.out_terminal()) return absl::OkStatus();
  return absl::InvalidArgumentError(
      "-o: expected a file for binary output, found a terminal");
}

ExitCode WriteOutput(const std::string& path, std::string_view bytes, Console& console) {
  if (path.empty()) {
    console.out() << bytes;
    return ExitCode::kDone;
  }
  const absl::Status status =
      WriteFile(path, {reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()});
  return status.ok() ? ExitCode::kDone : console.Fail(ExitCode::kFailed, status);
}

}  // namespace thunky::tooling
