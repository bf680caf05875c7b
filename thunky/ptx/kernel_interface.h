// What a module's entries look like from outside, without lowering their bodies.
#ifndef THUNKY_PTX_KERNEL_INTERFACE_H_
#define THUNKY_PTX_KERNEL_INTERFACE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "thunky/ptx/ast.h"
#include "thunky/ptx/ir.h"

namespace thunky::ptx {

struct KernelParameter {
  std::string name;
  std::string type;         // as declared, without dots: "u64", "b8[24]", "v4 f32"
  uint64_t size = 0;        // bytes
  uint64_t alignment = 1;   // bytes
  uint64_t offset = 0;      // bytes from the start of the parameters
  bool is_pointer = false;  // declared `.ptr`
};

struct KernelInterface {
  std::string name;
  std::vector<KernelParameter> parameters;
  uint64_t parameter_bytes = 0;
  ir::LaunchBounds bounds;
  // `.shared` variables with a size, of the module and of the entry's body: an upper
  // limit of what the entry takes, because the module's may belong to others.
  uint64_t static_shared_bytes = 0;
  // `.extern .shared`, of the module or of the entry's body.
  bool declares_dynamic_shared = false;
  bool has_body = false;  // otherwise only declared
  SourceLocation location;
};

// All entries in the order of the module. A declaration that a definition follows is
// left out. InvalidArgument and Unimplemented, with "entry 'name': ", for declarations
// that cannot be laid out.
absl::StatusOr<std::vector<KernelInterface>> ListKernels(const ast::Module& module);

}  // namespace thunky::ptx

#endif  // THUNKY_PTX_KERNEL_INTERFACE_H_
