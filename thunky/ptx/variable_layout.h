// Sizes and alignments of declared variables.
#ifndef THUNKY_PTX_VARIABLE_LAYOUT_H_
#define THUNKY_PTX_VARIABLE_LAYOUT_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "thunky/ptx/ast.h"
#include "thunky/ptx/ir.h"

namespace thunky::ptx {

struct VariableLayout {
  ir::Type element = ir::Type::kNone;
  uint64_t element_bytes = 0;
  // Extents from the outermost dimension, a `.v2` or `.v4` as the last one. A leading
  // `[]` is 0 here.
  std::vector<uint64_t> extents;
  bool unsized = false;    // the first extent is `[]`
  uint64_t size = 0;       // bytes; 0 when unsized
  uint64_t alignment = 1;  // declared, else natural
  // Bytes of what one index of extents[depth] spans.
  uint64_t Stride(size_t depth) const;
};

// Largest alignment a variable may ask for.
inline constexpr uint64_t kMaxAlignment = uint64_t{1} << 20;

// Lays out a variable in memory. InvalidArgument, with the name: a size that does not
// fit 63 bits, an alignment that is no power of two, an extent that is no constant, a
// predicate in memory. Unimplemented: textures, samplers, surfaces and unknown types.
absl::StatusOr<VariableLayout> LayOutVariable(const ast::Variable& variable);

// Rounds `offset` up to a multiple of `alignment` (a power of two). InvalidArgument
// when that does not fit 63 bits.
absl::StatusOr<uint64_t> AlignUp(uint64_t offset, uint64_t alignment);

// AlignUp, then `size` more: *offset becomes where the variable starts, the result is
// where it ends.
absl::StatusOr<uint64_t> Place(uint64_t* offset, uint64_t size, uint64_t alignment);

}  // namespace thunky::ptx

#endif  // THUNKY_PTX_VARIABLE_LAYOUT_H_
