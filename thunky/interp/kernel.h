// A kernel that runs by interpretation.
#ifndef THUNKY_INTERP_KERNEL_H_
#define THUNKY_INTERP_KERNEL_H_

#include <memory>

#include "absl/status/statusor.h"
#include "thunky/hal/kernel.h"
#include "thunky/interp/decode.h"
#include "thunky/interp/module_variables.h"
#include "thunky/ptx/ir.h"

namespace thunky::interp {

class InterpretedKernel : public hal::HostKernel {
 public:
  // Resolves and decodes `program`, an entry of the module that `variables` belongs
  // to. Errors of ModuleVariables::Resolve and Decode.
  static absl::StatusOr<std::shared_ptr<const InterpretedKernel>> Create(
      ptx::ir::Program program, std::shared_ptr<ModuleVariables> variables);

  const hal::KernelInfo& info() const override { return info_; }
  absl::Status Launch(const hal::LaunchParams& params) const override;

 private:
  InterpretedKernel() = default;

  hal::KernelInfo info_;
  std::shared_ptr<ModuleVariables> variables_;
  hal::MemoryMap variable_ranges_;
  std::unique_ptr<DecodedProgram> program_;
};

}  // namespace thunky::interp

#endif  // THUNKY_INTERP_KERNEL_H_
