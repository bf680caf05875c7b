// One program for each kernel of test/kernels, and pipelines.
#include <cstdint>
#include <utility>

#include "absl/strings/str_cat.h"
#include "test/programs/program_builder.h"
#include "test/programs/step_kernels.h"
#include "test/programs/test_program.h"

namespace thunky::program_tests {
namespace {

using kernel_tests::Argument;
using kernel_tests::Buffer;
using kernel_tests::BufferAddress;
using kernel_tests::KernelLaunch;
using kernel_tests::RandomDoubles;
using kernel_tests::RandomFloats;
using kernel_tests::RandomInts;
using kernel_tests::RandomWords;
using kernel_tests::Scenario;
using kernel_tests::Value;

KernelArgument ArgumentOf(const Argument& argument, const std::vector<Ref>& buffers) {
  if (const Bytes* value = std::get_if<Bytes>(&argument)) {
    return {.buffer = std::nullopt,
            .written = false,
            .bytes = std::string(value->begin(), value->end())};
  }
  return Written(buffers[std::get<BufferAddress>(argument).buffer]);
}

// The scenario as a program: every buffer is a parameter that comes back as a
// result.
TestProgram ProgramOf(const std::string& name, const Scenario& scenario) {
  ProgramBuilder builder(name);
  std::vector<Ref> buffers;
  for (size_t i = 0; i < scenario.buffers.size(); ++i) {
    buffers.push_back(
        builder.AddParameter(absl::StrCat("buffer_", i), wire::U8,
                             {static_cast<int64_t>(scenario.buffers[i].size())}));
    builder.AddAliasedResult(buffers.back(), static_cast<int64_t>(i));
  }
  for (const KernelLaunch& launch : scenario.launches) {
    KernelCall call{.ptx = *kernel_tests::ReadPtx(launch.module),
                    .entry = launch.entry,
                    .grid = launch.grid,
                    .block = launch.block,
                    .shared_bytes = static_cast<int64_t>(launch.dynamic_shared_bytes)};
    // Modules of calls and formats need more than their entry.
    if (launch.module != "call" && launch.module != "errors") {
      call.ptx = OneEntry(call.ptx, call.entry);
    }
    for (const Argument& argument : launch.arguments) {
      call.arguments.push_back(ArgumentOf(argument, buffers));
    }
    builder.Add(Kernel(call));
  }
  TestProgram program{
      .name = name, .proto = builder.Build(), .arguments = scenario.buffers};
  program.direct = scenario;
  return program;
}

constexpr int kCount = 100;
constexpr hal::Dim3 kGrid = {4};
constexpr hal::Dim3 kBlock = {32};

Bytes Floats(uint32_t seed, int count = kCount) {
  return ToBytes(RandomFloats(count, seed, -1, 1));
}
Bytes Doubles(uint32_t seed) { return ToBytes(RandomDoubles(kCount, seed, -100, 100)); }
Bytes Words(uint32_t seed, int count = kCount) {
  return ToBytes(RandomWords(count, seed));
}
Bytes Ints(uint32_t seed, int low = 1, int high = 99, int count = kCount) {
  return ToBytes(RandomInts(count, seed, low, high));
}
Bytes Zeros(size_t words) { return Bytes(words * 4); }

// One launch with kGrid blocks of kBlock threads on `buffers` and then `scalars`.
TestProgram OneKernel(const std::string& module, const std::string& entry,
                      std::vector<Bytes> buffers, std::vector<Argument> scalars,
                      uint64_t shared = 0, hal::Dim3 grid = kGrid,
                      hal::Dim3 block = kBlock) {
  std::vector<Argument> arguments;
  arguments.reserve(buffers.size() + scalars.size());
  for (size_t i = 0; i < buffers.size(); ++i) arguments.push_back(Buffer(i));
  arguments.insert(arguments.end(), scalars.begin(), scalars.end());
  return ProgramOf(entry, {std::move(buffers),
                           {{module, entry, grid, block, shared, std::move(arguments)}}});
}

TestProgram Scan() {
  const Argument n = Value(kCount);
  return ProgramOf(
      "scan_in_three_launches",
      {{Ints(1), Zeros(kCount), Zeros(4)},
       {{"scan", "scan_blocks", kGrid, kBlock, 128, {Buffer(0), Buffer(1), Buffer(2), n}},
        {"scan", "scan_sums", {1}, kBlock, 128, {Buffer(2), Value(4)}},
        {"scan", "scan_add", kGrid, kBlock, 0, {Buffer(1), Buffer(2), n}}}});
}

// (in + 5) * -2 by way of a temporary.
TestProgram TwoKernelPipeline() {
  ProgramBuilder b("two_kernel_pipeline");
  const Ref in = b.AddParameter("in", wire::S32, {5});
  const Ref out = b.AddResult(wire::S32, {5});
  const Ref between = b.AddTemp(wire::S32, {5});
  b.Add(AddEach(in, between, 5));
  b.Add(ScaleEach(between, out, -2));
  const Bytes input = I32({1, -2, 3, -4, 2147483647});
  return {.name = "two_kernel_pipeline",
          .proto = b.Build(),
          .arguments = {input, Bytes(20, 0xAA)},
          .expected = {input, I32({-12, -6, -16, -2, -8})}};
}

// Thunks inside sequential thunks run in order.
TestProgram NestedSequences() {
  ProgramBuilder b("nested_sequences");
  const Ref x = b.AddParameter("x", wire::S32, {2});
  b.AddAliasedResult(x, 0);
  b.Add(Sequential(
      {AddEach(x, x, 1), Sequential({ScaleEach(x, x, 10)}), AddEach(x, x, 2)}));
  b.Add(Sequential({}));
  return {.name = "nested_sequences",
          .proto = b.Build(),
          .arguments = {I32({1, 2})},
          .expected = {I32({22, 32})}};
}

}  // namespace

std::vector<TestProgram> KernelPrograms() {
  const Argument n = Value(kCount);
  const Bytes none = Zeros(kCount);
  std::vector<TestProgram> programs;
  auto add = [&](TestProgram program) { programs.push_back(std::move(program)); };
  add(OneKernel("saxpy", "saxpy", {Floats(1), Floats(2)}, {Value(2.5f), n}));
  add(OneKernel("saxpy", "saxpy_strided", {Floats(1), Floats(2)}, {Value(0.1f), n}, 0,
                {1}));
  add(OneKernel("saxpy", "mixed_scalars", {Bytes(kCount * 8)},
                {Value<int8_t>(-100), Value<uint16_t>(60000), Value(-2000000000),
                 Value<int64_t>(9007199254740991), Value(0.5f), Value(-0.25), n}));
  add(OneKernel("reduce", "block_sum_i32", {Ints(3), Zeros(4)}, {n}, 128));
  add(OneKernel("reduce", "block_sum_f32", {Floats(4), Zeros(4)}, {n}, 128));
  add(OneKernel("reduce", "warp_sum_i32", {Ints(5), Zeros(4)}, {n}));
  add(OneKernel("reduce", "warp_sum_f32", {Floats(6), Zeros(4)}, {n}));
  add(OneKernel("reduce", "warp_operations", {Ints(7), Zeros(kCount * 7)}, {n}));
  const std::vector<Argument> extents = {Value(9), Value(11), Value(13)};
  add(OneKernel("matmul", "matmul_8", {Floats(8, 9 * 13), Floats(9, 13 * 11), Zeros(99)},
                extents, 0, {2, 2}, {8, 8}));
  add(OneKernel("matmul", "matmul_16", {Floats(8, 9 * 13), Floats(9, 13 * 11), Zeros(99)},
                extents, 0, {1, 1}, {16, 16}));
  add(OneKernel("transpose", "transpose", {Floats(10, 35 * 3), Zeros(35 * 3)},
                {Value(35), Value(3)}, 0, {1, 2}, {32, 8}));
  add(OneKernel("histogram", "histogram", {Ints(11), Zeros(64)}, {n}));
  add(OneKernel("histogram", "atomic_operations",
                {I32({50, 50, -1, 0, 0, 0, 0, 7, 100}), Bytes(16), Zeros(1)}, {n}));
  add(OneKernel("sort", "bitonic_sort_i32", {Ints(12, -50, 50)}, {n}, 512, {1}, {64}));
  add(OneKernel("sort", "bitonic_sort_f32", {Floats(13)}, {n}, 512, {1}, {64}));
  add(OneKernel("stencil", "stencil_1d", {Floats(14), none}, {n}, 36 * 4));
  add(OneKernel("stencil", "stencil_2d", {Floats(15), none}, {Value(10), Value(10)},
                10 * 6 * 4, {2, 3}, {8, 4}));
  add(OneKernel("call", "call_with_local_array",
                {Ints(16, 0, 1 << 30), I32({9, -4, 100, 3, 77, -50, 0, 12}), none}, {n}));
  add(OneKernel("call", "collatz", {Ints(17), none}, {n}));
  add(OneKernel("barriers", "early_exit", {Ints(18), none}, {n}, 33 * 4, {4}, {33}));
  add(OneKernel("barriers", "branch_barrier", {Ints(19), none}, {n}, 33 * 4, {4}, {33}));
  add(OneKernel("barriers", "nested_loop_barrier", {Ints(20), none}, {n, Value(3)},
                33 * 4, {4}, {33}));
  add(OneKernel("barriers", "counting_barrier", {Ints(21), Zeros(12)}, {n}));
  add(OneKernel("integers", "wide_integers", {Words(22), Words(23), Bytes(kCount * 80)},
                {n}));
  const std::vector<Bytes> wide = {Words(24, 2 * kCount), Words(25, 2 * kCount),
                                   Bytes(kCount * 16)};
  add(OneKernel("integers", "add_128", wide, {n}));
  add(OneKernel("integers", "sub_128", wide, {n}));
  add(OneKernel("integers", "mul_64_by_madc", {Words(26), Words(27), Bytes(kCount * 16)},
                {n}));
  add(OneKernel("doubles", "dot_f64", {Doubles(28), Doubles(29), Bytes(32)}, {n}, 256));
  add(OneKernel("doubles", "polynomial_f64", {Doubles(30), Bytes(kCount * 40)}, {n}));
  add(OneKernel("errors", "trap_at", {none}, {Value(-1), n}));
  add(OneKernel("errors", "predicated_off_load", {Ints(31), none}, {n}));
  add(OneKernel("steps", "write_block", {none}, {n}));
  add(Scan());
  add(TwoKernelPipeline());
  add(NestedSequences());
  return programs;
}

}  // namespace thunky::program_tests
