// A device that writes down when each piece of work ran.
#ifndef THUNKY_TOOLING_PROFILING_DEVICE_H_
#define THUNKY_TOOLING_PROFILING_DEVICE_H_

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "thunky/hal/device.h"

namespace thunky::tooling {

// The track of the main stream, or of one named by kind and number.
using Track = std::optional<hal::StreamId>;

// What happened, as events with a beginning and an end. Thread-safe.
class Trace {
 public:
  using Clock = std::chrono::steady_clock;

  // Events beyond this many are counted, not kept.
  static constexpr size_t kMaxEvents = 1000000;

  // `category` is a literal: "kernel", "copy", "fill".
  void Add(const Track& track, std::string_view name, const char* category,
           Clock::time_point begin, Clock::time_point end);

  // Chrome's trace event format: one thread a track, times in microseconds since
  // the trace was made.
  std::string ToJson() const;

 private:
  struct Event {
    uint32_t name = 0;  // in names_
    const char* category = "";
    uint32_t track = 0;  // in tracks_
    Clock::time_point begin;
    Clock::duration duration;
  };

  const Clock::time_point start_ = Clock::now();
  mutable std::mutex mutex_;
  std::map<std::string, uint32_t, std::less<>> names_;
  std::map<Track, uint32_t> tracks_ = {{std::nullopt, 0}};
  std::vector<Event> events_;
  uint64_t dropped_ = 0;
};

// Does everything through another device, which must outlive it.
class ProfilingDevice : public hal::Device {
 public:
  explicit ProfilingDevice(hal::Device& device) : device_(device) {}

  std::string_view name() const override { return device_.name(); }
  std::string description() const override { return device_.description(); }
  const hal::LaunchLimits& limits() const override { return device_.limits(); }
  absl::StatusOr<hal::MemoryInfo> memory_info() const override {
    return device_.memory_info();
  }
  absl::StatusOr<std::unique_ptr<hal::Allocation>> Allocate(uint64_t size) override {
    return device_.Allocate(size);
  }
  absl::Status Upload(hal::DeviceSpan dst, absl::Span<const uint8_t> src) override {
    return device_.Upload(dst, src);
  }
  absl::Status Download(absl::Span<uint8_t> dst, hal::DeviceSpan src) override {
    return device_.Download(dst, src);
  }
  bool needs_ptx() const override { return device_.needs_ptx(); }
  absl::StatusOr<std::shared_ptr<const hal::Kernel>> LoadKernel(
      const hal::KernelSource& source) override {
    return device_.LoadKernel(source);
  }
  absl::StatusOr<std::unique_ptr<hal::Recorder>> NewRecorder(
      const hal::RunOptions& options) override;

  const Trace& trace() const { return trace_; }
  // Writes the trace to a file.
  absl::Status Write(const std::string& path) const;

 private:
  hal::Device& device_;
  Trace trace_;
};

}  // namespace thunky::tooling

#endif  // THUNKY_TOOLING_PROFILING_DEVICE_H_
