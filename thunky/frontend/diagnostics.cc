#include "thunky/frontend/diagnostics.h"

#include "absl/strings/str_cat.h"
#include "mlir/IR/BuiltinAttributes.h"

namespace thunky::frontend {
namespace {

// "'thunky.copy' op sizes differ" is "copy: sizes differ" to who called copy.
std::string readable(const std::string& text) {
  constexpr std::string_view kBefore = "'thunky.";
  constexpr std::string_view kAfter = "' op ";
  if (text.rfind(kBefore, 0) != 0) return text;
  const size_t end = text.find(kAfter);
  if (end == std::string::npos) return text;
  std::string operation = text.substr(kBefore.size(), end - kBefore.size());
  // What the interface calls them.
  if (operation == "memset32") operation = "memset";
  if (operation == "while") operation = "while_loop";
  return absl::StrCat(operation, ": ", text.substr(end + kAfter.size()));
}

}  // namespace

SourceLocation place_of(mlir::Location location) {
  if (auto file = llvm::dyn_cast<mlir::FileLineColLoc>(location)) {
    return {file.getFilename().str(), file.getLine(), file.getColumn()};
  }
  if (auto name = llvm::dyn_cast<mlir::NameLoc>(location)) {
    return place_of(name.getChildLoc());
  }
  if (auto call = llvm::dyn_cast<mlir::CallSiteLoc>(location)) {
    SourceLocation place = place_of(call.getCaller());
    return place.line != 0 ? place : place_of(call.getCallee());
  }
  if (auto fused = llvm::dyn_cast<mlir::FusedLoc>(location)) {
    for (const mlir::Location part : fused.getLocations()) {
      SourceLocation place = place_of(part);
      if (place.line != 0) return place;
    }
  }
  return {};
}

Diagnostics::Diagnostics(mlir::MLIRContext* context)
    : handler_(context, [this](mlir::Diagnostic& diagnostic) {
        if (diagnostic.getSeverity() != mlir::DiagnosticSeverity::Error) {
          return mlir::success();
        }
        std::string text = readable(diagnostic.str());
        for (const mlir::Diagnostic& note : diagnostic.getNotes()) {
          const std::string place = place_of(note.getLocation()).to_string();
          absl::StrAppend(&text, "\n  note: ", place, place.empty() ? "" : ": ",
                          note.str());
        }
        errors_.push_back({place_of(diagnostic.getLocation()), std::move(text)});
        return mlir::success();
      }) {}

void Diagnostics::fail(ErrorCode code, const SourceLocation& where) {
  if (errors_.empty()) {
    throw Error(ErrorCode::internal, "failed without saying why", where);
  }
  std::string text = errors_.front().text;
  for (size_t i = 1; i < errors_.size(); ++i) {
    const std::string place = errors_[i].place.to_string();
    absl::StrAppend(&text, "\n", place, place.empty() ? "" : ": ", errors_[i].text);
  }
  const SourceLocation place = errors_.front().place;
  errors_.clear();
  throw Error(code, text, place.line != 0 ? place : where);
}

}  // namespace thunky::frontend
