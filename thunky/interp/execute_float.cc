// Single-precision arithmetic: exact operations, minima and maxima, signs.
#include <cmath>
#include <cstdint>

#include "thunky/interp/lanes.h"
#include "thunky/interp/recipe.h"

namespace thunky::interp {
namespace {

using ptx::ir::Instruction;
using ptx::ir::Op;
using ptx::ir::Rounding;
using ptx::ir::Type;

// What `.ftz` and `.sat` do to operands and results.
template <bool kFtz>
uint32_t In(uint32_t a) {
  return kFtz ? FlushF32(a) : a;
}
// Whether a result is flushed is decided before it is rounded: `exact`, a double that
// is on the right side of the smallest normal number, tells for results that rounding
// made normal.
template <bool kFtz, bool kSat>
uint32_t Out(float value, double exact) {
  uint32_t bits = ToBits(value);
  if (kFtz) {
    const bool tiny = exact < 0x1p-126 && exact > -0x1p-126;
    bits = tiny ? bits & 0x80000000u : FlushF32(bits);
  }
  return kSat ? SaturateF32(bits) : CanonicalF32(bits);
}
template <bool kFtz, bool kSat>
uint32_t Out(float value) {
  return Out<kFtz, kSat>(value, 1.0);
}

template <bool kFtz, bool kSat>
struct F32 {
  // Sums in the subnormal range are exact.
  static uint32_t Add(uint32_t a, uint32_t b) {
    return Out<kFtz, kSat>(AsFloat(In<kFtz>(a)) + AsFloat(In<kFtz>(b)));
  }
  static uint32_t Sub(uint32_t a, uint32_t b) {
    return Out<kFtz, kSat>(AsFloat(In<kFtz>(a)) - AsFloat(In<kFtz>(b)));
  }
  static uint32_t Mul(uint32_t a, uint32_t b) {
    const float x = AsFloat(In<kFtz>(a));
    const float y = AsFloat(In<kFtz>(b));
    return Out<kFtz, kSat>(x * y, kFtz ? Double(x) * Double(y) : 1.0);
  }
  static uint32_t Fma(uint32_t a, uint32_t b, uint32_t c) {
    const float x = AsFloat(In<kFtz>(a));
    const float y = AsFloat(In<kFtz>(b));
    const float z = AsFloat(In<kFtz>(c));
    return Out<kFtz, kSat>(__builtin_fmaf(x, y, z),
                           kFtz ? Double(x) * Double(y) + Double(z) : 1.0);
  }
  static uint32_t Div(uint32_t a, uint32_t b) {
    const float x = AsFloat(In<kFtz>(a));
    const float y = AsFloat(In<kFtz>(b));
    return Out<kFtz, kSat>(x / y, kFtz ? Double(x) / Double(y) : 1.0);
  }
  static uint32_t Rcp(uint32_t a) {
    const float x = AsFloat(In<kFtz>(a));
    return Out<kFtz, kSat>(1.0f / x, kFtz ? 1.0 / Double(x) : 1.0);
  }
  static uint32_t Sqrt(uint32_t a) {
    return Out<kFtz, kSat>(__builtin_sqrtf(AsFloat(In<kFtz>(a))));
  }

