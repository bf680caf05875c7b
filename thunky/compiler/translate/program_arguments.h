// The arguments of @main as a caller sees them.
#ifndef THUNKY_COMPILER_TRANSLATE_PROGRAM_ARGUMENTS_H_
#define THUNKY_COMPILER_TRANSLATE_PROGRAM_ARGUMENTS_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "mlir/IR/BuiltinAttributes.h"
#include "proto/executable.pb.h"
#include "thunky/schema/signature.h"

namespace thunky::compiler {

struct ProgramArgument {
  int64_t size = 0;  // bytes
  // Its allocation; nothing for a result whose bytes are a constant, which is copied.
  std::optional<int64_t> allocation;
  std::optional<int> constant;  // position in Signature::constants, then
  mlir::DictionaryAttr attributes;
};

// In the order of @main: that of a run where the executable has one, else parameters and
// then results in memory of their own; temporaries are last.
std::vector<ProgramArgument> argumentsOf(mlir::MLIRContext* context,
                                         const schema::Signature& signature);

}  // namespace thunky::compiler

#endif  // THUNKY_COMPILER_TRANSLATE_PROGRAM_ARGUMENTS_H_
