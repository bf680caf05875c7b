#include <functional>

#include "absl/strings/str_cat.h"
#include "thunky/schema/test_programs.h"

namespace thunky::schema {
namespace {

using testing::ElementsAre;

using Fusion = wire::DynamicSliceFusionThunkProto;

// Reads row `iteration` of an f32[4,4] in allocation 0 (with the row number, an s32, in
// allocation 1), and updates that row of another one in allocation 2.
constexpr char kFusion[] = R"pb(
  parameters {
    parameter_number: 0
    parameter_shape {
      element_type: F32
      dimensions: [ 4, 4 ]
    }
    slice_shape {
      element_type: F32
      dimensions: [ 1, 4 ]
    }
    slice_config { loop_index: 0 byte_stride: 16 }
    slice_offsets { offset { kind: PARAMETER value: 1 } }
    slice_offsets {
      dimension_number: 1
      offset { kind: CONSTANT }
    }
  }
  results {
    parameter_number: 2
    result_number: 0
    result_shape {
      element_type: F32
      dimensions: [ 4, 4 ]
    }
    update_shape {
      element_type: F32
      dimensions: [ 1, 4 ]
    }
    update_config { loop_index: 0 byte_stride: 16 }
  }
  parameter_buffers { size: 64 }
  parameter_buffers { buffer_allocation_index: 1 size: 4 }
  parameter_buffers { buffer_allocation_index: 2 size: 64 }
  result_buffers { buffer_allocation_index: 2 size: 64 }
  slice_allocations { index: 0 size: 16 }
  slice_allocations { index: 1 size: 16 }
)pb";

// Verifies that fusion after `change`, inside `loops` loops.
absl::Status Verify(const std::function<void(Fusion&)>& change, int loops = 1) {
  auto fusion = Parse<Fusion>(kFusion);
  change(fusion);
  return VerifyThunk(
      absl::StrCat("dynamic_slice_fusion_thunk { ", fusion.ShortDebugString(), " }"),
      loops);
}

TEST(DynamicSliceFusionTest, Accepts) {
  EXPECT_THAT(Verify([](Fusion&) {}), Succeeds());
}

TEST(DynamicSliceFusionTest, APartialResultIsReadToo) {
  EXPECT_THAT(AccessText(absl::StrCat("dynamic_slice_fusion_thunk { ", kFusion, " }")),
              ElementsAre("parameter_buffers[0] read 0 [0, 64)",
                          "parameter_buffers[1] read 1 [0, 4)",
                          "parameter_buffers[2] read 2 [0, 64)",
                          "result_buffers[0] read_write 2 [0, 64)"));
  EXPECT_THAT(
      AccessText("dynamic_slice_fusion_thunk { results {} result_buffers { size: 8 "
                 "} slice_allocations { size: 8 } }"),
      ElementsAre("result_buffers[0] write 0 [0, 8)"));
}

TEST(DynamicSliceFusionTest, AWorkspaceInsideIsOneOutside) {
  const auto accesses = [](const std::string& embedded) {
    return AccessText(
        "dynamic_slice_fusion_thunk { results {} results { result_number: 1 } "
        "result_buffers { size: 8 } result_buffers { offset: 8 size: 8 } "
        "slice_allocations { size: 8 } slice_allocations { index: 1 size: 8 } "
        "embedded_thunks { " +
        embedded + " } }");
  };
  const std::string gemm =
      "thunks { gemm_thunk { gemm_config {} output_buffer { size: 8 } workspace { "
      "buffer_allocation_index: 1 size: 8 } } }";
  EXPECT_THAT(accesses(gemm), ElementsAre("result_buffers[0] write 0 [0, 8)",
                                          "result_buffers[1] write 0 [8, 16) workspace"));
  // Something else uses it, or may.
  for (const char* more :
       {"memzero_thunk { dest_buffer { slice { buffer_allocation_index: 1 size: 8 } } }",
        "sequential_thunk {}", ""}) {
    EXPECT_THAT(accesses(gemm + " thunks { " + more + " }"),
                testing::Contains("result_buffers[1] write 0 [8, 16)"));
  }
}

TEST(DynamicSliceFusionTest, EmbeddedThunksCountInTheSliceAllocations) {
  const auto thunk = Parse<wire::ThunkProto>(
      absl::StrCat("dynamic_slice_fusion_thunk { ", kFusion, " }"));
  const auto children = ChildrenOf(ThunkKind::kDynamicSliceFusion, thunk);
  ASSERT_EQ(children.size(), 1u);
  EXPECT_EQ(children[0].label, "embedded");
  ASSERT_NE(children[0].local_allocations, nullptr);
  EXPECT_EQ(children[0].local_allocations->size(), 2);
  EXPECT_FALSE(children[0].loop);
}

TEST(DynamicSliceFusionTest, LoopIndexNamesAnEnclosingLoop) {
  EXPECT_THAT(Verify([](Fusion&) {}, 0),
              FailsWith("parameters[0] has loop_index 0 inside 0 loops"));
  const auto outer = [](Fusion& fusion) {
    fusion.mutable_results(0)->mutable_update_config()->set_loop_index(1);
  };
  EXPECT_THAT(Verify(outer, 2), Succeeds());
  EXPECT_THAT(Verify(outer, 1), FailsWith("results[0] has loop_index 1 inside 1 loops"));
  EXPECT_THAT(Verify([](Fusion& fusion) {
                fusion.mutable_parameters(0)->mutable_slice_config()->set_loop_index(-1);
              }),
              FailsWith("parameters[0] has loop_index -1"));
  EXPECT_THAT(
      Verify(
          [](Fusion& fusion) {
            fusion.mutable_parameters(0)->mutable_slice_config()->clear_loop_index();
            fusion.mutable_results(0)->mutable_update_config()->clear_loop_index();
          },
          0),
      Succeeds());
}

TEST(DynamicSliceFusionTest, NumbersNameBuffers) {
  EXPECT_THAT(Verify([](Fusion& f) { f.mutable_parameters(0)->set_parameter_number(3); }),
              FailsWith("parameters[0] has parameter_number 3 of 3"));
  EXPECT_THAT(Verify([](Fusion& f) { f.mutable_results(0)->set_result_number(-1); }),
              FailsWith("results[0] has result_number -1 of 1"));
  EXPECT_THAT(Verify([](Fusion& f) { f.mutable_results(0)->set_parameter_number(7); }),
              FailsWith("results[0] has parameter_number 7 of 3"));
  EXPECT_THAT(
      Verify([](Fusion& f) { f.mutable_results(0)->set_parameter_number(0); }),
      FailsWith("results[0] updates parameter 0 (allocation 0 [0, 64)) in another "
                "buffer (allocation 2 [0, 64))"));
}

TEST(DynamicSliceFusionTest, BuffersHoldTheirShapes) {
  EXPECT_THAT(
      Verify([](Fusion& f) { f.mutable_parameter_buffers(0)->set_size(60); }),
      FailsWith("parameters[0] has a buffer of 60 bytes; its shape f32[4,4] takes "
                "64"));
  EXPECT_THAT(
      Verify([](Fusion& f) { f.mutable_slice_allocations(1)->set_size(8); }),
      FailsWith("results[0] has a slice allocation of 8 bytes; its window f32[1,4] "
                "takes 16"));
  EXPECT_THAT(Verify([](Fusion& f) { f.mutable_parameter_buffers(1)->set_size(300); }),
              FailsWith("parameter_buffers[1] has offset 0 and size 300, past the end"));
  EXPECT_THAT(Verify([](Fusion& f) { f.add_slice_allocations()->set_index(2); }),
              FailsWith("has 3 slice_allocations for 1 parameters and 1 results"));
  EXPECT_THAT(Verify([](Fusion& f) { f.mutable_slice_allocations(1)->set_index(0); }),
              FailsWith("slice_allocations: allocation 0: two allocations"));
}

wire::ShapeProto* WindowOf(Fusion& fusion) {
  return fusion.mutable_parameters(0)->mutable_slice_shape();
}

TEST(DynamicSliceFusionTest, WindowsLieInTheirShapes) {
  EXPECT_THAT(Verify([](Fusion& f) { WindowOf(f)->set_element_type(wire::S32); }),
              FailsWith("has window s32[1,4] of f32[4,4]; the element types"));
  EXPECT_THAT(Verify([](Fusion& f) {
                *WindowOf(f) = Parse<wire::ShapeProto>("element_type: F32 dimensions: 4");
              }),
              FailsWith("has window f32[4] of f32[4,4]; the ranks must be equal"));
  EXPECT_THAT(
      Verify([](Fusion& f) {
        *WindowOf(f) = Parse<wire::ShapeProto>("element_type: F32 dimensions: [5, 1]");
        f.mutable_slice_allocations(0)->set_size(20);
      }),
      FailsWith("has window f32[5,1] of f32[4,4], which is longer in dimension 0"));
  EXPECT_THAT(
      Verify([](Fusion& f) {
        *WindowOf(f) = Parse<wire::ShapeProto>("element_type: F32 dimensions: [2, 2]");
      }),
      FailsWith("has window f32[2,2] of f32[4,4], which is not one run of bytes"));
  EXPECT_THAT(Verify([](Fusion& f) {
                f.mutable_parameters(0)->clear_slice_config();
                f.mutable_parameters(0)->clear_slice_offsets();
              }),
              FailsWith("has window f32[1,4] of f32[4,4] and nothing that says where"));
}

TEST(DynamicSliceFusionTest, ContiguityFollowsTheLayout) {
  const auto column = [](Fusion& f, const std::string& layout) {
    auto* parameter = f.mutable_parameters(0);
    *parameter->mutable_parameter_shape() = Parse<wire::ShapeProto>(
        absl::StrCat("element_type: F32 dimensions: [4, 4] layout { minor_to_major: [",
                     layout, "] }"));
    *parameter->mutable_slice_shape() =
        Parse<wire::ShapeProto>("element_type: F32 dimensions: [4, 1]");
  };
  EXPECT_THAT(Verify([&](Fusion& f) { column(f, "0, 1"); }), Succeeds());
  EXPECT_THAT(Verify([&](Fusion& f) { column(f, "1, 0"); }),
              FailsWith("not one run of bytes"));
}

TEST(DynamicSliceFusionTest, OffsetsCoverTheDimensions) {
  const auto offsets = [](Fusion& f) {
    return f.mutable_parameters(0)->mutable_slice_offsets();
  };
  EXPECT_THAT(Verify([&](Fusion& f) { offsets(f)->RemoveLast(); }),
              FailsWith("parameters[0] has 1 offsets for 2 dimensions"));
  EXPECT_THAT(Verify([&](Fusion& f) { offsets(f)->Mutable(1)->set_dimension_number(0); }),
              FailsWith("has an offset for dimension 0; each of the 2"));
  EXPECT_THAT(Verify([&](Fusion& f) { offsets(f)->Mutable(1)->set_dimension_number(2); }),
              FailsWith("has an offset for dimension 2"));
  EXPECT_THAT(Verify([&](Fusion& f) { offsets(f)->Mutable(1)->clear_offset(); }),
              FailsWith("has kind 0, which this build does not know"));
  EXPECT_THAT(
      Verify([&](Fusion& f) { offsets(f)->Mutable(0)->mutable_offset()->set_value(3); }),
      FailsWith("an offset reads parameter 3 of 3"));
  EXPECT_THAT(
      Verify([&](Fusion& f) { offsets(f)->Mutable(0)->mutable_offset()->set_value(0); }),
      FailsWith("an offset reads parameter 0, which has 64 bytes; 4 or 8"));
}

TEST(DynamicSliceFusionTest, AnUnslicedParameterMayChangeItsShape) {
  EXPECT_THAT(Verify([](Fusion& f) {
                auto* parameter = f.mutable_parameters(0);
                parameter->clear_slice_config();
                parameter->clear_slice_offsets();
                *parameter->mutable_slice_shape() =
                    Parse<wire::ShapeProto>("element_type: F32 dimensions: 16");
                f.mutable_slice_allocations(0)->set_size(64);
              }),
              Succeeds());
}

}  // namespace
}  // namespace thunky::schema
