// Meshes, and the groups of devices along their axes.
#include "thunky/frontend/mesh.h"

#include <algorithm>
#include <set>
#include <utility>

#include "thunky/frontend/collectives.h"

namespace thunky {
namespace {

// Each collective lists every device in its groups.
constexpr int64_t kMaxDevices = int64_t{1} << 20;

// Meshes whose scopes are open on this thread.
thread_local std::vector<Mesh> meshes;

[[noreturn]] void fail(const std::string& message, const std::source_location& where) {
  throw Error(ErrorCode::invalid_argument, message, where);
}

std::string names_of(const Mesh& mesh) {
  std::string text;
  for (const Mesh::Axis& axis : mesh.axes()) {
    if (!text.empty()) text += ", ";
    text += "'" + axis.name + "' (" + std::to_string(axis.size) + ")";
  }
  return text;
}

std::string text_of(const GroupLists& groups) {
  std::string text = "[";
  for (size_t i = 0; i < groups.size(); ++i) {
    text += i == 0 ? "[" : ", [";
    for (size_t j = 0; j < groups[i].size(); ++j) {
      if (j != 0) text += ", ";
      text += std::to_string(groups[i][j]);
    }
    text += ']';
  }
  return text + ']';
}

// Divides each group: the group is the outer loop.
GroupLists divide(const GroupLists& groups, const GroupLists& parts) {
  GroupLists divided;
  for (const std::vector<int64_t>& group : groups) {
    for (const std::vector<int64_t>& part : parts) {
      std::vector<int64_t>& list = divided.emplace_back();
      for (const int64_t index : part) list.push_back(group[static_cast<size_t>(index)]);
    }
  }
  return divided;
}

void check_parts(const GroupLists& parts, int64_t size, const std::string& what,
                 const std::source_location& where) {
  std::set<int64_t> seen;
  size_t count = 0;
  for (const std::vector<int64_t>& part : parts) {
    for (const int64_t index : part) {
      ++count;
      if (index >= 0 && index < size) seen.insert(index);
    }
  }
  const bool empty = std::any_of(parts.begin(), parts.end(),
                                 [](const auto& part) { return part.empty(); });
  const auto wanted = static_cast<size_t>(size);
  if (count == wanted && seen.size() == wanted && !empty) return;
  fail(what + ": axis_index_groups " + text_of(parts) +
           " must name each index from 0 to " + std::to_string(size - 1) + " once",
       where);
}

}  // namespace

Mesh::Mesh(std::initializer_list<Axis> axes, const std::source_location& where)
    : Mesh(std::vector<Axis>(axes), where) {}

Mesh::Mesh(std::vector<Axis> axes, const std::source_location& where)
    : axes_(std::move(axes)) {
  if (axes_.empty()) fail("Mesh: there is no axis; at least one is needed", where);
  std::set<std::string> names;
  int64_t devices = 1;
  for (const Axis& axis : axes_) {
    if (axis.name.empty()) fail("Mesh: an axis has no name", where);
    if (!names.insert(axis.name).second) {
      fail("Mesh: there are two axes '" + axis.name + "'", where);
    }
    if (axis.size < 1) {
      fail("Mesh: axis '" + axis.name + "' has size " + std::to_string(axis.size) +
               "; at least 1 is needed",
           where);
    }
    if (__builtin_mul_overflow(devices, axis.size, &devices) || devices > kMaxDevices) {
      fail("Mesh: more than " + std::to_string(kMaxDevices) + " devices", where);
    }
  }
}

int64_t Mesh::device_count() const {
  int64_t count = 1;
  for (const Axis& axis : axes_) count *= axis.size;
  return count;
}

MeshScope::MeshScope(Mesh mesh) { meshes.push_back(std::move(mesh)); }
MeshScope::~MeshScope() { meshes.pop_back(); }

namespace frontend {

const Mesh& current_mesh(std::string_view operation, const std::source_location& where) {
  if (!meshes.empty()) return meshes.back();
  throw Error(ErrorCode::failed_precondition,
              std::string(operation) +
                  ": there is no mesh; enter one around the call: MeshScope "
                  "scope(Mesh{{\"x\", 8}});",
              where);
}

GroupLists groups_of(const Mesh& mesh, const CollectiveOptions& options,
                     std::string_view operation, const std::source_location& where) {
  const std::string what(operation);
  const std::vector<std::string>& names = options.axis_name.names;
  if (names.empty()) {
    fail(what + ": no axis is named; the mesh has " + names_of(mesh), where);
  }
  // Devices between neighbours along each axis.
  std::vector<int64_t> strides(mesh.axes().size(), 1);
  for (size_t i = strides.size() - 1; i > 0; --i) {
    strides[i - 1] = strides[i] * mesh.axes()[i].size;
  }
  std::vector<bool> taken(strides.size(), false);
  // Where a group's members lie from its first: the first named axis varies slowest.
  std::vector<int64_t> members = {0};
  for (const std::string& name : names) {
    const auto axis =
        std::find_if(mesh.axes().begin(), mesh.axes().end(),
                     [&](const Mesh::Axis& candidate) { return candidate.name == name; });
    if (axis == mesh.axes().end()) {
      fail(what + ": there is no axis '" + name + "'; the mesh has " + names_of(mesh),
           where);
    }
    const auto number = static_cast<size_t>(axis - mesh.axes().begin());
    if (taken[number]) fail(what + ": axis '" + name + "' is named twice", where);
    taken[number] = true;
    std::vector<int64_t> longer;
    for (const int64_t member : members) {
      for (int64_t i = 0; i < axis->size; ++i) {
        longer.push_back(member + i * strides[number]);
      }
    }
    members = std::move(longer);
  }
  // The first members, row-major over the axes that are left.
  std::vector<int64_t> first = {0};
  for (size_t number = 0; number < strides.size(); ++number) {
    if (taken[number]) continue;
    std::vector<int64_t> more;
    for (const int64_t device : first) {
      for (int64_t i = 0; i < mesh.axes()[number].size; ++i) {
        more.push_back(device + i * strides[number]);
      }
    }
    first = std::move(more);
  }
  GroupLists groups;
  for (const int64_t device : first) {
    std::vector<int64_t>& group = groups.emplace_back();
    for (const int64_t member : members) group.push_back(device + member);
  }
  if (!options.axis_index_groups) return groups;
  check_parts(*options.axis_index_groups, static_cast<int64_t>(members.size()), what,
              where);
  return divide(groups, *options.axis_index_groups);
}

}  // namespace frontend
}  // namespace thunky
