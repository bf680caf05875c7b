// What one run of a program owns: its scratch memory. Contexts are leased from a
// bounded pool, so that repeated runs allocate nothing.
#ifndef THUNKY_RUNTIME_EXECUTION_CONTEXT_H_
#define THUNKY_RUNTIME_EXECUTION_CONTEXT_H_

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "absl/status/statusor.h"
#include "thunky/hal/device.h"
#include "thunky/schema/signature.h"

namespace thunky::runtime {

// Scratch, results and constants start at multiples of this many bytes.
inline constexpr uint64_t kBufferAlignment = 256;

// Where each temporary lies in the arena of a run.
struct ScratchLayout {
  struct Entry {
    int64_t allocation = 0;
    uint64_t offset = 0;
    uint64_t size = 0;
  };
  std::vector<Entry> entries;
  uint64_t arena_size = 0;  // bytes

  // ResourceExhausted when the sizes do not add up to 64 bits.
  static absl::StatusOr<ScratchLayout> Of(
      const std::vector<schema::SignatureTemporary>& temporaries);
};

// A graph of the program for arguments at certain addresses.
struct CachedGraph {
  std::vector<uint64_t> addresses;
  std::unique_ptr<hal::GraphInstance> graph;
};

struct ExecutionContext {
  // So many sets of arguments have graphs of their own; for more, the one that was not
  // used for the longest time is changed.
  static constexpr size_t kMaxGraphs = 4;

  std::unique_ptr<hal::Allocation> arena;
  int64_t runs = 0;                 // that were begun
  std::vector<CachedGraph> graphs;  // the last one used in front
};

// Thread-safe.
class ContextPool {
 public:
  explicit ContextPool(int most) : most_(most) {}

  // A free context, or a new one with an arena of `arena_size` bytes on `device`,
  // or, when `most` are out, the next one that comes back.
  absl::StatusOr<std::unique_ptr<ExecutionContext>> Lease(hal::Device& device,
                                                          uint64_t arena_size);
  void Return(std::unique_ptr<ExecutionContext> context);

 private:
  const int most_;
  std::mutex mutex_;
  std::condition_variable returned_;
  std::vector<std::unique_ptr<ExecutionContext>> free_;
  int out_ = 0;
};

}  // namespace thunky::runtime

#endif  // THUNKY_RUNTIME_EXECUTION_CONTEXT_H_
