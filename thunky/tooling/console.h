// Where a command's results and errors go, and how it ends.
#ifndef THUNKY_TOOLING_CONSOLE_H_
#define THUNKY_TOOLING_CONSOLE_H_

#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"

namespace thunky::tooling {

// Process exit codes; there are no others.
enum class ExitCode : int {
  kDone = 0,
  kFailed = 1,         // the run failed, timed out, or a check did not hold
  kCouldNotStart = 2,  // usage, file, verification, unsupported, no such device
};

// `text` with control characters as \xNN, so that a name from a file cannot
// drive the terminal. Line feeds stay when `keep_lines`.
std::string Printable(std::string_view text, bool keep_lines = false);

class Console {
 public:
  // The streams must outlive the console. `terminal`: whether a person watches
  // `err`, who is then shown progress. `out_terminal`: whether one reads `out`.
  Console(std::ostream& out, std::ostream& err, bool terminal, bool out_terminal = false)
      : out_(out), err_(err), terminal_(terminal), out_terminal_(out_terminal) {}

  // Results.
  std::ostream& out() { return out_; }
  bool out_terminal() const { return out_terminal_; }
  // What is neither a result nor one of the messages below.
  std::ostream& err() { return err_; }
  // Prints the message of `status` (not ok), one line first and detail after, and
  // returns `code`.
  ExitCode Fail(ExitCode code, const absl::Status& status);
  // One line about something that did not stop the command.
  void Note(std::string_view text);
  // One note a line.
  void Notes(const std::vector<std::string>& lines);
  // Replaces the progress line; nothing unless on a terminal.
  void Progress(std::string_view text);

 private:
  void ClearProgress();

  std::ostream& out_;
  std::ostream& err_;
  bool terminal_;
  bool out_terminal_;
  bool progress_shown_ = false;
};

}  // namespace thunky::tooling

#endif  // THUNKY_TOOLING_CONSOLE_H_
