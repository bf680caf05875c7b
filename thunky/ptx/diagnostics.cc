#include "thunky/ptx/diagnostics.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace thunky::ptx {

void Diagnostics::Add(SourceLocation location, const absl::Status& status,
                      std::string spelling) {
  if (status.ok()) return;
  Diagnostic diagnostic;
  diagnostic.location = location;
  diagnostic.message = std::string(status.message());
  diagnostic.unsupported = status.code() == absl::StatusCode::kUnimplemented;
  if (diagnostic.unsupported) diagnostic.spelling = std::move(spelling);
  diagnostics_.push_back(std::move(diagnostic));
}

std::vector<Diagnostic> Diagnostics::TakeSorted() {
  std::stable_sort(diagnostics_.begin(), diagnostics_.end(),
                   [](const Diagnostic& a, const Diagnostic& b) {
                     return std::tie(a.location.line, a.location.column) <
                            std::tie(b.location.line, b.location.column);
                   });
  return std::move(diagnostics_);
}

}  // namespace thunky::ptx
