#include "thunky/hal/cuda/context.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "thunky/base/status_macros.h"
#include "thunky/hal/cuda/cuda_status.h"

namespace thunky::hal::cuda {

absl::StatusOr<std::shared_ptr<Context>> Context::Open(int index) {
  ASSIGN_OR_RETURN(const DriverApi* api, DriverApi::Load());
  const std::string name = absl::StrCat("cuda:", index);
  int count = 0;
  RETURN_IF_ERROR(CudaStatus(*api, api->cuDeviceGetCount(&count), name));
  if (index < 0 || index >= count) {
    return absl::FailedPreconditionError(
        absl::StrCat(name, ": this machine has ", count, " GPUs, counted from 0"));
  }
  CUdevice device = 0;
  RETURN_IF_ERROR(CudaStatus(*api, api->cuDeviceGet(&device, index), name));
  CUcontext context = nullptr;
  RETURN_IF_ERROR(
      CudaStatus(*api, api->cuDevicePrimaryCtxRetain(&context, device), name));
  return std::shared_ptr<Context>(new Context(*api, device, context, name));
}

Context::~Context() {
  // Failures here mean that the device is lost, and its resources with it.
  if (!MakeCurrent().ok()) return;
  for (CUstream stream : streams_) api_.cuStreamDestroy(stream);
  for (CUevent event : events_) api_.cuEventDestroy(event);
  api_.cuDevicePrimaryCtxRelease(device_);
}

absl::Status Context::MakeCurrent() {
  RETURN_IF_ERROR(lost());
  return CudaStatus(api_, api_.cuCtxSetCurrent(context_), name_);
}

absl::Status Context::Check(CUresult result, std::string_view what) {
  if (result == CUDA_SUCCESS) return absl::OkStatus();
  absl::Status status =
      CudaStatus(api_, result, absl::StrCat(name_, ": ", std::string(what)));
  if (IsSticky(result)) Lose(status);
  return status;
}

void Context::Lose(const absl::Status& reason) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (lost_.ok()) lost_ = reason;
}

absl::Status Context::lost() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return lost_;
}

template <typename Handle>
absl::StatusOr<Handle> Context::TakeKept(std::vector<Handle>& kept,
                                         absl::FunctionRef<CUresult(Handle*)> make,
                                         std::string_view what) {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!kept.empty()) {
      Handle handle = kept.back();
      kept.pop_back();
      return handle;
    }
  }
  Handle handle = nullptr;
  RETURN_IF_ERROR(Check(make(&handle), what));
  return handle;
}

absl::StatusOr<CUstream> Context::TakeStream() {
  return TakeKept<CUstream>(
      streams_,
      [this](CUstream* stream) {
        return api_.cuStreamCreate(stream, CU_STREAM_NON_BLOCKING);
      },
      "creating a stream");
}

void Context::ReturnStream(CUstream stream) {
  const std::lock_guard<std::mutex> lock(mutex_);
  streams_.push_back(stream);
}

absl::StatusOr<CUevent> Context::TakeEvent() {
  return TakeKept<CUevent>(
      events_,
      [this](CUevent* event) {
        return api_.cuEventCreate(event, CU_EVENT_DISABLE_TIMING);
      },
      "creating an event");
}

void Context::ReturnEvent(CUevent event) {
  const std::lock_guard<std::mutex> lock(mutex_);
  events_.push_back(event);
}

}  // namespace thunky::hal::cuda
