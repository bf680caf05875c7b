#include "thunky/ptx/lower_scope.h"

#include <charconv>
#include <utility>

#include "absl/strings/str_cat.h"
#include "thunky/base/status_macros.h"

namespace thunky::ptx {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

absl::Status Twice(std::string_view name, SourceLocation first) {
  return absl::InvalidArgumentError(absl::StrCat(
      "'", std::string(name), "' is declared twice; first at line ", first.line));
}

}  // namespace

std::string_view KindName(ScopeEntry::Kind kind) {
  switch (kind) {
    case ScopeEntry::Kind::kRegister:
      return "a register";
    case ScopeEntry::Kind::kSymbol:
      return "a variable";
    case ScopeEntry::Kind::kLabel:
      return "a label";
    case ScopeEntry::Kind::kBranchTable:
      return "a .branchtargets list";
    case ScopeEntry::Kind::kCallTable:
      return "a .calltargets list";
    case ScopeEntry::Kind::kPrototype:
      return "a .callprototype";
  }
  return "";
}

absl::Status ScopeStack::Close() {
  const Scope scope = std::move(scopes_.back());
  scopes_.pop_back();
  if (scope.ranges.empty()) return absl::OkStatus();
  for (const auto& [name, entry] : scope.entries) {
    const Range* range = FindRange(scope, name);
    // Registers made from a range carry its location.
    if (range == nullptr || (range->location.line == entry.location.line &&
                             range->location.column == entry.location.column)) {
      continue;
    }
    return Twice(name, range->location);
  }
  for (const auto& [name, lazy] : scope.lazy) {
    const Range* range = FindRange(scope, name);
    if (range != nullptr) return Twice(name, range->location);
  }
  return absl::OkStatus();
}

absl::Status ScopeStack::Declare(std::string_view name, const ScopeEntry& entry) {
  Scope& scope = scopes_.back();
  if (const auto lazy = scope.lazy.find(std::string(name)); lazy != scope.lazy.end()) {
    return Twice(name, lazy->second.location);
  }
  const auto [found, inserted] = scope.entries.try_emplace(std::string(name), entry);
  return inserted ? absl::OkStatus() : Twice(name, found->second.location);
}

absl::Status ScopeStack::DeclareRegister(std::string_view name, ir::Type type,
                                         SourceLocation location) {
  Scope& scope = scopes_.back();
  if (const auto known = scope.entries.find(std::string(name));
      known != scope.entries.end()) {
    return Twice(name, known->second.location);
  }
  const auto [found, inserted] =
      scope.lazy.try_emplace(std::string(name), Lazy{type, location});
  return inserted ? absl::OkStatus() : Twice(name, found->second.location);
}

absl::Status ScopeStack::DeclareRegisters(std::string_view prefix, uint64_t count,
                                          ir::Type type, SourceLocation location) {
  const auto [found, inserted] = scopes_.back().ranges.try_emplace(
      std::string(prefix), Range{count, type, location});
  return inserted
             ? absl::OkStatus()
             : Twice(absl::StrCat(std::string(prefix), "<N>"), found->second.location);
}

const ScopeStack::Range* ScopeStack::FindRange(const Scope& scope,
                                               std::string_view name) {
  if (scope.ranges.empty()) return nullptr;
  // A number has at most 20 digits and no leading zero.
  for (size_t digits = 1; digits <= 20 && digits < name.size(); ++digits) {
    const size_t split = name.size() - digits;
    if (!IsDigit(name[split])) return nullptr;
    if (name[split] == '0' && digits > 1) continue;
    const auto found = scope.ranges.find(std::string(name.substr(0, split)));
    if (found == scope.ranges.end()) continue;
    uint64_t number = 0;
    const auto [end, error] =
        std::from_chars(name.data() + split, name.data() + name.size(), number);
    if (error == std::errc() && number < found->second.count) return &found->second;
  }
  return nullptr;
}

ScopeEntry ScopeStack::CreateRegister(Scope& scope, const std::string& name,
                                      ir::Type type, SourceLocation location) {
  ScopeEntry entry;
  entry.index = static_cast<uint32_t>(registers_.size());
  entry.location = location;
  registers_.push_back({name, type});
  scope.entries.emplace(name, entry);
  return entry;
}

std::optional<ScopeEntry> ScopeStack::FindIn(Scope& scope, const std::string& name) {
  if (const auto found = scope.entries.find(name); found != scope.entries.end()) {
    return found->second;
  }
  if (const auto lazy = scope.lazy.find(name); lazy != scope.lazy.end()) {
    const Lazy declared = lazy->second;
    scope.lazy.erase(lazy);
    return CreateRegister(scope, name, declared.type, declared.location);
  }
  const Range* range = FindRange(scope, name);
  if (range == nullptr) return std::nullopt;
  return CreateRegister(scope, name, range->type, range->location);
}

std::optional<ScopeEntry> ScopeStack::Find(std::string_view name) {
  const std::string key(name);
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
    if (scope->empty()) continue;
    if (std::optional<ScopeEntry> entry = FindIn(*scope, key)) return entry;
  }
  return std::nullopt;
}

}  // namespace thunky::ptx
