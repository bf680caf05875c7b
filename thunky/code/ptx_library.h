// PTX files that belong to a program whose own code is only binary: XLA writes
// them beside the executable, and kernels find them by entry name.
#ifndef THUNKY_CODE_PTX_LIBRARY_H_
#define THUNKY_CODE_PTX_LIBRARY_H_

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "thunky/ptx/kernel_interface.h"

namespace thunky::code {

// An entry and the file it stands in.
struct PtxEntry {
  std::string file;
  std::shared_ptr<const std::string> text;  // the whole module
  ptx::KernelInterface interface;
};

// Immutable once filled; then thread-safe.
class PtxLibrary {
 public:
  // Adds a module. InvalidArgument when it does not parse, or when an entry stands
  // in two files whose texts differ (the message names both files). The same text
  // twice counts once. A file without entries is legal.
  absl::Status Add(std::string file, std::string text);

  // The entry called `name`, or null.
  const PtxEntry* Find(std::string_view name) const;
  size_t entry_count() const { return entries_.size(); }

  // Files with entries of which none is in `used`.
  std::vector<std::string> UnusedFiles(absl::Span<const std::string> used) const;

 private:
  std::map<std::string, PtxEntry, std::less<>> entries_;
};

// InvalidArgument naming the file when `entry` cannot be launched with `block`
// and parameters of these sizes (bytes).
absl::Status CheckFits(const PtxEntry& entry, const std::array<uint64_t, 3>& block,
                       absl::Span<const uint64_t> argument_sizes);

}  // namespace thunky::code

#endif  // THUNKY_CODE_PTX_LIBRARY_H_
