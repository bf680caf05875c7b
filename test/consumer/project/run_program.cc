// Runs a program that JAX compiled: y = a * x + y.
//
//   run_program FOLDER            with executable.bin and kernels/*.ptx in it
//   run_program FOLDER MODULE     and loads a module, which the compiler library reads
#include <thunky/run.h>

#include <cstdio>
#include <exception>
#include <string>
#include <vector>

namespace {

// Whether all elements of `array` are `expected`.
bool AllAre(const thunky::Array& array, float expected) {
  for (const float value : array.to_vector<float>()) {
    if (value == expected) continue;
    std::fprintf(stderr, "expected %g, found %g\n", expected, value);
    return false;
  }
  return true;
}

bool Run(const std::string& folder) {
  const thunky::Device device = thunky::Device::host();
  const thunky::LoadedExecutable saxpy =
      thunky::Executable::load(folder + "/executable.bin",
                               {.kernels = {folder + "/kernels"}})
          .compile(device);
  const std::vector<float> x(4096, 3);
  const std::vector<float> y(4096, 1);
  const thunky::Array result = thunky::Array::zeros(device, thunky::f32(4096));
  saxpy.run({2.0f, thunky::host(x), thunky::host(y), result});
  if (!AllAre(result, 7)) return false;
  saxpy.enqueue({3.0f, thunky::host(x), thunky::host(y), result}).get();
  if (!AllAre(result, 10)) return false;
  try {
    saxpy.run({2.0f});
  } catch (const thunky::Error& error) {
    std::printf("as it should be: %s\n", error.what());
    return error.code() == thunky::ErrorCode::invalid_argument;
  }
  std::fprintf(stderr, "expected an error\n");
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2 && argc != 3) {
    std::fprintf(stderr, "usage: %s FOLDER [MODULE]\n", argv[0]);
    return 2;
  }
  try {
    if (argc == 3) {
      const auto module = thunky::Executable::load(argv[2]);
      module.compile(thunky::Device::host());
      std::printf("%s: %zu arguments\n", argv[2], module.arguments().size());
    }
    return Run(argv[1]) ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
