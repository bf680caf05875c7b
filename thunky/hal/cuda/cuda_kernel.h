// Kernels of a GPU, and the modules that they come from.
#ifndef THUNKY_HAL_CUDA_CUDA_KERNEL_H_
#define THUNKY_HAL_CUDA_CUDA_KERNEL_H_

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "thunky/hal/cuda/context.h"
#include "thunky/hal/kernel.h"

namespace thunky::hal::cuda {

// A loaded module; unloaded with the last kernel that uses it.
struct Module {
  std::shared_ptr<Context> context;
  CUmodule handle = nullptr;
  std::shared_ptr<const std::string> code;

  Module(std::shared_ptr<Context> context, CUmodule handle,
         std::shared_ptr<const std::string> code)
      : context(std::move(context)), handle(handle), code(std::move(code)) {}
  ~Module();
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;
};

class CudaKernel : public Kernel {
 public:
  CudaKernel(std::shared_ptr<const Module> module, CUfunction function, KernelInfo info)
      : module_(std::move(module)), function_(function), info_(std::move(info)) {}

  const KernelInfo& info() const override { return info_; }
  CUfunction function() const { return function_; }
  const Context& context() const { return *module_->context; }

 private:
  std::shared_ptr<const Module> module_;
  CUfunction function_;
  KernelInfo info_;
};

// Loads kernels. Thread-safe; equal code objects are loaded once while something uses
// them.
class KernelCache {
 public:
  // `capability` is "90" for compute capability 9.0.
  KernelCache(std::shared_ptr<Context> context, std::string capability,
              uint64_t max_shared_bytes)
      : context_(std::move(context)),
        capability_(std::move(capability)),
        max_shared_bytes_(max_shared_bytes) {}

  // A cubin that fits the GPU, else PTX. Errors name the entry and where its code is
  // from: NotFound for code without the entry, FailedPrecondition when there is neither,
  // and the driver's log for code that it refuses.
  absl::StatusOr<std::shared_ptr<const Kernel>> Load(const KernelSource& source);

 private:
  absl::StatusOr<std::shared_ptr<const Module>> LoadModule(
      const std::shared_ptr<const std::string>& code, bool is_ptx,
      const std::string& where);
  std::shared_ptr<const std::string> CubinFor(const KernelSource& source) const;
  absl::StatusOr<KernelInfo> InfoOf(CUfunction function, const std::string& entry,
                                    const std::string& where);

  std::shared_ptr<Context> context_;
  const std::string capability_;
  const uint64_t max_shared_bytes_;
  std::mutex mutex_;
  std::map<const std::string*, std::weak_ptr<const Module>> modules_;
};

}  // namespace thunky::hal::cuda

#endif  // THUNKY_HAL_CUDA_CUDA_KERNEL_H_
