// Places in one piece of memory for buffers that are not all needed at once.
#ifndef THUNKY_COMPILER_TRANSFORMS_ARENA_LAYOUT_H_
#define THUNKY_COMPILER_TRANSFORMS_ARENA_LAYOUT_H_

#include <cstdint>
#include <vector>

#include "thunky/compiler/transforms/program_timeline.h"

namespace thunky::compiler {

// Buffers begin at multiples of this many bytes.
inline constexpr int64_t kArenaAlignment = 256;

struct ArenaBuffer {
  int64_t size = 0;                // bytes
  std::vector<TimeSpan> lifetime;  // disjoint, in order; none: never used
  int64_t offset = 0;              // where it is put
};

// Sets the offsets, so that no two buffers with lifetimes in common overlap, and gives
// the size of the whole, a multiple of the alignment: never more than all sizes, each
// rounded up, together. That sum must fit into an int64_t.
//
// Larger buffers come first; each goes where it fits with the least room left.
int64_t layOutArena(std::vector<ArenaBuffer>& buffers);

}  // namespace thunky::compiler

#endif  // THUNKY_COMPILER_TRANSFORMS_ARENA_LAYOUT_H_
