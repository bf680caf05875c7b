// The rules of each thunk kind: what makes it well formed, what it reads and
// writes, and which thunks it holds. Everything that treats kinds differently by
// these facts asks this table; nobody keeps another list of kinds.
#ifndef THUNKY_SCHEMA_KINDS_H_
#define THUNKY_SCHEMA_KINDS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "google/protobuf/repeated_ptr_field.h"
#include "proto/thunk.pb.h"
#include "thunky/schema/access.h"
#include "thunky/schema/allocations.h"
#include "thunky/schema/code_table.h"
#include "thunky/schema/thunk_kind.h"

namespace thunky::schema {

// Buffers of one thunk; more are refused. No kernel or call takes nearly as many, and
// with it what a thunk's rules cost is bounded.
inline constexpr int kMaxThunkBuffers = 65536;

using ThunkList = google::protobuf::RepeatedPtrField<wire::ThunkProto>;

// Thunks that a thunk holds. Points into the thunk.
struct Child {
  // "cond", "body", "branches[1]", "embedded"; empty where the kind has only one
  // list and nothing but it (sequential, collective_group).
  std::string label;
  const ThunkList* thunks = nullptr;
  // Runs once an iteration: its thunks have one enclosing loop more.
  bool loop = false;
  // Allocations that the slices of these thunks count in, instead of the
  // executable's; null where they count in the same ones as the parent's.
  const AllocationList* local_allocations = nullptr;
};

struct VerifyContext {
  const AllocationTable& allocations;  // the ones this thunk's slices count in
  int64_t enclosing_loops = 0;         // `while` thunks around this one
  // Where kernels may refer to for their code; null: no such table, they may not.
  const CodeTable* code = nullptr;
};

// Function pointers take a thunk whose kind is the table entry's.
struct KindRules {
  ThunkKind kind;
  // The thunk's own fields, not its children. Errors have no path.
  absl::Status (*verify)(const wire::ThunkProto& thunk, const VerifyContext& context);
  // Appends the thunk's own accesses, not its children's, in the payload's order.
  // Absent slices (a null operand, no workspace) are none. Needs no verified
  // thunk; of one with more than kMaxThunkBuffers buffers at least kMaxThunkBuffers +
  // 1 are listed. Null where the kind has none of its own.
  void (*accesses)(const wire::ThunkProto& thunk, std::vector<Access>* accesses);
  // Appends the lists of thunks inside. Null where there are none.
  void (*children)(const wire::ThunkProto& thunk, std::vector<Child>* children);
};

const KindRules& RulesFor(ThunkKind kind);

// The thunk's own accesses. Who uses them without having verified the thunk has to
// see to it that there are no more than kMaxThunkBuffers.
std::vector<Access> AccessesOf(ThunkKind kind, const wire::ThunkProto& thunk);
// The lists of thunks inside.
std::vector<Child> ChildrenOf(ThunkKind kind, const wire::ThunkProto& thunk);

// Whether the thunk may be a member of a collective_group: a collective of any kind,
// send or recv. One of a kind this build does not know may.
bool MayBeGrouped(const wire::ThunkProto& thunk);

}  // namespace thunky::schema

#endif  // THUNKY_SCHEMA_KINDS_H_
