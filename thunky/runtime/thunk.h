// A thunk: one operation of a program, decoded and verified.
//
// Life of a thunk: it is decoded once, when its program is loaded (decode and
// verify: no device is involved); prepared once per device (everything costly:
// kernels, libraries, communicators); recorded on every run. It is immutable and
// shared by threads and devices: what belongs to a device is in LoadedKernels,
// what belongs to a run in RecordContext.
#ifndef THUNKY_RUNTIME_THUNK_H_
#define THUNKY_RUNTIME_THUNK_H_

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "thunky/hal/device.h"
#include "thunky/hal/recorder.h"
#include "thunky/runtime/buffer_table.h"
#include "thunky/schema/thunk_kind.h"

namespace thunky::runtime {

struct ThunkInfo {
  schema::ThunkKind kind;
  std::string path;      // "thunks[3].while.body[2]"
  std::string location;  // profile annotation; may be empty
  std::string name;      // of the kernel or custom-call target; may be empty
};

// Open async bodies of a run, by async execution id. Thread-safe.
class TokenTable {
 public:
  void Put(uint64_t id, std::unique_ptr<hal::ForkToken> token) {
    std::lock_guard<std::mutex> lock(mutex_);
    tokens_[id] = std::move(token);
  }
  // Null when the id is not open.
  std::unique_ptr<hal::ForkToken> Take(uint64_t id) {
    std::lock_guard<std::mutex> lock(mutex_);
    auto it = tokens_.find(id);
    if (it == tokens_.end()) return nullptr;
    std::unique_ptr<hal::ForkToken> token = std::move(it->second);
    tokens_.erase(it);
    return token;
  }

 private:
  std::mutex mutex_;
  std::map<uint64_t, std::unique_ptr<hal::ForkToken>> tokens_;
};

// Kernels of a program on one device, by the index that decoding gave them.
using LoadedKernels = std::vector<std::shared_ptr<const hal::Kernel>>;

struct PrepareContext {
  hal::Device& device;
  const LoadedKernels& kernels;
};

// One run. The references outlive every thunk that is recorded with it.
struct RecordContext {
  const BufferTable& buffers;
  const LoadedKernels& kernels;
  TokenTable& tokens;
  // Position of this run's device among the program's devices.
  uint32_t replica_id = 0;
  uint32_t partition_id = 0;
};

class Thunk {
 public:
  explicit Thunk(ThunkInfo info) : info_(std::move(info)) {}
  virtual ~Thunk() = default;
  Thunk(const Thunk&) = delete;
  Thunk& operator=(const Thunk&) = delete;

  const ThunkInfo& info() const { return info_; }

  // Checks what only the device can tell; touches no buffer.
  virtual absl::Status Prepare(const PrepareContext& context) const {
    return absl::OkStatus();
  }

  // Says to `recorder` what this thunk does in the run `context`.
  virtual absl::Status Record(const RecordContext& context,
                              hal::Recorder& recorder) const = 0;

  // Whether recording this thunk forks to another stream.
  virtual bool forks() const { return false; }
  // Id of the async body that this thunk leaves open, or null.
  virtual const uint64_t* opens() const { return nullptr; }

 private:
  ThunkInfo info_;
};

}  // namespace thunky::runtime

#endif  // THUNKY_RUNTIME_THUNK_H_
