#include "thunky/ptx/control_flow.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"

namespace thunky::ptx {
namespace {

// The block each instruction is in.
std::vector<uint32_t> CutBlocks(const std::vector<uint32_t>& label_positions,
                                ir::Function& function) {
  std::vector<bool> starts(function.code.size(), false);
  starts[0] = true;
  for (const uint32_t position : label_positions) starts[position] = true;
  for (size_t i = 0; i + 1 < function.code.size(); ++i) {
    if (ir::IsTerminator(function.code[i].op)) starts[i + 1] = true;
  }
  std::vector<uint32_t> block_of(function.code.size());
  for (uint32_t i = 0; i < function.code.size(); ++i) {
    if (starts[i]) {
      if (!function.blocks.empty()) function.blocks.back().last = i;
      function.blocks.emplace_back().first = i;
    }
    block_of[i] = static_cast<uint32_t>(function.blocks.size() - 1);
  }
  function.blocks.back().last = static_cast<uint32_t>(function.code.size());
  return block_of;
}

// Keeps the first of equal entries.
void RemoveDuplicates(std::vector<uint32_t>& blocks, std::vector<bool>& seen) {
  std::vector<uint32_t> unique;
  for (const uint32_t block : blocks) {
    if (!seen[block]) unique.push_back(block);
    seen[block] = true;
  }
  for (const uint32_t block : unique) seen[block] = false;
  blocks = std::move(unique);
}

void FindSuccessors(const ir::Function& function, uint32_t index,
                    std::vector<uint32_t>& successors) {
  const ir::Instruction& last = function.code[function.blocks[index].last - 1];
  if (last.op == ir::Op::kBra) successors.push_back(last.target);
  if (last.op == ir::Op::kBrx) {
    const std::vector<uint32_t>& table = function.branch_tables[last.target];
    successors.insert(successors.end(), table.begin(), table.end());
  }
  const bool falls_through = !ir::IsTerminator(last.op) || last.guard.has_value();
  if (falls_through) successors.push_back(index + 1);
}

}  // namespace

absl::Status BuildBlocks(const std::vector<uint32_t>& label_positions,
                         ir::Function& function) {
  const std::vector<uint32_t> block_of = CutBlocks(label_positions, function);
  const auto block_of_label = [&](uint32_t label) {
    return block_of[label_positions[label]];
  };
  for (ir::Instruction& instruction : function.code) {
    if (instruction.op == ir::Op::kBra) {
      instruction.target = block_of_label(instruction.target);
    }
  }
  for (std::vector<uint32_t>& table : function.branch_tables) {
    std::transform(table.begin(), table.end(), table.begin(), block_of_label);
  }
  std::vector<bool> seen(function.blocks.size(), false);
  uint64_t edges = 0;
  for (uint32_t i = 0; i < function.blocks.size(); ++i) {
    FindSuccessors(function, i, function.blocks[i].successors);
    RemoveDuplicates(function.blocks[i].successors, seen);
    edges += function.blocks[i].successors.size();
    if (edges > kMaxEdges) {
      return absl::UnimplementedError(absl::StrCat("function '", function.name,
                                                   "' has more than ", kMaxEdges,
                                                   " edges between its blocks"));
    }
  }
  return absl::OkStatus();
}

}  // namespace thunky::ptx
