#include "thunky/hal/cuda/cuda_kernel.h"

#include <array>
#include <vector>

#include "absl/strings/str_cat.h"
#include "thunky/base/status_macros.h"

namespace thunky::hal::cuda {
namespace {

// Of the driver's messages about code, so much is kept.
constexpr size_t kLogBytes = 8192;

// "sm_90a" for a GPU of capability 90: the same number, or an older minor one of the same
// major; with a letter, the same number only.
bool Fits(const std::string& architecture, const std::string& capability) {
  if (architecture.rfind("sm_", 0) != 0) return false;
  std::string number = architecture.substr(3);
  const bool specific = !number.empty() && (number.back() == 'a' || number.back() == 'f');
  if (specific) number.pop_back();
  if (number == capability) return true;
  if (specific || number.size() != capability.size()) return false;
  return number.compare(0, number.size() - 1, capability, 0, capability.size() - 1) ==
             0 &&
         number.back() < capability.back();
}

}  // namespace

Module::~Module() {
  if (context->MakeCurrent().ok()) context->api().cuModuleUnload(handle);
}

std::shared_ptr<const std::string> KernelCache::CubinFor(
    const KernelSource& source) const {
  for (const Cubin& cubin : source.cubins) {
    // Code that does not say what it is for: the driver knows.
    if (cubin.architecture.empty() || Fits(cubin.architecture, capability_)) {
      return cubin.code;
    }
  }
  return nullptr;
}

absl::StatusOr<std::shared_ptr<const Module>> KernelCache::LoadModule(
    const std::shared_ptr<const std::string>& code, bool is_ptx,
    const std::string& where) {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::weak_ptr<const Module>& known = modules_[code.get()];
  if (std::shared_ptr<const Module> module = known.lock()) return module;
  std::array<char, kLogBytes> log{};
  std::array<CUjit_option, 2> options = {CU_JIT_ERROR_LOG_BUFFER,
                                         CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  std::array<void*, 2> values = {log.data(), reinterpret_cast<void*>(kLogBytes)};
  CUmodule handle = nullptr;
  // Strings of C++ end with a zero byte, as PTX must.
  const CUresult result = context_->api().cuModuleLoadDataEx(
      &handle, code->c_str(), options.size(), options.data(), values.data());
  absl::Status status = context_->Check(
      result, absl::StrCat("loading the ", is_ptx ? "PTX" : "cubin", " of ", where));
  if (!status.ok()) {
    log.back() = '\0';
    if (log[0] == '\0') return status;
    return absl::Status(status.code(),
                        absl::StrCat(std::string(status.message()), "\n", log.data()));
  }
  auto module = std::make_shared<const Module>(context_, handle, code);
  known = module;
  return module;
}

absl::StatusOr<KernelInfo> KernelCache::InfoOf(CUfunction function,
                                               const std::string& entry,
                                               const std::string& where) {
  const DriverApi& api = context_->api();
  KernelInfo info;
  info.entry = entry;
  for (size_t i = 0;; ++i) {
    size_t offset = 0;
    size_t size = 0;
    const CUresult result = api.cuFuncGetParamInfo(function, i, &offset, &size);
    // How the driver says that there is no such parameter.
    if (result == CUDA_ERROR_INVALID_VALUE) break;
    RETURN_IF_ERROR(
        context_->Check(result, absl::StrCat("looking at the parameters of ", where)));
    info.parameters.push_back({.size = size});
  }
  int shared = 0;
  RETURN_IF_ERROR(context_->Check(
      api.cuFuncGetAttribute(&shared, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, function),
      absl::StrCat("looking at ", where)));
  info.static_shared_bytes = static_cast<uint64_t>(shared);
  // More than 48 KiB must be asked for; what the GPU has is what a kernel may take.
  if (max_shared_bytes_ > info.static_shared_bytes) {
    RETURN_IF_ERROR(context_->Check(
        api.cuFuncSetAttribute(
            function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
            static_cast<int>(max_shared_bytes_ - info.static_shared_bytes)),
        absl::StrCat("making room for shared memory of ", where)));
  }
  return info;
}

absl::StatusOr<std::shared_ptr<const Kernel>> KernelCache::Load(
    const KernelSource& source) {
  const std::string where =
      absl::StrCat("kernel '", source.entry, "'",
                   source.origin.empty() ? "" : absl::StrCat(" of ", source.origin));
  RETURN_IF_ERROR(context_->lost());
  RETURN_IF_ERROR(context_->MakeCurrent());
  std::shared_ptr<const std::string> code = CubinFor(source);
  const bool is_ptx = code == nullptr;
  if (is_ptx) code = source.ptx;
  if (code == nullptr) {
    std::string found;
    for (const Cubin& cubin : source.cubins) {
      absl::StrAppend(&found, found.empty() ? "" : ", ", cubin.architecture);
    }
    return absl::FailedPreconditionError(absl::StrCat(
        context_->name(), ": ", where, " has no PTX, and no cubin for sm_", capability_,
        found.empty() ? "" : absl::StrCat("; it has one for ", found)));
  }
  ASSIGN_OR_RETURN(std::shared_ptr<const Module> module, LoadModule(code, is_ptx, where));
  CUfunction function = nullptr;
  RETURN_IF_ERROR(context_->Check(context_->api().cuModuleGetFunction(
                                      &function, module->handle, source.entry.c_str()),
                                  absl::StrCat("looking for ", where)));
  ASSIGN_OR_RETURN(KernelInfo info, InfoOf(function, source.entry, where));
  return std::make_shared<const CudaKernel>(std::move(module), function, std::move(info));
}

}  // namespace thunky::hal::cuda
