#include "thunky/compiler/analysis/value_flow.h"

#include <algorithm>

#include "thunky/compiler/dialect/argument_attributes.h"

namespace thunky::compiler {
namespace {

using schema::AccessMode;

// 100 MB of nodes, and a second or two of work.
constexpr size_t kMaxNodes = size_t{1} << 22;
constexpr uint64_t kMaxWork = uint64_t{1} << 27;

int64_t endOf(const BufferRange& range) { return range.offset + range.size; }

// A thunk that writes without writing everything may read, but need not.
bool mayRead(const BufferAccess& access) { return access.mode != AccessMode::kWriteAll; }
bool mustRead(const BufferAccess& access) {
  return !access.assumed &&
         (access.mode == AccessMode::kRead || access.mode == AccessMode::kReadWrite);
}

}  // namespace

ValueFlow::ValueFlow(mlir::func::FuncOp main) : nodes_(2) {
  nodes_[kSettled].read = true;
  nodes_[kUndefined].read = true;
  nodes_[kUndefined].undefined = true;
  for (const mlir::BlockArgument argument : main.getArguments()) {
    auto type = llvm::dyn_cast<BufferType>(argument.getType());
    if (!type || type.getSize() == 0) continue;
    const bool scratch =
        main.getArgAttr(argument.getArgNumber(), kScratch) != mlir::Attribute();
    roots_[argument] = static_cast<uint32_t>(rootValues_.size());
    rootValues_.push_back(argument);
    visible_.push_back(!scratch);
    values_.emplace_back();
    values_.back().set(0, type.getSize(), {scratch ? kUndefined : kSettled, 0});
  }
}

bool ValueFlow::find(const BufferRange& range, uint32_t& root) const {
  const auto found = roots_.find(range.root);
  if (found == roots_.end()) return false;  // a constant
  root = found->second;
  return true;
}

// Everything is read before anything is written: buffers of one thunk, and members of a
// group, have no order.
void ValueFlow::step(llvm::ArrayRef<StepAccess> accesses) {
  ++step_;
  for (const StepAccess& access : accesses) {
    if (mayRead(access.access)) read(access);
  }
  for (const StepAccess& access : accesses) {
    if (access.access.mode == AccessMode::kWriteAll) overwrite(access);
  }
  for (const StepAccess& access : accesses) {
    if (schema::Writes(access.access.mode)) define(access);
  }
}

// ---- Values

ValueFlow::NodeId ValueFlow::makeNode(Node node) {
  if (nodes_.size() >= kMaxNodes) exhausted_ = true;
  nodes_.push_back(node);
  return static_cast<NodeId>(nodes_.size() - 1);
}

ValueFlow::NodeId ValueFlow::meet(NodeId a, NodeId b) {
  if (a == b || b == kSettled) return a;
  if (a == kSettled) return b;
  Node node;
  node.a = a;
  node.b = b;
  node.undefined = nodes_[a].undefined || nodes_[b].undefined;
  if (!node.undefined && nodes_[a].read && nodes_[b].read) return kSettled;
  return makeNode(node);
}

void ValueFlow::markRead(NodeId first) {
  pending_.assign(1, first);
  while (!pending_.empty()) {
    Node& node = nodes_[pending_.back()];
    pending_.pop_back();
    if (node.read) continue;
    node.read = true;
    if (node.write != kNone) writes_[node.write].read = true;
    pending_.push_back(node.a);
    pending_.push_back(node.b);
  }
}

void ValueFlow::markOverwritten(NodeId first, int32_t overwriter) {
  pending_.assign(1, first);
  while (!pending_.empty()) {
    Node& node = nodes_[pending_.back()];
    pending_.pop_back();
    if (node.read || node.overwriter != kNone) continue;
    node.overwriter = overwriter;
    if (node.write != kNone && writes_[node.write].overwriter == kNone) {
      writes_[node.write].overwriter = overwriter;
    }
    pending_.push_back(node.a);
    pending_.push_back(node.b);
  }
}

// ---- The map

void ValueFlow::spend(size_t work) {
  work_ += work;
  if (work_ > kMaxWork) exhausted_ = true;
}

void ValueFlow::set(uint32_t root, int64_t begin, int64_t end, NodeId node) {
  size_t pieces = 1;
  values_[root].visit(begin, end, [&](int64_t first, int64_t last, Value& value) {
    ++pieces;
    if (undoable_ > 0) changes_.push_back({root, first, last, value});
  });
  spend(pieces);
  values_[root].set(begin, end, {node, step_});
}

void ValueFlow::undo(size_t changes) {
  spend(changes_.size() - changes);
  while (changes_.size() > changes) {
    const Change& change = changes_.back();
    values_[change.root].set(change.begin, change.end, change.before);
    changes_.pop_back();
  }
}

// Makes the values of the bytes ones that hold in every round of the loops that are
// open.
void ValueFlow::enterLoops(uint32_t root, int64_t begin, int64_t end) {
  if (loops_.empty()) return;
  struct Piece {
    int64_t begin;
    int64_t end;
    Value value;
  };
  llvm::SmallVector<Piece, 4> outside;
  values_[root].visit(begin, end, [&](int64_t first, int64_t last, Value& value) {
    if (value.since < loops_.back().begin) outside.push_back({first, last, value});
  });
  for (const Piece& piece : outside) {
    NodeId node = piece.value.node;
    for (Loop& loop : loops_) {
      if (piece.value.since >= loop.begin || !loop.repeats) continue;
      Node head;
      head.a = node;
      head.undefined = nodes_[node].undefined;
      node = makeNode(head);
      loop.heads.push_back({root, piece.begin, piece.end, node});
    }
    spend(loops_.size());
    set(root, piece.begin, piece.end, node);
    if (exhausted_) return;
  }
}

// ---- Accesses

// Whether nothing would change if the bytes were read.
bool ValueFlow::isSettled(uint32_t root, const BufferRange& range) {
  const auto piece = values_[root].from(range.offset);
  return piece != values_[root].end() && piece->first <= range.offset &&
         piece->second.end >= endOf(range) && piece->second.value.node == kSettled &&
         (loops_.empty() || piece->second.value.since >= loops_.back().begin);
}

void ValueFlow::read(const StepAccess& access) {
  const BufferRange& range = access.access.range;
  uint32_t root = 0;
  if (!find(range, root) || isSettled(root, range)) return;
  enterLoops(root, range.offset, endOf(range));
  UndefinedRead undefined = {access.op, access.index, {range.root, 0, 0}, true};
  BufferRange& bytes = undefined.range;
  values_[root].visit(
      range.offset, endOf(range), [&](int64_t begin, int64_t end, Value& value) {
        if (nodes_[value.node].undefined && (bytes.size == 0 || endOf(bytes) == begin)) {
          if (bytes.size == 0) bytes.offset = begin;
          bytes.size = end - bytes.offset;
          undefined.onEveryPath = undefined.onEveryPath && value.node == kUndefined;
        }
        markRead(value.node);
      });
  if (bytes.size != 0 && mustRead(access.access)) undefinedReads_.push_back(undefined);
  set(root, range.offset, endOf(range), kSettled);
}

void ValueFlow::overwrite(const StepAccess& access) {
  const BufferRange& range = access.access.range;
  uint32_t root = 0;
  if (!find(range, root)) return;
  enterLoops(root, range.offset, endOf(range));
  values_[root].visit(
      range.offset, endOf(range), [&](int64_t begin, int64_t end, Value& value) {
        if (nodes_[value.node].read) return;
        overwriters_.push_back(
            {access.op, access.index, {range.root, begin, end - begin}});
        markOverwritten(value.node, static_cast<int32_t>(overwriters_.size() - 1));
      });
}

void ValueFlow::define(const StepAccess& access) {
  const BufferRange& range = access.access.range;
  uint32_t root = 0;
  if (!find(range, root)) return;
  Write write = {access.op, access.index};
  // Nobody has to read what is left in a workspace, or what may not be written at all.
  write.read = access.access.workspace || access.access.assumed;
  writes_.push_back(write);
  Node node;
  node.write = static_cast<int32_t>(writes_.size() - 1);
  set(root, range.offset, endOf(range), makeNode(node));
}

// ---- Paths

void ValueFlow::beginChoice(CondOp) { choices_.emplace_back(); }

void ValueFlow::beginPath() {
  ++undoable_;
  choices_.back().pathChanges = changes_.size();
}

void ValueFlow::endPath() {
  Choice& choice = choices_.back();
  ++choice.paths;
  std::map<uint32_t, ByteMap<char>> touched;
  for (size_t i = choice.pathChanges; i < changes_.size(); ++i) {
    touched[changes_[i].root].set(changes_[i].begin, changes_[i].end, 0);
  }
  for (auto& [root, ranges] : touched) {
    ByteMap<Merge>& merges = choice.merges[root];
    Values& values = values_[root];
    for (const auto& [first, range] : ranges.pieces()) {
      values.visit(first, range.end, [&](int64_t begin, int64_t end, Value& value) {
        merges.change(begin, end, [&](int64_t, int64_t, Merge& merge) {
          merge.node = merge.paths++ == 0 ? value.node : meet(merge.node, value.node);
        });
        spend(1);
      });
    }
  }
  undo(choice.pathChanges);
  --undoable_;
}

void ValueFlow::endChoice() {
  const Choice choice = std::move(choices_.back());
  choices_.pop_back();
  ++step_;
  struct Piece {
    int64_t begin;
    int64_t end;
    NodeId node;
  };
  for (const auto& [root, merges] : choice.merges) {
    for (const auto& [begin, merge] : merges.pieces()) {
      if (merge.value.paths == choice.paths) {
        set(root, begin, merge.end, merge.value.node);
        continue;
      }
      // Some path left the bytes as they were.
      enterLoops(root, begin, merge.end);
      llvm::SmallVector<Piece, 4> pieces;
      values_[root].visit(begin, merge.end, [&](int64_t first, int64_t last, Value& old) {
        pieces.push_back({first, last, meet(merge.value.node, old.node)});
      });
      for (const Piece& piece : pieces) set(root, piece.begin, piece.end, piece.node);
    }
  }
}

// ---- Loops

void ValueFlow::beginLoop() {
  ++step_;
  loops_.emplace_back();
  loops_.back().begin = step_;
  loops_.back().repeats = true;
}

void ValueFlow::beginBody(bool certain, bool repeats) {
  Loop& loop = loops_.back();
  loop.certain = certain;
  loop.repeats = repeats;
  loop.bodyChanges = changes_.size();
  loop.bodyHeads = loop.heads.size();
  if (!certain) ++undoable_;
}

void ValueFlow::endBody() {
  const Loop loop = std::move(loops_.back());
  if (loop.repeats) closeRounds(loop);
  loops_.pop_back();
  ++step_;
  if (!loop.certain) leaveBefore(loop);
}

// The body may not run: the loop is left with what the condition region left, and where
// that left bytes alone, with what was there before the loop or the body left.
void ValueFlow::leaveBefore(const Loop& loop) {
  std::vector<Head> pieces;
  for (size_t i = loop.bodyHeads; i < loop.heads.size(); ++i) {
    const Head& head = loop.heads[i];
    values_[head.root].visit(
        head.begin, head.end, [&](int64_t begin, int64_t end, Value& value) {
          const NodeId before = nodes_[head.node].a;
          pieces.push_back({head.root, begin, end,
                            value.node == head.node ? before : meet(before, value.node)});
        });
  }
  undo(loop.bodyChanges);
  --undoable_;
  for (const Head& piece : pieces) {
    set(piece.root, piece.begin, piece.end, piece.node);
  }
}

// What the body leaves is what the next round finds.
void ValueFlow::closeRounds(const Loop& loop) {
  for (const Head& head : loop.heads) {
    values_[head.root].visit(head.begin, head.end, [&](int64_t, int64_t, Value& value) {
      spend(1);
      const NodeId left = value.node;
      if (left == head.node || left == kSettled || exhausted_) return;
      const NodeId both = meet(nodes_[head.node].b, left);
      nodes_[head.node].b = both;
      if (nodes_[head.node].read) markRead(left);
      if (nodes_[head.node].overwriter != kNone) {
        markOverwritten(left, nodes_[head.node].overwriter);
      }
    });
  }
}

std::vector<UnreadWrite> ValueFlow::unreadWrites() {
  for (size_t root = 0; root < values_.size(); ++root) {
    if (!visible_[root]) continue;
    for (const auto& [begin, piece] : values_[root].pieces()) markRead(piece.value.node);
  }
  std::vector<UnreadWrite> unread;
  for (const Write& write : writes_) {
    if (write.read || write.overwriter == kNone) continue;
    const Overwriter& overwriter = overwriters_[write.overwriter];
    unread.push_back(
        {write.op, write.index, overwriter.op, overwriter.index, overwriter.range});
  }
  return unread;
}

}  // namespace thunky::compiler
