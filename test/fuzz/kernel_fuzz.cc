// Any text as PTX whose kernels are run: on one block, with a small buffer that
// every pointer-sized argument points to, and few steps.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "thunky/hal/kernel.h"
#include "thunky/hal/memory.h"
#include "thunky/interp/loader.h"
#include "thunky/ptx/parser.h"

namespace {

using thunky::hal::HostKernel;

constexpr size_t kBufferBytes = 4096;
constexpr uint64_t kSteps = 20000;
constexpr size_t kMaxEntries = 4;
constexpr size_t kMaxArgumentBytes = 4096;

std::vector<std::string> EntriesOf(const thunky::ptx::ast::Module& module) {
  std::vector<std::string> entries;
  for (const thunky::ptx::ast::ModuleItem& item : module.items) {
    const auto* function = std::get_if<thunky::ptx::ast::Function>(&item);
    if (function == nullptr || !function->is_entry || !function->body) continue;
    entries.push_back(function->name);
    if (entries.size() == kMaxEntries) break;
  }
  return entries;
}

void Launch(const HostKernel& kernel, bool checked) {
  alignas(256) static std::array<uint8_t, kBufferBytes> buffer;
  buffer.fill(0);
  const uint64_t address = reinterpret_cast<uintptr_t>(buffer.data());
  const thunky::hal::MemoryMap memory(
      {{.begin = address, .end = address + kBufferBytes, .name = "buffer"}});

  thunky::hal::LaunchParams params;
  params.block = {48, 1, 1};
  if (kernel.info().required_block) {
    const auto& block = *kernel.info().required_block;
    params.block = {block[0], block[1], block[2]};
  }
  for (const thunky::hal::KernelParameter& parameter : kernel.info().parameters) {
    if (parameter.size > kMaxArgumentBytes) return;
    std::vector<uint8_t> bytes(parameter.size, 3);
    if (parameter.size == sizeof(address)) {
      std::memcpy(bytes.data(), &address, sizeof(address));
    }
    params.arguments.push_back(std::move(bytes));
  }
  params.dynamic_shared_bytes = 1024;
  params.memory = &memory;
  params.checks = {checked, checked, checked};
  params.step_budget = kSteps;
  params.print = [](std::string_view) {};

  std::vector<uint64_t> sizes;
  sizes.reserve(params.arguments.size());
  for (const auto& argument : params.arguments) sizes.push_back(argument.size());
  if (!thunky::hal::CheckKernelLaunch({}, kernel.info(), params.grid, params.block,
                                      params.dynamic_shared_bytes, sizes)
           .ok()) {
    return;
  }
  (void)kernel.Launch(params);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto text =
      std::make_shared<const std::string>(reinterpret_cast<const char*>(data), size);
  const auto module = thunky::ptx::ParseModule(*text);
  if (!module.ok()) return 0;
  const auto loader = thunky::interp::MakeInterpreterLoader();
  for (const std::string& entry : EntriesOf(*module)) {
    const auto kernel = loader->Load({.entry = entry, .ptx = text, .origin = "fuzz"});
    if (!kernel.ok()) continue;
    Launch(**kernel, /*checked=*/size % 2 == 0);
  }
  return 0;
}
