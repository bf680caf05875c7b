#include "thunky/runtime/thunks/conditional_thunk.h"

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "thunky/base/status_macros.h"
#include "thunky/schema/access.h"

namespace thunky::runtime {
namespace {

class ConditionalThunk : public Thunk {
 public:
  ConditionalThunk(ThunkInfo info, schema::Slice index,
                   std::vector<ThunkSequence> branches)
      : Thunk(std::move(info)), index_(index), branches_(std::move(branches)) {}

  absl::Status Prepare(const PrepareContext& context) const override {
    for (const ThunkSequence& branch : branches_) {
      RETURN_IF_ERROR(branch.Prepare(context));
    }
    return absl::OkStatus();
  }

  absl::Status Record(const RecordContext& context,
                      hal::Recorder& recorder) const override {
    std::vector<std::function<absl::Status(hal::Recorder&)>> bodies;
    bodies.reserve(branches_.size());
    for (const ThunkSequence& branch : branches_) {
      bodies.push_back(
          [&context, &branch](hal::Recorder& r) { return branch.Record(context, r); });
    }
    // A Region does not own what it calls: `bodies` does.
    std::vector<hal::Region> regions(bodies.begin(), bodies.end());
    return recorder.Branch(context.buffers.Resolve(index_), regions);
  }

  bool forks() const override {
    return std::any_of(branches_.begin(), branches_.end(),
                       [](const ThunkSequence& branch) { return branch.forks(); });
  }

 private:
  schema::Slice index_;
  std::vector<ThunkSequence> branches_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<Thunk>> DecodeConditional(const wire::ThunkProto& proto,
                                                         ThunkInfo info,
                                                         Decoder& decoder) {
  const wire::ConditionalThunkProto& conditional = proto.conditional_thunk();
  std::vector<ThunkSequence> branches;
  for (int i = 0; i < conditional.branch_thunks_size(); ++i) {
    ASSIGN_OR_RETURN(ThunkSequence branch,
                     decoder.DecodeSequence(
                         conditional.branch_thunks(i),
                         absl::StrCat(info.path, ".conditional.branches[", i, "]")));
    branches.push_back(std::move(branch));
  }
  return std::make_unique<ConditionalThunk>(
      std::move(info), schema::SliceOf(conditional.branch_index_buffer().slice()),
      std::move(branches));
}

}  // namespace thunky::runtime
