// Files that hold a GPU executable, and what is in them.
#ifndef THUNKY_CONTAINER_EXECUTABLE_FILE_H_
#define THUNKY_CONTAINER_EXECUTABLE_FILE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "proto/executable.pb.h"
#include "proto/ifrt.pb.h"
#include "proto/options.pb.h"
#include "thunky/container/read_budget.h"

namespace thunky {

enum class ExecutableKind {
  kComplete,        // metadata, outer container, inner container: what JAX writes
  kOuterContainer,  // the same without the metadata
  kInnerContainer,  // only the split GpuExecutableProto
  kBinaryProto,     // a serialized GpuExecutableProto
  kTextProto,       // a GpuExecutableProto in protobuf's text form
};

// "complete executable", "outer container", ...
std::string_view ExecutableKindName(ExecutableKind kind);

// Everything is a copy: the bytes that it was read from may go away.
// Fields of the messages that this build does not know stay in their unknown fields.
struct ExecutableFile {
  ExecutableKind kind = ExecutableKind::kComplete;

  // What the compiler called the program, such as "jit_main": the module name of the
  // executable, else the computation name of the metadata; may be empty.
  std::string name;

  // kComplete only. `metadata_bytes` is exactly what was in the file.
  std::optional<wire::ifrt::SerializedXlaExecutableMetadata> metadata;
  std::string metadata_bytes;

  // kComplete and kOuterContainer. Its `serialized_executable` is empty here:
  // `executable` is what it held.
  std::optional<wire::ExecutableAndOptionsProto> options;

  wire::GpuExecutableProto executable;

  // In bytes. A container that is not there has size 0.
  struct Sizes {
    uint64_t file = 0;
    uint64_t metadata = 0;
    uint64_t outer_container = 0;
    uint64_t inner_container = 0;
    uint64_t decoded = 0;  // as counted against ReadLimits::max_decoded_bytes
  } sizes;
};

// Reads a file that was loaded into memory. The kind is recognised from the content.
// InvalidArgument for anything that is not an executable or is damaged (the message
// says which part, where, what was expected and what was found), ResourceExhausted
// when reading it would cost more than the limits, Unimplemented for features of the
// container format that are not supported.
absl::StatusOr<ExecutableFile> ReadExecutableFile(std::string_view bytes,
                                                  const ReadLimits& limits = {});

}  // namespace thunky

#endif  // THUNKY_CONTAINER_EXECUTABLE_FILE_H_
