#include "thunky/runtime/thunks/dynamic_slice_fusion_thunk.h"

#include "absl/strings/str_cat.h"
#include "thunky/runtime/testing/program_test.h"

namespace thunky::runtime {
namespace {

using testing::ElementsAre;

constexpr char kVector[] =
    "{ element_type: S32 dimensions: 4 layout { minor_to_major: 0 } } ";
constexpr char kElement[] =
    "{ element_type: S32 dimensions: 1 layout { minor_to_major: 0 } } ";

// Allocation 0: s32[4], the source. 1: s32[4], the destination. 2: s32, an index.
class DynamicSliceFusionThunkTest : public ProgramTest {
 protected:
  // destination[to] = source[from], `from` and `to` being the text proto of the
  // slice's place: a config or a list of offsets.
  static std::string CopyElement(const std::string& from, const std::string& to) {
    return absl::StrCat(
        "thunks { dynamic_slice_fusion_thunk { parameters { parameter_shape ", kVector,
        "slice_shape ", kElement, from, " } results { result_shape ", kVector,
        "update_shape ", kElement, to,
        " } parameter_buffers { size: 16 element_type: S32 } "
        "parameter_buffers { size: 4 buffer_allocation_index: 2 element_type: S32 } "
        "result_buffers { size: 16 buffer_allocation_index: 1 element_type: S32 } "
        "slice_allocations { size: 4 } slice_allocations { index: 1 size: 4 } "
        "embedded_thunks { thunks { device_to_device_copy_thunk { copy_thunk { mem_size: "
        "4 source_buffer { slice { size: 4 } shape ",
        kElement,
        "} destination_buffer { slice { size: 4 buffer_allocation_index: 1 } shape ",
        kElement, "} } } } } } } ");
  }
  static std::string Index(const std::string& expr) {
    return absl::StrCat("slice_offsets { offset { ", expr, " } } ");
  }
  static std::string UpdateIndex(const std::string& expr) {
    return absl::StrCat("update_offsets { offset { ", expr, " } } ");
  }
  static std::string Loop(int trip_count, const std::string& body) {
    return absl::StrCat("thunks { while_thunk { trip_count: ", trip_count,
                        " condition_result_buffer_index { size: 1 "
                        "buffer_allocation_index: 3 } condition_thunk_sequence {} "
                        "body_thunk_sequence { ",
                        body, " } } } ");
  }

  // The destination after the run.
  absl::StatusOr<std::vector<int32_t>> After(const std::string& thunks, int32_t index) {
    const std::vector<int32_t> source = {10, 11, 12, 13};
    std::vector<std::vector<uint8_t>> buffers(4);
    buffers[0].resize(16);
    std::memcpy(buffers[0].data(), source.data(), 16);
    buffers[1].resize(16, 0);
    buffers[2].resize(4);
    std::memcpy(buffers[2].data(), &index, 4);
    buffers[3].resize(1);
    if (absl::Status status = Run(thunks, &buffers); !status.ok()) return status;
    std::vector<int32_t> result(4);
    std::memcpy(result.data(), buffers[1].data(), 16);
    return result;
  }

  const std::string parameter_ = "kind: PARAMETER value: 1";
  const std::string zero_ = "kind: CONSTANT value: 0";
};

TEST_F(DynamicSliceFusionThunkTest, ReadsItsIndexFromTheDevice) {
  auto result = After(CopyElement(Index(parameter_), UpdateIndex(zero_)), 2);
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_THAT(*result, ElementsAre(12, 0, 0, 0));
}

TEST_F(DynamicSliceFusionThunkTest, ClampsTheIndexSoThatTheSliceStaysInside) {
  auto thunks = CopyElement(Index(parameter_), UpdateIndex(parameter_));
  EXPECT_THAT(*After(thunks, -7), ElementsAre(10, 0, 0, 0));
  EXPECT_THAT(*After(thunks, 4), ElementsAre(0, 0, 0, 13));
  EXPECT_THAT(*After(thunks, INT32_MAX), ElementsAre(0, 0, 0, 13));
}

TEST_F(DynamicSliceFusionThunkTest, EvaluatesExpressions) {
  // 3 - p if p < 2, else p * 1
  const std::string expr = absl::StrCat(
      "kind: SELECT operands { kind: COMPARE compare_direction: LT operands { ",
      parameter_, " } operands { kind: CONSTANT value: 2 } } ",
      "operands { kind: SUBTRACT operands { kind: CONSTANT value: 3 } operands { ",
      parameter_, " } } ", "operands { kind: MULTIPLY operands { ", parameter_,
      " } operands { kind: CONSTANT value: 1 } }");
  auto thunks = CopyElement(Index(expr), UpdateIndex(zero_));
  EXPECT_THAT(*After(thunks, 0), ElementsAre(13, 0, 0, 0));
  EXPECT_THAT(*After(thunks, 1), ElementsAre(12, 0, 0, 0));
  EXPECT_THAT(*After(thunks, 2), ElementsAre(12, 0, 0, 0));
  EXPECT_THAT(*After(thunks, 3), ElementsAre(13, 0, 0, 0));
}

TEST_F(DynamicSliceFusionThunkTest, FollowsTheIterationsOfItsLoop) {
  auto result = After(
      Loop(4, CopyElement("slice_config { loop_index: 0 byte_stride: 4 } ",
                          "update_config { loop_index: 0 byte_offset: 12 byte_stride: -4 "
                          "} ")),
      0);
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_THAT(*result, ElementsAre(13, 12, 11, 10));
}

TEST_F(DynamicSliceFusionThunkTest, AProgressionThatLeavesTheBufferStaysAtItsEnd) {
  auto result =
      After(Loop(7, CopyElement("slice_config { loop_index: 0 byte_stride: 4 } ",
                                UpdateIndex(zero_))),
            0);
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_THAT(*result, ElementsAre(13, 0, 0, 0));
}

TEST_F(DynamicSliceFusionThunkTest, LoopNumberZeroIsTheInnermost) {
  for (auto [loop_index, last] : {std::pair(0, 11), std::pair(1, 12)}) {
    // 3 outer iterations of 2 inner ones; the last ones are 2 and 1.
    auto result =
        After(Loop(3, Loop(2, CopyElement(absl::StrCat("slice_config { loop_index: ",
                                                       loop_index, " byte_stride: 4 } "),
                                          UpdateIndex(zero_)))),
              0);
    ASSERT_TRUE(result.ok()) << result.status();
    EXPECT_THAT(*result, ElementsAre(last, 0, 0, 0)) << loop_index;
  }
}

TEST_F(DynamicSliceFusionThunkTest, AConfigWithoutALoopAroundItIsRefusedAtLoad) {
  auto result = After(
      CopyElement("slice_config { loop_index: 0 byte_stride: 4 } ", UpdateIndex(zero_)),
      0);
  EXPECT_EQ(result.status().code(), absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace thunky::runtime
