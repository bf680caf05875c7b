// Writes files that ReadExecutableFile reads, and jaxlib too.
#ifndef THUNKY_CONTAINER_EXECUTABLE_WRITER_H_
#define THUNKY_CONTAINER_EXECUTABLE_WRITER_H_

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "thunky/container/executable_file.h"
#include "thunky/container/riegeli_format.h"
#include "thunky/container/split_proto_writer.h"

namespace thunky {

struct ExecutableWriteOptions {
  // What to write; that of the file when not set.
  std::optional<ExecutableKind> kind;
  // Of the containers: none, or snappy as JAX writes.
  riegeli::Compression compression = riegeli::Compression::kSnappy;
  SplitLimits limits;
  // The text form has no place for fields that this build does not know. Leave them
  // out, instead of refusing.
  bool drop_unknown_fields_in_text = false;
};

// The bytes of the file. Equal files and options give equal bytes. The metadata are
// written as `metadata_bytes` has them; `metadata`, `name` and `sizes` are not looked at.
//
// FailedPrecondition: a kind that needs metadata or options, of a file that has none;
// or unknown fields and the text form. InvalidArgument: a message that nobody could read
// back (the message says where), an element too large for the format, or a compression
// that is only read.
absl::StatusOr<std::string> WriteExecutableFile(
    const ExecutableFile& file, const ExecutableWriteOptions& options = {});

}  // namespace thunky

#endif  // THUNKY_CONTAINER_EXECUTABLE_WRITER_H_
