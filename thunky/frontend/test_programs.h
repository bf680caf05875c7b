// Programs that tests run, and what goes in and out. What JAX compiled comes from
// test/fixtures: saxpy is p0 * p1 + p2; donate adds 2 * p1 to p0, in place;
// while_collatz gives (1, number of steps) of p0.
#ifndef THUNKY_FRONTEND_TEST_PROGRAMS_H_
#define THUNKY_FRONTEND_TEST_PROGRAMS_H_

#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <initializer_list>
#include <numeric>
#include <string>
#include <vector>

#include "thunky/api/array.h"
#include "thunky/frontend/operations.h"
#include "thunky/frontend/program.h"
#include "thunky/frontend/test_kernels.h"

namespace thunky {

// A folder of test/fixtures with the PTX of every kernel.
inline std::filesystem::path fixture_folder(const std::string& name) {
  const char* data = std::getenv("THUNKY_TEST_DATA");
  if (data == nullptr) {
    throw Error(ErrorCode::failed_precondition,
                "THUNKY_TEST_DATA must name the folder test of the sources");
  }
  return std::filesystem::path(data) / "fixtures" / "jax-0.11.2-ptx" / name;
}

inline LoadOptions fixture_kernels(const std::string& name) {
  return {.kernels = {fixture_folder(name) / "kernels"}};
}

inline Program fixture_program(const std::string& name) {
  return Program::load(fixture_folder(name) / "executable.bin", fixture_kernels(name));
}

// Of the fixture saxpy.
inline const Type kVector = f32(4096);

// Times that `part` is in `text`.
inline size_t count(const std::string& text, const std::string& part) {
  size_t found = 0;
  for (size_t at = text.find(part); at != std::string::npos;
       at = text.find(part, at + 1)) {
    ++found;
  }
  return found;
}

// begin, begin + 1, ...
inline std::vector<float> counting(size_t size, float begin = 0) {
  std::vector<float> values(size);
  std::iota(values.begin(), values.end(), begin);
  return values;
}

inline Array array_of(const std::vector<float>& values) {
  return Array::from(Device::host(), values);
}

inline Array zeros(const Type& type) { return Array::zeros(Device::host(), type); }

// Without the warnings: programs of tests write what they do not read.
inline void run(const Program& program, std::initializer_list<Argument> arguments) {
  program.compile(Device::host(), {.on_warning = [](const Finding&) {}}).run(arguments);
}

// y += 2 * x in scratch and a constant, with code.
inline Program sample() {
  return jit(
      [](Ref x, Ref y) {
        const Ref s = empty_ref(f32(4), "sum");
        copy(constant(std::vector<float>{1, 2, 3, 4}), s);
        ptx_kernel(test_kernels(), "axpy", {read(x), read_write(s), 2.0f}, {.block = 4});
        copy(s, y);
      },
      {Parameter("x", f32(4)), Parameter("y", f32(4))}, {.name = "sample"});
}

inline std::vector<float> run_sample(const Program& program) {
  const Device device = Device::host();
  const Array y = Array::zeros(device, f32(4));
  const std::vector<float> x = {1, 10, 100, 1000};
  program.compile(device).run({host(x), y});
  return y.to_vector<float>();
}

inline const std::vector<float> kSampleResult = {3, 22, 203, 2004};

}  // namespace thunky

#endif  // THUNKY_FRONTEND_TEST_PROGRAMS_H_
