// Meshes of devices, and collectives along their axes.
//
//   const Mesh mesh{{"x", 2}, {"y", 4}};   // 8 devices, numbered row-major
//   MeshScope scope(mesh);
//   all_reduce(x, y, "sum", {.axis_name = "y"});   // 2 groups of 4
#ifndef THUNKY_FRONTEND_COLLECTIVES_H_
#define THUNKY_FRONTEND_COLLECTIVES_H_

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <source_location>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "thunky/api/visibility.h"
#include "thunky/frontend/operations.h"
#include "thunky/frontend/ref.h"

namespace thunky {

// Named axes over devices, numbered row-major: the last axis varies fastest.
class THUNKY_API Mesh {
 public:
  struct Axis {
    std::string name;
    int64_t size = 1;
  };

  // Errors: no axis; an empty name, or one that is there twice; a size below 1; more than
  // 1,048,576 devices.
  Mesh(std::initializer_list<Axis> axes,
       const std::source_location& where = std::source_location::current());
  explicit Mesh(std::vector<Axis> axes,
                const std::source_location& where = std::source_location::current());

  const std::vector<Axis>& axes() const { return axes_; }
  int64_t device_count() const;

 private:
  std::vector<Axis> axes_;
};

// While it lives, collectives of this thread are along the axes of the mesh. Scopes nest;
// the innermost counts.
class THUNKY_API MeshScope {
 public:
  explicit MeshScope(Mesh mesh);
  ~MeshScope();
  MeshScope(const MeshScope&) = delete;
  MeshScope& operator=(const MeshScope&) = delete;
};

// One axis, or several: the first varies slowest in the order of a group.
struct AxisNames {
  std::vector<std::string> names;

  AxisNames() = default;
  AxisNames(const char* name) : names({name}) {}             // NOLINT
  AxisNames(std::string name) : names({std::move(name)}) {}  // NOLINT
  AxisNames(std::initializer_list<std::string> list) : names(list) {}
};

using GroupLists = std::vector<std::vector<int64_t>>;

struct CollectiveOptions {
  AxisNames axis_name = {};
  // Divides each group of the axes further: lists of indices into the group, each index
  // once. Lists of unequal length for all_reduce only.
  std::optional<GroupLists> axis_index_groups = std::nullopt;
};

// One ref, or several: pair i is source i and destination i, and all go as one call.
struct Refs {
  std::vector<Ref> list;

  Refs(const Ref& ref) : list({ref}) {}  // NOLINT
  Refs(std::initializer_list<Ref> refs) : list(refs) {}
  Refs(std::vector<Ref> refs) : list(std::move(refs)) {}  // NOLINT
};

// Errors of all: no mesh around the call; an axis that it does not have, or twice; index
// groups that do not name each index once; element types that differ between source and
// destination or are below a byte; sizes that do not fit, as each says; source and
// destination that overlap in part.

// Each member of a group gets the combined sources. `reduction` is "sum", "prod" (or
// "product"), "min" or "max". Source and destination have one shape.
THUNKY_API void all_reduce(
    const Refs& sources, const Refs& destinations, std::string_view reduction,
    const CollectiveOptions& options,
    const std::source_location& where = std::source_location::current());
// Each member gets all sources, one after the other: a destination is as long as its
// source times the group.
THUNKY_API void all_gather(
    const Refs& sources, const Refs& destinations, const CollectiveOptions& options,
    const std::source_location& where = std::source_location::current());
// Each member gets its part of the combined sources: a source is as long as its
// destination times the group.
THUNKY_API void reduce_scatter(
    const Refs& sources, const Refs& destinations, std::string_view reduction,
    const CollectiveOptions& options,
    const std::source_location& where = std::source_location::current());
// Sends each member its part. With `has_split_dimension` one pair, cut into as many parts
// as the group has members; without, one pair for each member.
THUNKY_API void all_to_all(
    const Refs& sources, const Refs& destinations, const CollectiveOptions& options,
    bool has_split_dimension = true,
    const std::source_location& where = std::source_location::current());
// Sends the sources along pairs (from, to) of indices in the group, modulo its size, in
// every group. A device that is no target gets zeros. Errors: a source or a target twice.
THUNKY_API void collective_permute(
    const Refs& sources, const Refs& destinations,
    const std::vector<std::pair<int64_t, int64_t>>& pairs,
    const CollectiveOptions& options,
    const std::source_location& where = std::source_location::current());

// The collectives of `body` go as one, in no order. Errors: anything else in it.
THUNKY_API void collective_group(const Region& body, const std::source_location& where =
                                                         std::source_location::current());

}  // namespace thunky

#endif  // THUNKY_FRONTEND_COLLECTIVES_H_
