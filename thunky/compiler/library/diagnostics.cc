#include "thunky/compiler/library/diagnostics.h"

#include "llvm/Support/raw_ostream.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Location.h"

namespace thunky::compiler {
namespace {

// Of a fused or inlined location, the first place that says something.
std::string placeOf(mlir::Location location) {
  if (auto file = llvm::dyn_cast<mlir::FileLineColLoc>(location)) {
    // A module that is not written out, only its content, is the whole file.
    if (file.getLine() == 0) return file.getFilename().str() + ": ";
    return file.getFilename().str() + ":" + std::to_string(file.getLine()) + ":" +
           std::to_string(file.getColumn()) + ": ";
  }
  if (auto name = llvm::dyn_cast<mlir::NameLoc>(location)) {
    const std::string child = placeOf(name.getChildLoc());
    return child.empty() ? name.getName().str() + ": " : child;
  }
  if (auto call = llvm::dyn_cast<mlir::CallSiteLoc>(location)) {
    return placeOf(call.getCallee());
  }
  if (auto fused = llvm::dyn_cast<mlir::FusedLoc>(location)) {
    for (const mlir::Location part : fused.getLocations()) {
      std::string place = placeOf(part);
      if (!place.empty()) return place;
    }
  }
  return "";
}

void append(const mlir::Diagnostic& diagnostic, std::string& text) {
  text += placeOf(diagnostic.getLocation());
  switch (diagnostic.getSeverity()) {
    case mlir::DiagnosticSeverity::Note:
      text += "note: ";
      break;
    case mlir::DiagnosticSeverity::Warning:
    case mlir::DiagnosticSeverity::Remark:
      text += "warning: ";
      break;
    case mlir::DiagnosticSeverity::Error:
      break;
  }
  text += diagnostic.str() + "\n";
}

}  // namespace

DiagnosticCollector::DiagnosticCollector(mlir::MLIRContext* context, std::string& text)
    : handler_(context, [&text](mlir::Diagnostic& diagnostic) {
        append(diagnostic, text);
        for (const mlir::Diagnostic& note : diagnostic.getNotes()) append(note, text);
        return mlir::success();
      }) {}

}  // namespace thunky::compiler
