// What PTX says of a kernel, and whether this build can run it.
#ifndef THUNKY_TOOLING_KERNEL_ANALYSIS_H_
#define THUNKY_TOOLING_KERNEL_ANALYSIS_H_

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "thunky/ptx/ast.h"
#include "thunky/ptx/kernel_interface.h"
#include "thunky/ptx/lower.h"

namespace thunky::tooling {

struct KernelAnalysis {
  ptx::KernelInterface interface;
  // What stands in the way of running it; empty when nothing does.
  std::vector<ptx::Diagnostic> diagnostics;
};

// A parsed PTX module and its entries, but for those that are only declared.
class PtxAnalysis {
 public:
  // Errors are the parser's, without the file's name.
  static absl::StatusOr<PtxAnalysis> Of(std::string_view text);

  // "9.0"
  std::string version() const;
  // "sm_90a"
  std::string target() const;
  const std::vector<KernelAnalysis>& kernels() const { return kernels_; }
  // Null when the module has no such entry.
  const KernelAnalysis* Find(std::string_view entry) const;

 private:
  ptx::ast::Module module_;
  std::vector<KernelAnalysis> kernels_;
};

}  // namespace thunky::tooling

#endif  // THUNKY_TOOLING_KERNEL_ANALYSIS_H_