 private:
  static double Double(float value) { return static_cast<double>(value); }
};

template <bool kFtz>
uint32_t Abs(uint32_t a) {
  return CanonicalF32(In<kFtz>(a) & 0x7fffffffu);
}
template <bool kFtz>
uint32_t Neg(uint32_t a) {
  return CanonicalF32(In<kFtz>(a) ^ 0x80000000u);
}

// -0 is less than +0; a NaN loses, or wins with .NaN.
template <bool kMin, bool kNan>
uint32_t Extreme(uint32_t a, uint32_t b) {
  const float x = AsFloat(a);
  const float y = AsFloat(b);
  const bool a_wins = kMin ? x < y : x > y;
  const bool b_wins = kMin ? y < x : y > x;
  const uint32_t equal = kMin ? a | b : a & b;
  const uint32_t number = a_wins ? a : b_wins ? b : equal;
  const bool a_nan = IsNanF32(a);
  const bool b_nan = IsNanF32(b);
  if (kNan) return a_nan || b_nan ? kNanF32 : number;
  return CanonicalF32(a_nan ? b : b_nan ? a : number);
}
template <bool kFtz, bool kMin, bool kNan>
uint32_t Extreme2(uint32_t a, uint32_t b) {
  return Extreme<kMin, kNan>(In<kFtz>(a), In<kFtz>(b));
}
template <bool kFtz, bool kMin, bool kNan>
uint32_t Extreme3(uint32_t a, uint32_t b, uint32_t c) {
  return Extreme<kMin, kNan>(Extreme2<kFtz, kMin, kNan>(a, b), In<kFtz>(c));
}
// .xorsign.abs: of the magnitudes, with the product's sign.
template <bool kFtz, bool kMin, bool kNan>
uint32_t ExtremeXorsign(uint32_t a, uint32_t b) {
  const uint32_t magnitude = Extreme2<kFtz, kMin, kNan>(a & 0x7fffffffu, b & 0x7fffffffu);
  return IsNanF32(magnitude) ? magnitude : magnitude | ((a ^ b) & 0x80000000u);
}

template <bool kFtz, bool kMin, bool kNan>
Recipe MinMaxOf(const Instruction& in) {
  using U = uint32_t;
  if (in.mod.xorsign) {
    return Uniform<U>(VectorOp<ExtremeXorsign<kFtz, kMin, kNan>, U, U, U>(), 2);
  }
  if (in.mod.three_inputs) {
    return Uniform<U>(VectorOp<Extreme3<kFtz, kMin, kNan>, U, U, U, U>(), 3);
  }
  return Uniform<U>(VectorOp<Extreme2<kFtz, kMin, kNan>, U, U, U>(), 2);
}

template <bool kFtz, bool kMin>
Recipe MinMax(const Instruction& in) {
  return in.mod.nan ? MinMaxOf<kFtz, kMin, true>(in) : MinMaxOf<kFtz, kMin, false>(in);
}

bool NearestEven(const Instruction& in) {
  return in.mod.rounding == Rounding::kDefault ||
         in.mod.rounding == Rounding::kNearestEven;
}

template <auto F, typename... A>
Recipe Exact(const Instruction& in) {
  using U = uint32_t;
  return Uniform<U>(NearestEven(in) ? VectorOp<F, U, A...>() : RoundedOp<F, U, A...>(),
                    sizeof...(A));
}

template <bool kFtz, bool kSat>
Recipe Arithmetic(const Instruction& in) {
  using U = uint32_t;
  using Ops = F32<kFtz, kSat>;
  switch (in.op) {
    case Op::kAdd:
      return Exact<Ops::Add, U, U>(in);
    case Op::kSub:
      return Exact<Ops::Sub, U, U>(in);
    case Op::kMul:
      return Exact<Ops::Mul, U, U>(in);
    case Op::kFma:
    case Op::kMad:
      return Exact<Ops::Fma, U, U, U>(in);
    default:
      break;
  }
  if (kSat) return {};
  switch (in.op) {
    case Op::kDiv:
      return Exact<F32<kFtz, false>::Div, U, U>(in);
    case Op::kRcp:
      return Exact<F32<kFtz, false>::Rcp, U>(in);
    case Op::kSqrt:
      return Exact<F32<kFtz, false>::Sqrt, U>(in);
    case Op::kAbs:
      return Uniform<U>(VectorOp<Abs<kFtz>, U, U>(), 1);
    case Op::kNeg:
      return Uniform<U>(VectorOp<Neg<kFtz>, U, U>(), 1);
    case Op::kMin:
      return MinMax<kFtz, true>(in);
    case Op::kMax:
      return MinMax<kFtz, false>(in);
    default:
      return {};
  }
}

// Pairs: the same operation on both halves of 64 bits.
template <auto F>
uint64_t Pair2(uint64_t a, uint64_t b) {
  const uint64_t low = F(static_cast<uint32_t>(a), static_cast<uint32_t>(b));
  const uint64_t high = F(static_cast<uint32_t>(a >> 32), static_cast<uint32_t>(b >> 32));
  return (high << 32) | low;
}
template <auto F>
uint64_t Pair3(uint64_t a, uint64_t b, uint64_t c) {
  const uint64_t low =
      F(static_cast<uint32_t>(a), static_cast<uint32_t>(b), static_cast<uint32_t>(c));
  const uint64_t high = F(static_cast<uint32_t>(a >> 32), static_cast<uint32_t>(b >> 32),
                          static_cast<uint32_t>(c >> 32));
  return (high << 32) | low;
}

template <bool kFtz>
Recipe PairArithmetic(const Instruction& in) {
  using U = uint64_t;
  using Ops = F32<kFtz, false>;
  switch (in.op) {
    case Op::kAdd:
      return Uniform<U>(RoundedOp<Pair2<Ops::Add>, U, U, U>(), 2);
    case Op::kSub:
      return Uniform<U>(RoundedOp<Pair2<Ops::Sub>, U, U, U>(), 2);
    case Op::kMul:
      return Uniform<U>(RoundedOp<Pair2<Ops::Mul>, U, U, U>(), 2);
    case Op::kFma:
      return Uniform<U>(RoundedOp<Pair3<Ops::Fma>, U, U, U, U>(), 3);
    default:
      return {};
  }
}

}  // namespace

Recipe FloatRecipe(const Instruction& in) {
  if (in.type == Type::kF32x2) {
    return in.mod.ftz ? PairArithmetic<true>(in) : PairArithmetic<false>(in);
  }
  if (in.mod.approx || in.mod.full) return ApproximateRecipe(in);
  if (in.mod.ftz) {
    return in.mod.sat ? Arithmetic<true, true>(in) : Arithmetic<true, false>(in);
  }
  return in.mod.sat ? Arithmetic<false, true>(in) : Arithmetic<false, false>(in);
}

}  // namespace thunky::interp
