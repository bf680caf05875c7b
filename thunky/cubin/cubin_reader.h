// What a cubin, machine code for NVIDIA GPUs, says of itself: for which GPUs it is, and
// which kernels it has. Nothing is disassembled.
#ifndef THUNKY_CUBIN_CUBIN_READER_H_
#define THUNKY_CUBIN_CUBIN_READER_H_

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace thunky::cubin {

struct CubinParameter {
  uint32_t offset = 0;  // in the kernel's parameter space
  uint32_t size = 0;    // bytes
};

// A function that can be launched. The name points into the cubin.
struct CubinEntry {
  std::string_view name;
  uint64_t code_bytes = 0;
  // Nothing when the cubin does not describe the entry.
  std::optional<std::vector<CubinParameter>> parameters;
  std::optional<std::array<uint32_t, 3>> required_block;  // .reqntid
};

struct CubinInfo {
  // "sm_90a". The number is in the ELF header. The letter of architecture-specific code
  // was there too until CUDA 12; since CUDA 13 only the note of the compiler's options
  // has it, and without such a note the name has no letter.
  std::string architecture;
  std::vector<CubinEntry> entries;  // sorted by name, no two alike

  // Null when there is no such entry.
  const CubinEntry* Find(std::string_view name) const;
};

// Reads the tables of a cubin in either form, that of CUDA up to 12 (ELF OS ABI 0x33)
// and that since (0x41). The bytes may be anything and must outlive the answer.
// InvalidArgument with where, what was expected and what was found; Unimplemented for
// an ELF file of NVIDIA's in a form that is not known.
absl::StatusOr<CubinInfo> ReadCubin(std::string_view bytes);

}  // namespace thunky::cubin

#endif  // THUNKY_CUBIN_CUBIN_READER_H_
