// The private code table: kernel code that the kernels of an executable share. It is
// read by this project only (proto/extension.proto); an executable for other readers
// repeats its code in every kernel instead.
#ifndef THUNKY_SCHEMA_CODE_TABLE_H_
#define THUNKY_SCHEMA_CODE_TABLE_H_

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "proto/executable.pb.h"
#include "proto/extension.pb.h"

namespace thunky::schema {

inline constexpr size_t kCodeHashBytes = 32;

// The hash of an entry's content; its `hash` field plays no part. HighwayHash-256 over
// the length of the PTX, the PTX, the number of cubins, and for each of them the length
// of its architecture, the architecture, the length of its data, the data. Lengths and
// the number are 8 bytes, little endian. The key is the text "thunky kernel code table,
// form 1", 32 bytes, as four little-endian words; so is the result, first word first.
std::string CodeHash(const wire::KernelCodeProto& code);

// The first bytes of a hash in hexadecimal, for messages.
std::string ShortHash(std::string_view hash);

// The table of one executable, by hash. Points into the executable.
class CodeTable {
 public:
  // Verifies the table. InvalidArgument, naming the entry ("kernel_code[2]"), for one
  // that is empty, whose hash is not that of its content, or is in the table twice;
  // for a cubin without data or with an architecture that is none ("sm_90a" is one),
  // and for two cubins of one architecture.
  static absl::StatusOr<CodeTable> Of(const wire::GpuExecutableProto& executable);

  // The entry with this hash, or null.
  const wire::KernelCodeProto* Find(std::string_view hash) const;
  size_t size() const { return entries_.size(); }

 private:
  std::map<std::string_view, const wire::KernelCodeProto*> entries_;
};

// Whether `text` is the name of a GPU architecture: "sm_" and a number, then nothing,
// "a" or "f".
bool IsArchitectureName(std::string_view text);

}  // namespace thunky::schema

#endif  // THUNKY_SCHEMA_CODE_TABLE_H_
