#include "thunky/runtime/kernel_table.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "thunky/base/status_macros.h"

namespace thunky::runtime {

std::shared_ptr<const std::string> KernelTable::Intern(const std::string& code) {
  auto it = code_.find(code);
  if (it == code_.end()) {
    it = code_.emplace(code, std::make_shared<const std::string>(code)).first;
  }
  return it->second;
}

absl::StatusOr<hal::KernelSource> KernelTable::Source(
    const wire::KernelLoaderSpecProto& spec, const KernelUse& use) {
  hal::KernelSource source{
      .entry = spec.kernel_name(), .ptx = nullptr, .cubin = nullptr, .origin = use.path};
  switch (spec.payload_case()) {
    case wire::KernelLoaderSpecProto::kPtx:
      source.ptx = Intern(spec.ptx().data());
      return source;
    case wire::KernelLoaderSpecProto::kCubin:
      source.cubin = Intern(spec.cubin().data());
      break;
    case wire::KernelLoaderSpecProto::kInProcessSymbol:
      return absl::UnimplementedError(absl::StrCat(
          "kernel '", spec.kernel_name(), "' is the in-process symbol '",
          spec.in_process_symbol().persistent_name(),
          "': its code is inside XLA, not in the file, and this build has no "
          "implementation of it"));
    case wire::KernelLoaderSpecProto::PAYLOAD_NOT_SET:
      return absl::InvalidArgumentError(
          absl::StrCat("kernel '", spec.kernel_name(), "' has no code"));
  }
  const code::PtxEntry* entry =
      library_ == nullptr ? nullptr : library_->Find(spec.kernel_name());
  if (entry == nullptr) return source;
  RETURN_IF_ERROR(code::CheckFits(*entry, {use.block.x, use.block.y, use.block.z},
                                  use.argument_sizes));
  source.ptx = entry->text;
  source.origin = entry->file;
  attached_.push_back(entry->interface.name);
  return source;
}

absl::StatusOr<uint32_t> KernelTable::Add(const wire::KernelLoaderSpecProto& spec,
                                          const KernelUse& use) {
  ASSIGN_OR_RETURN(hal::KernelSource source, Source(spec, use));
  auto [it, inserted] =
      index_.try_emplace({source.entry, source.ptx.get(), source.cubin.get()},
                         static_cast<uint32_t>(slots_.size()));
  if (inserted) slots_.push_back({.source = std::move(source), .first_user = use.path});
  return it->second;
}

absl::StatusOr<LoadedKernels> KernelTable::Load(hal::Device& device) const {
  LoadedKernels kernels;
  std::vector<std::string> without_ptx;
  for (const KernelSlot& slot : slots_) {
    if (device.needs_ptx() && slot.source.ptx == nullptr) {
      without_ptx.push_back(
          absl::StrCat("kernel '", slot.source.entry, "' of ", slot.first_user));
      continue;
    }
    auto kernel = device.LoadKernel(slot.source);
    if (!kernel.ok()) return Annotate(kernel.status(), slot.first_user);
    kernels.push_back(*std::move(kernel));
  }
  if (without_ptx.empty()) return kernels;
  return absl::FailedPreconditionError(absl::StrCat(
      without_ptx.size(), without_ptx.size() == 1 ? " kernel has" : " kernels have",
      " binary code only and this device needs PTX: compile the program with "
      "xla_dump_to=DIR and xla_dump_emitter_re=.* and pass the folder (--kernels DIR)\n "
      " ",
      absl::StrJoin(without_ptx, "\n  ")));
}

}  // namespace thunky::runtime
