#include "thunky/container/utf8.h"

#include <cstddef>
#include <cstdint>

namespace thunky {
namespace {

// The length of the character that begins with `lead`, and what its second byte may
// be: the range leaves out long forms, surrogates and what lies beyond Unicode.
struct Lead {
  size_t length;
  uint8_t second_low;
  uint8_t second_high;
};

Lead ClassifyLead(uint8_t lead) {
  if (lead < 0x80) return {1, 0, 0};
  if (lead < 0xc2) return {0, 0, 0};
  if (lead < 0xe0) return {2, 0x80, 0xbf};
  if (lead == 0xe0) return {3, 0xa0, 0xbf};
  if (lead == 0xed) return {3, 0x80, 0x9f};
  if (lead < 0xf0) return {3, 0x80, 0xbf};
  if (lead == 0xf0) return {4, 0x90, 0xbf};
  if (lead < 0xf4) return {4, 0x80, 0xbf};
  if (lead == 0xf4) return {4, 0x80, 0x8f};
  return {0, 0, 0};
}

}  // namespace

bool IsUtf8(std::string_view bytes) {
  const auto at = [&](size_t i) { return static_cast<uint8_t>(bytes[i]); };
  for (size_t i = 0; i < bytes.size();) {
    const Lead lead = ClassifyLead(at(i));
    if (lead.length == 0 || lead.length > bytes.size() - i) return false;
    if (lead.length > 1 &&
        (at(i + 1) < lead.second_low || at(i + 1) > lead.second_high)) {
      return false;
    }
    for (size_t k = 2; k < lead.length; ++k) {
      if ((at(i + k) & 0xc0) != 0x80) return false;
    }
    i += lead.length;
  }
  return true;
}

}  // namespace thunky
