// Loads, stores, prefetches and asynchronous copies.
#include <iterator>
#include <string_view>

#include "thunky/ptx/instruction_table.h"

namespace thunky::ptx {
namespace {

using ir::Op;

// A vector access is at most 16 bytes wide, in global memory 32.
const char* CheckAccessWidth(ir::Instruction& instruction) {
  const int bytes = ir::BitWidth(instruction.type) / 8 * instruction.mod.vec;
  if (bytes > 32) return "a vector access is at most 32 bytes wide";
  if (bytes > 16 && instruction.mod.space != ir::Space::kGlobal) {
    return "a vector access of more than 16 bytes is for global memory only";
  }
  if (instruction.mod.vec == 8 && ir::BitWidth(instruction.type) != 32) {
    return "'.v8' takes elements of 32 bits";
  }
  return nullptr;
}

const char* CheckCopySize(ir::Instruction& instruction) {
  const int bytes = instruction.mod.bytes;
  if (bytes == 4 || bytes == 8 || bytes == 16) return nullptr;
  return "the size is 4, 8 or 16 bytes";
}

const char* CheckCopySize16(ir::Instruction& instruction) {
  return instruction.mod.bytes == 16 ? nullptr : "the size of '.cg' is 16 bytes";
}

constexpr std::string_view kLoad = "d{v}~, [a]";
constexpr std::string_view kLoadPolicy = "d{v}~, [a], *policy:b64";
constexpr std::string_view kStore = "[a], b{v}~";
constexpr std::string_view kStorePolicy = "[a], b{v}~, *policy:b64";
constexpr std::string_view kCopy =
    "[d], [s], #bytes:u32; [d], [s], #bytes:u32, n:u32/pred";
constexpr std::string_view kCopyPolicy =
    "[d], [s], #bytes:u32, *policy:b64; [d], [s], #bytes:u32, n:u32/pred, *policy:b64";

constexpr Form kForms[] = {
    {"ld", Op::kLd,
     "order:weak|volatile? <load_space>? <load_cop>? <l1>? <l2>? "
     "<l2_prefetch>? <vec>?",
     "<memory>", kLoad, CheckAccessWidth},
    {"ld", Op::kLd,
     "order:weak? <load_space>? <load_cop>? <l1>? <l2>? <l2_policy> "
     "<l2_prefetch>? <vec>?",
     "<memory>", kLoadPolicy, CheckAccessWidth},
    {"ld", Op::kLd,
     "order:relaxed|acquire <scope> <load_space>? <l1>? <l2>? "
     "<l2_prefetch>? <vec>?",
     "<memory>", kLoad, CheckAccessWidth},
    {"ld", Op::kLd,
     "order:relaxed|acquire <scope> <load_space>? <l1>? <l2>? "
     "<l2_policy> <l2_prefetch>? <vec>?",
     "<memory>", kLoadPolicy, CheckAccessWidth},
    {"ld", Op::kLd, "lit:mmio order:relaxed scope:sys space:global?", "<memory>", kLoad},
    {"ld", Op::kLd, "space:global <load_cop>? nc <l1>? <l2>? <l2_prefetch>? <vec>?",
     "<memory>", kLoad, CheckAccessWidth},
    {"ld", Op::kLd,
     "space:global <load_cop>? nc <l1>? <l2>? <l2_policy> "
     "<l2_prefetch>? <vec>?",
     "<memory>", kLoadPolicy, CheckAccessWidth},
    {"ldu", Op::kLd, "space:global? <vec>?", "<memory>", kLoad, CheckAccessWidth},
    {"st", Op::kSt, "order:weak|volatile? <store_space>? <store_cop>? <l1>? <l2>? <vec>?",
     "<memory>", kStore, CheckAccessWidth},
    {"st", Op::kSt,
     "order:weak? <store_space>? <store_cop>? <l1>? <l2>? <l2_policy> "
     "<vec>?",
     "<memory>", kStorePolicy, CheckAccessWidth},
    {"st", Op::kSt, "order:relaxed|release <scope> <store_space>? <l1>? <l2>? <vec>?",
     "<memory>", kStore, CheckAccessWidth},
    {"st", Op::kSt,
     "order:relaxed|release <scope> <store_space>? <l1>? <l2>? "
     "<l2_policy> <vec>?",
     "<memory>", kStorePolicy, CheckAccessWidth},
    {"st", Op::kSt, "lit:mmio order:relaxed scope:sys space:global?", "<memory>", kStore},
    {"prefetch", Op::kPrefetch, "space:global|local? lit:L1|L2", "", "[a]"},
    {"prefetch", Op::kPrefetch, "space:global? lit:L2::evict_last|L2::evict_normal", "",
     "[a]"},
    {"prefetchu", Op::kPrefetch, "lit:L1", "", "[a]"},
    {"applypriority", Op::kPrefetch, "space:global? lit:L2::evict_normal", "",
     "[a], *size:u32"},
    {"cp", Op::kCpAsync, "lit:async cop:ca <shared> lit:global <l2_prefetch>?", "", kCopy,
     CheckCopySize},
    {"cp", Op::kCpAsync,
     "lit:async cop:ca <shared> lit:global <l2_policy> "
     "<l2_prefetch>?",
     "", kCopyPolicy, CheckCopySize},
    {"cp", Op::kCpAsync, "lit:async cop:cg <shared> lit:global <l2_prefetch>?", "", kCopy,
     CheckCopySize16},
    {"cp", Op::kCpAsync,
     "lit:async cop:cg <shared> lit:global <l2_policy> "
     "<l2_prefetch>?",
     "", kCopyPolicy, CheckCopySize16},
    {"cp", Op::kCpAsyncCommit, "lit:async lit:commit_group", "", ""},
    {"cp", Op::kCpAsyncWait, "lit:async lit:wait_group", "", "#n:u32"},
    {"cp", Op::kCpAsyncWait, "lit:async lit:wait_all", "", "", nullptr,
     Handler::kWaitAll},
};

}  // namespace

FormSpan MemoryForms() { return {kForms, std::size(kForms)}; }

}  // namespace thunky::ptx
