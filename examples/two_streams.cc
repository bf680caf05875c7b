// Copies and kernels at the same time: while one chunk is worked on, the next one is
// fetched on another stream. Two staging buffers take turns.
#include <thunky/thunky.h>

#include <cstdio>
#include <filesystem>
#include <vector>

#include "example.h"

using namespace thunky;

namespace {

constexpr int kChunks = 8;
constexpr int kChunk = 1024;

// y += 2 x, chunk by chunk.
Program pipeline(const KernelCode& code) {
  return jit(
      [&](Ref x, Ref y, Ref stage) {
        // A loop of C++ is unrolled: the program has 8 copies and 8 kernels. stage[i % 2]
        // is a view, a part of the buffer; indices are numbers of C++.
        const auto fetch = [&](int i) {
          return async_start([&] { copy(x[i], stage[i % 2]); }, 0,
                             StreamKind::kCommunication);
        };
        Token token = fetch(0);
        for (int i = 0; i < kChunks; ++i) {
          // async_start comes after everything before it in the program, and what follows
          // async_done comes after the body.
          async_done(token);
          if (i + 1 < kChunks) token = fetch(i + 1);
          ptx_kernel(code, "saxpy", {read(stage[i % 2]), read_write(y[i]), 2.0f, kChunk},
                     {.grid = kChunk / 256, .block = 256});
        }
      },
      {{"x", f32(kChunks, kChunk)}, {"y", f32(kChunks, kChunk)}},
      {{"stage", f32(2, kChunk)}}, {.name = "pipeline"});
}

// One chunk, and a kernel that does not wait for it.
Program racing_pipeline(const KernelCode& code) {
  return jit(
      [&](Ref x, Ref y, Ref stage) {
        const Token token = async_start([&] { copy(x, stage); });
        ptx_kernel(code, "saxpy", {read(stage), read_write(y), 2.0f, kChunk},
                   {.grid = kChunk / 256, .block = 256});
        async_done(token);
      },
      {{"x", f32(kChunk)}, {"y", f32(kChunk)}}, {{"stage", f32(kChunk)}},
      {.name = "racing"});
}

}  // namespace

int main(int argc, char** argv) {
  return example::run(argc, argv, [](const std::filesystem::path& folder) {
    const KernelCode code = KernelCode::ptx_file(folder / "saxpy.ptx");
    const Device device = Device::host();
    const LoadedExecutable loaded = pipeline(code).compile(device);

    std::vector<float> x(kChunks * kChunk);
    for (size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i % 1000);
    const Array y = Array::zeros(device, f32(kChunks, kChunk));
    loaded.run({host(x, {kChunks, kChunk}), y});
    std::vector<float> expected = x;
    for (float& value : expected) value *= 2;
    example::expect_near(y.to_vector<float>(), expected, 0.0f);

    // compile() says which bytes are used by whom. That does not depend on which of the
    // two is faster today.
    try {
      (void)racing_pipeline(code).compile(device);
      example::expect(false, "a race to be found");
    } catch (const Error& error) {
      std::printf("as it should be: %s\n", error.what());
      example::expect(error.message().find("race: copy") == 0, "a race");
    }
    std::puts("two_streams: right");
  });
}
