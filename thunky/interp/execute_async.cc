// cp.async. A copy is done when its lane waits for it, not when it is issued: code
// that forgets to wait reads old data here, as it may on a GPU.
#include <algorithm>
#include <cstdint>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "thunky/interp/lanes.h"
#include "thunky/interp/launch_state.h"
#include "thunky/interp/memory_recipe.h"

namespace thunky::interp {
namespace {

using ptx::ir::Space;

// A lane that never waits does its oldest copies when it has this many.
constexpr size_t kMaxPending = 64 * kLanes;

void Perform(const PendingCopy& copy) {
  char* to = reinterpret_cast<char*>(copy.destination);
  // With nothing to read, the source may be any address.
  if (copy.source_bytes > 0) {
    std::memcpy(to, reinterpret_cast<const char*>(copy.source), copy.source_bytes);
  }
  std::memset(to + copy.source_bytes, 0, copy.bytes - copy.source_bytes);
}

// Does the copies for which `done` holds, in the order of issue.
template <typename Function>
void PerformWhere(Warp& w, Function done) {
  const auto keep = std::stable_partition(w.copies.begin(), w.copies.end(),
                                          [&](const PendingCopy& c) { return done(c); });
  for (auto it = w.copies.begin(); it != keep; ++it) Perform(*it);
  w.copies.erase(w.copies.begin(), keep);
}

// Slots from target on: base of the source (mode in extra >> 8), then the operand
// that shortens the copy: its kind is in extra >> 16.
uint64_t SourceAddress(Warp& w, const MicroOp* op, int lane) {
  const Slot base = w.frame->function->slots[op->target];
  const uint64_t offset = static_cast<uint64_t>(op->source->address2->offset);
  switch (static_cast<AddressMode>((op->extra >> 8) & 0xff)) {
    case AddressMode::kRegister64:
      return w.Lanes<uint64_t>(base)[lane] + offset;
    case AddressMode::kRegister32:
      return w.Lanes<uint32_t>(base)[lane] + offset;
    default:
      return w.Lanes<uint64_t>(base)[lane];
  }
}

uint32_t SourceBytes(Warp& w, const MicroOp* op, int lane) {
  const uint32_t bytes = op->source->mod.bytes;
  const Slot slot = w.frame->function->slots[op->target + 1];
  switch (static_cast<CopyLimit>(op->extra >> 16)) {
    case CopyLimit::kNone:
      return bytes;
    case CopyLimit::kBytes:
      return std::min(bytes, w.Lanes<uint32_t>(slot)[lane]);
    case CopyLimit::kIgnore:
      return ((w.Predicate(slot) >> lane) & 1u) != 0 ? 0 : bytes;
  }
  return bytes;
}

// The source must be aligned, and readable as far as it is read.
bool CheckSource(Warp& w, const MicroOp* op, int lane, uint64_t address, uint32_t bytes) {
  if ((address & (op->source->mod.bytes - 1u)) != 0) {
    w.Fail(op, lane, absl::StatusCode::kOutOfRange,
           absl::StrCat("the source 0x", absl::Hex(address),
                        " of an asynchronous copy is misaligned: not a multiple of ",
                        op->source->mod.bytes));
    return false;
  }
  const Access access{Space::kGlobal, bytes, AccessKind::kRead, false};
  return bytes == 0 || TranslateOne(w, op, lane, address, access) != nullptr;
}

const MicroOp* ExecCpAsync(Warp& w, const MicroOp* op) {
  const uint32_t bytes = op->source->mod.bytes;
  if (!Translate(w, op, ModeOf(op), {Space::kShared, bytes, AccessKind::kWrite, false})) {
    return nullptr;
  }
  for (uint32_t lanes = w.active; lanes != 0; lanes &= lanes - 1) {
    const int lane = std::countr_zero(lanes);
    const uint64_t source = SourceAddress(w, op, lane);
    const uint32_t source_bytes = SourceBytes(w, op, lane);
    if (!CheckSource(w, op, lane, source, source_bytes)) return nullptr;
    w.copies.push_back({static_cast<uint32_t>(lane), w.address[lane], source, bytes,
                        source_bytes, w.copy_group[lane]});
  }
  if (w.copies.size() > kMaxPending) {
    const auto middle = w.copies.begin() + static_cast<ptrdiff_t>(w.copies.size() / 2);
    std::for_each(w.copies.begin(), middle, Perform);
    w.copies.erase(w.copies.begin(), middle);
  }
  return op + 1;
}

const MicroOp* ExecCommit(Warp& w, const MicroOp* op) {
  ForLanes(w.active, [&](int lane) { ++w.copy_group[lane]; });
  return op + 1;
}

const MicroOp* ExecWait(Warp& w, const MicroOp* op) {
  const uint64_t allowed = static_cast<uint64_t>(op->imm);
  const uint32_t active = w.active;
  PerformWhere(w, [&](const PendingCopy& c) {
    return ((active >> c.lane) & 1u) != 0 && c.group + allowed < w.copy_group[c.lane];
  });
  return op + 1;
}

}  // namespace

ExecFn CpAsyncFn() { return &ExecCpAsync; }
ExecFn CpAsyncCommitFn() { return &ExecCommit; }
ExecFn CpAsyncWaitFn() { return &ExecWait; }

}  // namespace thunky::interp
