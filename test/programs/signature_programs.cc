// Parameters, results, aliases, constants, ids and custom calls.
#include <string>
#include <utility>
#include <vector>

#include "test/programs/program_builder.h"
#include "test/programs/step_kernels.h"
#include "test/programs/test_program.h"

namespace thunky::program_tests {
namespace {

// Of five parameters the compiler kept numbers 1 and 3.
TestProgram PrunedParameters() {
  ProgramBuilder b("pruned_parameters");
  b.SkipParameter("a", wire::F32, {8});
  const Ref second = b.AddParameter("b", wire::S32, {2});
  b.SkipParameter("c", wire::F64, {});
  const Ref fourth = b.AddParameter("d", wire::S32, {2});
  b.SkipParameter("e", wire::S32, {2});
  const Ref first_result = b.AddResult(wire::S32, {2});
  const Ref second_result = b.AddResult(wire::S32, {2});
  b.Add(AddEach(fourth, first_result, 1));
  b.Add(AddEach(second, second_result, 2));
  return {.name = "pruned_parameters",
          .proto = b.Build(),
          .arguments = {I32({1, 2}), I32({30, 40}), Bytes(8, 0xAA), Bytes(8, 0xAA)},
          .expected = {I32({1, 2}), I32({30, 40}), I32({31, 41}), I32({3, 4})}};
}

TestProgram DonatedParameter() {
  ProgramBuilder b("donated_parameter");
  const Ref x = b.AddParameter("x", wire::S32, {3});
  const Ref y = b.AddParameter("y", wire::S32, {3});
  b.AddAliasedResult(x, 0);
  b.Add(AddEach(y, x, 5));
  return {.name = "donated_parameter",
          .proto = b.Build(),
          .arguments = {I32({1, 2, 3}), I32({4, 5, 6})},
          .expected = {I32({9, 10, 11}), I32({4, 5, 6})}};
}

TestProgram TwoResultsInTwoParameters() {
  ProgramBuilder b("two_results_in_two_parameters");
  const Ref x = b.AddParameter("x", wire::S32, {3});
  const Ref y = b.AddParameter("y", wire::S32, {3});
  b.AddAliasedResult(y, 1);
  b.AddAliasedResult(x, 0);
  const Ref temp = b.AddTemp(wire::S32, {3});
  b.Add(Copy(x, temp));
  b.Add(Copy(y, x));
  b.Add(ScaleEach(temp, y, 10));
  return {.name = "two_results_in_two_parameters",
          .proto = b.Build(),
          .arguments = {I32({1, 2, 3}), I32({4, 5, 6})},
          .expected = {I32({4, 5, 6}), I32({10, 20, 30})}};
}

TestProgram TwoResultsInOneParameter() {
  ProgramBuilder b("two_results_in_one_parameter");
  const Ref x = b.AddParameter("x", wire::S32, {3});
  b.AddAliasedResult(x, 0);
  b.AddAliasedResult(x, 0);
  b.Add(AddEach(x, x, 1));
  return {.name = "two_results_in_one_parameter",
          .proto = b.Build(),
          .arguments = {I32({1, 2, 3})},
          .outcome = Outcome::kIsRefused,
          .code = absl::StatusCode::kInvalidArgument,
          .message = {"output {1}", "parameter 0"}};
}

// The alias names a parameter whose memory is elsewhere.
TestProgram AliasOfAnotherAllocation() {
  ProgramBuilder b("alias_of_another_allocation");
  const Ref x = b.AddParameter("x", wire::S32, {3});
  b.AddParameter("y", wire::S32, {3});
  b.AddAliasedResult(x, 1);
  b.Add(AddEach(x, x, 1));
  return {.name = "alias_of_another_allocation",
          .proto = b.Build(),
          .arguments = {I32({1, 2, 3}), I32({4, 5, 6})},
          .outcome = Outcome::kIsRefused,
          .code = absl::StatusCode::kInvalidArgument,
          .message = {"output {}", "parameter 1"}};
}

// A constant is read by a thunk, another one is a result as it is; the third is
// shorter than its allocation.
TestProgram Constants() {
  ProgramBuilder b("constants");
  const Ref out = b.AddResult(wire::S32, {4});
  const Ref padded = b.AddResult(wire::S32, {2});
  const Ref row = b.AddConstant<int32_t>(wire::S32, {5, 6, 7, 8});
  const Ref short_one = b.AddConstant(wire::S32, {2}, std::string("\x01\x02", 2));
  b.Add(AddEach(row, out, 10));
  b.Add(Copy(short_one, padded));
  return {.name = "constants",
          .proto = b.Build(),
          .arguments = {Bytes(16, 0xAA), Bytes(8, 0xAA)},
          .expected = {I32({15, 16, 17, 18}), I32({0x0201, 0})}};
}

TestProgram ConstantLongerThanItsAllocation() {
  ProgramBuilder b("constant_longer_than_its_allocation");
  const Ref out = b.AddResult(wire::S32, {});
  b.Add(Copy(b.AddConstant(wire::S32, {}, "12345"), out));
  return {.name = "constant_longer_than_its_allocation",
          .proto = b.Build(),
          .arguments = {Bytes(4, 0xAA)},
          .outcome = Outcome::kIsRefused,
          .code = absl::StatusCode::kInvalidArgument,
          .message = {"constant 'constant_0'", "5", "4"}};
}

TestProgram Ids() {
  ProgramBuilder b("partition_and_replica_id");
  const Ref partition = b.AddResult(wire::U32, {});
  const Ref replica = b.AddResult(wire::U32, {});
  b.Add(PartitionId(partition));
  b.Add(ReplicaId(replica));
  return {.name = "partition_and_replica_id",
          .proto = b.Build(),
          .arguments = {Bytes(4, 0xAA), Bytes(4, 0xAA)},
          .expected = {I32({6}), I32({3})},
          .replica_id = 3,
          .partition_id = 6};
}

// Both are named, also the one inside a branch.
TestProgram UnknownCustomCalls() {
  ProgramBuilder b("unknown_custom_calls");
  const Ref index = b.AddParameter("index", wire::S32, {});
  const Ref x = b.AddParameter("x", wire::S32, {3});
  b.AddAliasedResult(x, 1);
  b.Add(CustomCall("first_unknown_target", {x}, {x}));
  b.Add(Conditional(index, {{}, {CustomCall("second_unknown_target", {x}, {})}}));
  return {.name = "unknown_custom_calls",
          .proto = b.Build(),
          .arguments = {I32({0}), I32({1, 2, 3})},
          .outcome = Outcome::kIsRefused,
          .code = absl::StatusCode::kUnimplemented,
          .message = {"thunks[0]", "first_unknown_target",
                      "thunks[1].conditional.branches[1][0]", "second_unknown_target"}};
}

TestProgram NoThunks() {
  ProgramBuilder b("no_thunks");
  const Ref x = b.AddParameter("x", wire::S32, {2});
  b.AddAliasedResult(x, 0);
  return {.name = "no_thunks",
          .proto = b.Build(),
          .arguments = {I32({1, 2})},
          .expected = {I32({1, 2})}};
}

}  // namespace

std::vector<TestProgram> SignaturePrograms() {
  return {PrunedParameters(),
          DonatedParameter(),
          TwoResultsInTwoParameters(),
          TwoResultsInOneParameter(),
          AliasOfAnotherAllocation(),
          Constants(),
          ConstantLongerThanItsAllocation(),
          Ids(),
          UnknownCustomCalls(),
          NoThunks()};
}

std::vector<TestProgram> AllPrograms() {
  std::vector<TestProgram> all;
  for (auto* group : {KernelPrograms, ControlFlowPrograms, AsyncPrograms, SlicePrograms,
                      LimitPrograms, CodePrograms, SignaturePrograms}) {
    for (TestProgram& program : group()) all.push_back(std::move(program));
  }
  return all;
}

}  // namespace thunky::program_tests
