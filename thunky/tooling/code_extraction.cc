#include "thunky/tooling/code_extraction.h"

#include <cctype>
#include <filesystem>
#include <set>
#include <system_error>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "thunky/base/status_macros.h"
#include "thunky/tooling/files.h"

namespace thunky::tooling {

std::string SafeFileName(std::string_view entry) {
  constexpr size_t kLongest = 100;
  std::string name;
  for (char c : entry.substr(0, kLongest)) {
    const unsigned char byte = static_cast<unsigned char>(c);
    const bool stays = byte < 0x80 && (std::isalnum(byte) || c == '_' || c == '-' ||
                                       (c == '.' && !name.empty()));
    name.push_back(stays ? c : '_');
  }
  return name.empty() ? "kernel" : name;
}

absl::StatusOr<std::vector<std::string>> ExtractCode(const std::string& folder,
                                                     absl::Span<const CodeBlob> blobs) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) {
    return absl::UnavailableError(
        absl::StrCat(folder, ": cannot create the folder: ", error.message()));
  }
  std::vector<std::string> paths;
  std::set<std::pair<std::string_view, std::string_view>> written;  // extension, bytes
  std::set<std::string> taken;  // in lower case: some file systems know no other
  for (const CodeBlob& blob : blobs) {
    if (!written.emplace(blob.extension, blob.bytes).second) continue;
    const std::string stem = SafeFileName(blob.entry);
    std::string name = absl::StrCat(stem, std::string(blob.extension));
    for (int i = 2; !taken.insert(absl::AsciiStrToLower(name)).second; ++i) {
      name = absl::StrCat(stem, "_", i, std::string(blob.extension));
    }
    paths.push_back((std::filesystem::path(folder) / name).string());
    RETURN_IF_ERROR(WriteFile(
        paths.back(),
        {reinterpret_cast<const uint8_t*>(blob.bytes.data()), blob.bytes.size()}));
  }
  return paths;
}

}  // namespace thunky::tooling
