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
  AsyncRules();

  // An async_done; other thunks are ignored.
  absl::Status Visit(const ThunkVisit& visit);
  // Around each list inside a thunk.
  void Enter(const ThunkVisit& visit);
  absl::Status Leave(const ThunkVisit& visit);
  // After the walk.
  absl::Status Finish() const;

 private:
  // Started and not yet joined in one list, id to path.
  struct Scope {
    std::map<uint64_t, std::string> open;
    bool sees_outer = false;
  };

  absl::Status Start(const ThunkVisit& visit);
  absl::Status Done(uint64_t id);
  static absl::Status CheckClosed(const Scope& scope);

  std::vector<Scope> scopes_;
  // Every id seen, with the path of its start.
  std::map<uint64_t, std::string> started_;
};

}  // namespace thunky::schema

#endif  // THUNKY_SCHEMA_ASYNC_RULES_H_
