// Collectives: spec section 2's verifier, rules 15 to 17.
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "thunky/frontend/expect_error.h"
#include "thunky/thunky.h"

namespace thunky {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

const CollectiveOptions kY = {.axis_name = "y"};  // groups of 4
const CollectiveOptions kX = {.axis_name = "x"};  // groups of 2

// In a mesh of two by four devices.
class Collectives : public ::testing::Test {
 protected:
  const MeshScope scope_{Mesh{{"x", 2}, {"y", 4}}};
};

TEST_F(Collectives, Spec2_EachIsOneOperation) {
  const Program program = jit(
      [](Ref x, Ref y) {
        all_reduce(x, x, "sum", kY);
        all_gather(x, y, kY);
        reduce_scatter(y, x, "max", kY);
        all_to_all(x, x, kY);
        collective_permute(x, x, {{0, 1}}, kY);
      },
      {f32(4), f32(16)});
  EXPECT_THAT(
      program.module_text(),
      AllOf(HasSubstr("thunky.all_reduce sum (%arg0 : <16>) -> (%arg0 : <16>)"),
            HasSubstr("thunky.all_gather (%arg0 : <16>) -> (%arg1 : <64>)"),
            HasSubstr("thunky.reduce_scatter max (%arg1 : <64>) -> (%arg0 : <16>)"),
            HasSubstr("thunky.all_to_all"), HasSubstr("thunky.collective_permute"),
            HasSubstr("mode flattened_id"), HasSubstr("element_type = f32")));
}

TEST_F(Collectives, Spec8Rule11_ReadTheirSourcesAndWriteTheirDestinations) {
  const Program program =
      jit([](Ref x, Ref y) { all_reduce(x, y, "sum", kY); }, {f32(4), f32(4)});
  EXPECT_TRUE(program.arguments()[0].effect.read);
  EXPECT_FALSE(program.arguments()[0].effect.written);
  EXPECT_FALSE(program.arguments()[1].effect.read);
  EXPECT_TRUE(program.arguments()[1].effect.written);
}

TEST_F(Collectives, Spec8Rule15_ReductionNamesAreCheckedWhenTraced) {
  const Program program = jit(
      [](Ref x) {
        for (const char* name : {"sum", "prod", "min", "max", "product"}) {
          all_reduce(x, x, name, kY);
        }
        EXPECT_INVALID(all_reduce(x, x, "mean", kY),
                       "all_reduce: reduction 'mean'; sum, prod, min and max are known");
        EXPECT_INVALID(all_reduce(x, x, "", kY),
                       "all_reduce: reduction ''; sum, prod, min and max are known");
        EXPECT_INVALID(all_reduce(x, x, "SUM", kY),
                       "all_reduce: reduction 'SUM'; sum, prod, min and max are known");
        EXPECT_INVALID(reduce_scatter(x, x[0], "add", kY),
                       "reduce_scatter: reduction 'add'");
      },
      {f32(4, 4)});
  EXPECT_THAT(program.module_text(), Not(HasSubstr("product")));
}

TEST_F(Collectives, Spec8Rule15_PairsHaveOneElementType) {
  jit(
      [](Ref x, Ref y) {
        EXPECT_INVALID(
            all_reduce(x, y, "sum", kY),
            "all_reduce: pair 0 is f32[4] and s32[4]; one element type is needed");
        EXPECT_INVALID(all_gather({x, x}, {y, y}, kY), "all_gather: pair 0 is f32[4]");
        EXPECT_INVALID(all_reduce({x, y}, {x, x}, "sum", kY),
                       "all_reduce: pair 1 is s32[4] and f32[4]");
      },
      {f32(4), i32(4)});
}

TEST_F(Collectives, Spec8Rule15_PairsMayDiffer) {
  const Program program = jit([](Ref x, Ref y) { all_reduce({x, y}, {x, y}, "sum", kY); },
                              {f32(4), i64(2, 3)});
  EXPECT_THAT(
      program.module_text(),
      AllOf(HasSubstr("(%arg0 : <16>, %arg1 : <48>) -> (%arg0 : <16>, %arg1 : <48>)"),
            HasSubstr("element_type = [f32, i64]")));
}

TEST_F(Collectives, Spec8Rule15_ElementsAreWholeBytes) {
  jit(
      [](Ref x) {
        EXPECT_INVALID(
            all_reduce(x, x, "sum", kY),
            "all_reduce: pair 0 has elements of 4 bits; whole bytes are needed");
      },
      {i4(8)});
}

TEST_F(Collectives, Spec8Rule15_AllReduceHasOneShape) {
  jit(
      [](Ref x, Ref y) {
        EXPECT_INVALID(all_reduce(x, y, "sum", kY),
                       "all_reduce: pair 0 is f32[4] and f32[2,2]; one shape is needed");
        all_reduce(x, y.reshape({4}), "sum", kY);
      },
      {f32(4), f32(2, 2)});
}

TEST_F(Collectives, Spec4_SourcesAndDestinationsArePairs) {
  jit(
      [](Ref x) {
        EXPECT_INVALID(
            all_reduce({x, x}, x, "sum", kY),
            "all_reduce: 2 sources and 1 destinations; pairs are needed, at least one");
        EXPECT_INVALID(all_gather(std::vector<Ref>(), std::vector<Ref>(), kY),
                       "all_gather: 0 sources and 0 destinations");
      },
      {f32(4)});
}

TEST_F(Collectives, Spec2_SizesFitTheGroup) {
  jit(
      [](Ref four, Ref eight, Ref sixteen) {
        EXPECT_INVALID(all_gather(four, eight, kY),
                       "all_gather: buffers[0] has 4 elements of f32, a source of 16 "
                       "bytes and a destination of 32 bytes, which do not fit together");
        all_gather(four, eight, kX);
        EXPECT_INVALID(all_gather(four, sixteen, kX),
                       "all_gather: buffers[0] has 4 elements of f32, a source of 16 "
                       "bytes and a destination of 64 bytes, which do not fit together");
        EXPECT_INVALID(
            reduce_scatter(eight, four, "sum", kY),
            "reduce_scatter: buffers[0] has a source of 32 bytes and a destination of 16 "
            "bytes in groups of 4; each member gets its equal part");
        reduce_scatter(sixteen, four, "sum", kY);
        EXPECT_INVALID(
            collective_permute(four, eight, {{0, 1}}, kY),
            "collective_permute: buffers[0] has 4 elements of f32, a source of 16 bytes "
            "and a destination of 32 bytes, which do not fit together");
      },
      {f32(4), f32(8), f32(16)});
}

TEST_F(Collectives, Spec8Rule15_OneRangeIsFineAndAPartialOverlapIsAnError) {
  jit(
      [](Ref x) {
        const Ref low = x[slice(0, 4)];
        all_reduce(low, low, "sum", kY);
        EXPECT_INVALID(
            all_reduce(low, x[slice(2, 6)], "sum", kY),
            "all_reduce: buffers[0].source_buffer (allocation 0 [0, 16), read) and "
            "buffers[0].destination_buffer (allocation 0 [8, 24), write_all) overlap in "
            "part; buffers of one thunk must be equal or apart when one is written");
        EXPECT_INVALID(collective_permute(low, x[slice(3, 7)], {{0, 1}}, kY),
                       "collective_permute: buffers[0].source_buffer (allocation 0 [0, "
                       "16), read) and buffers[0].destination_buffer (allocation 0 [12, "
                       "28), write_all) overlap in part; buffers of one thunk must be "
                       "equal or apart when one is written");
      },
      {f32(8)});
}

TEST_F(Collectives, Spec8Rule15_AllToAllWithASplitDimensionTakesOnePair) {
  const Program program = jit(
      [](Ref x, Ref y, Ref odd) {
        all_to_all(x, y, kY);
        all_to_all({x}, {y}, kY);
        EXPECT_INVALID(
            all_to_all({x, x}, {y, y}, kY),
            "all_to_all: has 2 buffers; with a split dimension there must be one");
        EXPECT_INVALID(
            all_to_all(odd, odd, kY),
            "all_to_all: has 6 elements, which 4 members cannot share equally");
      },
      {f32(8), f32(8), f32(6)});
  EXPECT_THAT(program.module_text(), Not(HasSubstr("has_split_dimension")));
}

TEST_F(Collectives, Spec8Rule15_AllToAllWithoutOneTakesAPairForEachMember) {
  const Program program = jit(
      [](Ref x, Ref y, Ref wide) {
        all_to_all({x[0], x[1]}, {y[0], y[1]}, kX, /*has_split_dimension=*/false);
        EXPECT_INVALID(all_to_all({x[0], x[1]}, {y[0], y[1]}, kY, false),
                       "all_to_all: has 2 buffers in groups of 4; without a split "
                       "dimension there must be one a member");
        EXPECT_INVALID(all_to_all(x[0], y[0], kX, false),
                       "all_to_all: has 1 buffers in groups of 2; without a split "
                       "dimension there must be one a member");
        EXPECT_INVALID(all_to_all({x[0], wide}, {y[0], wide}, kX, false),
                       "all_to_all: has buffers of different sizes; without a split "
                       "dimension they must be equal");
      },
      {f32(2, 4), f32(2, 4), f32(8)});
  EXPECT_THAT(program.module_text(), HasSubstr("has_split_dimension = false"));
}

std::string pairs_of(const std::vector<std::pair<int64_t, int64_t>>& pairs,
                     const CollectiveOptions& options) {
  const std::string text =
      jit([&](Ref x, Ref y) { collective_permute(x, y, pairs, options); },
          {f32(4), f32(4)})
          .module_text();
  const std::string name = "source_target_pairs = ";
  const size_t begin = text.find(name) + name.size();
  const size_t end = text.find(']', text.find("]]", begin));
  return text.substr(begin, end + 2 - begin);
}

TEST_F(Collectives, Spec5_PermutePairsAreIndicesInEveryGroup) {
  EXPECT_EQ(pairs_of({{0, 1}, {3, 0}}, kY), "[[0, 1], [3, 0], [4, 5], [7, 4]]");
  EXPECT_EQ(pairs_of({{0, 1}}, kX), "[[0, 4], [1, 5], [2, 6], [3, 7]]");
}

TEST_F(Collectives, Spec8Rule17_PermutePairsAreModuloTheGroupInTheirOrder) {
  // A shift: the last one's neighbour is the first.
  EXPECT_EQ(pairs_of({{3, 4}, {2, 3}, {-4, 1}}, kY),
            "[[3, 0], [2, 3], [0, 1], [7, 4], [6, 7], [4, 5]]");
  EXPECT_EQ(pairs_of({{-1, -3}}, kX), "[[4, 4], [5, 5], [6, 6], [7, 7]]");
}

TEST_F(Collectives, Spec8Rule17_PermuteSourcesAndTargetsAreUniqueAfterThat) {
  jit(
      [](Ref x) {
        EXPECT_INVALID(
            collective_permute(x, x, {{0, 1}, {0, 2}}, kY),
            "collective_permute: pair (0, 2) repeats a source or a target, counted "
            "modulo 4");
        EXPECT_INVALID(collective_permute(x, x, {{0, 1}, {4, 2}}, kY),
                       "collective_permute: pair (4, 2) repeats a source or a target, "
                       "counted modulo 4");
        EXPECT_INVALID(collective_permute(x, x, {{0, 1}, {2, -3}}, kY),
                       "collective_permute: pair (2, -3) repeats a source or a target, "
                       "counted modulo 4");
        const int64_t least = std::numeric_limits<int64_t>::min();
        collective_permute(x, x, {{least, least}}, kY);
      },
      {f32(4)});
}

TEST_F(Collectives, Spec8Rule15_AGroupHoldsCollectivesOnly) {
  const Program program = jit(
      [](Ref x, Ref y) {
        collective_group([&] {
          all_reduce(x[0], x[0], "sum", kY);
          collective_permute(x[1], y, {{0, 1}}, kY);
        });
        EXPECT_INVALID(collective_group([&] { memzero(y); }),
                       "collective_group: holds thunky.memzero; only slice_buffer, "
                       "all_reduce, all_gather, reduce_scatter, all_to_all, "
                       "collective_permute");
        EXPECT_INVALID(collective_group([&] { collective_group([] {}); }),
                       "collective_group: holds thunky.collective_group");
        EXPECT_INVALID(
            collective_group([&] { copy(x[0], y); }),
            "collective_group: holds thunky.copy; only slice_buffer, all_reduce, "
            "all_gather, reduce_scatter, all_to_all, collective_permute and payloads "
            "that are collectives, send or recv are allowed in a group");
      },
      {f32(2, 4), f32(4)});
  EXPECT_THAT(program.module_text(), HasSubstr("thunky.collective_group"));
}

TEST_F(Collectives, Spec8Rule15_AConflictInAGroupIsARace) {
  const Program program = jit(
      [](Ref x, Ref y) {
        collective_group([&] {
          all_reduce(x, y, "sum", kY);
          all_reduce(y, x, "sum", kY);
        });
      },
      {f32(4), f32(4)});
  bool race = false;
  for (const Finding& finding : program.check()) {
    race |= finding.kind == Finding::Kind::kRace && finding.error;
  }
  EXPECT_TRUE(race);
}

TEST_F(Collectives, Spec2Verifier_AConstantIsNoDestination) {
  jit(
      [](Ref x) {
        EXPECT_INVALID(all_reduce(x, constant(std::vector<float>(4)), "sum", kY),
                       "all_reduce: buffers[0].destination_buffer writes a constant; "
                       "constants are read only");
      },
      {f32(4)});
}

TEST_F(Collectives, Spec6_BranchesThatIssueThemInDifferentOrdersAreReported) {
  const Program program = jit(
      [](Ref flag, Ref x, Ref y) {
        cond(
            flag,
            [&] {
              all_reduce(x, x, "sum", kY);
              all_reduce(y, y, "sum", kX);
            },
            [&] {
              all_reduce(y, y, "sum", kX);
              all_reduce(x, x, "sum", kY);
            });
      },
      {boolean, f32(4), f32(4)});
  const std::vector<Finding> findings = program.check();
  ASSERT_FALSE(findings.empty());
  EXPECT_EQ(findings[0].kind, Finding::Kind::kCollectiveOrder);
  EXPECT_THAT(findings[0].first.file, HasSubstr("collectives_test.cc"));
}

}  // namespace
}  // namespace thunky
