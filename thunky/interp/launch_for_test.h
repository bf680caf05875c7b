// Runs PTX texts with buffers and scalars as arguments, for tests.
#ifndef THUNKY_INTERP_LAUNCH_FOR_TEST_H_
#define THUNKY_INTERP_LAUNCH_FOR_TEST_H_

#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "thunky/hal/kernel.h"

namespace thunky::interp {

// A module with the entry "k": its parameters (".param .u64 a, .param .u32 n"), its
// body, and what stands before it.
std::string Module(std::string_view parameters, std::string_view body,
                   std::string_view before = "");

// One launch. Buffers are arguments in the order in which they are added.
class TestLaunch {
 public:
  explicit TestLaunch(std::string ptx) : ptx_(std::move(ptx)) {}

  template <typename T>
  TestLaunch& Buffer(std::vector<T>* data, bool writable = true) {
    const uint64_t address = reinterpret_cast<uint64_t>(data->data());
    ranges_.push_back({address, address + data->size() * sizeof(T), writable,
                       "argument " + std::to_string(arguments_.size())});
    return Value(address);
  }
  template <typename T>
  TestLaunch& Value(T value) {
    std::vector<uint8_t> bytes(sizeof(T));
    std::memcpy(bytes.data(), &value, sizeof(T));
    arguments_.push_back(std::move(bytes));
    return *this;
  }
  TestLaunch& Grid(uint64_t x, uint64_t y = 1, uint64_t z = 1) {
    params.grid = {x, y, z};
    return *this;
  }
  TestLaunch& Block(uint64_t x, uint64_t y = 1, uint64_t z = 1) {
    params.block = {x, y, z};
    return *this;
  }
  TestLaunch& Shared(uint64_t bytes) {
    params.dynamic_shared_bytes = bytes;
    return *this;
  }
  TestLaunch& Checked() {
    params.checks = {true, true, true};
    return *this;
  }

  // Loads and launches; a load error is returned as well. Device printf goes to
  // `printed`.
  absl::Status Run();

  hal::LaunchParams params;
  std::string printed;

 private:
  std::string ptx_;
  std::vector<std::vector<uint8_t>> arguments_;
  std::vector<hal::MemoryRange> ranges_;
};

// One operand of Evaluate: its PTX type ("b32", "pred") and a value for each case.
struct Cases {
  std::string type;
  std::vector<uint64_t> values;
};

// Executes an instruction once for each case, all in one block, and returns what it
// leaves in %d. Operands are %a, %b, %c and %e; predicates read as nonzero values and
// are returned as 0 or 1. Several instructions may be given. Fails the test and
// returns zeros when it does not run.
std::vector<uint64_t> Evaluate(std::string_view instruction, std::string_view d_type,
                               std::vector<Cases> operands);

inline uint64_t F32(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}
inline uint64_t F64(double value) {
  uint64_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

}  // namespace thunky::interp

#endif  // THUNKY_INTERP_LAUNCH_FOR_TEST_H_
