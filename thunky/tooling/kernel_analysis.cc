#include "thunky/tooling/kernel_analysis.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "thunky/base/status_macros.h"
#include "thunky/ptx/parser.h"

namespace thunky::tooling {

absl::StatusOr<PtxAnalysis> PtxAnalysis::Of(std::string_view text) {
  PtxAnalysis analysis;
  ASSIGN_OR_RETURN(analysis.module_, ptx::ParseModule(text));
  ASSIGN_OR_RETURN(std::vector<ptx::KernelInterface> interfaces,
                   ptx::ListKernels(analysis.module_));
  for (ptx::KernelInterface& interface : interfaces) {
    if (!interface.has_body) continue;  // nothing there that could run
    ASSIGN_OR_RETURN(std::vector<ptx::Diagnostic> diagnostics,
                     ptx::CheckEntry(analysis.module_, interface.name));
    analysis.kernels_.push_back({std::move(interface), std::move(diagnostics)});
  }
  return analysis;
}

std::string PtxAnalysis::version() const {
  return absl::StrCat(module_.version_major, ".", module_.version_minor);
}

std::string PtxAnalysis::target() const { return absl::StrJoin(module_.targets, ", "); }

const KernelAnalysis* PtxAnalysis::Find(std::string_view entry) const {
  for (const KernelAnalysis& kernel : kernels_) {
    if (kernel.interface.name == entry) return &kernel;
  }
  return nullptr;
}

}  // namespace thunky::tooling
