// The one interface between thunks and machines.
//
// A thunk says what it wants in these verbs and does not know who listens: the
// immediate host recorder does it at once, a stream recorder enqueues it, a
// graph recorder adds nodes.
#ifndef THUNKY_HAL_RECORDER_H_
#define THUNKY_HAL_RECORDER_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "thunky/hal/kernel.h"
#include "thunky/hal/memory.h"

namespace thunky::hal {

// Streams are named by kind and number: two separate id spaces, neither of them
// the main stream.
struct StreamId {
  enum class Kind : uint8_t { kComputation, kCommunication };
  Kind kind = Kind::kComputation;
  uint64_t id = 0;
  bool operator==(const StreamId&) const = default;
  bool operator<(const StreamId& other) const {
    return kind != other.kind ? kind < other.kind : id < other.id;
  }
};

// A token of Recorder::Fork. Joined exactly once.
class ForkToken {
 public:
  virtual ~ForkToken() = default;
};

// A kernel launch: the loaded kernel, its shape, its packed arguments.
struct LaunchCommand {
  std::shared_ptr<const Kernel> kernel;
  Dim3 grid;
  Dim3 block;
  uint64_t dynamic_shared_bytes = 0;
  // The kernel waits by itself (griddepcontrol.wait) for those in front of it before it
  // touches memory, so that it may start while they end.
  bool programmatic = false;
  std::vector<std::vector<uint8_t>> arguments;
  // The slices the arguments point to; the checked mode holds accesses to them.
  std::vector<MemoryRange> accesses;
};

// One start index of a dynamic slice, in bytes from the slice's base.
class OffsetSource {
 public:
  virtual ~OffsetSource() = default;
  // The device scalars that Evaluate needs, in order. Empty for offsets that
  // only depend on constants and loop iterations.
  virtual std::vector<DeviceSpan> inputs() const = 0;
  // The byte offset, given the contents of inputs() and the iteration numbers
  // of the enclosing loops (innermost last).
  virtual absl::StatusOr<uint64_t> Evaluate(
      absl::Span<const std::vector<uint8_t>> inputs,
      absl::Span<const uint64_t> iterations) const = 0;
};

class Recorder;
// A region. Called with the recorder that records the region: not always the
// one that was called, and perhaps on another thread or more than once.
using Region = absl::FunctionRef<absl::Status(Recorder&)>;

class Recorder {
 public:
  virtual ~Recorder() = default;

  // Launches a kernel. A grid with a zero dimension does nothing.
  virtual absl::Status Launch(const LaunchCommand& command) = 0;

  // Copies src to dst; equal sizes, ranges that are equal or do not overlap.
  virtual absl::Status Copy(DeviceSpan dst, DeviceSpan src) = 0;

  // Fills dst with a 32-bit pattern, stored little endian. A size that is not
  // a multiple of 4 is legal for patterns of four equal bytes only.
  virtual absl::Status Fill(DeviceSpan dst, uint32_t pattern) = 0;

  // Runs branches[i] by the value at `index`: 1 byte means bool (true is branch
  // 0), 4 bytes mean i32 (out of range is the last branch).
  virtual absl::Status Branch(DeviceSpan index, absl::Span<const Region> branches) = 0;

  // With a trip count: `body` that many times; `condition` does not run.
  // Without: `condition`, then `body` while the byte at `predicate` is not 0.
  virtual absl::Status Loop(DeviceSpan predicate, std::optional<uint64_t> trip_count,
                            Region condition, Region body) = 0;

  // Starts `body` on another stream after everything recorded so far; what is
  // recorded next may run at the same time. Bodies on one stream run in order.
  // `forks_inside` says that the body forks too. `body` must stay callable until
  // the token is joined.
  virtual absl::StatusOr<std::unique_ptr<ForkToken>> Fork(
      StreamId stream, bool forks_inside,
      std::function<absl::Status(Recorder&)> body) = 0;
  // Waits, on the recorded stream, for the body of `token`; its error, if any.
  virtual absl::Status Join(std::unique_ptr<ForkToken> token) = 0;

  // Runs `body` with the byte offsets that `sources` evaluate to at this point
  // of the program.
  virtual absl::Status WithOffsets(
      absl::Span<const OffsetSource* const> sources,
      absl::FunctionRef<absl::Status(Recorder&, absl::Span<const uint64_t>)> body) = 0;

  // Waits until everything recorded has happened; its error, if any.
  virtual absl::Status Finish() = 0;

  // Iteration numbers of the enclosing loops, innermost last, from 0; for
  // messages. Recorders that do not know them return what they know.
  virtual std::vector<uint64_t> iterations() const = 0;
};

}  // namespace thunky::hal

#endif  // THUNKY_HAL_RECORDER_H_
