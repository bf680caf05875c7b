#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "thunky/schema/test_programs.h"

namespace thunky::schema {
namespace {

// A device to device copy between allocations.
std::string Copy(const std::string& from, const std::string& to, int64_t mem_size) {
  return absl::StrCat(
      "device_to_device_copy_thunk { copy_thunk { source_buffer { slice { ", from,
      " } } destination_buffer { slice { ", to, " } } mem_size: ", mem_size, " } }");
}

TEST(CopyTest, ReadsAndWrites) {
  EXPECT_THAT(
      AccessText(Copy("size: 8", "buffer_allocation_index: 1 offset: 4 size: 8", 8)),
      testing::ElementsAre("source_buffer read 0 [0, 8)",
                           "destination_buffer write_all 1 [4, 12)"));
}

TEST(CopyTest, EveryKindOfCopyHasTheSameRules) {
  const auto copy = [](const std::string& open, const std::string& close, int mem_size) {
    return absl::StrCat(
        open,
        " { source_buffer { slice { size: 8 } } destination_buffer { slice "
        "{ size: 8 buffer_allocation_index: 1 } } mem_size: ",
        mem_size, " }", close);
  };
  const std::vector<std::pair<std::string, std::string>> kinds = {
      {"copy_thunk", ""},
      {"device_to_host_copy_thunk { copy_thunk", " }"},
      {"host_to_device_copy_thunk { copy_thunk", " }"},
      {"device_to_device_copy_thunk { copy_thunk", " }"}};
  for (const auto& [open, close] : kinds) {
    EXPECT_THAT(VerifyThunk(copy(open, close, 8)), Succeeds());
    EXPECT_THAT(AccessText(copy(open, close, 8)),
                testing::ElementsAre("source_buffer read 0 [0, 8)",
                                     "destination_buffer write_all 1 [0, 8)"));
    EXPECT_THAT(VerifyThunk(copy(open, close, 9)),
                FailsWith("mem_size is 9; the buffers have 8 bytes"));
  }
}

TEST(CopyTest, SizesAreEqual) {
  EXPECT_THAT(VerifyThunk(Copy("size: 8", "offset: 16 size: 4", 8)),
              FailsWith("source_buffer has 8 bytes and destination_buffer 4"));
}

TEST(CopyTest, RangesAreEqualOrApart) {
  EXPECT_THAT(VerifyThunk(Copy("size: 8", "size: 8", 8)), Succeeds());
  EXPECT_THAT(VerifyThunk(Copy("size: 8", "offset: 8 size: 8", 8)), Succeeds());
  EXPECT_THAT(VerifyThunk(Copy("size: 0", "size: 0", 0)), Succeeds());
  EXPECT_THAT(
      VerifyThunk(Copy("size: 8", "offset: 4 size: 8", 8)),
      FailsWith("source_buffer (allocation 0 [0, 8), read) and destination_buffer "
                "(allocation 0 [4, 12), write_all) overlap in part"));
}

TEST(CopyTest, BuffersArePresentAndInRange) {
  EXPECT_THAT(VerifyThunk("copy_thunk { destination_buffer { slice { } } }"),
              FailsWith("source_buffer is missing"));
  EXPECT_THAT(VerifyThunk("copy_thunk { source_buffer { slice { } } }"),
              FailsWith("destination_buffer is missing"));
  EXPECT_THAT(VerifyThunk("copy_thunk { source_buffer { } destination_buffer { } }"),
              FailsWith("source_buffer has no slice"));
  EXPECT_THAT(VerifyThunk(Copy("size: 65", "buffer_allocation_index: 1 size: 65", 65)),
              FailsWith("source_buffer has offset 0 and size 65, past the end"));
  EXPECT_THAT(VerifyThunk(Copy("size: 8", "offset: -8 size: 8", 8)),
              FailsWith("destination_buffer has offset -8"));
}

TEST(CopyTest, ShapesFitTheirSlices) {
  const auto shaped = [](const std::string& shape) {
    return absl::StrCat("copy_thunk { source_buffer { slice { size: 8 } shape { ", shape,
                        " } } destination_buffer { slice { offset: 8 size: 8 } } "
                        "mem_size: 8 }");
  };
  EXPECT_THAT(VerifyThunk(shaped("element_type: F32 dimensions: 2")), Succeeds());
  EXPECT_THAT(VerifyThunk(shaped("element_type: TOKEN")), Succeeds());
  EXPECT_THAT(VerifyThunk(shaped("element_type: F32 dimensions: 3")),
              FailsWith("source_buffer has 8 bytes; its shape f32[3] takes 12"));
  EXPECT_THAT(VerifyThunk(shaped("element_type: F32 dimensions: -1")),
              FailsWith("source_buffer has a bad shape: dimension 0 is -1"));
}

}  // namespace
}  // namespace thunky::schema
