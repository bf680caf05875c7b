#include "thunky/frontend/attributes.h"

#include <utility>

#include "thunky/api/error.h"

namespace thunky {

Attributes::Attributes(
    std::initializer_list<std::pair<const std::string, AttributeValue>> values,
    const std::source_location& where) {
  for (const auto& [name, value] : values) {
    if (values_.emplace(name, value).second) continue;
    throw Error(ErrorCode::invalid_argument, "there are two attributes '" + name + "'",
                where);
  }
}

void Attributes::set(const std::string& name, AttributeValue value) {
  values_.insert_or_assign(name, std::move(value));
}

}  // namespace thunky
