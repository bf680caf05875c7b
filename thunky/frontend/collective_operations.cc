// Collectives along the axes of a mesh.
#include <algorithm>
#include <optional>
#include <string>

#include "thunky/compiler/dialect/collective_groups.h"
#include "thunky/frontend/collectives.h"
#include "thunky/frontend/mesh.h"
#include "thunky/frontend/trace.h"

namespace thunky {

using frontend::Trace;

namespace {

[[noreturn]] void fail(std::string_view operation, const std::string& message,
                       const std::source_location& where) {
  throw Error(ErrorCode::invalid_argument, std::string(operation) + ": " + message,
              where);
}

// What the five have in common, ready for the builder of any.
struct Collective {
  Collective(std::string_view operation, const Refs& from, const Refs& to,
             const CollectiveOptions& options, const std::source_location& where)
      : trace(Trace::current(operation, where)),
        builder(trace.builder()),
        mesh(frontend::current_mesh(operation, where)),
        lists(frontend::groups_of(mesh, options, operation, where)) {
    if (from.list.empty() || from.list.size() != to.list.size()) {
      fail(operation,
           std::to_string(from.list.size()) + " sources and " +
               std::to_string(to.list.size()) +
               " destinations; pairs are needed, at least one",
           where);
    }
    llvm::SmallVector<mlir::Attribute> types;
    for (size_t i = 0; i < from.list.size(); ++i) {
      const Type& source = from.list[i].type();
      const Type& destination = to.list[i].type();
      if (source.element() != destination.element()) {
        fail(operation,
             "pair " + std::to_string(i) + " is " + source.to_string() + " and " +
                 destination.to_string() + "; one element type is needed",
             where);
      }
      if (source.element().bits() % 8 != 0) {
        fail(operation,
             "pair " + std::to_string(i) + " has elements of " +
                 std::to_string(source.element().bits()) +
                 " bits; whole bytes are needed",
             where);
      }
      types.push_back(
          mlir::TypeAttr::get(trace.tensor_type(source.element()).getElementType()));
    }
    const bool one = std::all_of(types.begin(), types.end(),
                                 [&](mlir::Attribute type) { return type == types[0]; });
    element_type = one ? types[0] : mlir::Attribute(builder.getArrayAttr(types));
    groups = compiler::idListsAttribute(trace.context(), lists);
    mode =
        compiler::GroupModeAttr::get(trace.context(), compiler::GroupMode::FlattenedId);
    sources = trace.values(from.list, operation, where);
    destinations = trace.values(to.list, operation, where);
  }

  // Unequal groups have no one size that parts could be counted by.
  void check_equal_groups(std::string_view operation,
                          const std::source_location& where) const {
    for (const std::vector<int64_t>& group : lists) {
      if (group.size() == lists.front().size()) continue;
      fail(operation,
           "axis_index_groups have " + std::to_string(lists.front().size()) + " and " +
               std::to_string(group.size()) +
               " members; groups of one size are needed (all_reduce takes others)",
           where);
    }
  }

