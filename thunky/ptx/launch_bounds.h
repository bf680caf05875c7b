// What a function's directives say about its launch.
#ifndef THUNKY_PTX_LAUNCH_BOUNDS_H_
#define THUNKY_PTX_LAUNCH_BOUNDS_H_

#include <string_view>

#include "absl/status/statusor.h"
#include "thunky/ptx/ast.h"
#include "thunky/ptx/ir.h"

namespace thunky::ptx {

// Reads `.reqntid` and `.maxntid`; missing dimensions are 1. InvalidArgument, with
// "line L: ", for a dimension that is no number from 1 to 2^32 - 1, or more than three.
absl::StatusOr<ir::LaunchBounds> ReadLaunchBounds(const ast::Function& function);

// Whether a directive of that name is among the function's.
bool HasDirective(const ast::Function& function, std::string_view name);

}  // namespace thunky::ptx

#endif  // THUNKY_PTX_LAUNCH_BOUNDS_H_
