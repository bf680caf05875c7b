#include "thunky/interp/warp_sync.h"

#include "absl/strings/str_cat.h"
#include "thunky/interp/checks.h"
#include "thunky/interp/lanes.h"
#include "thunky/interp/launch_state.h"

namespace thunky::interp {
namespace {

// Places of the operands, as 64-bit values.
void Read(Warp& w, Slot slot, uint32_t width, uint32_t lanes,
          std::array<uint64_t, kLanes>& out) {
  switch (width) {
    case 1: {
      const uint32_t p = w.Predicate(slot);
      ForLanes(lanes, [&](int i) { out[i] = (p >> i) & 1u; });
      break;
    }
    case 32: {
      const uint32_t* v = w.Lanes<uint32_t>(slot);
      ForLanes(lanes, [&](int i) { out[i] = v[i]; });
      break;
    }
    case 64: {
      const uint64_t* v = w.Lanes<uint64_t>(slot);
      ForLanes(lanes, [&](int i) { out[i] = v[i]; });
      break;
    }
    default:
      break;
  }
}

void WriteBits(Warp& w, Slot slot, uint32_t lanes, uint32_t value) {
  uint32_t& p = w.Predicate(slot);
  p = (p & ~lanes) | (value & lanes);
}

void ReadSources(Warp& w, const MicroOp* op, uint32_t lanes, Exchange& x) {
  Read(w, op->a, (op->extra >> 8) & 0xff, lanes, x.src[0]);
  Read(w, op->b, (op->extra >> 16) & 0xff, lanes, x.src[1]);
  Read(w, op->c, (op->extra >> 24) & 0xff, lanes, x.src[2]);
}

void WriteResults(Warp& w, const MicroOp* op, uint32_t lanes, const Exchange& x) {
  if ((op->extra & 0xff) == 1) {
    WriteBits(w, op->d, lanes, MaskOf([&](int i) { return x.dst[i] != 0; }));
  } else {
    uint32_t* d = w.Lanes<uint32_t>(op->d);
    ForLanes(lanes, [&](int i) { d[i] = static_cast<uint32_t>(x.dst[i]); });
  }
  if (op->source->dst.size() > 1) WriteBits(w, op->d2, lanes, x.predicate);
}

void Execute(Warp& w, const MicroOp* op, uint32_t lanes) {
  Exchange x;
  ReadSources(w, op, lanes, x);
  op->collective(*op, lanes, x);
  WriteResults(w, op, lanes, x);
}

void UseFrame(Warp& w, Frame* frame) {
  w.frame = frame;
  w.base[Slot::kFrame] = frame->registers.data();
  w.base[Slot::kConstant] =
      reinterpret_cast<char*>(const_cast<uint64_t*>(frame->function->constants.data()));
}

void Park(Warp& w, Strand* strand, const MicroOp* op, uint32_t members) {
  strand->pc = op;
  strand->state = Strand::State::kWarpSync;
  strand->members = members;
}

bool SamePlace(const Strand& a, const Strand& b) {
  return a.frame == b.frame && a.pc == b.pc;
}

// Whether lanes that wait with the same mask may go on together.
bool Compatible(const Strand& a, const Strand& b) {
  return b.state == Strand::State::kWarpSync && a.members == b.members &&
         (SamePlace(a, b) ||
          (a.pc->fn == b.pc->fn && a.pc->collective != nullptr &&
           a.pc->collective == b.pc->collective) ||
          (a.pc->fn == &ExecBarWarp && b.pc->fn == &ExecBarWarp));
}

// All members wait, but not at one place: exchanges go through a common buffer.
void ReleaseScattered(Warp& w, const Strand& first, uint32_t lanes) {
  Exchange x;
  const MicroOp* op = first.pc;
  const auto each = [&](auto visit) {
    for (int i = 0; i < w.strand_count; ++i) {
      Strand& s = w.strands[static_cast<size_t>(i)];
      if ((s.lanes & lanes) == 0 || s.state != Strand::State::kWarpSync) continue;
      UseFrame(w, s.frame);
      visit(s);
    }
  };
  if (op->collective != nullptr) {
    each([&](Strand& s) { ReadSources(w, s.pc, s.lanes, x); });
    op->collective(*op, lanes, x);
    each([&](Strand& s) { WriteResults(w, s.pc, s.lanes, x); });
  }
  each([&](Strand& s) {
    ++s.pc;
    s.state = Strand::State::kRunnable;
  });
}

// Releases the group of strand `index` when it is complete.
bool ReleaseGroup(Warp& w, int index) {
  const Strand first = w.strands[static_cast<size_t>(index)];
  uint32_t together = 0;
  bool same_place = true;
  for (int i = 0; i < w.strand_count; ++i) {
    const Strand& s = w.strands[static_cast<size_t>(i)];
    if (!Compatible(first, s)) continue;
    together |= s.lanes;
    same_place = same_place && SamePlace(first, s);
  }
  if ((first.members & w.live & ~together) != 0) return false;
  if (!same_place) {
    ReleaseScattered(w, first, together);
    return true;
  }
  // They meet, and execute the instruction again.
  for (int i = 0; i < w.strand_count; ++i) {
    Strand& s = w.strands[static_cast<size_t>(i)];
    if ((s.lanes & together) != 0) s.state = Strand::State::kRunnable;
  }
  return true;
}

const MicroOp* FailNotMember(Warp& w, const MicroOp* op, uint32_t members,
                             uint32_t lanes) {
  return w.Fail(
      op, std::countr_zero(lanes & ~members), absl::StatusCode::kFailedPrecondition,
      absl::StrCat("the lane is not in its own member mask 0x", absl::Hex(members)));
}

// Splits the active lanes into those that `execute` can serve now, group by group,
// and those that must wait.
template <typename Function>
const MicroOp* ByMembers(Warp& w, const MicroOp* op, Function execute) {
  const uint32_t* mask = w.Lanes<uint32_t>(op->e);
  uint32_t waiting = 0;
  uint32_t waiting_members[kLanes];
  for (uint32_t rest = w.active; rest != 0;) {
    const uint32_t members = mask[std::countr_zero(rest)];
    uint32_t group = 0;
    ForLanes(rest, [&](int i) { group |= uint32_t{mask[i] == members} << i; });
    rest &= ~group;
    if ((group & ~members) != 0) return FailNotMember(w, op, members, group);
    if ((members & w.live & ~group) == 0) {
      execute(group);
      continue;
    }
    waiting |= group;
    ForLanes(group, [&](int i) { waiting_members[i] = members; });
  }
  if (waiting == 0) return op + 1;
  w.SplitInactive(op + 1);
  const uint32_t done = w.active & ~waiting;
  Frame* frame = w.frame;
  w.RemoveCurrent();
  if (done != 0) w.AddStrand(frame, op + 1, done);
  while (waiting != 0) {
    const uint32_t members = waiting_members[std::countr_zero(waiting)];
    uint32_t group = 0;
    ForLanes(waiting,
             [&](int i) { group |= uint32_t{waiting_members[i] == members} << i; });
    waiting &= ~group;
    Park(w, w.AddStrand(frame, op, group), op, members);
  }
  ReleaseWarpSyncs(w);
  return nullptr;
}

}  // namespace

uint32_t PackWidths(uint8_t d, uint8_t a, uint8_t b, uint8_t c) {
  return uint32_t{d} | uint32_t{a} << 8 | uint32_t{b} << 16 | uint32_t{c} << 24;
}

const MicroOp* ExecCollective(Warp& w, const MicroOp* op) {
  if (!op->source->mod.sync_mask) {
    Execute(w, op, w.active);
    return op + 1;
  }
  return ByMembers(w, op, [&](uint32_t group) {
    Execute(w, op, group);
    OrderLanes(w, group);
  });
}

const MicroOp* ExecBarWarp(Warp& w, const MicroOp* op) {
  return ByMembers(w, op, [&](uint32_t group) { OrderLanes(w, group); });
}

bool HasWholeWarp(Warp& w, const MicroOp* op) {
  if ((w.live & ~w.active) == 0) {
    OrderLanes(w, w.active);
    return true;
  }
  w.SplitInactive(op + 1);
  Park(w, w.current, op, kAllLanes);
  ReleaseWarpSyncs(w);
  return false;
}

void ReleaseWarpSyncs(Warp& w) {
  for (bool released = true; released;) {
    released = false;
    for (int i = 0; i < w.strand_count && !released; ++i) {
      if (w.strands[static_cast<size_t>(i)].state == Strand::State::kWarpSync) {
        released = ReleaseGroup(w, i);
      }
    }
  }
}

}  // namespace thunky::interp
