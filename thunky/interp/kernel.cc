#include "thunky/interp/kernel.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <optional>

#include "absl/strings/str_cat.h"
#include "thunky/base/status_macros.h"
#include "thunky/interp/block.h"
#include "thunky/interp/checks.h"
#include "thunky/interp/launch_state.h"

namespace thunky::interp {
namespace {

using ptx::ir::Space;

constexpr uint64_t kWindowAlignment = 256;

uint64_t Align(uint64_t value, uint64_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

// Where dynamic shared memory starts.
uint64_t DynamicShared(const ptx::ir::Program& program) {
  uint64_t alignment = 16;
  for (const auto& symbol : program.symbols) {
    if (symbol.dynamic_shared) alignment = std::max(alignment, symbol.alignment);
  }
  return Align(program.static_shared_bytes, alignment);
}

hal::KernelInfo InfoOf(const ptx::ir::Program& program) {
  hal::KernelInfo info;
  info.entry = program.entry;
  for (const auto& p : program.functions.front().parameters) {
    info.parameters.push_back({p.size, p.alignment});
  }
  info.static_shared_bytes = program.static_shared_bytes;
  info.required_block = program.bounds.reqntid;
  info.maximum_block = program.bounds.maxntid;
  return info;
}

hal::MemoryMap RangesOf(const ptx::ir::Program& program, const SymbolTable& table) {
  std::vector<hal::MemoryRange> ranges;
  for (size_t i = 0; i < program.symbols.size(); ++i) {
    const auto& symbol = program.symbols[i];
    if (symbol.space != Space::kGlobal && symbol.space != Space::kConst) continue;
    if (symbol.size == 0) continue;
    ranges.push_back({table.address[i], table.address[i] + symbol.size,
                      symbol.space == Space::kGlobal,
                      absl::StrCat("variable ", symbol.name)});
  }
  return hal::MemoryMap(std::move(ranges));
}

// Zeroed memory that costs nothing until it is touched.
class Window {
 public:
  explicit Window(uint64_t bytes)
      : raw_(static_cast<char*>(std::calloc(bytes + kWindowAlignment, 1))) {}
  ~Window() { std::free(raw_); }
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;
  // Null when there was not enough memory.
  char* data() const {
    if (raw_ == nullptr) return nullptr;
    return reinterpret_cast<char*>(
        Align(reinterpret_cast<uint64_t>(raw_), kWindowAlignment));
  }

 private:
  char* raw_;
};

void FillSpecial(LaunchState& state, LaunchSpecial which, uint32_t value) {
  uint32_t* lanes = reinterpret_cast<uint32_t*>(
      state.specials.data() + static_cast<uint32_t>(which) * kSpecialBytes);
  std::fill_n(lanes, kLanes, value);
}

void FillSpecials(LaunchState& state, const hal::LaunchParams& params) {
  state.specials.resize(static_cast<size_t>(LaunchSpecial::kCount) * kSpecialBytes);
  const auto fill = [&](LaunchSpecial which, uint64_t value) {
    FillSpecial(state, which, static_cast<uint32_t>(value));
  };
  fill(LaunchSpecial::kOne, 1);
  fill(LaunchSpecial::kNtidX, params.block.x);
  fill(LaunchSpecial::kNtidY, params.block.y);
  fill(LaunchSpecial::kNtidZ, params.block.z);
  fill(LaunchSpecial::kNctaidX, params.grid.x);
  fill(LaunchSpecial::kNctaidY, params.grid.y);
  fill(LaunchSpecial::kNctaidZ, params.grid.z);
  fill(LaunchSpecial::kNwarpid, state.warps);
  fill(LaunchSpecial::kGridid, 1);
  fill(LaunchSpecial::kDynamicShared, params.dynamic_shared_bytes);
  fill(LaunchSpecial::kTotalShared, state.shared_bytes);
}

absl::Status RunBlocks(LaunchState& state, const hal::Dim3& grid) {
  Block block(&state);
  for (uint64_t z = 0; z < grid.z; ++z) {
    FillSpecial(state, LaunchSpecial::kCtaidZ, static_cast<uint32_t>(z));
    for (uint64_t y = 0; y < grid.y; ++y) {
      FillSpecial(state, LaunchSpecial::kCtaidY, static_cast<uint32_t>(y));
      for (uint64_t x = 0; x < grid.x; ++x) {
        FillSpecial(state, LaunchSpecial::kCtaidX, static_cast<uint32_t>(x));
        state.block_id = {static_cast<uint32_t>(x), static_cast<uint32_t>(y),
                          static_cast<uint32_t>(z)};
        if (!block.Run()) return state.status;
      }
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::shared_ptr<const InterpretedKernel>> InterpretedKernel::Create(
    ptx::ir::Program program, std::shared_ptr<ModuleVariables> variables) {
  std::shared_ptr<InterpretedKernel> kernel(new InterpretedKernel);
  const uint64_t dynamic = DynamicShared(program);
  ASSIGN_OR_RETURN(SymbolTable table, variables->Resolve(program, dynamic));
  kernel->info_ = InfoOf(program);
  kernel->variables_ = std::move(variables);
  kernel->variable_ranges_ = RangesOf(program, table);
  ASSIGN_OR_RETURN(kernel->program_, Decode(std::move(program), std::move(table),
                                            &kernel->variable_ranges_));
  kernel->program_->shared_offset = dynamic;
  return kernel;
}

absl::Status InterpretedKernel::Launch(const hal::LaunchParams& params) const {
  std::vector<uint64_t> sizes;
  sizes.reserve(params.arguments.size());
  for (const auto& argument : params.arguments) sizes.push_back(argument.size());
  RETURN_IF_ERROR(hal::CheckKernelLaunch(hal::LaunchLimits(), info_, params.grid,
                                         params.block, params.dynamic_shared_bytes,
                                         sizes));
  if (params.grid.x == 0 || params.grid.y == 0 || params.grid.z == 0) {
    return absl::OkStatus();
  }
  if (params.cancellation != nullptr) RETURN_IF_ERROR(params.cancellation->Check());

  LaunchState state;
  state.program = program_.get();
  state.params = &params;
  state.block_dim = {static_cast<uint32_t>(params.block.x),
                     static_cast<uint32_t>(params.block.y),
                     static_cast<uint32_t>(params.block.z)};
  state.threads = static_cast<uint32_t>(params.block.count());
  state.warps = (state.threads + kLanes - 1) / kLanes;

  state.shared_bytes = params.dynamic_shared_bytes == 0
                           ? info_.static_shared_bytes
                           : program_->shared_offset + params.dynamic_shared_bytes;
  state.local_window = program_->local_window;
  const auto& parameters = program_->ir.functions.front().parameters;
  for (const auto& p : parameters) {
    state.argument_bytes = std::max(state.argument_bytes, p.offset + p.size);
  }
  const Window shared(state.shared_bytes);
  const Window local(state.local_window * state.warps * kLanes);
  const Window arguments(state.argument_bytes);
  state.shared = shared.data();
  state.local = local.data();
  state.arguments = arguments.data();
  if (state.shared == nullptr || state.local == nullptr || state.arguments == nullptr) {
    return absl::ResourceExhaustedError(
        absl::StrCat("kernel '", info_.entry, "': no memory for ", state.local_window,
                     " bytes of local memory for each of ", state.threads, " threads"));
  }
  for (size_t i = 0; i < parameters.size(); ++i) {
    std::copy(params.arguments[i].begin(), params.arguments[i].end(),
              state.arguments + parameters[i].offset);
  }
  FillSpecials(state, params);
  std::optional<SharedChecker> checker;
  if (params.checks.races || params.checks.uninitialized) {
    checker.emplace(params.checks, state.shared_bytes, state.warps);
    state.checker = &*checker;
  }
  return RunBlocks(state, params.grid);
}

}  // namespace thunky::interp
