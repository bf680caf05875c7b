#include "thunky/code/ptx_library.h"

#include <algorithm>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "thunky/base/status_macros.h"
#include "thunky/hal/kernel.h"
#include "thunky/ptx/parser.h"

namespace thunky::code {

absl::Status PtxLibrary::Add(std::string file, std::string text) {
  auto module = ptx::ParseModule(text);
  if (!module.ok()) return Annotate(module.status(), file);
  auto interfaces = ptx::ListKernels(*module);
  if (!interfaces.ok()) return Annotate(interfaces.status(), file);
  auto shared = std::make_shared<const std::string>(std::move(text));
  for (ptx::KernelInterface& interface : *interfaces) {
    const std::string name = interface.name;
    auto [it, inserted] = entries_.try_emplace(
        name, PtxEntry{.file = file, .text = shared, .interface = std::move(interface)});
    if (!inserted && *it->second.text != *shared) {
      return absl::InvalidArgumentError(absl::StrCat(file, ": entry '", name,
                                                     "' is also in ", it->second.file,
                                                     ", and the two files differ"));
    }
  }
  return absl::OkStatus();
}

const PtxEntry* PtxLibrary::Find(std::string_view name) const {
  auto it = entries_.find(name);
  return it == entries_.end() ? nullptr : &it->second;
}

std::vector<std::string> PtxLibrary::UnusedFiles(
    absl::Span<const std::string> used) const {
  std::set<std::string> unused;
  for (const auto& [name, entry] : entries_) unused.insert(entry.file);
  for (const std::string& name : used) {
    if (const PtxEntry* entry = Find(name)) unused.erase(entry->file);
  }
  return {unused.begin(), unused.end()};
}

absl::Status CheckFits(const PtxEntry& entry, const std::array<uint64_t, 3>& block,
                       absl::Span<const uint64_t> argument_sizes) {
  hal::KernelInfo info;
  info.entry = entry.interface.name;
  for (const ptx::KernelParameter& parameter : entry.interface.parameters) {
    info.parameters.push_back({.size = parameter.size, .alignment = parameter.alignment});
  }
  info.static_shared_bytes = 0;  // Whether that fits is the device's to say.
  info.required_block = entry.interface.bounds.reqntid;
  info.maximum_block = entry.interface.bounds.maxntid;
  return Annotate(
      hal::CheckKernelLaunch(hal::LaunchLimits(), info, {1, 1, 1},
                             {block[0], block[1], block[2]}, 0, argument_sizes),
      entry.file);
}

}  // namespace thunky::code
