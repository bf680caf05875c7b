#include "thunky/ptx/ir.h"

#include <cstddef>

namespace thunky::ptx::ir {
namespace {

struct TypeFacts {
  Type type;
  int bits;
  bool is_float;
  bool is_signed;
  std::string_view name;
};

// Indexed by Type.
constexpr TypeFacts kTypes[] = {
    {Type::kNone, 0, false, false, ""},
    {Type::kPred, 1, false, false, "pred"},
    {Type::kB8, 8, false, false, "b8"},
    {Type::kB16, 16, false, false, "b16"},
    {Type::kB32, 32, false, false, "b32"},
    {Type::kB64, 64, false, false, "b64"},
    {Type::kB128, 128, false, false, "b128"},
    {Type::kU8, 8, false, false, "u8"},
    {Type::kU16, 16, false, false, "u16"},
    {Type::kU32, 32, false, false, "u32"},
    {Type::kU64, 64, false, false, "u64"},
    {Type::kS8, 8, false, true, "s8"},
    {Type::kS16, 16, false, true, "s16"},
    {Type::kS32, 32, false, true, "s32"},
    {Type::kS64, 64, false, true, "s64"},
    {Type::kF16, 16, true, false, "f16"},
    {Type::kF16x2, 32, true, false, "f16x2"},
    {Type::kBF16, 16, true, false, "bf16"},
    {Type::kBF16x2, 32, true, false, "bf16x2"},
    {Type::kF32, 32, true, false, "f32"},
    {Type::kF32x2, 64, true, false, "f32x2"},
    {Type::kF64, 64, true, false, "f64"},
    {Type::kTF32, 32, true, false, "tf32"},
    {Type::kE4M3, 8, true, false, "e4m3"},
    {Type::kE5M2, 8, true, false, "e5m2"},
    {Type::kE4M3x2, 16, true, false, "e4m3x2"},
    {Type::kE5M2x2, 16, true, false, "e5m2x2"},
    {Type::kU16x2, 32, false, false, "u16x2"},
    {Type::kS16x2, 32, false, true, "s16x2"},
};
static_assert(std::size(kTypes) == kTypeCount);

constexpr bool TypesInOrder() {
  for (size_t i = 0; i < std::size(kTypes); ++i) {
    if (static_cast<size_t>(kTypes[i].type) != i) return false;
  }
  return true;
}
static_assert(TypesInOrder(), "kTypes is indexed by Type");

struct OpFacts {
  Op op;
  std::string_view name;
};

// Indexed by Op.
constexpr OpFacts kOps[] = {
    {Op::kAdd, "add"},
    {Op::kSub, "sub"},
    {Op::kMul, "mul"},
    {Op::kMad, "mad"},
    {Op::kFma, "fma"},
    {Op::kDiv, "div"},
    {Op::kRem, "rem"},
    {Op::kAbs, "abs"},
    {Op::kNeg, "neg"},
    {Op::kMin, "min"},
    {Op::kMax, "max"},
    {Op::kSad, "sad"},
    {Op::kMul24, "mul24"},
    {Op::kMad24, "mad24"},
    {Op::kDp4a, "dp4a"},
    {Op::kDp2a, "dp2a"},
    {Op::kPopc, "popc"},
    {Op::kClz, "clz"},
    {Op::kBfind, "bfind"},
    {Op::kFns, "fns"},
    {Op::kBrev, "brev"},
    {Op::kBfe, "bfe"},
    {Op::kBfi, "bfi"},
    {Op::kBmsk, "bmsk"},
    {Op::kSzext, "szext"},
    {Op::kRcp, "rcp"},
    {Op::kSqrt, "sqrt"},
    {Op::kRsqrt, "rsqrt"},
    {Op::kSin, "sin"},
    {Op::kCos, "cos"},
    {Op::kLg2, "lg2"},
    {Op::kEx2, "ex2"},
    {Op::kTanh, "tanh"},
    {Op::kTestp, "testp"},
    {Op::kCopysign, "copysign"},
    {Op::kSet, "set"},
    {Op::kSetp, "setp"},
    {Op::kSelp, "selp"},
    {Op::kSlct, "slct"},
    {Op::kAnd, "and"},
    {Op::kOr, "or"},
    {Op::kXor, "xor"},
    {Op::kNot, "not"},
    {Op::kCnot, "cnot"},
    {Op::kLop3, "lop3"},
    {Op::kShl, "shl"},
    {Op::kShr, "shr"},
    {Op::kShf, "shf"},
    {Op::kPrmt, "prmt"},
    {Op::kMov, "mov"},
    {Op::kPack, "pack"},
    {Op::kUnpack, "unpack"},
    {Op::kCvt, "cvt"},
    {Op::kCvta, "cvta"},
    {Op::kIsspacep, "isspacep"},
    {Op::kLd, "ld"},
    {Op::kSt, "st"},
    {Op::kAtom, "atom"},
    {Op::kRed, "red"},
    {Op::kPrefetch, "prefetch"},
    {Op::kCpAsync, "cp.async"},
    {Op::kCpAsyncCommit, "cp.async.commit_group"},
    {Op::kCpAsyncWait, "cp.async.wait_group"},
    {Op::kShfl, "shfl"},
    {Op::kVote, "vote"},
    {Op::kMatch, "match"},
    {Op::kActivemask, "activemask"},
    {Op::kRedux, "redux"},
    {Op::kBarWarp, "bar.warp"},
    {Op::kElect, "elect"},
    {Op::kLdmatrix, "ldmatrix"},
    {Op::kStmatrix, "stmatrix"},
    {Op::kMma, "mma"},
    {Op::kBar, "bar"},
    {Op::kFence, "fence"},
    {Op::kNanosleep, "nanosleep"},
    {Op::kGriddepcontrol, "griddepcontrol"},
    {Op::kBra, "bra"},
    {Op::kBrx, "brx"},
    {Op::kCall, "call"},
    {Op::kRet, "ret"},
    {Op::kExit, "exit"},
    {Op::kTrap, "trap"},
    {Op::kBrkpt, "brkpt"},
    {Op::kNop, "nop"},
};
static_assert(std::size(kOps) == kOpCount);

constexpr bool OpsInOrder() {
  for (size_t i = 0; i < std::size(kOps); ++i) {
    if (static_cast<size_t>(kOps[i].op) != i) return false;
  }
  return true;
}
static_assert(OpsInOrder(), "kOps is indexed by Op");

const TypeFacts& Facts(Type type) {
  const size_t index = static_cast<size_t>(type);
  return kTypes[index < std::size(kTypes) ? index : 0];
}

}  // namespace

int BitWidth(Type type) { return Facts(type).bits; }
bool IsFloat(Type type) { return Facts(type).is_float; }
bool IsSigned(Type type) { return Facts(type).is_signed; }
std::string_view TypeName(Type type) { return Facts(type).name; }

Type TypeFromName(std::string_view name) {
  if (name.empty()) return Type::kNone;
  for (const TypeFacts& facts : kTypes) {
    if (facts.name == name) return facts.type;
  }
  return Type::kNone;
}

std::string_view SpaceName(Space space) {
  switch (space) {
    case Space::kGeneric:
      return "generic";
    case Space::kReg:
      return "reg";
    case Space::kConst:
      return "const";
    case Space::kGlobal:
      return "global";
    case Space::kLocal:
      return "local";
    case Space::kParam:
      return "param";
    case Space::kShared:
      return "shared";
  }
  return "";
}

std::string_view OpName(Op op) {
  const size_t index = static_cast<size_t>(op);
  return index < std::size(kOps) ? kOps[index].name : "";
}

bool IsTerminator(Op op) {
  return op == Op::kBra || op == Op::kBrx || op == Op::kRet || op == Op::kExit ||
         op == Op::kTrap;
}

}  // namespace thunky::ptx::ir
