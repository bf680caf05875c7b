// A softmax in three kernels, with scratch memory between them, and a program used inside
// another one.
#include <thunky/thunky.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <vector>

#include "example.h"

using namespace thunky;

namespace {

constexpr int kRows = 48;
constexpr int kColumns = 200;

// y = softmax of each row of x. The maxima and sums of the rows are scratch: whoever runs
// the program does not see them.
Program softmax_program(const KernelCode& code) {
  // One block a row.
  const Launch launch = {.grid = kRows, .block = 128};
  return jit(
      [&](Ref x, Ref y, const NamedRefs& scratch) {
        const Ref largest = scratch("largest");
        const Ref sums = scratch("sums");
        // write_all: the kernel writes every element and uses no old one. With write()
        // the old values would count as needed.
        ptx_kernel(code, "row_max", {read(x), write_all(largest), kColumns}, launch);
        ptx_kernel(code, "row_exp",
                   {read(x), read(largest), write_all(y), write_all(sums), kColumns},
                   launch);
        ptx_kernel(code, "row_divide", {read_write(y), read(sums), kColumns}, launch);
      },
      {{"x", f32(kRows, kColumns)}, {"y", f32(kRows, kColumns)}},
      NamedScratch{{"largest", f32(kRows)}, {"sums", f32(kRows)}}, {.name = "softmax"});
}

std::vector<float> softmax(std::vector<float> x) {
  for (auto row = x.begin(); row != x.end(); row += kColumns) {
    const float largest = *std::max_element(row, row + kColumns);
    double sum = 0;
    for (auto i = row; i != row + kColumns; ++i) sum += std::exp(*i - largest);
    for (auto i = row; i != row + kColumns; ++i) {
      *i = static_cast<float>(std::exp(*i - largest) / sum);
    }
  }
  return x;
}

}  // namespace

int main(int argc, char** argv) {
  return example::run(argc, argv, [](const std::filesystem::path& folder) {
    const Program once = softmax_program(KernelCode::ptx_file(folder / "softmax.ptx"));

    // A program is a function on refs: its operations are added to the caller's, each
    // call with scratch of its own, and the kernels' code is there once.
    const Program twice = jit(
        [&](Ref x, Ref y, Ref between) {
          once({x, between});
          once({between, y});
        },
        {{"x", f32(kRows, kColumns)}, {"y", f32(kRows, kColumns)}}, f32(kRows, kColumns),
        {.name = "softmax_twice"});

    // Scratch that is never needed at the same time gets the same memory.
    CompileReport report;
    const Device device = Device::host();
    const LoadedExecutable loaded = twice.compile(device, {.report = &report});
    std::printf("scratch: %lld bytes, of %lld\n",
                static_cast<long long>(report.scratch_bytes_after),
                static_cast<long long>(report.scratch_bytes_before));

    std::vector<float> x(kRows * kColumns);
    for (size_t i = 0; i < x.size(); ++i) x[i] = 5 * std::sin(static_cast<float>(i));
    const Array y = Array::empty(device, f32(kRows, kColumns));
    loaded.run({host(x, {kRows, kColumns}), y});
    example::expect_near(y.to_vector<float>(), softmax(softmax(x)), 1e-7f);
    example::expect(report.scratch_bytes_after < report.scratch_bytes_before,
                    "scratch that shares memory");
    std::puts("softmax_pipeline: right");
  });
}
