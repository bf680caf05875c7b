#include "thunky/schema/walk.h"

#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "thunky/base/status_macros.h"

namespace thunky::schema {
namespace {

class Walker {
 public:
  explicit Walker(ThunkVisitor& visitor) : visitor_(visitor) {}

  // What the thunks of one list have in common.
  struct Place {
    const ThunkPath* parent = nullptr;
    std::string label;
    int depth = 0;
    int64_t enclosing_loops = 0;
    const AllocationList* local_allocations = nullptr;
  };

  // Recursion is safe: Step refuses to go deeper than kMaxThunkDepth.
  absl::Status Walk(const ThunkList& thunks, const Place& place) {
    for (int i = 0; i < thunks.size(); ++i) {
      ThunkPath path{place.parent, &thunks[i], std::nullopt, place.label, i};
      RETURN_IF_ERROR(Step(thunks[i], place, path));
    }
    return absl::OkStatus();
  }

 private:
  absl::Status Step(const wire::ThunkProto& thunk, const Place& place, ThunkPath& path) {
    if (++count_ > kMaxThunkCount) {
      return At(path, absl::ResourceExhaustedError(
                          absl::StrCat("more than ", kMaxThunkCount, " thunks")));
    }
    if (place.depth > kMaxThunkDepth) {
      return At(path, absl::ResourceExhaustedError(absl::StrCat(
                          "nested deeper than ", kMaxThunkDepth, " levels")));
    }
    const absl::StatusOr<ThunkKind> kind = KindOf(thunk);
    if (kind.ok()) path.kind = *kind;
    const ThunkVisit visit{thunk,
                           path.kind,
                           path,
                           place.depth,
                           place.enclosing_loops,
                           place.local_allocations};
    RETURN_IF_ERROR(At(path, visitor_.Visit(visit)));
    if (!path.kind.has_value()) return absl::OkStatus();
    for (const Child& child : ChildrenOf(*path.kind, thunk)) {
      RETURN_IF_ERROR(Descend(visit, child));
    }
    return absl::OkStatus();
  }

  absl::Status Descend(const ThunkVisit& visit, const Child& child) {
    RETURN_IF_ERROR(At(visit.path, visitor_.Enter(visit, child)));
    const AllocationList* local = child.local_allocations != nullptr
                                      ? child.local_allocations
                                      : visit.local_allocations;
    RETURN_IF_ERROR(
        Walk(*child.thunks, {&visit.path, child.label, visit.depth + 1,
                             visit.enclosing_loops + (child.loop ? 1 : 0), local}));
    return At(visit.path, visitor_.Leave(visit, child));
  }

  static absl::Status At(const ThunkPath& path, absl::Status status) {
    if (status.ok()) return status;
    return Annotate(status, path.ToString());
  }

  ThunkVisitor& visitor_;
  int64_t count_ = 0;
};

class FunctionVisitor : public ThunkVisitor {
 public:
  explicit FunctionVisitor(absl::FunctionRef<absl::Status(const ThunkVisit&)> visit)
      : visit_(visit) {}
  absl::Status Visit(const ThunkVisit& visit) override { return visit_(visit); }

 private:
  absl::FunctionRef<absl::Status(const ThunkVisit&)> visit_;
};

}  // namespace

std::string ThunkPath::ToString() const {
  std::vector<const ThunkPath*> nodes;
  for (const ThunkPath* node = this; node != nullptr; node = node->parent) {
    nodes.push_back(node);
  }
  std::string text;
  for (auto node = nodes.rbegin(); node != nodes.rend(); ++node) {
    const ThunkPath& at = **node;
    if (at.parent == nullptr) {
      absl::StrAppend(&text, "thunks");
    } else {
      // Only known kinds hold thunks.
      absl::StrAppend(&text, ".", KindName(*at.parent->kind), at.label.empty() ? "" : ".",
                      at.label);
    }
    absl::StrAppend(&text, "[", at.index, "]");
  }
  return text;
}

absl::Status ThunkVisitor::Enter(const ThunkVisit&, const Child&) {
  return absl::OkStatus();
}

absl::Status ThunkVisitor::Leave(const ThunkVisit&, const Child&) {
  return absl::OkStatus();
}

absl::Status WalkThunks(const ThunkList& thunks, ThunkVisitor& visitor) {
  return Walker(visitor).Walk(thunks, {});
}

absl::Status WalkThunks(const ThunkList& thunks,
                        absl::FunctionRef<absl::Status(const ThunkVisit&)> visit) {
  FunctionVisitor visitor(visit);
  return WalkThunks(thunks, visitor);
}

}  // namespace thunky::schema
