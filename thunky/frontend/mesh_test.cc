// Meshes and groups of devices: spec section 5, rules 18 and 20.
#include <string>
#include <thread>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "thunky/frontend/expect_error.h"
#include "thunky/thunky.h"

namespace thunky {
namespace {

using ::testing::HasSubstr;

// The groups of an all_reduce on the mesh, as the module says them.
std::string groups_of(const Mesh& mesh, const CollectiveOptions& options) {
  const MeshScope scope(mesh);
  const std::string text =
      jit([&](Ref x) { all_reduce(x, x, "sum", options); }, {f32(4)}).module_text();
  const std::string name = "replica_groups = ";
  const size_t begin = text.find(name) + name.size();
  size_t end = begin;
  int depth = 0;
  do {
    depth += text.at(end) == '[' ? 1 : text.at(end) == ']' ? -1 : 0;
    ++end;
  } while (depth > 0);
  return text.substr(begin, end - begin);
}

// Two by four devices.
Mesh xy() { return {{"x", 2}, {"y", 4}}; }
// Two by three by two.
Mesh abc() { return {{"a", 2}, {"b", 3}, {"c", 2}}; }

TEST(Spec5Mesh, DevicesAreNumberedRowMajor) {
  EXPECT_EQ(xy().device_count(), 8);
  EXPECT_EQ(groups_of(xy(), {.axis_name = "y"}), "[[0, 1, 2, 3], [4, 5, 6, 7]]");
  EXPECT_EQ(groups_of(xy(), {.axis_name = "x"}), "[[0, 4], [1, 5], [2, 6], [3, 7]]");
}

TEST(Spec5Mesh, TheOrderOfTheAxesSetsTheOrderInTheGroup) {
  EXPECT_EQ(groups_of(xy(), {.axis_name = {"x", "y"}}), "[[0, 1, 2, 3, 4, 5, 6, 7]]");
  EXPECT_EQ(groups_of(xy(), {.axis_name = {"y", "x"}}), "[[0, 4, 1, 5, 2, 6, 3, 7]]");
  EXPECT_EQ(groups_of(abc(), {.axis_name = {"c", "a"}}),
            "[[0, 6, 1, 7], [2, 8, 3, 9], [4, 10, 5, 11]]");
}

TEST(Spec8Rule18, GroupsAreInRowMajorOrderOfTheOtherAxes) {
  EXPECT_EQ(groups_of(abc(), {.axis_name = "b"}),
            "[[0, 2, 4], [1, 3, 5], [6, 8, 10], [7, 9, 11]]");
}

TEST(Spec5Mesh, AxesOfSizeOne) {
  EXPECT_EQ(groups_of({{"x", 1}}, {.axis_name = "x"}), "[[0]]");
  EXPECT_EQ(groups_of({{"x", 1}, {"y", 3}}, {.axis_name = "x"}), "[[0], [1], [2]]");
  EXPECT_EQ(groups_of({{"x", 1}, {"y", 3}}, {.axis_name = "y"}), "[[0, 1, 2]]");
}

TEST(Spec8Rule18, IndexGroupsDivideEachGroupOfTheMesh) {
  EXPECT_EQ(groups_of(xy(), {.axis_name = "y",
                             .axis_index_groups = GroupLists{{0, 2}, {1, 3}}}),
            "[[0, 2], [1, 3], [4, 6], [5, 7]]");
  EXPECT_EQ(groups_of(xy(), {.axis_name = "y",
                             .axis_index_groups = GroupLists{{3, 0}, {1, 2}}}),
            "[[3, 0], [1, 2], [7, 4], [5, 6]]");
}

TEST(Spec8Rule18, IndexGroupsOfSeveralAxesCountAlongTheGroup) {
  // Index 1 of the group of y and x is device 4.
  EXPECT_EQ(
      groups_of(xy(), {.axis_name = {"y", "x"},
                       .axis_index_groups = GroupLists{{0, 1, 2, 3}, {4, 5, 6, 7}}}),
      "[[0, 4, 1, 5], [2, 6, 3, 7]]");
}

TEST(Spec8Rule18, UnequalIndexGroupsAreForAllReduceOnly) {
  const CollectiveOptions options = {.axis_name = "y",
                                     .axis_index_groups = GroupLists{{0}, {1, 2, 3}}};
  EXPECT_EQ(groups_of(xy(), options), "[[0], [1, 2, 3], [4], [5, 6, 7]]");
  const MeshScope scope(xy());
  jit(
      [&](Ref x, Ref y) {
        const std::string text =
            "axis_index_groups have 1 and 3 members; groups of one size are needed "
            "(all_reduce takes others)";
        EXPECT_INVALID(all_gather(x, y, options), "all_gather: " + text);
        EXPECT_INVALID(reduce_scatter(y, x, "sum", options), "reduce_scatter: " + text);
        EXPECT_INVALID(all_to_all(x, x, options), "all_to_all: " + text);
        EXPECT_INVALID(collective_permute(x, x, {{0, 1}}, options),
                       "collective_permute: " + text);
      },
      {f32(4), f32(8)});
}

TEST(Spec5Mesh, IndexGroupsCoverEachIndexOnce) {
  const MeshScope scope(xy());
  jit(
      [](Ref x) {
        const auto reduce = [&](GroupLists groups) {
          all_reduce(x, x, "sum",
                     {.axis_name = "y", .axis_index_groups = std::move(groups)});
        };
        const auto message = [&](GroupLists groups) {
          const auto error = error_of([&] { reduce(std::move(groups)); });
          return error ? error->message() : "nothing was thrown";
        };
        EXPECT_INVALID(
            all_reduce(
                x, x, "sum",
                {.axis_name = "y", .axis_index_groups = GroupLists{{0, 1}, {2, 2}}}),
            "all_reduce: axis_index_groups [[0, 1], [2, 2]] must name each index from 0 "
            "to 3 once");
        EXPECT_THAT(message({{0, 1}, {2}}), HasSubstr("[[0, 1], [2]] must name"));
        EXPECT_THAT(message({{0, 1}, {2, 4}}), HasSubstr("must name"));
        EXPECT_THAT(message({{0, 1}, {2, -1}}), HasSubstr("must name"));
        EXPECT_THAT(message({{0, 1, 2, 3}, {}}), HasSubstr("must name"));
        EXPECT_THAT(message({{0, 1, 2, 3, 0}}), HasSubstr("must name"));
        EXPECT_THAT(message({}), HasSubstr("[] must name"));
      },
      {f32(4)});
}

TEST(Spec5Mesh, AnUnknownAxisIsAnErrorListingTheAxes) {
  const MeshScope scope(xy());
  jit(
      [](Ref x) {
        EXPECT_INVALID(all_reduce(x, x, "sum", {.axis_name = "z"}),
                       "all_reduce: there is no axis 'z'; the mesh has 'x' (2), 'y' (4)");
        EXPECT_INVALID(all_gather(x, x, {.axis_name = {"x", "z"}}),
                       "all_gather: there is no axis 'z'; the mesh has 'x' (2), 'y' (4)");
      },
      {f32(4)});
}

TEST(Spec8Rule18, AnAxisIsNamedOnce) {
  const MeshScope scope(xy());
  jit(
      [](Ref x) {
        EXPECT_INVALID(all_reduce(x, x, "sum", {.axis_name = {"x", "x"}}),
                       "all_reduce: axis 'x' is named twice");
        EXPECT_INVALID(all_reduce(x, x, "sum", {}),
                       "all_reduce: no axis is named; the mesh has 'x' (2), 'y' (4)");
      },
      {f32(4)});
}

TEST(Spec5Mesh, ACollectiveOutsideAMeshIsAnErrorThatSaysHowToEnterOne) {
  jit(
      [](Ref x) {
        const std::string text =
            ": there is no mesh; enter one around the call: "
            "MeshScope scope(Mesh{{\"x\", 8}});";
        EXPECT_ERROR(all_reduce(x, x, "sum", {.axis_name = "x"}),
                     ErrorCode::failed_precondition, "all_reduce" + text);
        EXPECT_ERROR(all_gather(x, x, {.axis_name = "x"}), ErrorCode::failed_precondition,
                     "all_gather" + text);
        EXPECT_ERROR(reduce_scatter(x, x, "sum", {.axis_name = "x"}),
                     ErrorCode::failed_precondition, "reduce_scatter" + text);
        EXPECT_ERROR(all_to_all(x, x, {.axis_name = "x"}), ErrorCode::failed_precondition,
                     "all_to_all" + text);
        EXPECT_ERROR(collective_permute(x, x, {{0, 0}}, {.axis_name = "x"}),
                     ErrorCode::failed_precondition, "collective_permute" + text);
        // A group holds nothing yet, and needs none.
        collective_group([] {});
      },
      {f32(4)});
}

TEST(Spec5Mesh, ScopesNestAndAreTheirThreads) {
  const MeshScope outer(xy());
  const auto message = [] {
    std::string text;
    jit(
        [&](Ref x) {
          const auto error =
              error_of([&] { all_reduce(x, x, "sum", {.axis_name = "z"}); });
          text = error ? error->message() : "";
        },
        {f32(4)});
    return text;
  };
  {
    const MeshScope inner(abc());
    EXPECT_THAT(message(), HasSubstr("'a' (2), 'b' (3), 'c' (2)"));
  }
  EXPECT_THAT(message(), HasSubstr("the mesh has 'x' (2), 'y' (4)"));
  std::string elsewhere;
  std::thread([&] { elsewhere = message(); }).join();
  EXPECT_THAT(elsewhere, HasSubstr("there is no mesh"));
}

TEST(Spec5Mesh, AxesHaveNamesAndSizes) {
  EXPECT_INVALID(Mesh(std::vector<Mesh::Axis>()),
                 "Mesh: there is no axis; at least one is needed");
  EXPECT_INVALID((Mesh{{"x", 2}, {"", 2}}), "Mesh: an axis has no name");
  EXPECT_INVALID((Mesh{{"x", 2}, {"x", 4}}), "Mesh: there are two axes 'x'");
  EXPECT_INVALID((Mesh{{"x", 0}}), "Mesh: axis 'x' has size 0; at least 1 is needed");
  EXPECT_INVALID((Mesh{{"x", -3}}), "Mesh: axis 'x' has size -3; at least 1 is needed");
  EXPECT_INVALID((Mesh{{"x", int64_t{1} << 31}}), "Mesh: more than 1048576 devices");
  EXPECT_INVALID((Mesh{{"x", int64_t{1} << 62}, {"y", 4}}),
                 "Mesh: more than 1048576 devices");
}

}  // namespace
}  // namespace thunky
