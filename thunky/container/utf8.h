#ifndef THUNKY_CONTAINER_UTF8_H_
#define THUNKY_CONTAINER_UTF8_H_

#include <string_view>

namespace thunky {

// Whether the bytes are UTF-8: shortest forms only, no surrogates, at most U+10FFFF.
bool IsUtf8(std::string_view bytes);

}  // namespace thunky

#endif  // THUNKY_CONTAINER_UTF8_H_
