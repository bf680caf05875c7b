// That asynchronous work is started and joined as it should be.
#ifndef THUNKY_SCHEMA_ASYNC_RULES_H_
#define THUNKY_SCHEMA_ASYNC_RULES_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "thunky/schema/kinds.h"
#include "thunky/schema/walk.h"

namespace thunky::schema {

// Follows a walk over the thunks of one program. Each async_start must have one
// async_done with its id, later in the same list, or in the body of a later
// async_start, a group or a sequence there; no other region sees it. An id starts
// once in a program.
class AsyncRules {
 public:
  // `thunks` is the list that the walk is over; it must outlive this.
  explicit AsyncRules(const ThunkList& thunks);

  // An async_done; other thunks are ignored.
  absl::Status Visit(const ThunkVisit& visit);
  // Around each list inside a thunk.
  void Enter(const ThunkVisit& visit);
  absl::Status Leave(const ThunkVisit& visit);
  // After the walk.
  absl::Status Finish() const;

 private:
  // Ids with the async_start of each. Paths are looked up for messages only: they
  // can be long, and there can be many.
  using Starts = std::map<uint64_t, const wire::ThunkProto*>;

  // Started and not yet joined in one list.
  struct Scope {
    Starts open;
    bool sees_outer = false;
  };

  absl::Status Start(const ThunkVisit& visit);
  absl::Status Done(uint64_t id);
  absl::Status CheckClosed(const Scope& scope) const;
  std::string PathOf(const wire::ThunkProto* thunk) const;

  const ThunkList& thunks_;
  std::vector<Scope> scopes_;
  Starts started_;  // every id seen
};

}  // namespace thunky::schema

#endif  // THUNKY_SCHEMA_ASYNC_RULES_H_
