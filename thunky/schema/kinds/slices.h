// What the rules of most kinds need to say about slices.
#ifndef THUNKY_SCHEMA_KINDS_SLICES_H_
#define THUNKY_SCHEMA_KINDS_SLICES_H_

#include <algorithm>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "proto/buffers.pb.h"
#include "thunky/schema/access.h"
#include "thunky/schema/kinds.h"

namespace thunky::schema::kinds {

// InvalidArgument with the pieces joined.
template <typename... Pieces>
absl::Status Invalid(const Pieces&... pieces) {
  return absl::InvalidArgumentError(absl::StrCat(pieces...));
}

// "args[2]".
std::string Indexed(absl::string_view field, int index);

// Every slice lies in its allocation, and no slice that is written overlaps
// another in part. Equal slices are fine: that is how in-place work looks.
absl::Status CheckAccesses(const std::vector<Access>& accesses,
                           const VerifyContext& context);
// The same for the thunk's own accesses by the table.
absl::Status CheckOwnAccesses(ThunkKind kind, const wire::ThunkProto& thunk,
                              const VerifyContext& context);
// As above, without the rule on overlaps.
absl::Status CheckInAllocation(const std::vector<Access>& accesses,
                               const VerifyContext& context);

// "field" must be present.
absl::Status CheckPresent(bool present, absl::string_view field);

// The slice is present and, where there is a shape of an array, it holds that many
// bytes. The range itself is CheckAccesses' business.
absl::Status CheckShaped(const wire::ShapedSliceProto& shaped, absl::string_view role);
template <typename List>
absl::Status CheckShapedList(const List& list, absl::string_view field) {
  for (int i = 0; i < list.size(); ++i) {
    absl::Status status = CheckShaped(list[i], Indexed(field, i));
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

// How many entries of a list of buffers are looked at: all, or enough to see that
// there are too many.
inline int Listed(int size) { return std::min(size, kMaxThunkBuffers + 1); }

// Appends one access a slice.
template <typename List>
void AddAll(const List& list, AccessMode mode, absl::string_view field,
            std::vector<Access>* accesses) {
  for (int i = 0; i < Listed(list.size()); ++i) {
    accesses->push_back({SliceOf(list[i]), mode, Indexed(field, i)});
  }
}

// Appends an output: kWriteAll, or kReadWrite when an input among `accesses` is the
// same slice (work in place). Looks through all of `accesses`.
void AddOutput(const Slice& slice, std::string role, std::vector<Access>* accesses);

// A set of slices.
class SliceSet {
 public:
  void Insert(const Slice& slice) { keys_.insert(KeyOf(slice)); }
  bool Has(const Slice& slice) const { return keys_.count(KeyOf(slice)) != 0; }

 private:
  using Key = std::tuple<int64_t, int64_t, int64_t>;
  static Key KeyOf(const Slice& slice) {
    return {slice.allocation, slice.offset, slice.size};
  }
  std::set<Key> keys_;
};

}  // namespace thunky::schema::kinds

#endif  // THUNKY_SCHEMA_KINDS_SLICES_H_
