#include "thunky/frontend/attributes.h"

namespace thunky {

Attributes::Attributes(
    std::initializer_list<std::pair<const std::string, AttributeValue>> values)
    : values_(values) {}

void Attributes::set(const std::string& name, AttributeValue value) {
  values_.insert_or_assign(name, std::move(value));
}

}  // namespace thunky
