#include "thunky/ptx/parser_literal.h"

#include <limits>

#include "absl/strings/str_cat.h"

namespace thunky::ptx {
namespace {

// Value of a digit in any base up to 16, or 16.
unsigned DigitValue(char c) {
  if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a') + 10;
  if (c >= 'A' && c <= 'F') return static_cast<unsigned>(c - 'A') + 10;
  return 16;
}

bool AllDigits(std::string_view text, unsigned base) {
  for (char c : text) {
    if (DigitValue(c) >= base) return false;
  }
  return !text.empty();
}

absl::Status ParseFloatBits(std::string_view text, size_t digits, ast::Expr* expr) {
  const std::string_view hex = text.substr(2);
  if (hex.size() != digits || !AllDigits(hex, 16)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "0", std::string(1, text[1]), " takes ", digits, " hexadecimal digits"));
  }
  expr->kind = ast::Expr::Kind::kFloat;
  expr->text.assign(text);
  return absl::OkStatus();
}

absl::Status ParseInteger(std::string_view digits, unsigned base, ast::Expr* expr) {
  if (!digits.empty() && digits.back() == 'U') {
    expr->is_unsigned = true;
    digits.remove_suffix(1);
  }
  if (!AllDigits(digits, base)) return absl::InvalidArgumentError("malformed number");
  uint64_t value = 0;
  for (char c : digits) {
    const unsigned digit = DigitValue(c);
    if (value > (std::numeric_limits<uint64_t>::max() - digit) / base) {
      return absl::InvalidArgumentError("integer does not fit 64 bits");
    }
    value = value * base + digit;
  }
  expr->kind = ast::Expr::Kind::kInteger;
  expr->integer = value;
  return absl::OkStatus();
}

// digits [. digits] [e [sign] digits], with a digit before or behind the point.
bool IsDecimalFloat(std::string_view text) {
  size_t at = 0;
  const auto skip_digits = [&] {
    const size_t start = at;
    while (at < text.size() && DigitValue(text[at]) < 10) ++at;
    return at - start;
  };
  size_t mantissa = skip_digits();
  if (at < text.size() && text[at] == '.') {
    ++at;
    mantissa += skip_digits();
  }
  if (mantissa == 0) return false;
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    if (at < text.size() && (text[at] == '+' || text[at] == '-')) ++at;
    if (skip_digits() == 0) return false;
  }
  return at == text.size();
}

absl::Status ParseDecimal(std::string_view text, ast::Expr* expr) {
  if (text.find_first_of(".eE") == std::string_view::npos) {
    const bool octal = text.size() > 1 && text[0] == '0';
    return ParseInteger(text, octal ? 8 : 10, expr);
  }
  if (!IsDecimalFloat(text)) return absl::InvalidArgumentError("malformed number");
  expr->kind = ast::Expr::Kind::kFloat;
  expr->text.assign(text);
  return absl::OkStatus();
}

// Resolves the escape whose backslash is at `at`; moves `at` behind it.
void AppendEscape(std::string_view text, size_t* at, std::string* out) {
  constexpr std::string_view kNames = "abfnrtv\\\"'?";
  constexpr std::string_view kValues = "\a\b\f\n\r\t\v\\\"'?";
  const char name = text[*at + 1];
  if (const size_t index = kNames.find(name); index != std::string_view::npos) {
    *out += kValues[index];
    *at += 2;
    return;
  }
  const unsigned base = name == 'x' ? 16 : 8;
  const size_t most = name == 'x' ? 2 : 3;
  const size_t start = *at + (name == 'x' ? 2 : 1);
  size_t end = start;
  unsigned value = 0;
  while (end < text.size() && end - start < most && DigitValue(text[end]) < base) {
    value = value * base + DigitValue(text[end++]);
  }
  if (end == start) {
    *out += text[(*at)++];
    return;
  }
  *out += static_cast<char>(value & 0xff);
  *at = end;
}

}  // namespace

absl::Status ParseNumber(std::string_view text, ast::Expr* expr) {
  const char radix = text.size() > 1 && text[0] == '0' ? text[1] : '\0';
  switch (radix) {
    case 'x':
    case 'X':
      return ParseInteger(text.substr(2), 16, expr);
    case 'b':
    case 'B':
      return ParseInteger(text.substr(2), 2, expr);
    case 'f':
    case 'F':
      return ParseFloatBits(text, 8, expr);
    case 'd':
    case 'D':
      return ParseFloatBits(text, 16, expr);
    default:
      return ParseDecimal(text, expr);
  }
}

std::optional<int> ParseSmallDecimal(std::string_view text, int limit) {
  if (!AllDigits(text, 10) || text.size() > 9) return std::nullopt;
  int value = 0;
  for (char c : text) value = value * 10 + static_cast<int>(DigitValue(c));
  if (value > limit) return std::nullopt;
  return value;
}

std::string UnescapeString(std::string_view quoted) {
  const std::string_view text = quoted.substr(1, quoted.size() - 2);
  std::string out;
  for (size_t at = 0; at < text.size();) {
    if (text[at] == '\\' && at + 1 < text.size()) {
      AppendEscape(text, &at, &out);
    } else {
      out += text[at++];
    }
  }
  return out;
}

std::string QuoteString(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte >= 0x20 && byte < 0x7f) {
      out += c;
    } else {
      // Three octal digits: unlike hexadecimal ones they cannot run on.
      out += '\\';
      out += static_cast<char>('0' + (byte >> 6));
      out += static_cast<char>('0' + ((byte >> 3) & 7));
      out += static_cast<char>('0' + (byte & 7));
    }
  }
  return out + '"';
}

}  // namespace thunky::ptx
