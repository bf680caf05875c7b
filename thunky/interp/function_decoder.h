// Decoding of one function: places for registers and constants, micro-operations for
// instructions.
#ifndef THUNKY_INTERP_FUNCTION_DECODER_H_
#define THUNKY_INTERP_FUNCTION_DECODER_H_

#include <cstdint>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "thunky/interp/decode.h"
#include "thunky/interp/memory_recipe.h"
#include "thunky/interp/micro_op.h"
#include "thunky/interp/recipe.h"
#include "thunky/ptx/ir.h"

namespace thunky::interp {

class FunctionDecoder {
 public:
  // All outlive the decoder.
  FunctionDecoder(const DecodedProgram& program, const ptx::ir::Function& function,
                  DecodedFunction* out);
  absl::Status Decode();

 private:
  // Where values live. Widths in bits: 1, 16, 32, 64.
  int RegisterWidth(uint32_t index) const;
  Slot RegisterSlot(uint32_t index);
  Slot Constant(uint64_t bits, int width);
  Slot Temporary(int width);
  Slot Allocate(int width);
  // The place of a source as `width` bits; may emit operations that put it there.
  Slot Source(const ptx::ir::Operand& operand, int width);
  Slot SymbolSource(const ptx::ir::Operand& operand, int width);
  Slot SpecialSource(const ptx::ir::Operand& operand, int width);
  Slot ClockSource(ptx::ir::Special special, int width);
  Slot Resized(Slot from, int from_width, int width, int sign_bits);
  // The place an operation of `width` bits writes; a wider or narrower register is
  // filled by FinishWrites. `sign_bits`: as in ResizeFn.
  Slot Destination(const ptx::ir::Operand& operand, int width, int sign_bits = 0);
  void FinishWrites();
  uint32_t AddSlots(const std::vector<Slot>& slots);

  struct AddressParts {
    AddressMode mode = AddressMode::kAbsolute;
    Slot base;
    int64_t imm = 0;
  };
  AddressParts AddressOf(const ptx::ir::Address& address);

  MicroOp& Emit(ExecFn fn);
  void Fail(absl::StatusCode code, std::string_view message);
  void FailUnsupported();

  void DecodeBlock(uint32_t index);
  void DecodeInstruction();
  void DecodeBody();
  void DecodeRecipe(const Recipe& recipe);
  void DecodeLop3(const Recipe& recipe);
  void DecodeCollective(const Recipe& recipe);
  void DecodeControl();
  void DecodeCall();
  void DecodePack();
  void DecodeUnpack();
  void DecodeConvert();
  void DecodeCvta();
  void DecodeLoad();
  void DecodeStore();
  void DecodeAtomic();
  void DecodeMatrixAccess();
  void DecodeMma();
  void DecodeCpAsync();
  void DecodeBar();
  bool IsOwnArgument(const ptx::ir::Instruction& load) const;
  int64_t BlockOperations() const;

  const DecodedProgram& program_;
  const ptx::ir::Function& function_;
  DecodedFunction* out_;
  absl::Status status_;
  const ptx::ir::Instruction* in_ = nullptr;  // the one being decoded
  uint32_t block_start_ = 0;
  uint64_t frame_bytes_;
  uint64_t predicate_at_ = 0;  // where the next predicate goes
  std::vector<bool> has_slot_;
  std::map<std::pair<uint64_t, int>, Slot> constants_;
  struct Temporaries {
    std::vector<Slot> slots;
    size_t used = 0;
  };
  std::map<int, Temporaries> temporaries_;  // by width, free after each instruction
  struct Write {
    Slot to, from;
    int to_width, from_width, sign_bits;
  };
  std::vector<Write> writes_;
};

// The recipe of an instruction that needs no more than operands in places.
Recipe RecipeOf(const ptx::ir::Instruction& instruction);

}  // namespace thunky::interp

#endif  // THUNKY_INTERP_FUNCTION_DECODER_H_
