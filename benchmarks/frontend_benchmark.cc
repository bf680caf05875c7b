// What it costs to write programs in C++: tracing, merging, lowering.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <string>

#include "thunky/thunky.h"

namespace thunky {
namespace {

const std::string kSource = THUNKY_SOURCE;

KernelCode Code() { return KernelCode::ptx_file(kSource + "/examples/saxpy.ptx"); }

// A quarter each of fills, copies and launches of two kernels, on views of 16 rows.
Program Trace(const KernelCode& code, int64_t operations) {
  return jit(
      [&](Ref x, Ref y) {
        for (int64_t i = 0; i < operations / 4; ++i) {
          memset(y[i % 16], 1.0f);
          ptx_kernel(code, "saxpy", {read(x[i % 16]), read_write(y[i % 16]), 2.5f, 64},
                     {.grid = 1, .block = 64});
          copy(y[i % 16], x[(i + 1) % 16]);
          ptx_kernel(code, "fill", {write_all(y[(i + 5) % 16]), 1.5f, 64},
                     {.grid = 1, .block = 64});
        }
      },
      {f32(16, 64), f32(16, 64)});
}

void TraceOperations(benchmark::State& state) {
  const KernelCode code = Code();
  for (auto _ : state) benchmark::DoNotOptimize(Trace(code, state.range(0)));
}
BENCHMARK(TraceOperations)
    ->Arg(100)
    ->Arg(1000)
    ->Arg(10000)
    ->Unit(benchmark::kMillisecond);

// With all checks, and scratch assigned.
void LowerOperations(benchmark::State& state) {
  const Program program = Trace(Code(), state.range(0));
  CompileOptions options;
  options.on_warning = [](const Finding&) {};
  for (auto _ : state) benchmark::DoNotOptimize(program.lower(options));
}
BENCHMARK(LowerOperations)
    ->Arg(100)
    ->Arg(1000)
    ->Arg(10000)
    ->Unit(benchmark::kMillisecond);

// A program nested in another, so many times.
void NestProgram(benchmark::State& state) {
  const Program inner = Trace(Code(), 4);
  for (auto _ : state) {
    benchmark::DoNotOptimize(jit(
        [&](Ref x, Ref y) {
          for (int64_t i = 0; i < state.range(0); ++i) inner({x, y});
        },
        {f32(16, 64), f32(16, 64)}));
  }
}
BENCHMARK(NestProgram)->Arg(10)->Arg(1000)->Unit(benchmark::kMillisecond);

// A transformer of 12 layers that JAX compiled, merged into another program.
void SpliceTransformer(benchmark::State& state) {
  const std::string file =
      kSource + "/test/fixtures/bench/flax_lm12_forward/executable.bin";
  const Program transformer = Program::load(file);
  std::vector<Parameter> parameters;
  for (const ProgramArgument& argument : transformer.arguments()) {
    if (argument.parameter) parameters.emplace_back(argument.type);
  }
  for (auto _ : state) {
    benchmark::DoNotOptimize(jit(
        [&](std::span<const Ref> refs) {
          const std::vector<Operand> operands(refs.begin(), refs.end());
          for (int64_t i = 0; i < state.range(0); ++i) call(transformer, operands);
        },
        std::span<const Parameter>(parameters)));
  }
}
BENCHMARK(SpliceTransformer)->Arg(1)->Arg(10)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace thunky

BENCHMARK_MAIN();
