// What all warps of one launch share. A launch runs on one thread.
#ifndef THUNKY_INTERP_LAUNCH_STATE_H_
#define THUNKY_INTERP_LAUNCH_STATE_H_

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "thunky/hal/kernel.h"
#include "thunky/interp/micro_op.h"
#include "thunky/interp/warp.h"

namespace thunky::interp {

struct DecodedProgram;
class SharedChecker;

// Device-side malloc and free.
class DeviceHeap {
 public:
  static constexpr uint64_t kLimit = 8 << 20;  // bytes in use, as a GPU's default

  // 16-byte aligned, zeroed; 0 when it does not fit.
  uint64_t Allocate(uint64_t size);
  // False when `address` is not the start of an allocation. 0 is always fine.
  bool Free(uint64_t address);
  bool Contains(uint64_t address, uint64_t size) const;

 private:
  struct Chunk {
    std::unique_ptr<uint64_t[]> words;
    uint64_t size = 0;
  };
  std::map<uint64_t, Chunk> chunks_;  // by address
  uint64_t used_ = 0;
};

struct LaunchState {
  const DecodedProgram* program = nullptr;
  const hal::LaunchParams* params = nullptr;
  std::array<uint32_t, 3> block_dim = {1, 1, 1};
  std::array<uint32_t, 3> block_id = {};
  uint32_t threads = 0;  // per block
  uint32_t warps = 0;

  // Windows of the running block, and of its threads one after another.
  char* shared = nullptr;
  uint64_t shared_bytes = 0;
  char* local = nullptr;
  uint64_t local_window = 0;  // bytes per thread
  char* arguments = nullptr;  // the entry's parameter area, read-only
  uint64_t argument_bytes = 0;

  std::vector<char> specials;        // the Slot::kLaunch region
  SharedChecker* checker = nullptr;  // null: no checks of shared memory
  DeviceHeap heap;
  uint64_t frame_bytes = 0;  // registers of all activations

  uint64_t steps = 0;      // operations executed
  uint64_t next_poll = 0;  // steps at which to look at budget and cancellation
  absl::Status status;     // the first failure

  char* LocalOf(const Warp& warp, int lane) const {
    return local +
           (uint64_t{warp.index} * kLanes + static_cast<uint64_t>(lane)) * local_window;
  }
  // Counts operations; false once the launch must end (status says why).
  bool Count(uint64_t operations);
  // "kernel 'k', block (1,0,0), thread (3,0,0), line 12"
  std::string Where(const Warp& warp, int lane, const MicroOp* op) const;
  // "(3,0,0)"
  std::string ThreadName(uint32_t thread) const;
};

// Registers of all activations of a launch.
inline constexpr uint64_t kMaxFrameBytes = uint64_t{1} << 30;
inline constexpr uint64_t kPollInterval = 4096;

}  // namespace thunky::interp

#endif  // THUNKY_INTERP_LAUNCH_STATE_H_
