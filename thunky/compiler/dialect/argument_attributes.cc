#include "thunky/compiler/dialect/argument_attributes.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Diagnostics.h"
#include "thunky/compiler/dialect/shapes.h"

namespace thunky::compiler {
namespace {

bool isNumber(mlir::Attribute value) {
  auto number = llvm::dyn_cast<mlir::IntegerAttr>(value);
  return number && number.getType().isSignlessInteger(64) && number.getInt() >= 0;
}

bool isPath(mlir::Attribute value) { return llvm::isa<mlir::DenseI64ArrayAttr>(value); }

bool isListOfPaths(mlir::Attribute value) {
  auto list = llvm::dyn_cast<mlir::ArrayAttr>(value);
  return list && !list.empty() && llvm::all_of(list, isPath);
}

bool isAlias(mlir::Attribute value) {
  auto text = llvm::dyn_cast<mlir::StringAttr>(value);
  return text && (text.getValue() == "may" || text.getValue() == "must");
}

bool isArrayType(mlir::Attribute value) {
  auto type = llvm::dyn_cast<mlir::TypeAttr>(value);
  auto tensor = type ? llvm::dyn_cast<mlir::RankedTensorType>(type.getValue())
                     : mlir::RankedTensorType();
  return tensor && tensor.hasStaticShape() && !tensor.getEncoding() &&
         elementTypeOf(tensor.getElementType()) != wire::PRIMITIVE_TYPE_INVALID;
}

template <typename Attribute>
bool is(mlir::Attribute value) {
  return llvm::isa<Attribute>(value);
}

struct KnownAttribute {
  llvm::StringLiteral name;
  bool (*valid)(mlir::Attribute value);
  const char* wanted;
};

constexpr KnownAttribute kKnown[] = {
    {kName, is<mlir::StringAttr>, "a string"},
    {kParameter, isNumber, "an i64, 0 or more"},
    {kParameterIndex, isPath, "an array<i64>"},
    {kResults, isListOfPaths, "an array of array<i64>"},
    {kAlias, isAlias, "\"may\" or \"must\""},
    {kPassthrough, is<mlir::UnitAttr>, "unit"},
    {kType, isArrayType, "a tensor type of static shape and known element type"},
    {kLayout, isPath, "an array<i64>"},
    {kScratch, is<mlir::UnitAttr>, "unit"},
    {kOriginAllocation, isNumber, "an i64, 0 or more"},
};

}  // namespace

llvm::LogicalResult verifyArgumentAttribute(mlir::Operation* op, unsigned argument,
                                            mlir::NamedAttribute attribute) {
  for (const KnownAttribute& known : kKnown) {
    if (known.name != attribute.getName().getValue()) continue;
    if (known.valid(attribute.getValue())) return mlir::success();
    return op->emitError() << "argument " << argument << ": " << attribute.getName()
                           << " is " << attribute.getValue() << "; " << known.wanted
                           << " is needed";
  }
  return op->emitError() << "argument " << argument << ": " << attribute.getName()
                         << " is no attribute of an argument";
}

}  // namespace thunky::compiler
