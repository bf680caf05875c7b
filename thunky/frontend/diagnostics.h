// Diagnostics of MLIR as errors of the interface. Not public.
#ifndef THUNKY_FRONTEND_DIAGNOSTICS_H_
#define THUNKY_FRONTEND_DIAGNOSTICS_H_

#include <string>
#include <vector>

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Location.h"
#include "thunky/api/error.h"

namespace thunky::frontend {

// The place in a source file that a location names first: of a call that was merged in,
// the call.
SourceLocation place_of(mlir::Location location);

// Collects what is said in a context while it lives.
class Diagnostics {
 public:
  explicit Diagnostics(mlir::MLIRContext* context);

  void clear() { errors_.clear(); }
  // Throws the first error: at its own place where it has one, else at `where`; the rest,
  // and notes, as further lines.
  [[noreturn]] void fail(ErrorCode code, const SourceLocation& where);

 private:
  struct Line {
    SourceLocation place;
    std::string text;
  };

  std::vector<Line> errors_;
  mlir::ScopedDiagnosticHandler handler_;
};

}  // namespace thunky::frontend

#endif  // THUNKY_FRONTEND_DIAGNOSTICS_H_
