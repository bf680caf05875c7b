// C's printf with arguments that come from a kernel's memory.
#ifndef THUNKY_INTERP_PRINTF_H_
#define THUNKY_INTERP_PRINTF_H_

#include <cstdint>
#include <string>
#include <string_view>

namespace thunky::interp {

// Where the arguments of one call are read from.
class PrintfArguments {
 public:
  virtual ~PrintfArguments() = default;
  // The next `size` (4 or 8) bytes at a multiple of their size. False: unreadable.
  virtual bool Next(uint32_t size, uint64_t* value) = 0;
  // The text at a pointer. False: unreadable.
  virtual bool String(uint64_t pointer, std::string* text) = 0;
};

// Longest text of one call; what is longer is cut off. Widths and precisions are
// limited to kMaxPrintfWidth.
inline constexpr size_t kMaxPrintfText = 64 << 10;
inline constexpr int kMaxPrintfWidth = 1024;

// Appends the formatted text; returns the number of arguments used, or -1 when
// `arguments` could not give one. What is not a conversion is printed as it stands;
// %n stores nothing.
int FormatPrintf(std::string_view format, PrintfArguments& arguments, std::string* text);

}  // namespace thunky::interp

#endif  // THUNKY_INTERP_PRINTF_H_
