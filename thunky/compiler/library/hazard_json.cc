#include "thunky/compiler/library/hazard_json.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace thunky::compiler {
namespace {

std::string utf8(llvm::StringRef text) {
  return llvm::json::isUTF8(text) ? text.str() : llvm::json::fixUTF8(text);
}

void write(llvm::json::OStream& json, llvm::StringRef name, const HazardSite& site) {
  if (site.op == nullptr) return;
  json.attributeObject(name, [&] {
    json.attribute("op", utf8(describe(site.op)));
    json.attribute("place", utf8(placeOf(site.op)));
    if (!site.role.empty()) json.attribute("role", utf8(site.role));
  });
}

void write(llvm::json::OStream& json, const Hazard& hazard) {
  json.object([&] {
    json.attribute("kind", hazardKindName(hazard.kind));
    json.attribute("severity", hazard.severity == Severity::kError ? "error" : "warning");
    json.attribute("message", utf8(hazard.message));
    write(json, "first", hazard.first);
    write(json, "second", hazard.second);
    if (!hazard.range.root) return;
    json.attribute("buffer", utf8(describeBuffer(hazard.range.root)));
    json.attribute("begin", hazard.range.offset);
    json.attribute("end", hazard.range.offset + hazard.range.size);
  });
}

}  // namespace

std::string hazardsAsJson(const HazardReport& report) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::json::OStream json(stream);
  json.object([&] {
    json.attribute("errors", report.errors);
    json.attribute("warnings", report.warnings);
    json.attributeArray("hazards", [&] {
      for (const Hazard& hazard : report.hazards) write(json, hazard);
    });
  });
  return text;
}

}  // namespace thunky::compiler
