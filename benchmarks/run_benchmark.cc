// What a run costs beside the work of its program: programs that fill a few bytes.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "thunky/run.h"

namespace thunky {
namespace {

constexpr int kArguments = 10;

// `fills` fills of 64 bytes, over ten results.
LoadedExecutable FillProgram(int64_t fills) {
  std::string shapes;
  std::string allocations;
  std::string outputs;
  for (int i = 0; i < kArguments; ++i) {
    const std::string number = std::to_string(i);
    shapes += "tuple_shapes { element_type: S32 dimensions: 16 } ";
    allocations += "values { index: " + number + " size: 64 maybe_live_out: true } ";
    outputs += "output_info_map { shape_index { indexes: " + number +
               " } output_info { allocation_index: " + number + " } } ";
  }
  std::string thunks;
  for (int64_t i = 0; i < fills; ++i) {
    thunks +=
        "thunks { memset32bit_value_thunk { value: 7 dest_buffer { "
        "buffer_allocation_index: " +
        std::to_string(i % kArguments) + " size: 64 } } } ";
  }
  const std::string text =
      "module_name: 'fills' program_shape { result { element_type: "
      "TUPLE " +
      shapes + "} } buffer_allocations { " + allocations + "} " + outputs + thunks;
  return Executable::from_bytes(std::as_bytes(std::span(text)), "fills")
      .compile(Device::host());
}

std::vector<Argument> Arguments() {
  std::vector<Argument> arguments;
  arguments.reserve(kArguments);
  for (int i = 0; i < kArguments; ++i) {
    arguments.emplace_back(Array::zeros(Device::host(), i32(16)));
  }
  return arguments;
}

void BM_Run(benchmark::State& state) {
  const LoadedExecutable program = FillProgram(state.range(0));
  const std::vector<Argument> arguments = Arguments();
  for (auto _ : state) program.run(arguments);
}
BENCHMARK(BM_Run)->Arg(0)->Arg(10)->Arg(1000)->ThreadRange(1, 2)->UseRealTime();

// One run at a time: to another thread and back.
void BM_EnqueueAndWait(benchmark::State& state) {
  const LoadedExecutable program = FillProgram(state.range(0));
  const std::vector<Argument> arguments = Arguments();
  for (auto _ : state) program.enqueue(arguments).get();
}
BENCHMARK(BM_EnqueueAndWait)->Arg(10)->UseRealTime();

// A hundred at a time.
void BM_EnqueueMany(benchmark::State& state) {
  constexpr int kRuns = 100;
  const LoadedExecutable program = FillProgram(state.range(0));
  const std::vector<Argument> arguments = Arguments();
  for (auto _ : state) {
    for (int i = 1; i < kRuns; ++i) program.enqueue(arguments);
    program.enqueue(arguments).get();
  }
  state.SetItemsProcessed(state.iterations() * kRuns);
}
BENCHMARK(BM_EnqueueMany)->Arg(10)->UseRealTime();

// Results that are new each time.
void BM_Call(benchmark::State& state) {
  const LoadedExecutable program = FillProgram(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(program.call({}));
}
BENCHMARK(BM_Call)->Arg(10)->UseRealTime();

}  // namespace
}  // namespace thunky

BENCHMARK_MAIN();
