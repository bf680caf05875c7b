// cvt between all types.
#include <algorithm>
#include <cmath>
#include <cstdint>

#include "thunky/interp/lanes.h"
#include "thunky/interp/recipe.h"

namespace thunky::interp {
namespace {

using ptx::ir::BitWidth;
using ptx::ir::Instruction;
using ptx::ir::IsFloat;
using ptx::ir::IsSigned;
using ptx::ir::Modifiers;
using ptx::ir::Rounding;
using ptx::ir::Type;

// Registers hold 8-bit values in cells of 16 bits.
int CellWidth(Type type) { return std::max(16, BitWidth(type)); }

uint64_t Low(uint64_t value, int width) {
  return width >= 64 ? value : value & ((uint64_t{1} << width) - 1);
}
int64_t SignExtend(uint64_t value, int width) {
  const int shift = 64 - width;
  return static_cast<int64_t>(value << shift) >> shift;
}

// Integer to integer: extension, truncation, or saturation.
uint64_t IntegerToInteger(const Instruction& in, uint64_t a) {
  const int from = BitWidth(in.src_type);
  const int to = BitWidth(in.type);
  const bool from_signed = IsSigned(in.src_type);
  const uint64_t value =
      from_signed ? static_cast<uint64_t>(SignExtend(a, from)) : Low(a, from);
  if (!in.mod.sat) return Low(value, to);
  const bool negative = from_signed && static_cast<int64_t>(value) < 0;
  if (IsSigned(in.type)) {
    const int64_t most = static_cast<int64_t>((uint64_t{1} << (to - 1)) - 1);
    if (!negative) return std::min(value, static_cast<uint64_t>(most));
    return Low(static_cast<uint64_t>(std::max(static_cast<int64_t>(value), -most - 1)),
               to);
  }
  if (negative) return 0;
  return std::min(value, Low(~uint64_t{0}, to));
}

Format FormatOf(Type type) {
  switch (type) {
    case Type::kF16:
    case Type::kF16x2:
      return kFormatF16;
    case Type::kBF16:
    case Type::kBF16x2:
      return kFormatBF16;
    case Type::kF32:
      return kFormatF32;
    case Type::kTF32:
      return kFormatTF32;
    default:
      return kFormatF64;
  }
}

double FloatValue(Type type, uint64_t a, bool ftz) {
  switch (type) {
    case Type::kF16:
      return DecodeF16(static_cast<uint16_t>(a));
    case Type::kBF16:
      return DecodeBF16(static_cast<uint16_t>(a));
    case Type::kF32: {
      const uint32_t bits = static_cast<uint32_t>(a);
      return AsFloat(ftz ? FlushF32(bits) : bits);
    }
    default:
      return AsDouble(a);
  }
}

uint64_t FloatToInteger(const Instruction& in, uint64_t a) {
  const int width = BitWidth(in.type);
  const double value = FloatValue(in.src_type, a, in.mod.ftz);
  const bool top_bit = in.src_type == Type::kF64 || width == 64;
  return ToInteger(RoundToIntegral(value, in.mod.rounding), width, IsSigned(in.type),
                   top_bit);
}

// .sat and .relu on a value; a NaN saturates to zero and passes .relu.
double Clamp(const Modifiers& mod, double value) {
  if (mod.sat) return value > 0 ? std::min(value, 1.0) : 0.0;
  if (mod.relu && value <= 0) return 0.0;
  return value;
}

bool IsIntegral(Rounding mode) {
  return mode == Rounding::kIntNearestEven || mode == Rounding::kIntZero ||
         mode == Rounding::kIntDown || mode == Rounding::kIntUp;
}

// A value in the bits of `type`; tf32 sits in the upper bits of an f32.
uint64_t Encode(const Instruction& in, Type type, double value) {
  const Format format = FormatOf(type);
  const Rounding mode =
      IsIntegral(in.mod.rounding) ? Rounding::kDefault : in.mod.rounding;
  uint64_t bits = EncodeDouble(value, format, mode);
  const uint64_t infinity = ((uint64_t{1} << format.exponent_bits) - 1)
                            << format.mantissa_bits;
  if (in.mod.satfinite && (bits & infinity) == infinity && !std::isnan(value)) {
    bits -= 1;  // infinity is next to the largest finite value
  }
  if (type == Type::kF32) {
    uint32_t single = CanonicalF32(static_cast<uint32_t>(bits));
    return in.mod.ftz ? FlushF32(single) : single;
  }
  if (type == Type::kTF32) return bits << 13;
  return bits;
}

// A NaN keeps its sign and the payload that fits, made quiet, when one of the types is
// f64; between f32 and f16 it becomes canonical.
uint64_t ConvertNan(const Instruction& in, uint64_t a) {
  const Format from = FormatOf(in.src_type);
  const Format to = FormatOf(in.type);
  const bool f64 = in.src_type == Type::kF64 || in.type == Type::kF64;
  if (in.src_type == Type::kBF16 && in.type == Type::kF32 && !in.mod.ftz) return a << 16;
  if (in.type == Type::kTF32) {
    const bool cut_off = in.mod.rounding == Rounding::kNearestAway;
    return (cut_off ? a : kNanF32) & 0xffffe000u;
  }
  if (!f64) return in.type == Type::kF32 ? kNanF32 : kNanHalf;
  if (in.mod.ftz && in.src_type == Type::kF32) a = kNanF32;
  const uint64_t sign = (a >> (from.exponent_bits + from.mantissa_bits)) & 1;
  const uint64_t top_aligned = a << (64 - from.mantissa_bits);
  const uint64_t quiet = uint64_t{1} << (to.mantissa_bits - 1);
  const uint64_t exponent = ((uint64_t{1} << to.exponent_bits) - 1) << to.mantissa_bits;
  return (sign << (to.exponent_bits + to.mantissa_bits)) | exponent | quiet |
         (top_aligned >> (64 - to.mantissa_bits));
}

uint64_t FloatToFloat(const Instruction& in, uint64_t a) {
  // There is no flushing to or from f16.
  const bool ftz = in.mod.ftz && in.type != Type::kF16;
  double value = FloatValue(in.src_type, a, ftz);
  if (std::isnan(value) && !in.mod.sat) return ConvertNan(in, a);
  if (IsIntegral(in.mod.rounding)) value = RoundToIntegral(value, in.mod.rounding);
  return Encode(in, in.type, Clamp(in.mod, value));
}

uint64_t IntegerToFloat(const Instruction& in, uint64_t a) {
  const int from = BitWidth(in.src_type);
  const int64_t extended = SignExtend(a, from);
  const bool negative = IsSigned(in.src_type) && extended < 0;
  const uint64_t magnitude =
      negative ? 0 - static_cast<uint64_t>(extended) : Low(a, from);
  if (in.mod.sat) {
    return Encode(in, in.type, negative || magnitude == 0 ? 0.0 : 1.0);
  }
  return EncodeInteger(negative, magnitude, FormatOf(in.type), in.mod.rounding);
}

uint64_t ConvertOne(const Instruction& in, uint64_t a) {
  const bool from_float = IsFloat(in.src_type);
  if (IsFloat(in.type)) return from_float ? FloatToFloat(in, a) : IntegerToFloat(in, a);
  const uint64_t result = from_float ? FloatToInteger(in, a) : IntegerToInteger(in, a);
  if (in.type != Type::kS8) return result;
  return static_cast<uint64_t>(SignExtend(result, 8));  // fills its 16-bit cell
}

template <typename R, typename A>
const MicroOp* ExecGeneral(Warp& w, const MicroOp* op) {
  const A* a = w.Lanes<A>(op->a);
  R* d = w.Lanes<R>(op->d);
  ForLanes(w.active,
           [&](int i) { d[i] = static_cast<R>(ConvertOne(*op->source, a[i])); });
  return op + 1;
}

// One part of a pair.
uint32_t EncodePart(const Instruction& in, double value) {
  value = Clamp(in.mod, value);
  if (in.type == Type::kE4M3x2) return EncodeE4M3(value);
  if (in.type == Type::kE5M2x2) return EncodeE5M2(value);
  return static_cast<uint32_t>(Encode(in, in.type, value));
}

// Two f32 values, the first one in the upper part.
template <typename R>
const MicroOp* ExecPack(Warp& w, const MicroOp* op) {
  constexpr int kPart = sizeof(R) * 4;
  const uint32_t* a = w.Lanes<uint32_t>(op->a);
  const uint32_t* b = w.Lanes<uint32_t>(op->b);
  R* d = w.Lanes<R>(op->d);
  const Instruction& in = *op->source;
  ForLanes(w.active, [&](int i) {
    d[i] = static_cast<R>((EncodePart(in, AsFloat(a[i])) << kPart) |
                          EncodePart(in, AsFloat(b[i])));
  });
  return op + 1;
}

const MicroOp* ExecHalvesToBytes(Warp& w, const MicroOp* op) {
  const uint32_t* a = w.Lanes<uint32_t>(op->a);
  uint16_t* d = w.Lanes<uint16_t>(op->d);
  const Instruction& in = *op->source;
  ForLanes(w.active, [&](int i) {
    const uint32_t upper = EncodePart(in, DecodeF16(static_cast<uint16_t>(a[i] >> 16)));
    const uint32_t lower = EncodePart(in, DecodeF16(static_cast<uint16_t>(a[i])));
    d[i] = static_cast<uint16_t>((upper << 8) | lower);
  });
  return op + 1;
}

const MicroOp* ExecBytesToHalves(Warp& w, const MicroOp* op) {
  const uint16_t* a = w.Lanes<uint16_t>(op->a);
  uint32_t* d = w.Lanes<uint32_t>(op->d);
  const Instruction& in = *op->source;
  const auto decode = in.src_type == Type::kE4M3x2 ? &DecodeE4M3 : &DecodeE5M2;
  ForLanes(w.active, [&](int i) {
    const uint32_t upper = EncodePart(in, decode(static_cast<uint8_t>(a[i] >> 8)));
    const uint32_t lower = EncodePart(in, decode(static_cast<uint8_t>(a[i])));
    d[i] = (upper << 16) | lower;
  });
  return op + 1;
}

Recipe PairRecipe(const Instruction& in) {
  const bool to_bytes = in.type == Type::kE4M3x2 || in.type == Type::kE5M2x2;
  if (in.src_type == Type::kF32) {
    if (to_bytes) return {&ExecPack<uint16_t>, {16}, {32, 32}};
    return {&ExecPack<uint32_t>, {32}, {32, 32}};
  }
  if (to_bytes) return {&ExecHalvesToBytes, {16}, {32}};
  return {&ExecBytesToHalves, {32}, {16}};
}

// Fast paths: the conversions that kernels are full of. --------------------------

template <typename T>
uint64_t Widen(uint32_t a) {
  return static_cast<uint64_t>(static_cast<int64_t>(static_cast<T>(a)));
}
uint32_t Narrow(uint64_t a) { return static_cast<uint32_t>(a); }
template <typename T>
uint32_t SingleFrom(uint32_t a) {
  return ToBits(static_cast<float>(static_cast<T>(a)));
}
uint32_t SingleFromBF16(uint16_t a) { return uint32_t{a} << 16; }
uint32_t SingleFromSingle(uint32_t a) { return a; }
uint32_t SingleSaturate(uint32_t a) { return SaturateF32(a); }
uint64_t DoubleFromSingle(uint32_t a) { return ToBits(static_cast<double>(AsFloat(a))); }

struct FastCase {
  Type to;
  Type from;
  Recipe recipe;
};

bool PlainModifiers(const Modifiers& mod) {
  return !mod.ftz && !mod.sat && !mod.relu && !mod.satfinite &&
         (mod.rounding == Rounding::kDefault || mod.rounding == Rounding::kNearestEven);
}

Recipe FastRecipe(const Instruction& in) {
  const Modifiers& mod = in.mod;
  if (in.type == Type::kF32 && in.src_type == Type::kF32 && mod.sat && !mod.ftz &&
      !IsIntegral(mod.rounding)) {
    return Uniform<uint32_t>(VectorOp<SingleSaturate, uint32_t, uint32_t>(), 1);
  }
  if (!PlainModifiers(mod)) return {};
  const FastCase cases[] = {
      {Type::kU64,
       Type::kU32,
       {VectorOp<Widen<uint32_t>, uint64_t, uint32_t>(), {64}, {32}}},
      {Type::kS64,
       Type::kS32,
       {VectorOp<Widen<int32_t>, uint64_t, uint32_t>(), {64}, {32}}},
      {Type::kU32, Type::kU64, {VectorOp<Narrow, uint32_t, uint64_t>(), {32}, {64}}},
      {Type::kF32,
       Type::kS32,
       {VectorOp<SingleFrom<int32_t>, uint32_t, uint32_t>(), {32}, {32}}},
      {Type::kF32,
       Type::kU32,
       {VectorOp<SingleFrom<uint32_t>, uint32_t, uint32_t>(), {32}, {32}}},
      {Type::kF32,
       Type::kBF16,
       {VectorOp<SingleFromBF16, uint32_t, uint16_t>(), {32}, {16}}},
      {Type::kBF16,
       Type::kF32,
       {VectorOp<EncodeBF16FromF32, uint16_t, uint32_t>(), {16}, {32}}},
      {Type::kF32,
       Type::kF32,
       {VectorOp<SingleFromSingle, uint32_t, uint32_t>(), {32}, {32}}},
      {Type::kF64,
       Type::kF32,
       {VectorOp<DoubleFromSingle, uint64_t, uint32_t>(), {64}, {32}}},
  };
  for (const FastCase& c : cases) {
    if (c.to == in.type && c.from == in.src_type) return c.recipe;
  }
  return {};
}

template <typename A>
ExecFn GeneralFrom(int to) {
  if (to == 16) return &ExecGeneral<uint16_t, A>;
  return to == 32 ? &ExecGeneral<uint32_t, A> : &ExecGeneral<uint64_t, A>;
}

}  // namespace

Recipe ConvertRecipe(const Instruction& in) {
  switch (in.type) {
    case Type::kF16x2:
    case Type::kBF16x2:
    case Type::kE4M3x2:
    case Type::kE5M2x2:
      return PairRecipe(in);
    default:
      break;
  }
  if (Recipe fast = FastRecipe(in); fast.fn != nullptr) return fast;
  const int to = CellWidth(in.type);
  const int from = CellWidth(in.src_type);
  if (to > 64 || from > 64) return {};
  ExecFn fn = from == 16   ? GeneralFrom<uint16_t>(to)
              : from == 32 ? GeneralFrom<uint32_t>(to)
                           : GeneralFrom<uint64_t>(to);
  return {fn, {static_cast<uint8_t>(to)}, {static_cast<uint8_t>(from)}};
}

}  // namespace thunky::interp