  Trace& trace;
  mlir::OpBuilder& builder;
  const Mesh& mesh;
  GroupLists lists;
  mlir::Attribute element_type;
  mlir::ArrayAttr groups;
  compiler::GroupModeAttr mode;
  llvm::SmallVector<mlir::Value> sources;
  llvm::SmallVector<mlir::Value> destinations;
};

compiler::ReductionAttr reduction_of(Trace& trace, std::string_view operation,
                                     std::string_view name,
                                     const std::source_location& where) {
  const llvm::StringRef text = name == "product" ? "prod" : llvm::StringRef(name);
  const std::optional<compiler::Reduction> reduction = compiler::symbolizeReduction(text);
  if (!reduction) {
    fail(operation,
         "reduction '" + std::string(name) + "'; sum, prod, min and max are known",
         where);
  }
  return compiler::ReductionAttr::get(trace.context(), *reduction);
}

}  // namespace

void all_reduce(const Refs& sources, const Refs& destinations, std::string_view reduction,
                const CollectiveOptions& options, const std::source_location& where) {
  const Collective all("all_reduce", sources, destinations, options, where);
  for (size_t i = 0; i < sources.list.size(); ++i) {
    const Type& source = sources.list[i].type();
    const Type& destination = destinations.list[i].type();
    if (source == destination) continue;
    fail("all_reduce",
         "pair " + std::to_string(i) + " is " + source.to_string() + " and " +
             destination.to_string() + "; one shape is needed",
         where);
  }
  all.trace.emit<compiler::AllReduceOp>(
      where, all.trace.location(where),
      reduction_of(all.trace, "all_reduce", reduction, where), all.element_type,
      all.groups, all.mode, mlir::ArrayAttr(), mlir::ArrayAttr(), all.sources,
      all.destinations);
}

void all_gather(const Refs& sources, const Refs& destinations,
                const CollectiveOptions& options, const std::source_location& where) {
  const Collective all("all_gather", sources, destinations, options, where);
  all.check_equal_groups("all_gather", where);
  all.trace.emit<compiler::AllGatherOp>(
      where, all.trace.location(where), all.element_type, all.groups, all.mode,
      mlir::ArrayAttr(), mlir::ArrayAttr(), all.sources, all.destinations);
}

void reduce_scatter(const Refs& sources, const Refs& destinations,
                    std::string_view reduction, const CollectiveOptions& options,
                    const std::source_location& where) {
  const Collective all("reduce_scatter", sources, destinations, options, where);
  all.check_equal_groups("reduce_scatter", where);
  all.trace.emit<compiler::ReduceScatterOp>(
      where, all.trace.location(where),
      reduction_of(all.trace, "reduce_scatter", reduction, where), all.element_type,
      all.groups, all.mode, mlir::ArrayAttr(), mlir::ArrayAttr(), all.sources,
      all.destinations);
}

void all_to_all(const Refs& sources, const Refs& destinations,
                const CollectiveOptions& options, bool has_split_dimension,
                const std::source_location& where) {
  const Collective all("all_to_all", sources, destinations, options, where);
  all.check_equal_groups("all_to_all", where);
  all.trace.emit<compiler::AllToAllOp>(
      where, all.trace.location(where), all.builder.getBoolAttr(has_split_dimension),
      all.element_type, all.groups, all.mode, mlir::ArrayAttr(), mlir::ArrayAttr(),
      all.sources, all.destinations);
}

void collective_permute(const Refs& sources, const Refs& destinations,
                        const std::vector<std::pair<int64_t, int64_t>>& pairs,
                        const CollectiveOptions& options,
                        const std::source_location& where) {
  const Collective all("collective_permute", sources, destinations, options, where);
  all.check_equal_groups("collective_permute", where);
  const auto size = static_cast<int64_t>(all.lists.front().size());
  const auto place = [&](int64_t index) { return ((index % size) + size) % size; };
  std::vector<bool> from(all.lists.front().size(), false);
  std::vector<bool> to(all.lists.front().size(), false);
  for (const auto& [source, target] : pairs) {
    const auto first = static_cast<size_t>(place(source));
    const auto second = static_cast<size_t>(place(target));
    if (from[first] || to[second]) {
      fail("collective_permute",
           "pair (" + std::to_string(source) + ", " + std::to_string(target) +
               ") repeats a source or a target, counted modulo " + std::to_string(size),
           where);
    }
    from[first] = true;
    to[second] = true;
  }
  compiler::IdLists devices;
  for (const std::vector<int64_t>& group : all.lists) {
    for (const auto& [source, target] : pairs) {
      devices.push_back({group[static_cast<size_t>(place(source))],
                         group[static_cast<size_t>(place(target))]});
    }
  }
  all.trace.emit<compiler::CollectivePermuteOp>(
      where, all.trace.location(where),
      compiler::idListsAttribute(all.trace.context(), devices), all.element_type,
      all.groups, all.mode, mlir::ArrayAttr(), mlir::ArrayAttr(), all.sources,
      all.destinations);
}

void collective_group(const Region& body, const std::source_location& where) {
  Trace& trace = Trace::current("collective_group", where);
  auto op = compiler::CollectiveGroupOp::create(trace.builder(), trace.location(where));
  trace.fill(op, op.getBody(), body);
  trace.verify(op, where);
}

}  // namespace thunky
