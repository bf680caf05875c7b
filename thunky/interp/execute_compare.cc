// setp, set, testp and copysign.
#include <cstdint>

#include "thunky/interp/lanes.h"
#include "thunky/interp/recipe.h"

namespace thunky::interp {
namespace {

using ptx::ir::BoolOp;
using ptx::ir::Compare;
using ptx::ir::Instruction;
using ptx::ir::Op;
using ptx::ir::TestpMode;
using ptx::ir::Type;

// Ways to read a cell as a number.
template <typename T>
struct AsInteger {
  using Cell = Unsigned<T>;
  static T Value(Cell a) { return static_cast<T>(a); }
};
template <bool kFtz>
struct AsF32 {
  using Cell = uint32_t;
  static float Value(Cell a) { return AsFloat(kFtz ? FlushF32(a) : a); }
};
struct AsF64 {
  using Cell = uint64_t;
  static double Value(Cell a) { return AsDouble(a); }
};

// All comparisons are one of these or the opposite of one.
enum class Relation {
  kEqual,
  kLess,
  kLessEqual,
  kGreater,
  kGreaterEqual,
  kUnequal,
  kNumbers
};

template <Relation kRelation, typename V>
THUNKY_INLINE bool Holds(V a, V b) {
  if constexpr (kRelation == Relation::kEqual) return a == b;
  if constexpr (kRelation == Relation::kLess) return a < b;
  if constexpr (kRelation == Relation::kLessEqual) return a <= b;
  if constexpr (kRelation == Relation::kGreater) return a > b;
  if constexpr (kRelation == Relation::kGreaterEqual) return a >= b;
  if constexpr (kRelation == Relation::kUnequal) return a < b || a > b;  // and no NaN
  return a == a && b == b;
}

template <typename View, Relation kRelation>
THUNKY_INLINE uint32_t RelationLanes(Warp& w, const MicroOp* op) {
  const auto* a = w.Lanes<typename View::Cell>(op->a);
  const auto* b = w.Lanes<typename View::Cell>(op->b);
  return MaskOf(
      [=](int i) { return Holds<kRelation>(View::Value(a[i]), View::Value(b[i])); });
}
template <typename View, Relation kRelation, bool kOpposite>
uint32_t RelationBase(Warp& w, const MicroOp* op) {
  const uint32_t holds = RelationLanes<View, kRelation>(w, op);
  return kOpposite ? ~holds : holds;
}
template <typename View, Relation kRelation, bool kOpposite>
THUNKY_WIDE_LANES uint32_t RelationWide(Warp& w, const MicroOp* op) {
  const uint32_t holds = RelationLanes<View, kRelation>(w, op);
  return kOpposite ? ~holds : holds;
}

template <typename View, Relation kRelation, bool kOpposite = false>
CompareFn Compared() {
  return HasWideLanes() ? &RelationWide<View, kRelation, kOpposite>
                        : &RelationBase<View, kRelation, kOpposite>;
}

template <typename View>
CompareFn IntegerCompare(Compare compare) {
  switch (compare) {
    case Compare::kEq:
      return Compared<View, Relation::kEqual>();
    case Compare::kNe:
      return Compared<View, Relation::kEqual, true>();
    case Compare::kLt:
    case Compare::kLo:
      return Compared<View, Relation::kLess>();
    case Compare::kLe:
    case Compare::kLs:
      return Compared<View, Relation::kLessEqual>();
    case Compare::kGt:
    case Compare::kHi:
      return Compared<View, Relation::kLessEqual, true>();
    case Compare::kGe:
    case Compare::kHs:
      return Compared<View, Relation::kLess, true>();
    default:
      return nullptr;
  }
}

template <typename View>
CompareFn FloatCompare(Compare compare) {
  switch (compare) {
    case Compare::kEq:
      return Compared<View, Relation::kEqual>();
    case Compare::kNe:
      return Compared<View, Relation::kUnequal>();
    case Compare::kLt:
      return Compared<View, Relation::kLess>();
    case Compare::kLe:
      return Compared<View, Relation::kLessEqual>();
    case Compare::kGt:
      return Compared<View, Relation::kGreater>();
    case Compare::kGe:
      return Compared<View, Relation::kGreaterEqual>();
    case Compare::kEqu:
      return Compared<View, Relation::kUnequal, true>();
    case Compare::kNeu:
      return Compared<View, Relation::kEqual, true>();
    case Compare::kLtu:
      return Compared<View, Relation::kGreaterEqual, true>();
    case Compare::kLeu:
      return Compared<View, Relation::kGreater, true>();
    case Compare::kGtu:
      return Compared<View, Relation::kLessEqual, true>();
    case Compare::kGeu:
      return Compared<View, Relation::kLess, true>();
    case Compare::kNum:
      return Compared<View, Relation::kNumbers>();
    case Compare::kNan:
      return Compared<View, Relation::kNumbers, true>();
    default:
      return nullptr;
  }
}

// Halves are compared one by one.
double HalfValue(Type type, bool ftz, uint16_t a) {
  if (type == Type::kBF16 || type == Type::kBF16x2) return DecodeBF16(a);
  return DecodeF16(ftz && (a & 0x7c00) == 0 ? a & 0x8000 : a);
}

bool HoldsFor(Compare compare, double a, double b) {
  switch (compare) {
    case Compare::kEq:
      return a == b;
    case Compare::kNe:
      return a < b || a > b;
    case Compare::kLt:
      return a < b;
    case Compare::kLe:
      return a <= b;
    case Compare::kGt:
      return a > b;
    case Compare::kGe:
      return a >= b;
    case Compare::kEqu:
      return !(a < b || a > b);
    case Compare::kNeu:
      return a != b;
    case Compare::kLtu:
      return !(a >= b);
    case Compare::kLeu:
      return !(a > b);
    case Compare::kGtu:
      return !(a <= b);
    case Compare::kGeu:
      return !(a < b);
    case Compare::kNum:
      return a == a && b == b;
    default:
      return a != a || b != b;
  }
}

Type ComparedType(const Instruction& in) {
  return in.op == Op::kSetp ? in.type : in.src_type;
}

uint32_t CompareHalves(Warp& w, const MicroOp* op) {
  const Instruction& in = *op->source;
  const uint16_t* a = w.Lanes<uint16_t>(op->a);
  const uint16_t* b = w.Lanes<uint16_t>(op->b);
  const Type type = ComparedType(in);
  uint32_t result = 0;
  ForLanes(w.active, [&](int i) {
    const bool holds = HoldsFor(in.mod.compare, HalfValue(type, in.mod.ftz, a[i]),
                                HalfValue(type, in.mod.ftz, b[i]));
    result |= uint32_t{holds} << i;
  });
  return result;
}

uint32_t Combine(BoolOp op, uint32_t result, uint32_t c) {
  switch (op) {
    case BoolOp::kAnd:
      return result & c;
    case BoolOp::kOr:
      return result | c;
    case BoolOp::kXor:
      return result ^ c;
    case BoolOp::kNone:
      break;
  }
  return result;
}

// p = (a cmp b) bool c;  q = !(a cmp b) bool c.
const MicroOp* ExecSetp(Warp& w, const MicroOp* op) {
  const uint32_t result = op->compare(w, op);
  const BoolOp bool_op = op->source->mod.bool_op;
  const uint32_t c = w.Predicate(op->c);
  StorePredicate(w, op->d, Combine(bool_op, result, c));
  StorePredicate(w, op->d2, Combine(bool_op, ~result, c));
  return op + 1;
}

// The value of a true comparison in a result of `type`.
uint32_t TrueValue(Type type) {
  switch (type) {
    case Type::kF32:
      return 0x3f800000u;
    case Type::kF16:
      return 0x3c00u;
    case Type::kBF16:
      return 0x3f80u;
    default:
      return 0xffffffffu;
  }
}

const MicroOp* ExecSet(Warp& w, const MicroOp* op) {
  const uint32_t result =
      Combine(op->source->mod.bool_op, op->compare(w, op), w.Predicate(op->c));
  const uint32_t yes = TrueValue(op->source->type);
  const auto value = [=](int i) { return (result & kLaneBits.bit[i]) != 0 ? yes : 0u; };
  if (ptx::ir::BitWidth(op->source->type) == 16) {
    uint16_t* d = w.Lanes<uint16_t>(op->d);
    ForLanes(w.active, [&](int i) { d[i] = static_cast<uint16_t>(value(i)); });
  } else {
    StoreLanes<uint32_t>(w, w.Lanes<uint32_t>(op->d), value);
  }
  return op + 1;
}

Recipe MakeCompare(const Instruction& in, CompareFn compare, uint8_t width) {
  Recipe recipe;
  if (compare == nullptr) return recipe;
  recipe.compare = compare;
  recipe.src = {width, width, 1};
  if (in.op == Op::kSetp) {
    recipe.fn = &ExecSetp;
    recipe.dst = {1, 1};
  } else {
    recipe.fn = &ExecSet;
    recipe.dst = {static_cast<uint8_t>(ptx::ir::BitWidth(in.type)), 0};
  }
  return recipe;
}

// The comparison of halves number `half` in pairs of f16 or bf16.
bool HalvesHold(const Instruction& in, Type type, uint32_t a, uint32_t b, int half) {
  const auto value = [&](uint32_t bits) {
    return HalfValue(type, in.mod.ftz, static_cast<uint16_t>(bits >> (16 * half)));
  };
  return HoldsFor(in.mod.compare, value(a), value(b));
}

// setp of pairs: p from the lower halves, q from the upper.
const MicroOp* ExecSetpPair(Warp& w, const MicroOp* op) {
  const Instruction& in = *op->source;
  const uint32_t* a = w.Lanes<uint32_t>(op->a);
  const uint32_t* b = w.Lanes<uint32_t>(op->b);
  uint32_t result[2] = {};
  ForLanes(w.active, [&](int i) {
    for (int half = 0; half < 2; ++half) {
      result[half] |= uint32_t{HalvesHold(in, in.type, a[i], b[i], half)} << i;
    }
  });
  const uint32_t c = w.Predicate(op->c);
  StorePredicate(w, op->d, Combine(in.mod.bool_op, result[0], c));
  StorePredicate(w, op->d2, Combine(in.mod.bool_op, result[1], c));
  return op + 1;
}

// set of pairs: each half of the result is 1.0 or 0, or all ones or 0 when the
// result is an integer.
const MicroOp* ExecSetPair(Warp& w, const MicroOp* op) {
  const Instruction& in = *op->source;
  const uint32_t* a = w.Lanes<uint32_t>(op->a);
  const uint32_t* b = w.Lanes<uint32_t>(op->b);
  const uint32_t c = w.Predicate(op->c);
  uint32_t* d = w.Lanes<uint32_t>(op->d);
  uint32_t yes = 0xffffu;
  if (in.type == Type::kF16x2) yes = 0x3c00u;
  if (in.type == Type::kBF16x2) yes = 0x3f80u;
  ForLanes(w.active, [&](int i) {
    uint32_t result = 0;
    for (int half = 0; half < 2; ++half) {
      const uint32_t holds = HalvesHold(in, in.src_type, a[i], b[i], half) ? 1u : 0u;
      if ((Combine(in.mod.bool_op, holds, (c >> i) & 1u) & 1u) != 0) {
        result |= yes << (16 * half);
      }
    }
    d[i] = result;
  });
  return op + 1;
}

Recipe PairCompare(const Instruction& in) {
  if (in.op == Op::kSetp) return {&ExecSetpPair, {1, 1}, {32, 32, 1}};
  return {&ExecSetPair, {32}, {32, 32, 1}};
}

Recipe ComparisonRecipe(const Instruction& in) {
  const Compare compare = in.mod.compare;
  switch (ComparedType(in)) {
    case Type::kF32:
      return MakeCompare(in,
                         in.mod.ftz ? FloatCompare<AsF32<true>>(compare)
                                    : FloatCompare<AsF32<false>>(compare),
                         32);
    case Type::kF64:
      return MakeCompare(in, FloatCompare<AsF64>(compare), 64);
    case Type::kF16:
    case Type::kBF16:
      return MakeCompare(in, &CompareHalves, 16);
    case Type::kF16x2:
    case Type::kBF16x2:
      return PairCompare(in);
    default:
      return VisitInteger(ComparedType(in), [&]<typename T>(T) {
        return MakeCompare(in, IntegerCompare<AsInteger<T>>(compare), sizeof(T) * 8);
      });
  }
}

template <typename U>
bool TestFloat(TestpMode mode, U a) {
  constexpr int kMantissa = sizeof(U) == 4 ? 23 : 52;
  constexpr U kInfinity =
      sizeof(U) == 4 ? static_cast<U>(0x7f800000u) : static_cast<U>(0x7ff0000000000000u);
  const U magnitude = a & static_cast<U>(~(U{1} << (sizeof(U) * 8 - 1)));
  const bool subnormal = (magnitude >> kMantissa) == 0 && magnitude != 0;
  switch (mode) {
    case TestpMode::kFinite:
      return magnitude < kInfinity;
    case TestpMode::kInfinite:
      return magnitude == kInfinity;
    case TestpMode::kNumber:
      return magnitude <= kInfinity;
    case TestpMode::kNotANumber:
      return magnitude > kInfinity;
    case TestpMode::kNormal:
      return magnitude < kInfinity && !subnormal;  // zero counts
    case TestpMode::kSubnormal:
      return subnormal;
  }
  return false;
}

template <typename U>
const MicroOp* ExecTestp(Warp& w, const MicroOp* op) {
  const U* a = w.Lanes<U>(op->a);
  const TestpMode mode = op->source->mod.testp;
  StorePredicate(w, op->d, MaskOf([=](int i) { return TestFloat<U>(mode, a[i]); }));
  return op + 1;
}

template <typename U>
U Copysign(U a, U b) {
  constexpr U kSign = U{1} << (sizeof(U) * 8 - 1);
  return (a & kSign) | (b & ~kSign);
}

}  // namespace

Recipe CompareRecipe(const Instruction& in) {
  const bool f64 = in.type == Type::kF64;
  switch (in.op) {
    case Op::kSetp:
    case Op::kSet:
      return ComparisonRecipe(in);
    case Op::kTestp:
      return f64 ? Recipe{&ExecTestp<uint64_t>, {1}, {64}}
                 : Recipe{&ExecTestp<uint32_t>, {1}, {32}};
    case Op::kCopysign:
      return f64 ? Uniform<uint64_t>(
                       VectorOp<Copysign<uint64_t>, uint64_t, uint64_t, uint64_t>(), 2)
                 : Uniform<uint32_t>(
                       VectorOp<Copysign<uint32_t>, uint32_t, uint32_t, uint32_t>(), 2);
    default:
      return {};
  }
}

}  // namespace thunky::interp
