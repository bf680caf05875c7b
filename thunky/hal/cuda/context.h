// The context of one GPU, as everything on it shares it.
#ifndef THUNKY_HAL_CUDA_CONTEXT_H_
#define THUNKY_HAL_CUDA_CONTEXT_H_

#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "thunky/hal/cuda/driver_api.h"

namespace thunky::hal::cuda {

// Thread-safe. Streams and events are kept when they are given back, for the next run.
class Context {
 public:
  // The primary context of GPU `index`. FailedPrecondition, with the number of GPUs,
  // where there is no such GPU.
  static absl::StatusOr<std::shared_ptr<Context>> Open(int index);
  ~Context();
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  const DriverApi& api() const { return api_; }
  const std::string& name() const { return name_; }  // "cuda:0"
  CUdevice device() const { return device_; }
  CUcontext handle() const { return context_; }

  // Makes it the calling thread's; every function that calls the driver begins so. When
  // the device is lost, that error: the driver would not answer, or never return.
  absl::Status MakeCurrent();
  // The status of a call of the driver; remembers that the device is lost.
  absl::Status Check(CUresult result, std::string_view what);
  // Gives the device up because of `reason`, unless it is lost already.
  void Lose(const absl::Status& reason);
  // What Check said when the device was lost; ok before.
  absl::Status lost() const;

  absl::StatusOr<CUstream> TakeStream();
  void ReturnStream(CUstream stream);
  absl::StatusOr<CUevent> TakeEvent();
  void ReturnEvent(CUevent event);

 private:
  Context(const DriverApi& api, CUdevice device, CUcontext context, std::string name)
      : api_(api), device_(device), context_(context), name_(std::move(name)) {}

  // One that was given back, else a new one.
  template <typename Handle>
  absl::StatusOr<Handle> TakeKept(std::vector<Handle>& kept,
                                  absl::FunctionRef<CUresult(Handle*)> make,
                                  std::string_view what);

  const DriverApi& api_;
  CUdevice device_;
  CUcontext context_;
  std::string name_;
  mutable std::mutex mutex_;
  absl::Status lost_;
  std::vector<CUstream> streams_;
  std::vector<CUevent> events_;
};

}  // namespace thunky::hal::cuda

#endif  // THUNKY_HAL_CUDA_CONTEXT_H_
