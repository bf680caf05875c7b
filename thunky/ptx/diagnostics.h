// Collects what stands in the way of lowering.
#ifndef THUNKY_PTX_DIAGNOSTICS_H_
#define THUNKY_PTX_DIAGNOSTICS_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "thunky/ptx/ast.h"
#include "thunky/ptx/lower.h"

namespace thunky::ptx {

class Diagnostics {
 public:
  // Adds the message of `status`, if it is an error; Unimplemented ones count as
  // unsupported. `spelling`: of the instruction, if it is one.
  void Add(SourceLocation location, const absl::Status& status,
           std::string spelling = "");

  // All of them in source order; equal places in the order they were added.
  std::vector<Diagnostic> TakeSorted();

 private:
  std::vector<Diagnostic> diagnostics_;
};

}  // namespace thunky::ptx

#endif  // THUNKY_PTX_DIAGNOSTICS_H_
