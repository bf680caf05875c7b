// What is in an executable, for people and scripts to read.
#ifndef THUNKY_TOOLING_PROGRAM_SUMMARY_H_
#define THUNKY_TOOLING_PROGRAM_SUMMARY_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "thunky/container/executable_file.h"
#include "thunky/schema/access.h"
#include "thunky/schema/signature.h"
#include "thunky/tooling/kernel_code.h"

namespace thunky::tooling {

struct ThunkSummary {
  std::string path;      // "thunks[3].while.body[2]"
  int depth = 0;         // 0 at top level
  std::string kind;      // "custom_kernel"; "unknown"
  std::string detail;    // what the kind has to say: a kernel's name and shape
  std::string location;  // profile annotation; may be empty
  std::vector<schema::Access> accesses;
  // Its slices count in allocations of the thunk around it.
  bool local_allocations = false;
};

struct CollectiveSummary {
  std::string path;
  std::string kind;
  std::string reduction;  // empty where there is none
  std::string group_mode;
  std::vector<std::vector<int64_t>> replica_groups;  // empty: one group of all
};

struct ProgramSummary {
  std::string kind;  // of file: "complete executable"
  std::string name;
  std::string release;  // what wrote it
  ExecutableFile::Sizes sizes;
  // As compiled; nothing where the file does not say.
  std::optional<int64_t> replicas;
  std::optional<int64_t> partitions;
  // Whether the program is well formed; its message when it is not.
  absl::Status verified;
  absl::StatusOr<schema::Signature> signature;
  std::vector<ThunkSummary> thunks;  // parents first
  std::vector<ProgramKernel> kernels;
  std::vector<std::string> streams;  // "computation stream 1"; the main one is not named
  std::vector<CollectiveSummary> collectives;
};

// Points into `file`. Errors, beginning with a thunk's path, for trees that
// cannot be walked (too deep, too many thunks).
absl::StatusOr<ProgramSummary> Summarise(const ExecutableFile& file);

}  // namespace thunky::tooling

#endif  // THUNKY_TOOLING_PROGRAM_SUMMARY_H_
