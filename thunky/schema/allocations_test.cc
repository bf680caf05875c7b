#include "thunky/schema/allocations.h"

#include <limits>

#include "thunky/schema/kinds/slices.h"
#include "thunky/schema/test_programs.h"

namespace thunky::schema {
namespace {

constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

absl::Status TableOf(const std::string& text) {
  const auto list = Parse<wire::GpuExecutableProto::RepeatedBufferAllocations>(text);
  return AllocationTable::Of(list.values()).status();
}

TEST(AllocationTableTest, TakesIndicesInAnyOrder) {
  const auto list = Parse<wire::GpuExecutableProto::RepeatedBufferAllocations>(
      "values { index: 1 size: 8 } values { index: 0 size: 4 }");
  const auto table = AllocationTable::Of(list.values());
  ASSERT_TRUE(table.ok()) << table.status();
  EXPECT_EQ(table->count(), 2);
  EXPECT_EQ(table->total_size(), 12);
  EXPECT_EQ(table->at(0).size(), 4);
  EXPECT_EQ(table->at(1).size(), 8);
}

TEST(AllocationTableTest, RefusesBadLists) {
  EXPECT_THAT(TableOf("values { index: 1 }"),
              FailsWith("allocation 1: the index is out of range; allocations are "
                        "numbered 0 to 0"));
  EXPECT_THAT(TableOf("values { index: -1 }"), FailsWith("allocation -1: the index"));
  EXPECT_THAT(TableOf("values { size: 4 } values { size: 4 }"),
              FailsWith("allocation 0: two allocations have this index"));
  EXPECT_THAT(TableOf("values { size: -4 }"), FailsWith("allocation 0: the size is -4"));
  EXPECT_THAT(TableOf("values { size: 9223372036854775807 } values { index: 1 size: 1 }"),
              FailsWith("allocation 1: with its 1 bytes"));
}

TEST(AllocationTableTest, ChecksSlices) {
  const wire::GpuExecutableProto program = Program({64, 0}, "");
  const auto table = AllocationTable::Of(program.buffer_allocations().values());
  ASSERT_TRUE(table.ok());
  EXPECT_THAT(table->Check({0, 0, 64}), Succeeds());
  EXPECT_THAT(table->Check({0, 64, 0}), Succeeds());
  EXPECT_THAT(table->Check({1, 0, 0}), Succeeds());
  EXPECT_THAT(table->Check({0, 60, 5}), FailsWith("past the end of allocation 0"));
  EXPECT_THAT(table->Check({0, 65, 0}), FailsWith("past the end of allocation 0"));
  EXPECT_THAT(table->Check({0, kMax, kMax}), FailsWith("past the end"));
  EXPECT_THAT(table->Check({0, -1, 4}), FailsWith("has offset -1 and size 4"));
  EXPECT_THAT(table->Check({0, 0, -4}), FailsWith("neither may be negative"));
  EXPECT_THAT(table->Check({2, 0, 4}), FailsWith("refers to allocation 2"));
  EXPECT_THAT(table->Check({-1, 0, 4}), FailsWith("refers to allocation -1"));
}

TEST(AllocationsOfTest, TakesEitherPlace) {
  auto own = Parse<wire::GpuExecutableProto>("buffer_allocations { values { size: 4 } }");
  EXPECT_EQ((*AllocationsOf(own))->size(), 1);
  auto assigned = Parse<wire::GpuExecutableProto>(
      "buffer_assignment { buffer_allocations { size: 4 } }");
  EXPECT_EQ((*AllocationsOf(assigned))->Get(0).size(), 4);
  own.MergeFrom(assigned);
  EXPECT_TRUE(AllocationsOf(own).ok());
}

TEST(AllocationsOfTest, BothPlacesMustAgree) {
  EXPECT_THAT(AllocationsOf(Parse<wire::GpuExecutableProto>(
                                "buffer_allocations { values { size: 4 } } "
                                "buffer_assignment { buffer_allocations { size: 5 } }"))
                  .status(),
              FailsWith("allocation 0: buffer_allocations gives it 4 bytes"));
  EXPECT_THAT(AllocationsOf(Parse<wire::GpuExecutableProto>(
                                "buffer_allocations { } "
                                "buffer_assignment { buffer_allocations { size: 5 } }"))
                  .status(),
              FailsWith("buffer_allocations has 0 allocations and buffer_assignment 1"));
}

TEST(AccessTest, OverlapIsBySharedBytes) {
  EXPECT_TRUE(Overlap({0, 0, 8}, {0, 7, 8}));
  EXPECT_TRUE(Overlap({0, 0, 8}, {0, 0, 8}));
  EXPECT_FALSE(Overlap({0, 0, 8}, {0, 8, 8}));
  EXPECT_FALSE(Overlap({0, 0, 8}, {1, 0, 8}));
  EXPECT_FALSE(Overlap({0, 4, 0}, {0, 0, 8}));
}

// The rule on the buffers of one thunk, against the obvious way to state it.
TEST(AccessTest, PartialOverlapsAreFoundLikePairByPair) {
  const wire::GpuExecutableProto program = Program({4, 4}, "");
  const auto table = AllocationTable::Of(program.buffer_allocations().values());
  ASSERT_TRUE(table.ok());
  std::vector<Access> choices;
  for (int64_t offset = 0; offset < 3; ++offset) {
    for (int64_t size = 0; offset + size <= 3; ++size) {
      choices.push_back({{0, offset, size}, AccessMode::kRead, "r"});
      choices.push_back({{0, offset, size}, AccessMode::kWrite, "w"});
    }
  }
  choices.push_back({{1, 0, 2}, AccessMode::kWrite, "other"});
  const auto conflict = [](const Access& a, const Access& b) {
    return (Writes(a.mode) || Writes(b.mode)) && Overlap(a.slice, b.slice) &&
           a.slice != b.slice;
  };
  int conflicts = 0;
  for (const Access& a : choices) {
    for (const Access& b : choices) {
      for (const Access& c : choices) {
        const bool expected = conflict(a, b) || conflict(a, c) || conflict(b, c);
        conflicts += expected;
        EXPECT_EQ(!kinds::CheckAccesses({a, b, c}, {*table, 0}).ok(), expected)
            << ToString(a.slice) << ToString(b.slice) << ToString(c.slice);
      }
    }
  }
  EXPECT_GT(conflicts, 1000);
}

}  // namespace
}  // namespace thunky::schema
