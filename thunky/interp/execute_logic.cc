// Logic, shifts, byte permutation, selection and copies.
#include <cstdint>

#include "thunky/interp/lanes.h"
#include "thunky/interp/recipe.h"

namespace thunky::interp {
namespace {

using ptx::ir::BitWidth;
using ptx::ir::BoolOp;
using ptx::ir::Instruction;
using ptx::ir::Op;
using ptx::ir::PrmtMode;
using ptx::ir::Type;

template <typename U>
U And(U a, U b) {
  return a & b;
}
template <typename U>
U Or(U a, U b) {
  return a | b;
}
template <typename U>
U Xor(U a, U b) {
  return a ^ b;
}
template <typename U>
U Not(U a) {
  return static_cast<U>(~a);
}
template <typename U>
U Cnot(U a) {
  return a == 0 ? U{1} : U{0};
}
template <typename U>
U Copy(U a) {
  return a;
}

// Amounts of the width or more shift everything out.
template <typename U>
U Shl(U a, uint32_t b) {
  constexpr uint32_t kWidth = sizeof(U) * 8;
  return b < kWidth ? static_cast<U>(uint64_t{a} << (b & (kWidth - 1))) : U{0};
}
template <typename T>
Unsigned<T> Shr(Unsigned<T> a, uint32_t b) {
  constexpr uint32_t kWidth = sizeof(T) * 8;
  if constexpr (std::is_signed_v<T>) {
    const uint32_t amount = b < kWidth ? b : kWidth - 1;
    return static_cast<Unsigned<T>>(static_cast<T>(a) >> amount);
  } else {
    return b < kWidth ? static_cast<T>(a >> (b & (kWidth - 1))) : T{0};
  }
}

// Funnel shifts of the 64-bit value {b, a}.
template <bool kLeft, bool kWrap>
uint32_t Shf(uint32_t a, uint32_t b, uint32_t c) {
  const uint64_t both = (uint64_t{b} << 32) | a;
  const uint32_t amount = kWrap ? c & 31u : (c < 32u ? c : 32u);
  return static_cast<uint32_t>(kLeft ? (both << amount) >> 32 : both >> amount);
}

// Selector values of the prmt modes, four bits a result byte.
uint32_t PrmtSelector(PrmtMode mode, uint32_t c) {
  static constexpr uint16_t kTable[6][4] = {
      {0x3210, 0x4321, 0x5432, 0x6543},  // .f4e
      {0x5670, 0x6701, 0x7012, 0x0123},  // .b4e
      {0x0000, 0x1111, 0x2222, 0x3333},  // .rc8
      {0x3210, 0x3211, 0x3222, 0x3333},  // .ecl
      {0x0000, 0x1110, 0x2210, 0x3210},  // .ecr
      {0x1010, 0x3232, 0x1010, 0x3232},  // .rc16
  };
  if (mode == PrmtMode::kNone) return c;
  return kTable[static_cast<int>(mode) - 1][c & 3u];
}

uint32_t Permute(uint32_t a, uint32_t b, uint32_t selector) {
  const uint64_t bytes = (uint64_t{b} << 32) | a;
  uint32_t result = 0;
  for (int i = 0; i < 4; ++i) {
    const uint32_t s = (selector >> (4 * i)) & 0xfu;
    uint32_t byte = static_cast<uint32_t>(bytes >> (8 * (s & 7u))) & 0xffu;
    if ((s & 8u) != 0) byte = (byte & 0x80u) != 0 ? 0xffu : 0u;
    result |= byte << (8 * i);
  }
  return result;
}

const MicroOp* ExecPrmt(Warp& w, const MicroOp* op) {
  const PrmtMode mode = op->source->mod.prmt;
  const uint32_t* a = w.Lanes<uint32_t>(op->a);
  const uint32_t* b = w.Lanes<uint32_t>(op->b);
  const uint32_t* c = w.Lanes<uint32_t>(op->c);
  uint32_t* d = w.Lanes<uint32_t>(op->d);
  ForLanes(w.active,
           [&](int i) { d[i] = Permute(a[i], b[i], PrmtSelector(mode, c[i])); });
  return op + 1;
}

uint32_t Lop3(uint32_t a, uint32_t b, uint32_t c, uint32_t table) {
  uint32_t result = 0;
  if ((table & 0x01u) != 0) result |= ~a & ~b & ~c;
  if ((table & 0x02u) != 0) result |= ~a & ~b & c;
  if ((table & 0x04u) != 0) result |= ~a & b & ~c;
  if ((table & 0x08u) != 0) result |= ~a & b & c;
  if ((table & 0x10u) != 0) result |= a & ~b & ~c;
  if ((table & 0x20u) != 0) result |= a & ~b & c;
  if ((table & 0x40u) != 0) result |= a & b & ~c;
  if ((table & 0x80u) != 0) result |= a & b & c;
  return result;
}

// d = lop3(a, b, c); p = (d != 0) BoolOp q. The predicate operand q is the fifth
// source, kept in `extra`'s slot.
const MicroOp* ExecLop3(Warp& w, const MicroOp* op) {
  const uint32_t* a = w.Lanes<uint32_t>(op->a);
  const uint32_t* b = w.Lanes<uint32_t>(op->b);
  const uint32_t* c = w.Lanes<uint32_t>(op->c);
  const uint32_t* table = w.Lanes<uint32_t>(op->e);
  uint32_t* d = w.Lanes<uint32_t>(op->d);
  uint32_t nonzero = 0;
  ForLanes(w.active, [&](int i) {
    d[i] = Lop3(a[i], b[i], c[i], table[i]);
    nonzero |= uint32_t{d[i] != 0} << i;
  });
  if (op->source->dst.size() > 1) {
    const uint32_t q = w.Predicate(w.frame->function->slots[op->target]);
    StorePredicate(w, op->d2,
                   op->source->mod.bool_op == BoolOp::kAnd ? nonzero & q : nonzero | q);
  }
  return op + 1;
}

template <uint32_t (*F)(uint32_t, uint32_t)>
const MicroOp* PredicateBinary(Warp& w, const MicroOp* op) {
  StorePredicate(w, op->d, F(w.Predicate(op->a), w.Predicate(op->b)));
  return op + 1;
}
const MicroOp* PredicateNot(Warp& w, const MicroOp* op) {
  StorePredicate(w, op->d, ~w.Predicate(op->a));
  return op + 1;
}
const MicroOp* PredicateCopy(Warp& w, const MicroOp* op) {
  StorePredicate(w, op->d, w.Predicate(op->a));
  return op + 1;
}
const MicroOp* PredicateSelect(Warp& w, const MicroOp* op) {
  const uint32_t p = w.Predicate(op->c);
  StorePredicate(w, op->d, (w.Predicate(op->a) & p) | (w.Predicate(op->b) & ~p));
  return op + 1;
}

template <typename U>
THUNKY_INLINE void SelectLanes(Warp& w, const MicroOp* op) {
  const U* a = w.Lanes<U>(op->a);
  const U* b = w.Lanes<U>(op->b);
  const uint32_t p = w.Predicate(op->c);
  StoreLanes<U>(w, w.Lanes<U>(op->d),
                [=](int i) { return (p & kLaneBits.bit[i]) != 0 ? a[i] : b[i]; });
}
template <typename U>
const MicroOp* SelectBase(Warp& w, const MicroOp* op) {
  SelectLanes<U>(w, op);
  return op + 1;
}
template <typename U>
THUNKY_WIDE_LANES const MicroOp* SelectWide(Warp& w, const MicroOp* op) {
  SelectLanes<U>(w, op);
  return op + 1;
}

// slct: a where c >= 0, else b.
template <typename U>
U SlctS32(U a, U b, uint32_t c) {
  return static_cast<int32_t>(c) >= 0 ? a : b;
}
template <typename U, bool kFtz>
U SlctF32(U a, U b, uint32_t c) {
  return AsFloat(kFtz ? FlushF32(c) : c) >= 0.0f ? a : b;
}

template <typename U>
Recipe Slct(const Instruction& in) {
  constexpr uint8_t kWidth = sizeof(U) * 8;
  ExecFn fn = VectorOp<SlctS32<U>, U, U, U, uint32_t>();
  if (in.src_type == Type::kF32) {
    fn = in.mod.ftz ? VectorOp<SlctF32<U, true>, U, U, U, uint32_t>()
                    : VectorOp<SlctF32<U, false>, U, U, U, uint32_t>();
  }
  return {fn, {kWidth}, {kWidth, kWidth, 32}};
}

template <typename U>
Recipe ShiftRight(const Instruction& in) {
  using S = std::make_signed_t<U>;
  constexpr uint8_t kWidth = sizeof(U) * 8;
  return {ptx::ir::IsSigned(in.type) ? VectorOp<Shr<S>, U, U, uint32_t>()
                                     : VectorOp<Shr<U>, U, U, uint32_t>(),
          {kWidth},
          {kWidth, 32}};
}

template <typename U>
Recipe ForWidth(const Instruction& in) {
  constexpr uint8_t kWidth = sizeof(U) * 8;
  switch (in.op) {
    case Op::kAnd:
      return Uniform<U>(VectorOp<And<U>, U, U, U>(), 2);
    case Op::kOr:
      return Uniform<U>(VectorOp<Or<U>, U, U, U>(), 2);
    case Op::kXor:
      return Uniform<U>(VectorOp<Xor<U>, U, U, U>(), 2);
    case Op::kNot:
      return Uniform<U>(VectorOp<Not<U>, U, U>(), 1);
    case Op::kCnot:
      return Uniform<U>(VectorOp<Cnot<U>, U, U>(), 1);
    case Op::kShl:
      return {VectorOp<Shl<U>, U, U, uint32_t>(), {kWidth}, {kWidth, 32}};
    case Op::kShr:
      return ShiftRight<U>(in);
    case Op::kMov:
      return Uniform<U>(VectorOp<Copy<U>, U, U>(), 1);
    case Op::kSelp:
      return {HasWideLanes() ? &SelectWide<U> : &SelectBase<U>,
              {kWidth},
              {kWidth, kWidth, 1}};
    case Op::kSlct:
      return Slct<U>(in);
    default:
      return {};
  }
}

Recipe ForPredicate(const Instruction& in) {
  switch (in.op) {
    case Op::kAnd:
      return {&PredicateBinary<And<uint32_t>>, {1}, {1, 1}};
    case Op::kOr:
      return {&PredicateBinary<Or<uint32_t>>, {1}, {1, 1}};
    case Op::kXor:
      return {&PredicateBinary<Xor<uint32_t>>, {1}, {1, 1}};
    case Op::kNot:
      return {&PredicateNot, {1}, {1}};
    case Op::kMov:
      return {&PredicateCopy, {1}, {1}};
    case Op::kSelp:
      return {&PredicateSelect, {1}, {1, 1, 1}};
    default:
      return {};
  }
}

Recipe Funnel(const Instruction& in) {
  using U = uint32_t;
  if (in.mod.left) {
    return Uniform<U>(in.mod.wrap ? VectorOp<Shf<true, true>, U, U, U, U>()
                                  : VectorOp<Shf<true, false>, U, U, U, U>(),
                      3);
  }
  return Uniform<U>(in.mod.wrap ? VectorOp<Shf<false, true>, U, U, U, U>()
                                : VectorOp<Shf<false, false>, U, U, U, U>(),
                    3);
}

}  // namespace

Recipe LogicRecipe(const Instruction& in) {
  switch (in.op) {
    case Op::kShf:
      return Funnel(in);
    case Op::kPrmt:
      return Uniform<uint32_t>(&ExecPrmt, 3);
    case Op::kLop3: {
      Recipe recipe = Uniform<uint32_t>(&ExecLop3, 4);
      recipe.dst[1] = 1;
      return recipe;
    }
    default:
      break;
  }
  switch (BitWidth(in.type)) {
    case 1:
      return ForPredicate(in);
    case 16:
      return ForWidth<uint16_t>(in);
    case 32:
      return ForWidth<uint32_t>(in);
    case 64:
      return ForWidth<uint64_t>(in);
    default:
      return {};
  }
}

}  // namespace thunky::interp
