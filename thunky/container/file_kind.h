// Telling files apart by their first bytes.
#ifndef THUNKY_CONTAINER_FILE_KIND_H_
#define THUNKY_CONTAINER_FILE_KIND_H_

#include <string>
#include <string_view>

namespace thunky {

// The kind of a file that is no executable, such as "a PNG image", when its first
// bytes say so unmistakably; else empty.
std::string_view ForeignFormat(std::string_view bytes);

// Whether the bytes are text: UTF-8 or another extension of ASCII, with no control
// characters but white space.
bool LooksLikeText(std::string_view bytes);

// What a text is that is no message in text form, such as "PTX"; else empty.
std::string_view ForeignText(std::string_view text);

}  // namespace thunky

#endif  // THUNKY_CONTAINER_FILE_KIND_H_
