// Programs that JAX compiled, for tests.
#ifndef THUNKY_FRONTEND_FIXTURE_PROGRAMS_H_
#define THUNKY_FRONTEND_FIXTURE_PROGRAMS_H_

#include <cstdlib>
#include <filesystem>
#include <string>

#include "thunky/frontend/program.h"

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

}  // namespace thunky

#endif  // THUNKY_FRONTEND_FIXTURE_PROGRAMS_H_
