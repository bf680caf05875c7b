#include "thunky/compiler/dialect/thunky_dialect.h"

#include <string>

#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Bytecode/BytecodeImplementation.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Transforms/InliningUtils.h"
#include "thunky/compiler/dialect/argument_attributes.h"
#include "thunky/compiler/dialect/assembly.h"
#include "thunky/compiler/dialect/proto_attributes.h"
#include "thunky/compiler/dialect/thunky_dialect.cc.inc"
#include "thunky/compiler/dialect/thunky_enums.cc.inc"
#include "thunky/compiler/dialect/thunky_interfaces.cc.inc"

#define GET_TYPEDEF_CLASSES
#include "thunky/compiler/dialect/thunky_types.cc.inc"

#define GET_ATTRDEF_CLASSES
#include "thunky/compiler/dialect/thunky_attrs.cc.inc"

#define GET_OP_CLASSES
#include "thunky/compiler/dialect/thunky_ops.cc.inc"

namespace thunky::compiler {
namespace {

// Every operation may be inlined anywhere: values are views and carry no state.
struct ThunkyInlinerInterface : mlir::DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;
  bool isLegalToInline(mlir::Operation*, mlir::Operation*, bool) const override {
    return true;
  }
  bool isLegalToInline(mlir::Region*, mlir::Region*, bool,
                       mlir::IRMapping&) const override {
    return true;
  }
  bool isLegalToInline(mlir::Operation*, mlir::Region*, bool,
                       mlir::IRMapping&) const override {
    return true;
  }
};

struct ThunkyVersion : mlir::DialectVersion {
  explicit ThunkyVersion(uint64_t number) : number(number) {}
  uint64_t number;
};

// Bytecode says which version of the dialect wrote it.
struct ThunkyBytecodeInterface : mlir::BytecodeDialectInterface {
  explicit ThunkyBytecodeInterface(mlir::Dialect* dialect)
      : BytecodeDialectInterface(dialect) {}

  void writeVersion(mlir::DialectBytecodeWriter& writer) const override {
    writer.writeVarInt(ThunkyDialect::kVersion);
  }

  std::unique_ptr<mlir::DialectVersion> readVersion(
      mlir::DialectBytecodeReader& reader) const override {
    uint64_t number = 0;
    if (mlir::failed(reader.readVarInt(number))) return nullptr;
    if (number > static_cast<uint64_t>(ThunkyDialect::kVersion)) {
      reader.emitError("was written by version ")
          << number << " of the thunky dialect; this build reads up to version "
          << ThunkyDialect::kVersion;
      return nullptr;
    }
    return std::make_unique<ThunkyVersion>(number);
  }

  llvm::LogicalResult upgradeFromVersion(mlir::Operation*,
                                         const mlir::DialectVersion&) const override {
    return mlir::success();
  }
};

llvm::LogicalResult wrongKind(mlir::Operation* op, mlir::NamedAttribute attribute,
                              llvm::StringRef wanted) {
  return op->emitError() << attribute.getName() << " is " << attribute.getValue() << "; "
                         << wanted << " is needed";
}

llvm::LogicalResult verifyVersion(mlir::Operation* op, mlir::NamedAttribute attribute) {
  auto version = llvm::dyn_cast<mlir::IntegerAttr>(attribute.getValue());
  if (!version || !version.getType().isSignlessInteger(64) || version.getInt() < 1) {
    return wrongKind(op, attribute, "an i64 of 1 or more");
  }
  if (version.getInt() <= ThunkyDialect::kVersion) return mlir::success();
  return op->emitError() << "the module is of version " << version.getInt()
                         << " of the thunky dialect; this build reads up to version "
                         << ThunkyDialect::kVersion;
}

llvm::LogicalResult verifyString(mlir::Operation* op, mlir::NamedAttribute attribute) {
  if (llvm::isa<mlir::StringAttr>(attribute.getValue())) return mlir::success();
  return wrongKind(op, attribute, "a string");
}

llvm::LogicalResult verifyInteger(mlir::Operation* op, mlir::NamedAttribute attribute) {
  auto number = llvm::dyn_cast<mlir::IntegerAttr>(attribute.getValue());
  if (number && number.getType().isSignlessInteger(64)) return mlir::success();
  return wrongKind(op, attribute, "an i64");
}

llvm::LogicalResult verifyUnit(mlir::Operation* op, mlir::NamedAttribute attribute) {
  if (llvm::isa<mlir::UnitAttr>(attribute.getValue())) return mlir::success();
  return wrongKind(op, attribute, "unit");
}

llvm::LogicalResult verifyAny(mlir::Operation*, mlir::NamedAttribute) {
  return mlir::success();
}

// The attributes that any operation may carry, and on which ones.
struct KnownAttribute {
  llvm::StringLiteral name;
  enum { kThunk, kModule, kConstant } on;
  llvm::LogicalResult (*verify)(mlir::Operation* op, mlir::NamedAttribute attribute);
};

constexpr KnownAttribute kKnownAttributes[] = {
    {kAnnotation, KnownAttribute::kThunk, verifyString},
    {kRegion, KnownAttribute::kThunk, verifyInteger},
    {kResidual, KnownAttribute::kThunk, verifyString},
    {kResidualBytes, KnownAttribute::kThunk, verifyString},
    {kVersion, KnownAttribute::kModule, verifyVersion},
    {kOrigin, KnownAttribute::kModule, verifyAny},
    {kKeepAllocations, KnownAttribute::kModule, verifyUnit},
    {kComputeCapability, KnownAttribute::kModule, verifyString},
    {kOriginAllocation, KnownAttribute::kConstant, verifyInteger},
};

bool fits(const KnownAttribute& known, mlir::Operation* op) {
  switch (known.on) {
    case KnownAttribute::kThunk:
      return llvm::isa<ThunkOpInterface>(op);
    case KnownAttribute::kModule:
      return llvm::isa<mlir::ModuleOp>(op);
    case KnownAttribute::kConstant:
      return llvm::isa<ConstantOp>(op);
  }
  return false;
}

}  // namespace

void ThunkyDialect::initialize() {
  kernelCodeCache = std::make_shared<KernelCodeCache>();
  addTypes<
#define GET_TYPEDEF_LIST
#include "thunky/compiler/dialect/thunky_types.cc.inc"
      >();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "thunky/compiler/dialect/thunky_attrs.cc.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "thunky/compiler/dialect/thunky_ops.cc.inc"
      >();
  addInterfaces<ThunkyInlinerInterface, ThunkyBytecodeInterface>();
}

llvm::LogicalResult BufferType::verify(
    llvm::function_ref<mlir::InFlightDiagnostic()> emitError, int64_t size) {
  if (size >= 0) return mlir::success();
  return emitError() << "a buffer has " << size << " bytes; 0 or more are allowed";
}

llvm::LogicalResult ThunkyDialect::verifyOperationAttribute(
    mlir::Operation* op, mlir::NamedAttribute attribute) {
  for (const KnownAttribute& known : kKnownAttributes) {
    if (known.name != attribute.getName().getValue()) continue;
    if (fits(known, op)) return known.verify(op, attribute);
    return op->emitError() << attribute.getName() << " does not belong on "
                           << op->getName();
  }
  return op->emitError() << attribute.getName()
                         << " is no attribute of the thunky dialect";
}

llvm::LogicalResult ThunkyDialect::verifyRegionArgAttribute(
    mlir::Operation* op, unsigned, unsigned argument, mlir::NamedAttribute attribute) {
  return verifyArgumentAttribute(op, argument, attribute);
}

}  // namespace thunky::compiler
