#include "thunky/ptx/launch_bounds.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <string>

#include "absl/strings/str_cat.h"
#include "thunky/base/status_macros.h"
#include "thunky/ptx/parser_literal.h"

namespace thunky::ptx {
namespace {

absl::Status BadDimension(const ast::RawDirective& directive) {
  return absl::InvalidArgumentError(
      absl::StrCat("line ", directive.location.line, ": ", directive.name,
                   " takes one to three numbers from 1 to 4294967295"));
}

absl::StatusOr<std::array<uint32_t, 3>> ReadDimensions(
    const ast::RawDirective& directive) {
  std::array<uint32_t, 3> dimensions = {1, 1, 1};
  size_t count = 0;
  for (size_t i = 0; i < directive.tokens.size(); ++i) {
    const std::string& token = directive.tokens[i];
    // Numbers and commas take turns.
    if (i % 2 == 1) {
      if (token != ",") return BadDimension(directive);
      continue;
    }
    ast::Expr number;
    if (count == dimensions.size() || !ParseNumber(token, &number).ok() ||
        number.kind != ast::Expr::Kind::kInteger || number.integer == 0 ||
        number.integer > std::numeric_limits<uint32_t>::max()) {
      return BadDimension(directive);
    }
    dimensions[count++] = static_cast<uint32_t>(number.integer);
  }
  if (directive.tokens.size() % 2 == 0) return BadDimension(directive);
  return dimensions;
}

}  // namespace

absl::StatusOr<ir::LaunchBounds> ReadLaunchBounds(const ast::Function& function) {
  ir::LaunchBounds bounds;
  for (const ast::RawDirective& directive : function.directives) {
    if (directive.name == ".reqntid") {
      ASSIGN_OR_RETURN(bounds.reqntid, ReadDimensions(directive));
    } else if (directive.name == ".maxntid") {
      ASSIGN_OR_RETURN(bounds.maxntid, ReadDimensions(directive));
    }
  }
  return bounds;
}

bool HasDirective(const ast::Function& function, std::string_view name) {
  return std::any_of(
      function.directives.begin(), function.directives.end(),
      [&](const ast::RawDirective& directive) { return directive.name == name; });
}

}  // namespace thunky::ptx
