// Sizes and launch shapes at and past what is legal.
#include <string>
#include <utility>
#include <vector>

#include "test/programs/program_builder.h"
#include "test/programs/step_kernels.h"
#include "test/programs/test_program.h"

namespace thunky::program_tests {
namespace {

// 0-byte fills and copies between others.
TestProgram ZeroByteFillAndCopy() {
  ProgramBuilder b("zero_byte_fill_and_copy");
  const Ref nothing = b.AddParameter("nothing", wire::F32, {0});
  const Ref x = b.AddParameter("x", wire::S32, {4});
  b.AddAliasedResult(x, 1);
  const Ref temp = b.AddTemp(wire::F32, {0});
  b.Add(Memzero(temp));
  b.Add(Memset32(temp, 7));
  b.Add(Copy(nothing, temp));
  b.Add(Memzero(x.Elements(2, 0)));
  b.Add(Memset32(x.Elements(4, 0), 9));
  b.Add(Copy(x.Elements(0, 0), x.Elements(3, 0)));
  return {.name = "zero_byte_fill_and_copy",
          .proto = b.Build(),
          .arguments = {{}, I32({1, 2, 3, 4})},
          .expected = {{}, I32({1, 2, 3, 4})}};
}

TestProgram FillsAndCopies() {
  ProgramBuilder b("fills_and_copies");
  const Ref x = b.AddParameter("x", wire::S32, {6});
  const Ref bytes = b.AddResult(wire::U8, {7});
  const Ref out = b.AddResult(wire::S32, {6});
  b.Add(Copy(x, out));
  b.Add(Memset32(out.Elements(1, 2), 0x01020304));
  b.Add(Memzero(out.Elements(4, 1)));
  b.Add(Copy(x.Elements(0, 1), out.Elements(5, 1)));
  b.Add(Copy(x, x));
  b.Add(Memzero(bytes));
  const Bytes input = I32({-1, -2, -3, -4, -5, -6});
  return {.name = "fills_and_copies",
          .proto = b.Build(),
          .arguments = {input, Bytes(7, 0xAA), Bytes(24, 0xAA)},
          .expected = {input, Bytes(7), I32({-1, 0x01020304, 0x01020304, -4, 0, -1})}};
}

// One launch of add_to with another shape.
TestProgram Launch(const std::string& name, hal::Dim3 grid, hal::Dim3 block,
                   int64_t shared_bytes) {
  ProgramBuilder b(name);
  const Ref counter = b.AddParameter("counter", wire::S32, {});
  b.AddAliasedResult(counter, 0);
  KernelCall call = AddToCall(counter, 1);
  call.grid = grid;
  call.block = block;
  call.shared_bytes = shared_bytes;
  b.Add(Kernel(call));
  return {.name = name,
          .proto = b.Build(),
          .arguments = {I32({5})},
          .outcome = Outcome::kIsRefused,
          .code = absl::StatusCode::kInvalidArgument,
          .message = {"thunks[0]"}};
}

TestProgram IsRefusedNaming(TestProgram program, const std::string& number) {
  program.message.push_back(number);
  return program;
}

// The most shared memory a block may have: its first and its last word.
TestProgram MostSharedMemory() {
  constexpr int32_t kWords = 227 * 256;
  ProgramBuilder b("most_shared_memory");
  const Ref out = b.AddResult(wire::S32, {1});
  const std::string ptx = *kernel_tests::ReadPtx("steps");
  b.Add(Kernel({.ptx = OneEntry(ptx, "shared_ends"),
                .entry = "shared_ends",
                .shared_bytes = kWords * 4,
                .arguments = {Written(out), ByValue(kWords)}}));
  return {.name = "most_shared_memory",
          .proto = b.Build(),
          .arguments = {Bytes(4, 0xAA)},
          .expected = {I32({18})}};
}

// Three dimensions of blocks: the last block of each row writes.
TestProgram GridOfThreeDimensions() {
  ProgramBuilder b("grid_of_three_dimensions");
  const Ref out = b.AddResult(wire::S32, {6});
  const std::string ptx = *kernel_tests::ReadPtx("steps");
  b.Add(Kernel({.ptx = OneEntry(ptx, "write_block"),
                .entry = "write_block",
                .grid = {3, 2, 2},
                .block = {2, 1, 1},
                .arguments = {Written(out), ByValue<int32_t>(6)}}));
  return {.name = "grid_of_three_dimensions",
          .proto = b.Build(),
          .arguments = {Bytes(24, 0xAA)},
          .expected = {I32({0, 0, 1, 1, 2, 2})}};
}

TestProgram SliceOutsideItsAllocation() {
  ProgramBuilder b("slice_outside_its_allocation");
  const Ref x = b.AddParameter("x", wire::S32, {4});
  b.AddAliasedResult(x, 0);
  b.Add(Memzero(x.Elements(3, 2)));
  return {.name = "slice_outside_its_allocation",
          .proto = b.Build(),
          .arguments = {I32({1, 2, 3, 4})},
          .outcome = Outcome::kIsRefused,
          .code = absl::StatusCode::kInvalidArgument,
          .message = {"thunks[0]", "16"}};
}

TestProgram CopyOfUnequalSizes() {
  ProgramBuilder b("copy_of_unequal_sizes");
  const Ref x = b.AddParameter("x", wire::S32, {8});
  b.AddAliasedResult(x, 0);
  b.Add(Copy(x.Elements(0, 3), x.Elements(4, 4)));
  return {.name = "copy_of_unequal_sizes",
          .proto = b.Build(),
          .arguments = {Bytes(32)},
          .outcome = Outcome::kIsRefused,
          .code = absl::StatusCode::kInvalidArgument,
          .message = {"thunks[0]", "12", "16"}};
}

TestProgram CopyThatOverlapsItself() {
  ProgramBuilder b("copy_that_overlaps_itself");
  const Ref x = b.AddParameter("x", wire::S32, {8});
  b.AddAliasedResult(x, 0);
  b.Add(Copy(x.Elements(0, 4), x.Elements(2, 4)));
  return {.name = "copy_that_overlaps_itself",
          .proto = b.Build(),
          .arguments = {Bytes(32)},
          .outcome = Outcome::kIsRefused,
          .code = absl::StatusCode::kInvalidArgument,
          .message = {"thunks[0]", "overlap"}};
}

}  // namespace

std::vector<TestProgram> LimitPrograms() {
  return {
      ZeroByteFillAndCopy(),
      FillsAndCopies(),
      MostSharedMemory(),
      GridOfThreeDimensions(),
      IsRefusedNaming(Launch("block_of_2048_threads", {1}, {2048}, 0), "2048"),
      IsRefusedNaming(Launch("block_of_2048_threads_in_two_dimensions", {1}, {64, 32}, 0),
                      "2048"),
      IsRefusedNaming(Launch("block_z_65", {1}, {1, 1, 65}, 0), "65"),
      IsRefusedNaming(Launch("block_of_zero_threads", {1}, {0}, 0), "0"),
      IsRefusedNaming(Launch("grid_of_zero_blocks", {0}, {32}, 0), "grid x is 0"),
      IsRefusedNaming(Launch("grid_y_70000", {1, 70000}, {1}, 0), "70000"),
      IsRefusedNaming(Launch("grid_x_past_31_bits", {uint64_t{1} << 31}, {1}, 0),
                      "2147483648"),
      IsRefusedNaming(Launch("huge_shared_memory", {1}, {1}, 1 << 20), "1048576"),
      SliceOutsideItsAllocation(),
      CopyOfUnequalSizes(),
      CopyThatOverlapsItself(),
  };
}

}  // namespace thunky::program_tests
