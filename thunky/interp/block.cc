#include "thunky/interp/block.h"

#include <bit>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "thunky/interp/checks.h"
#include "thunky/interp/decode.h"
#include "thunky/interp/lanes.h"

namespace thunky::interp {
namespace {

using ptx::ir::BarMode;

uint32_t* Specials(Warp& w, WarpSpecial which) {
  return reinterpret_cast<uint32_t*>(w.specials.data() +
                                     static_cast<uint32_t>(which) * kSpecialBytes);
}

// Special registers that stay the same for all blocks of a launch.
void FillSpecials(Warp& w) {
  const auto& dim = w.launch->block_dim;
  for (uint32_t i = 0; i < kLanes; ++i) {
    const uint32_t thread = w.index * kLanes + i;
    Specials(w, WarpSpecial::kTidX)[i] = thread % dim[0];
    Specials(w, WarpSpecial::kTidY)[i] = thread / dim[0] % dim[1];
    Specials(w, WarpSpecial::kTidZ)[i] = thread / dim[0] / dim[1];
    Specials(w, WarpSpecial::kLaneid)[i] = i;
    Specials(w, WarpSpecial::kWarpid)[i] = w.index;
    const uint32_t bit = 1u << i;
    Specials(w, WarpSpecial::kLanemaskEq)[i] = bit;
    Specials(w, WarpSpecial::kLanemaskLt)[i] = bit - 1;
    Specials(w, WarpSpecial::kLanemaskLe)[i] = bit | (bit - 1);
    Specials(w, WarpSpecial::kLanemaskGt)[i] = ~(bit | (bit - 1));
    Specials(w, WarpSpecial::kLanemaskGe)[i] = ~(bit - 1);
  }
}

std::unique_ptr<Warp> NewWarp(Block* block, uint32_t index) {
  auto warp = std::make_unique<Warp>();
  warp->launch = block->launch;
  warp->block = block;
  warp->index = index;
  const uint32_t left = block->launch->threads - index * kLanes;
  warp->valid = left >= kLanes ? kAllLanes : (1u << left) - 1;
  warp->base[Slot::kWarp] = warp->specials.data();
  warp->base[Slot::kLaunch] = block->launch->specials.data();
  FillSpecials(*warp);
  return warp;
}

bool WaitsAt(const Strand& s, uint32_t id) {
  return s.state == Strand::State::kBarrier && s.barrier == id;
}

}  // namespace

Block::Block(LaunchState* state) : launch(state) {
  for (uint32_t i = 0; i < state->warps; ++i) warps.push_back(NewWarp(this, i));
}

bool Block::Run() {
  barriers.fill(Barrier{});
  if (launch->checker != nullptr) launch->checker->NewBlock();
  for (const auto& warp : warps) {
    if (!warp->Start(launch->program->functions.front().get())) return false;
  }
  for (;;) {
    bool progress = false;
    bool live = false;
    for (const auto& warp : warps) {
      if (warp->HasRunnable()) {
        progress = true;
        if (!launch->Count(warp->Run())) return false;
      }
      live = live || warp->live != 0;
    }
    if (!live) return true;
    if (!progress) {
      ReportStuck();
      return false;
    }
  }
}

const MicroOp* Block::Arrive(Warp& w, const MicroOp* op, uint32_t id, uint32_t expected,
                             uint32_t predicate, bool wait) {
  Barrier& barrier = barriers[id];
  const int lane = std::countr_zero(w.active);
  const uint32_t line = op->source->location.line;
  if (barrier.in_use && barrier.expected != expected) {
    return w.Fail(
        op, lane, absl::StatusCode::kFailedPrecondition,
        absl::StrCat("barrier ", id, " is used with ", expected,
                     " threads here and with ", barrier.expected, " (0: all) on line ",
                     barrier.first->source->location.line));
  }
  if ((w.barrier_lanes[id] & w.active) != 0 || ((barrier.arrived >> w.index) & 1u) != 0) {
    return w.Fail(op, lane, absl::StatusCode::kFailedPrecondition,
                  absl::StrCat("warp ", w.index, " arrives at barrier ", id,
                               " again before it is complete (first on line ",
                               barrier.first->source->location.line, ", again on line ",
                               line, ")"));
  }
  if (!barrier.in_use) {
    barrier = Barrier{};
    barrier.in_use = true;
    barrier.expected = expected;
    barrier.first = op;
  }
  const uint32_t set = predicate & w.active;
  barrier.count += static_cast<uint32_t>(std::popcount(set));
  barrier.all = barrier.all && set == w.active;
  barrier.any = barrier.any || set != 0;
  w.barrier_lanes[id] |= w.active;
  if (!wait) {
    CountWarp(w, id);
    return launch->status.ok() ? op + 1 : nullptr;
  }
  w.SplitInactive(op + 1);
  w.current->state = Strand::State::kBarrier;
  w.current->barrier = static_cast<uint8_t>(id);
  w.current->pc = op;
  CountWarp(w, id);
  return nullptr;
}

// A warp has arrived when all its live lanes have.
void Block::CountWarp(Warp& w, uint32_t id) {
  if (w.barrier_lanes[id] == 0 || (w.live & ~w.barrier_lanes[id]) != 0) return;
  if (!CheckAligned(w, id)) return;
  Barrier& barrier = barriers[id];
  w.barrier_lanes[id] = 0;
  barrier.arrived |= 1u << w.index;
  for (int i = 0; i < w.strand_count; ++i) {
    if (WaitsAt(w.strands[static_cast<size_t>(i)], id)) barrier.waiting |= 1u << w.index;
  }
  if (launch->checker != nullptr) launch->checker->Arrive(w, id);
  ReleaseIfComplete(id);
}

void Block::ReleaseIfComplete(uint32_t id) {
  const Barrier& barrier = barriers[id];
  if (!barrier.in_use || barrier.arrived == 0) return;
  if (barrier.expected != 0) {
    const uint32_t threads =
        static_cast<uint32_t>(std::popcount(barrier.arrived)) * kLanes;
    if (threads >= barrier.expected) Release(id);
    return;
  }
  for (const auto& warp : warps) {
    if (warp->live != 0 && ((barrier.arrived >> warp->index) & 1u) == 0) return;
  }
  Release(id);
}

void Block::Release(uint32_t id) {
  const Barrier barrier = barriers[id];
  barriers[id] = Barrier{};
  if (launch->checker != nullptr) launch->checker->Release(id, barrier.waiting);
  for (const auto& warp : warps) {
    for (int i = 0; i < warp->strand_count; ++i) {
      Strand& s = warp->strands[static_cast<size_t>(i)];
      if (!WaitsAt(s, id)) continue;
      char* registers = s.frame->registers.data() + s.pc->d.offset();
      uint32_t* d = reinterpret_cast<uint32_t*>(registers);
      const bool result =
          s.pc->source->mod.bar == BarMode::kRedAnd ? barrier.all : barrier.any;
      switch (s.pc->source->mod.bar) {
        case BarMode::kRedPopc:
          ForLanes(s.lanes, [&](int lane) { d[lane] = barrier.count; });
          break;
        case BarMode::kRedAnd:
        case BarMode::kRedOr:
          *d = (*d & ~s.lanes) | (result ? s.lanes : 0);
          break;
        default:
          break;
      }
      s.state = Strand::State::kRunnable;
      ++s.pc;
    }
  }
}

void Block::LanesExited(Warp& w) {
  for (uint32_t id = 0; id < kBarriers; ++id) {
    if (!barriers[id].in_use) continue;
    CountWarp(w, id);
    ReleaseIfComplete(id);
  }
}

// In the checked mode: lanes of a warp must not come to an aligned barrier from
// different instructions.
bool Block::CheckAligned(Warp& w, uint32_t id) {
  if (!launch->params->checks.barrier_divergence) return true;
  const Strand* first = nullptr;
  for (int i = 0; i < w.strand_count; ++i) {
    const Strand& s = w.strands[static_cast<size_t>(i)];
    if (!WaitsAt(s, id) || !s.pc->source->mod.aligned) continue;
    if (first != nullptr && first->pc != s.pc) {
      w.Fail(s.pc, std::countr_zero(s.lanes), absl::StatusCode::kFailedPrecondition,
             absl::StrCat("barrier divergence: only part of warp ", w.index,
                          " is at this barrier, the rest is at barrier ", id, " on line ",
                          first->pc->source->location.line));
      return false;
    }
    first = &s;
  }
  return true;
}

std::string Block::DescribeBarrier(uint32_t id) const {
  const Barrier& barrier = barriers[id];
  uint32_t arrived = 0;
  uint32_t wanted = barrier.expected;
  std::vector<std::string> lines;
  for (const auto& warp : warps) {
    if (barrier.expected == 0) wanted += static_cast<uint32_t>(std::popcount(warp->live));
    const bool counted = ((barrier.arrived >> warp->index) & 1u) != 0;
    arrived += static_cast<uint32_t>(
        std::popcount(counted ? warp->live : warp->barrier_lanes[id] & warp->live));
    for (int i = 0; i < warp->strand_count; ++i) {
      const Strand& s = warp->strands[static_cast<size_t>(i)];
      if (!WaitsAt(s, id)) continue;
      const std::string line = absl::StrCat(s.pc->source->location.line);
      if (lines.empty() || lines.back() != line) lines.push_back(line);
    }
  }
  return absl::StrCat("barrier ", id, ": ", arrived, " of ", wanted,
                      " threads have arrived (line ",
                      lines.empty() ? absl::StrCat(barrier.first->source->location.line)
                                    : absl::StrJoin(lines, ", "),
                      ")");
}

std::string Block::DescribeWarpSync() const {
  for (const auto& warp : warps) {
    for (int i = 0; i < warp->strand_count; ++i) {
      const Strand& s = warp->strands[static_cast<size_t>(i)];
      if (s.state != Strand::State::kWarpSync) continue;
      return absl::StrCat("warp ", warp->index, ": lanes 0x", absl::Hex(s.lanes),
                          " wait for lanes 0x", absl::Hex(s.members & warp->live),
                          " on line ", s.pc->source->location.line);
    }
  }
  return "";
}

void Block::ReportStuck() {
  std::vector<std::string> reasons;
  for (uint32_t id = 0; id < kBarriers; ++id) {
    if (barriers[id].in_use) reasons.push_back(DescribeBarrier(id));
  }
  if (std::string sync = DescribeWarpSync(); !sync.empty()) reasons.push_back(sync);
  const auto& id = launch->block_id;
  launch->status = absl::FailedPreconditionError(
      absl::StrCat("kernel '", launch->program->ir.entry, "', block (", id[0], ",", id[1],
                   ",", id[2], "): no thread can go on: ", absl::StrJoin(reasons, "; ")));
}

namespace {

// The common value of the active lanes; false after a failure.
bool UniformValue(Warp& w, const MicroOp* op, Slot slot, const char* what,
                  uint32_t* value) {
  const uint32_t* v = w.Lanes<uint32_t>(slot);
  const int first = std::countr_zero(w.active);
  *value = v[first];
  int other = -1;
  ForLanes(w.active, [&](int i) {
    if (v[i] != v[first]) other = i;
  });
  if (other < 0) return true;
  w.Fail(op, other, absl::StatusCode::kFailedPrecondition,
         absl::StrCat("the ", what, " differs between the threads of a warp: ", v[first],
                      " and ", v[other]));
  return false;
}

}  // namespace

const MicroOp* ExecBar(Warp& w, const MicroOp* op) {
  uint32_t id = 0;
  uint32_t expected = 0;
  if (!UniformValue(w, op, op->a, "barrier number", &id) ||
      !UniformValue(w, op, op->b, "barrier's thread count", &expected)) {
    return nullptr;
  }
  const int lane = std::countr_zero(w.active);
  if (id >= kBarriers) {
    return w.Fail(
        op, lane, absl::StatusCode::kFailedPrecondition,
        absl::StrCat("barrier ", id, " does not exist, the last one is ", kBarriers - 1));
  }
  if (expected % kLanes != 0) {
    return w.Fail(op, lane, absl::StatusCode::kFailedPrecondition,
                  absl::StrCat("barrier ", id, " has a thread count of ", expected,
                               ", which is not a multiple of ", kLanes));
  }
  const BarMode mode = op->source->mod.bar;
  const bool reduces = mode != BarMode::kSync && mode != BarMode::kArrive;
  return w.block->Arrive(w, op, id, expected, reduces ? w.Predicate(op->c) : 0,
                         mode != BarMode::kArrive);
}

}  // namespace thunky::interp
