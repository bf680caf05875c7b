#include "thunky/schema/jax_parts.h"

#include <functional>
#include <string>

#include "gmock/gmock.h"
#include "google/protobuf/util/message_differencer.h"
#include "gtest/gtest.h"
#include "thunky/container/executable_writer.h"
#include "thunky/container/fixture_files.h"
#include "thunky/schema/test_programs.h"

namespace thunky::schema {
namespace {

using google::protobuf::util::MessageDifferencer;

ExecutableFile WithoutParts(const std::string& name) {
  ExecutableFile file = *ReadExecutableFile(FixtureExecutable(name));
  file.kind = ExecutableKind::kBinaryProto;
  file.metadata_bytes.clear();
  file.metadata.reset();
  file.options.reset();
  return file;
}

// What follows from an executable is what JAX wrote around it.
TEST(JaxParts, AreWhatJaxWrote) {
  int completed = 0;
  for (const std::string& name : FixtureNames()) {
    if (name.find("four_devices") != std::string::npos) continue;
    SCOPED_TRACE(name);
    const ExecutableFile original = *ReadExecutableFile(FixtureExecutable(name));
    ExecutableFile file = WithoutParts(name);
    ASSERT_THAT(AddPartsForJax(&file), Succeeds());
    ++completed;
    EXPECT_EQ(file.kind, ExecutableKind::kComplete);
    EXPECT_EQ(file.metadata_bytes, original.metadata_bytes);
    const auto& ours = file.options->compile_options().executable_build_options();
    const auto& theirs = original.options->compile_options().executable_build_options();
    EXPECT_TRUE(MessageDifferencer::Equals(ours.result_layout(), theirs.result_layout()));
    EXPECT_EQ(ours.num_replicas(), theirs.num_replicas());
    EXPECT_EQ(ours.num_partitions(), theirs.num_partitions());
    const absl::StatusOr<std::string> bytes = WriteExecutableFile(file);
    ASSERT_TRUE(bytes.ok()) << bytes.status();
    EXPECT_EQ(ReadExecutableFile(*bytes)->kind, ExecutableKind::kComplete);
  }
  EXPECT_GT(completed, 60);
}

TEST(JaxParts, WhatIsThereStays) {
  ExecutableFile file = WithoutParts("jax-0.11.2/saxpy");
  file.metadata_bytes = "metadata";
  ASSERT_THAT(AddPartsForJax(&file), Succeeds());
  EXPECT_EQ(file.metadata_bytes, "metadata");
  EXPECT_TRUE(file.options.has_value());
  file = WithoutParts("jax-0.11.2/saxpy");
  file.options.emplace().set_pjrt_client_name("client");
  ASSERT_THAT(AddPartsForJax(&file), Succeeds());
  EXPECT_EQ(file.options->pjrt_client_name(), "client");
  EXPECT_FALSE(file.metadata_bytes.empty());
}

TEST(JaxParts, NamesWhatIsMissing) {
  using Executable = wire::GpuExecutableProto;
  const struct {
    std::function<void(Executable&)> damage;
    const char* message;
  } cases[] = {
      {[](Executable& e) { e.clear_hlo_module_with_config(); }, "no HLO module"},
      {[](Executable& e) {
         e.mutable_hlo_module_with_config()->mutable_hlo_module()->clear_computations();
       },
       "no entry computation"},
      {[](Executable& e) {
         auto* module = e.mutable_hlo_module_with_config()->mutable_hlo_module();
         module->clear_host_program_shape();
       },
       "no program shape in its HLO module"},
      {[](Executable& e) { e.mutable_hlo_module_with_config()->clear_config(); },
       "no entry computation layout"},
      {[](Executable& e) { e.clear_buffer_assignment(); }, "no buffer assignment"},
      {[](Executable& e) { e.clear_buffer_allocations(); }, "no buffer_allocations"},
      {[](Executable& e) { e.clear_buffer_allocations_debug_summary(); }, "no summary"},
      {[](Executable& e) { e.clear_program_shape(); }, "no program shape"},
      {[](Executable& e) {
         e.mutable_program_shape()->mutable_parameters(0)->clear_layout();
       },
       "no layouts"},
      {[](Executable& e) { e.clear_gpu_compute_capability(); },
       "no compute capability of CUDA"},
      {[](Executable& e) {
         e.mutable_hlo_module_with_config()->mutable_config()->set_num_partitions(4);
       },
       "is for 1 replicas of 4 partitions"},
  };
  for (const auto& one : cases) {
    SCOPED_TRACE(one.message);
    ExecutableFile file = WithoutParts("jax-0.11.2/saxpy");
    one.damage(file.executable);
    EXPECT_THAT(AddPartsForJax(&file), FailsWith(one.message));
  }
}

}  // namespace
}  // namespace thunky::schema
