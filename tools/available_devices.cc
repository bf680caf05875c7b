#include "tools/available_devices.h"

#include <charconv>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "thunky/base/status_macros.h"
#include "thunky/hal/cuda/cuda_device.h"
#include "thunky/hal/host/host_device.h"
#include "thunky/interp/loader.h"

namespace thunky {
namespace {

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

// The number in "cuda" (0) or "cuda:N"; nothing for other names.
std::optional<int> CudaNumber(std::string_view name) {
  constexpr std::string_view kCuda = "cuda";
  if (name == kCuda) return 0;
  if (name.substr(0, kCuda.size() + 1) != "cuda:") return std::nullopt;
  const std::string_view number = name.substr(kCuda.size() + 1);
  int value = 0;
  const auto [end, error] =
      std::from_chars(number.data(), number.data() + number.size(), value);
  if (error != std::errc() || end != number.data() + number.size() || value < 0) {
    return std::nullopt;
  }
  return value;
}

// One line for each GPU, or one that says why there is none.
void ListGpus(std::vector<tooling::DeviceStatus>& list) {
  const absl::StatusOr<int> count = hal::CountCudaDevices();
  if (!count.ok() || *count == 0) {
    list.push_back(
        {"cuda", false,
         count.ok() ? "the driver finds no GPU" : std::string(count.status().message())});
    return;
  }
  for (int i = 0; i < *count; ++i) {
    const auto device = hal::MakeCudaDevice(i);
    const std::string name = absl::StrCat("cuda:", i);
    if (device.ok()) {
      list.push_back({name, true, (*device)->description()});
    } else {
      list.push_back({name, false, std::string(device.status().message())});
    }
  }
}

}  // namespace

std::vector<tooling::DeviceStatus> AvailableDevices::List() const {
  std::vector<tooling::DeviceStatus> list = {{"host", true, DescribeHost()}};
  ListGpus(list);
  return list;
}

absl::StatusOr<std::unique_ptr<hal::Device>> AvailableDevices::Open(
    std::string_view name, std::string_view engine) const {
  if (const std::optional<int> number = CudaNumber(name)) {
    auto device = hal::MakeCudaDevice(*number);
    if (device.ok()) return device;
    return Annotate(device.status(), absl::StrCat("--device ", std::string(name)));
  }
  if (name != "host") {
    return absl::InvalidArgumentError(absl::StrCat(
        "--device: expected host, cuda or cuda:N, found '", std::string(name), "'"));
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
