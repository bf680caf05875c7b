#include "thunky/interp/checks.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "thunky/interp/lanes.h"

namespace thunky::interp {
namespace {

// Byte number `at` of what a lane stores; false when it is not known.
bool StoredByte(const Access& access, int lane, uint64_t at, uint8_t* value) {
  if (access.data == nullptr) return false;
  const StoredData& data = *access.data;
  const char* cell =
      data.cells[at / data.element_bytes] + static_cast<size_t>(lane) * data.cell_bytes;
  *value = static_cast<uint8_t>(cell[at % data.element_bytes]);
  return true;
}

template <typename T>
void Join(T& into, const T& from) {
  for (size_t i = 0; i < into.size(); ++i) into[i] = std::max(into[i], from[i]);
}

}  // namespace

SharedChecker::SharedChecker(const hal::CheckOptions& options, uint64_t shared_bytes,
                             uint32_t warps)
    : options_(options), bytes_(shared_bytes), clocks_(warps) {}

void SharedChecker::NewBlock() {
  ++block_;
  arriving_ = {};
  for (size_t w = 0; w < clocks_.size(); ++w) {
    clocks_[w] = WarpClocks{};
    clocks_[w].known[w] = 1;
    for (size_t l = 0; l < kLanes; ++l) clocks_[w].lanes[l][l] = 1;
  }
}

SharedChecker::Byte& SharedChecker::ByteAt(uint64_t offset) {
  Byte& byte = bytes_[offset];
  if (byte.block != block_) {
    byte = Byte{};
    byte.block = block_;
  }
  return byte;
}

bool SharedChecker::Ordered(const Record& before, uint32_t thread) const {
  const WarpClocks& mine = clocks_[thread / kLanes];
  if (before.thread / kLanes != thread / kLanes) {
    return mine.known[before.thread / kLanes] >= before.warp_clock;
  }
  return mine.lanes[thread % kLanes][before.thread % kLanes] >= before.lane_clock;
}

bool SharedChecker::Races(const Record& before, const Record& now) const {
  return before.op != nullptr && before.thread != now.thread &&
         !(before.synchronising && now.synchronising) && !Ordered(before, now.thread);
}

bool SharedChecker::ReportRace(Warp& w, const MicroOp* op, int lane, uint64_t offset,
                               const Access& access, const Record& before,
                               bool before_writes) {
  const char* now = access.kind == AccessKind::kRead ? "read" : "written";
  w.Fail(op, lane, absl::StatusCode::kFailedPrecondition,
         absl::StrCat("race: byte ", offset, " of shared memory is ", now,
                      " here and was ", before_writes ? "written" : "read", " by thread ",
                      w.launch->ThreadName(before.thread), " on line ",
                      before.op->source->location.line, " with no barrier in between"));
  return false;
}

bool SharedChecker::Check(Warp& w, const MicroOp* op, int lane, uint64_t offset,
                          const Access& access) {
  const uint32_t thread = w.index * kLanes + static_cast<uint32_t>(lane);
  const WarpClocks& clocks = clocks_[w.index];
  const size_t l = static_cast<size_t>(lane);
  const Record now{op, thread, clocks.known[w.index], clocks.lanes[l][l],
                   access.synchronising};
  const bool reads = access.kind != AccessKind::kWrite;
  const bool writes = access.kind != AccessKind::kRead;
  for (uint64_t at = offset; at < offset + access.bytes; ++at) {
    Byte& byte = ByteAt(at);
    uint8_t value = 0;
    const bool value_known = writes && StoredByte(access, lane, at - offset, &value);
    const bool same_value = value_known && byte.value_known && value == byte.value;
    if (options_.uninitialized && reads && !byte.written) {
      w.Fail(op, lane, absl::StatusCode::kFailedPrecondition,
             absl::StrCat("byte ", at, " of shared memory is read before it is written"));
      return false;
    }
    if (options_.races) {
      if (!same_value && Races(byte.write, now)) {
        return ReportRace(w, op, lane, at, access, byte.write, true);
      }
      for (const Record& read : byte.reads) {
        if (writes && Races(read, now)) {
          return ReportRace(w, op, lane, at, access, read, false);
        }
      }
    }
    if (writes) {
      byte.written = true;
      byte.value_known = value_known;
      byte.value = value;
      byte.write = now;
    } else {
      if (byte.reads[0].thread != thread) byte.reads[1] = byte.reads[0];
      byte.reads[0] = now;
    }
  }
  return true;
}

void SharedChecker::OrderLanes(const Warp& w, uint32_t lanes) {
  WarpClocks& clocks = clocks_[w.index];
  Clocks joined = {};
  ForLanes(lanes, [&](int i) { Join(joined, clocks.lanes[static_cast<size_t>(i)]); });
  ForLanes(lanes, [&](int i) {
    const size_t l = static_cast<size_t>(i);
    clocks.lanes[l] = joined;
    ++clocks.lanes[l][l];
  });
}

void SharedChecker::Arrive(const Warp& w, uint32_t barrier) {
  OrderLanes(w, w.valid);
  Clocks& known = clocks_[w.index].known;
  Join(arriving_[barrier], known);
  ++known[w.index];
}

void SharedChecker::Release(uint32_t barrier, uint32_t waiting) {
  ForLanes(waiting, [&](int w) {
    Join(clocks_[static_cast<size_t>(w)].known, arriving_[barrier]);
  });
  arriving_[barrier] = {};
}

}  // namespace thunky::interp
