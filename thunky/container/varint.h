// Variable-length integers: seven bits a byte, low bits first, the top bit set on
// every byte but the last.
#ifndef THUNKY_CONTAINER_VARINT_H_
#define THUNKY_CONTAINER_VARINT_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace thunky {

// The integer at `position`, which then points past it. Nothing, with `position` as
// it was, when the bytes end too early or the integer does not fit 64 bits.
inline std::optional<uint64_t> ReadVarint(std::string_view bytes, size_t& position) {
  uint64_t value = 0;
  size_t at = position;
  for (int shift = 0; shift < 70 && at < bytes.size(); shift += 7) {
    const auto byte = static_cast<uint8_t>(bytes[at++]);
    if (shift == 63 && byte > 1) return std::nullopt;
    value |= uint64_t{byte & 0x7fu} << shift;
    if (byte < 0x80) {
      position = at;
      return value;
    }
  }
  return std::nullopt;
}

inline void AppendVarint(uint64_t value, std::string& out) {
  for (; value >= 0x80; value >>= 7) out.push_back(static_cast<char>(value | 0x80));
  out.push_back(static_cast<char>(value));
}

}  // namespace thunky

#endif  // THUNKY_CONTAINER_VARINT_H_
