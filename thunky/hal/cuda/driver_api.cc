#include "thunky/hal/cuda/driver_api.h"

#include <dlfcn.h>

#include <string>

#include "absl/strings/str_cat.h"
#include "thunky/base/status_macros.h"

namespace thunky::hal::cuda {
namespace {

constexpr char kLibrary[] = "libcuda.so.1";

template <typename Function>
absl::Status Find(void* handle, const char* name, Function*& function) {
  // dlsym answers with an object pointer; POSIX says that it can be a function's.
  function = reinterpret_cast<Function*>(dlsym(handle, name));
  if (function != nullptr) return absl::OkStatus();
  return absl::FailedPreconditionError(
      absl::StrCat(kLibrary, " has no ", name, ": a newer driver is needed"));
}

// Spells a function as its symbol, after the header's macros made it that.
#define THUNKY_CUDA_SYMBOL_(name) #name
#define THUNKY_CUDA_SYMBOL(name) THUNKY_CUDA_SYMBOL_(name)

absl::StatusOr<const DriverApi*> LoadOnce() {
  void* handle = dlopen(kLibrary, RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    const char* reason = dlerror();
    return absl::NotFoundError(
        absl::StrCat("there is no CUDA driver: ", reason != nullptr ? reason : kLibrary));
  }
  static DriverApi api;
#define THUNKY_CUDA_FIND(name) \
  RETURN_IF_ERROR(Find(handle, THUNKY_CUDA_SYMBOL(name), api.name));
  THUNKY_CUDA_FUNCTIONS(THUNKY_CUDA_FIND)
#undef THUNKY_CUDA_FIND
  if (const CUresult result = api.cuInit(0); result != CUDA_SUCCESS) {
    const char* text = nullptr;
    api.cuGetErrorString(result, &text);
    return absl::FailedPreconditionError(absl::StrCat(
        "the CUDA driver does not start: ", text != nullptr ? text : "unknown error",
        " (", static_cast<int>(result), ")"));
  }
  return &api;
}

}  // namespace

absl::StatusOr<const DriverApi*> DriverApi::Load() {
  static const absl::StatusOr<const DriverApi*> loaded = LoadOnce();
  return loaded;
}

}  // namespace thunky::hal::cuda
