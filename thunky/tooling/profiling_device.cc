#include "thunky/tooling/profiling_device.h"

#include <functional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "thunky/base/status_macros.h"
#include "thunky/tooling/files.h"
#include "thunky/tooling/json_text.h"

namespace thunky::tooling {
namespace {

std::string TrackName(const Track& track) {
  if (!track.has_value()) return "main stream";
  return absl::StrCat(
      track->kind == hal::StreamId::Kind::kComputation ? "computation" : "communication",
      " stream ", track->id);
}

// Hands everything to another recorder and notes the time that it took. Regions
// get a recorder of this kind in turn.
class ProfilingRecorder : public hal::Recorder {
 public:
  ProfilingRecorder(hal::Recorder& recorder, Trace& trace, Track track)
      : recorder_(recorder), trace_(trace), track_(track) {}

  absl::Status Launch(const hal::LaunchCommand& command) override {
    return Timed(command.kernel->info().entry, "kernel",
                 [&] { return recorder_.Launch(command); });
  }
  absl::Status Copy(hal::DeviceSpan dst, hal::DeviceSpan src) override {
    return Timed("copy", "copy", [&] { return recorder_.Copy(dst, src); });
  }
  absl::Status Fill(hal::DeviceSpan dst, uint32_t pattern) override {
    return Timed("fill", "fill", [&] { return recorder_.Fill(dst, pattern); });
  }
  absl::Status Branch(hal::DeviceSpan index,
                      absl::Span<const hal::Region> branches) override {
    std::vector<std::function<absl::Status(hal::Recorder&)>> wrapped;
    wrapped.reserve(branches.size());
    for (const hal::Region& branch : branches) wrapped.push_back(Wrap(branch));
    std::vector<hal::Region> regions(wrapped.begin(), wrapped.end());
    return recorder_.Branch(index, regions);
  }
  absl::Status Loop(hal::DeviceSpan predicate, std::optional<uint64_t> trip_count,
                    hal::Region condition, hal::Region body) override {
    return recorder_.Loop(predicate, trip_count, Wrap(condition), Wrap(body));
  }
  absl::StatusOr<std::unique_ptr<hal::ForkToken>> Fork(
      hal::StreamId stream, bool forks_inside,
      std::function<absl::Status(hal::Recorder&)> body) override {
    // The body may outlive this recorder, but not the trace.
    return recorder_.Fork(
        stream, forks_inside,
        [body = std::move(body), &trace = trace_, stream](hal::Recorder& recorder) {
          ProfilingRecorder inner(recorder, trace, stream);
          return body(inner);
        });
  }
  absl::Status Join(std::unique_ptr<hal::ForkToken> token) override {
    return recorder_.Join(std::move(token));
  }
  absl::Status WithOffsets(
      absl::Span<const hal::OffsetSource* const> sources,
      absl::FunctionRef<absl::Status(hal::Recorder&, absl::Span<const uint64_t>)> body)
      override {
    return recorder_.WithOffsets(
        sources, [&](hal::Recorder& recorder, absl::Span<const uint64_t> offsets) {
          ProfilingRecorder inner(recorder, trace_, track_);
          return body(inner, offsets);
        });
  }
  absl::Status Finish() override { return recorder_.Finish(); }
  std::vector<uint64_t> iterations() const override { return recorder_.iterations(); }

 private:
  template <typename Work>
  absl::Status Timed(std::string_view name, const char* category, Work work) {
    const Trace::Clock::time_point begin = Trace::Clock::now();
    absl::Status status = work();
    trace_.Add(track_, name, category, begin, Trace::Clock::now());
    return status;
  }

  std::function<absl::Status(hal::Recorder&)> Wrap(hal::Region region) {
    return [this, region](hal::Recorder& recorder) {
      ProfilingRecorder inner(recorder, trace_, track_);
      return region(inner);
    };
  }

  hal::Recorder& recorder_;
  Trace& trace_;
  const Track track_;
};

// The outermost recorder of a run, which owns the one it wraps.
class OwningRecorder : public ProfilingRecorder {
 public:
  OwningRecorder(std::unique_ptr<hal::Recorder> recorder, Trace& trace)
      : ProfilingRecorder(*recorder, trace, std::nullopt), owned_(std::move(recorder)) {}

 private:
  std::unique_ptr<hal::Recorder> owned_;
};

}  // namespace

void Trace::Add(const Track& track, std::string_view name, const char* category,
                Clock::time_point begin, Clock::time_point end) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (events_.size() == kMaxEvents) {
    ++dropped_;
    return;
  }
  auto known = names_.find(name);
  if (known == names_.end()) {
    known = names_.emplace(name, static_cast<uint32_t>(names_.size())).first;
  }
  const uint32_t track_number =
      tracks_.emplace(track, static_cast<uint32_t>(tracks_.size())).first->second;
  events_.push_back({known->second, category, track_number, begin, end - begin});
}

std::string Trace::ToJson() const {
  using Microseconds = std::chrono::duration<double, std::micro>;
  std::lock_guard<std::mutex> lock(mutex_);
  std::vector<std::string> names(names_.size());
  for (const auto& [name, number] : names_) names[number] = name;
  nlohmann::ordered_json events = nlohmann::ordered_json::array();
  for (const auto& [track, number] : tracks_) {
    events.push_back({{"ph", "M"},
                      {"name", "thread_name"},
                      {"pid", 0},
                      {"tid", number},
                      {"args", {{"name", TrackName(track)}}}});
  }
  for (const Event& event : events_) {
    events.push_back({{"ph", "X"},
                      {"name", names[event.name]},
                      {"cat", event.category},
                      {"pid", 0},
                      {"tid", event.track},
                      {"ts", Microseconds(event.begin - start_).count()},
                      {"dur", Microseconds(event.duration).count()}});
  }
  return JsonText({{"schema", kJsonSchema},
                   {"displayTimeUnit", "ms"},
                   {"otherData", {{"dropped_events", dropped_}}},
                   {"traceEvents", std::move(events)}},
                  /*compact=*/true);
}

absl::StatusOr<std::unique_ptr<hal::Recorder>> ProfilingDevice::NewRecorder(
    const hal::RunOptions& options) {
  ASSIGN_OR_RETURN(std::unique_ptr<hal::Recorder> recorder, device_.NewRecorder(options));
  return std::make_unique<OwningRecorder>(std::move(recorder), trace_);
}

absl::Status ProfilingDevice::Write(const std::string& path) const {
  const std::string json = trace_.ToJson();
  return WriteFile(path, {reinterpret_cast<const uint8_t*>(json.data()), json.size()});
}

}  // namespace thunky::tooling
