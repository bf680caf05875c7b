#include "thunky/ptx/lower.h"

#include <string>
#include <utility>
#include <variant>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "thunky/base/status_macros.h"
#include "thunky/ptx/diagnostics.h"
#include "thunky/ptx/launch_bounds.h"
#include "thunky/ptx/lower_function.h"
#include "thunky/ptx/program_builder.h"

namespace thunky::ptx {
namespace {

// Diagnostics, or names, that one error message shows.
constexpr size_t kMaxShown = 100;

absl::Status NoSuchEntry(const ast::Module& module, std::string_view entry) {
  std::vector<std::string> names;
  size_t left_out = 0;
  for (const ast::ModuleItem& item : module.items) {
    const auto* function = std::get_if<ast::Function>(&item);
    if (function == nullptr || !function->is_entry) continue;
    if (names.size() < kMaxShown) {
      names.push_back(absl::StrCat("'", function->name, "'"));
    } else {
      ++left_out;
    }
  }
  if (left_out > 0) names.push_back(absl::StrCat("and ", left_out, " more"));
  const std::string has = names.empty()
                              ? "no entries"
                              : absl::StrCat("the entries ", absl::StrJoin(names, ", "));
  return absl::NotFoundError(
      absl::StrCat("no entry '", std::string(entry), "': the module has ", has));
}

// What lowering an entry gave: the program is complete when nothing is wrong.
struct Outcome {
  ir::Program program;
  std::vector<Diagnostic> diagnostics;
};

void LowerReachable(ProgramBuilder& builder) {
  uint32_t index = 0;
  while (true) {
    while (const ast::Function* function = builder.NextFunction(&index)) {
      // Functions come in the order of their indices.
      ir::Function lowered = LowerFunction(*function, builder);
      builder.program().functions.push_back(std::move(lowered));
    }
    builder.LowerInitializers();
    if (!builder.HasWork()) break;
  }
  builder.diagnostics().Add(builder.program().functions[0].location,
                            builder.ResolveIndirectCalls());
}

absl::StatusOr<Outcome> Lower(const ast::Module& module, std::string_view entry) {
  Diagnostics diagnostics;
  ProgramBuilder builder(module, diagnostics);
  const ast::Function* function = builder.names().FindFunction(entry);
  if (function == nullptr || !function->is_entry) return NoSuchEntry(module, entry);
  if (module.address_size != 64) {
    diagnostics.Add(function->location,
                    absl::UnimplementedError(absl::StrCat(
                        ".address_size ", module.address_size, " is not supported")));
  }
  builder.program().entry = function->name;
  absl::StatusOr<ir::LaunchBounds> bounds = ReadLaunchBounds(*function);
  diagnostics.Add(function->location, bounds.status());
  if (bounds.ok()) builder.program().bounds = *bounds;
  absl::StatusOr<uint32_t> index = builder.UseFunction(*function);
  diagnostics.Add(function->location, index.status());
  if (index.ok()) LowerReachable(builder);
  return Outcome{std::move(builder.program()), diagnostics.TakeSorted()};
}

std::string Line(const Diagnostic& diagnostic) {
  return absl::StrCat("line ", diagnostic.location.line, ": ", diagnostic.message);
}

// One error for all diagnostics of one sort.
absl::Status ToStatus(const std::vector<Diagnostic>& diagnostics) {
  bool invalid = false;
  for (const Diagnostic& diagnostic : diagnostics) {
    invalid = invalid || !diagnostic.unsupported;
  }
  std::vector<std::string> lines;
  size_t left_out = 0;
  for (const Diagnostic& diagnostic : diagnostics) {
    if (diagnostic.unsupported == invalid) continue;
    if (lines.size() < kMaxShown) {
      lines.push_back(Line(diagnostic));
    } else {
      ++left_out;
    }
  }
  if (left_out > 0) lines.push_back(absl::StrCat("and ", left_out, " more"));
  const std::string text = absl::StrJoin(lines, "\n");
  return invalid ? absl::InvalidArgumentError(text) : absl::UnimplementedError(text);
}

}  // namespace

absl::StatusOr<ir::Program> LowerEntry(const ast::Module& module,
                                       std::string_view entry) {
  ASSIGN_OR_RETURN(Outcome outcome, Lower(module, entry));
  if (!outcome.diagnostics.empty()) return ToStatus(outcome.diagnostics);
  return std::move(outcome.program);
}

absl::StatusOr<std::vector<Diagnostic>> CheckEntry(const ast::Module& module,
                                                   std::string_view entry) {
  ASSIGN_OR_RETURN(Outcome outcome, Lower(module, entry));
  return std::move(outcome.diagnostics);
}

}  // namespace thunky::ptx
