#include "thunky/tooling/json_text.h"

#include <cmath>

namespace thunky::tooling {

std::string JsonText(const nlohmann::ordered_json& json, bool compact) {
  return json.dump(compact ? -1 : 2, ' ', /*ensure_ascii=*/false,
                   nlohmann::ordered_json::error_handler_t::replace) +
         "\n";
}

nlohmann::ordered_json ComparisonAsJson(const Comparison& comparison) {
  nlohmann::ordered_json json = {{"holds", comparison.holds},
                                 {"elements", comparison.elements},
                                 {"mismatches", comparison.mismatches},
                                 {"rtol", comparison.rtol},
                                 {"atol", comparison.atol}};
  if (std::isfinite(comparison.largest_difference)) {
    json["largest_difference"] = comparison.largest_difference;
  } else {
    json["largest_difference"] = "inf";
  }
  if (comparison.elements > 0) {
    json["index"] = comparison.index;
    json["found"] = comparison.found;
    json["expected"] = comparison.expected;
  }
  return json;
}

}  // namespace thunky::tooling
