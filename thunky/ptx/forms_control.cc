// Control flow; most operands are names that the handlers resolve.
#include <iterator>
#include <string_view>

#include "thunky/ptx/instruction_table.h"

namespace thunky::ptx {
namespace {

using ir::Op;

constexpr Form kForms[] = {
    {"bra", Op::kBra, "uni?", "", "", nullptr, Handler::kBranch},
    {"brx", Op::kBrx, "lit:idx uni?", "", "", nullptr, Handler::kIndexedBranch},
    {"call", Op::kCall, "uni?", "", "", nullptr, Handler::kCall},
    {"ret", Op::kRet, "uni?", "", "", nullptr, Handler::kReturn},
    {"exit", Op::kExit, "", "", ""},
    {"trap", Op::kTrap, "", "", ""},
    {"brkpt", Op::kBrkpt, "", "", ""},
    {"pmevent", Op::kNop, "lit:mask?", "", "#event:u32"},
    {"setmaxnreg", Op::kNop, "lit:inc|dec lit:sync lit:aligned", "u32", "#count"},
};

}  // namespace

FormSpan ControlForms() { return {kForms, std::size(kForms)}; }

}  // namespace thunky::ptx
