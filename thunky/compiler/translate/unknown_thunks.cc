#include "thunky/compiler/translate/unknown_thunks.h"

#include "thunky/compiler/dialect/proto_attributes.h"
#include "thunky/schema/walk.h"

namespace thunky::compiler {
namespace {

bool holdsUnknown(CallThunkProtoOp op) {
  schema::ThunkList list;
  // The verifier has its own words for what is no message.
  if (!parseBytes(op.getThunkProto(), *list.Add()).ok()) return false;
  bool unknown = false;
  const absl::Status walked =
      schema::WalkThunks(list, [&](const schema::ThunkVisit& visit) {
        unknown =
            unknown || (!visit.kind.has_value() && visit.local_allocations == nullptr);
        return absl::OkStatus();
      });
  return unknown || !walked.ok();
}

}  // namespace

CallThunkProtoOp findUnknownThunk(mlir::Operation* root) {
  CallThunkProtoOp found;
  root->walk<mlir::WalkOrder::PreOrder>([&](CallThunkProtoOp op) {
    if (!holdsUnknown(op)) return mlir::WalkResult::advance();
    found = op;
    return mlir::WalkResult::interrupt();
  });
  return found;
}

}  // namespace thunky::compiler
