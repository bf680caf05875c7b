// Visits every thunk of a program.
#ifndef THUNKY_SCHEMA_WALK_H_
#define THUNKY_SCHEMA_WALK_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "thunky/schema/kinds.h"

namespace thunky::schema {

inline constexpr int kMaxThunkDepth = 256;
inline constexpr int64_t kMaxThunkCount = 1000000;

// Where a thunk is. A chain of nodes on the walker's stack, so a path costs
// nothing until somebody asks for its text.
struct ThunkPath {
  const ThunkPath* parent = nullptr;  // null at top level
  const wire::ThunkProto* thunk = nullptr;
  std::optional<ThunkKind> kind;  // nothing: a kind this build does not know
  std::string label;              // of the list this thunk is in; "thunks" at top level
  int index = 0;                  // in that list

  // "thunks[3].while.body[2]".
  std::string ToString() const;
};

struct ThunkVisit {
  const wire::ThunkProto& thunk;
  std::optional<ThunkKind> kind;  // nothing: a kind this build does not know
  const ThunkPath& path;
  int depth = 0;                // 0 at top level
  int64_t enclosing_loops = 0;  // `while` thunks around it, its own not counted
  // What its slices count in: null means the executable's allocations, else those
  // of the payload it is embedded in.
  const AllocationList* local_allocations = nullptr;
};

// Sees a tree of thunks in program order.
class ThunkVisitor {
 public:
  virtual ~ThunkVisitor() = default;
  // Each thunk, before what it holds.
  virtual absl::Status Visit(const ThunkVisit& visit) = 0;
  // Around each list of thunks that `visit`'s thunk holds; every list that was
  // entered is left, unless there was an error.
  virtual absl::Status Enter(const ThunkVisit& visit, const Child& child);
  virtual absl::Status Leave(const ThunkVisit& visit, const Child& child);
};

// Stops at the first error, and puts the path of the thunk it was at in front.
// Thunks nested deeper than kMaxThunkDepth, or more than kMaxThunkCount of them,
// are an error. The walk goes past thunks of unknown kinds; it cannot see into them.
absl::Status WalkThunks(const ThunkList& thunks, ThunkVisitor& visitor);

// The same with a function for Visit.
absl::Status WalkThunks(const ThunkList& thunks,
                        absl::FunctionRef<absl::Status(const ThunkVisit&)> visit);

}  // namespace thunky::schema

#endif  // THUNKY_SCHEMA_WALK_H_
