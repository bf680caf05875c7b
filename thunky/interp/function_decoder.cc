// Operands: where they live and how they get there. Instructions are decoded in
// decode_instruction.cc.
#include "thunky/interp/function_decoder.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "thunky/interp/control.h"
#include "thunky/interp/move_recipe.h"

namespace thunky::interp {
namespace {

using ptx::ir::Address;
using ptx::ir::Operand;
using ptx::ir::Space;
using ptx::ir::Special;
using ptx::ir::Symbol;

// The first bytes of a frame: the CC bits, and room that absent operands may be read
// from.
constexpr uint64_t kReservedBytes = kLanes * sizeof(uint64_t);
constexpr uint64_t kPredicatesAtOnce = 64;

Slot WarpSlot(WarpSpecial special) {
  return {Slot::kWarp, static_cast<uint32_t>(special) * kSpecialBytes};
}
Slot LaunchSlot(LaunchSpecial special) {
  return {Slot::kLaunch, static_cast<uint32_t>(special) * kSpecialBytes};
}
// The register of a vector special: x, y, z follow each other; there is no w.
template <typename S>
S Component(S x, uint8_t component) {
  return static_cast<S>(static_cast<uint32_t>(x) + component);
}

Slot StaticSpecial(const Operand& operand) {
  const uint8_t c = operand.component;
  switch (operand.special) {
    case Special::kTid:
      return c < 3 ? WarpSlot(Component(WarpSpecial::kTidX, c))
                   : LaunchSlot(LaunchSpecial::kZero);
    case Special::kNtid:
      return LaunchSlot(c < 3 ? Component(LaunchSpecial::kNtidX, c)
                              : LaunchSpecial::kOne);
    case Special::kCtaid:
    case Special::kClusterid:
      return LaunchSlot(c < 3 ? Component(LaunchSpecial::kCtaidX, c)
                              : LaunchSpecial::kZero);
    case Special::kNctaid:
    case Special::kNclusterid:
      return LaunchSlot(c < 3 ? Component(LaunchSpecial::kNctaidX, c)
                              : LaunchSpecial::kOne);
    case Special::kLaneid:
      return WarpSlot(WarpSpecial::kLaneid);
    case Special::kWarpid:
      return WarpSlot(WarpSpecial::kWarpid);
    case Special::kLanemaskEq:
      return WarpSlot(WarpSpecial::kLanemaskEq);
    case Special::kLanemaskLe:
      return WarpSlot(WarpSpecial::kLanemaskLe);
    case Special::kLanemaskLt:
      return WarpSlot(WarpSpecial::kLanemaskLt);
    case Special::kLanemaskGe:
      return WarpSlot(WarpSpecial::kLanemaskGe);
    case Special::kLanemaskGt:
      return WarpSlot(WarpSpecial::kLanemaskGt);
    case Special::kNwarpid:
      return LaunchSlot(LaunchSpecial::kNwarpid);
    case Special::kGridid:
      return LaunchSlot(LaunchSpecial::kGridid);
    case Special::kDynamicSmemSize:
      return LaunchSlot(LaunchSpecial::kDynamicShared);
    case Special::kTotalSmemSize:
      return LaunchSlot(LaunchSpecial::kTotalShared);
    // One multiprocessor; clusters of one block each.
    case Special::kNsmid:
    case Special::kClusterNctaid:
    case Special::kClusterNctarank:
      return LaunchSlot(LaunchSpecial::kOne);
    default:
      return LaunchSlot(LaunchSpecial::kZero);
  }
}

}  // namespace

FunctionDecoder::FunctionDecoder(const DecodedProgram& program,
                                 const ptx::ir::Function& function, DecodedFunction* out)
    : program_(program),
      function_(function),
      out_(out),
      frame_bytes_(kReservedBytes),
      has_slot_(function.registers.size()) {
  out->ir = &function;
  out->register_slots.resize(function.registers.size());
}

absl::Status FunctionDecoder::Decode() {
  out_->block_start.resize(function_.blocks.size());
  for (uint32_t b = 0; b < function_.blocks.size() && status_.ok(); ++b) DecodeBlock(b);
  if (function_.blocks.empty()) Emit(&ExecReturn);
  if (!status_.ok()) return status_;
  // Jumps were decoded with block numbers.
  for (MicroOp& op : out_->code) {
    if (op.fn == &ExecJump || op.fn == &ExecBranch) {
      op.target = out_->block_start[op.target];
    }
  }
  out_->frame_bytes = static_cast<uint32_t>(frame_bytes_);
  return absl::OkStatus();
}

void FunctionDecoder::Fail(absl::StatusCode code, std::string_view message) {
  if (!status_.ok()) return;
  const std::string line =
      in_ == nullptr ? "" : absl::StrCat("line ", in_->location.line, ": ");
  status_ = absl::Status(
      code, absl::StrCat(line, absl::string_view(message.data(), message.size())));
}

void FunctionDecoder::FailUnsupported() {
  const std::string_view op = ptx::ir::OpName(in_->op);
  const std::string_view type = ptx::ir::TypeName(in_->type);
  Fail(absl::StatusCode::kUnimplemented,
       absl::StrCat("the interpreter has no form of '",
                    absl::string_view(op.data(), op.size()), "' for type '",
                    absl::string_view(type.data(), type.size()), "' like this one"));
}

MicroOp& FunctionDecoder::Emit(ExecFn fn) {
  MicroOp op;
  op.fn = fn;
  op.source = in_;
  out_->code.push_back(op);
  return out_->code.back();
}

int FunctionDecoder::RegisterWidth(uint32_t index) const {
  const int bits = BitWidth(function_.registers[index].type);
  return bits == 8 ? 16 : bits;
}

Slot FunctionDecoder::Allocate(int width) {
  uint64_t at = frame_bytes_;
  if (width == 1) {
    if (predicate_at_ % kPredicatesAtOnce == 0) {
      predicate_at_ = frame_bytes_;
      frame_bytes_ += kPredicatesAtOnce;
    }
    at = predicate_at_;
    predicate_at_ += sizeof(uint32_t);
  } else {
    frame_bytes_ += static_cast<uint64_t>(width) / 8 * kLanes;
  }
  if (frame_bytes_ > kMaxRegisterBytes) {
    Fail(absl::StatusCode::kResourceExhausted,
         absl::StrCat("function '", function_.name, "' needs more than ",
                      kMaxRegisterBytes, " bytes of registers"));
    frame_bytes_ = at = kReservedBytes;
  }
  return {Slot::kFrame, static_cast<uint32_t>(at)};
}

Slot FunctionDecoder::RegisterSlot(uint32_t index) {
  if (!has_slot_[index]) {
    const int width = RegisterWidth(index);
    if (width != 1 && width != 16 && width != 32 && width != 64) {
      Fail(absl::StatusCode::kUnimplemented,
           absl::StrCat("register '", function_.registers[index].name, "' of ", width,
                        " bits"));
      return {};
    }
    has_slot_[index] = true;
    out_->register_slots[index] = Allocate(width);
  }
  return out_->register_slots[index];
}

Slot FunctionDecoder::Temporary(int width) {
  Temporaries& t = temporaries_[width];
  if (t.used == t.slots.size()) t.slots.push_back(Allocate(width));
  return t.slots[t.used++];
}

Slot FunctionDecoder::Constant(uint64_t bits, int width) {
  if (width == 1) bits = (bits & 1) != 0 ? kAllLanes : 0;
  if (width == 16) bits &= 0xffffu;
  if (width == 32) bits &= 0xffffffffu;
  const auto [it, added] = constants_.try_emplace({bits, width});
  if (!added) return it->second;
  const size_t at = out_->constants.size() * sizeof(uint64_t);
  if (at > kMaxRegisterBytes) {
    Fail(absl::StatusCode::kResourceExhausted,
         absl::StrCat("function '", function_.name, "' has too many constants"));
    return {};
  }
  uint64_t word = bits;
  if (width == 16) word *= 0x0001000100010001u;
  if (width == 32) word |= bits << 32;
  const size_t words = width == 1 ? 1 : static_cast<size_t>(width) * kLanes / 64;
  out_->constants.insert(out_->constants.end(), words, word);
  it->second = Slot(Slot::kConstant, static_cast<uint32_t>(at));
  return it->second;
}

Slot FunctionDecoder::Resized(Slot from, int from_width, int width, int sign_bits) {
  if (from_width == width) return from;
  const ExecFn fn = ResizeFn(width, from_width, sign_bits);
  if (fn == nullptr) {
    Fail(absl::StatusCode::kInvalidArgument,
         absl::StrCat("an operand of ", from_width, " bits stands for one of ", width));
    return {};
  }
  const Slot to = Temporary(width);
  MicroOp& op = Emit(fn);
  op.d = to;
  op.a = from;
  return to;
}

Slot FunctionDecoder::Source(const Operand& operand, int width) {
  switch (operand.kind) {
    case Operand::Kind::kRegister: {
      const Slot slot = RegisterSlot(operand.index);
      const int have = RegisterWidth(operand.index);
      if (have == 1 && width == 1 && operand.negated) {
        const Slot negated = Temporary(1);
        MicroOp& op = Emit(NegatePredicateFn());
        op.d = negated;
        op.a = slot;
        return negated;
      }
      return Resized(slot, have, width, 0);
    }
    case Operand::Kind::kImmediate:
      return Constant(operand.bits ^ (operand.negated ? 1 : 0), width);
    case Operand::Kind::kSymbol:
      return SymbolSource(operand, width);
    case Operand::Kind::kSpecial:
      return SpecialSource(operand, width);
    case Operand::Kind::kFunction:
      return Constant(program_.symbols.handle[operand.index], width);
    case Operand::Kind::kNone:
      break;
  }
  return Constant(0, width);
}

Slot FunctionDecoder::SymbolSource(const Operand& operand, int width) {
  if (operand.index >= ptx::ir::kModuleSymbolBase) {
    const uint32_t index = operand.index - ptx::ir::kModuleSymbolBase;
    return Constant(program_.symbols.address[index] + operand.bits, width);
  }
  const Symbol& symbol = function_.symbols[operand.index];
  if (symbol.space != Space::kLocal) {
    return Constant(symbol.offset + operand.bits, width);
  }
  const Slot to = Temporary(64);
  MicroOp& op = Emit(FrameAddressFn());
  op.d = to;
  op.imm = static_cast<int64_t>(out_->local_offset + symbol.offset + operand.bits);
  return Resized(to, 64, width, 0);
}

Slot FunctionDecoder::ClockSource(Special special, int width) {
  const Slot to = Temporary(64);
  MicroOp& op = Emit(ClockFn());
  op.d = to;
  op.extra = static_cast<uint32_t>(special);
  return Resized(to, 64, width, 0);
}

Slot FunctionDecoder::SpecialSource(const Operand& operand, int width) {
  switch (operand.special) {
    case Special::kClock:
    case Special::kClockHi:
    case Special::kClock64:
    case Special::kGlobaltimer:
    case Special::kGlobaltimerLo:
    case Special::kGlobaltimerHi:
      return ClockSource(operand.special, width);
    default:
      // A predicate special (%is_explicit_cluster) is always false here.
      if (width == 1) return Constant(0, 1);
      return Resized(StaticSpecial(operand), 32, width, 0);
  }
}

Slot FunctionDecoder::Destination(const Operand& operand, int width, int sign_bits) {
  if (operand.kind != Operand::Kind::kRegister) return Temporary(width);
  const Slot slot = RegisterSlot(operand.index);
  const int have = RegisterWidth(operand.index);
  if (have == width) return slot;
  const Slot temporary = Temporary(width);
  writes_.push_back({slot, temporary, have, width, sign_bits});
  return temporary;
}

void FunctionDecoder::FinishWrites() {
  for (const Write& write : writes_) {
    const ExecFn fn = ResizeFn(write.to_width, write.from_width, write.sign_bits);
    if (fn == nullptr) {
      Fail(absl::StatusCode::kInvalidArgument,
           absl::StrCat("a register of ", write.to_width, " bits takes a result of ",
                        write.from_width));
      break;
    }
    MicroOp& op = Emit(fn);
    op.d = write.to;
    op.a = write.from;
  }
  writes_.clear();
}

uint32_t FunctionDecoder::AddSlots(const std::vector<Slot>& slots) {
  const uint32_t first = static_cast<uint32_t>(out_->slots.size());
  out_->slots.insert(out_->slots.end(), slots.begin(), slots.end());
  return first;
}

FunctionDecoder::AddressParts FunctionDecoder::AddressOf(const Address& address) {
  AddressParts parts;
  parts.imm = address.offset;
  switch (address.base) {
    case Address::Base::kNone:
      break;
    case Address::Base::kRegister:
      parts.mode = RegisterWidth(address.index) == 64 ? AddressMode::kRegister64
                                                      : AddressMode::kRegister32;
      parts.base = RegisterSlot(address.index);
      if (RegisterWidth(address.index) < 32) {
        Fail(absl::StatusCode::kInvalidArgument, "an address of less than 32 bits");
      }
      break;
    case Address::Base::kSymbol:
      if (address.index >= ptx::ir::kModuleSymbolBase) {
        const uint32_t index = address.index - ptx::ir::kModuleSymbolBase;
        parts.imm += static_cast<int64_t>(program_.symbols.address[index]);
      } else {
        const Symbol& symbol = function_.symbols[address.index];
        parts.imm += static_cast<int64_t>(symbol.offset);
        if (symbol.space == Space::kLocal) {
          parts.mode = AddressMode::kFrame;
          parts.imm += static_cast<int64_t>(out_->local_offset);
        }
      }
      break;
  }
  return parts;
}

}  // namespace thunky::interp
