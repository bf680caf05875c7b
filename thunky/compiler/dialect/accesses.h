// Where buffers lie and what operations do with them.
#ifndef THUNKY_COMPILER_DIALECT_ACCESSES_H_
#define THUNKY_COMPILER_DIALECT_ACCESSES_H_

#include <cstdint>
#include <optional>
#include <string>

#include "llvm/ADT/SmallVector.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/Value.h"
#include "proto/thunk.pb.h"
#include "thunky/schema/access.h"

namespace thunky::compiler {

// Slices of slices deeper than this are refused, so that finding a root is cheap.
inline constexpr int kMaxSliceDepth = 256;

// The bytes [offset, offset + size) of a root buffer: one that is no slice.
struct BufferRange {
  mlir::Value root;
  int64_t offset = 0;
  int64_t size = 0;
};

// Follows slice_buffer operations to the root. `buffer` has the buffer type.
BufferRange resolveBuffer(mlir::Value buffer);

struct BufferAccess {
  BufferRange range;
  schema::AccessMode mode = schema::AccessMode::kRead;
  std::string role;  // the name the thunk has for it: "args[2]", "source_buffer"
  // Room to work in: what is left there means nothing to anybody.
  bool workspace = false;
  // Nobody can look into the thunk: it may do this, and it may do less.
  bool assumed = false;
};

// What ThunkOpInterface::getAccesses gives: derived from the thunk that the operation
// becomes, by the rules of thunky/schema.
void accessesOf(mlir::Operation* op, llvm::SmallVectorImpl<BufferAccess>& accesses);

// The thunk that the operation becomes, by itself: root buffers are numbered as they are
// met, and what lies in regions is left out. Nothing when it cannot be said as one, with
// a diagnostic.
std::optional<wire::ThunkProto> thunkOf(mlir::Operation* op);

// Verifies the thunk that the operation becomes by the rules of thunky/schema, and
// that it writes no constant.
llvm::LogicalResult verifyThunk(mlir::Operation* op);

}  // namespace thunky::compiler

#endif  // THUNKY_COMPILER_DIALECT_ACCESSES_H_
