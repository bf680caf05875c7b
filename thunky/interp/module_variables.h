// The .global and .const variables of a PTX module, shared by all kernels loaded from
// it.
#ifndef THUNKY_INTERP_MODULE_VARIABLES_H_
#define THUNKY_INTERP_MODULE_VARIABLES_H_

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <tuple>

#include "absl/status/statusor.h"
#include "thunky/interp/decode.h"
#include "thunky/ptx/ir.h"

namespace thunky::interp {

// Thread-safe. Variables keep their address and contents for the life of the object.
class ModuleVariables {
 public:
  // Addresses for all symbols and functions of a program of this module. Variables
  // that no program had named before are allocated and initialised. `shared_dynamic`
  // is where dynamic shared memory starts. Errors: FailedPrecondition for an extern
  // variable without a definition; ResourceExhausted for more than kMaxBytes.
  absl::StatusOr<SymbolTable> Resolve(const ptx::ir::Program& program,
                                      uint64_t shared_dynamic);

  static constexpr uint64_t kMaxBytes = uint64_t{256} << 20;

 private:
  struct Free {
    void operator()(char* p) const;
  };
  struct Variable {
    std::unique_ptr<char[], Free> bytes;
  };
  // Names may repeat in different functions; places in the text do not.
  using Key = std::tuple<std::string, uint32_t, uint32_t>;

  absl::StatusOr<uint64_t> Allocate(const ptx::ir::Symbol& symbol);
  uint64_t HandleOf(const std::string& function);
  absl::Status Relocate(const ptx::ir::Program& program, const SymbolTable& table,
                        size_t symbol);

  std::mutex mutex_;
  uint64_t total_ = 0;
  std::map<Key, Variable> variables_;
  std::map<std::string, uint64_t> handles_;
};

}  // namespace thunky::interp

#endif  // THUNKY_INTERP_MODULE_VARIABLES_H_
