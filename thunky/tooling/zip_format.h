// Numbers of the zip format (PKWARE's application note) that reader and writer
// share. All fields are little endian.
#ifndef THUNKY_TOOLING_ZIP_FORMAT_H_
#define THUNKY_TOOLING_ZIP_FORMAT_H_

#include <cstdint>

namespace thunky::tooling::zip {

inline constexpr uint32_t kLocalHeader = 0x04034b50;
inline constexpr uint32_t kDataDescriptor = 0x08074b50;
inline constexpr uint32_t kDirectoryHeader = 0x02014b50;
inline constexpr uint32_t kZip64End = 0x06064b50;
inline constexpr uint32_t kZip64Locator = 0x07064b50;
inline constexpr uint32_t kEnd = 0x06054b50;

// Sizes of the fixed parts, signatures included.
inline constexpr uint64_t kLocalHeaderSize = 30;
inline constexpr uint64_t kDirectoryHeaderSize = 46;
inline constexpr uint64_t kZip64EndSize = 56;
inline constexpr uint64_t kZip64LocatorSize = 20;
inline constexpr uint64_t kEndSize = 22;

// Header id of the extra field with 64-bit sizes; a 32-bit field of all ones
// says that the value is there.
inline constexpr uint16_t kZip64Extra = 0x0001;
inline constexpr uint32_t kIn64 = 0xffffffff;
inline constexpr uint16_t kIn64Short = 0xffff;

inline constexpr uint16_t kStored = 0;
inline constexpr uint16_t kDeflated = 8;

inline constexpr uint16_t kFlagEncrypted = 1 << 0;
inline constexpr uint16_t kFlagDescriptor = 1 << 3;
inline constexpr uint16_t kFlagPatch = 1 << 5;
inline constexpr uint16_t kFlagStrongEncryption = 1 << 6;
inline constexpr uint16_t kFlagMasked = 1 << 13;

}  // namespace thunky::tooling::zip

#endif  // THUNKY_TOOLING_ZIP_FORMAT_H_
