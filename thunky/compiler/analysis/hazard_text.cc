// How hazards are said.
#include "absl/strings/str_cat.h"
#include "thunky/compiler/analysis/hazards.h"
#include "thunky/compiler/dialect/argument_attributes.h"
#include "thunky/compiler/dialect/proto_attributes.h"
#include "thunky/compiler/dialect/source_place.h"
#include "thunky/compiler/dialect/thunky_dialect.h"

namespace thunky::compiler {
namespace {

// What an operation runs, where it says so.
constexpr llvm::StringLiteral kNamesOfWork[] = {"kernel_name", "target_name"};

std::string quoted(llvm::StringRef text) { return absl::StrCat("'", text.str(), "'"); }

std::string text(const mlir::FileLineColLoc& file, bool column) {
  std::string place = absl::StrCat(file.getFilename().str(), ":", file.getLine());
  if (column) absl::StrAppend(&place, ":", file.getColumn());
  return place;
}

// What profiles call the operation, if its text or its location says so.
std::string nameOf(mlir::Operation* op, const SourcePlace& place) {
  auto annotation = op->getAttrOfType<mlir::StringAttr>(kAnnotation);
  return annotation ? annotation.getValue().str() : place.name;
}

}  // namespace

llvm::StringRef hazardKindName(HazardKind kind) {
  switch (kind) {
    case HazardKind::kRace:
      return "race";
    case HazardKind::kUninitializedRead:
      return "uninitialized_read";
    case HazardKind::kOverwrittenUnread:
      return "overwritten_unread";
    case HazardKind::kCollectiveOrder:
      return "collective_order";
  }
  return "";
}

std::string describe(mlir::Operation* op) {
  std::string description = op->getName().stripDialect().str();
  for (const llvm::StringRef attribute : kNamesOfWork) {
    const std::optional<mlir::Attribute> value = op->getInherentAttr(attribute);
    if (!value.has_value()) continue;
    if (auto name = llvm::dyn_cast_or_null<mlir::StringAttr>(*value)) {
      absl::StrAppend(&description, " ", quoted(name.getValue()));
    }
  }
  const SourcePlace place = sourcePlaceOf(op->getLoc());
  const std::string name = nameOf(op, place);
  if (!name.empty()) absl::StrAppend(&description, " (", quoted(name), ")");
  if (place.file.has_value()) {
    absl::StrAppend(&description, " at ", text(*place.file, false));
  }
  if (place.call.has_value()) {
    absl::StrAppend(&description, ", called at ", text(*place.call, false));
  }
  return description;
}

std::string placeOf(mlir::Operation* op) {
  const SourcePlace place = sourcePlaceOf(op->getLoc());
  if (place.file.has_value()) return text(*place.file, true);
  if (place.call.has_value()) return text(*place.call, true);
  return nameOf(op, place);
}

std::string describeBuffer(mlir::Value root) {
  auto argument = llvm::dyn_cast<mlir::BlockArgument>(root);
  if (!argument) {
    auto constant = root.getDefiningOp<ConstantOp>();
    if (!constant) return "a buffer";
    const std::optional<llvm::StringRef> name = constant.getName();
    return name.has_value() ? absl::StrCat("constant ", quoted(*name)) : "a constant";
  }
  auto main = llvm::dyn_cast<mlir::func::FuncOp>(argument.getOwner()->getParentOp());
  if (!main) return "a buffer";
  const unsigned number = argument.getArgNumber();
  const bool scratch = main.getArgAttr(number, kScratch) != mlir::Attribute();
  const std::string kind = scratch ? "scratch " : "";
  if (auto name = main.getArgAttrOfType<mlir::StringAttr>(number, kName)) {
    return absl::StrCat(kind, quoted(name.getValue()));
  }
  return absl::StrCat(kind, "argument ", number);
}

std::string describe(const BufferRange& range) {
  return absl::StrCat("bytes [", range.offset, ", ", range.offset + range.size, ") of ",
                      describeBuffer(range.root));
}

}  // namespace thunky::compiler
