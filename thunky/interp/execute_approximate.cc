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
  if (in.op == Op::kRsqrt) return Uniform<U>(EachOp<GrossRsqrt, U, U>(), 1);
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
      return in.mod.full ? Two<FullDiv>(in) : Two<ApproxDiv>(in);
    default:
      return {};
  }
}

}  // namespace thunky::interp
