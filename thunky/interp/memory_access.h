// From the address operand of a memory instruction to host pointers, with every
// access checked first: that it is aligned, and lies in memory that the kernel may
// touch.
#ifndef THUNKY_INTERP_MEMORY_ACCESS_H_
#define THUNKY_INTERP_MEMORY_ACCESS_H_

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "thunky/interp/launch_state.h"
#include "thunky/interp/micro_op.h"
#include "thunky/interp/warp.h"
#include "thunky/ptx/ir.h"

namespace thunky::interp {

// How MicroOp::a and MicroOp::imm make an address.
enum class AddressMode : uint32_t {
  kRegister64,  // a + imm
  kRegister32,  // a, zero-extended, + imm
  kAbsolute,    // imm
  kFrame,       // imm, from the start of the activation's part of the local window
};

enum class AccessKind : uint8_t { kRead, kWrite, kAtomic };

// What a store is about to write: element k of lane i is at cells[k] + i * cell_bytes.
struct StoredData {
  std::array<const char*, 8> cells = {};
  uint32_t cell_bytes = 0;
  uint32_t element_bytes = 0;
};

struct Access {
  ptx::ir::Space space = ptx::ir::Space::kGeneric;
  uint32_t bytes = 0;  // a power of two; what the address must be a multiple of
  AccessKind kind = AccessKind::kRead;
  bool synchronising = false;  // volatile, relaxed and stronger: races with none like it
  const StoredData* data = nullptr;  // for the checked mode; null: not known
};

// Fills warp.address with host pointers for the active lanes, and warp.pattern. False
// after a failure.
bool Translate(Warp& warp, const MicroOp* op, AddressMode mode, const Access& access);

// The same for one lane and an address in the access's space; null after a failure.
char* TranslateOne(Warp& warp, const MicroOp* op, int lane, uint64_t address,
                   const Access& access);

// Reads a string at a generic address, at most `limit` bytes. False after a failure,
// also when it does not end in time.
bool ReadString(Warp& warp, const MicroOp* op, int lane, uint64_t address, uint64_t limit,
                std::string* out);

// Conversions between an address space and generic addresses (host pointers).
uint64_t ToGeneric(const Warp& warp, int lane, ptx::ir::Space space, uint64_t address);
uint64_t FromGeneric(const Warp& warp, int lane, ptx::ir::Space space, uint64_t address);
bool IsInSpace(const Warp& warp, int lane, ptx::ir::Space space, uint64_t address);

}  // namespace thunky::interp

#endif  // THUNKY_INTERP_MEMORY_ACCESS_H_
