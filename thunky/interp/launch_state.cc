#include "thunky/interp/launch_state.h"

#include "absl/strings/str_cat.h"
#include "thunky/interp/decode.h"

namespace thunky::interp {

uint64_t DeviceHeap::Allocate(uint64_t size) {
  constexpr uint64_t kGranule = 16;
  if (size > kLimit) return 0;
  const uint64_t rounded = (size + kGranule) / kGranule * kGranule;  // never empty
  if (rounded > kLimit - used_) return 0;
  Chunk chunk;
  chunk.words = std::make_unique<uint64_t[]>(rounded / sizeof(uint64_t));
  chunk.size = rounded;
  used_ += rounded;
  const uint64_t address = reinterpret_cast<uint64_t>(chunk.words.get());
  chunks_.emplace(address, std::move(chunk));
  return address;
}

bool DeviceHeap::Free(uint64_t address) {
  if (address == 0) return true;
  const auto it = chunks_.find(address);
  if (it == chunks_.end()) return false;
  used_ -= it->second.size;
  chunks_.erase(it);
  return true;
}

bool DeviceHeap::Contains(uint64_t address, uint64_t size) const {
  auto it = chunks_.upper_bound(address);
  if (it == chunks_.begin()) return false;
  --it;
  const uint64_t offset = address - it->first;
  return offset <= it->second.size && it->second.size - offset >= size;
}

bool LaunchState::Count(uint64_t operations) {
  steps += operations + 1;  // an empty block costs something as well
  if (!status.ok()) return false;
  if (steps < next_poll) return true;
  next_poll = steps + kPollInterval;
  if (params->step_budget != 0 && steps > params->step_budget) {
    status = absl::ResourceExhaustedError(
        absl::StrCat("kernel '", program->ir.entry, "', block (", block_id[0], ",",
                     block_id[1], ",", block_id[2], "): the step budget of ",
                     params->step_budget, " warp instructions is used up"));
  } else if (params->cancellation != nullptr) {
    const absl::Status cancelled = params->cancellation->Check();
    if (!cancelled.ok()) {
      status = absl::Status(cancelled.code(), absl::StrCat("kernel '", program->ir.entry,
                                                           "': ", cancelled.message()));
    }
  }
  return status.ok();
}

std::string LaunchState::ThreadName(uint32_t thread) const {
  return absl::StrCat("(", thread % block_dim[0], ",",
                      thread / block_dim[0] % block_dim[1], ",",
                      thread / block_dim[0] / block_dim[1], ")");
}

std::string LaunchState::Where(const Warp& warp, int lane, const MicroOp* op) const {
  std::string where =
      absl::StrCat("kernel '", program->ir.entry, "', block (", block_id[0], ",",
                   block_id[1], ",", block_id[2], "), thread ",
                   ThreadName(warp.index * kLanes + static_cast<uint32_t>(lane)));
  if (op != nullptr && op->source != nullptr) {
    absl::StrAppend(&where, ", line ", op->source->location.line);
  }
  return where;
}

}  // namespace thunky::interp
