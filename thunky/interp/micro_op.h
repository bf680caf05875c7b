// What a warp executes: PTX instructions with their operands resolved to places
// in memory and their type already chosen.
#ifndef THUNKY_INTERP_MICRO_OP_H_
#define THUNKY_INTERP_MICRO_OP_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "thunky/ptx/ir.h"

namespace thunky::interp {

inline constexpr int kLanes = 32;
inline constexpr uint32_t kAllLanes = 0xffffffffu;

struct Warp;
struct MicroOp;

// Executes `op` for the active lanes of the warp's current strand and returns what
// comes next, or null when the strand cannot go on by itself (it parked, ended,
// failed, or somebody else's turn has come).
using ExecFn = const MicroOp* (*)(Warp & warp, const MicroOp* op);

// Sources and results of a warp-wide operation, one value per lane.
struct Exchange {
  std::array<std::array<uint64_t, kLanes>, 4> src;
  std::array<uint64_t, kLanes> dst;
  uint32_t predicate = 0;  // second result, one bit per lane
};
// Computes the results of the lanes in `members` (all live members of one mask).
using CollectiveFn = void (*)(const MicroOp& op, uint32_t members, Exchange& x);

// The lanes for which a comparison of operands a and b holds.
using CompareFn = uint32_t (*)(Warp& warp, const MicroOp* op);

// A value of 32 lanes lives at base[region] + offset: contiguous elements of 2, 4
// or 8 bytes as its width says; a predicate is one 32-bit word with a bit per lane.
class Slot {
 public:
  enum Region : uint32_t {
    kFrame = 0,     // registers and temporaries of an activation
    kConstant = 1,  // immediates and addresses of the function
    kWarp = 2,      // special registers that depend on the lane
    kLaunch = 3,    // special registers that do not
  };
  static constexpr uint32_t kMaxOffset = (1u << 30) - 1;

  Slot() = default;
  Slot(Region region, uint32_t offset) : raw_((region << 30) | offset) {}
  uint32_t region() const { return raw_ >> 30; }
  uint32_t offset() const { return raw_ & kMaxOffset; }

 private:
  uint32_t raw_ = 0;
};

struct MicroOp {
  ExecFn fn = nullptr;
  const ptx::ir::Instruction* source = nullptr;  // for modifiers and messages
  union {
    CollectiveFn collective = nullptr;  // of warp-wide operations
    CompareFn compare;                  // of comparisons
  };
  Slot d;
  Slot d2;
  Slot a, b, c, e;
  // Address offset of a memory access, operations of the block for a jump.
  int64_t imm = 0;
  // Jumps: index of the target. Vectors: first of DecodedFunction::slots.
  uint32_t target = 0;
  uint32_t extra = 0;  // number of slots, call index, and the like
};

// Special registers in the warp's region (arrays of 32-bit values).
enum class WarpSpecial : uint32_t {
  kTidX,
  kTidY,
  kTidZ,
  kLaneid,
  kWarpid,
  kLanemaskEq,
  kLanemaskLe,
  kLanemaskLt,
  kLanemaskGe,
  kLanemaskGt,
  kCount,
};
// And in the launch's.
enum class LaunchSpecial : uint32_t {
  kZero,
  kOne,
  kNtidX,
  kNtidY,
  kNtidZ,
  kCtaidX,
  kCtaidY,
  kCtaidZ,
  kNctaidX,
  kNctaidY,
  kNctaidZ,
  kNwarpid,
  kGridid,
  kDynamicShared,
  kTotalShared,
  kCount,
};
inline constexpr uint32_t kSpecialBytes = kLanes * sizeof(uint32_t);

struct DecodedFunction {
  const ptx::ir::Function* ir = nullptr;
  std::vector<MicroOp> code;
  std::vector<uint32_t> block_start;  // of ir->blocks, index into code
  std::vector<Slot> slots;            // operands of vector instructions
  std::vector<Slot> register_slots;   // by ir register; only of those that are used
  std::vector<uint64_t> constants;    // the constant region, in 8-byte units
  uint32_t frame_bytes = 0;           // registers and temporaries of an activation
  // Per lane and activation: the parameter area, then local variables.
  uint64_t local_offset = 0;
  uint64_t stack_bytes = 0;
};

// The CC bit of every lane is the first word of a frame.
inline constexpr uint32_t kCarryOffset = 0;

}  // namespace thunky::interp

#endif  // THUNKY_INTERP_MICRO_OP_H_
