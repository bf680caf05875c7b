// Turns thunks into operations.
#ifndef THUNKY_COMPILER_TRANSLATE_THUNK_IMPORTER_H_
#define THUNKY_COMPILER_TRANSLATE_THUNK_IMPORTER_H_

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "absl/types/span.h"
#include "llvm/ADT/StringRef.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "proto/thunk.pb.h"
#include "thunky/compiler/translate/code_importer.h"
#include "thunky/schema/kinds.h"

namespace thunky::compiler {

// The attributes `shapes` and `layouts` that say the shapes of some slices, where they
// can be said; both null otherwise, and where they would say u8[N] throughout.
struct ShapeAttributes {
  mlir::ArrayAttr shapes;
  mlir::ArrayAttr layouts;
};

class ThunkImporter {
 public:
  // `buffers` has a value for each allocation that thunks use, by its number: for every
  // one where there are thunks of unknown kinds.
  // Operations are added where `builder` stands.
  ThunkImporter(mlir::OpBuilder& builder, CodeImporter& code,
                std::map<int64_t, mlir::Value> buffers);
  ~ThunkImporter();

  // Adds the operations of a verified list of thunks and takes the thunks apart.
  // Fails with a diagnostic that begins with the path of the thunk.
  llvm::LogicalResult importThunks(schema::ThunkList& thunks);

  // For the functions of the table.

  mlir::OpBuilder& builder() { return builder_; }
  CodeImporter& code() { return code_; }
  mlir::Location location() const { return location_; }
  // The buffer or the part of one that a slice is.
  mlir::Value buffer(const wire::BufferAllocationSliceProto& slice);
  mlir::Value buffer(const wire::ShapedSliceProto& shaped) {
    return buffer(shaped.slice());
  }
  // The whole allocation; null for one that has no value.
  mlir::Value allocation(int64_t number) const {
    const auto found = buffers_.find(number);
    return found != buffers_.end() ? found->second : mlir::Value();
  }
  // All of them, in the order of their numbers. Fails with a diagnostic when this was
  // asked so often that the lists together are too long.
  mlir::FailureOr<llvm::SmallVector<mlir::Value>> allocations();
  ShapeAttributes shapesOf(absl::Span<const wire::ShapedSliceProto* const> slices);
  // Moves the thunks of a list into a region.
  llvm::LogicalResult importRegion(mlir::Region& region, llvm::StringRef label,
                                   schema::ThunkList& thunks);
  void setToken(uint64_t id, mlir::Value token);
  mlir::Value token(uint64_t id) const;
  // A diagnostic that names the thunk at hand.
  mlir::InFlightDiagnostic emitError();

 private:
  class Lowering;

  llvm::LogicalResult importThunk(wire::ThunkProto& thunk);
  // Makes `op` say all that `thunk`, without the thunks inside it and its code, says.
  // False when it cannot.
  bool settle(mlir::Operation* op, const wire::ThunkProto& thunk);

  mlir::OpBuilder& builder_;
  CodeImporter& code_;
  std::map<int64_t, mlir::Value> buffers_;
  using Range = std::tuple<int64_t, int64_t, int64_t>;
  // Parts that have a view, in each open region.
  std::vector<std::map<Range, mlir::Value>> views_;
  std::map<uint64_t, mlir::Value> tokens_;
  size_t listed_ = 0;  // allocations that were listed so far
  std::unique_ptr<Lowering> original_;
  std::vector<std::string> path_ = {"thunks"};
  mlir::Location location_ = builder_.getUnknownLoc();
};

// One for each kind of thunk: adds its operation, moving the thunks inside it into
// regions and its code out. Null without a diagnostic when the thunk needs the
// general form, call_thunk_proto; with one when it cannot be said at all.
using ImportFunction = mlir::FailureOr<mlir::Operation*> (*)(ThunkImporter& importer,
                                                             wire::ThunkProto& thunk);

struct KindImport {
  schema::ThunkKind kind;
  ImportFunction import;  // null: always call_thunk_proto
};

// The functions of a family of kinds; import_table.cc puts them together.
absl::Span<const KindImport> memoryImports();
absl::Span<const KindImport> callImports();
absl::Span<const KindImport> controlFlowImports();
absl::Span<const KindImport> collectiveImports();

// Null for kinds that have no operation of their own.
ImportFunction importOf(schema::ThunkKind kind);

// Adds a call_thunk_proto.
mlir::FailureOr<mlir::Operation*> importPayload(ThunkImporter& importer,
                                                wire::ThunkProto& thunk);

}  // namespace thunky::compiler

#endif  // THUNKY_COMPILER_TRANSLATE_THUNK_IMPORTER_H_
