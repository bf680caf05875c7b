// Exchange, votes and reductions within a warp.
#include <iterator>
#include <string_view>

#include "thunky/ptx/instruction_table.h"

namespace thunky::ptx {
namespace {

using ir::Op;

const char* CheckPair(ir::Instruction& instruction) {
  return instruction.dst.size() == 2 ? nullptr : "the destination is a pair d|p";
}

constexpr Form kForms[] = {
    {"shfl", Op::kShfl, "sync shfl:up|down|bfly|idx", "b32",
     "d|, a, b:u32, c:u32, mask:u32"},
    {"shfl", Op::kShfl, "shfl:up|down|bfly|idx", "b32", "d|, a, b:u32, c:u32"},
    {"vote", Op::kVote, "sync vote:all|any|uni", "pred", "d, !a, mask:u32"},
    {"vote", Op::kVote, "vote:all|any|uni", "pred", "d, !a"},
    {"vote", Op::kVote, "sync vote:ballot", "b32", "d, !a:pred, mask:u32"},
    {"vote", Op::kVote, "vote:ballot", "b32", "d, !a:pred"},
    {"match", Op::kMatch, "match:any sync", "b32|b64", "d:b32, a, mask:u32"},
    {"match", Op::kMatch, "match:all sync", "b32|b64", "d|:b32, a, mask:u32"},
    {"activemask", Op::kActivemask, "", "b32", "d"},
    {"redux", Op::kRedux, "sync atom:add|min|max", "u32|s32", "d, a, mask:u32"},
    {"redux", Op::kRedux, "sync atom:and|or|xor", "b32", "d, a, mask:u32"},
    {"bar", Op::kBarWarp, "lit:warp sync", "", "mask:u32"},
    {"elect", Op::kElect, "sync", "", "d|:b32, mask:u32", CheckPair},
};

}  // namespace

FormSpan WarpForms() { return {kForms, std::size(kForms)}; }

}  // namespace thunky::ptx
