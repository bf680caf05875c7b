// The test programs: what they are, what they are given and what they must give.
#ifndef THUNKY_TEST_PROGRAMS_TEST_PROGRAM_H_
#define THUNKY_TEST_PROGRAMS_TEST_PROGRAM_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "proto/executable.pb.h"
#include "test/kernels/kernel_scenario.h"

namespace thunky::program_tests {

using kernel_tests::Bytes;
using kernel_tests::ToBytes;

inline Bytes I32(const std::vector<int32_t>& values) { return ToBytes(values); }

enum class Outcome {
  kRuns,
  kIsRefused,  // before anything runs
  kFails,      // while it runs
  kNeverEnds,  // until its deadline
};

struct TestProgram {
  std::string name;  // words with underscores: the name of its file
  wire::GpuExecutableProto proto;
  // First contents: the parameters by number, then the results that alias none.
  std::vector<Bytes> arguments;
  Outcome outcome = Outcome::kRuns;
  // kRuns: the contents afterwards, as many as arguments.
  std::vector<Bytes> expected;
  // kRuns without `expected`: what these launches, made directly, leave in the
  // buffers.
  std::optional<kernel_tests::Scenario> direct;
  // Otherwise: the code of the error and parts of its message.
  absl::StatusCode code = absl::StatusCode::kOk;
  std::vector<std::string> message;

  uint32_t replica_id = 0;
  uint32_t partition_id = 0;
};

// Each own kernel alone, and pipelines of them.
std::vector<TestProgram> KernelPrograms();
// While and conditional.
std::vector<TestProgram> ControlFlowPrograms();
// Streams.
std::vector<TestProgram> AsyncPrograms();
// Dynamic slice fusions.
std::vector<TestProgram> SlicePrograms();
// Sizes and launch shapes at and past the limits.
std::vector<TestProgram> LimitPrograms();
// Kernel code that cannot be used.
std::vector<TestProgram> CodePrograms();
// Parameters, results, aliases, constants, ids, custom calls.
std::vector<TestProgram> SignaturePrograms();

// All of the above.
std::vector<TestProgram> AllPrograms();

}  // namespace thunky::program_tests

#endif  // THUNKY_TEST_PROGRAMS_TEST_PROGRAM_H_
