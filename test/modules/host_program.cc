#include "test/modules/host_program.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <random>

#include "gtest/gtest.h"
#include "thunky/base/cancellation.h"
#include "thunky/base/status_macros.h"
#include "thunky/code/ptx_library.h"
#include "thunky/compiler/transforms/attach_kernels.h"
#include "thunky/container/fixture_files.h"
#include "thunky/hal/host/host_device.h"
#include "thunky/interp/loader.h"
#include "thunky/tooling/npz.h"
#include "thunky/tooling/program_file.h"

namespace thunky::module_tests {

absl::StatusOr<HostProgram> HostProgram::make(compiler::TestCompiler& compiler,
                                              mlir::ModuleOp module) {
  // Exporting changes a module.
  const mlir::OwningOpRef<mlir::ModuleOp> copy(module.clone());
  const auto file = compiler.exportFrom(*copy, compiler::CodePlacement::kTable);
  if (!file.has_value()) return absl::InvalidArgumentError(compiler.diagnostics());
  return make(file->executable);
}

absl::StatusOr<HostProgram> HostProgram::make(
    const wire::GpuExecutableProto& executable) {
  auto device = hal::MakeHostDevice(interp::MakeInterpreterLoader());
  ASSIGN_OR_RETURN(auto loaded, runtime::Executable::Load(executable, {.name = {}}));
  ASSIGN_OR_RETURN(auto prepared, runtime::LoadedExecutable::Prepare(loaded, *device));
  return HostProgram(std::move(device), std::move(prepared));
}

std::vector<Bytes> HostProgram::madeUpArguments(uint64_t seed) const {
  std::mt19937_64 random(seed);
  std::vector<Bytes> arguments;
  for (const runtime::Argument& argument : executable().arguments()) {
    Bytes bytes(argument.size);
    // Bytes 0, 1, 2 in whole words.
    for (size_t i = 0; i < bytes.size(); i += 4) bytes[i] = random() % 3;
    arguments.push_back(std::move(bytes));
  }
  return arguments;
}

absl::StatusOr<std::vector<Bytes>> HostProgram::run(const std::vector<Bytes>& arguments) {
  std::vector<std::unique_ptr<hal::Allocation>> buffers;
  runtime::RunRequest request;
  for (const Bytes& bytes : arguments) {
    ASSIGN_OR_RETURN(auto buffer, device_->Allocate(bytes.size()));
    RETURN_IF_ERROR(device_->Upload(buffer->span(), bytes));
    request.arguments.push_back(buffer->span());
    buffers.push_back(std::move(buffer));
  }
  // A loop whose counter is overwritten may never end.
  const CancellationToken deadline(CancellationToken::Clock::now() +
                                   std::chrono::seconds(20));
  request.options.cancellation = &deadline;
  RETURN_IF_ERROR(loaded_->Run(request));
  std::vector<Bytes> contents;
  for (const auto& buffer : buffers) {
    Bytes& bytes = contents.emplace_back(buffer->span().size);
    RETURN_IF_ERROR(device_->Download(absl::MakeSpan(bytes), buffer->span()));
  }
  return contents;
}

JaxProgram readJaxProgram(compiler::TestCompiler& compiler, const std::string& fixture) {
  JaxProgram program;
  auto file = ReadExecutableFile(FixtureExecutable(fixture));
  EXPECT_TRUE(file.ok()) << file.status();
  if (!file.ok()) return program;
  program.module = compiler.import(*std::move(file));
  EXPECT_TRUE(program.module) << compiler.diagnostics();
  if (!program.module) return program;
  const std::string folder =
      std::string(std::getenv("THUNKY_TEST_DATA")) + "/fixtures/" + fixture;
  if (std::filesystem::exists(folder + "/kernels")) {
    const auto library = tooling::ReadKernelFiles({folder + "/kernels"});
    EXPECT_TRUE(library.ok()) << library.status();
    if (library.ok()) {
      EXPECT_TRUE(mlir::succeeded(compiler::attachKernels(*program.module, *library)))
          << compiler.diagnostics();
    }
  }
  if (!std::filesystem::exists(folder + "/io.npz")) return program;
  const std::string archive = TestFile("fixtures/" + fixture + "/io.npz");
  const auto reader =
      tooling::NpzReader::Open(std::vector<uint8_t>(archive.begin(), archive.end()));
  EXPECT_TRUE(reader.ok()) << reader.status();
  for (const std::string& name : reader->names()) {
    auto array = reader->Read(name);
    EXPECT_TRUE(array.ok()) << array.status();
    program.arrays[name] = std::move(array->data);
  }
  return program;
}

bool isClose(const Bytes& found, const Bytes& expected) {
  if (found.size() != expected.size() || found.size() % sizeof(float) != 0) return false;
  std::vector<float> a(found.size() / sizeof(float)), b(a.size());
  std::memcpy(a.data(), found.data(), found.size());
  std::memcpy(b.data(), expected.data(), expected.size());
  float largest = 0;
  for (const float value : b) largest = std::max(largest, std::fabs(value));
  for (size_t i = 0; i < a.size(); ++i) {
    if (!(std::fabs(a[i] - b[i]) <= 1e-5F * largest)) return false;
  }
  return true;
}

}  // namespace thunky::module_tests
