// A program that JAX compiled in the middle of a pipeline, for the halves of a batch on
// two streams at the same time.
#include <thunky/thunky.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <vector>

#include "example.h"

using namespace thunky;

namespace {

constexpr int kRows = 64;
constexpr int kColumns = 256;
constexpr int kHalf = kRows * kColumns;

// y = x - softmax(2 x), for each row. x is not changed.
Program pipeline(const KernelCode& code, const Program& softmax) {
  // One half: scale, then JAX's program, then blend.
  const Program half = jit(
      [&](Ref x, Ref y, Ref weights) {
        const Launch launch = {.grid = kHalf / 256, .block = 256};
        ptx_kernel(code, "scale", {read(x), write_all(y), 2.0f, kHalf}, launch);
        call(softmax, {y}, {.outputs = {weights}});
        ptx_kernel(code, "blend", {read_write(y), read(weights), 0.5f, -1.0f, kHalf},
                   launch);
      },
      {{"x", f32(kRows, kColumns)}, {"y", f32(kRows, kColumns)}}, f32(kRows, kColumns),
      {.name = "half"});

  return jit(
      [&](Ref x, Ref y) {
        const Token first = async_start([&] { half({x[0], y[0]}); }, 0);
        const Token second = async_start([&] { half({x[1], y[1]}); }, 1);
        async_done(first);
        async_done(second);
      },
      {{"x", f32(2, kRows, kColumns)}, {"y", f32(2, kRows, kColumns)}},
      {.name = "pipeline"});
}

}  // namespace

int main(int argc, char** argv) {
  return example::run(argc, argv, [](const std::filesystem::path& folder) {
    const std::filesystem::path jax = folder / "../test/fixtures/jax-0.11.2-ptx/softmax";
    const Program softmax =
        Program::load(jax / "executable.bin", {.kernels = {jax / "kernels"}});
    const Program program =
        pipeline(KernelCode::ptx_file(folder / "elementwise.ptx"), softmax);
    std::puts(program.module_text().c_str());

    std::vector<float> x(2 * kHalf);
    for (size_t i = 0; i < x.size(); ++i) x[i] = std::sin(static_cast<float>(i));
    std::vector<float> expected = x;
    for (auto row = expected.begin(); row != expected.end(); row += kColumns) {
      double sum = 0;
      for (auto i = row; i != row + kColumns; ++i) sum += std::exp(2 * *i);
      for (auto i = row; i != row + kColumns; ++i) {
        *i = static_cast<float>(*i - std::exp(2 * *i) / sum);
      }
    }

    const Device device = Device::host();
    const Array y = Array::empty(device, f32(2, kRows, kColumns));
    program.compile(device).run({host(x, {2, kRows, kColumns}), y});
    example::expect_near(y.to_vector<float>(), expected, 1e-6f);
    std::puts("jax_two_streams: right");
  });
}
