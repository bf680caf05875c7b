// The special registers: %tid.x, %laneid, %clock64 ...
#ifndef THUNKY_PTX_SPECIAL_REGISTERS_H_
#define THUNKY_PTX_SPECIAL_REGISTERS_H_

#include <cstdint>
#include <optional>
#include <string_view>

#include "thunky/ptx/ir.h"

namespace thunky::ptx {

struct SpecialRegister {
  ir::Special special = ir::Special::kTid;
  uint8_t component = 0;  // of x, y, z; the number of %envreg
  ir::Type type = ir::Type::kU32;
  // Some registers were narrower or wider in old PTX and may still be read so.
  ir::Type other_type = ir::Type::kNone;
};

// nullopt when there is no such register, or it is not supported.
std::optional<SpecialRegister> FindSpecialRegister(std::string_view name);

// Whether `name` is a special register of PTX that this build does not have.
bool IsUnsupportedSpecialRegister(std::string_view name);

}  // namespace thunky::ptx

#endif  // THUNKY_PTX_SPECIAL_REGISTERS_H_
