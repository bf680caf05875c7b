// Short texts to the typed form and back to a line of text, for tests.
#ifndef THUNKY_PTX_LOWERING_FOR_TEST_H_
#define THUNKY_PTX_LOWERING_FOR_TEST_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "thunky/ptx/ir.h"
#include "thunky/ptx/lower.h"

namespace thunky::ptx {

// Parses `items` behind a module header of three lines, so that they start on line 4,
// and lowers `entry`.
absl::StatusOr<ir::Program> LowerItems(std::string_view items,
                                       std::string_view entry = "k");
absl::StatusOr<std::vector<Diagnostic>> CheckItems(std::string_view items,
                                                   std::string_view entry = "k");

// Lowers `body`, which starts on line 5, in an entry
// `k(.param .u64 x)` that declares, of 8 each: %p pred; %h b16; %r b32; %rd b64; %f f32;
// %d f64; %us u16; %u u32; %ud u64. The module has `.global .b32 g[16]`,
// `.shared .b32 s[16]`, `.const .f32 c[4]`.
absl::StatusOr<ir::Program> LowerBody(std::string_view body);

// Describe() of the first instruction that LowerBody makes of `instruction`; the error
// message, without its line, if there is one.
std::string LowerOne(std::string_view instruction);

// One line with everything an instruction says, defaults left out:
//   "@!%p1 ld.f32 global vec=2 nc | %f1 %f2 | | [%rd1+8]"
// (op.type[.src_type] and what mod says | dst | src | addresses; trailing empty parts
// left out). Immediates are hexadecimal, symbols `&name+offset`, functions `&name()`.
std::string Describe(const ir::Instruction& instruction, const ir::Function& function,
                     const ir::Program& program);

}  // namespace thunky::ptx

#endif  // THUNKY_PTX_LOWERING_FOR_TEST_H_
