// Bit counting, bit fields, masks, packed dot products and packed 16-bit integers.
#include <algorithm>
#include <bit>
#include <cstdint>

#include "thunky/interp/lanes.h"
#include "thunky/interp/recipe.h"

namespace thunky::interp {
namespace {

using ptx::ir::Instruction;
using ptx::ir::IsSigned;
using ptx::ir::Op;
using ptx::ir::Type;

template <typename U>
uint32_t Popc(U a) {
  return static_cast<uint32_t>(std::popcount(a));
}
template <typename U>
uint32_t Clz(U a) {
  return static_cast<uint32_t>(std::countl_zero(a));
}

// Position of the most significant bit that differs from the sign; all ones when
// there is none.
template <typename T, bool kShiftAmount>
uint32_t Bfind(Unsigned<T> a) {
  const Unsigned<T> bits = static_cast<T>(a) < 0 ? static_cast<Unsigned<T>>(~a) : a;
  if (bits == 0) return 0xffffffffu;
  const int clear = std::countl_zero(bits);
  return static_cast<uint32_t>(
      kShiftAmount ? clear : static_cast<int>(sizeof(T)) * 8 - 1 - clear);
}

template <typename U>
U Brev(U a) {
  U result = 0;
  for (int i = 0; i < static_cast<int>(sizeof(U)) * 8; ++i) {
    result = static_cast<U>((result << 1) | ((a >> i) & 1u));
  }
  return result;
}

// The n-th set bit from position `base`, upwards for n > 0, downwards for n < 0.
uint32_t Fns(uint32_t mask, uint32_t base, uint32_t offset) {
  const int32_t n = static_cast<int32_t>(offset);
  if (base > 31) return 0xffffffffu;
  if (n == 0) return ((mask >> base) & 1u) != 0 ? base : 0xffffffffu;
  const int step = n > 0 ? 1 : -1;
  int64_t left = n > 0 ? n : -int64_t{n};
  for (int i = static_cast<int>(base); i >= 0 && i < 32; i += step) {
    if (((mask >> i) & 1u) != 0 && --left == 0) return static_cast<uint32_t>(i);
  }
  return 0xffffffffu;
}

// Only the low bytes of position and length count; bits above the value read as its
// sign (signed) or zero.
template <typename T>
Unsigned<T> Bfe(Unsigned<T> a, uint32_t b, uint32_t c) {
  using U = Unsigned<T>;
  constexpr uint32_t kWidth = sizeof(T) * 8;
  const uint32_t position = b & 0xffu;
  const uint32_t length = c & 0xffu;
  if (length == 0) return 0;
  const uint32_t top = std::min(position + length - 1, kWidth - 1);
  const bool fill = std::is_signed_v<T> && ((a >> top) & 1u) != 0;
  const U shifted = position < kWidth ? a >> position : U{0};
  const uint32_t available = position < kWidth ? kWidth - position : 0;
  const uint32_t kept = std::min(length, available);
  const U field = kept < kWidth ? (U{1} << kept) - 1 : ~U{0};
  return (shifted & field) | (fill ? ~field : U{0});
}

template <typename U>
U Bfi(U a, U b, uint32_t c, uint32_t length_operand) {
  constexpr uint32_t kWidth = sizeof(U) * 8;
  const uint32_t position = c & 0xffu;
  const uint32_t length = length_operand & 0xffu;
  if (length == 0 || position >= kWidth) return b;
  const U field = length < kWidth ? (U{1} << length) - 1 : ~U{0};
  const U mask = field << position;
  return (b & ~mask) | ((a << position) & mask);
}

template <typename U>
const MicroOp* ExecBfi(Warp& w, const MicroOp* op) {
  const U* a = w.Lanes<U>(op->a);
  const U* b = w.Lanes<U>(op->b);
  const uint32_t* c = w.Lanes<uint32_t>(op->c);
  const uint32_t* e = w.Lanes<uint32_t>(op->e);
  U* d = w.Lanes<U>(op->d);
  ForLanes(w.active, [&](int i) { d[i] = Bfi<U>(a[i], b[i], c[i], e[i]); });
  return op + 1;
}

// `length` ones from `position` on.
uint32_t Mask(uint32_t position, uint32_t length) {
  if (position >= 32 || length == 0) return 0;
  const uint32_t ones = length >= 32 ? 0xffffffffu : (1u << length) - 1;
  return ones << position;
}
uint32_t BmskClamp(uint32_t a, uint32_t b) { return Mask(a, b); }
uint32_t BmskWrap(uint32_t a, uint32_t b) { return Mask(a & 31u, b & 31u); }

// Keeps the low n bits, extended by their sign or by zeros.
template <bool kSigned>
uint32_t Extend(uint32_t a, uint32_t n) {
  if (n >= 32) return a;
  if (n == 0) return 0;
  const uint32_t field = (1u << n) - 1;
  const bool fill = kSigned && ((a >> (n - 1)) & 1u) != 0;
  return (a & field) | (fill ? ~field : 0u);
}
template <bool kSigned>
uint32_t SzextClamp(uint32_t a, uint32_t b) {
  return Extend<kSigned>(a, b);
}
template <bool kSigned>
uint32_t SzextWrap(uint32_t a, uint32_t b) {
  return Extend<kSigned>(a, b & 31u);
}

// Element i of `bits`, of a signed or unsigned type.
int32_t Element(uint32_t bits, int width, int i, bool is_signed) {
  const uint32_t value = (bits >> (i * width)) & ((1u << width) - 1);
  const bool negative = is_signed && ((value >> (width - 1)) & 1u) != 0;
  return static_cast<int32_t>(value) - (negative ? 1 << width : 0);
}

const MicroOp* ExecDp4a(Warp& w, const MicroOp* op) {
  const bool a_signed = IsSigned(op->source->type);
  const bool b_signed = IsSigned(op->source->src_type);
  const uint32_t* a = w.Lanes<uint32_t>(op->a);
  const uint32_t* b = w.Lanes<uint32_t>(op->b);
  const uint32_t* c = w.Lanes<uint32_t>(op->c);
  uint32_t* d = w.Lanes<uint32_t>(op->d);
  ForLanes(w.active, [&](int i) {
    uint32_t sum = c[i];
    for (int k = 0; k < 4; ++k) {
      sum += static_cast<uint32_t>(Element(a[i], 8, k, a_signed) *
                                   Element(b[i], 8, k, b_signed));
    }
    d[i] = sum;
  });
  return op + 1;
}

// Two 16-bit values of a with the lower or upper two bytes of b.
const MicroOp* ExecDp2a(Warp& w, const MicroOp* op) {
  const bool a_signed = IsSigned(op->source->type);
  const bool b_signed = IsSigned(op->source->src_type);
  const int first = op->source->mod.part == ptx::ir::MulPart::kHi ? 2 : 0;
  const uint32_t* a = w.Lanes<uint32_t>(op->a);
  const uint32_t* b = w.Lanes<uint32_t>(op->b);
  const uint32_t* c = w.Lanes<uint32_t>(op->c);
  uint32_t* d = w.Lanes<uint32_t>(op->d);
  ForLanes(w.active, [&](int i) {
    uint32_t sum = c[i];
    for (int k = 0; k < 2; ++k) {
      sum += static_cast<uint32_t>(Element(a[i], 16, k, a_signed) *
                                   Element(b[i], 8, first + k, b_signed));
    }
    d[i] = sum;
  });
  return op + 1;
}

template <typename T>
Recipe ForType(const Instruction& in) {
  using U = Unsigned<T>;
  constexpr uint8_t kWidth = sizeof(T) * 8;
  if constexpr (sizeof(T) >= 4) {
    switch (in.op) {
      case Op::kPopc:
        return {EachOp<Popc<U>, uint32_t, U>(), {32}, {kWidth}};
      case Op::kClz:
        return {EachOp<Clz<U>, uint32_t, U>(), {32}, {kWidth}};
      case Op::kBfind:
        return {in.mod.shiftamt ? EachOp<Bfind<T, true>, uint32_t, U>()
                                : EachOp<Bfind<T, false>, uint32_t, U>(),
                {32},
                {kWidth}};
      case Op::kBrev:
        return Uniform<U>(EachOp<Brev<U>, U, U>(), 1);
      case Op::kBfe:
        return {EachOp<Bfe<T>, U, U, uint32_t, uint32_t>(), {kWidth}, {kWidth, 32, 32}};
      case Op::kBfi:
        return {&ExecBfi<U>, {kWidth}, {kWidth, kWidth, 32, 32}};
      default:
        return {};
    }
  }
  return {};
}

Recipe MaskRecipe(const Instruction& in) {
  using U = uint32_t;
  if (in.op == Op::kBmsk) {
    return Uniform<U>(
        in.mod.wrap ? EachOp<BmskWrap, U, U, U>() : EachOp<BmskClamp, U, U, U>(), 2);
  }
  const bool is_signed = in.type == Type::kS32;
  if (in.mod.wrap) {
    return Uniform<U>(is_signed ? EachOp<SzextWrap<true>, U, U, U>()
                                : EachOp<SzextWrap<false>, U, U, U>(),
                      2);
  }
  return Uniform<U>(is_signed ? EachOp<SzextClamp<true>, U, U, U>()
                              : EachOp<SzextClamp<false>, U, U, U>(),
                    2);
}

// Applies an operation to both halves of a word.
template <bool kSigned, Op kOp, bool kRelu>
uint32_t Packed(uint32_t a, uint32_t b) {
  uint32_t result = 0;
  for (int i = 0; i < 2; ++i) {
    const int32_t x = Element(a, 16, i, kSigned);
    const int32_t y = Element(b, 16, i, kSigned);
    int32_t r = 0;
    if constexpr (kOp == Op::kAdd) r = x + y;
    if constexpr (kOp == Op::kSub) r = x - y;
    if constexpr (kOp == Op::kMin) r = std::min(x, y);
    if constexpr (kOp == Op::kMax) r = std::max(x, y);
    if (kRelu) r = std::max(r, 0);
    result |= (static_cast<uint32_t>(r) & 0xffffu) << (16 * i);
  }
  return result;
}

template <Op kOp>
Recipe PackedFor(const Instruction& in) {
  using U = uint32_t;
  if (in.type == Type::kU16x2) {
    return Uniform<U>(EachOp<Packed<false, kOp, false>, U, U, U>(), 2);
  }
  return Uniform<U>(in.mod.relu ? EachOp<Packed<true, kOp, true>, U, U, U>()
                                : EachOp<Packed<true, kOp, false>, U, U, U>(),
                    2);
}

}  // namespace

Recipe BitsRecipe(const Instruction& in) {
  switch (in.op) {
    case Op::kFns:
      return Uniform<uint32_t>(EachOp<Fns, uint32_t, uint32_t, uint32_t, uint32_t>(), 3);
    case Op::kBmsk:
    case Op::kSzext:
      return MaskRecipe(in);
    case Op::kDp4a:
      return Uniform<uint32_t>(&ExecDp4a, 3);
    case Op::kDp2a:
      return Uniform<uint32_t>(&ExecDp2a, 3);
    default:
      return VisitInteger(in.type, [&]<typename T>(T) { return ForType<T>(in); });
  }
}

Recipe PackedIntegerRecipe(const Instruction& in) {
  switch (in.op) {
    case Op::kAdd:
      return PackedFor<Op::kAdd>(in);
    case Op::kSub:
      return PackedFor<Op::kSub>(in);
    case Op::kMin:
      return PackedFor<Op::kMin>(in);
    case Op::kMax:
      return PackedFor<Op::kMax>(in);
    default:
      return {};
  }
}

}  // namespace thunky::interp
