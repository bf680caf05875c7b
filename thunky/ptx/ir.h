// Typed form of a PTX entry and what it calls: names resolved, types and
// modifiers checked, operands flattened. The interpreter and the compiler both
// start here; neither looks at the syntax tree.
//
// Facts follow the PTX ISA (version 9.x). Conventions of this form:
//   * A register is a 64-bit cell per lane. A value narrower than the register
//     sits in its low bits; what lies above is zero for values written by a
//     typed instruction (sign is applied by the instruction that reads it).
//   * Addresses in `.shared` are offsets from the block's shared window, in
//     `.local` offsets from the thread's local window, in `.param` offsets in
//     the function's parameter area; in `.global` and `.const` they are host
//     pointers. Generic addresses are host pointers; `cvta` converts.
#ifndef THUNKY_PTX_IR_H_
#define THUNKY_PTX_IR_H_

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "thunky/ptx/ast.h"

namespace thunky::ptx::ir {

// clang-format off
enum class Type : uint8_t {
  kNone,
  kPred,
  kB8, kB16, kB32, kB64, kB128,
  kU8, kU16, kU32, kU64,
  kS8, kS16, kS32, kS64,
  kF16, kF16x2, kBF16, kBF16x2, kF32, kF32x2, kF64, kTF32,
  kE4M3, kE5M2, kE4M3x2, kE5M2x2,
  kU16x2, kS16x2,
};
// clang-format on
inline constexpr int kTypeCount = static_cast<int>(Type::kS16x2) + 1;
int BitWidth(Type type);                   // 0 for kNone, 1 for kPred
bool IsFloat(Type type);                   // f16, bf16, f32, f64, their pairs, tf32, fp8
bool IsSigned(Type type);                  // s8 .. s64, s16x2
std::string_view TypeName(Type type);      // "f32"
Type TypeFromName(std::string_view name);  // kNone when there is no such type

enum class Space : uint8_t {
  kGeneric,
  kReg,
  kConst,
  kGlobal,
  kLocal,
  kParam,
  kShared,
};
std::string_view SpaceName(Space space);

// clang-format off
enum class Op : uint16_t {
  // Integer and floating-point arithmetic; `type` says which.
  kAdd, kSub, kMul, kMad, kFma, kDiv, kRem, kAbs, kNeg, kMin, kMax, kSad,
  kMul24, kMad24, kDp4a, kDp2a,
  kPopc, kClz, kBfind, kFns, kBrev, kBfe, kBfi, kBmsk, kSzext,
  kRcp, kSqrt, kRsqrt, kSin, kCos, kLg2, kEx2, kTanh, kTestp, kCopysign,
  // Comparison and selection.
  kSet, kSetp, kSelp, kSlct,
  // Logic and shifts.
  kAnd, kOr, kXor, kNot, kCnot, kLop3, kShl, kShr, kShf, kPrmt,
  // Data movement. kPack joins `src` into one register, kUnpack splits one.
  kMov, kPack, kUnpack, kCvt, kCvta, kIsspacep,
  kLd, kSt, kAtom, kRed, kPrefetch,
  kCpAsync, kCpAsyncCommit, kCpAsyncWait,
  // Warp-wide.
  kShfl, kVote, kMatch, kActivemask, kRedux, kBarWarp, kElect,
  kLdmatrix, kStmatrix, kMma,
  // Block-wide and ordering.
  kBar, kFence, kNanosleep, kGriddepcontrol,
  // Control. Terminators: kBra, kBrx, kRet, kExit, kTrap.
  kBra, kBrx, kCall, kRet, kExit, kTrap, kBrkpt,
  kNop,  // pmevent, setmaxnreg and other hints without an effect
};
// clang-format on
inline constexpr int kOpCount = static_cast<int>(Op::kNop) + 1;
bool IsTerminator(Op op);
std::string_view OpName(Op op);

// clang-format off
enum class Rounding : uint8_t {
  kDefault,               // what the ISA says for the instruction
  kNearestEven, kZero, kDown, kUp, kNearestAway,
  kIntNearestEven, kIntZero, kIntDown, kIntUp,   // .rni .rzi .rmi .rpi
};
enum class Compare : uint8_t {
  kEq, kNe, kLt, kLe, kGt, kGe,         // ordered for floats
  kLo, kLs, kHi, kHs,                   // unsigned spellings
  kEqu, kNeu, kLtu, kLeu, kGtu, kGeu,   // true when a NaN is involved
  kNum, kNan,
};
// clang-format on
enum class BoolOp : uint8_t { kNone, kAnd, kOr, kXor };
enum class MulPart : uint8_t { kNone, kLo, kHi, kWide };
// clang-format off
enum class AtomOp : uint8_t {
  kNone, kAdd, kInc, kDec, kMin, kMax, kAnd, kOr, kXor, kExch, kCas,
};
// clang-format on
enum class ShflMode : uint8_t { kUp, kDown, kBfly, kIdx };
enum class VoteMode : uint8_t { kAll, kAny, kUni, kBallot };
enum class BarMode : uint8_t { kSync, kArrive, kRedPopc, kRedAnd, kRedOr };
enum class PrmtMode : uint8_t { kNone, kF4e, kB4e, kRc8, kEcl, kEcr, kRc16 };
enum class TestpMode : uint8_t {
  kFinite,
  kInfinite,
  kNumber,
  kNotANumber,
  kNormal,
  kSubnormal,
};
// Ordering of a memory access; scopes (.cta, .gpu, .sys) collapse on a CPU.
enum class Ordering : uint8_t {
  kWeak,
  kVolatile,
  kRelaxed,
  kAcquire,
  kRelease,
  kAcqRel,
  kSeqCst,
};

// Everything a mnemonic's dots can say, apart from types. A field that the
// opcode does not use keeps its default.
struct Modifiers {
  Rounding rounding = Rounding::kDefault;
  bool ftz = false;
  bool sat = false;
  bool relu = false;
  bool satfinite = false;
  bool approx = false;
  bool full = false;
  bool nan = false;           // .NaN of min/max
  bool xorsign = false;       // .xorsign.abs of min/max
  bool three_inputs = false;  // min/max of three values
  bool carry_in = false;      // addc, subc, madc
  bool carry_out = false;     // .cc
  bool wrap = false;          // shf.wrap (else .clamp); bmsk.wrap
  bool left = false;          // shf.l (else .r)
  bool shiftamt = false;      // bfind.shiftamt
  bool uniform = false;       // .uni of bra, call, ret
  bool aligned = false;       // barrier.sync.aligned, bar.sync
  bool sync_mask = false;     // .sync form with a member mask operand
  bool trans = false;         // ldmatrix/stmatrix .trans
  bool to = false;            // cvta.to.SPACE
  bool non_coherent = false;  // ld.global.nc
  uint8_t vec = 1;            // 1, 2, 4 (8): elements of a vector access; .x1 .x2 .x4
  uint8_t bytes = 0;          // cp.async size
  MulPart part = MulPart::kNone;
  Compare compare = Compare::kEq;
  BoolOp bool_op = BoolOp::kNone;
  AtomOp atom = AtomOp::kNone;
  ShflMode shfl = ShflMode::kIdx;
  VoteMode vote = VoteMode::kAll;
  BarMode bar = BarMode::kSync;
  PrmtMode prmt = PrmtMode::kNone;
  TestpMode testp = TestpMode::kFinite;
  Ordering ordering = Ordering::kWeak;
  Space space = Space::kGeneric;
  bool match_all = false;                         // match.all (else .any)
  std::array<uint16_t, 3> mma_shape = {0, 0, 0};  // m, n, k
};

// clang-format off
enum class Special : uint8_t {
  kTid, kNtid, kCtaid, kNctaid,  // component 0..2
  kLaneid, kWarpid, kNwarpid, kSmid, kNsmid, kGridid,
  kLanemaskEq, kLanemaskLe, kLanemaskLt, kLanemaskGe, kLanemaskGt,
  kClock, kClockHi, kClock64, kGlobaltimer, kGlobaltimerLo, kGlobaltimerHi,
  kDynamicSmemSize, kTotalSmemSize, kEnvreg,
  kClusterid, kNclusterid, kClusterCtaid, kClusterNctaid, kClusterCtarank,
  kClusterNctarank, kIsExplicitCluster,
};
// clang-format on

struct Operand {
  enum class Kind : uint8_t {
    kNone,       // sink `_`
    kRegister,   // index: register of the function
    kImmediate,  // bits, already in the operand's type
    kSymbol,     // address of symbol `index` plus `bits` (see conventions above)
    kSpecial,    // special, component
    kFunction,   // address of function `index`: a value that calls understand
  };
  Kind kind = Kind::kNone;
  bool negated = false;  // `!%p` as a predicate source
  Special special = Special::kTid;
  uint8_t component = 0;
  uint32_t index = 0;
  uint64_t bits = 0;
};

// `[base + offset]`.
struct Address {
  enum class Base : uint8_t { kNone, kRegister, kSymbol };
  Base base = Base::kNone;
  uint32_t index = 0;  // register or symbol
  int64_t offset = 0;  // absolute address when base is kNone
};

struct Guard {
  uint32_t predicate = 0;
  bool negated = false;
};

// Operand order is that of the PTX text, with vectors flattened; `[...]` here
// marks what may be absent, a sink `_` is present as Operand::Kind::kNone:
//   setp, testp, isspacep: dst = {p [, q]}, src = {a [, b] [, c]}
//   shfl, match, elect: dst = {d [, p]};  the member mask is the last of src,
//     present exactly when mod.sync_mask (redux, vote and bar.warp as well)
//   vote: src = {predicate [, mask]}
//   ld: dst = vec elements;  st: src = vec elements
//   atom: dst = {d} (absent for red), src = {b [, c]}
//   redux: the operation is in mod.atom
//   bar: src = {barrier, count [, predicate]}; an immediate count of 0 stands for
//     all threads of the block. dst = {d} of the .red modes
//   lop3: dst = {d [, p]}, src = {a, b, c, table [, q]}; dp4a: type is that of a,
//     src_type that of b; c and d are 32 bits wide, signed if either type is
//   cvt to a pair from f32: src = {upper, lower}
//   cp.async: address is the destination, address2 the source, mod.bytes the
//     size; src = {} or {source bytes} (type u32) or {predicate}: zeros instead of
//     reading. wait_group: src = {immediate n}; wait_all is a commit and a wait 0
//   ldmatrix: dst, stmatrix: src = mod.vec registers
//   mma: dst = D, src = A, B, C flattened; type is that of D and C, src_type that
//     of A and B
//   brx: src = {index};  nanosleep: src = {nanoseconds}
// A destination register may be wider than `type` in ld and cvt: the value is
// sign-extended to the register for signed types, zero-extended otherwise; a
// source register may be wider in st and cvt: its low bits count.
struct Instruction {
  Op op = Op::kNop;
  Type type = Type::kNone;
  Type src_type = Type::kNone;  // cvt, set: of the source; mma: of A and B; dp4a: of b
  Modifiers mod;
  std::optional<Guard> guard;
  std::vector<Operand> dst;
  std::vector<Operand> src;
  std::optional<Address> address;   // ld, st, atom, red, prefetch, matrices
  std::optional<Address> address2;  // cp.async source
  // kBra: block; kCall: index into Function::calls; kBrx: index into
  // Function::branch_tables.
  uint32_t target = 0;
  SourceLocation location;
};

// Straight-line code [first, last) of Function::code, in layout order. Control
// enters at `first`. A terminator ends its block; under a guard it falls through
// to the next block for lanes whose guard is false. A block without a terminator
// falls through as well; the last block of a function always ends in an unguarded
// terminator. `successors`: the branch target (or targets) first, the block fallen
// into last, without duplicates.
struct Block {
  uint32_t first = 0;
  uint32_t last = 0;
  std::vector<uint32_t> successors;
};

struct Register {
  std::string name;
  Type type = Type::kNone;
};

// A variable in memory. Offsets are within the space's window; for kGlobal and
// kConst the executor chooses the address.
struct Symbol {
  std::string name;
  Space space = Space::kGlobal;
  uint64_t alignment = 1;
  uint64_t size = 0;
  uint64_t offset = 0;          // kShared, kLocal, kParam
  bool dynamic_shared = false;  // `.extern .shared x[]`: starts after static shared
  uint64_t element_bytes = 1;   // size of one element
  bool is_extern = false;       // .extern .global without a definition here
  std::vector<uint8_t> init;    // empty: zeros (shorter than size: zero-padded)
  // init bytes at `at` hold the address of another symbol or function.
  struct Relocation {
    uint64_t at = 0;
    bool function = false;
    uint32_t index = 0;  // into Program::symbols, or Program::functions
    int64_t addend = 0;
    bool generic = true;  // generic(x), else the address in its own space
  };
  std::vector<Relocation> relocations;
  SourceLocation location;
};

struct Parameter {
  std::string name;
  Type type = Type::kNone;  // element type
  uint64_t size = 0;        // bytes
  uint64_t alignment = 1;
  uint64_t offset = 0;      // in the function's parameter area
  bool is_pointer = false;  // declared `.ptr`
};

enum class Builtin : uint8_t { kNone, kVprintf, kAssertFail, kMalloc, kFree };

// A call: arguments and results live in the caller's parameter area.
struct Call {
  bool indirect = false;
  uint32_t callee = 0;  // function index when direct and not builtin
  Builtin builtin = Builtin::kNone;
  uint32_t pointer_register = 0;  // when indirect
  // Functions an indirect call may reach: those of its `.calltargets`, else those
  // of the program whose address is taken and whose slots have the call's sizes.
  std::vector<uint32_t> candidates;
  struct Slot {  // a `.param` symbol or a plain register
    bool is_register = false;
    uint32_t index = 0;  // Symbol of the function, or register
    uint64_t size = 0;
  };
  std::vector<Slot> arguments;
  std::vector<Slot> results;
};

// The first symbols of a function are its parameters, then its results, in order
// and with the offsets of `parameters` and `results`. A parameter or result in the
// `.reg` space has such a symbol too: loads at the start of the body and stores
// before each `ret` move the value.
struct Function {
  std::string name;
  bool is_entry = false;
  bool noreturn = false;
  std::vector<Parameter> parameters;
  std::vector<Parameter> results;
  uint64_t param_bytes = 0;  // parameter area: own parameters, results, call slots
  uint64_t local_bytes = 0;  // `.local` variables, per thread and activation
  std::vector<Register> registers;
  std::vector<Symbol> symbols;  // .local and .param variables of this body
  std::vector<Instruction> code;
  std::vector<Block> blocks;  // blocks[0] is the entry
  std::vector<Call> calls;
  // brx targets: block indices of each `.branchtargets` list; kBrx's `target`
  // indexes this.
  std::vector<std::vector<uint32_t>> branch_tables;
  SourceLocation location;
};

struct LaunchBounds {
  std::optional<std::array<uint32_t, 3>> reqntid;
  std::optional<std::array<uint32_t, 3>> maxntid;
};

// Symbol indices of an operand or address: below kModuleSymbolBase a symbol of
// the function, from there on `Program::symbols[index - kModuleSymbolBase]`.
inline constexpr uint32_t kModuleSymbolBase = 0x40000000;

// One entry with everything it can reach. functions[0] is the entry.
struct Program {
  std::vector<Function> functions;
  // .global, .const and .shared variables used by them, those declared inside
  // functions included; names need not be unique.
  std::vector<Symbol> symbols;
  uint64_t static_shared_bytes = 0;
  uint64_t shared_alignment = 1;
  bool uses_dynamic_shared = false;
  bool uses_block_barrier = false;
  LaunchBounds bounds;
  std::string entry;
};

}  // namespace thunky::ptx::ir

#endif  // THUNKY_PTX_IR_H_
