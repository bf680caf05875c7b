// Diagnostics as lines of text.
#ifndef THUNKY_COMPILER_LIBRARY_DIAGNOSTICS_H_
#define THUNKY_COMPILER_LIBRARY_DIAGNOSTICS_H_

#include <string>

#include "mlir/IR/Diagnostics.h"

namespace thunky::compiler {

// While it lives, diagnostics of the context become lines of `text`: "FILE:LINE:COLUMN:
// message", notes after what they belong to, warnings with "warning: " in front.
class DiagnosticCollector {
 public:
  DiagnosticCollector(mlir::MLIRContext* context, std::string& text);

 private:
  mlir::ScopedDiagnosticHandler handler_;
};

}  // namespace thunky::compiler

#endif  // THUNKY_COMPILER_LIBRARY_DIAGNOSTICS_H_
