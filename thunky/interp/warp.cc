#include "thunky/interp/warp.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <new>

#include "absl/strings/str_cat.h"
#include "thunky/interp/block.h"
#include "thunky/interp/lanes.h"
#include "thunky/interp/launch_state.h"
#include "thunky/interp/warp_sync.h"

namespace thunky::interp {
namespace {

constexpr std::align_val_t kRegisterAlignment{64};
constexpr uintptr_t kNothingPending = std::numeric_limits<uintptr_t>::max();

bool IsRunnable(const Strand& s) { return s.state == Strand::State::kRunnable; }

}  // namespace

bool HasWideLanes() {
#if defined(__x86_64__)
  static const bool has = __builtin_cpu_supports("avx2") != 0 &&
                          __builtin_cpu_supports("fma") != 0 &&
                          __builtin_cpu_supports("bmi2") != 0;
  return has;
#else
  return false;
#endif
}

RegisterFile::RegisterFile(uint32_t bytes)
    : data_(static_cast<char*>(::operator new(bytes, kRegisterAlignment))) {
  std::memset(data_.get(), 0, bytes);
}

void RegisterFile::Free::operator()(char* p) const {
  ::operator delete(p, kRegisterAlignment);
}

void Warp::SetActive(uint32_t lanes) {
  active = lanes;
  dense = (live & ~lanes) == 0;
  if (mask_lanes == lanes) return;
  mask_lanes = lanes;
  for (size_t i = 0; i < kLanes; ++i) {
    const bool on = (lanes & kLaneBits.bit[i]) != 0;
    mask16[i] = on ? 0xffff : 0;
    mask32[i] = on ? 0xffffffffu : 0;
    mask64[i] = on ? ~uint64_t{0} : 0;
  }
}

const MicroOp* Warp::Reschedule(const MicroOp* pc) {
  current->pc = pc;
  return nullptr;
}

const MicroOp* Warp::Fail(const MicroOp* op, int lane, absl::StatusCode code,
                          std::string_view message) {
  if (launch->status.ok()) {
    launch->status = absl::Status(
        code, absl::StrCat(launch->Where(*this, lane, op), ": ",
                           absl::string_view(message.data(), message.size())));
  }
  return nullptr;
}

Strand* Warp::AddStrand(Frame* at, const MicroOp* pc, uint32_t lanes) {
  Strand& s = strands[static_cast<size_t>(strand_count++)];
  s = Strand{};
  s.frame = at;
  s.pc = pc;
  s.lanes = lanes;
  s.last_turn = turn;
  return &s;
}

void Warp::SplitInactive(const MicroOp* pc) {
  const uint32_t others = current->lanes & ~active;
  if (others == 0) return;
  AddStrand(frame, pc, others);
  current->lanes = active;
}

void Warp::RemoveCurrent() {
  *current = strands[static_cast<size_t>(--strand_count)];
  current = nullptr;
}

void Warp::LeaveFrame(Frame* leaving, uint32_t lanes) {
  leaving->lanes &= ~lanes;
  if (leaving->lanes != 0 || leaving->parent == nullptr) return;
  for (size_t i = frames.size(); i-- > 1;) {
    if (frames[i].get() != leaving) continue;
    idle_frames.push_back(std::move(frames[i]));
    frames.erase(frames.begin() + static_cast<ptrdiff_t>(i));
    return;
  }
}

const MicroOp* Warp::ExitCurrent() {
  const uint32_t lanes = current->lanes;
  live &= ~lanes;
  for (Frame* f = current->frame; f != nullptr;) {
    Frame* parent = f->parent;
    LeaveFrame(f, lanes);
    f = parent;
  }
  RemoveCurrent();
  ReleaseWarpSyncs(*this);
  block->LanesExited(*this);
  return nullptr;
}

Frame* Warp::PushFrame(const MicroOp* op, const DecodedFunction* callee,
                       const ptx::ir::Call* call, uint32_t lanes) {
  const int lane = lanes == 0 ? 0 : std::countr_zero(lanes);
  const uint32_t depth = frame == nullptr ? 0 : frame->depth + 1;
  const uint64_t base =
      frame == nullptr ? 0 : frame->stack_base + frame->function->stack_bytes;
  if (depth >= kMaxDepth) {
    Fail(op, lane, absl::StatusCode::kResourceExhausted,
         absl::StrCat("calls are nested more than ", kMaxDepth, " deep"));
    return nullptr;
  }
  if (base + callee->stack_bytes > launch->local_window) {
    Fail(op, lane, absl::StatusCode::kResourceExhausted,
         absl::StrCat("calls need more than the ", launch->local_window,
                      " bytes of local memory of a thread"));
    return nullptr;
  }
  const auto idle = std::find_if(idle_frames.begin(), idle_frames.end(),
                                 [&](const auto& f) { return f->function == callee; });
  if (idle != idle_frames.end()) {
    frames.push_back(std::move(*idle));
    idle_frames.erase(idle);
    std::memset(frames.back()->registers.data(), 0, callee->frame_bytes);
  } else {
    if (launch->frame_bytes + callee->frame_bytes > kMaxFrameBytes) {
      Fail(op, lane, absl::StatusCode::kResourceExhausted,
           absl::StrCat("the registers of a block need more than ", kMaxFrameBytes,
                        " bytes"));
      return nullptr;
    }
    launch->frame_bytes += callee->frame_bytes;
    frames.push_back(std::make_unique<Frame>());
    frames.back()->function = callee;
    frames.back()->registers = RegisterFile(callee->frame_bytes);
  }
  Frame* pushed = frames.back().get();
  pushed->parent = frame;
  pushed->return_to = op == nullptr ? nullptr : op + 1;
  pushed->call = call;
  pushed->stack_base = base;
  pushed->depth = depth;
  pushed->lanes = lanes;
  return pushed;
}

bool Warp::Start(const DecodedFunction* entry) {
  live = valid;
  strand_count = 0;
  exhausted = uninterrupted = false;
  barrier_lanes.fill(0);
  copies.clear();
  copy_group.fill(0);
  known = KnownRange{};
  frame = nullptr;
  if (frames.empty() && PushFrame(nullptr, entry, nullptr, valid) == nullptr) {
    return false;
  }
  frames.front()->lanes = valid;
  AddStrand(frames.front().get(), entry->code.data(), valid);
  return true;
}

bool Warp::HasRunnable() const {
  return std::any_of(strands.begin(), strands.begin() + strand_count, IsRunnable);
}

// Runnable strands at one place become one.
void Warp::MergeRunnable() {
  for (int i = 0; i < strand_count; ++i) {
    Strand& a = strands[static_cast<size_t>(i)];
    if (!IsRunnable(a)) continue;
    for (int j = strand_count - 1; j > i; --j) {
      Strand& b = strands[static_cast<size_t>(j)];
      if (!IsRunnable(b) || a.frame != b.frame || a.pc != b.pc) continue;
      a.lanes |= b.lanes;
      a.last_turn = std::max(a.last_turn, b.last_turn);
      b = strands[static_cast<size_t>(--strand_count)];
    }
  }
}

// The strand whose turn it is: the deepest, then the lowest; or, when a turn was used
// up before, the one that waited longest.
Strand* Warp::Pick() {
  if (strand_count > 1) MergeRunnable();
  Strand* best = nullptr;
  for (int i = 0; i < strand_count; ++i) {
    Strand& s = strands[static_cast<size_t>(i)];
    if (!IsRunnable(s)) continue;
    if (uninterrupted && ((s.lanes >> turn_lane) & 1u) != 0) return &s;
    if (best == nullptr || s.frame->depth > best->frame->depth ||
        (s.frame == best->frame && s.pc < best->pc)) {
      best = &s;
    }
  }
  uninterrupted = false;  // that strand has stopped by itself
  return best;
}

void Warp::Enter(Strand* strand) {
  current = strand;
  frame = strand->frame;
  base[Slot::kFrame] = frame->registers.data();
  base[Slot::kConstant] =
      reinterpret_cast<char*>(const_cast<uint64_t*>(frame->function->constants.data()));
  SetActive(strand->lanes);
  next_pending = kNothingPending;
  for (int i = 0; i < strand_count; ++i) {
    const Strand& s = strands[static_cast<size_t>(i)];
    if (&s == strand || !IsRunnable(s)) continue;
    if (uninterrupted) next_pending = 0;  // stop at every jump to see who is there
    if (s.frame == frame) {
      next_pending = std::min(next_pending, reinterpret_cast<uintptr_t>(s.pc));
    }
  }
}

uint64_t Warp::Run() {
  ++turn;
  fuel = kTurn;
  penalty = 0;
  uninterrupted = false;
  if (exhausted && strand_count > 1) {
    const Strand* oldest = nullptr;
    for (int i = 0; i < strand_count; ++i) {
      const Strand& s = strands[static_cast<size_t>(i)];
      if (IsRunnable(s) && (oldest == nullptr || s.last_turn < oldest->last_turn)) {
        oldest = &s;
      }
    }
    uninterrupted = oldest != nullptr;
    if (uninterrupted) turn_lane = std::countr_zero(oldest->lanes);
  }
  const bool kept_turn = uninterrupted;
  while (fuel >= 0 && launch->status.ok()) {
    Strand* strand = Pick();
    if (strand == nullptr) break;
    strand->last_turn = turn;
    Enter(strand);
    const MicroOp* op = strand->pc;
    while (op != nullptr) op = op->fn(*this, op);
  }
  exhausted = fuel < 0 && !kept_turn;
  return static_cast<uint64_t>(kTurn - fuel - penalty);
}

}  // namespace thunky::interp
