// f16 and bf16, alone and in pairs: computed in double precision, where sums and
// products of halves round only once.
#include <cmath>
#include <cstdint>

#include "thunky/interp/lanes.h"
#include "thunky/interp/recipe.h"

namespace thunky::interp {
namespace {

using ptx::ir::Instruction;
using ptx::ir::Modifiers;
using ptx::ir::Op;
using ptx::ir::Type;

using H = uint16_t;

// What f16 and bf16 differ in.
template <bool kBFloat>
struct Half {
  static double Decode(H a) { return kBFloat ? DecodeBF16(a) : DecodeF16(a); }
  static H Encode(double value) { return kBFloat ? EncodeBF16(value) : EncodeF16(value); }
  static bool IsNan(H a) { return (a & 0x7fff) > (kBFloat ? 0x7f80 : 0x7c00); }
  static H Flush(H a) { return (a & (kBFloat ? 0x7f80 : 0x7c00)) == 0 ? a & 0x8000 : a; }
  static H In(const Modifiers& mod, H a) { return mod.ftz ? Flush(a) : a; }
  static H Out(const Modifiers& mod, double value) {
    if (mod.relu && value <= 0) value = 0;
    if (mod.sat) value = value > 0 ? (value > 1 ? 1 : value) : 0;
    const H bits = Encode(value);
    return mod.ftz ? Flush(bits) : bits;
  }

  // The operation of `op` on values a, b, c that are already flushed.
  static H Apply(Op op, const Modifiers& mod, H a, H b, H c) {
    switch (op) {
      case Op::kAdd:
        return Out(mod, AddToOdd(Decode(a), Decode(b)));
      case Op::kSub:
        return Out(mod, AddToOdd(Decode(a), -Decode(b)));
      case Op::kMul:
        return Out(mod, Decode(a) * Decode(b));
      case Op::kFma:
        return Out(mod, AddToOdd(Decode(a) * Decode(b), Decode(c)));
      case Op::kAbs:
        return IsNan(a) ? kNanHalf : a & 0x7fff;
      case Op::kNeg:
        return IsNan(a) ? kNanHalf : a ^ 0x8000;
      case Op::kMin:
      case Op::kMax:
        return Extreme(op == Op::kMin, mod, a, b);
      case Op::kEx2:
        return Out(mod, std::exp2(Decode(a)));
      case Op::kTanh:
        return Out(mod, std::tanh(Decode(a)));
      default:
        return 0;
    }
  }

  static H Extreme(bool min, const Modifiers& mod, H a, H b) {
    const H sign = mod.xorsign ? (a ^ b) & 0x8000 : 0;
    if (mod.xorsign) a &= 0x7fff, b &= 0x7fff;
    if (IsNan(a) || IsNan(b)) {
      if (mod.nan || (IsNan(a) && IsNan(b))) return kNanHalf;
      return (IsNan(a) ? b : a) | sign;
    }
    const double x = Decode(a);
    const double y = Decode(b);
    if (x == y) return (min ? a | b : a & b) | sign;
    return ((min ? x < y : x > y) ? a : b) | sign;
  }
};

template <Op kOp, bool kBFloat, bool kPair>
const MicroOp* Exec(Warp& w, const MicroOp* op) {
  using F = Half<kBFloat>;
  using Cell = std::conditional_t<kPair, uint32_t, uint16_t>;
  const Modifiers& mod = op->source->mod;
  const Cell* a = w.Lanes<Cell>(op->a);
  const Cell* b = w.Lanes<Cell>(op->b);
  const Cell* c = w.Lanes<Cell>(op->c);
  Cell* d = w.Lanes<Cell>(op->d);
  ForLanes(w.active, [&](int i) {
    Cell result = 0;
    for (int shift = 0; shift < static_cast<int>(sizeof(Cell)) * 8; shift += 16) {
      const H x = F::In(mod, static_cast<H>(a[i] >> shift));
      const H y = F::In(mod, static_cast<H>(b[i] >> shift));
      const H z = F::In(mod, static_cast<H>(c[i] >> shift));
      result |= static_cast<Cell>(Cell{F::Apply(kOp, mod, x, y, z)} << shift);
    }
    d[i] = result;
  });
  return op + 1;
}

template <Op kOp>
Recipe ForType(const Instruction& in, int sources) {
  switch (in.type) {
    case Type::kF16:
      return Uniform<uint16_t>(&Exec<kOp, false, false>, sources);
    case Type::kBF16:
      return Uniform<uint16_t>(&Exec<kOp, true, false>, sources);
    case Type::kF16x2:
      return Uniform<uint32_t>(&Exec<kOp, false, true>, sources);
    case Type::kBF16x2:
      return Uniform<uint32_t>(&Exec<kOp, true, true>, sources);
    default:
      return {};
  }
}

}  // namespace

Recipe HalfRecipe(const Instruction& in) {
  switch (in.op) {
    case Op::kAdd:
      return ForType<Op::kAdd>(in, 2);
    case Op::kSub:
      return ForType<Op::kSub>(in, 2);
    case Op::kMul:
      return ForType<Op::kMul>(in, 2);
    case Op::kFma:
      return ForType<Op::kFma>(in, 3);
    case Op::kAbs:
      return ForType<Op::kAbs>(in, 1);
    case Op::kNeg:
      return ForType<Op::kNeg>(in, 1);
    case Op::kMin:
      return ForType<Op::kMin>(in, 2);
    case Op::kMax:
      return ForType<Op::kMax>(in, 2);
    case Op::kEx2:
      return ForType<Op::kEx2>(in, 1);
    case Op::kTanh:
      return ForType<Op::kTanh>(in, 1);
    default:
      return {};
  }
}

}  // namespace thunky::interp
