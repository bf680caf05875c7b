// One program, four threads: each runs it on arrays of its own, as often as it likes.
#include <thunky/thunky.h>

#include <cstdio>
#include <exception>
#include <filesystem>
#include <thread>
#include <vector>

#include "example.h"

using namespace thunky;

namespace {

constexpr int kThreads = 4;
constexpr int kRuns = 50;
constexpr int kCount = 2048;

// y += a x, by way of scratch: each run that is going on has scratch of its own.
Program saxpy_program(const KernelCode& code) {
  return jit(
      [&](Ref x, Ref y, Ref copied) {
        const Launch launch = {.grid = kCount / 256, .block = 256};
        copy(x, copied);
        ptx_kernel(code, "saxpy", {read(copied), read_write(y), 1.0f, kCount}, launch);
      },
      {{"x", f32(kCount)}, {"y", f32(kCount)}}, f32(kCount), {.name = "saxpy"});
}

// Runs the program with x = 1, ..., kRuns in every element, and checks the sum.
void work(const LoadedExecutable& saxpy, int thread) {
  const Device& device = saxpy.device();
  const Array y = Array::zeros(device, f32(kCount));
  for (int run = 1; run <= kRuns; ++run) {
    const std::vector<float> x(kCount, static_cast<float>(run * thread));
    if (run % 2 == 0) {
      saxpy.run({host(x), y});  // on this thread
    } else {
      saxpy.enqueue({host(x), y}).get();  // by the device's queue; x is copied at once
    }
  }
  const int sum_of_runs = kRuns * (kRuns + 1) / 2;
  const auto sum = static_cast<float>(thread * sum_of_runs);
  example::expect_near(y.to_vector<float>(), std::vector<float>(kCount, sum), 0.0f);
}

}  // namespace

int main(int argc, char** argv) {
  return example::run(argc, argv, [](const std::filesystem::path& folder) {
    const LoadedExecutable saxpy =
        saxpy_program(KernelCode::ptx_file(folder / "saxpy.ptx")).compile(Device::host());

    // Handles are cheap to copy and may be used by all threads; only arrays that one run
    // writes must not be used by another one at the same time.
    std::vector<std::exception_ptr> failures(kThreads);
    std::vector<std::thread> threads;
    threads.reserve(kThreads);
    for (int i = 0; i < kThreads; ++i) {
      threads.emplace_back([saxpy, i, &failure = failures[i]] {
        try {
          work(saxpy, i + 1);
        } catch (...) {
          failure = std::current_exception();
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    for (const std::exception_ptr& failure : failures) {
      if (failure) std::rethrow_exception(failure);
    }
    std::printf("four_threads: right, %d runs\n", kThreads * kRuns);
  });
}
