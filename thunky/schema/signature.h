// What a caller of an executable passes and gets: its allocations sorted into
// parameters, results, temporaries and constants.
#ifndef THUNKY_SCHEMA_SIGNATURE_H_
#define THUNKY_SCHEMA_SIGNATURE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "proto/executable.pb.h"
#include "thunky/schema/tensor_type.h"
#include "thunky/schema/thunk_kind.h"

namespace thunky::schema {

// A path through nested tuples; empty for the whole.
using ShapeIndex = std::vector<int64_t>;
// "{}", "{1,0}".
std::string ToString(const ShapeIndex& index);

// kMay: the caller may donate the parameter's memory to the result. kMust: it has
// to.
enum class AliasKind { kNone, kMay, kMust };

struct SignatureParameter {
  int64_t number = 0;  // of the program's parameters; gaps are possible
  ShapeIndex shape_index;
  int64_t allocation = 0;
  int64_t size = 0;  // bytes of the allocation
  TensorType type;
  std::string name;                    // from the program shape; may be empty
  std::vector<int> aliased_results;    // positions in `results`; more than one only
                                       // for a parameter that is passed through
  AliasKind alias = AliasKind::kNone;  // kMust when one of them says so
};

struct SignatureResult {
  ShapeIndex shape_index;
  int64_t allocation = 0;
  int64_t offset = 0;  // a result is the start of its allocation
  int64_t size = 0;    // bytes of the allocation
  TensorType type;
  // Position in `parameters` of the parameter whose allocation this is.
  std::optional<int> aliased_parameter;
  AliasKind alias = AliasKind::kNone;
  bool passthrough = false;  // the parameter itself, never written
  // Position in `results` of the first result in the same allocation: its own
  // position unless two leaves share one.
  int first_in_allocation = 0;
  // Position in `constants` when the allocation is a constant: its bytes are the
  // result.
  std::optional<int> constant;
};

struct SignatureTemporary {
  int64_t allocation = 0;
  int64_t size = 0;
};

struct SignatureConstant {
  std::string name;         // the symbol name
  int64_t allocation = -1;  // -1: in no allocation, without effect
  int64_t size = 0;         // bytes of the allocation, 0 without one
};

// One argument of a run, where the file says in which order they come.
struct SignatureArgument {
  int64_t allocation = 0;
  std::string name;  // may be empty
};

struct Signature {
  int64_t program_parameters = 0;  // what the program shape counts
  // Whether the result is a tuple: a single array at {} otherwise.
  bool tuple_result = false;
  std::vector<SignatureParameter> parameters;   // by (number, shape index, allocation)
  std::vector<SignatureResult> results;         // in the order of the result's leaves
  std::vector<SignatureTemporary> temporaries;  // by allocation
  std::vector<SignatureConstant> constants;     // in the order of the file
  // Each parameter, and each result that takes over none, once; empty when the file does
  // not say: then parameters come first.
  std::vector<SignatureArgument> arguments;
  // A thunk of an unknown kind, where those are allowed, may refer to every allocation.
  bool unknown_accesses = false;
};

// Errors begin with "allocation i", "output {1}", "constant 'name'", "program
// shape", "arguments[i]", or the path of a thunk of unknown kind (whose slices nobody can
// see, so the temporaries are unknown; where such thunks are allowed and there is one,
// every allocation that is nothing else is a temporary).
absl::StatusOr<Signature> SignatureOf(const wire::GpuExecutableProto& executable,
                                      UnknownKinds unknown = UnknownKinds::kRefuse);

}  // namespace thunky::schema

#endif  // THUNKY_SCHEMA_SIGNATURE_H_
