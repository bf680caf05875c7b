// Every test program on every engine: three runs in the same buffers, three in
// new ones; or the error it must give, three times.
#include <algorithm>
#include <cctype>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "google/protobuf/text_format.h"
#include "gtest/gtest.h"
#include "test/kernels/kernel_scenario.h"
#include "test/kernels/machines.h"
#include "test/programs/devices.h"
#include "test/programs/program_builder.h"
#include "test/programs/replaying_device.h"
#include "test/programs/test_program.h"
#include "thunky/base/cancellation.h"
#include "thunky/base/status_macros.h"
#include "thunky/runtime/executable.h"
#include "thunky/runtime/loaded_executable.h"

namespace thunky::program_tests {
namespace {

using ::testing::HasSubstr;

std::string ProgramFolder() { return kernel_tests::TestFolder() + "/programs"; }

std::string ReadCommitted(const std::string& name) {
  std::ifstream file(absl::StrCat(ProgramFolder(), "/", name, ".textproto"));
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// The device's memory of a program's arguments.
class ArgumentBuffers {
 public:
  // Allocates and fills; an error of the device fails the test.
  ArgumentBuffers(hal::Device& device, const std::vector<Bytes>& contents)
      : device_(device) {
    for (const Bytes& bytes : contents) {
      auto allocation = device.Allocate(bytes.size());
      if (!allocation.ok()) {
        ADD_FAILURE() << allocation.status();
        return;
      }
      allocations_.push_back(*std::move(allocation));
    }
    Fill(contents);
  }

  void Fill(const std::vector<Bytes>& contents) {
    for (size_t i = 0; i < allocations_.size(); ++i) {
      EXPECT_EQ(device_.Upload(allocations_[i]->span(), contents[i]), absl::OkStatus());
    }
  }

  std::vector<Bytes> Contents() const {
    std::vector<Bytes> contents;
    for (const auto& allocation : allocations_) {
      Bytes bytes(allocation->span().size);
      EXPECT_EQ(device_.Download(absl::MakeSpan(bytes), allocation->span()),
                absl::OkStatus());
      contents.push_back(std::move(bytes));
    }
    return contents;
  }

  std::vector<hal::DeviceSpan> spans() const {
    std::vector<hal::DeviceSpan> spans;
    spans.reserve(allocations_.size());
    for (const auto& allocation : allocations_) spans.push_back(allocation->span());
    return spans;
  }

 private:
  hal::Device& device_;
  std::vector<std::unique_ptr<hal::Allocation>> allocations_;
};

// The arguments after one run of `proto` in new buffers.
absl::StatusOr<std::vector<Bytes>> RunOnce(hal::Device& device,
                                           const wire::GpuExecutableProto& proto,
                                           const std::vector<Bytes>& arguments) {
  ASSIGN_OR_RETURN(auto executable, runtime::Executable::Load(proto, {.name = {}}));
  ASSIGN_OR_RETURN(auto loaded, runtime::LoadedExecutable::Prepare(executable, device));
  const ArgumentBuffers buffers(device, arguments);
  runtime::RunRequest request;
  request.arguments = buffers.spans();
  RETURN_IF_ERROR(loaded->Run(request));
  return buffers.Contents();
}

struct ProgramParam {
  DeviceFactory device;
  TestProgram program;
};

void PrintTo(const ProgramParam& param, std::ostream* os) {
  *os << param.program.name << " on " << param.device.name;
}

// "empty_branch" on interp: EmptyBranch_interp.
std::string ParamName(const ::testing::TestParamInfo<ProgramParam>& info) {
  std::string name;
  bool upper = true;
  for (char c : info.param.program.name) {
    if (c != '_') name += upper ? static_cast<char>(std::toupper(c)) : c;
    upper = c == '_';
  }
  return absl::StrCat(name, "_", info.param.device.name);
}

class ProgramTest : public ::testing::TestWithParam<ProgramParam> {
 protected:
  const TestProgram& program() const { return GetParam().program; }

  absl::StatusOr<std::unique_ptr<runtime::LoadedExecutable>> Load() {
    ASSIGN_OR_RETURN(auto executable,
                     runtime::Executable::Load(program().proto, {.name = {}}));
    return runtime::LoadedExecutable::Prepare(std::move(executable), *device_);
  }

  absl::Status Run(runtime::LoadedExecutable& loaded, const ArgumentBuffers& buffers,
                   bool checked = false) {
    const auto limit = program().outcome == Outcome::kNeverEnds
                           ? std::chrono::milliseconds(300)
                           : std::chrono::milliseconds(60000);
    const CancellationToken deadline(CancellationToken::Clock::now() + limit);
    runtime::RunRequest request;
    request.arguments = buffers.spans();
    request.replica_id = program().replica_id;
    request.partition_id = program().partition_id;
    request.options.cancellation = &deadline;
    if (checked) {
      request.options.checks = kernel_tests::kAllChecks;
      request.options.strict_bounds = true;
    }
    return loaded.Run(request);
  }

  std::vector<Bytes> Expected() const {
    if (!program().direct.has_value()) return program().expected;
    std::vector<Bytes> buffers = program().direct->buffers;
    const auto machine = kernel_tests::AllMachines().front().make();
    EXPECT_EQ(machine->Run(program().direct->launches, buffers, {}), absl::OkStatus());
    return buffers;
  }

  void ExpectError(const absl::Status& status) const {
    EXPECT_EQ(status.code(), program().code) << status;
    for (const std::string& part : program().message) {
      EXPECT_THAT(std::string(status.message()), HasSubstr(part));
    }
  }

  void RunsAsExpected(runtime::LoadedExecutable& loaded) {
    const std::vector<Bytes> expected = Expected();
    ArgumentBuffers same(*device_, program().arguments);
    for (int i = 0; i < 3; ++i) {
      same.Fill(program().arguments);
      ASSERT_EQ(Run(loaded, same), absl::OkStatus()) << "same buffers, run " << i;
      EXPECT_EQ(same.Contents(), expected) << "same buffers, run " << i;
    }
    for (int i = 0; i < 3; ++i) {
      const ArgumentBuffers fresh(*device_, program().arguments);
      ASSERT_EQ(Run(loaded, fresh), absl::OkStatus()) << "new buffers, run " << i;
      EXPECT_EQ(fresh.Contents(), expected) << "new buffers, run " << i;
    }
    const ArgumentBuffers checked(*device_, program().arguments);
    ASSERT_EQ(Run(loaded, checked, /*checked=*/true), absl::OkStatus());
    EXPECT_EQ(checked.Contents(), expected) << "checked";
  }

  void FailsAsExpected(runtime::LoadedExecutable& loaded) {
    for (int i = 0; i < 3; ++i) {
      const ArgumentBuffers buffers(*device_, program().arguments);
      ExpectError(Run(loaded, buffers));
    }
  }

  std::unique_ptr<hal::Device> device_ = GetParam().device.make();
};

TEST_P(ProgramTest, GivesWhatItMust) {
  auto loaded = Load();
  if (program().outcome == Outcome::kIsRefused) {
    ASSERT_FALSE(loaded.ok());
    ExpectError(loaded.status());
    return;
  }
  ASSERT_TRUE(loaded.ok()) << loaded.status();
  if (program().outcome == Outcome::kRuns) {
    RunsAsExpected(**loaded);
  } else {
    FailsAsExpected(**loaded);
  }
}

TEST_P(ProgramTest, CommittedFileIsThisProgram) {
  EXPECT_EQ(ReadCommitted(program().name), ToText(program().proto))
      << "run write_programs";
}

TEST_P(ProgramTest, TextParsesToTheSameProto) {
  wire::GpuExecutableProto parsed;
  ASSERT_TRUE(
      google::protobuf::TextFormat::ParseFromString(ToText(program().proto), &parsed));
  EXPECT_EQ(parsed.SerializeAsString(), program().proto.SerializeAsString());
}

std::vector<ProgramParam> OnEveryDevice(std::vector<TestProgram> programs) {
  std::vector<ProgramParam> params;
  for (const DeviceFactory& device : AllDevices()) {
    for (const TestProgram& program : programs) {
      const bool runs_or_not =
          program.outcome == Outcome::kRuns || program.outcome == Outcome::kIsRefused;
      if (device.errors_name_thunks || runs_or_not) params.push_back({device, program});
    }
  }
  return params;
}

#define INSTANTIATE_PROGRAMS(group, programs)  \
  INSTANTIATE_TEST_SUITE_P(group, ProgramTest, \
                           ::testing::ValuesIn(OnEveryDevice(programs())), ParamName)
INSTANTIATE_PROGRAMS(Kernels, KernelPrograms);
INSTANTIATE_PROGRAMS(ControlFlow, ControlFlowPrograms);
INSTANTIATE_PROGRAMS(Async, AsyncPrograms);
INSTANTIATE_PROGRAMS(Slices, SlicePrograms);
INSTANTIATE_PROGRAMS(Limits, LimitPrograms);
INSTANTIATE_PROGRAMS(Code, CodePrograms);
INSTANTIATE_PROGRAMS(Signature, SignaturePrograms);

// The first run goes step by step, the next ones as graphs: one for each set of buffers,
// up to four; beyond that the graph that was not used for the longest time is changed.
TEST(Graphs, AreKeptForBuffersAndChangedBeyond) {
  const auto device = MakeReplayingDevice(AllDevices().front().make());
  const std::vector<TestProgram> programs = KernelPrograms();
  const TestProgram& program = programs.front();
  ASSERT_EQ(program.outcome, Outcome::kRuns);
  auto executable = runtime::Executable::Load(program.proto, {.name = "p"});
  ASSERT_TRUE(executable.ok()) << executable.status();
  auto loaded = runtime::LoadedExecutable::Prepare(*executable, *device);
  ASSERT_TRUE(loaded.ok()) << loaded.status();
  std::vector<std::unique_ptr<ArgumentBuffers>> sets;
  for (int i = 0; i < 6; ++i) {
    sets.push_back(std::make_unique<ArgumentBuffers>(*device, program.arguments));
  }
  const auto run = [&](int set) {
    sets[set]->Fill(program.arguments);
    runtime::RunRequest request;
    request.arguments = sets[set]->spans();
    ASSERT_EQ((*loaded)->Run(request), absl::OkStatus());
  };
  run(0);
  const std::vector<Bytes> expected = sets[0]->Contents();
  EXPECT_EQ((*loaded)->graph_statistics().stepwise_runs, 1);
  for (int round = 0; round < 2; ++round) {
    for (int set = 0; set < 4; ++set) run(set);
  }
  EXPECT_EQ((*loaded)->graph_statistics().graphs_made, 4);
  EXPECT_EQ((*loaded)->graph_statistics().graphs_updated, 0);
  EXPECT_EQ((*loaded)->graph_statistics().graph_runs, 8);
  run(4);
  run(5);
  EXPECT_EQ((*loaded)->graph_statistics().graphs_made, 4);
  EXPECT_EQ((*loaded)->graph_statistics().graphs_updated, 2);
  EXPECT_EQ((*loaded)->graph_statistics().stepwise_runs, 1);
  for (const auto& set : sets) EXPECT_EQ(set->Contents(), expected);
}

TEST(Graphs, MustBeWhereTheyAreAskedFor) {
  const auto host = AllDevices().front().make();
  const std::vector<TestProgram> programs = KernelPrograms();
  auto executable = runtime::Executable::Load(programs.front().proto, {.name = "p"});
  ASSERT_TRUE(executable.ok()) << executable.status();
  auto loaded = runtime::LoadedExecutable::Prepare(*executable, *host);
  ASSERT_TRUE(loaded.ok()) << loaded.status();
  const ArgumentBuffers buffers(*host, programs.front().arguments);
  runtime::RunRequest request;
  request.arguments = buffers.spans();
  request.options.graph = hal::GraphMode::kOn;
  const absl::Status status = (*loaded)->Run(request);
  EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented);
  EXPECT_THAT(std::string(status.message()), HasSubstr("host has no graphs"));
}

// The reasons for refusing code differ from each other.
TEST(CodeErrors, AreDistinct) {
  const auto device = AllDevices().front().make();
  std::vector<std::string> messages;
  for (const TestProgram& program : CodePrograms()) {
    if (program.outcome != Outcome::kIsRefused) continue;
    auto executable = runtime::Executable::Load(program.proto, {.name = "p"});
    const absl::Status status =
        executable.ok()
            ? runtime::LoadedExecutable::Prepare(*executable, *device).status()
            : executable.status();
    EXPECT_THAT(messages, ::testing::Not(::testing::Contains(status.message())));
    messages.push_back(std::string(status.message()));
  }
  EXPECT_GE(messages.size(), 5u);
}

// Every text file beside the programs is one of them.
TEST(CommittedFiles, AreThePrograms) {
  std::set<std::string> names;
  for (const TestProgram& program : AllPrograms()) {
    EXPECT_TRUE(names.insert(program.name).second) << program.name << " twice";
  }
  for (const auto& file : std::filesystem::directory_iterator(ProgramFolder())) {
    if (file.path().extension() != ".textproto") continue;
    EXPECT_EQ(names.count(file.path().stem()), 1u) << file.path();
  }
}

// The PTX of saxpy gives the same numbers launched from C++, as a program in memory
// and as a program from a file.
TEST(Saxpy, GivesTheSameFromCppAndFromAFile) {
  const std::vector<TestProgram> programs = KernelPrograms();
  const auto saxpy = std::find_if(programs.begin(), programs.end(),
                                  [](const auto& p) { return p.name == "saxpy"; });
  ASSERT_NE(saxpy, programs.end());
  wire::GpuExecutableProto from_file;
  ASSERT_TRUE(
      google::protobuf::TextFormat::ParseFromString(ReadCommitted("saxpy"), &from_file));
  std::vector<Bytes> launched = saxpy->direct->buffers;
  ASSERT_EQ(kernel_tests::AllMachines().front().make()->Run(saxpy->direct->launches,
                                                            launched, {}),
            absl::OkStatus());
  for (const wire::GpuExecutableProto* proto :
       std::vector<const wire::GpuExecutableProto*>{&saxpy->proto, &from_file}) {
    for (const DeviceFactory& factory : AllDevices()) {
      const auto device = factory.make();
      const auto after = RunOnce(*device, *proto, saxpy->arguments);
      ASSERT_TRUE(after.ok()) << after.status();
      EXPECT_EQ(*after, launched) << factory.name;
    }
  }
}

// One loaded program runs in several threads at once, each with its own buffers.
TEST(Threads, ShareALoadedProgram) {
  const std::vector<TestProgram> programs = AsyncPrograms();
  const TestProgram& program = programs.front();
  for (const DeviceFactory& factory : AllDevices()) {
    const auto device = factory.make();
    auto executable = runtime::Executable::Load(program.proto, {.name = {}});
    ASSERT_TRUE(executable.ok()) << executable.status();
    auto loaded = runtime::LoadedExecutable::Prepare(*executable, *device);
    ASSERT_TRUE(loaded.ok()) << loaded.status();
    std::vector<std::thread> threads;
    threads.reserve(4);
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&] {
        for (int i = 0; i < 10; ++i) {
          const ArgumentBuffers buffers(*device, program.arguments);
          runtime::RunRequest request;
          request.arguments = buffers.spans();
          EXPECT_EQ((*loaded)->Run(request), absl::OkStatus());
          EXPECT_EQ(buffers.Contents(), program.expected);
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
  }
}

// A device goes on after a program failed on it.
TEST(Device, WorksAfterAFailedProgram) {
  for (const DeviceFactory& factory : AllDevices()) {
    const auto device = factory.make();
    for (int i = 0; i < 3; ++i) {
      for (const TestProgram& program : ControlFlowPrograms()) {
        if (program.outcome == Outcome::kNeverEnds) continue;
        const auto after = RunOnce(*device, program.proto, program.arguments);
        EXPECT_EQ(after.status().code(), program.code) << program.name;
        if (after.ok()) {
          EXPECT_EQ(*after, program.expected) << program.name;
        }
      }
    }
  }
}

}  // namespace
}  // namespace thunky::program_tests
