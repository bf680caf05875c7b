#include "tools/available_devices.h"

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "thunky/hal/host/host_device.h"
#include "thunky/interp/loader.h"

namespace thunky {
namespace {

constexpr char kNoCuda[] = "this build has no CUDA device layer";

std::unique_ptr<hal::Device> MakeHost() {
  return hal::MakeHostDevice(interp::MakeInterpreterLoader());
}

// "x86-64" and the vector extensions that the CPU has.
std::string InstructionSet() {
#if defined(__x86_64__)
  std::string text = "x86-64";
  if (__builtin_cpu_supports("sse4.2")) text += " sse4.2";
  if (__builtin_cpu_supports("avx2")) text += " avx2";
  if (__builtin_cpu_supports("fma")) text += " fma";
  if (__builtin_cpu_supports("avx512f")) text += " avx512f";
  return text;
#elif defined(__aarch64__)
  return "aarch64";
#else
  return "unknown instruction set";
#endif
}

std::string DescribeHost() {
  const std::unique_ptr<hal::Device> host = MakeHost();
  std::string text = absl::StrCat(host->description(), "; ", InstructionSet());
  if (absl::StatusOr<hal::MemoryInfo> memory = host->memory_info(); memory.ok()) {
    absl::StrAppend(&text, "; ", memory->free_bytes >> 20, " MiB free of ",
                    memory->total_bytes >> 20, " MiB");
  }
  return text;
}

// "cuda" or "cuda:N".
bool IsCudaName(std::string_view name) {
  constexpr std::string_view kCuda = "cuda";
  if (name == kCuda) return true;
  if (name.substr(0, kCuda.size() + 1) != "cuda:") return false;
  const std::string_view number = name.substr(kCuda.size() + 1);
  return !number.empty() &&
         number.find_first_not_of("0123456789") == std::string_view::npos;
}

}  // namespace

std::vector<tooling::DeviceStatus> AvailableDevices::List() const {
  return {{"host", true, DescribeHost()}, {"cuda", false, kNoCuda}};
}

absl::StatusOr<std::unique_ptr<hal::Device>> AvailableDevices::Open(
    std::string_view name, std::string_view engine) const {
  if (IsCudaName(name)) {
    return absl::UnimplementedError(
        absl::StrCat("--device ", std::string(name), ": ", kNoCuda));
  }
  if (name != "host") {
    return absl::InvalidArgumentError(
        absl::StrCat("--device: expected host (cuda and cuda:N are known, but ", kNoCuda,
                     "), found '", std::string(name), "'"));
  }
  if (engine == "jit") {
    return absl::UnimplementedError(
        "--kernel-engine jit: this build has no kernel compiler; interp is there");
  }
  if (engine != "interp") {
    return absl::InvalidArgumentError(absl::StrCat(
        "--kernel-engine: expected interp or jit, found '", std::string(engine), "'"));
  }
  return MakeHost();
}

}  // namespace thunky
