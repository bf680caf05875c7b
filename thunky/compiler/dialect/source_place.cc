#include "thunky/compiler/dialect/source_place.h"

namespace thunky::compiler {

SourcePlace sourcePlaceOf(mlir::Location location) {
  if (auto name = llvm::dyn_cast<mlir::NameLoc>(location)) {
    SourcePlace place = sourcePlaceOf(name.getChildLoc());
    place.name = name.getName().str();
    return place;
  }
  if (auto file = llvm::dyn_cast<mlir::FileLineColLoc>(location)) {
    return {"", file, std::nullopt};
  }
  if (auto call = llvm::dyn_cast<mlir::CallSiteLoc>(location)) {
    SourcePlace place = sourcePlaceOf(call.getCallee());
    if (place.call.has_value()) return place;
    const SourcePlace caller = sourcePlaceOf(call.getCaller());
    place.call = caller.file.has_value() ? caller.file : caller.call;
    return place;
  }
  if (auto fused = llvm::dyn_cast<mlir::FusedLoc>(location)) {
    if (!fused.getLocations().empty()) return sourcePlaceOf(fused.getLocations().front());
  }
  return {};
}

}  // namespace thunky::compiler
