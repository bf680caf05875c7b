// What the text of a module must not have for MLIR's parser to be let at it.
#ifndef THUNKY_COMPILER_LIBRARY_TEXT_CHECK_H_
#define THUNKY_COMPILER_LIBRARY_TEXT_CHECK_H_

#include <cstdint>

#include "absl/status/status.h"
#include "llvm/ADT/StringRef.h"

namespace thunky::compiler {

// MLIR's parser calls itself for each bracket.
inline constexpr int kMaxNesting = 256;
// Bytes of an alias for a type or an attribute, written out. An alias that is made of
// the one before twice doubles with every line, and messages write attributes out.
inline constexpr int64_t kMaxAliasBytes = int64_t{1} << 20;
// Bits of an integer type: each element of a list takes as many.
inline constexpr int64_t kMaxIntegerBits = 128;
// In %name#N, the number of a result: a value that is not known yet gets a list with room
// for it.
inline constexpr uint64_t kMaxResultNumber = 63;
// Of resources, bytes.
inline constexpr uint32_t kMaxAlignment = 4096;

// InvalidArgument with "LINE:COLUMN: " for text that goes beyond one of these, and for
// affine maps and sets: the parser calls itself for each of their operators, and no
// module of ours needs them. Looks at tokens alone: text that is no module may pass.
absl::Status checkText(llvm::StringRef text);

}  // namespace thunky::compiler

#endif  // THUNKY_COMPILER_LIBRARY_TEXT_CHECK_H_
