// Moves that need more than a copy: packs, widths, special registers, address spaces.
#include <chrono>
#include <cstdint>

#include "thunky/interp/lanes.h"
#include "thunky/interp/launch_state.h"
#include "thunky/interp/memory_access.h"
#include "thunky/interp/move_recipe.h"

namespace thunky::interp {
namespace {

using ptx::ir::Space;
using ptx::ir::Special;

Slot PartSlot(const Warp& w, const MicroOp* op, uint32_t k) {
  return w.frame->function->slots[op->target + k];
}

// Part k of a value is its bits from k * width on.
template <typename Whole, typename Part>
const MicroOp* ExecPack(Warp& w, const MicroOp* op) {
  Whole* d = w.Lanes<Whole>(op->d);
  constexpr uint32_t kParts = sizeof(Whole) / sizeof(Part);
  Whole result[kLanes] = {};
  for (uint32_t k = 0; k < kParts; ++k) {
    const Part* part = w.Lanes<Part>(PartSlot(w, op, k));
    for (int i = 0; i < kLanes; ++i) {
      result[i] |= static_cast<Whole>(Whole{part[i]} << (k * sizeof(Part) * 8));
    }
  }
  StoreLanes<Whole>(w, d, [&](int i) { return result[i]; });
  return op + 1;
}

template <typename Whole, typename Part>
const MicroOp* ExecUnpack(Warp& w, const MicroOp* op) {
  Whole a[kLanes];
  std::copy_n(w.Lanes<Whole>(op->a), kLanes, a);  // a part may be its own register
  constexpr uint32_t kParts = sizeof(Whole) / sizeof(Part);
  for (uint32_t k = 0; k < kParts; ++k) {
    StoreLanes<Part>(w, w.Lanes<Part>(PartSlot(w, op, k)), [&](int i) {
      return static_cast<Part>(a[i] >> (k * sizeof(Part) * 8));
    });
  }
  return op + 1;
}

// Four bytes, each in a cell of 16 bits.
const MicroOp* ExecPackBytes(Warp& w, const MicroOp* op) {
  uint32_t result[kLanes] = {};
  for (uint32_t k = 0; k < 4; ++k) {
    const uint16_t* part = w.Lanes<uint16_t>(PartSlot(w, op, k));
    for (int i = 0; i < kLanes; ++i) result[i] |= (part[i] & 0xffu) << (8 * k);
  }
  StoreLanes<uint32_t>(w, w.Lanes<uint32_t>(op->d), [&](int i) { return result[i]; });
  return op + 1;
}
const MicroOp* ExecUnpackBytes(Warp& w, const MicroOp* op) {
  uint32_t a[kLanes];
  std::copy_n(w.Lanes<uint32_t>(op->a), kLanes, a);
  for (uint32_t k = 0; k < 4; ++k) {
    StoreLanes<uint16_t>(w, w.Lanes<uint16_t>(PartSlot(w, op, k)), [&](int i) {
      return static_cast<uint16_t>((a[i] >> (8 * k)) & 0xffu);
    });
  }
  return op + 1;
}

template <typename To, typename From, int kSignBits>
To Resize(From a) {
  if constexpr (kSignBits == 0) return static_cast<To>(a);
  constexpr int kShift = 64 - (kSignBits == 0 ? 64 : kSignBits);
  return static_cast<To>(static_cast<int64_t>(uint64_t{a} << kShift) >> kShift);
}

template <typename To, typename From>
ExecFn ResizeFor(int sign_bits) {
  switch (sign_bits) {
    case 0:
      return VectorOp<Resize<To, From, 0>, To, From>();
    case 8:
      return VectorOp<Resize<To, From, 8>, To, From>();
    case 16:
      return VectorOp<Resize<To, From, 16>, To, From>();
    case 32:
      return VectorOp<Resize<To, From, 32>, To, From>();
    default:
      return nullptr;
  }
}

template <typename From>
ExecFn ResizeFrom(int to, int sign_bits) {
  switch (to) {
    case 16:
      return ResizeFor<uint16_t, From>(sign_bits);
    case 32:
      return ResizeFor<uint32_t, From>(sign_bits);
    case 64:
      return ResizeFor<uint64_t, From>(sign_bits);
    default:
      return nullptr;
  }
}

const MicroOp* ExecNegatePredicate(Warp& w, const MicroOp* op) {
  w.Predicate(op->d) = ~w.Predicate(op->a);
  return op + 1;
}

const MicroOp* ExecFrameAddress(Warp& w, const MicroOp* op) {
  const uint64_t value = w.frame->stack_base + static_cast<uint64_t>(op->imm);
  uint64_t* d = w.Lanes<uint64_t>(op->d);
  for (int i = 0; i < kLanes; ++i) d[i] = value;
  return op + 1;
}

uint64_t Nanoseconds() {
  return static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                   std::chrono::system_clock::now().time_since_epoch())
                                   .count());
}

