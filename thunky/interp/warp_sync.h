// Instructions that lanes of a warp execute together: who waits for whom.
#ifndef THUNKY_INTERP_WARP_SYNC_H_
#define THUNKY_INTERP_WARP_SYNC_H_

#include <cstdint>

#include "thunky/interp/micro_op.h"
#include "thunky/interp/warp.h"

namespace thunky::interp {

// Executes an operation with MicroOp::collective: at once for groups of lanes whose
// live members are all active; other lanes wait for their members. Operand widths
// are in MicroOp::extra, the member mask (when mod.sync_mask) in slot e.
const MicroOp* ExecCollective(Warp& warp, const MicroOp* op);
uint32_t PackWidths(uint8_t d, uint8_t a, uint8_t b, uint8_t c);

// bar.warp.sync with the member mask in slot e.
const MicroOp* ExecBarWarp(Warp& warp, const MicroOp* op);

// True when all live lanes are active. Otherwise the active lanes wait at `op` for
// the others, and the caller returns null.
bool HasWholeWarp(Warp& warp, const MicroOp* op);

// Lets lanes go on that wait for nobody any more. To be called when lanes exit.
void ReleaseWarpSyncs(Warp& warp);

}  // namespace thunky::interp

#endif  // THUNKY_INTERP_WARP_SYNC_H_
