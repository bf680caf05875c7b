// y = 2.5 x + y: one kernel, as a program that can be run again and again.
#include <thunky/thunky.h>

#include <cstdio>
#include <filesystem>
#include <vector>

#include "example.h"

using namespace thunky;

int main(int argc, char** argv) {
  return example::run(argc, argv, [](const std::filesystem::path& folder) {
    // PTX, as nvcc -ptx writes it. `saxpy` takes two addresses, a float and an int.
    const KernelCode code = KernelCode::ptx_file(folder / "saxpy.ptx");
    constexpr int kCount = 1000;

    // The function is called once, now. What it calls is not done but written down, with
    // the refs in the place of memory. A kernel's parameters are in its own order; of a
    // buffer it has to be said what the kernel does with it.
    const Program program = jit(
        [&](Ref x, Ref y) {
          ptx_kernel(code, "saxpy", {read(x), read_write(y), 2.5f, kCount},
                     {.grid = (kCount + 255) / 256, .block = 256});
        },
        {{"x", f32(kCount)}, {"y", f32(kCount)}}, {.name = "saxpy"});

    // The program as a module of the dialect: what other tools of thunky read and write.
    std::puts(program.module_text().c_str());

    // Ready to run; compile once, run often.
    const Device device = Device::host();
    const LoadedExecutable saxpy = program.compile(device);

    std::vector<float> x(kCount);
    for (int i = 0; i < kCount; ++i) x[i] = static_cast<float>(i);
    const Array y = Array::zeros(device, f32(kCount));
    // What a program only reads may come from the host; what it writes is an array.
    saxpy.run({host(x), y});
    saxpy.run({host(x), y});

    std::vector<float> expected(kCount);
    for (int i = 0; i < kCount; ++i) expected[i] = 2 * 2.5f * x[i];
    example::expect_near(y.to_vector<float>(), expected, 0.0f);
    std::puts("saxpy: right");
  });
}
