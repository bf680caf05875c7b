// Copies and kernels at the same time: while one chunk is worked on, the next one is
// fetched on another stream. Two staging buffers take turns.
#include <thunky/thunky.h>

#include <cstdio>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "example.h"

using namespace thunky;

namespace {

constexpr int kChunks = 8;
constexpr int kChunk = 1024;

// y[i] += 2 x[i], chunk by chunk. With `wait` false, the kernel does not wait for its
// chunk: what the hazard check is for.
Program pipeline(const KernelCode& code, bool wait) {
  return jit(
      [&](Ref x, Ref y, Ref stage) {
        // A loop of C++ is unrolled: the program has 8 copies and 8 kernels. stage[i % 2]
        // is a view, a part of the buffer; indices are numbers of C++.
        const auto fetch = [&](int i) {
          return async_start([&] { copy(x[i], stage[i % 2]); }, 0,
                             StreamKind::kCommunication);
        };
        std::optional<Token> token = fetch(0);
        for (int i = 0; i < kChunks; ++i) {
          // async_start comes after everything before it in the program, and what follows
          // async_done comes after the body.
          if (wait) async_done(*token);
          const Token arrived = *token;
          if (i + 1 < kChunks) token = fetch(i + 1);
          ptx_kernel(code, "saxpy", {read(stage[i % 2]), read_write(y[i]), 2.0f, kChunk},
                     {.grid = kChunk / 256, .block = 256});
          if (!wait) async_done(arrived);
        }
      },
      {{"x", f32(kChunks, kChunk)}, {"y", f32(kChunks, kChunk)}},
      {Parameter("stage", f32(2, kChunk))}, {.name = "pipeline"});
}

}  // namespace

int main(int argc, char** argv) {
  return example::run(argc, argv, [](const std::filesystem::path& folder) {
    const KernelCode code = KernelCode::ptx_file(folder / "saxpy.ptx");
    const Device device = Device::host();
    const LoadedExecutable loaded = pipeline(code, true).compile(device);

    std::vector<float> x(kChunks * kChunk);
    for (size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i % 1000);
    const Array y = Array::zeros(device, f32(kChunks, kChunk));
    loaded.run({host(x, {kChunks, kChunk}), y});
    std::vector<float> expected = x;
    for (float& value : expected) value *= 2;
    example::expect_near(y.to_vector<float>(), expected, 0.0f);

    // A kernel that does not wait for its chunk: compile() throws, and says which bytes
    // are used by whom. It never depends on which of the two is faster today.
    try {
      (void)pipeline(code, false).compile(device);
      example::expect(false, "a race to be found");
    } catch (const Error& error) {
      const std::string text = error.what();
      std::printf("as it should be: %s\n", text.substr(0, text.find('\n')).c_str());
      example::expect(error.message().find("race: copy") == 0, "a race");
    }
    std::puts("two_streams: right");
  });
}
