// Groups of devices along the axes of a mesh. Not public.
#ifndef THUNKY_FRONTEND_MESH_H_
#define THUNKY_FRONTEND_MESH_H_

#include <source_location>
#include <string_view>

#include "thunky/frontend/collectives.h"

namespace thunky::frontend {

// The mesh of the innermost scope; throws failed_precondition when there is none.
const Mesh& current_mesh(std::string_view operation, const std::source_location& where);

// Flattened device numbers: groups in row-major order of the axes that are not named,
// members in the order of those that are, divided further by axis_index_groups. Throws
// for an axis that is not there or there twice, and for index groups that do not name
// each index once.
GroupLists groups_of(const Mesh& mesh, const CollectiveOptions& options,
                     std::string_view operation, const std::source_location& where);

}  // namespace thunky::frontend

#endif  // THUNKY_FRONTEND_MESH_H_
