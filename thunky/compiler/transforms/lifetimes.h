// When the bytes of a scratch buffer matter.
#ifndef THUNKY_COMPILER_TRANSFORMS_LIFETIMES_H_
#define THUNKY_COMPILER_TRANSFORMS_LIFETIMES_H_

#include <vector>

#include "thunky/compiler/transforms/program_timeline.h"

namespace thunky::compiler {

// The slots in which a buffer may be accessed or holds something that may still be
// needed, disjoint and in order. `uses` are all of one buffer, in the order of slots.
//
// Something is needed as long as some path leads to an access that may see it: one that
// is not write_all, before all its bytes are written anew. Before the first access
// nothing is. A loop leads back to its start, branches exclude each other, and
// asynchronous work may run at any time until it is known to have ended.
std::vector<TimeSpan> lifetimeOf(const ProgramTimeline& timeline,
                                 llvm::ArrayRef<BufferUse> uses);

}  // namespace thunky::compiler

#endif  // THUNKY_COMPILER_TRANSFORMS_LIFETIMES_H_
