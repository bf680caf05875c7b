// Basic blocks.
#ifndef THUNKY_PTX_CONTROL_FLOW_H_
#define THUNKY_PTX_CONTROL_FLOW_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "thunky/ptx/ir.h"

namespace thunky::ptx {

// Cuts function.code into blocks. Before, the targets of kBra and the entries of
// branch_tables are label numbers, and label_positions[number] is the instruction a
// label stands before; after, they are block numbers. The code must not be empty, must
// end in an unguarded terminator, and every label position must be inside it.
// Unimplemented for more than kMaxEdges edges, which a few tables with many branches
// can make.
absl::Status BuildBlocks(const std::vector<uint32_t>& label_positions,
                         ir::Function& function);

inline constexpr uint64_t kMaxEdges = uint64_t{1} << 22;

}  // namespace thunky::ptx

#endif  // THUNKY_PTX_CONTROL_FLOW_H_
