// shfl, vote, match, redux, elect and activemask.
#include <cstdint>

#include "thunky/interp/lanes.h"
#include "thunky/interp/recipe.h"
#include "thunky/interp/warp_sync.h"

namespace thunky::interp {
namespace {

using ptx::ir::AtomOp;
using ptx::ir::BitWidth;
using ptx::ir::Instruction;
using ptx::ir::IsSigned;
using ptx::ir::Op;
using ptx::ir::ShflMode;
using ptx::ir::VoteMode;

// The lane to read from, and whether it lies in the segment.
struct ShflSource {
  int lane = 0;
  bool in_range = false;
};

ShflSource SourceOf(ShflMode mode, int lane, uint32_t b, uint32_t c) {
  const int offset = static_cast<int>(b & 31u);
  const int clamp = static_cast<int>(c & 31u);
  const int segment = static_cast<int>((c >> 8) & 31u);
  const int last = (lane & segment) | (clamp & ~segment);
  const int first = lane & segment;
  switch (mode) {
    case ShflMode::kUp:
      return {lane - offset, lane - offset >= last};
    case ShflMode::kDown:
      return {lane + offset, lane + offset <= last};
    case ShflMode::kBfly:
      return {lane ^ offset, (lane ^ offset) <= last};
    case ShflMode::kIdx:
      break;
  }
  const int index = first | (offset & ~segment);
  return {index, index <= last};
}

// A lane that does not take part gives the reader its own value.
void Shfl(const MicroOp& op, uint32_t members, Exchange& x) {
  const ShflMode mode = op.source->mod.shfl;
  x.predicate = 0;
  ForLanes(members, [&](int i) {
    ShflSource source = SourceOf(mode, i, static_cast<uint32_t>(x.src[1][i]),
                                 static_cast<uint32_t>(x.src[2][i]));
    x.predicate |= uint32_t{source.in_range} << i;
    const bool readable = source.in_range && source.lane >= 0 && source.lane < kLanes &&
                          ((members >> source.lane) & 1u) != 0;
    x.dst[i] = x.src[0][readable ? source.lane : i];
  });
}

void Vote(const MicroOp& op, uint32_t members, Exchange& x) {
  uint32_t ballot = 0;
  ForLanes(members, [&](int i) { ballot |= uint32_t{x.src[0][i] != 0} << i; });
  uint64_t result = ballot;
  switch (op.source->mod.vote) {
    case VoteMode::kAll:
      result = ballot == members;
      break;
    case VoteMode::kAny:
      result = ballot != 0;
      break;
    case VoteMode::kUni:
      result = ballot == members || ballot == 0;
      break;
    case VoteMode::kBallot:
      break;
  }
  x.dst.fill(result);
}

void Match(const MicroOp& op, uint32_t members, Exchange& x) {
  bool all = true;
  ForLanes(members, [&](int i) {
    uint32_t equal = 0;
    ForLanes(members, [&](int j) { equal |= uint32_t{x.src[0][i] == x.src[0][j]} << j; });
    x.dst[i] = equal;
    all = all && equal == members;
  });
  if (!op.source->mod.match_all) return;
  x.dst.fill(all ? members : 0);
  x.predicate = all ? members : 0;
}

uint32_t Reduce(AtomOp op, bool is_signed, uint32_t a, uint32_t b) {
  const bool less = is_signed ? static_cast<int32_t>(a) < static_cast<int32_t>(b) : a < b;
  switch (op) {
    case AtomOp::kAdd:
      return a + b;
    case AtomOp::kMin:
      return less ? a : b;
    case AtomOp::kMax:
      return less ? b : a;
    case AtomOp::kAnd:
      return a & b;
    case AtomOp::kOr:
      return a | b;
    default:
      return a ^ b;
  }
}

void Redux(const MicroOp& op, uint32_t members, Exchange& x) {
  const int first = std::countr_zero(members);
  uint32_t result = static_cast<uint32_t>(x.src[0][first]);
  ForLanes(members & (members - 1), [&](int i) {
    result = Reduce(op.source->mod.atom, IsSigned(op.source->type), result,
                    static_cast<uint32_t>(x.src[0][i]));
  });
  x.dst.fill(result);
}

void Elect(const MicroOp&, uint32_t members, Exchange& x) {
  const int leader = std::countr_zero(members);
  x.dst.fill(static_cast<uint64_t>(leader));
  x.predicate = 1u << leader;
}

const MicroOp* ExecActivemask(Warp& w, const MicroOp* op) {
  const uint32_t active = w.active;
  StoreLanes<uint32_t>(w, w.Lanes<uint32_t>(op->d), [=](int) { return active; });
  return op + 1;
}

}  // namespace

Recipe WarpRecipe(const Instruction& in) {
  switch (in.op) {
    case Op::kShfl:
      return {&ExecCollective, {32, 1}, {32, 32, 32, 32}, &Shfl};
    case Op::kVote: {
      const uint8_t width = in.mod.vote == VoteMode::kBallot ? 32 : 1;
      return {&ExecCollective, {width}, {1, 0, 0, 32}, &Vote};
    }
    case Op::kMatch:
      return {&ExecCollective,
              {32, 1},
              {static_cast<uint8_t>(BitWidth(in.type)), 0, 0, 32},
              &Match};
    case Op::kRedux:
      return {&ExecCollective, {32}, {32, 0, 0, 32}, &Redux};
    case Op::kElect:
      return {&ExecCollective, {32, 1}, {0, 0, 0, 32}, &Elect};
    case Op::kActivemask:
      return {&ExecActivemask, {32}, {}};
    case Op::kBarWarp:
      return {&ExecBarWarp, {}, {0, 0, 0, 32}};
    default:
      return {};
  }
}

}  // namespace thunky::interp
