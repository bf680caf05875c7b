// What the examples share beside thunky: where their files are, and how they check what
// they computed. A program of your own needs none of it.
#ifndef THUNKY_EXAMPLES_EXAMPLE_H_
#define THUNKY_EXAMPLES_EXAMPLE_H_

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

namespace example {

// Calls `body` with the folder of the sources, where the kernels lie: the first argument
// of the program, or the folder that it was compiled from. What `body` throws is printed,
// and the program fails.
template <typename F>
int run(int argc, char** argv, F&& body) {
  try {
    body(std::filesystem::path(argc > 1 ? argv[1] : THUNKY_EXAMPLES_FOLDER));
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", argv[0], error.what());
    return 1;
  }
}

inline void expect(bool holds, const std::string& what) {
  if (!holds) throw std::runtime_error("wrong: expected " + what);
}

// Each element of `found` must be within `tolerance` of the same element of `expected`;
// NaN never is.
template <typename T>
void expect_near(const std::vector<T>& found, const std::vector<T>& expected,
                 T tolerance) {
  expect(found.size() == expected.size(), std::to_string(expected.size()) +
                                              " elements, found " +
                                              std::to_string(found.size()));
  for (size_t i = 0; i < found.size(); ++i) {
    expect(std::abs(found[i] - expected[i]) <= tolerance,
           std::to_string(expected[i]) + " at [" + std::to_string(i) + "], found " +
               std::to_string(found[i]));
  }
}

}  // namespace example

#endif  // THUNKY_EXAMPLES_EXAMPLE_H_
