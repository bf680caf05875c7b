// Micro-operations of instructions.
#include <algorithm>

#include "absl/strings/str_cat.h"
#include "thunky/interp/block.h"
#include "thunky/interp/control.h"
#include "thunky/interp/function_decoder.h"
#include "thunky/interp/move_recipe.h"
#include "thunky/interp/warp_sync.h"

namespace thunky::interp {
namespace {

using ptx::ir::Address;
using ptx::ir::BitWidth;
using ptx::ir::Instruction;
using ptx::ir::IsSigned;
using ptx::ir::Op;
using ptx::ir::Operand;
using ptx::ir::Space;
using ptx::ir::Type;

Recipe ArithmeticRecipe(const Instruction& in) {
  switch (in.type) {
    case Type::kF32:
    case Type::kF32x2:
      return FloatRecipe(in);
    case Type::kF64:
      return DoubleRecipe(in);
    case Type::kF16:
    case Type::kF16x2:
    case Type::kBF16:
    case Type::kBF16x2:
      return HalfRecipe(in);
    case Type::kU16x2:
    case Type::kS16x2:
      return PackedIntegerRecipe(in);
    default:
      return IntegerRecipe(in);
  }
}

uint64_t ArgumentBytes(const ptx::ir::Function& function) {
  uint64_t bytes = 0;
  for (const auto& p : function.parameters) bytes = std::max(bytes, p.offset + p.size);
  return bytes;
}

}  // namespace

// clang-format off
Recipe RecipeOf(const Instruction& in) {
  switch (in.op) {
    case Op::kAdd: case Op::kSub: case Op::kMul: case Op::kMad: case Op::kFma:
    case Op::kDiv: case Op::kRem: case Op::kAbs: case Op::kNeg: case Op::kMin:
    case Op::kMax: case Op::kSad: case Op::kMul24: case Op::kMad24: case Op::kRcp:
    case Op::kSqrt: case Op::kRsqrt: case Op::kSin: case Op::kCos: case Op::kLg2:
    case Op::kEx2: case Op::kTanh:
      return ArithmeticRecipe(in);
    case Op::kDp4a: case Op::kDp2a: case Op::kPopc: case Op::kClz: case Op::kBfind:
    case Op::kFns: case Op::kBrev: case Op::kBfe: case Op::kBfi: case Op::kBmsk:
    case Op::kSzext:
      return BitsRecipe(in);
    case Op::kTestp: case Op::kCopysign: case Op::kSet: case Op::kSetp:
      return CompareRecipe(in);
    case Op::kSelp: case Op::kSlct: case Op::kAnd: case Op::kOr: case Op::kXor:
    case Op::kNot: case Op::kCnot: case Op::kLop3: case Op::kShl: case Op::kShr:
    case Op::kShf: case Op::kPrmt: case Op::kMov:
      return LogicRecipe(in);
    case Op::kCvt:
      return ConvertRecipe(in);
    case Op::kShfl: case Op::kVote: case Op::kMatch: case Op::kActivemask:
    case Op::kRedux: case Op::kElect: case Op::kBarWarp:
      return WarpRecipe(in);
    default:
      return {};
  }
}

void FunctionDecoder::DecodeBody() {
  switch (in_->op) {
    case Op::kPack: return DecodePack();
    case Op::kUnpack: return DecodeUnpack();
    case Op::kCvt: return DecodeConvert();
    case Op::kCvta: case Op::kIsspacep: return DecodeCvta();
    case Op::kLd: return DecodeLoad();
    case Op::kSt: return DecodeStore();
    case Op::kAtom: case Op::kRed: return DecodeAtomic();
    case Op::kCpAsync: return DecodeCpAsync();
    case Op::kCpAsyncCommit: Emit(CpAsyncCommitFn()); return;
    case Op::kCpAsyncWait:
      Emit(CpAsyncWaitFn()).imm = static_cast<int64_t>(in_->src.at(0).bits);
      return;
    case Op::kLdmatrix: case Op::kStmatrix: return DecodeMatrixAccess();
    case Op::kMma: return DecodeMma();
    case Op::kBar: return DecodeBar();
    case Op::kFence: Emit(FenceFn()); return;
    case Op::kNanosleep: Emit(NanosleepFn()); return;
    case Op::kPrefetch: case Op::kGriddepcontrol: case Op::kNop:
      Emit(NothingFn());
      return;
    case Op::kBra: case Op::kBrx: case Op::kRet: case Op::kExit: case Op::kTrap:
    case Op::kBrkpt:
      return DecodeControl();
    case Op::kCall: return DecodeCall();
    case Op::kLop3: return DecodeLop3(RecipeOf(*in_));
    case Op::kShfl: case Op::kVote: case Op::kMatch: case Op::kActivemask:
    case Op::kRedux: case Op::kElect: case Op::kBarWarp:
      return DecodeCollective(RecipeOf(*in_));
    default: return DecodeRecipe(RecipeOf(*in_));
  }
}
// clang-format on

int64_t FunctionDecoder::BlockOperations() const {
  return static_cast<int64_t>(out_->code.size()) - block_start_;
}

void FunctionDecoder::DecodeBlock(uint32_t index) {
  const ptx::ir::Block& block = function_.blocks[index];
  block_start_ = static_cast<uint32_t>(out_->code.size());
  out_->block_start[index] = block_start_;
  for (uint32_t i = block.first; i < block.last && status_.ok(); ++i) {
    in_ = &function_.code[i];
    DecodeInstruction();
  }
  const Instruction* last =
      block.last > block.first ? &function_.code[block.last - 1] : nullptr;
  const bool ends = last != nullptr && ptx::ir::IsTerminator(last->op) &&
                    (!last->guard.has_value() || last->op == Op::kBra);
  if (ends) return;
  in_ = last;
  MicroOp& op = Emit(&ExecFallThrough);
  op.imm = BlockOperations();
}

void FunctionDecoder::DecodeInstruction() {
  for (auto& [width, temporaries] : temporaries_) temporaries.used = 0;
  if (!in_->guard.has_value() || in_->op == Op::kBra) {
    DecodeBody();
    FinishWrites();
    return;
  }
  const size_t guard = out_->code.size();
  MicroOp& begin = Emit(&ExecGuard);
  begin.a = RegisterSlot(in_->guard->predicate);
  begin.extra = in_->guard->negated ? 1 : 0;
  DecodeBody();
  FinishWrites();
  Emit(&ExecEndGuard);
  out_->code[guard].target = static_cast<uint32_t>(out_->code.size() - guard);
}

void FunctionDecoder::DecodeRecipe(const Recipe& recipe) {
  if (recipe.fn == nullptr) return FailUnsupported();
  MicroOp op;
  Slot* const sources[] = {&op.a, &op.b, &op.c, &op.e};
  for (size_t k = 0; k < recipe.src.size(); ++k) {
    if (recipe.src[k] == 0) continue;
    if (k < in_->src.size()) {
      *sources[k] = Source(in_->src[k], recipe.src[k]);
    } else {
      *sources[k] = Constant(recipe.src[k] == 1 ? 1 : 0, recipe.src[k]);
    }
  }
  Slot* const results[] = {&op.d, &op.d2};
  for (size_t k = 0; k < recipe.dst.size(); ++k) {
    if (recipe.dst[k] == 0) continue;
    const int width = recipe.dst[k];
    *results[k] =
        k < in_->dst.size() ? Destination(in_->dst[k], width) : Temporary(width);
  }
  op.fn = recipe.fn;
  op.source = in_;
  if (recipe.compare != nullptr) op.compare = recipe.compare;
  out_->code.push_back(op);
}

void FunctionDecoder::DecodeLop3(const Recipe& recipe) {
  const Slot q = in_->src.size() > 4 ? Source(in_->src[4], 1) : Constant(1, 1);
  const uint32_t target = AddSlots({q});
  DecodeRecipe(recipe);
  if (status_.ok()) out_->code.back().target = target;
}

void FunctionDecoder::DecodeCollective(const Recipe& recipe) {
  if (recipe.fn == nullptr) return FailUnsupported();
  MicroOp op;
  Slot* const sources[] = {&op.a, &op.b, &op.c};
  const size_t values = in_->src.size() - (in_->mod.sync_mask ? 1 : 0);
  for (size_t k = 0; k < 3; ++k) {
    if (recipe.src[k] != 0 && k < values)
      *sources[k] = Source(in_->src[k], recipe.src[k]);
  }
  op.e = in_->mod.sync_mask ? Source(in_->src.back(), 32) : Constant(kAllLanes, 32);
  if (recipe.dst[0] != 0) op.d = Destination(in_->dst.at(0), recipe.dst[0]);
  if (recipe.dst[1] != 0 && in_->dst.size() > 1) op.d2 = Destination(in_->dst[1], 1);
  op.extra = PackWidths(recipe.dst[0], recipe.src[0], recipe.src[1], recipe.src[2]);
  op.collective = recipe.collective;
  op.fn = recipe.fn;
  op.source = in_;
  out_->code.push_back(op);
}

void FunctionDecoder::DecodeControl() {
  Slot a;
  if (in_->op == Op::kBrx) a = Source(in_->src.at(0), 32);
  ExecFn fn = &ExecTrap;
  switch (in_->op) {
    case Op::kBra:
      fn = in_->guard.has_value() ? &ExecBranch : &ExecJump;
      break;
    case Op::kBrx:
      fn = &ExecIndexedBranch;
      break;
    case Op::kRet:
      fn = &ExecReturn;
      break;
    case Op::kExit:
      fn = &ExecExit;
      break;
    default:
      break;
  }
  MicroOp& op = Emit(fn);
  op.a = a;
  op.target = in_->target;
  op.imm = BlockOperations();
  if (in_->op == Op::kBra && in_->guard.has_value()) {
    const Slot predicate = RegisterSlot(in_->guard->predicate);
    op.a = predicate;
    op.extra = in_->guard->negated ? 1 : 0;
  }
}

void FunctionDecoder::DecodeCall() {
  const ptx::ir::Call& call = function_.calls[in_->target];
  for (const auto* list : {&call.arguments, &call.results}) {
    for (const auto& slot : *list) {
      if (slot.is_register) RegisterSlot(slot.index);
    }
  }
  ExecFn fn = call.indirect ? &ExecIndirectCall : &ExecCall;
  if (call.builtin != ptx::ir::Builtin::kNone) fn = BuiltinFn(call.builtin);
  Slot pointer;
  if (call.indirect) {
    pointer = RegisterSlot(call.pointer_register);
    if (RegisterWidth(call.pointer_register) != 64) {
      return Fail(absl::StatusCode::kInvalidArgument,
                  "the pointer of an indirect call has not 64 bits");
    }
  }
  MicroOp& op = Emit(fn);
  op.a = pointer;
  op.extra = in_->target;
  op.imm = BlockOperations();
}

void FunctionDecoder::DecodePack() {
  const int whole = BitWidth(in_->type);
  const ExecFn fn = PackFn(whole, std::max<size_t>(1, in_->src.size()));
  if (fn == nullptr) return FailUnsupported();
  const int part = std::max(16, whole / static_cast<int>(in_->src.size()));
  std::vector<Slot> parts;
  parts.reserve(in_->src.size());
  for (const Operand& operand : in_->src) parts.push_back(Source(operand, part));
  const Slot d = Destination(in_->dst.at(0), whole);
  MicroOp& op = Emit(fn);
  op.d = d;
  op.target = AddSlots(parts);
}

void FunctionDecoder::DecodeUnpack() {
  const int whole = BitWidth(in_->type);
  const ExecFn fn = UnpackFn(whole, std::max<size_t>(1, in_->dst.size()));
  if (fn == nullptr) return FailUnsupported();
  const int part = std::max(16, whole / static_cast<int>(in_->dst.size()));
  const Slot a = Source(in_->src.at(0), whole);
  std::vector<Slot> parts;
  parts.reserve(in_->dst.size());
  for (const Operand& operand : in_->dst) parts.push_back(Destination(operand, part));
  MicroOp& op = Emit(fn);
  op.a = a;
  op.target = AddSlots(parts);
}

// The result may be narrower than its register.
void FunctionDecoder::DecodeConvert() {
  const Recipe recipe = RecipeOf(*in_);
  if (recipe.fn == nullptr) return FailUnsupported();
  Slot sources[2];
  for (size_t k = 0; k < 2 && k < in_->src.size(); ++k) {
    sources[k] = Source(in_->src[k], recipe.src[k]);
  }
  const int sign_bits = IsSigned(in_->type) ? recipe.dst[0] : 0;
  const Slot d = Destination(in_->dst.at(0), recipe.dst[0], sign_bits);
  MicroOp& op = Emit(recipe.fn);
  op.a = sources[0];
  op.b = sources[1];
  op.d = d;
}

void FunctionDecoder::DecodeCvta() {
  const bool test = in_->op == Op::kIsspacep;
  const ExecFn fn = test ? IsspacepFn() : CvtaFn(*in_);
  if (fn == nullptr) return FailUnsupported();
  const Slot a = Source(in_->src.at(0), 64);
  const Slot d = Destination(in_->dst.at(0), test ? 1 : 64);
  MicroOp& op = Emit(fn);
  op.a = a;
  op.d = d;
}

bool FunctionDecoder::IsOwnArgument(const Instruction& load) const {
  const Address& address = *load.address;
  if (!function_.is_entry || load.mod.space != Space::kParam ||
      address.base != Address::Base::kSymbol ||
      address.index >= ptx::ir::kModuleSymbolBase) {
    return false;
  }
  const uint64_t bytes = static_cast<uint64_t>(BitWidth(load.type)) / 8 * load.mod.vec;
  const int64_t at =
      static_cast<int64_t>(function_.symbols[address.index].offset) + address.offset;
  return at >= 0 && static_cast<uint64_t>(at) % bytes == 0 &&
         static_cast<uint64_t>(at) + bytes <= ArgumentBytes(function_);
}

void FunctionDecoder::DecodeLoad() {
  const int cell = CellBits(in_->type);
  const bool argument = IsOwnArgument(*in_);
  const ExecFn fn = argument ? ArgumentFn(*in_) : LoadFn(*in_);
  if (cell == 0 || fn == nullptr) return FailUnsupported();
  const AddressParts address = AddressOf(*in_->address);
  const int sign_bits = IsSigned(in_->type) ? cell : 0;
  std::vector<Slot> elements;
  elements.reserve(in_->dst.size());
  for (const Operand& operand : in_->dst) {
    elements.push_back(Destination(operand, cell, sign_bits));
  }
  MicroOp& op = Emit(fn);
  op.a = address.base;
  op.imm = address.imm;
  op.extra = static_cast<uint32_t>(address.mode);
  op.d = elements.at(0);
  op.target = AddSlots(elements);
}

void FunctionDecoder::DecodeStore() {
  const int cell = CellBits(in_->type);
  const ExecFn fn = StoreFn(*in_);
  if (cell == 0 || fn == nullptr) return FailUnsupported();
  const AddressParts address = AddressOf(*in_->address);
  std::vector<Slot> elements;
  elements.reserve(in_->src.size());
  for (const Operand& operand : in_->src) elements.push_back(Source(operand, cell));
  MicroOp& op = Emit(fn);
  op.a = address.base;
  op.imm = address.imm;
  op.extra = static_cast<uint32_t>(address.mode);
  op.b = elements.at(0);
  op.target = AddSlots(elements);
}

void FunctionDecoder::DecodeAtomic() {
  const ExecFn fn = AtomicFn(*in_);
  if (fn == nullptr) return FailUnsupported();
  const int cell = CellBits(in_->type);
  const AddressParts address = AddressOf(*in_->address);
  Slot sources[2];
  for (size_t k = 0; k < 2 && k < in_->src.size(); ++k) {
    sources[k] = Source(in_->src[k], cell);
  }
  Slot d;
  if (!in_->dst.empty()) d = Destination(in_->dst[0], cell);
  MicroOp& op = Emit(fn);
  op.a = address.base;
  op.imm = address.imm;
  op.extra = static_cast<uint32_t>(address.mode);
  op.b = sources[0];
  op.c = sources[1];
  op.d = d;
}

void FunctionDecoder::DecodeMatrixAccess() {
  const bool load = in_->op == Op::kLdmatrix;
  const AddressParts address = AddressOf(*in_->address);
  std::vector<Slot> elements;
  for (const Operand& operand : load ? in_->dst : in_->src) {
    elements.push_back(load ? Destination(operand, 32) : Source(operand, 32));
  }
  MicroOp& op = Emit(load ? LdmatrixFn() : StmatrixFn());
  op.a = address.base;
  op.imm = address.imm;
  op.extra = static_cast<uint32_t>(address.mode);
  op.target = AddSlots(elements);
}

void FunctionDecoder::DecodeMma() {
  const ExecFn fn = MmaFn(*in_);
  if (fn == nullptr) return FailUnsupported();
  std::vector<Slot> operands;
  operands.reserve(in_->dst.size());
  for (const Operand& operand : in_->dst) operands.push_back(Destination(operand, 32));
  for (const Operand& operand : in_->src) operands.push_back(Source(operand, 32));
  Emit(fn).target = AddSlots(operands);
}

void FunctionDecoder::DecodeCpAsync() {
  const AddressParts to = AddressOf(*in_->address);
  AddressParts from = AddressOf(*in_->address2);
  if (from.mode == AddressMode::kAbsolute) {
    from.base = Constant(static_cast<uint64_t>(from.imm), 64);
  }
  Slot limit_slot;
  CopyLimit limit = CopyLimit::kNone;
  if (!in_->src.empty()) {
    const Operand& operand = in_->src[0];
    const bool predicate =
        operand.kind == Operand::Kind::kRegister && RegisterWidth(operand.index) == 1;
    limit = predicate ? CopyLimit::kIgnore : CopyLimit::kBytes;
    limit_slot = Source(operand, predicate ? 1 : 32);
  }
  MicroOp& op = Emit(CpAsyncFn());
  op.a = to.base;
  op.imm = to.imm;
  op.extra = static_cast<uint32_t>(to.mode) | static_cast<uint32_t>(from.mode) << 8 |
             static_cast<uint32_t>(limit) << 16;
  op.target = AddSlots({from.base, limit_slot});
}

void FunctionDecoder::DecodeBar() {
  const Slot a = Source(in_->src.at(0), 32);
  const Slot b = Source(in_->src.at(1), 32);
  Slot c;
  Slot d;
  if (in_->src.size() > 2) c = Source(in_->src[2], 1);
  if (!in_->dst.empty()) {
    const bool popc = in_->mod.bar == ptx::ir::BarMode::kRedPopc;
    d = Destination(in_->dst[0], popc ? 32 : 1);
  }
  MicroOp& op = Emit(&ExecBar);
  op.a = a;
  op.b = b;
  op.c = c;
  op.d = d;
}

}  // namespace thunky::interp
