// Integer arithmetic on 16, 32 and 64 bits.
#include <cstdint>
#include <limits>

#include "thunky/interp/lanes.h"
#include "thunky/interp/recipe.h"

namespace thunky::interp {
namespace {

using ptx::ir::Instruction;
using ptx::ir::MulPart;
using ptx::ir::Op;
using ptx::ir::Type;

// Unsigned arithmetic that does not promote to int.
template <typename T>
using Cell = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;

template <typename T>
Unsigned<T> Add(Unsigned<T> a, Unsigned<T> b) {
  return static_cast<Unsigned<T>>(a + b);
}
template <typename T>
Unsigned<T> Sub(Unsigned<T> a, Unsigned<T> b) {
  return static_cast<Unsigned<T>>(a - b);
}
uint32_t ClampS32(int64_t value) {
  if (value > std::numeric_limits<int32_t>::max()) return 0x7fffffffu;
  if (value < std::numeric_limits<int32_t>::min()) return 0x80000000u;
  return static_cast<uint32_t>(value);
}
int64_t Extend(uint32_t a) { return static_cast<int32_t>(a); }
uint32_t AddSat(uint32_t a, uint32_t b) { return ClampS32(Extend(a) + Extend(b)); }
uint32_t SubSat(uint32_t a, uint32_t b) { return ClampS32(Extend(a) - Extend(b)); }

template <typename T>
Unsigned<T> MulLo(Unsigned<T> a, Unsigned<T> b) {
  return static_cast<Unsigned<T>>(static_cast<Cell<T>>(a) * static_cast<Cell<T>>(b));
}

// The 2n-bit product of n-bit values.
template <typename T>
struct WideOf;
template <>
struct WideOf<uint16_t> {
  using Type = uint32_t;
};
template <>
struct WideOf<int16_t> {
  using Type = int32_t;
};
template <>
struct WideOf<uint32_t> {
  using Type = uint64_t;
};
template <>
struct WideOf<int32_t> {
  using Type = int64_t;
};
__extension__ using Uint128 = unsigned __int128;
__extension__ using Int128 = __int128;
template <>
struct WideOf<uint64_t> {
  using Type = Uint128;
};
template <>
struct WideOf<int64_t> {
  using Type = Int128;
};
template <typename T>
using Wide = typename WideOf<T>::Type;

template <typename T>
Wide<T> Product(Unsigned<T> a, Unsigned<T> b) {
  return static_cast<Wide<T>>(static_cast<T>(a)) *
         static_cast<Wide<T>>(static_cast<T>(b));
}
template <typename T>
Unsigned<T> MulHi(Unsigned<T> a, Unsigned<T> b) {
  return static_cast<Unsigned<T>>(Product<T>(a, b) >> (sizeof(T) * 8));
}
template <typename T>
Unsigned<Wide<T>> MulWide(Unsigned<T> a, Unsigned<T> b) {
  return static_cast<Unsigned<Wide<T>>>(Product<T>(a, b));
}
template <typename T>
Unsigned<T> MadLo(Unsigned<T> a, Unsigned<T> b, Unsigned<T> c) {
  return static_cast<Unsigned<T>>(MulLo<T>(a, b) + c);
}
template <typename T>
Unsigned<T> MadHi(Unsigned<T> a, Unsigned<T> b, Unsigned<T> c) {
  return static_cast<Unsigned<T>>(MulHi<T>(a, b) + c);
}
uint32_t MadHiSat(uint32_t a, uint32_t b, uint32_t c) {
  return ClampS32(Extend(MulHi<int32_t>(a, b)) + Extend(c));
}
template <typename T>
Unsigned<Wide<T>> MadWide(Unsigned<T> a, Unsigned<T> b, Unsigned<Wide<T>> c) {
  return MulWide<T>(a, b) + c;
}

// 24-bit forms: operands are the low 24 bits, extended by sign.
template <typename T>
int64_t Low24(uint32_t a) {
  if (std::is_signed_v<T>) return static_cast<int32_t>(a << 8) >> 8;
  return a & 0xffffffu;
}
template <typename T>
uint32_t Mul24Lo(uint32_t a, uint32_t b) {
  return static_cast<uint32_t>(Low24<T>(a) * Low24<T>(b));
}
template <typename T>
uint32_t Mul24Hi(uint32_t a, uint32_t b) {
  return static_cast<uint32_t>((Low24<T>(a) * Low24<T>(b)) >> 16);
}
template <typename T>
uint32_t Mad24Lo(uint32_t a, uint32_t b, uint32_t c) {
  return Mul24Lo<T>(a, b) + c;
}
template <typename T>
uint32_t Mad24Hi(uint32_t a, uint32_t b, uint32_t c) {
  return Mul24Hi<T>(a, b) + c;
}
uint32_t Mad24HiSat(uint32_t a, uint32_t b, uint32_t c) {
  return ClampS32(Extend(Mul24Hi<int32_t>(a, b)) + Extend(c));
}

// By zero, quotient and remainder are all ones, as on GPUs.
template <typename T>
Unsigned<T> Div(Unsigned<T> a, Unsigned<T> b) {
  if (b == 0) return static_cast<Unsigned<T>>(~Unsigned<T>{0});
  if constexpr (std::is_signed_v<T>) {
    if (static_cast<T>(b) == -1) return static_cast<Unsigned<T>>(0 - Cell<T>{a});
  }
  return static_cast<Unsigned<T>>(static_cast<T>(a) / static_cast<T>(b));
}
template <typename T>
Unsigned<T> Rem(Unsigned<T> a, Unsigned<T> b) {
  if (b == 0) return static_cast<Unsigned<T>>(~Unsigned<T>{0});
  if constexpr (std::is_signed_v<T>) {
    if (static_cast<T>(b) == -1) return 0;
  }
  return static_cast<Unsigned<T>>(static_cast<T>(a) % static_cast<T>(b));
}

template <typename T>
Unsigned<T> Abs(Unsigned<T> a) {
  return static_cast<T>(a) < 0 ? static_cast<Unsigned<T>>(0 - Cell<T>{a}) : a;
}
template <typename T>
Unsigned<T> Neg(Unsigned<T> a) {
  return static_cast<Unsigned<T>>(0 - Cell<T>{a});
}
template <typename T, bool kRelu>
Unsigned<T> Min(Unsigned<T> a, Unsigned<T> b) {
  const T r =
      static_cast<T>(a) < static_cast<T>(b) ? static_cast<T>(a) : static_cast<T>(b);
  return static_cast<Unsigned<T>>(kRelu && r < T{0} ? T{0} : r);
}
template <typename T, bool kRelu>
Unsigned<T> Max(Unsigned<T> a, Unsigned<T> b) {
  const T r =
      static_cast<T>(a) > static_cast<T>(b) ? static_cast<T>(a) : static_cast<T>(b);
  return static_cast<Unsigned<T>>(kRelu && r < T{0} ? T{0} : r);
}
template <typename T>
Unsigned<T> Sad(Unsigned<T> a, Unsigned<T> b, Unsigned<T> c) {
  const Cell<T> x = Cell<T>{a};
  const Cell<T> y = Cell<T>{b};
  const Cell<T> difference = static_cast<T>(a) < static_cast<T>(b) ? y - x : x - y;
  return static_cast<Unsigned<T>>(difference + c);
}

// With the CC bit: kind is add, sub, mad.lo or mad.hi.
enum class CarryKind { kAdd, kSub, kMadLo, kMadHi };

template <typename U, CarryKind kKind>
const MicroOp* WithCarry(Warp& w, const MicroOp* op) {
  const auto& mod = op->source->mod;
  uint32_t& cc = *reinterpret_cast<uint32_t*>(w.base[Slot::kFrame] + kCarryOffset);
  const U* a = w.Lanes<U>(op->a);
  const U* b = w.Lanes<U>(op->b);
  const U* c = w.Lanes<U>(op->c);
  U* d = w.Lanes<U>(op->d);
  const bool is_signed = ptx::ir::IsSigned(op->source->type);
  uint32_t carries = 0;
  ForLanes(w.active, [&](int i) {
    const U in = mod.carry_in ? (cc >> i) & 1u : 0u;
    U x = a[i];
    U y = b[i];
    if constexpr (kKind == CarryKind::kMadLo) x = a[i] * b[i], y = c[i];
    if constexpr (kKind == CarryKind::kMadHi) {
      x = is_signed ? MulHi<std::make_signed_t<U>>(a[i], b[i]) : MulHi<U>(a[i], b[i]);
      y = c[i];
    }
    U result = 0;
    bool carry = false;
    if constexpr (kKind == CarryKind::kSub) {
      result = x - y - in;
      carry = x < y || (x == y && in != 0);
    } else {
      const U sum = x + y;
      result = sum + in;
      carry = sum < x || result < sum;
    }
    d[i] = result;
    carries |= uint32_t{carry} << i;
  });
  if (mod.carry_out) cc = (cc & ~w.active) | carries;
  return op + 1;
}

template <typename U>
Recipe CarryRecipe(const Instruction& in) {
  switch (in.op) {
    case Op::kAdd:
      return Uniform<U>(&WithCarry<U, CarryKind::kAdd>, 2);
    case Op::kSub:
      return Uniform<U>(&WithCarry<U, CarryKind::kSub>, 2);
    case Op::kMad:
      return Uniform<U>(in.mod.part == MulPart::kHi ? &WithCarry<U, CarryKind::kMadHi>
                                                    : &WithCarry<U, CarryKind::kMadLo>,
                        3);
    default:
      return {};
  }
}

template <typename T>
Recipe Multiply(const Instruction& in) {
  using U = Unsigned<T>;
  if (in.mod.part == MulPart::kHi) return Uniform<U>(VectorOp<MulHi<T>, U, U, U>(), 2);
  if (in.mod.part != MulPart::kWide) return Uniform<U>(VectorOp<MulLo<T>, U, U, U>(), 2);
  if constexpr (sizeof(T) < 8) {
    Recipe recipe = Uniform<U>(VectorOp<MulWide<T>, Unsigned<Wide<T>>, U, U>(), 2);
    recipe.dst[0] = sizeof(T) * 16;
    return recipe;
  }
  return {};
}

template <typename T>
Recipe MultiplyAdd(const Instruction& in) {
  using U = Unsigned<T>;
  if (in.mod.part == MulPart::kHi) {
    if (in.mod.sat && in.type != Type::kS32) return {};
    if (in.mod.sat) {
      return Uniform<uint32_t>(
          VectorOp<MadHiSat, uint32_t, uint32_t, uint32_t, uint32_t>(), 3);
    }
    return Uniform<U>(VectorOp<MadHi<T>, U, U, U, U>(), 3);
  }
  if (in.mod.part != MulPart::kWide) {
    return Uniform<U>(VectorOp<MadLo<T>, U, U, U, U>(), 3);
  }
  if constexpr (sizeof(T) < 8) {
    using W = Unsigned<Wide<T>>;
    Recipe recipe = Uniform<U>(VectorOp<MadWide<T>, W, U, U, W>(), 3);
    recipe.dst[0] = recipe.src[2] = sizeof(T) * 16;
    return recipe;
  }
  return {};
}

Recipe Multiply24(const Instruction& in) {
  using U = uint32_t;
  const bool is_signed = in.type == Type::kS32;
  const bool high = in.mod.part == MulPart::kHi;
  if (in.op == Op::kMul24) {
    if (high) {
      return Uniform<U>(is_signed ? VectorOp<Mul24Hi<int32_t>, U, U, U>()
                                  : VectorOp<Mul24Hi<U>, U, U, U>(),
                        2);
    }
    return Uniform<U>(is_signed ? VectorOp<Mul24Lo<int32_t>, U, U, U>()
                                : VectorOp<Mul24Lo<U>, U, U, U>(),
                      2);
  }
  if (in.mod.sat) return Uniform<U>(VectorOp<Mad24HiSat, U, U, U, U>(), 3);
  if (high) {
    return Uniform<U>(is_signed ? VectorOp<Mad24Hi<int32_t>, U, U, U, U>()
                                : VectorOp<Mad24Hi<U>, U, U, U, U>(),
                      3);
  }
  return Uniform<U>(is_signed ? VectorOp<Mad24Lo<int32_t>, U, U, U, U>()
                              : VectorOp<Mad24Lo<U>, U, U, U, U>(),
                    3);
}

template <typename T>
Recipe MinMax(const Instruction& in) {
  using U = Unsigned<T>;
  const bool min = in.op == Op::kMin;
  if (in.mod.relu) {
    return Uniform<U>(
        min ? VectorOp<Min<T, true>, U, U, U>() : VectorOp<Max<T, true>, U, U, U>(), 2);
  }
  return Uniform<U>(
      min ? VectorOp<Min<T, false>, U, U, U>() : VectorOp<Max<T, false>, U, U, U>(), 2);
}

Recipe Saturating(const Instruction& in) {
  using U = uint32_t;
  if (in.type != Type::kS32) return {};
  return Uniform<U>(
      in.op == Op::kAdd ? VectorOp<AddSat, U, U, U>() : VectorOp<SubSat, U, U, U>(), 2);
}

template <typename T>
Recipe Plain(const Instruction& in) {
  using U = Unsigned<T>;
  switch (in.op) {
    case Op::kAdd:
      return in.mod.sat ? Saturating(in) : Uniform<U>(VectorOp<Add<T>, U, U, U>(), 2);
    case Op::kSub:
      return in.mod.sat ? Saturating(in) : Uniform<U>(VectorOp<Sub<T>, U, U, U>(), 2);
    case Op::kMul:
      return Multiply<T>(in);
    case Op::kMad:
      return MultiplyAdd<T>(in);
    case Op::kDiv:
      return Uniform<U>(EachOp<Div<T>, U, U, U>(), 2);
    case Op::kRem:
      return Uniform<U>(EachOp<Rem<T>, U, U, U>(), 2);
    case Op::kAbs:
      return Uniform<U>(VectorOp<Abs<T>, U, U>(), 1);
    case Op::kNeg:
      return Uniform<U>(VectorOp<Neg<T>, U, U>(), 1);
    case Op::kMin:
    case Op::kMax:
      return MinMax<T>(in);
    case Op::kSad:
      return Uniform<U>(VectorOp<Sad<T>, U, U, U, U>(), 3);
    default:
      return {};
  }
}

}  // namespace

Recipe IntegerRecipe(const Instruction& in) {
  if (in.op == Op::kMul24 || in.op == Op::kMad24) return Multiply24(in);
  if (in.mod.carry_in || in.mod.carry_out) {
    switch (ptx::ir::BitWidth(in.type)) {
      case 32:
        return CarryRecipe<uint32_t>(in);
      case 64:
        return CarryRecipe<uint64_t>(in);
      default:
        return {};
    }
  }
  return VisitInteger(in.type, [&]<typename T>(T) { return Plain<T>(in); });
}

}  // namespace thunky::interp
