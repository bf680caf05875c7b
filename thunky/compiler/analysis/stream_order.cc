#include "thunky/compiler/analysis/stream_order.h"

#include <algorithm>

namespace thunky::compiler {
namespace {

// 256 MiB of clocks, and a second or two of work on them.
constexpr int64_t kMaxEntries = int64_t{1} << 26;
constexpr int64_t kMaxWork = int64_t{1} << 32;

uint32_t entryOf(const StreamOrder::Clock& clock, uint32_t stream) {
  return clock && stream < clock->size() ? (*clock)[stream] : 0;
}

}  // namespace

StreamOrder::StreamOrder() : streams_(1), lines_{0} {}

StreamOrder::Stamp StreamOrder::now() {
  const uint32_t stream = lines_.back();
  streams_[stream].published = nullptr;
  return {stream, streams_[stream].epoch};
}

bool StreamOrder::known(uint32_t stream, Stamp work) const {
  return work.stream == stream ||
         entryOf(streams_[stream].known, work.stream) >= work.epoch;
}

void StreamOrder::start(bool isCommunication, int64_t id) {
  const auto [number, added] =
      numbers_.try_emplace({isCommunication, id}, static_cast<uint32_t>(streams_.size()));
  if (added) streams_.emplace_back();
  const uint32_t stream = number->second;
  const uint32_t starter = lines_.back();
  if (stream != starter) {
    const Clock known = publish(starter);
    setKnown(stream, latest(streams_[stream].known, known));
  }
  lines_.push_back(stream);
}

StreamOrder::Finish StreamOrder::end() {
  const uint32_t stream = lines_.back();
  lines_.pop_back();
  // What the stream does from here on is not part of the body.
  const uint32_t epoch = streams_[stream].epoch++;
  streams_[stream].published = nullptr;
  return {{stream, epoch}, streams_[stream].known};
}

void StreamOrder::join(const Finish& body) {
  const uint32_t stream = lines_.back();
  if (stream == body.stamp.stream) return;
  Clock clock = latest(streams_[stream].known, body.clock);
  if (entryOf(clock, body.stamp.stream) < body.stamp.epoch) {
    std::vector<uint32_t> entries = clock ? *clock : std::vector<uint32_t>();
    if (entries.size() <= body.stamp.stream) entries.resize(body.stamp.stream + 1);
    entries[body.stamp.stream] = body.stamp.epoch;
    clock = make(std::move(entries));
  }
  setKnown(stream, std::move(clock));
}

void StreamOrder::beginChoice() { choices_.emplace_back(); }

void StreamOrder::beginPath() { choices_.back().pathBegin = changes_.size(); }

void StreamOrder::endPath() {
  Choice& choice = choices_.back();
  ++choice.paths;
  std::map<uint32_t, Clock> after;
  for (size_t i = choice.pathBegin; i < changes_.size(); ++i) {
    after.try_emplace(changes_[i].stream, streams_[changes_[i].stream].known);
  }
  while (changes_.size() > choice.pathBegin) {
    Stream& stream = streams_[changes_.back().stream];
    stream.known = std::move(changes_.back().before);
    stream.published = nullptr;
    changes_.pop_back();
  }
  for (auto& [stream, clock] : after) {
    Merge& merge = choice.merges[stream];
    merge.known = merge.paths++ == 0 ? clock : earliest(merge.known, clock);
  }
}

void StreamOrder::endChoice(bool otherwise) {
  const Choice choice = std::move(choices_.back());
  choices_.pop_back();
  if (otherwise) return;
  for (const auto& [stream, merge] : choice.merges) {
    // On a path that did not change it the stream knows less.
    if (merge.paths == choice.paths) setKnown(stream, merge.known);
  }
}

bool StreamOrder::exhausted() const {
  return *entries_ > kMaxEntries || work_ > kMaxWork;
}

void StreamOrder::setKnown(uint32_t stream, Clock clock) {
  Stream& changed = streams_[stream];
  if (changed.known == clock) return;
  if (!choices_.empty()) changes_.push_back({stream, changed.known});
  changed.known = std::move(clock);
  changed.published = nullptr;
}

// The clock that others get to know. What the stream does after it has the next epoch.
const StreamOrder::Clock& StreamOrder::publish(uint32_t stream) {
  Stream& source = streams_[stream];
  if (source.published) return source.published;
  std::vector<uint32_t> entries = source.known ? *source.known : std::vector<uint32_t>();
  if (entries.size() <= stream) entries.resize(stream + 1);
  entries[stream] = source.epoch++;
  source.published = make(std::move(entries));
  return source.published;
}

StreamOrder::Clock StreamOrder::make(std::vector<uint32_t> entries) {
  const auto size = static_cast<int64_t>(entries.size());
  *entries_ += size;
  work_ += size;
  return Clock(new std::vector<uint32_t>(std::move(entries)),
               [live = entries_, size](const std::vector<uint32_t>* clock) {
                 *live -= size;
                 delete clock;
               });
}

// Both clocks stay as they are; where one has all that the other has it is the answer.
StreamOrder::Clock StreamOrder::latest(const Clock& a, const Clock& b) {
  if (!a || a == b) return b;
  if (!b) return a;
  work_ += static_cast<int64_t>(std::max(a->size(), b->size()));
  std::vector<uint32_t> entries = *a;
  if (entries.size() < b->size()) entries.resize(b->size());
  for (size_t i = 0; i < b->size(); ++i) entries[i] = std::max(entries[i], (*b)[i]);
  if (entries == *a) return a;
  if (entries == *b) return b;
  return make(std::move(entries));
}

StreamOrder::Clock StreamOrder::earliest(const Clock& a, const Clock& b) {
  if (!a || a == b) return a;
  if (!b) return b;
  std::vector<uint32_t> entries(std::min(a->size(), b->size()));
  work_ += static_cast<int64_t>(entries.size());
  for (size_t i = 0; i < entries.size(); ++i) entries[i] = std::min((*a)[i], (*b)[i]);
  if (entries == *a) return a;
  if (entries == *b) return b;
  return make(std::move(entries));
}

}  // namespace thunky::compiler
