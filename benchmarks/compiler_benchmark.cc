// What import, verification and export of modules cost, and how much space kernel code
// takes that many kernels share.
#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"
#include "thunky/compiler/library/module_text.h"
#include "thunky/compiler/translate/export.h"
#include "thunky/compiler/translate/import.h"
#include "thunky/container/executable_file.h"
#include "thunky/container/executable_writer.h"

namespace thunky::compiler {
namespace {

constexpr int64_t kBufferBytes = 4096;
constexpr int kBuffers = 16;

// Programs are made here and files are part of the source: without them there is
// nothing to measure.
[[noreturn]] void giveUp(const std::string& why) {
  std::fprintf(stderr, "%s\n", why.c_str());
  std::exit(1);
}

struct Compiler {
  Compiler() : context(registry(), mlir::MLIRContext::Threading::DISABLED) {
    context.loadAllAvailableDialects();
  }
  static mlir::DialectRegistry registry() {
    mlir::DialectRegistry registry;
    registerDialects(registry);
    return registry;
  }
  mlir::OwningOpRef<mlir::ModuleOp> import(ExecutableFile file) {
    auto module = importExecutable(&context, "benchmark", std::move(file));
    if (!module) giveUp("the executable is not imported");
    return module;
  }
  mlir::MLIRContext context;
};

void setSlice(int64_t allocation, wire::ShapedSliceProto& shaped) {
  shaped.mutable_slice()->set_buffer_allocation_index(allocation % kBuffers);
  shaped.mutable_slice()->set_offset(1024);
  shaped.mutable_slice()->set_size(2048);
  shaped.mutable_slice()->set_element_type(wire::F32);
  shaped.mutable_shape()->set_element_type(wire::F32);
  shaped.mutable_shape()->add_dimensions(512);
  shaped.mutable_shape()->add_is_dynamic_dimension(false);
  shaped.mutable_shape()->mutable_layout()->add_minor_to_major(0);
  shaped.mutable_shape()->mutable_layout()->set_tail_padding_alignment_in_elements(1);
}

void setKernel(int64_t i, const std::string& ptx, wire::CustomKernelThunkProto& launch) {
  setSlice(i, *launch.add_args());
  setSlice(i + 1, *launch.add_args());
  launch.mutable_tma_metadata();
  launch.add_written(false);
  launch.add_written(true);
  wire::CustomKernelProto& kernel = *launch.mutable_custom_kernel();
  kernel.set_name("scale");
  kernel.mutable_kernel_spec()->mutable_ptx()->set_data(ptx);
  kernel.mutable_kernel_spec()->set_arity(2);
  kernel.mutable_kernel_spec()->set_kernel_name("scale");
  for (int argument = 0; argument < 2; ++argument) {
    auto& address = *kernel.mutable_kernel_spec()
                         ->mutable_kernel_args_packing_spec()
                         ->add_kernel_arguments()
                         ->add_relocations();
    address.set_kind(wire::KernelArgPackingRelocationProto::KIND_BITS64_ABSOLUTE);
    address.set_argument_index(argument);
  }
  for (auto* dimensions : {kernel.mutable_block_dims()->mutable_coordinates(),
                           kernel.mutable_thread_dims()->mutable_coordinates()}) {
    dimensions->set_x(16);
    dimensions->set_y(1);
    dimensions->set_z(1);
  }
}

constexpr char kPtx[] =
    ".version 8.0\n.target sm_90\n.address_size 64\n"
    ".visible .entry scale(.param .u64 a, .param .u64 b)\n{\nret;\n}\n";

// The program around some thunks: one parameter, one result, the rest temporaries.
ExecutableFile programOf(wire::GpuExecutableProto executable) {
  executable.set_module_name("benchmark");
  for (int i = 0; i < kBuffers; ++i) {
    auto& allocation = *executable.mutable_buffer_allocations()->add_values();
    allocation.set_index(i);
    allocation.set_size(kBufferBytes);
    allocation.set_maybe_live_out(i == 0);
  }
  wire::ShapeProto& result = *executable.mutable_program_shape()->mutable_result();
  result.set_element_type(wire::F32);
  result.add_dimensions(1024);
  result.mutable_layout()->add_minor_to_major(0);
  auto& entry = *executable.add_output_info_map();
  entry.mutable_shape_index();
  entry.mutable_output_info()->set_allocation_index(0);
  ExecutableFile file;
  file.kind = ExecutableKind::kBinaryProto;
  file.executable = std::move(executable);
  return file;
}

// A kernel, a copy, a fill and a fill with zeros in turn.
ExecutableFile mixedProgram(int64_t thunks) {
  wire::GpuExecutableProto executable;
  for (int64_t i = 0; i < thunks; ++i) {
    wire::ThunkProto& thunk = *executable.add_thunks();
    thunk.mutable_thunk_info()->set_thunk_id(i + 1);
    thunk.mutable_thunk_info()->set_profile_annotation("fusion." + std::to_string(i));
    switch (i % 4) {
      case 0:
        setKernel(i, kPtx, *thunk.mutable_custom_kernel_thunk());
        break;
      case 1: {
        auto& copy = *thunk.mutable_device_to_device_copy_thunk()->mutable_copy_thunk();
        setSlice(i, *copy.mutable_source_buffer());
        setSlice(i + 1, *copy.mutable_destination_buffer());
        copy.set_mem_size(2048);
        break;
      }
      case 2: {
        wire::ShapedSliceProto shaped;
        setSlice(i, shaped);
        *thunk.mutable_memset32bit_value_thunk()->mutable_dest_buffer() = shaped.slice();
        break;
      }
      default:
        setSlice(i, *thunk.mutable_memzero_thunk()->mutable_dest_buffer());
    }
  }
  return programOf(std::move(executable));
}

void setRate(benchmark::State& state) {
  state.SetComplexityN(state.range(0));
  state.counters["thunks/s"] = benchmark::Counter(
      static_cast<double>(state.range(0)), benchmark::Counter::kIsIterationInvariantRate);
}

// Import verifies: the thunks first, the operations at the end.
void importThunks(benchmark::State& state) {
  const ExecutableFile file = mixedProgram(state.range(0));
  for (auto _ : state) {
    state.PauseTiming();
    Compiler compiler;
    ExecutableFile copy = file;
    state.ResumeTiming();
    auto module = compiler.import(std::move(copy));
    benchmark::DoNotOptimize(module);
    state.PauseTiming();
    module = nullptr;
    state.ResumeTiming();
  }
  setRate(state);
}

void verifyThunks(benchmark::State& state) {
  Compiler compiler;
  const auto module = compiler.import(mixedProgram(state.range(0)));
  for (auto _ : state) {
    if (mlir::failed(mlir::verify(*module))) giveUp("the module is not valid");
  }
  setRate(state);
}

void exportThunks(benchmark::State& state) {
  Compiler compiler;
  const auto module = compiler.import(mixedProgram(state.range(0)));
  ExportOptions options;
  options.code = CodePlacement::kTable;
  for (auto _ : state) {
    auto file = exportModule(*module, options, /*complete=*/false);
    if (mlir::failed(file)) giveUp("the module is not exported");
    benchmark::DoNotOptimize(file);
  }
  setRate(state);
}

void writeThunksAsText(benchmark::State& state) {
  Compiler compiler;
  const auto module = compiler.import(mixedProgram(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(writeText(*module, false));
  setRate(state);
}

void readThunksFromText(benchmark::State& state) {
  Compiler first;
  const std::string text = writeText(*first.import(mixedProgram(state.range(0))), false);
  for (auto _ : state) {
    Compiler compiler;
    auto module = readModule(&compiler.context, "benchmark", text);
    if (!module) giveUp("the text is not read");
    benchmark::DoNotOptimize(module);
  }
  setRate(state);
}

void sizes(benchmark::internal::Benchmark* benchmark) {
  benchmark->Arg(1000)->Arg(10000)->Arg(100000)->Complexity(benchmark::oN);
  benchmark->Unit(benchmark::kMillisecond);
}
BENCHMARK(importThunks)->Apply(sizes);
BENCHMARK(verifyThunks)->Apply(sizes);
BENCHMARK(exportThunks)->Apply(sizes);
BENCHMARK(writeThunksAsText)->Apply(sizes);
BENCHMARK(readThunksFromText)->Apply(sizes);

std::string readFile(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream.good()) giveUp("no file " + path);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

// A transformer of 12 layers, with reading the file.
void importTransformer(benchmark::State& state) {
  const std::string bytes =
      readFile(THUNKY_SOURCE "/test/fixtures/bench/flax_lm12_forward/executable.bin");
  for (auto _ : state) {
    Compiler compiler;
    absl::StatusOr<ExecutableFile> file = ReadExecutableFile(bytes);
    if (!file.ok()) giveUp(std::string(file.status().message()));
    benchmark::DoNotOptimize(compiler.import(*std::move(file)));
  }
}
BENCHMARK(importTransformer)->Unit(benchmark::kMillisecond);

// A hundred kernels with one piece of code of ten megabytes, which their executable
// repeats in each.
void shareCode(benchmark::State& state) {
  std::string ptx = kPtx;
  while (ptx.size() < 10000000) ptx += "// " + std::string(997, 'x') + "\n";
  wire::GpuExecutableProto executable;
  for (int i = 0; i < 100; ++i) {
    setKernel(i, ptx, *executable.add_thunks()->mutable_custom_kernel_thunk());
  }
  const ExecutableFile file = programOf(std::move(executable));
  for (auto _ : state) {
    Compiler compiler;
    ExecutableFile copy = file;
    const auto module = compiler.import(std::move(copy));
    state.counters["bytecode_bytes"] = static_cast<double>(writeBytecode(*module).size());
    ExportOptions options;
    options.code = CodePlacement::kTable;
    auto exported = exportModule(*module, options, false);
    if (mlir::failed(exported)) giveUp("the module is not exported");
    const auto bytes = WriteExecutableFile(*exported);
    if (!bytes.ok()) giveUp(std::string(bytes.status().message()));
    state.counters["proto_bytes"] = static_cast<double>(bytes->size());
  }
}
BENCHMARK(shareCode)->Unit(benchmark::kMillisecond)->Iterations(1);

}  // namespace
}  // namespace thunky::compiler

BENCHMARK_MAIN();
