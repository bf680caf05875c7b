#include "thunky/runtime/thunk_sequence.h"

#include <algorithm>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "thunky/base/status_macros.h"

namespace thunky::runtime {
namespace {

// Marks an error that already says which thunk it comes from.
constexpr char kPlacedUrl[] = "thunky/thunk-path";

std::string Describe(const ThunkInfo& info, const std::vector<uint64_t>& iterations) {
  std::string text =
      absl::StrCat(info.path, " (", std::string(schema::KindName(info.kind)));
  if (!info.name.empty()) absl::StrAppend(&text, " '", info.name, "'");
  absl::StrAppend(&text, ")");
  if (!info.location.empty()) absl::StrAppend(&text, " at ", info.location);
  if (!iterations.empty()) {
    absl::StrAppend(&text,
                    iterations.size() == 1 ? ", loop iteration " : ", loop iterations ",
                    absl::StrJoin(iterations, " / "));
  }
  return text;
}

absl::Status Place(const absl::Status& status, const ThunkInfo& info,
                   const std::vector<uint64_t>& iterations) {
  if (status.GetPayload(kPlacedUrl).has_value()) return status;
  absl::Status placed = Annotate(status, Describe(info, iterations));
  placed.SetPayload(kPlacedUrl, absl::Cord(info.path));
  return placed;
}

}  // namespace

ThunkSequence::ThunkSequence(std::vector<std::unique_ptr<Thunk>> thunks)
    : thunks_(std::move(thunks)),
      forks_(std::any_of(thunks_.begin(), thunks_.end(),
                         [](const auto& thunk) { return thunk->forks(); })) {}

absl::Status ThunkSequence::Prepare(const PrepareContext& context) const {
  for (const auto& thunk : thunks_) {
    absl::Status status = thunk->Prepare(context);
    if (!status.ok()) return Place(status, thunk->info(), {});
  }
  return absl::OkStatus();
}

absl::Status ThunkSequence::Record(const RecordContext& context,
                                   hal::Recorder& recorder) const {
  for (const auto& thunk : thunks_) {
    absl::Status status = thunk->Record(context, recorder);
    if (status.ok()) continue;
    status = Place(status, thunk->info(), recorder.iterations());
    for (const auto& other : thunks_) {
      if (other->opens() == nullptr) continue;
      // Only the first error is reported; what the bodies end with is not news.
      if (auto token = context.tokens.Take(*other->opens())) {
        recorder.Join(std::move(token)).IgnoreError();
      }
    }
    return status;
  }
  return absl::OkStatus();
}

}  // namespace thunky::runtime
