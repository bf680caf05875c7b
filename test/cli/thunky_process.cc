#include "test/cli/thunky_process.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

#include "thunky/tooling/files.h"
#include "thunky/tooling/npz.h"

extern char** environ;

namespace thunky::cli_tests {
namespace {

namespace fs = std::filesystem;

std::string Environment(const char* name) {
  const char* value = std::getenv(name);
  EXPECT_NE(value, nullptr) << name << " is not set; run this through ctest";
  return value == nullptr ? "" : value;
}

// Starts a program with its output going to files; -1 when it cannot start.
pid_t Spawn(const std::string& path, std::vector<std::string>& arguments,
            const std::string& out, const std::string& err) {
  std::vector<char*> argv = {const_cast<char*>(path.c_str())};
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  constexpr int kFlags = O_WRONLY | O_CREAT | O_TRUNC;
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, out.c_str(), kFlags, 0600);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, err.c_str(), kFlags, 0600);
  pid_t pid = -1;
  const int error =
      posix_spawn(&pid, path.c_str(), &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  EXPECT_EQ(error, 0) << path << ": " << std::strerror(error);
  return error == 0 ? pid : -1;
}

}  // namespace

std::ostream& operator<<(std::ostream& stream, const ProcessResult& result) {
  return stream << "exit code " << result.exit_code << "\n-- output\n"
                << result.out << "-- errors\n"
                << result.err;
}

TestArray Floats(std::string name, std::vector<uint64_t> shape,
                 const std::vector<float>& values) {
  return {std::move(name), {'f', 4}, std::move(shape), ToBytes(values)};
}

TestArray Ints(std::string name, std::vector<uint64_t> shape,
               const std::vector<int32_t>& values) {
  return {std::move(name), {'i', 4}, std::move(shape), ToBytes(values)};
}

void CliTest::SetUp() {
  std::string name = ::testing::TempDir() + "thunky_cli.XXXXXX";
  ASSERT_NE(mkdtemp(name.data()), nullptr);
  folder_ = name;
}

void CliTest::TearDown() { fs::remove_all(folder_); }

ProcessResult CliTest::Run(const std::string& program,
                           std::vector<std::string> arguments) const {
  const std::string path = Environment("THUNKY_BIN") + "/" + program;
  const std::string out = Path("stdout.txt"), err = Path("stderr.txt");
  ProcessResult result;
  const pid_t pid = Spawn(path, arguments, out, err);
  if (pid < 0) return result;
  int status = 0;
  EXPECT_EQ(waitpid(pid, &status, 0), pid);
  if (WIFEXITED(status)) result.exit_code = WEXITSTATUS(status);
  auto text = [&](const std::string& file) {
    const std::vector<uint8_t> bytes = ReadBytes(file);
    return std::string(bytes.begin(), bytes.end());
  };
  result.out = text(out);
  result.err = text(err);
  return result;
}

std::string CliTest::WriteText(const std::string& name, const std::string& text) const {
  return WriteBytes(name, {text.begin(), text.end()});
}

std::string CliTest::WriteBytes(const std::string& name,
                                const std::vector<uint8_t>& bytes) const {
  EXPECT_TRUE(tooling::WriteFile(Path(name), bytes).ok());
  return Path(name);
}

std::string CliTest::WriteNpy(const TestArray& array) const {
  return WriteBytes(array.name + ".npy",
                    *tooling::SerializeNpy(array.type, array.shape, array.data));
}

std::string CliTest::WriteNpz(const std::string& name,
                              const std::vector<TestArray>& arrays) const {
  tooling::NpzWriter writer({.deflate = true});
  for (const TestArray& array : arrays) {
    EXPECT_TRUE(writer.Add(array.name, array.type, array.shape, array.data).ok());
  }
  return WriteBytes(name, *std::move(writer).Finish());
}

std::vector<uint8_t> CliTest::ReadBytes(const std::string& path) const {
  absl::StatusOr<std::vector<uint8_t>> bytes = tooling::ReadFile(path);
  EXPECT_TRUE(bytes.ok()) << bytes.status();
  return bytes.ok() ? *std::move(bytes) : std::vector<uint8_t>();
}

tooling::Array CliTest::ReadNpz(const std::string& path, const std::string& array) const {
  absl::StatusOr<tooling::NpzReader> reader = tooling::NpzReader::Open(ReadBytes(path));
  EXPECT_TRUE(reader.ok()) << reader.status();
  if (!reader.ok()) return {};
  absl::StatusOr<tooling::Array> result = reader->Read(array);
  EXPECT_TRUE(result.ok()) << result.status();
  return result.ok() ? *std::move(result) : tooling::Array();
}

std::string CliTest::Data(const std::string& path) {
  return Environment("THUNKY_TEST_DATA") + "/" + path;
}

std::string CliTest::Jax(const std::string& program, const std::string& file) {
  return Data("fixtures/jax-0.11.2-ptx/" + program + "/" + file);
}

std::vector<std::string> CliTest::RunJax(const std::string& program,
                                         const std::vector<std::string>& more) {
  std::vector<std::string> arguments = {"run", Jax(program, "executable.bin"), "--input",
                                        Jax(program, "io.npz")};
  if (fs::exists(Jax(program, "kernels"))) {
    arguments.insert(arguments.end(), {"--kernels", Jax(program, "kernels")});
  }
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

}  // namespace thunky::cli_tests
