// The program `thunky` as a user sees it: arguments in, exit code and text out.
#ifndef THUNKY_TEST_CLI_THUNKY_PROCESS_H_
#define THUNKY_TEST_CLI_THUNKY_PROCESS_H_

#include <cstdint>
#include <filesystem>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "thunky/tooling/npy.h"

namespace thunky::cli_tests {

struct ProcessResult {
  int exit_code = -1;  // -1: killed by a signal
  std::string out;
  std::string err;

  std::string first_error_line() const { return err.substr(0, err.find('\n')); }
};
std::ostream& operator<<(std::ostream& stream, const ProcessResult& result);

// An array to be written to a file.
struct TestArray {
  std::string name;
  tooling::NpyType type;
  std::vector<uint64_t> shape;
  std::vector<uint8_t> data;
};

template <typename T>
std::vector<uint8_t> ToBytes(const std::vector<T>& values) {
  const auto* begin = reinterpret_cast<const uint8_t*>(values.data());
  return {begin, begin + values.size() * sizeof(T)};
}
TestArray Floats(std::string name, std::vector<uint64_t> shape,
                 const std::vector<float>& values);
TestArray Ints(std::string name, std::vector<uint64_t> shape,
               const std::vector<int32_t>& values);

// A test with a folder of its own for files.
class CliTest : public ::testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override;

  // Runs a program of the build. Its input is empty.
  ProcessResult Run(const std::string& program, std::vector<std::string> arguments) const;
  ProcessResult Thunky(std::vector<std::string> arguments) const {
    return Run("thunky", std::move(arguments));
  }

  std::string Path(const std::string& name) const { return (folder_ / name).string(); }
  std::string WriteText(const std::string& name, const std::string& text) const;
  std::string WriteBytes(const std::string& name,
                         const std::vector<uint8_t>& bytes) const;
  std::string WriteNpy(const TestArray& array) const;  // to NAME.npy
  std::string WriteNpz(const std::string& name,
                       const std::vector<TestArray>& arrays) const;
  std::vector<uint8_t> ReadBytes(const std::string& path) const;
  // What `thunky --output` wrote.
  tooling::Array ReadNpz(const std::string& path, const std::string& array) const;

  // Test data: "programs/collatz.textproto".
  static std::string Data(const std::string& path);
  // A file of a JAX program: Jax("softmax", "io.npz").
  static std::string Jax(const std::string& program, const std::string& file);
  // `run` with the program's PTX and recorded arguments, and `more`.
  static std::vector<std::string> RunJax(const std::string& program,
                                         const std::vector<std::string>& more = {});

 private:
  std::filesystem::path folder_;
};

}  // namespace thunky::cli_tests

#endif  // THUNKY_TEST_CLI_THUNKY_PROCESS_H_
