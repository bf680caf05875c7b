#include "thunky/ptx/ast.h"

namespace thunky::ptx::ast {

std::string Instruction::Spelling() const {
  std::string text = opcode;
  for (const std::string& modifier : modifiers) {
    text += '.';
    text += modifier;
  }
  return text;
}

}  // namespace thunky::ptx::ast
