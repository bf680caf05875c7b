// ELF files of 64 bits, little endian: sections, strings, symbols. The bytes may be
// anything; every offset and size is checked before it is used.
#ifndef THUNKY_CUBIN_ELF_FILE_H_
#define THUNKY_CUBIN_ELF_FILE_H_

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace thunky::cubin {

// Names of sections and symbols are at most this long, so that reading them costs no
// more than a file of its size may.
inline constexpr size_t kMaxNameBytes = 4096;

// The number of `size` bytes at `at`, little endian. They must be there.
uint64_t LoadNumber(std::string_view bytes, size_t at, size_t size);

struct ElfSection {
  std::string_view name;
  uint32_t type = 0;
  uint64_t flags = 0;
  uint64_t size = 0;         // in memory
  std::string_view content;  // in the file; empty for sections that have none there
  uint32_t link = 0;
  uint32_t info = 0;
};

struct ElfSymbol {
  std::string_view name;
  uint8_t type = 0;
  uint8_t other = 0;
  uint16_t section = 0;
  uint64_t size = 0;
};

// Points into the bytes.
class ElfFile {
 public:
  // InvalidArgument saying what was expected and what was found.
  static absl::StatusOr<ElfFile> Read(std::string_view bytes);

  uint16_t machine() const { return machine_; }
  uint8_t os_abi() const { return os_abi_; }
  uint32_t flags() const { return flags_; }
  const std::vector<ElfSection>& sections() const { return sections_; }

  // The symbols of the file's one symbol table; none when it has no table.
  absl::StatusOr<std::vector<ElfSymbol>> Symbols() const;

 private:
  uint16_t machine_ = 0;
  uint8_t os_abi_ = 0;
  uint32_t flags_ = 0;
  std::vector<ElfSection> sections_;
};

}  // namespace thunky::cubin

#endif  // THUNKY_CUBIN_ELF_FILE_H_
