// Two lists side by side: what of one is what of the other.
#ifndef THUNKY_TOOLING_ALIGNMENT_H_
#define THUNKY_TOOLING_ALIGNMENT_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/types/span.h"

namespace thunky::tooling {

// What is known of an element. Elements with the same `exact` are taken to be equal,
// those of the same `kind` to be alike: one may have become the other, the more so when
// they have the same `name`. Equal ones have one kind and one name.
struct AlignmentKey {
  uint64_t exact = 0;
  uint64_t name = 0;
  uint64_t kind = 0;
};

// Positions in the two lists; an element of one list alone has the other absent.
struct AlignedPair {
  std::optional<size_t> a;
  std::optional<size_t> b;
};

// Every element of either list once, both in their order. As many equal elements are
// paired as can be, then such that are alike; what is neither is never paired.
// Between elements that are equal and occur once, long stretches without such are
// paired by position: time grows with the lengths, not their product.
std::vector<AlignedPair> Align(absl::Span<const AlignmentKey> a,
                               absl::Span<const AlignmentKey> b);

}  // namespace thunky::tooling

#endif  // THUNKY_TOOLING_ALIGNMENT_H_
