// Approximate and transcendental instructions: computed in double precision and
// rounded once, which lies within the bounds of the ISA.
#include <cstdint>

#include "thunky/interp/lanes.h"
#include "thunky/interp/recipe.h"

namespace thunky::interp {
namespace {

using ptx::ir::Instruction;
using ptx::ir::Op;
using ptx::ir::Type;

template <uint32_t (*F)(uint32_t), bool kFtz>
uint32_t Flushed(uint32_t a) {
  return kFtz ? FlushF32(F(FlushF32(a))) : F(a);
}
template <uint32_t (*F)(uint32_t, uint32_t), bool kFtz>
uint32_t Flushed2(uint32_t a, uint32_t b) {
  return kFtz ? FlushF32(F(FlushF32(a), FlushF32(b))) : F(a, b);
}
// Flushed when the quotient is subnormal before it is rounded.
uint32_t FullDivFtz(uint32_t a, uint32_t b) {
  const float x = AsFloat(FlushF32(a));
  const float y = AsFloat(FlushF32(b));
  const double exact = static_cast<double>(x) / static_cast<double>(y);
  const uint32_t result = CanonicalF32(ToBits(x / y));
  return exact < 0x1p-126 && exact > -0x1p-126 ? result & 0x80000000u : result;
}

template <uint32_t (*F)(uint32_t)>
Recipe One(const Instruction& in) {
  using U = uint32_t;
  return Uniform<U>(
      in.mod.ftz ? EachOp<Flushed<F, true>, U, U>() : EachOp<Flushed<F, false>, U, U>(),
      1);
}
template <uint32_t (*F)(uint32_t, uint32_t)>
Recipe Two(const Instruction& in) {
  using U = uint32_t;
  return Uniform<U>(in.mod.ftz ? EachOp<Flushed2<F, true>, U, U, U>()
                               : EachOp<Flushed2<F, false>, U, U, U>(),
                    2);
}

Recipe Gross(const Instruction& in) {
  using U = uint64_t;
  if (in.op == Op::kRcp) return Uniform<U>(EachOp<GrossRcp, U, U>(), 1);
  if (in.op == Op::kRsqrt) {
    return Uniform<U>(
        in.mod.ftz ? EachOp<GrossRsqrt, U, U>() : EachOp<ApproxRsqrtF64, U, U>(), 1);
  }
  return {};
}

}  // namespace

Recipe ApproximateRecipe(const Instruction& in) {
  if (in.type == Type::kF64) return Gross(in);
  switch (in.op) {
    case Op::kRcp:
      return One<ApproxRcp>(in);
    case Op::kSqrt:
      return One<ApproxSqrt>(in);
    case Op::kRsqrt:
      return One<ApproxRsqrt>(in);
    case Op::kSin:
      return One<ApproxSin>(in);
    case Op::kCos:
      return One<ApproxCos>(in);
    case Op::kLg2:
      return One<ApproxLg2>(in);
    case Op::kEx2:
      return One<ApproxEx2>(in);
    case Op::kTanh:
      return One<ApproxTanh>(in);
    case Op::kDiv:
      if (!in.mod.full) return Two<ApproxDiv>(in);
      if (!in.mod.ftz) return Two<FullDiv>(in);
      return Uniform<uint32_t>(EachOp<FullDivFtz, uint32_t, uint32_t, uint32_t>(), 2);
    default:
      return {};
  }
}

}  // namespace thunky::interp
