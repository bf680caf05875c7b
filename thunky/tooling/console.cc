#include "thunky/tooling/console.h"

#include "absl/strings/str_cat.h"

namespace thunky::tooling {

std::string Printable(std::string_view text, bool keep_lines) {
  std::string result;
  result.reserve(text.size());
  for (char c : text) {
    const unsigned char byte = static_cast<unsigned char>(c);
    if ((byte >= 0x20 && byte != 0x7f) || (c == '\n' && keep_lines)) {
      result.push_back(c);
    } else {
      absl::StrAppend(&result, "\\x", absl::Hex(byte, absl::kZeroPad2));
    }
  }
  return result;
}

ExitCode Console::Fail(ExitCode code, const absl::Status& status) {
  ClearProgress();
  const absl::string_view message = status.message();
  err_ << Printable({message.data(), message.size()}, /*keep_lines=*/true) << "\n";
  return code;
}

void Console::Note(std::string_view text) {
  ClearProgress();
  err_ << "note: " << Printable(text) << "\n";
}

void Console::Notes(const std::vector<std::string>& lines) {
  for (const std::string& line : lines) Note(line);
}

void Console::Progress(std::string_view text) {
  if (!terminal_) return;
  ClearProgress();
  err_ << Printable(text) << std::flush;
  progress_shown_ = true;
}

void Console::ClearProgress() {
  // Back to the first column, then erase to the end of the line.
  if (progress_shown_) err_ << "\r\x1b[K" << std::flush;
  progress_shown_ = false;
}

}  // namespace thunky::tooling
