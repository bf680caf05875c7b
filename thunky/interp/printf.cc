#include "thunky/interp/printf.h"

#include <algorithm>
#include <bit>
#include <cstdio>

namespace thunky::interp {
namespace {

// One conversion: `%-08.3lld`.
struct Conversion {
  std::string flags;
  int width = -1;  // -1: none
  int precision = -1;
  bool wide = false;  // 64 bits: l, ll, j, z, t
  int narrow = 0;     // number of h
  char type = 0;      // 0: not a conversion
};

class Formatter {
 public:
  Formatter(std::string_view format, PrintfArguments& arguments, std::string* text)
      : format_(format), arguments_(arguments), text_(text), start_(text->size()) {}

  int Run() {
    while (at_ < format_.size() && ok_) {
      if (format_[at_] != '%') {
        Append(format_.substr(at_++, 1));
        continue;
      }
      const size_t begin = at_;
      const Conversion c = Parse();
      if (!ok_) break;
      if (c.type == 0) {
        Append(format_.substr(begin, at_ - begin));
      } else {
        Convert(c);
      }
    }
    return ok_ ? used_ : -1;
  }

 private:
  void Append(std::string_view piece) {
    const size_t room = kMaxPrintfText - std::min(kMaxPrintfText, text_->size() - start_);
    text_->append(piece.substr(0, room));
  }

  char Peek() const { return at_ < format_.size() ? format_[at_] : '\0'; }

  uint64_t Next(uint32_t size) {
    uint64_t value = 0;
    ok_ = ok_ && arguments_.Next(size, &value);
    ++used_;
    return value;
  }

  // A number or `*`; -1 when there is neither.
  int ParseCount(bool* negative) {
    if (Peek() == '*') {
      ++at_;
      const int64_t value = static_cast<int32_t>(Next(4));
      if (value < 0) *negative = true;
      return static_cast<int>(
          std::min<int64_t>(value < 0 ? -value : value, kMaxPrintfWidth));
    }
    int value = -1;
    while (Peek() >= '0' && Peek() <= '9') {
      value = std::min(std::max(value, 0) * 10 + (Peek() - '0'), kMaxPrintfWidth);
      ++at_;
    }
    return value;
  }

  void ParseLength(Conversion* c) {
    for (;; ++at_) {
      const char length = Peek();
      if (length == 'h') {
        ++c->narrow;
      } else if (length == 'l' || length == 'j' || length == 'z' || length == 't') {
        c->wide = true;
      } else if (length != 'L') {
        return;
      }
    }
  }

  Conversion Parse() {
    Conversion c;
    ++at_;  // %
    while (at_ < format_.size() &&
           std::string_view("-+ #0").find(Peek()) != std::string_view::npos) {
      if (c.flags.find(Peek()) == std::string::npos) c.flags += Peek();
      ++at_;
    }
    bool left = false;
    c.width = ParseCount(&left);
    if (left && c.flags.find('-') == std::string::npos) c.flags += '-';
    if (Peek() == '.') {
      ++at_;
      bool none = false;
      c.precision = std::max(0, ParseCount(&none));
      if (none) c.precision = -1;
    }
    ParseLength(&c);
    const char type = Peek();
    if (type != '\0' &&
        std::string_view("diouxXcspeEfFgGaAn%").find(type) != std::string_view::npos) {
      c.type = type;
      ++at_;
    }
    return c;
  }

  template <typename T>
  void Print(const Conversion& c, const char* length, char type, T value) {
    std::string spec(1, '%');
    spec += c.flags;
    if (c.width >= 0) spec += std::to_string(c.width);
    if (c.precision >= 0) spec.append(1, '.').append(std::to_string(c.precision));
    spec += length;
    spec += type;
    // The widest text is a double with 309 digits before and 1,024 behind the point.
    char buffer[2 * kMaxPrintfWidth + 512];
    const int size = std::snprintf(buffer, sizeof(buffer), spec.c_str(), value);
    if (size > 0) {
      Append({buffer, std::min(static_cast<size_t>(size), sizeof(buffer) - 1)});
    }
  }

  void PrintText(const Conversion& c, std::string_view value) {
    if (c.precision >= 0) value = value.substr(0, static_cast<size_t>(c.precision));
    const size_t width = static_cast<size_t>(std::max(c.width, 0));
    const std::string padding(width - std::min(width, value.size()), ' ');
    const bool left = c.flags.find('-') != std::string::npos;
    if (!left) Append(padding);
    Append(value);
    if (left) Append(padding);
  }

  void PrintInteger(const Conversion& c) {
    const uint64_t bits = Next(c.wide ? 8 : 4);
    if (c.type == 'd' || c.type == 'i') {
      int64_t value = c.wide ? static_cast<int64_t>(bits) : static_cast<int32_t>(bits);
      if (c.narrow == 1) value = static_cast<int16_t>(value);
      if (c.narrow >= 2) value = static_cast<int64_t>(bits << 56) >> 56;
      Print(c, "ll", 'd', static_cast<long long>(value));
      return;
    }
    uint64_t value = c.wide ? bits : static_cast<uint32_t>(bits);
    if (c.narrow == 1) value &= 0xffffu;
    if (c.narrow >= 2) value &= 0xffu;
    Print(c, "ll", c.type, static_cast<unsigned long long>(value));
  }

  void PrintPointer(const Conversion& c) {
    char digits[24];
    const int size = std::snprintf(digits, sizeof(digits), "0x%llx",
                                   static_cast<unsigned long long>(Next(8)));
    PrintText(c, {digits, static_cast<size_t>(size)});
  }

  void Convert(const Conversion& c) {
    switch (c.type) {
      case '%':
        Append("%");
        return;
      case 'n':
        Next(8);
        return;
      case 'c': {
        const char letter = static_cast<char>(Next(4));
        PrintText(c, {&letter, 1});
        return;
      }
      case 's': {
        std::string text;
        const uint64_t pointer = Next(8);
        if (pointer == 0) {
          text = "(null)";
        } else {
          ok_ = ok_ && arguments_.String(pointer, &text);
        }
        PrintText(c, text);
        return;
      }
      case 'p':
        PrintPointer(c);
        return;
      case 'd':
      case 'i':
      case 'o':
      case 'u':
      case 'x':
      case 'X':
        PrintInteger(c);
        return;
      default:
        Print(c, "", c.type, std::bit_cast<double>(Next(8)));
        return;
    }
  }

  std::string_view format_;
  PrintfArguments& arguments_;
  std::string* text_;
  size_t start_;
  size_t at_ = 0;
  int used_ = 0;
  bool ok_ = true;
};

}  // namespace

int FormatPrintf(std::string_view format, PrintfArguments& arguments, std::string* text) {
  return Formatter(format, arguments, text).Run();
}

}  // namespace thunky::interp
