// A list of thunks that run one after the other.
#ifndef THUNKY_RUNTIME_THUNK_SEQUENCE_H_
#define THUNKY_RUNTIME_THUNK_SEQUENCE_H_

#include <memory>
#include <utility>
#include <vector>

#include "thunky/runtime/thunk.h"

namespace thunky::runtime {

class ThunkSequence {
 public:
  ThunkSequence() = default;
  explicit ThunkSequence(std::vector<std::unique_ptr<Thunk>> thunks);

  // Prepares every thunk; the error names the thunk's path.
  absl::Status Prepare(const PrepareContext& context) const;

  // Records the thunks in order. When one fails, async bodies that this
  // sequence opened are waited for, and the error is given the thunk's path, name
  // and location and the iterations of the enclosing loops, unless a thunk further
  // inside already did.
  absl::Status Record(const RecordContext& context, hal::Recorder& recorder) const;

  bool forks() const { return forks_; }
  const std::vector<std::unique_ptr<Thunk>>& thunks() const { return thunks_; }

 private:
  std::vector<std::unique_ptr<Thunk>> thunks_;
  bool forks_ = false;
};

}  // namespace thunky::runtime

#endif  // THUNKY_RUNTIME_THUNK_SEQUENCE_H_
