// Double-precision arithmetic. Subnormals are never flushed.
#include <cmath>
#include <cstdint>

#include "thunky/interp/lanes.h"
#include "thunky/interp/recipe.h"

namespace thunky::interp {
namespace {

using ptx::ir::Instruction;
using ptx::ir::Op;
using ptx::ir::Rounding;

using U = uint64_t;

// NaN operands pass through, made quiet; of several b, then c, then a.
U Quiet(U nan) { return nan | 0x0008000000000000u; }
U PassNan(U result, U a, U b) {
  const U from_a = IsNanF64(a) ? Quiet(a) : result;
  return IsNanF64(b) ? Quiet(b) : from_a;
}

U Add(U a, U b) { return PassNan(ToBits(AsDouble(a) + AsDouble(b)), a, b); }
U Sub(U a, U b) { return PassNan(ToBits(AsDouble(a) - AsDouble(b)), a, b); }
U Mul(U a, U b) { return PassNan(ToBits(AsDouble(a) * AsDouble(b)), a, b); }
U Div(U a, U b) { return ToBits(AsDouble(a) / AsDouble(b)); }
U Fma(U a, U b, U c) {
  const U result = ToBits(__builtin_fma(AsDouble(a), AsDouble(b), AsDouble(c)));
  if (IsNanF64(b)) return Quiet(b);
  if (IsNanF64(c)) return Quiet(c);
  return IsNanF64(a) ? Quiet(a) : result;
}
U Rcp(U a) { return ToBits(1.0 / AsDouble(a)); }
U Sqrt(U a) { return ToBits(__builtin_sqrt(AsDouble(a))); }
U Abs(U a) { return IsNanF64(a) ? Quiet(a) : a & 0x7fffffffffffffffu; }
U Neg(U a) { return IsNanF64(a) ? Quiet(a) : a ^ 0x8000000000000000u; }

template <bool kMin>
U Extreme(U a, U b) {
  const double x = AsDouble(a);
  const double y = AsDouble(b);
  const bool a_wins = kMin ? x < y : x > y;
  const bool b_wins = kMin ? y < x : y > x;
  const U equal = kMin ? a | b : a & b;
  const U number = a_wins ? a : b_wins ? b : equal;
  return IsNanF64(a) ? b : IsNanF64(b) ? a : number;
}

template <auto F, typename... A>
Recipe Exact(const Instruction& in) {
  const bool nearest =
      in.mod.rounding == Rounding::kDefault || in.mod.rounding == Rounding::kNearestEven;
  return Uniform<U>(nearest ? VectorOp<F, U, A...>() : RoundedOp<F, U, A...>(),
                    sizeof...(A));
}

}  // namespace

Recipe DoubleRecipe(const Instruction& in) {
  if (in.mod.sat) return {};
  if (in.mod.approx) return ApproximateRecipe(in);
  switch (in.op) {
    case Op::kAdd:
      return Exact<Add, U, U>(in);
    case Op::kSub:
      return Exact<Sub, U, U>(in);
    case Op::kMul:
      return Exact<Mul, U, U>(in);
    case Op::kDiv:
      return Exact<Div, U, U>(in);
    case Op::kFma:
    case Op::kMad:
      return Exact<Fma, U, U, U>(in);
    case Op::kRcp:
      return Exact<Rcp, U>(in);
    case Op::kSqrt:
      return Exact<Sqrt, U>(in);
    case Op::kAbs:
      return Uniform<U>(VectorOp<Abs, U, U>(), 1);
    case Op::kNeg:
      return Uniform<U>(VectorOp<Neg, U, U>(), 1);
    case Op::kMin:
      return Uniform<U>(VectorOp<Extreme<true>, U, U, U>(), 2);
    case Op::kMax:
      return Uniform<U>(VectorOp<Extreme<false>, U, U, U>(), 2);
    default:
      return {};
  }
}

}  // namespace thunky::interp
