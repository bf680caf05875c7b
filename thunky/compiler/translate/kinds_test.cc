// One program for each kind of thunk (test/thunks) goes through a module and back.
#include "thunky/schema/kinds.h"

#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "google/protobuf/text_format.h"
#include "gtest/gtest.h"
#include "thunky/compiler/library/module_text.h"
#include "thunky/compiler/translate/expected_export.h"
#include "thunky/compiler/translate/test_modules.h"
#include "thunky/container/fixture_files.h"

namespace thunky::compiler {
namespace {

using schema::ThunkKind;

// What becomes of each program; other kinds are payloads.
const std::map<ThunkKind, std::string>& ownOps() {
  static const auto& ops = *new std::map<ThunkKind, std::string>({
      {ThunkKind::kSequential, "thunky.memzero, thunky.copy"},
      {ThunkKind::kCopy, "thunky.copy"},
      {ThunkKind::kDeviceToDeviceCopy, "thunky.copy"},
      {ThunkKind::kConditional, "thunky.cond, thunky.memzero, thunky.memset32"},
      {ThunkKind::kWhile, "thunky.while, thunky.memset32, thunky.copy"},
      {ThunkKind::kKernel, "thunky.ptx_kernel"},
      {ThunkKind::kCustomKernel, "thunky.ptx_kernel"},
      {ThunkKind::kReplicaId, "thunky.replica_id"},
      {ThunkKind::kPartitionId, "thunky.partition_id"},
      {ThunkKind::kMemzero, "thunky.memzero"},
      {ThunkKind::kMemset32, "thunky.memset32"},
      {ThunkKind::kCustomCall, "thunky.custom_call"},
      {ThunkKind::kAllGather, "thunky.all_gather"},
      {ThunkKind::kAllReduce, "thunky.all_reduce"},
      {ThunkKind::kReduceScatter, "thunky.reduce_scatter"},
      {ThunkKind::kAllToAll, "thunky.all_to_all"},
      {ThunkKind::kCollectivePermute, "thunky.collective_permute"},
      {ThunkKind::kCollectiveGroup,
       "thunky.collective_group, thunky.all_gather, thunky.call_thunk_proto"},
      {ThunkKind::kAsyncStart,
       "thunky.async_start, thunky.all_reduce, thunky.memzero, thunky.async_done"},
      {ThunkKind::kAsyncDone,
       "thunky.async_start, thunky.memzero, thunky.async_start, thunky.async_done, "
       "thunky.async_done"},
      // Its program has a loop around it.
      {ThunkKind::kDynamicSliceFusion, "thunky.while, thunky.call_thunk_proto"},
  });
  return ops;
}

wire::GpuExecutableProto programOf(ThunkKind kind) {
  const std::string path = "thunks/" + schema::KindName(kind) + ".textproto";
  absl::StatusOr<ExecutableFile> file = ReadExecutableFile(TestFile(path));
  EXPECT_TRUE(file.ok()) << file.status();
  return file.ok() ? std::move(file->executable) : wire::GpuExecutableProto();
}

bool holds(const schema::ThunkList& thunks, ThunkKind kind) {
  for (const wire::ThunkProto& thunk : thunks) {
    const auto found = schema::KindOf(thunk);
    if (!found.ok()) continue;
    if (*found == kind) return true;
    for (const schema::Child& child : schema::ChildrenOf(*found, thunk)) {
      if (holds(*child.thunks, kind)) return true;
    }
  }
  return false;
}

TEST(KindsTest, EveryKindComesBack) {
  for (const ThunkKind kind : schema::AllKinds()) {
    SCOPED_TRACE(schema::KindName(kind));
    const wire::GpuExecutableProto original = programOf(kind);
    ASSERT_NE(original.thunks_size(), 0);
    ASSERT_TRUE(holds(original.thunks(), kind));
    TestCompiler compiler;
    const auto module = compiler.import(bareFile(original));
    ASSERT_TRUE(module) << compiler.diagnostics();
    const auto own = ownOps().find(kind);
    EXPECT_EQ(thunkOpsOf(*module),
              own != ownOps().end() ? own->second : "thunky.call_thunk_proto");
    const std::string text = writeText(*module, false);
    const std::string bytecode = writeBytecode(*module);
    const auto exported = compiler.exportFrom(*module);
    ASSERT_TRUE(exported.has_value()) << compiler.diagnostics();
    const wire::GpuExecutableProto expected = expectedExport(original);
    EXPECT_EQ(differenceOf(expected, exported->executable), "");
    for (const std::string& form : {text, bytecode}) {
      TestCompiler other;
      const auto copy = other.read(form);
      ASSERT_TRUE(copy) << other.diagnostics();
      EXPECT_EQ(writeText(*copy, false), text);
      const auto again = other.exportFrom(*copy);
      ASSERT_TRUE(again.has_value()) << other.diagnostics();
      EXPECT_EQ(differenceOf(expected, again->executable), "");
    }
  }
}

// A field of a newer jaxlib in the thunk, in what it says of itself, and in the
// payload.
TEST(KindsTest, UnknownFieldsComeBack) {
  for (const ThunkKind kind : schema::AllKinds()) {
    // Nothing of the first is left, and the second changes its kind.
    if (kind == ThunkKind::kSequential || kind == ThunkKind::kKernel) continue;
    SCOPED_TRACE(schema::KindName(kind));
    wire::GpuExecutableProto original = programOf(kind);
    const auto addTo = [](google::protobuf::Message& message, int field) {
      auto& fields = *message.GetReflection()->MutableUnknownFields(&message);
      fields.AddVarint(field, 7);
      fields.AddLengthDelimited(field + 1, "newer");
    };
    wire::ThunkProto& thunk = *original.mutable_thunks(0);
    addTo(thunk, 900);
    addTo(*thunk.mutable_thunk_info(), 910);
    const auto* member = wire::ThunkProto::descriptor()->FindFieldByNumber(
        static_cast<int>(*schema::KindOf(thunk)));
    addTo(*thunk.GetReflection()->MutableMessage(&thunk, member), 920);
    addTo(original, 930);
    TestCompiler compiler;
    const auto module = compiler.import(bareFile(original));
    ASSERT_TRUE(module) << compiler.diagnostics();
    TestCompiler other;
    const auto copy = other.read(writeText(*module, false));
    ASSERT_TRUE(copy) << other.diagnostics();
    const auto exported = other.exportFrom(*copy);
    ASSERT_TRUE(exported.has_value()) << other.diagnostics();
    EXPECT_EQ(differenceOf(expectedExport(original), exported->executable), "");
  }
}

// What is there and empty is not absent; and what only few files have.
TEST(KindsTest, RareFieldsComeBack) {
  const std::vector<std::pair<ThunkKind, std::string>> more = {
      {ThunkKind::kCustomKernel, "custom_kernel_thunk { tma_metadata {} }"},
      {ThunkKind::kCustomKernel,
       "custom_kernel_thunk { tma_metadata { arg_index_to_tma_info { key: 1 value { "
       "element_size: 4 global_dims: 8 swizzle: SWIZZLE_BYTES64 } } } }"},
      {ThunkKind::kCustomKernel,
       "custom_kernel_thunk { zeroed_output_buffer_indices: 1 }"},
      {ThunkKind::kCustomKernel,
       "custom_kernel_thunk { custom_kernel { cluster_dim { coordinates { x: 2 y: 1 z: 1 "
       "} } } }"},
      // A value, and a pointer in bytes of its own.
      {ThunkKind::kCustomKernel,
       "custom_kernel_thunk { custom_kernel { kernel_spec { kernel_args_packing_spec { "
       "kernel_arguments { data: '\\001\\002\\003\\004' } kernel_arguments { relocations "
       "{ "
       "kind: KIND_BITS64_ABSOLUTE argument_index: 1 } } } } } }"},
      {ThunkKind::kCustomCall, "custom_call_thunk { called_computation: '' }"},
      {ThunkKind::kCustomCall,
       "custom_call_thunk { execution_state { type_name: 't' state: 's' } }"},
      {ThunkKind::kCustomCall, "custom_call_thunk { operands {} }"},
      {ThunkKind::kCustomCall, "custom_call_thunk { api_version: API_VERSION_ORIGINAL }"},
      {ThunkKind::kCustomCall,
       "custom_call_thunk { attributes { attrs { key: 'no' } } }"},
      {ThunkKind::kCustomCall,
       "custom_call_thunk { attributes { attrs { key: '' value { str: 'x' } } } }"},
      {ThunkKind::kWhile, "while_thunk { trip_count: 0 }"},
      {ThunkKind::kMemzero, "thunk_info { concurrent_region_id: 0 }"},
      {ThunkKind::kMemzero, "thunk_info { concurrent_region_id: -5 }"},
      {ThunkKind::kCudnn, "cudnn_thunk { sdpa_dropout_seed: 0 }"},
      {ThunkKind::kGemm, "gemm_thunk { gemm_config { lhs_layout {} algorithm: 0 } }"},
      {ThunkKind::kCopy,
       "copy_thunk { source_buffer { shape { layout { memory_space: 5 } } "
       "} }"},
      {ThunkKind::kCopy, "copy_thunk { source_buffer { slice { element_type: S8 } } }"},
      {ThunkKind::kMemset32,
       "memset32bit_value_thunk { dest_buffer { element_type: TOKEN } }"},
  };
  for (const auto& [kind, text] : more) {
    SCOPED_TRACE(text);
    wire::GpuExecutableProto original = programOf(kind);
    ASSERT_TRUE(
        google::protobuf::TextFormat::MergeFromString(text, original.mutable_thunks(0)));
    TestCompiler compiler;
    const auto module = compiler.import(bareFile(original));
    ASSERT_TRUE(module) << compiler.diagnostics();
    TestCompiler other;
    const auto copy = other.read(writeText(*module, false));
    ASSERT_TRUE(copy) << other.diagnostics();
    const auto exported = other.exportFrom(*copy);
    ASSERT_TRUE(exported.has_value()) << other.diagnostics();
    EXPECT_EQ(differenceOf(expectedExport(original), exported->executable), "");
  }
}

// A value that no operation has is never guessed.
TEST(KindsTest, WhatIsNotKnownIsAnError) {
  const std::vector<std::tuple<ThunkKind, std::string, std::string>> bad = {
      {ThunkKind::kAllReduce, "all_reduce_thunk { reduction_kind: 9 }", "reduction"},
      {ThunkKind::kReduceScatter, "reduce_scatter_thunk { reduction_kind: 0 }",
       "reduction"},
      {ThunkKind::kAllGather, "all_gather_thunk { collective_config { group_mode: 7 } }",
       "group_mode"},
      {ThunkKind::kAllGather,
       "all_gather_thunk { collective_config { operand_element_type: 99 } }",
       "element type"},
      {ThunkKind::kAsyncDone, "async_start_thunk { async_execution_id: 99 }",
       "joins async execution 5, which nothing before it starts"},
  };
  for (const auto& [kind, text, message] : bad) {
    SCOPED_TRACE(text);
    wire::GpuExecutableProto original = programOf(kind);
    wire::ThunkProto& thunk = *original.mutable_thunks(0);
    // What a text cannot take away.
    if (thunk.has_reduce_scatter_thunk()) {
      thunk.mutable_reduce_scatter_thunk()->clear_reduction_kind();
    } else if (text.find("operand_element_type") != std::string::npos) {
      thunk.mutable_all_gather_thunk()
          ->mutable_collective_config()
          ->clear_operand_element_type();
    }
    ASSERT_TRUE(google::protobuf::TextFormat::MergeFromString(text, &thunk));
    TestCompiler compiler;
    EXPECT_FALSE(compiler.import(bareFile(original)));
    EXPECT_THAT(compiler.diagnostics(), ::testing::HasSubstr("input: thunks["));
    EXPECT_THAT(compiler.diagnostics(), ::testing::HasSubstr(message));
  }
}

}  // namespace
}  // namespace thunky::compiler
