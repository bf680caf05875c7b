#include "thunky/ptx/modifier_vocabulary.h"

#include <iterator>

namespace thunky::ptx {
namespace {

using ir::Modifiers;

struct Meaning {
  std::string_view role;
  std::string_view token;
  void (*apply)(Modifiers&);
};

// Sets one field to one value.
template <auto kField, auto kValue>
void Set(Modifiers& mod) {
  mod.*kField = kValue;
}
template <auto kField>
constexpr auto kFlag = &Set<kField, true>;
template <ir::Rounding kValue>
constexpr auto kRound = &Set<&Modifiers::rounding, kValue>;
template <ir::Compare kValue>
constexpr auto kCmp = &Set<&Modifiers::compare, kValue>;
template <ir::BoolOp kValue>
constexpr auto kBool = &Set<&Modifiers::bool_op, kValue>;
template <ir::MulPart kValue>
constexpr auto kPart = &Set<&Modifiers::part, kValue>;
template <ir::AtomOp kValue>
constexpr auto kAtom = &Set<&Modifiers::atom, kValue>;
template <ir::ShflMode kValue>
constexpr auto kShfl = &Set<&Modifiers::shfl, kValue>;
template <ir::VoteMode kValue>
constexpr auto kVote = &Set<&Modifiers::vote, kValue>;
template <ir::BarMode kValue>
constexpr auto kBar = &Set<&Modifiers::bar, kValue>;
template <ir::PrmtMode kValue>
constexpr auto kPrmt = &Set<&Modifiers::prmt, kValue>;
template <ir::TestpMode kValue>
constexpr auto kTestp = &Set<&Modifiers::testp, kValue>;
template <ir::Ordering kValue>
constexpr auto kOrder = &Set<&Modifiers::ordering, kValue>;
template <ir::Space kValue>
constexpr auto kSpace = &Set<&Modifiers::space, kValue>;
template <uint8_t kValue>
constexpr auto kVec = &Set<&Modifiers::vec, kValue>;
template <uint16_t kM, uint16_t kN, uint16_t kK>
void Shape(Modifiers& mod) {
  mod.mma_shape = {kM, kN, kK};
}
void SayNothing(Modifiers&) {}

constexpr Meaning kMeanings[] = {
    {"", "abs", SayNothing},
    {"", "aligned", kFlag<&Modifiers::aligned>},
    {"", "approx", kFlag<&Modifiers::approx>},
    {"", "carry_in", kFlag<&Modifiers::carry_in>},
    {"", "cc", kFlag<&Modifiers::carry_out>},
    {"", "clamp", SayNothing},
    {"", "ftz", kFlag<&Modifiers::ftz>},
    {"", "full", kFlag<&Modifiers::full>},
    {"", "l", kFlag<&Modifiers::left>},
    {"", "NaN", kFlag<&Modifiers::nan>},
    {"", "nc", kFlag<&Modifiers::non_coherent>},
    {"", "r", SayNothing},
    {"", "relu", kFlag<&Modifiers::relu>},
    {"", "sat", kFlag<&Modifiers::sat>},
    {"", "satfinite", kFlag<&Modifiers::satfinite>},
    {"", "shiftamt", kFlag<&Modifiers::shiftamt>},
    {"", "sync", kFlag<&Modifiers::sync_mask>},
    {"", "to", kFlag<&Modifiers::to>},
    {"", "trans", kFlag<&Modifiers::trans>},
    {"", "uni", kFlag<&Modifiers::uniform>},
    {"", "wrap", kFlag<&Modifiers::wrap>},
    {"", "xorsign", kFlag<&Modifiers::xorsign>},

    {"atom", "add", kAtom<ir::AtomOp::kAdd>},
    {"atom", "and", kAtom<ir::AtomOp::kAnd>},
    {"atom", "cas", kAtom<ir::AtomOp::kCas>},
    {"atom", "dec", kAtom<ir::AtomOp::kDec>},
    {"atom", "exch", kAtom<ir::AtomOp::kExch>},
    {"atom", "inc", kAtom<ir::AtomOp::kInc>},
    {"atom", "max", kAtom<ir::AtomOp::kMax>},
    {"atom", "min", kAtom<ir::AtomOp::kMin>},
    {"atom", "or", kAtom<ir::AtomOp::kOr>},
    {"atom", "xor", kAtom<ir::AtomOp::kXor>},

    {"bar", "and", kBar<ir::BarMode::kRedAnd>},
    {"bar", "arrive", kBar<ir::BarMode::kArrive>},
    {"bar", "or", kBar<ir::BarMode::kRedOr>},
    {"bar", "popc", kBar<ir::BarMode::kRedPopc>},
    {"bar", "sync", kBar<ir::BarMode::kSync>},

    {"bool", "and", kBool<ir::BoolOp::kAnd>},
    {"bool", "or", kBool<ir::BoolOp::kOr>},
    {"bool", "xor", kBool<ir::BoolOp::kXor>},

    {"cmp", "eq", kCmp<ir::Compare::kEq>},
    {"cmp", "equ", kCmp<ir::Compare::kEqu>},
    {"cmp", "ge", kCmp<ir::Compare::kGe>},
    {"cmp", "geu", kCmp<ir::Compare::kGeu>},
    {"cmp", "gt", kCmp<ir::Compare::kGt>},
    {"cmp", "gtu", kCmp<ir::Compare::kGtu>},
    {"cmp", "hi", kCmp<ir::Compare::kHi>},
    {"cmp", "hs", kCmp<ir::Compare::kHs>},
    {"cmp", "le", kCmp<ir::Compare::kLe>},
    {"cmp", "leu", kCmp<ir::Compare::kLeu>},
    {"cmp", "lo", kCmp<ir::Compare::kLo>},
    {"cmp", "ls", kCmp<ir::Compare::kLs>},
    {"cmp", "lt", kCmp<ir::Compare::kLt>},
    {"cmp", "ltu", kCmp<ir::Compare::kLtu>},
    {"cmp", "nan", kCmp<ir::Compare::kNan>},
    {"cmp", "ne", kCmp<ir::Compare::kNe>},
    {"cmp", "neu", kCmp<ir::Compare::kNeu>},
    {"cmp", "num", kCmp<ir::Compare::kNum>},

    {"match", "all", kFlag<&Modifiers::match_all>},
    {"match", "any", SayNothing},

    {"order", "acq_rel", kOrder<ir::Ordering::kAcqRel>},
    {"order", "acquire", kOrder<ir::Ordering::kAcquire>},
    {"order", "relaxed", kOrder<ir::Ordering::kRelaxed>},
    {"order", "release", kOrder<ir::Ordering::kRelease>},
    {"order", "sc", kOrder<ir::Ordering::kSeqCst>},
    {"order", "volatile", kOrder<ir::Ordering::kVolatile>},
    {"order", "weak", kOrder<ir::Ordering::kWeak>},

    {"part", "hi", kPart<ir::MulPart::kHi>},
    {"part", "lo", kPart<ir::MulPart::kLo>},
    {"part", "wide", kPart<ir::MulPart::kWide>},

    {"prmt", "b4e", kPrmt<ir::PrmtMode::kB4e>},
    {"prmt", "ecl", kPrmt<ir::PrmtMode::kEcl>},
    {"prmt", "ecr", kPrmt<ir::PrmtMode::kEcr>},
    {"prmt", "f4e", kPrmt<ir::PrmtMode::kF4e>},
    {"prmt", "rc16", kPrmt<ir::PrmtMode::kRc16>},
    {"prmt", "rc8", kPrmt<ir::PrmtMode::kRc8>},

    {"round", "rm", kRound<ir::Rounding::kDown>},
    {"round", "rmi", kRound<ir::Rounding::kIntDown>},
    {"round", "rn", kRound<ir::Rounding::kNearestEven>},
    {"round", "rna", kRound<ir::Rounding::kNearestAway>},
    {"round", "rni", kRound<ir::Rounding::kIntNearestEven>},
    {"round", "rp", kRound<ir::Rounding::kUp>},
    {"round", "rpi", kRound<ir::Rounding::kIntUp>},
    {"round", "rz", kRound<ir::Rounding::kZero>},
    {"round", "rzi", kRound<ir::Rounding::kIntZero>},

    {"shape", "m16n8k16", Shape<16, 8, 16>},
    {"shape", "m16n8k8", Shape<16, 8, 8>},
    {"shape", "m8n8", Shape<8, 8, 0>},

    {"shfl", "bfly", kShfl<ir::ShflMode::kBfly>},
    {"shfl", "down", kShfl<ir::ShflMode::kDown>},
    {"shfl", "idx", kShfl<ir::ShflMode::kIdx>},
    {"shfl", "up", kShfl<ir::ShflMode::kUp>},

    {"space", "const", kSpace<ir::Space::kConst>},
    {"space", "global", kSpace<ir::Space::kGlobal>},
    {"space", "local", kSpace<ir::Space::kLocal>},
    {"space", "param", kSpace<ir::Space::kParam>},
    {"space", "param::entry", kSpace<ir::Space::kParam>},
    {"space", "param::func", kSpace<ir::Space::kParam>},
    {"space", "shared", kSpace<ir::Space::kShared>},
    {"space", "shared::cta", kSpace<ir::Space::kShared>},

    {"testp", "finite", kTestp<ir::TestpMode::kFinite>},
    {"testp", "infinite", kTestp<ir::TestpMode::kInfinite>},
    {"testp", "normal", kTestp<ir::TestpMode::kNormal>},
    {"testp", "notanumber", kTestp<ir::TestpMode::kNotANumber>},
    {"testp", "number", kTestp<ir::TestpMode::kNumber>},
    {"testp", "subnormal", kTestp<ir::TestpMode::kSubnormal>},

    {"vec", "v2", kVec<2>},
    {"vec", "v4", kVec<4>},
    {"vec", "v8", kVec<8>},
    {"vec", "x1", kVec<1>},
    {"vec", "x2", kVec<2>},
    {"vec", "x4", kVec<4>},

    {"vote", "all", kVote<ir::VoteMode::kAll>},
    {"vote", "any", kVote<ir::VoteMode::kAny>},
    {"vote", "ballot", kVote<ir::VoteMode::kBallot>},
    {"vote", "uni", kVote<ir::VoteMode::kUni>},
};

struct Group {
  std::string_view name;
  std::string_view text;
};

constexpr Group kModifierGroups[] = {
    {"rnd", "round:rn|rz|rm|rp"},
    {"irnd", "round:rni|rzi|rmi|rpi"},
    {"equality", "cmp:eq|ne"},
    {"signed_compare", "cmp:eq|ne|lt|le|gt|ge"},
    {"unsigned_compare", "cmp:eq|ne|lt|le|gt|ge|lo|ls|hi|hs"},
    {"float_compare", "cmp:eq|ne|lt|le|gt|ge|equ|neu|ltu|leu|gtu|geu|num|nan"},
    {"bool", "bool:and|or|xor"},
    {"scope", "scope:cta|cluster|gpu|sys"},
    {"load_space",
     "space:const|global|local|param|param::entry|param::func|shared|"
     "shared::cta"},
    {"store_space", "space:global|local|param|param::func|shared|shared::cta"},
    {"shared", "space:shared|shared::cta"},
    {"atomic_space", "space:global|shared|shared::cta"},
    {"any_space", "space:const|global|local|param|param::entry|shared|shared::cta"},
    {"atom",
     "+order:relaxed order:relaxed|acquire|release|acq_rel? <scope>? <atomic_space>?"},
    {"red", "+order:relaxed order:relaxed|release? <scope>? <atomic_space>?"},
    {"vec", "vec:v2|v4|v8"},
    {"load_cop", "cop:ca|cg|cs|lu|cv"},
    {"store_cop", "cop:wb|cg|cs|wt"},
    {"l1",
     "hint:L1::evict_normal|L1::evict_unchanged|L1::evict_first|L1::evict_last|"
     "L1::no_allocate"},
    {"l2", "hint:L2::evict_normal|L2::evict_first|L2::evict_last"},
    {"l2_prefetch", "hint:L2::64B|L2::128B|L2::256B"},
    {"l2_policy", "hint:L2::cache_hint"},
};

constexpr Group kTypeGroups[] = {
    {"int", "u16|u32|u64|s16|s32|s64"},
    {"unsigned", "u16|u32|u64"},
    {"signed", "s16|s32|s64"},
    {"int8", "u8|u16|u32|u64|s8|s16|s32|s64"},
    {"carry", "u32|s32|u64|s64"},
    {"bits", "b16|b32|b64"},
    {"half", "f16|f16x2"},
    {"bhalf", "bf16|bf16x2"},
    {"data", "b16|b32|b64|u16|u32|u64|s16|s32|s64|f32|f64"},
    {"set_result", "u32|s32|f32|f16|bf16"},
    {"memory", "b8|b16|b32|b64|u8|u16|u32|u64|s8|s16|s32|s64|f32|f64"},
};

template <size_t kSize>
std::string_view FindGroup(const Group (&groups)[kSize], std::string_view name) {
  for (const Group& group : groups) {
    if (group.name == name) return group.text;
  }
  return {};
}

bool IsSilentRole(std::string_view role) {
  return role == "lit" || role == "cop" || role == "scope" || role == "hint";
}

}  // namespace

bool ApplyModifier(std::string_view role, std::string_view token, Modifiers& mod) {
  if (IsSilentRole(role)) return true;
  for (const Meaning& meaning : kMeanings) {
    if (meaning.role != role || meaning.token != token) continue;
    meaning.apply(mod);
    return true;
  }
  return false;
}

std::string_view ModifierGroup(std::string_view name) {
  return FindGroup(kModifierGroups, name);
}

std::string_view TypeGroup(std::string_view name) { return FindGroup(kTypeGroups, name); }

}  // namespace thunky::ptx
