#include "thunky/runtime/kernel_table.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "thunky/base/status_macros.h"

namespace thunky::runtime {

std::shared_ptr<const std::string> KernelTable::Intern(const std::string& code) {
  const auto it = code_.find(code);
  if (it != code_.end()) return it->second;
  auto held = std::make_shared<const std::string>(code);
  code_.emplace(*held, held);
  return held;
}

absl::Status KernelTable::TakeShared(const std::string& hash, hal::KernelSource& source) {
  const wire::KernelCodeProto* code = shared_ == nullptr ? nullptr : shared_->Find(hash);
  if (code == nullptr) {
    return absl::InvalidArgumentError(
        absl::StrCat("kernel '", source.entry, "' refers to code ",
                     schema::ShortHash(hash), ", which is not in the table"));
  }
  if (!code->ptx().empty()) source.ptx = Intern(code->ptx());
  for (const wire::CubinProto& cubin : code->cubins()) {
    source.cubins.push_back({cubin.architecture(), Intern(cubin.data())});
  }
  return absl::OkStatus();
}

// PTX of the library, where it has this entry.
absl::Status KernelTable::Attach(const KernelUse& use, hal::KernelSource& source) {
  const code::PtxEntry* entry =
      library_ == nullptr ? nullptr : library_->Find(source.entry);
  if (entry == nullptr) return absl::OkStatus();
  RETURN_IF_ERROR(code::CheckFits(*entry, {use.block.x, use.block.y, use.block.z},
                                  use.argument_sizes));
  source.ptx = entry->text;
  source.origin = entry->file;
  attached_.push_back(entry->interface.name);
  return absl::OkStatus();
}

absl::StatusOr<hal::KernelSource> KernelTable::Source(
    const wire::KernelLoaderSpecProto& spec, const KernelUse& use) {
  hal::KernelSource source{
      .entry = spec.kernel_name(), .ptx = nullptr, .cubins = {}, .origin = use.path};
  switch (spec.payload_case()) {
    case wire::KernelLoaderSpecProto::kPtx:
      source.ptx = Intern(spec.ptx().data());
      break;
    case wire::KernelLoaderSpecProto::kCubin:
      source.cubins.push_back({"", Intern(spec.cubin().data())});
      break;
    case wire::KernelLoaderSpecProto::kInProcessSymbol:
      return absl::UnimplementedError(absl::StrCat(
          "kernel '", spec.kernel_name(), "' is the in-process symbol '",
          spec.in_process_symbol().persistent_name(),
          "': its code is inside XLA, not in the file, and this build has no "
          "implementation of it"));
    case wire::KernelLoaderSpecProto::PAYLOAD_NOT_SET:
      if (spec.thunky_code().empty()) {
        return absl::InvalidArgumentError(
            absl::StrCat("kernel '", spec.kernel_name(), "' has no code"));
      }
      RETURN_IF_ERROR(TakeShared(spec.thunky_code(), source));
      break;
  }
  if (source.ptx == nullptr) RETURN_IF_ERROR(Attach(use, source));
  return source;
}

absl::StatusOr<uint32_t> KernelTable::Add(const wire::KernelLoaderSpecProto& spec,
                                          const KernelUse& use) {
  ASSIGN_OR_RETURN(hal::KernelSource source, Source(spec, use));
  std::vector<const void*> code = {source.ptx.get()};
  for (const hal::Cubin& cubin : source.cubins) code.push_back(cubin.code.get());
  auto [it, inserted] = index_.try_emplace({source.entry, std::move(code)},
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
      "xla_dump_to=DIR and xla_dump_emitter_re=.* and pass the folder (--kernels DIR, "
      "in C++ LoadOptions::kernels)\n  ",
      absl::StrJoin(without_ptx, "\n  ")));
}

}  // namespace thunky::runtime
