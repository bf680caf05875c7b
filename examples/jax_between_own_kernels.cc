// Two programs that JAX compiled, a layer norm and a softmax, between kernels of one's
// own, ten times in a loop that feeds the result back. One program: nothing returns to
// the host in between, and neither Python nor JAX is there.
#include <thunky/thunky.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "example.h"

using namespace thunky;

namespace {

constexpr int kRows = 64;
constexpr int kColumns = 256;
constexpr int kCount = kRows * kColumns;
constexpr int kIterations = 10;
// Each iteration: x = kKept x + kAdded softmax(layernorm(kFactor x)).
constexpr float kFactor = 3.0f;
constexpr float kKept = 0.9f;
constexpr float kAdded = 1.0f;

// executable.bin is what JAX's serialize() wrote. Its kernels are machine code for a GPU;
// for other devices their PTX lies beside it.
Program load_jax(const std::filesystem::path& folder) {
  return Program::load(folder / "executable.bin", {.kernels = {folder / "kernels"}});
}

Program step_program(const KernelCode& code, const Program& layernorm,
                     const Program& softmax) {
  const Launch launch = {.grid = kCount / 256, .block = 256};
  return jit(
      [&](Ref x, Ref gamma, Ref beta) {
        const Ref scaled = empty_ref(x.type(), "scaled");
        const Ref unused = empty_ref(boolean, "unused");
        const auto body = [&] {
          ptx_kernel(code, "scale", {read(x), write_all(scaled), kFactor, kCount},
                     launch);
          // Results come back as refs, here of scratch that call() made.
          const Ref normal = call(layernorm, {scaled, gamma, beta})[0];
          const Ref weights = call(softmax, {normal})[0];
          ptx_kernel(code, "blend", {read_write(x), read(weights), kKept, kAdded, kCount},
                     launch);
        };
        // With a trip count nothing is asked before an iteration.
        while_loop(unused, [] {}, body, {.trip_count = kIterations});
      },
      {{"x", f32(kRows, kColumns)}, {"gamma", f32(kColumns)}, {"beta", f32(kColumns)}},
      {.name = "step"});
}

// --- The same on the host

void layernorm_row(double* row, const std::vector<float>& gamma,
                   const std::vector<float>& beta) {
  double mean = 0;
  for (int i = 0; i < kColumns; ++i) mean += row[i] / kColumns;
  double variance = 0;
  for (int i = 0; i < kColumns; ++i) {
    variance += (row[i] - mean) * (row[i] - mean) / kColumns;
  }
  for (int i = 0; i < kColumns; ++i) {
    row[i] = (row[i] - mean) / std::sqrt(variance + 1e-5) * gamma[i] + beta[i];
  }
}

void softmax_row(double* row) {
  const double largest = *std::max_element(row, row + kColumns);
  double sum = 0;
  for (int i = 0; i < kColumns; ++i) sum += row[i] = std::exp(row[i] - largest);
  for (int i = 0; i < kColumns; ++i) row[i] /= sum;
}

std::vector<float> reference(const std::vector<float>& start,
                             const std::vector<float>& gamma,
                             const std::vector<float>& beta) {
  std::vector<float> result;
  for (int r = 0; r < kRows; ++r) {
    std::vector<double> x(start.begin() + r * kColumns,
                          start.begin() + (r + 1) * kColumns);
    for (int k = 0; k < kIterations; ++k) {
      std::vector<double> row = x;
      for (double& value : row) value *= kFactor;
      layernorm_row(row.data(), gamma, beta);
      softmax_row(row.data());
      for (int i = 0; i < kColumns; ++i) x[i] = kKept * x[i] + kAdded * row[i];
    }
    result.insert(result.end(), x.begin(), x.end());
  }
  return result;
}

}  // namespace

int main(int argc, char** argv) {
  return example::run(argc, argv, [](const std::filesystem::path& folder) {
    const std::filesystem::path jax = folder / ".." / "test/fixtures/jax-0.11.2-ptx";
    const Program layernorm = load_jax(jax / "layernorm");
    const Program softmax = load_jax(jax / "softmax");
    // What such a program takes and gives; JAX's arrays have types, so have these.
    for (const ProgramArgument& argument : layernorm.arguments()) {
      std::printf("layernorm: %s %s%s\n", argument.name.c_str(),
                  argument.type.to_string().c_str(),
                  argument.parameter ? "" : " (result)");
    }

    const Program program = step_program(KernelCode::ptx_file(folder / "elementwise.ptx"),
                                         layernorm, softmax);
    const Device device = Device::host();
    const LoadedExecutable loaded = program.compile(device);

    std::vector<float> start(kCount);
    std::vector<float> gamma(kColumns);
    std::vector<float> beta(kColumns);
    for (int i = 0; i < kCount; ++i) start[i] = std::sin(0.37f * static_cast<float>(i));
    for (int i = 0; i < kColumns; ++i) {
      gamma[i] = 1 + 0.01f * static_cast<float>(i % 7);
      beta[i] = 0.1f * static_cast<float>(i % 3);
    }
    const Array x = Array::from(device, start, {kRows, kColumns});
    loaded.run({x, host(gamma), host(beta)});

    const std::vector<float> expected = reference(start, gamma, beta);
    example::expect_near(x.to_vector<float>(), expected, 1e-5f);
    std::printf("jax_between_own_kernels: right, %g became %g\n", start[1], expected[1]);
  });
}
