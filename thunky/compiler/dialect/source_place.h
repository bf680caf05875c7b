// Where operations come from, for people.
#ifndef THUNKY_COMPILER_DIALECT_SOURCE_PLACE_H_
#define THUNKY_COMPILER_DIALECT_SOURCE_PLACE_H_

#include <optional>
#include <string>

#include "mlir/IR/Location.h"

namespace thunky::compiler {

// A location, looked through: of what was fused its first part.
struct SourcePlace {
  std::string name;  // given to the place; may be empty
  std::optional<mlir::FileLineColLoc> file;
  // Where the call is that brought the operation here: the innermost that says so.
  std::optional<mlir::FileLineColLoc> call;
};

SourcePlace sourcePlaceOf(mlir::Location location);

}  // namespace thunky::compiler

#endif  // THUNKY_COMPILER_DIALECT_SOURCE_PLACE_H_
