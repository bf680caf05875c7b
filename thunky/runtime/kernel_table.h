// The kernels a program needs, each once.
#ifndef THUNKY_RUNTIME_KERNEL_TABLE_H_
#define THUNKY_RUNTIME_KERNEL_TABLE_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "proto/kernel.pb.h"
#include "thunky/code/ptx_library.h"
#include "thunky/hal/kernel.h"
#include "thunky/runtime/thunk.h"
#include "thunky/schema/code_table.h"

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
  // `library` provides PTX for kernels that have none, `shared` is the code that
  // kernels refer to by hash. Either may be null; they must outlive the table's
  // building.
  explicit KernelTable(const code::PtxLibrary* library,
                       const schema::CodeTable* shared = nullptr)
      : library_(library), shared_(shared) {}

  // Index of the kernel of `spec`. Its own code wins over shared code, and PTX in
  // either over the library's. Equal code is held once, whoever has it.
  // Errors: no code; a hash that `shared` does not have; an in-process symbol (its
  // code is inside XLA, not in the file); a library entry that does not fit `use`,
  // naming the file.
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
  absl::Status TakeShared(const std::string& hash, hal::KernelSource& source);
  absl::Status Attach(const KernelUse& use, hal::KernelSource& source);
  std::shared_ptr<const std::string> Intern(const std::string& code);

  const code::PtxLibrary* library_;
  const schema::CodeTable* shared_;
  std::vector<KernelSlot> slots_;
  std::vector<std::string> attached_;
  // By content; a key points into its value.
  std::map<std::string_view, std::shared_ptr<const std::string>> code_;
  // Entry and code: code is interned, so its address identifies it.
  std::map<std::pair<std::string, std::vector<const void*>>, uint32_t> index_;
};

}  // namespace thunky::runtime

#endif  // THUNKY_RUNTIME_KERNEL_TABLE_H_
