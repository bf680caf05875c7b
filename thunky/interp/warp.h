// A warp: 32 lanes that run one function with independent program counters.
//
// Lanes at the same place run together as a strand. The strand at the lowest place
// of the deepest activation runs first, so that lanes meet again where control flow
// joins. When a strand has used up its turn and others wait, the one that waited
// longest gets a turn without being interrupted: a lane that spins cannot starve the
// lane it waits for.
#ifndef THUNKY_INTERP_WARP_H_
#define THUNKY_INTERP_WARP_H_

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "thunky/interp/micro_op.h"

namespace thunky::interp {

struct Block;
struct LaunchState;

// Operations in a turn.
inline constexpr int64_t kTurn = 16384;
// What an access that may be part of a spin wait takes off the turn besides.
inline constexpr int64_t kPollCost = 32;
// Activations of a thread.
inline constexpr uint32_t kMaxDepth = 1024;

// Cells of an activation, aligned for vector code.
class RegisterFile {
 public:
  RegisterFile() = default;
  explicit RegisterFile(uint32_t bytes);  // zeros
  char* data() const { return data_.get(); }

 private:
  struct Free {
    void operator()(char* p) const;
  };
  std::unique_ptr<char[], Free> data_;
};

// An activation of a function by some lanes of a warp.
struct Frame {
  const DecodedFunction* function = nullptr;
  Frame* parent = nullptr;
  const MicroOp* return_to = nullptr;
  const ptx::ir::Call* call = nullptr;
  uint64_t stack_base = 0;  // in each lane's local window
  uint32_t depth = 0;
  uint32_t lanes = 0;  // lanes that have not returned
  RegisterFile registers;
};

struct Strand {
  enum class State : uint8_t { kRunnable, kBarrier, kWarpSync };
  Frame* frame = nullptr;
  const MicroOp* pc = nullptr;
  uint32_t lanes = 0;
  State state = State::kRunnable;
  uint8_t barrier = 0;
  uint32_t members = 0;  // the member mask of a kWarpSync
  uint64_t last_turn = 0;
};

// Bytes that accesses of a warp may touch without another look-up.
struct KnownRange {
  uint64_t begin = 0;
  uint64_t end = 0;
  bool writable = false;
};

// A cp.async that was issued and is not done.
struct PendingCopy {
  uint32_t lane = 0;
  uint64_t destination = 0;  // host address
  uint64_t source = 0;
  uint32_t bytes = 0;
  uint32_t source_bytes = 0;
  uint64_t group = 0;
};

struct Warp {
  // What micro-operations use. ----------------------------------------------------
  std::array<char*, 4> base = {};  // by Slot::Region
  uint32_t active = 0;             // lanes that an operation acts on
  bool dense = false;              // all live lanes are active: others may be overwritten
  int64_t fuel = 0;                // operations left in this turn
  int64_t penalty = 0;             // part of the fuel used that was no operation
  uintptr_t next_pending = 0;      // lowest pc that waits in this frame
  alignas(64) std::array<uint16_t, kLanes> mask16 = {};
  alignas(64) std::array<uint32_t, kLanes> mask32 = {};
  alignas(64) std::array<uint64_t, kLanes> mask64 = {};
  alignas(64) std::array<uint64_t, kLanes> address = {};  // of the access being made
  // How these lie to each other: one after another in steps of the access's size, all
  // the same (both only when all 32 lanes are active), or anyhow.
  enum class Pattern : uint8_t { kScattered, kContiguous, kUniform };
  Pattern pattern = Pattern::kScattered;
  Strand* current = nullptr;
  Frame* frame = nullptr;
  KnownRange known;

  // The rest. ---------------------------------------------------------------------
  LaunchState* launch = nullptr;
  Block* block = nullptr;
  uint32_t index = 0;
  uint32_t valid = 0;  // lanes that exist
  uint32_t live = 0;   // lanes that have not exited
  uint64_t turn = 0;
  bool exhausted = false;      // the last turn was used up
  bool uninterrupted = false;  // the strand with `turn_lane` keeps its turn
  int turn_lane = 0;
  uint32_t mask_lanes = 0;  // what the masks above say
  std::array<Strand, kLanes> strands;
  int strand_count = 0;
  std::vector<std::unique_ptr<Frame>> frames;       // entry first
  std::vector<std::unique_ptr<Frame>> idle_frames;  // to be used again
  alignas(64) std::array<char, static_cast<size_t>(WarpSpecial::kCount) *
                                   kSpecialBytes> specials = {};
  std::array<uint32_t, 16> barrier_lanes = {};  // lanes that arrived, per barrier
  std::vector<PendingCopy> copies;
  std::array<uint64_t, kLanes> copy_group = {};  // next cp.async group of a lane

  template <typename T>
  T* Lanes(Slot slot) {
    return reinterpret_cast<T*>(base[slot.region()] + slot.offset());
  }
  uint32_t& Predicate(Slot slot) { return *Lanes<uint32_t>(slot); }
  template <typename T>
  const T* Mask() const {
    if constexpr (sizeof(T) == 2) return mask16.data();
    if constexpr (sizeof(T) == 4) return mask32.data();
    if constexpr (sizeof(T) == 8) return mask64.data();
  }

  // An access that may be part of a spin wait was made: the turn gets shorter.
  void Poll() {
    fuel -= kPollCost;
    penalty += kPollCost;
  }
  // Makes exactly `lanes` active.
  void SetActive(uint32_t lanes);

  // Goes to `to`, unless lanes wait below or the turn is over.
  const MicroOp* Jump(const MicroOp* op, const MicroOp* to) {
    fuel -= op->imm;
    if (fuel < 0 || reinterpret_cast<uintptr_t>(to) >= next_pending) {
      return Reschedule(to);
    }
    return to;
  }
  // The current strand will go on at `pc`; the scheduler decides when.
  const MicroOp* Reschedule(const MicroOp* pc);
  // Ends the launch. `lane` names the thread.
  const MicroOp* Fail(const MicroOp* op, int lane, absl::StatusCode code,
                      std::string_view message);

  // Lanes of the current strand that are not active become a strand at `pc`; the
  // current strand keeps the active ones.
  void SplitInactive(const MicroOp* pc);
  Strand* AddStrand(Frame* frame, const MicroOp* pc, uint32_t lanes);
  // Takes the lanes of the current strand away; it is no strand any more.
  void RemoveCurrent();
  // Ends the lanes of the current strand, in all their activations.
  const MicroOp* ExitCurrent();
  // New activation for `lanes`, which return to `return_to`; null after a failure.
  Frame* PushFrame(const MicroOp* op, const DecodedFunction* callee,
                   const ptx::ir::Call* call, uint32_t lanes);
  // `lanes` leave `frame`; it ends with the last of them.
  void LeaveFrame(Frame* frame, uint32_t lanes);

  // Prepares for a block: all valid lanes at the entry. False after a failure.
  bool Start(const DecodedFunction* entry);
  // Runs until nothing is runnable or a turn has been used; returns the number of
  // operations executed.
  uint64_t Run();
  bool HasRunnable() const;

 private:
  void MergeRunnable();
  Strand* Pick();
  void Enter(Strand* strand);
};

}  // namespace thunky::interp

#endif  // THUNKY_INTERP_WARP_H_
