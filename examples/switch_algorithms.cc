// One of several algorithms, chosen where the data is: by a number that a kernel wrote,
// or that the caller passes.
#include <thunky/thunky.h>

#include <cstdio>
#include <filesystem>
#include <numeric>
#include <string>
#include <vector>

#include "example.h"

using namespace thunky;

namespace {

// sum = the elements of x, added up by algorithm number `algorithm`.
Program sum_program(const KernelCode& code, int count) {
  return jit(
      [&](Ref algorithm, Ref x, Ref sum) {
        const std::vector<KernelParameter> parameters = {read(x), write_all(sum), count};
        // The index is a scalar of type i32, read when the program gets here. Out of
        // range, also below, is the last branch.
        switch_(algorithm,
                {
                    [&] { ptx_kernel(code, "sum_serial", parameters); },
                    [&] { ptx_kernel(code, "sum_tree", parameters, {.block = 256}); },
                    [&] {
                      memzero(sum);
                      ptx_kernel(code, "sum_atomic", {read(x), read_write(sum), count},
                                 {.grid = (count + 255) / 256, .block = 256});
                    },
                });
      },
      {{"algorithm", i32}, {"x", i32(count)}, {"sum", i32}}, {.name = "sum"});
}

// The same, with the number from a kernel; it is also handed out.
Program choosing_program(const KernelCode& code, int count) {
  const Program sum = sum_program(code, count);
  return jit(
      [&](Ref x, Ref result, Ref algorithm) {
        ptx_kernel(code, "choose", {write_all(algorithm), count});
        sum({algorithm, x, result});
      },
      {{"x", i32(count)}, {"sum", i32}, {"algorithm", i32}}, {.name = "choosing_sum"});
}

}  // namespace

int main(int argc, char** argv) {
  return example::run(argc, argv, [](const std::filesystem::path& folder) {
    const KernelCode code = KernelCode::ptx_file(folder / "sums.ptx");
    const Device device = Device::host();
    int chosen = 0;
    for (const int count : {10, 1000, 5000}) {
      std::vector<int> x(count);
      std::iota(x.begin(), x.end(), -3);
      const int expected = std::accumulate(x.begin(), x.end(), 0);
      Array result = Array::scalar(device, 0);

      const LoadedExecutable sum = sum_program(code, count).compile(device);
      for (const int algorithm : {0, 1, 2, 3, -1}) {
        result.assign({-1});
        sum.run({algorithm, host(x), result});
        example::expect(result.item<int>() == expected,
                        std::to_string(expected) + " by algorithm " +
                            std::to_string(algorithm) + ", found " +
                            std::to_string(result.item<int>()));
      }

      const Array algorithm = Array::scalar(device, -1);
      result.assign({-1});
      choosing_program(code, count).compile(device).run({host(x), result, algorithm});
      example::expect(result.item<int>() == expected, std::to_string(expected));
      example::expect(algorithm.item<int>() == chosen,
                      "algorithm " + std::to_string(chosen) + " to be chosen, found " +
                          std::to_string(algorithm.item<int>()));
      ++chosen;
    }
    std::puts("switch_algorithms: right");
  });
}
