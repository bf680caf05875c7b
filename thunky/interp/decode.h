// From the typed form of an entry to micro-operations, once per loaded kernel.
#ifndef THUNKY_INTERP_DECODE_H_
#define THUNKY_INTERP_DECODE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "thunky/hal/memory.h"
#include "thunky/interp/micro_op.h"
#include "thunky/ptx/ir.h"

namespace thunky::interp {

// Where the variables of a program and its functions live.
struct SymbolTable {
  std::vector<uint64_t> address;  // by program symbol: host pointer or shared offset
  std::vector<uint64_t> handle;   // by function: the value of its address
};

// A program ready to run. Immutable; shared by all launches.
struct DecodedProgram {
  ptx::ir::Program ir;
  SymbolTable symbols;
  // Module variables that the program may touch; owned by the kernel's module.
  const hal::MemoryMap* variables = nullptr;
  std::vector<std::unique_ptr<DecodedFunction>> functions;
  uint64_t shared_offset = 0;  // of dynamic shared memory
  uint64_t local_window = 0;   // bytes of local memory a thread needs
  bool recursive = false;      // the window is a limit, not a sum

  const DecodedFunction* FunctionOf(uint64_t handle) const;  // null: not a function
  bool IsConstant(uint64_t address) const;                   // in a .const variable
};

// Unimplemented names the instruction and line of a form that cannot be executed;
// ResourceExhausted for functions that want more local memory or registers than
// the limits below.
absl::StatusOr<std::unique_ptr<DecodedProgram>> Decode(ptx::ir::Program program,
                                                       SymbolTable symbols,
                                                       const hal::MemoryMap* variables);

inline constexpr uint64_t kMaxLocalBytes = 512 << 10;    // per thread
inline constexpr uint64_t kRecursiveWindow = 256 << 10;  // per thread
inline constexpr uint32_t kMaxRegisterBytes = 64 << 20;  // per activation

}  // namespace thunky::interp

#endif  // THUNKY_INTERP_DECODE_H_
