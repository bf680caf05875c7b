// JSON answers: every one has "schema": 1 and ends with a line feed.
#ifndef THUNKY_TOOLING_JSON_TEXT_H_
#define THUNKY_TOOLING_JSON_TEXT_H_

#include <string>

#include "nlohmann/json.hpp"
#include "thunky/tooling/compare.h"

namespace thunky::tooling {

inline constexpr int kJsonSchema = 1;

// Bytes that are no UTF-8 are replaced, so that the text always is. Indented, or
// on one line when `compact`.
std::string JsonText(const nlohmann::ordered_json& json, bool compact = false);

// Numbers that JSON cannot write (infinity) are strings.
nlohmann::ordered_json ComparisonAsJson(const Comparison& comparison);

}  // namespace thunky::tooling

#endif  // THUNKY_TOOLING_JSON_TEXT_H_
