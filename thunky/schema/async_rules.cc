#include "thunky/schema/async_rules.h"

#include "absl/strings/str_cat.h"

namespace thunky::schema {
namespace {

// Lists that are part of their parent's list as far as joining goes.
bool IsFlattened(ThunkKind kind) {
  return kind == ThunkKind::kSequential || kind == ThunkKind::kCollectiveGroup;
}

}  // namespace

AsyncRules::AsyncRules(const ThunkList& thunks) : thunks_(thunks) {
  scopes_.emplace_back();
}

absl::Status AsyncRules::Visit(const ThunkVisit& visit) {
  if (visit.kind != ThunkKind::kAsyncDone) return absl::OkStatus();
  return Done(visit.thunk.async_done_thunk().async_execution_id());
}

void AsyncRules::Enter(const ThunkVisit& visit) {
  if (IsFlattened(*visit.kind)) return;
  scopes_.emplace_back();
  scopes_.back().sees_outer = visit.kind == ThunkKind::kAsyncStart;
}

absl::Status AsyncRules::Leave(const ThunkVisit& visit) {
  if (IsFlattened(*visit.kind)) return absl::OkStatus();
  absl::Status status = CheckClosed(scopes_.back());
  scopes_.pop_back();
  if (!status.ok() || visit.kind != ThunkKind::kAsyncStart) return status;
  return Start(visit);
}

absl::Status AsyncRules::Finish() const { return CheckClosed(scopes_.back()); }

// Called after the body, so that a body cannot join itself.
absl::Status AsyncRules::Start(const ThunkVisit& visit) {
  const uint64_t id = visit.thunk.async_start_thunk().async_execution_id();
  const auto [entry, fresh] = started_.emplace(id, &visit.thunk);
  if (!fresh) {
    return absl::InvalidArgumentError(absl::StrCat(
        "starts async execution ", id, ", which ", PathOf(entry->second), " starts too"));
  }
  scopes_.back().open.emplace(id, &visit.thunk);
  return absl::OkStatus();
}

absl::Status AsyncRules::Done(uint64_t id) {
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
    if (scope->open.erase(id) == 1) return absl::OkStatus();
    if (!scope->sees_outer) break;
  }
  const auto start = started_.find(id);
  if (start == started_.end()) {
    return absl::InvalidArgumentError(
        absl::StrCat("joins async execution ", id, ", which nothing before it starts"));
  }
  return absl::InvalidArgumentError(
      absl::StrCat("joins async execution ", id, ", which ", PathOf(start->second),
                   " starts; it is joined already or in another region"));
}

absl::Status AsyncRules::CheckClosed(const Scope& scope) const {
  if (scope.open.empty()) return absl::OkStatus();
  const auto& [id, thunk] = *scope.open.begin();
  return absl::InvalidArgumentError(absl::StrCat(
      PathOf(thunk), " starts async execution ", id, ", which nothing after it joins"));
}

std::string AsyncRules::PathOf(const wire::ThunkProto* thunk) const {
  std::string path;
  const absl::Status status = WalkThunks(thunks_, [&](const ThunkVisit& visit) {
    if (&visit.thunk != thunk) return absl::OkStatus();
    path = visit.path.ToString();
    return absl::CancelledError("found");
  });
  return status.ok() ? "a thunk" : path;
}

}  // namespace thunky::schema
