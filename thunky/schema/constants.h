// The bytes of an executable's constants.
#ifndef THUNKY_SCHEMA_CONSTANTS_H_
#define THUNKY_SCHEMA_CONSTANTS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "proto/executable.pb.h"
#include "proto/literal.pb.h"

namespace thunky::schema {

struct Constant {
  std::string name;         // the symbol name
  int64_t allocation = -1;  // -1: in no allocation, without effect
  int64_t size = 0;         // bytes of the allocation, 0 without one
  // The first bytes of the allocation; what `size` has more is zero. Never longer
  // than `size` (than the content, without an allocation), so reading a file
  // never takes more memory than its bytes.
  std::string bytes;
};

// In the order of the file. The bytes are the inline content; where that is empty
// and the allocation is not, the literal of the HLO `constant` instruction whose
// ConstantSymbolName is the symbol name. Errors begin "constant 'name'": no or two
// such instructions, a literal that is no array or does not have the elements its
// shape states, contents longer than the allocation, an allocation out of range or
// used twice, a name used twice.
absl::StatusOr<std::vector<Constant>> ConstantsOf(
    const wire::GpuExecutableProto& executable);

// What the HLO module has for each constant, in the order of the file and whatever the
// inline content: nothing where ConstantsOf would find no one literal.
std::vector<std::optional<std::string>> LiteralsOfConstants(
    const wire::GpuExecutableProto& executable);

// "buffer_for_constant_1_0" for "constant.1-0".
std::string ConstantSymbolName(absl::string_view instruction);

// The literal as it lies in device memory: little endian, elements in the order of
// the literal's own layout, types below a byte packed, the first element in the
// lowest bits.
absl::StatusOr<std::string> LiteralBytes(const wire::LiteralProto& literal);

}  // namespace thunky::schema

#endif  // THUNKY_SCHEMA_CONSTANTS_H_
