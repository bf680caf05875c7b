// The kernels a program needs, each once.
#ifndef THUNKY_RUNTIME_KERNEL_TABLE_H_
#define THUNKY_RUNTIME_KERNEL_TABLE_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "proto/kernel.pb.h"
#include "thunky/code/ptx_library.h"
#include "thunky/hal/kernel.h"
#include "thunky/runtime/thunk.h"

namespace thunky::runtime {

// One kernel and who needs it first.
struct KernelSlot {
  hal::KernelSource source;
  std::string first_user;  // thunk path
};

// How a thunk launches its kernel; attached PTX must fit it.
struct KernelUse {
  std::string path;
  hal::Dim3 block;
  std::vector<uint64_t> argument_sizes;  // bytes of each kernel parameter
};

class KernelTable {
 public:
  // `library` (may be null) provides PTX for kernels whose payload has none; it
  // must outlive the table's building.
  explicit KernelTable(const code::PtxLibrary* library) : library_(library) {}

  // Index of the kernel of `spec`. The payload's own code wins over the library.
  // Errors: no entry name; no payload; an in-process symbol (its code is inside
  // XLA, not in the file); a library entry that does not fit `use`, naming the file.
  absl::StatusOr<uint32_t> Add(const wire::KernelLoaderSpecProto& spec,
                               const KernelUse& use);

  const std::vector<KernelSlot>& slots() const { return slots_; }
  // Entries that came from the library.
  const std::vector<std::string>& attached() const { return attached_; }

  // Loads every kernel on `device`. A device that needs PTX gets one error for all
  // kernels that have none.
  absl::StatusOr<LoadedKernels> Load(hal::Device& device) const;

 private:
  absl::StatusOr<hal::KernelSource> Source(const wire::KernelLoaderSpecProto& spec,
                                           const KernelUse& use);
  std::shared_ptr<const std::string> Intern(const std::string& code);

  const code::PtxLibrary* library_;
  std::vector<KernelSlot> slots_;
  std::vector<std::string> attached_;
  std::map<std::string, std::shared_ptr<const std::string>, std::less<>> code_;
  // (entry, ptx, cubin): code is interned, so its address identifies it.
  std::map<std::tuple<std::string, const void*, const void*>, uint32_t> index_;
};

}  // namespace thunky::runtime

#endif  // THUNKY_RUNTIME_KERNEL_TABLE_H_
