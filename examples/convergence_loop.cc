// A loop that ends when the device says so: heat spreads in a rod until no point moves
// any more. No value comes back to the host on the way.
#include <thunky/thunky.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <utility>
#include <vector>

#include "example.h"

using namespace thunky;

namespace {

constexpr int kPoints = 40;
constexpr float kTolerance = 1e-5f;

// rod: the start, then the result. steps: how many double steps it took.
Program heat_program(const KernelCode& code) {
  return jit(
      [&](Ref rod, Ref steps) {
        const Ref next = empty_ref(rod.type(), "next");
        const Ref moving = empty_ref(boolean, "moving");
        const Launch launch = {.grid = (kPoints + 31) / 32, .block = 32};
        memset(steps, 0);
        ptx_kernel(code, "heat_step", {read(rod), write_all(next), kPoints}, launch);
        // The condition function runs before each iteration, the first one included; the
        // body runs as long as it leaves true in `moving`.
        while_loop(
            moving,
            [&] {
              ptx_kernel(code, "still_moving",
                         {read(rod), read(next), write_all(moving), kTolerance, kPoints},
                         {.block = 64});
            },
            [&] {
              // There and back: two steps, and no copy.
              ptx_kernel(code, "heat_step", {read(next), write_all(rod), kPoints},
                         launch);
              ptx_kernel(code, "heat_step", {read(rod), write_all(next), kPoints},
                         launch);
              ptx_kernel(code, "count", {read_write(steps)});
            });
      },
      {{"rod", f32(kPoints)}, {"steps", i32}}, {.name = "heat"});
}

std::vector<float> heat_step(const std::vector<float>& from) {
  std::vector<float> to = from;
  for (size_t i = 1; i + 1 < from.size(); ++i) to[i] = 0.5f * (from[i - 1] + from[i + 1]);
  return to;
}

bool still_moving(const std::vector<float>& a, const std::vector<float>& b) {
  for (size_t i = 0; i < a.size(); ++i) {
    if (std::abs(a[i] - b[i]) > kTolerance) return true;
  }
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  return example::run(argc, argv, [](const std::filesystem::path& folder) {
    const Device device = Device::host();
    const LoadedExecutable loaded =
        heat_program(KernelCode::ptx_file(folder / "heat.ptx")).compile(device);

    // One end is hot.
    std::vector<float> start(kPoints, 0.0f);
    start.front() = 1;
    const Array rod = Array::from(device, start);
    const Array steps = Array::scalar(device, -1);
    loaded.run({rod, steps});

    std::vector<float> expected = start;
    std::vector<float> next = heat_step(expected);
    int expected_steps = 0;
    for (; still_moving(expected, next); ++expected_steps) {
      expected = heat_step(next);
      next = heat_step(expected);
    }
    // The same arithmetic in the same order: equal to the last bit.
    example::expect_near(rod.to_vector<float>(), expected, 0.0f);
    example::expect(steps.item<int>() == expected_steps,
                    std::to_string(expected_steps) + " steps, found " +
                        std::to_string(steps.item<int>()));
    example::expect(expected_steps > 100, "a loop that takes its time");
    std::printf("convergence_loop: right, after %d double steps\n", expected_steps);
  });
}
