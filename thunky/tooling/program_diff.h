// What differs between two programs.
#ifndef THUNKY_TOOLING_PROGRAM_DIFF_H_
#define THUNKY_TOOLING_PROGRAM_DIFF_H_

#include <cstdint>
#include <string>
#include <vector>

#include "thunky/container/executable_file.h"

namespace thunky::tooling {

enum class Change : uint8_t { kChanged, kOnlyInA, kOnlyInB };

struct ProgramDifference {
  Change change = Change::kChanged;
  // "signature", "program", "options", "metadata", or a thunk's path in either program
  // ("thunks[3].while.body[2]"); empty for the one that does not have the thunk.
  std::string where_a;
  std::string where_b;
  std::string thunk;  // its kind and what it calls; empty where it is no thunk
  // kChanged: the field and its values; see message_diff.h.
  std::string field;
  std::string a;
  std::string b;
};

struct ProgramDiff {
  // At most kMaxDifferences of them.
  std::vector<ProgramDifference> differences;
  uint64_t total = 0;
};
inline constexpr uint64_t kMaxDifferences = 10000;

// Compares signatures, fields of the programs (allocations by number, constants by
// name, shared code by hash, HLO as bytes), and thunks: lists are aligned, so that an
// inserted thunk is one difference, and numbers of thunks (thunk_id), which are labels,
// are left out. Compile options and metadata are compared when both files have them:
// the kind of file is no property of the program.
// ResourceExhausted for trees of thunks that are too deep or too large to walk.
absl::StatusOr<ProgramDiff> DiffPrograms(const ExecutableFile& a,
                                         const ExecutableFile& b);

}  // namespace thunky::tooling

#endif  // THUNKY_TOOLING_PROGRAM_DIFF_H_