// Operations that the launch has executed stand for cycles.
uint64_t Clock(const Warp& w) {
  return w.launch->steps + static_cast<uint64_t>(kTurn - w.fuel);
}

const MicroOp* ExecClock(Warp& w, const MicroOp* op) {
  uint64_t value = 0;
  switch (static_cast<Special>(op->extra)) {
    case Special::kClock:
    case Special::kClock64:
      value = Clock(w);
      break;
    case Special::kClockHi:
      value = Clock(w) >> 32;
      break;
    case Special::kGlobaltimerHi:
      value = Nanoseconds() >> 32;
      break;
    default:
      value = Nanoseconds();
      break;
  }
  uint64_t* d = w.Lanes<uint64_t>(op->d);
  for (int i = 0; i < kLanes; ++i) d[i] = value;
  w.Poll();  // loops on a clock are waits
  return op + 1;
}

template <typename U>
const MicroOp* ExecCvta(Warp& w, const MicroOp* op) {
  const auto& mod = op->source->mod;
  const U* a = w.Lanes<U>(op->a);
  U* d = w.Lanes<U>(op->d);
  ForLanes(w.active, [&](int i) {
    d[i] = static_cast<U>(mod.to ? FromGeneric(w, i, mod.space, a[i])
                                 : ToGeneric(w, i, mod.space, a[i]));
  });
  return op + 1;
}

// Between generic and global or constant: the same pointer.
const MicroOp* ExecSamePointer(Warp& w, const MicroOp* op) {
  const uint64_t* a = w.Lanes<uint64_t>(op->a);
  StoreLanes<uint64_t>(w, w.Lanes<uint64_t>(op->d), [=](int i) { return a[i]; });
  return op + 1;
}

const MicroOp* ExecIsspacep(Warp& w, const MicroOp* op) {
  const uint64_t* a = w.Lanes<uint64_t>(op->a);
  uint32_t result = 0;
  ForLanes(w.active, [&](int i) {
    result |= uint32_t{IsInSpace(w, i, op->source->mod.space, a[i])} << i;
  });
  StorePredicate(w, op->d, result);
  return op + 1;
}

}  // namespace

ExecFn PackFn(int whole, size_t parts) {
  const size_t part = static_cast<size_t>(whole) / parts;
  if (whole == 64 && part == 32) return &ExecPack<uint64_t, uint32_t>;
  if (whole == 64 && part == 16) return &ExecPack<uint64_t, uint16_t>;
  if (whole == 32 && part == 16) return &ExecPack<uint32_t, uint16_t>;
  if (whole == 32 && part == 8) return &ExecPackBytes;
  return nullptr;
}

ExecFn UnpackFn(int whole, size_t parts) {
  const size_t part = static_cast<size_t>(whole) / parts;
  if (whole == 64 && part == 32) return &ExecUnpack<uint64_t, uint32_t>;
  if (whole == 64 && part == 16) return &ExecUnpack<uint64_t, uint16_t>;
  if (whole == 32 && part == 16) return &ExecUnpack<uint32_t, uint16_t>;
  if (whole == 32 && part == 8) return &ExecUnpackBytes;
  return nullptr;
}

ExecFn ResizeFn(int to, int from, int sign_bits) {
  switch (from) {
    case 16:
      return ResizeFrom<uint16_t>(to, sign_bits);
    case 32:
      return ResizeFrom<uint32_t>(to, sign_bits);
    case 64:
      return ResizeFrom<uint64_t>(to, sign_bits);
    default:
      return nullptr;
  }
}

ExecFn NegatePredicateFn() { return &ExecNegatePredicate; }
ExecFn FrameAddressFn() { return &ExecFrameAddress; }
ExecFn ClockFn() { return &ExecClock; }

ExecFn CvtaFn(const ptx::ir::Instruction& in) {
  const Space space = in.mod.space;
  const bool same = space == Space::kGlobal || space == Space::kConst;
  if (ptx::ir::BitWidth(in.type) == 64)
    return same ? &ExecSamePointer : &ExecCvta<uint64_t>;
  return nullptr;
}

ExecFn IsspacepFn() { return &ExecIsspacep; }

}  // namespace thunky::interp
