// A block: its warps in turn, and the barriers between them.
#ifndef THUNKY_INTERP_BLOCK_H_
#define THUNKY_INTERP_BLOCK_H_

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "thunky/interp/launch_state.h"
#include "thunky/interp/warp.h"

namespace thunky::interp {

inline constexpr uint32_t kBarriers = 16;

// A barrier in use: from the first lane that arrives until all have.
struct Barrier {
  bool in_use = false;
  uint32_t expected = 0;  // threads; 0: all of the block
  uint32_t arrived = 0;   // one bit a warp
  uint32_t waiting = 0;   // warps that wait, and not only arrived
  const MicroOp* first = nullptr;
  // .red: over all lanes that arrived
  uint32_t count = 0;
  bool all = true;
  bool any = false;
};

struct Block {
  LaunchState* launch = nullptr;
  std::vector<std::unique_ptr<Warp>> warps;
  std::array<Barrier, kBarriers> barriers;

  explicit Block(LaunchState* state);
  // Runs the block launch->block_id. False once launch->status says why not.
  bool Run();

  // The active lanes of the current strand arrive at barrier `id`; with `wait` they
  // wait there.
  const MicroOp* Arrive(Warp& warp, const MicroOp* op, uint32_t id, uint32_t expected,
                        uint32_t predicate, bool wait);
  // Lanes of `warp` have exited: barriers do not wait for them.
  void LanesExited(Warp& warp);

 private:
  void CountWarp(Warp& warp, uint32_t id);
  void ReleaseIfComplete(uint32_t id);
  void Release(uint32_t id);
  bool CheckAligned(Warp& warp, uint32_t id);
  void ReportStuck();
  std::string DescribeBarrier(uint32_t id) const;
  std::string DescribeWarpSync() const;
};

// bar and barrier: number in a, thread count in b, predicate in c.
const MicroOp* ExecBar(Warp& warp, const MicroOp* op);

}  // namespace thunky::interp

#endif  // THUNKY_INTERP_BLOCK_H_
