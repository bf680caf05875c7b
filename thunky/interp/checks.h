// The checked mode for shared memory: races, and reads of bytes never written.
//
// Two accesses to a byte by different threads race when at least one writes, not both
// are atomic (or volatile), not both write the same value, and nothing orders them: a
// barrier that both threads took part in, or between lanes of a warp a warp-wide
// instruction.
#ifndef THUNKY_INTERP_CHECKS_H_
#define THUNKY_INTERP_CHECKS_H_

#include <array>
#include <cstdint>
#include <vector>

#include "thunky/hal/kernel.h"
#include "thunky/interp/launch_state.h"
#include "thunky/interp/memory_access.h"
#include "thunky/interp/micro_op.h"

namespace thunky::interp {

class SharedChecker {
 public:
  SharedChecker(const hal::CheckOptions& options, uint64_t shared_bytes, uint32_t warps);

  // Forgets everything: another block runs.
  void NewBlock();
  // Checks and records an access at `offset` of shared memory. False after a failure.
  bool Check(Warp& warp, const MicroOp* op, int lane, uint64_t offset,
             const Access& access);
  // The lanes have executed a warp-wide instruction together.
  void OrderLanes(const Warp& warp, uint32_t lanes);
  // A warp arrives at a barrier; when it is complete the warps in `waiting` go on.
  void Arrive(const Warp& warp, uint32_t barrier);
  void Release(uint32_t barrier, uint32_t waiting);

 private:
  struct Record {
    const MicroOp* op = nullptr;  // null: no access
    uint32_t thread = 0;
    uint32_t warp_clock = 0;
    uint32_t lane_clock = 0;
    bool synchronising = false;
  };
  struct Byte {
    uint64_t block = 0;  // for which the rest is valid
    bool written = false;
    bool value_known = false;
    uint8_t value = 0;  // that was written
    Record write;
    std::array<Record, 2> reads;  // the last ones, of different threads
  };
  using Clocks = std::array<uint32_t, kLanes>;
  // What each warp, and each lane within its warp, knows of the others' clocks.
  struct WarpClocks {
    Clocks known = {};
    std::array<Clocks, kLanes> lanes = {};
  };

  Byte& ByteAt(uint64_t offset);
  bool Ordered(const Record& before, uint32_t thread) const;
  bool Races(const Record& before, const Record& now) const;
  bool ReportRace(Warp& warp, const MicroOp* op, int lane, uint64_t offset,
                  const Access& access, const Record& before, bool before_writes);

  hal::CheckOptions options_;
  uint64_t block_ = 0;
  std::vector<Byte> bytes_;
  std::vector<WarpClocks> clocks_;
  std::array<Clocks, 16> arriving_ = {};  // joined clocks of a barrier's warps
};

// No-op without checks.
inline void OrderLanes(const Warp& warp, uint32_t lanes) {
  if (warp.launch->checker != nullptr) warp.launch->checker->OrderLanes(warp, lanes);
}

}  // namespace thunky::interp

#endif  // THUNKY_INTERP_CHECKS_H_
