// atom and red: lanes one after another, each with a real atomic operation, since
// other host threads may run kernels on the same memory.
#include <algorithm>
#include <cstdint>

#include "thunky/interp/lanes.h"
#include "thunky/interp/launch_state.h"
#include "thunky/interp/memory_recipe.h"
#include "thunky/interp/recipe.h"

namespace thunky::interp {
namespace {

using ptx::ir::AtomOp;
using ptx::ir::BitWidth;
using ptx::ir::Instruction;
using ptx::ir::IsSigned;
using ptx::ir::Space;
using ptx::ir::Type;

// new = F(old, operand, in_shared)
template <typename U>
using Update = U (*)(U old, U operand, bool in_shared);

template <typename U>
U Add(U old, U b, bool) {
  return static_cast<U>(old + b);
}
template <typename U>
U And(U old, U b, bool) {
  return old & b;
}
template <typename U>
U Or(U old, U b, bool) {
  return old | b;
}
template <typename U>
U Xor(U old, U b, bool) {
  return old ^ b;
}
template <typename U>
U Replace(U, U b, bool) {
  return b;
}
template <typename T>
Unsigned<T> Min(Unsigned<T> old, Unsigned<T> b, bool) {
  return static_cast<T>(b) < static_cast<T>(old) ? b : old;
}
template <typename T>
Unsigned<T> Max(Unsigned<T> old, Unsigned<T> b, bool) {
  return static_cast<T>(b) > static_cast<T>(old) ? b : old;
}
uint32_t Inc(uint32_t old, uint32_t b, bool) { return old >= b ? 0 : old + 1; }
uint32_t Dec(uint32_t old, uint32_t b, bool) { return old == 0 || old > b ? b : old - 1; }

// Subnormals are flushed in global memory and kept in shared.
uint32_t AddF32(uint32_t old, uint32_t b, bool in_shared) {
  if (!in_shared) old = FlushF32(old), b = FlushF32(b);
  const uint32_t sum = CanonicalF32(ToBits(AsFloat(old) + AsFloat(b)));
  return in_shared ? sum : FlushF32(sum);
}
uint64_t AddF64(uint64_t old, uint64_t b, bool) {
  return ToBits(AsDouble(old) + AsDouble(b));
}
uint16_t AddF16(uint16_t old, uint16_t b, bool) {
  return EncodeF16(AddToOdd(DecodeF16(old), DecodeF16(b)));
}
uint16_t AddBF16(uint16_t old, uint16_t b, bool) {
  return EncodeBF16(AddToOdd(DecodeBF16(old), DecodeBF16(b)));
}
template <uint16_t (*F)(uint16_t, uint16_t, bool)>
uint32_t AddPair(uint32_t old, uint32_t b, bool in_shared) {
  const uint32_t low = F(static_cast<uint16_t>(old), static_cast<uint16_t>(b), in_shared);
  const uint32_t high =
      F(static_cast<uint16_t>(old >> 16), static_cast<uint16_t>(b >> 16), in_shared);
  return (high << 16) | low;
}

template <typename U>
bool Prepare(Warp& w, const MicroOp* op) {
  w.Poll();
  return Translate(w, op, ModeOf(op),
                   {op->source->mod.space, sizeof(U), AccessKind::kAtomic, true});
}

template <typename U, Update<U> F>
const MicroOp* ExecUpdate(Warp& w, const MicroOp* op) {
  if (!Prepare<U>(w, op)) return nullptr;
  const U* b = w.Lanes<U>(op->b);
  U* d = w.Lanes<U>(op->d);
  const bool has_result = !op->source->dst.empty();
  ForLanes(w.active, [&](int i) {
    U* p = reinterpret_cast<U*>(w.address[i]);
    const bool in_shared = IsInSpace(w, i, Space::kShared, w.address[i]);
    U old = __atomic_load_n(p, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(p, &old, F(old, b[i], in_shared), true,
                                        __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)) {
    }
    if (has_result) d[i] = old;
  });
  return op + 1;
}

template <typename U>
const MicroOp* ExecCas(Warp& w, const MicroOp* op) {
  if (!Prepare<U>(w, op)) return nullptr;
  const U* b = w.Lanes<U>(op->b);
  const U* c = w.Lanes<U>(op->c);
  U* d = w.Lanes<U>(op->d);
  ForLanes(w.active, [&](int i) {
    U expected = b[i];
    __atomic_compare_exchange_n(reinterpret_cast<U*>(w.address[i]), &expected, c[i],
                                false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    d[i] = expected;
  });
  return op + 1;
}

ExecFn FloatAdd(Type type) {
  switch (type) {
    case Type::kF32:
      return &ExecUpdate<uint32_t, AddF32>;
    case Type::kF64:
      return &ExecUpdate<uint64_t, AddF64>;
    case Type::kF16:
      return &ExecUpdate<uint16_t, AddF16>;
    case Type::kBF16:
      return &ExecUpdate<uint16_t, AddBF16>;
    case Type::kF16x2:
      return &ExecUpdate<uint32_t, AddPair<AddF16>>;
    case Type::kBF16x2:
      return &ExecUpdate<uint32_t, AddPair<AddBF16>>;
    default:
      return nullptr;
  }
}

template <typename T>
ExecFn IntegerUpdate(AtomOp op) {
  using U = Unsigned<T>;
  switch (op) {
    case AtomOp::kAdd:
      return &ExecUpdate<U, Add<U>>;
    case AtomOp::kAnd:
      return &ExecUpdate<U, And<U>>;
    case AtomOp::kOr:
      return &ExecUpdate<U, Or<U>>;
    case AtomOp::kXor:
      return &ExecUpdate<U, Xor<U>>;
    case AtomOp::kExch:
      return &ExecUpdate<U, Replace<U>>;
    case AtomOp::kCas:
      return &ExecCas<U>;
    case AtomOp::kMin:
      return &ExecUpdate<U, Min<T>>;
    case AtomOp::kMax:
      return &ExecUpdate<U, Max<T>>;
    default:
      return nullptr;
  }
}

}  // namespace

ExecFn AtomicFn(const Instruction& in) {
  const AtomOp op = in.mod.atom;
  if (op == AtomOp::kAdd && ptx::ir::IsFloat(in.type)) return FloatAdd(in.type);
  if (op == AtomOp::kInc) return &ExecUpdate<uint32_t, Inc>;
  if (op == AtomOp::kDec) return &ExecUpdate<uint32_t, Dec>;
  switch (BitWidth(in.type)) {
    case 16:
      return op == AtomOp::kCas ? &ExecCas<uint16_t> : nullptr;
    case 32:
      return IsSigned(in.type) ? IntegerUpdate<int32_t>(op) : IntegerUpdate<uint32_t>(op);
    case 64:
      return IsSigned(in.type) ? IntegerUpdate<int64_t>(op) : IntegerUpdate<uint64_t>(op);
    default:
      return nullptr;
  }
}

}  // namespace thunky::interp
