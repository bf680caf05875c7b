// Micro-operations from functions on single values: loops over lanes that the
// compiler turns into vector code, once for the base instruction set and once for
// AVX2 with FMA.
//
// `F` maps unsigned values to an unsigned value and must accept all inputs: lanes
// that are not active are computed and thrown away.
#ifndef THUNKY_INTERP_LANES_H_
#define THUNKY_INTERP_LANES_H_

#include <bit>
#include <cstdint>
#include <tuple>

#include "thunky/interp/micro_op.h"
#include "thunky/interp/numerics.h"
#include "thunky/interp/warp.h"

#if defined(__x86_64__)
#define THUNKY_WIDE_LANES [[gnu::target("avx2,fma,bmi2")]]
#else
#define THUNKY_WIDE_LANES
#endif
#define THUNKY_INLINE [[gnu::always_inline]] inline

namespace thunky::interp {

bool HasWideLanes();  // AVX2, BMI2 and FMA, on x86-64

struct LaneBits {
  alignas(64) uint32_t bit[kLanes];
  constexpr LaneBits() : bit() {
    for (int i = 0; i < kLanes; ++i) bit[i] = 1u << i;
  }
};
inline constexpr LaneBits kLaneBits;

// Stores f(i) to the active lanes of d.
template <typename R, typename Function>
THUNKY_INLINE void StoreLanes(Warp& w, R* d, Function f) {
  if (w.dense) {
#pragma GCC ivdep
    for (int i = 0; i < kLanes; ++i) d[i] = f(i);
  } else {
    const R* m = w.Mask<R>();
#pragma GCC ivdep
    for (int i = 0; i < kLanes; ++i) {
      d[i] = static_cast<R>((f(i) & m[i]) | (d[i] & static_cast<R>(~m[i])));
    }
  }
}

// The lanes for which f(i) holds.
template <typename Function>
THUNKY_INLINE uint32_t MaskOf(Function f) {
  uint32_t mask = 0;
  for (int i = 0; i < kLanes; ++i) mask |= f(i) ? kLaneBits.bit[i] : 0u;
  return mask;
}

// Calls f(lane) for the lanes of a mask, lowest first.
template <typename Function>
THUNKY_INLINE void ForLanes(uint32_t mask, Function f) {
  for (; mask != 0; mask &= mask - 1) f(std::countr_zero(mask));
}

// Writes the active lanes of a predicate.
THUNKY_INLINE void StorePredicate(Warp& w, Slot slot, uint32_t value) {
  uint32_t& p = w.Predicate(slot);
  p = (p & ~w.active) | (value & w.active);
}

// A callable of a lane that applies F to the operands a, b, c of `op`.
template <auto F, typename R, typename... A>
THUNKY_INLINE auto Applied(Warp& w, const MicroOp* op) {
  using Types = std::tuple<A..., uint32_t, uint32_t>;
  const auto* a = w.Lanes<std::tuple_element_t<0, Types>>(op->a);
  const auto* b = w.Lanes<std::tuple_element_t<1, Types>>(op->b);
  const auto* c = w.Lanes<std::tuple_element_t<2, Types>>(op->c);
  if constexpr (sizeof...(A) == 1) {
    return [=](int i) { return static_cast<R>(F(a[i])); };
  } else if constexpr (sizeof...(A) == 2) {
    return [=](int i) { return static_cast<R>(F(a[i], b[i])); };
  } else {
    return [=](int i) { return static_cast<R>(F(a[i], b[i], c[i])); };
  }
}

template <auto F, typename R, typename... A>
const MicroOp* VectorBase(Warp& w, const MicroOp* op) {
  StoreLanes<R>(w, w.Lanes<R>(op->d), Applied<F, R, A...>(w, op));
  return op + 1;
}
template <auto F, typename R, typename... A>
THUNKY_WIDE_LANES const MicroOp* VectorWide(Warp& w, const MicroOp* op) {
  StoreLanes<R>(w, w.Lanes<R>(op->d), Applied<F, R, A...>(w, op));
  return op + 1;
}
// d = F(a, b, c) with a result type R and operand types A; one to three operands.
template <auto F, typename R, typename... A>
ExecFn VectorOp() {
  return HasWideLanes() ? &VectorWide<F, R, A...> : &VectorBase<F, R, A...>;
}

// The same under the instruction's rounding mode. F must use only operations that
// obey it.
template <auto F, typename R, typename... A>
const MicroOp* RoundedBase(Warp& w, const MicroOp* op) {
  const RoundingScope scope(op->source->mod.rounding);
  return VectorBase<F, R, A...>(w, op);
}
template <auto F, typename R, typename... A>
const MicroOp* RoundedWide(Warp& w, const MicroOp* op) {
  const RoundingScope scope(op->source->mod.rounding);
  return VectorWide<F, R, A...>(w, op);
}
template <auto F, typename R, typename... A>
ExecFn RoundedOp() {
  return HasWideLanes() ? &RoundedWide<F, R, A...> : &RoundedBase<F, R, A...>;
}

// The same for functions that cost more than a vector loop saves: only active lanes
// are computed.
template <auto F, typename R, typename... A>
const MicroOp* EachLane(Warp& w, const MicroOp* op) {
  const auto f = Applied<F, R, A...>(w, op);
  R* d = w.Lanes<R>(op->d);
  ForLanes(w.active, [&](int i) { d[i] = f(i); });
  return op + 1;
}
template <auto F, typename R, typename... A>
ExecFn EachOp() {
  return &EachLane<F, R, A...>;
}

}  // namespace thunky::interp

#endif  // THUNKY_INTERP_LANES_H_
