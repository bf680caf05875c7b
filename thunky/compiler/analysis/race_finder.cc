#include "thunky/compiler/analysis/race_finder.h"

#include <algorithm>

namespace thunky::compiler {
namespace {

// Lists of accesses to a byte are searched for ones that others stand for when they
// reach this length, and each time it doubles.
constexpr size_t kCompactFrom = 16;

bool isWrite(const StepAccess& access) { return schema::Writes(access.access.mode); }

int64_t endOf(const BufferRange& range) { return range.offset + range.size; }

}  // namespace

void RaceFinder::step(llvm::ArrayRef<StepAccess> accesses) {
  ++position_;
  if (accesses.front().op != accesses.back().op) checkGroup(accesses);
  if (!cells_.empty()) {
    for (const StepAccess& access : accesses) check(access);
  }
  if (order_.onMain()) return;
  for (const StepAccess& access : accesses) record(access);
}

// Members of a group have no order among each other.
void RaceFinder::checkGroup(llvm::ArrayRef<StepAccess> accesses) {
  llvm::DenseMap<mlir::Value, Cells> cells;
  for (const StepAccess& access : accesses) {
    const BufferRange& range = access.access.range;
    const Entry entry = {access.op, access.index, range.offset, endOf(range), {}, 0, 0};
    cells[range.root].change(range.offset, endOf(range),
                             [&](int64_t, int64_t, Cell& cell) {
                               for (const Entry& other : cell.writes)
                                 report(other, access);
                               if (!isWrite(access)) {
                                 cell.reads.push_back(entry);
                                 return;
                               }
                               for (const Entry& other : cell.reads)
                                 report(other, access);
                               cell.writes.push_back(entry);
                             });
    if (stopped()) return;
  }
}

void RaceFinder::check(const StepAccess& access) {
  const BufferRange& range = access.access.range;
  const auto found = cells_.find(range.root);
  if (found == cells_.end()) return;
  Cells& cells = found->second;
  for (auto at = cells.from(range.offset);
       at != cells.end() && at->first < endOf(range);) {
    Cell& cell = at->second.value;
    checkAgainst(cell.writes, access);
    if (isWrite(access)) checkAgainst(cell.reads, access);
    at = cell.writes.empty() && cell.reads.empty() ? cells.erase(at) : std::next(at);
  }
  if (cells.empty()) cells_.erase(found);
}

void RaceFinder::checkAgainst(llvm::SmallVectorImpl<Entry>& entries,
                              const StepAccess& access) {
  llvm::erase_if(entries, [&](const Entry& entry) {
    if (isFinished(entry)) return isFinishedForAll(entry);
    if (!isOnOtherPath(entry)) report(entry, access);
    return false;
  });
}

void RaceFinder::record(const StepAccess& access) {
  const BufferRange& range = access.access.range;
  const Entry entry = {access.op,    access.index,      range.offset, endOf(range),
                       order_.now(), pathStack_.back(), position_};
  // Finished ones that are there wherever this one is: who comes after this one comes
  // after them.
  const auto replaced = [&](const Entry& other) {
    return pathOf(other).first == entry.path && isFinished(other);
  };
  cells_[range.root].change(range.offset, endOf(range),
                            [&](int64_t, int64_t, Cell& cell) {
                              auto& entries = isWrite(access) ? cell.writes : cell.reads;
                              llvm::erase_if(cell.reads, replaced);
                              if (isWrite(access)) llvm::erase_if(cell.writes, replaced);
                              entries.push_back(entry);
                              compact(entries);
                            });
}

// Of accesses on paths that are over and that are finished by the line of their choice,
// the last stands for those before.
void RaceFinder::compact(llvm::SmallVectorImpl<Entry>& entries) {
  if (entries.size() < kCompactFrom || !llvm::has_single_bit(entries.size())) return;
  llvm::DenseMap<std::pair<uint32_t, uint32_t>, const Entry*> last;
  const auto keyOf = [&](const Entry& entry) {
    const auto [path, end] = pathOf(entry);
    return std::pair(path, path == entry.path ? entry.stamp.stream : end.stream);
  };
  for (const Entry& entry : entries) last[keyOf(entry)] = &entry;
  llvm::SmallVector<Entry, 1> kept;
  for (const Entry& entry : entries) {
    if (last[keyOf(entry)] == &entry) kept.push_back(entry);
  }
  entries.assign(kept.begin(), kept.end());
}

std::pair<uint32_t, RaceFinder::Stamp> RaceFinder::pathOf(const Entry& entry) {
  uint32_t path = entry.path;
  Stamp end = entry.stamp;
  while (paths_[path].over) {
    end = paths_[path].end;
    path = paths_[path].around;
  }
  // Shortened, for the next time.
  for (uint32_t at = entry.path; paths_[at].over;) {
    const uint32_t next = paths_[at].around;
    paths_[at].around = path;
    paths_[at].end = end;
    at = next;
  }
  return {path, end};
}

bool RaceFinder::isFinished(const Entry& entry) {
  return order_.finished(entry.stamp) || order_.finished(pathOf(entry).second);
}

// The main stream will not forget it: it is on the path that the main stream is on, and
// what is issued from here on is started there.
bool RaceFinder::isFinishedForAll(const Entry& entry) {
  const auto [path, end] = pathOf(entry);
  return path == mainPath_ &&
         (order_.finishedForMain(entry.stamp) || order_.finishedForMain(end));
}

bool RaceFinder::isOnOtherPath(const Entry& entry) const {
  const auto after = std::upper_bound(
      choices_.begin(), choices_.end(), entry.position,
      [](uint32_t position, const Choice& choice) { return position < choice.begin; });
  return after != choices_.begin() && entry.position < std::prev(after)->pathBegin;
}

void RaceFinder::report(const Entry& entry, const StepAccess& access) {
  if (entry.op == access.op || stopped()) return;
  if (!reported_.insert({entry.op, access.op}).second) return;
  const BufferRange& range = access.access.range;
  const int64_t begin = std::max(entry.begin, range.offset);
  const int64_t end = std::min(entry.end, endOf(range));
  races_.push_back(
      {entry.op, entry.index, access.op, access.index, {range.root, begin, end - begin}});
}

void RaceFinder::openChoice() {
  choices_.push_back({position_ + 1, position_ + 1, {}});
  order_.beginChoice();
}

void RaceFinder::openPath() {
  const auto path = static_cast<uint32_t>(paths_.size());
  paths_.push_back({pathStack_.back(), false, {}});
  pathStack_.push_back(path);
  choices_.back().paths.push_back(path);
  choices_.back().pathBegin = position_ + 1;
  if (order_.onMain()) mainPath_ = path;
  order_.beginPath();
}

void RaceFinder::closePath() {
  order_.endPath();
  pathStack_.pop_back();
  if (order_.onMain()) mainPath_ = pathStack_.back();
}

void RaceFinder::closeChoice(bool otherwise) {
  order_.endChoice(otherwise);
  const Stamp end = order_.now();
  for (const uint32_t path : choices_.back().paths) {
    paths_[path].over = true;
    paths_[path].end = end;
  }
  choices_.pop_back();
}

// A round of the body is ordered before the next: the tokens of what it starts are
// joined in it. So one round shows all there is.
void RaceFinder::beginBody(bool certain, bool) {
  uncertainBodies_.push_back(!certain);
  if (certain) return;
  openChoice();
  openPath();
}

void RaceFinder::endBody() {
  const bool uncertain = uncertainBodies_.back();
  uncertainBodies_.pop_back();
  if (!uncertain) return;
  closePath();
  closeChoice(/*otherwise=*/true);
}

void RaceFinder::beginAsync(AsyncStartOp start) {
  order_.start(start.getIsCommunication(), static_cast<int64_t>(start.getStreamId()));
}

void RaceFinder::endAsync(AsyncStartOp start) { open_[start.getToken()] = order_.end(); }

void RaceFinder::join(AsyncDoneOp done) {
  const auto body = open_.find(done.getToken());
  if (body == open_.end()) return;
  order_.join(body->second);
  open_.erase(body);
}

bool RaceFinder::stopped() const { return tooMany() || exhausted(); }

}  // namespace thunky::compiler
