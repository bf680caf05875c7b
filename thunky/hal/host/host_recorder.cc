#include "thunky/hal/host/host_recorder.h"

#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "thunky/base/status_macros.h"
#include "thunky/hal/branch_index.h"
#include "thunky/hal/host/stream_workers.h"

// Streams and deadlock. A body runs on its stream's thread and may wait for
// bodies forked earlier. If bodies could fork too, the order in which they reach
// a stream's queue would depend on timing and could differ from program order, and
// two bodies could come to wait for each other. So a body that forks runs on the
// thread that starts it: then one thread forks, in program order, and every wait
// is for something forked before the waiter. Such a body loses its overlap with
// what follows the fork, never its order.

namespace thunky::hal {
namespace {

uint8_t* Pointer(const DeviceSpan& span) {
  return reinterpret_cast<uint8_t*>(span.address);
}

class HostRecorder : public Recorder {
 public:
  HostRecorder(const RunOptions& options, StreamWorkers* workers,
               std::vector<uint64_t> iterations)
      : options_(options), workers_(workers), iterations_(std::move(iterations)) {}

  absl::Status Launch(const LaunchCommand& command) override {
    RETURN_IF_ERROR(Poll());
    const auto* kernel = dynamic_cast<const HostKernel*>(command.kernel.get());
    if (kernel == nullptr) {
      return absl::InvalidArgumentError("the kernel was not loaded for the host device");
    }
    LaunchParams params;
    params.grid = command.grid;
    params.block = command.block;
    params.dynamic_shared_bytes = command.dynamic_shared_bytes;
    params.arguments = command.arguments;
    params.checks = options_.checks;
    params.cancellation = options_.cancellation;
    params.step_budget = options_.step_budget;
    params.print = options_.print;
    MemoryMap strict;
    if (options_.strict_bounds) {
      strict = MemoryMap(command.accesses);
      params.memory = &strict;
    } else {
      params.memory = options_.memory;
    }
    return kernel->Launch(params);
  }

  absl::Status Copy(DeviceSpan dst, DeviceSpan src) override {
    RETURN_IF_ERROR(Poll());
    if (dst.size != src.size) {
      return absl::InvalidArgumentError(absl::StrCat(
          "copy of ", src.size, " bytes to a destination of ", dst.size, " bytes"));
    }
    if (src.size > 0) std::memmove(Pointer(dst), Pointer(src), src.size);
    return absl::OkStatus();
  }

  absl::Status Fill(DeviceSpan dst, uint32_t pattern) override {
    RETURN_IF_ERROR(Poll());
    if (dst.size == 0) return absl::OkStatus();
    const uint8_t byte = static_cast<uint8_t>(pattern);
    if (pattern == byte * 0x01010101u) {
      std::memset(Pointer(dst), byte, dst.size);
      return absl::OkStatus();
    }
    if (dst.size % 4 != 0) {
      return absl::InvalidArgumentError(absl::StrCat(
          "fill of ", dst.size, " bytes with a 4-byte pattern: not a multiple of 4"));
    }
    for (uint64_t at = 0; at < dst.size; at += 4) {
      std::memcpy(Pointer(dst) + at, &pattern, 4);
    }
    return absl::OkStatus();
  }

  absl::Status Branch(DeviceSpan index, absl::Span<const Region> branches) override {
    RETURN_IF_ERROR(Poll());
    RETURN_IF_ERROR(CheckBranchIndex(index.size, branches.size()));
    ASSIGN_OR_RETURN(const size_t chosen,
                     ChooseBranch(Pointer(index), index.size, branches.size()));
    return branches[chosen](*this);
  }

  absl::Status Loop(DeviceSpan predicate, std::optional<uint64_t> trip_count,
                    Region condition, Region body) override {
    iterations_.push_back(0);
    absl::Status status = trip_count.has_value()
                              ? CountedLoop(*trip_count, body)
                              : PredicateLoop(predicate, condition, body);
    iterations_.pop_back();
    return status;
  }

  absl::StatusOr<std::unique_ptr<ForkToken>> Fork(
      StreamId stream, bool forks_inside,
      std::function<absl::Status(Recorder&)> body) override {
    RETURN_IF_ERROR(Poll());
    if (forks_inside) {
      workers_->Drain(stream);
      auto token = std::make_unique<HostForkToken>();
      token->Finish(body(*this));
      return token;
    }
    auto run = [body = std::move(body), options = &options_, workers = workers_,
                iterations = iterations_]() -> absl::Status {
      HostRecorder recorder(*options, workers, iterations);
      return body(recorder);
    };
    ASSIGN_OR_RETURN(std::unique_ptr<HostForkToken> token,
                     workers_->Submit(stream, std::move(run)));
    return token;
  }

  absl::Status Join(std::unique_ptr<ForkToken> token) override {
    auto* host_token = dynamic_cast<HostForkToken*>(token.get());
    if (host_token == nullptr) {
      return absl::InvalidArgumentError("the token is not one of the host device");
    }
    return host_token->Wait();
  }

  absl::Status WithOffsets(
      absl::Span<const OffsetSource* const> sources,
      absl::FunctionRef<absl::Status(Recorder&, absl::Span<const uint64_t>)> body)
      override {
    RETURN_IF_ERROR(Poll());
    std::vector<uint64_t> offsets;
    offsets.reserve(sources.size());
    for (const OffsetSource* source : sources) {
      std::vector<std::vector<uint8_t>> inputs;
      for (const DeviceSpan& input : source->inputs()) {
        inputs.emplace_back(Pointer(input), Pointer(input) + input.size);
      }
      ASSIGN_OR_RETURN(uint64_t offset, source->Evaluate(inputs, iterations_));
      offsets.push_back(offset);
    }
    return body(*this, offsets);
  }

  // What was recorded has happened, but for bodies, which are joined.
  absl::Status Finish() override { return absl::OkStatus(); }

  std::vector<uint64_t> iterations() const override { return iterations_; }

 private:
  absl::Status Poll() const {
    return options_.cancellation == nullptr ? absl::OkStatus()
                                            : options_.cancellation->Check();
  }

  absl::Status CountedLoop(uint64_t trip_count, Region body) {
    for (uint64_t i = 0; i < trip_count; ++i) {
      RETURN_IF_ERROR(Poll());
      iterations_.back() = i;
      RETURN_IF_ERROR(body(*this));
    }
    return absl::OkStatus();
  }

  absl::Status PredicateLoop(DeviceSpan predicate, Region condition, Region body) {
    if (predicate.size != 1) {
      return absl::InvalidArgumentError(
          absl::StrCat("a loop condition has 1 byte, this one has ", predicate.size));
    }
    for (uint64_t i = 0;; ++i) {
      RETURN_IF_ERROR(Poll());
      iterations_.back() = i;
      RETURN_IF_ERROR(condition(*this));
      if (*Pointer(predicate) == 0) return absl::OkStatus();
      RETURN_IF_ERROR(body(*this));
    }
  }

  const RunOptions& options_;
  StreamWorkers* workers_;
  std::vector<uint64_t> iterations_;
};

// The recorder of the run itself owns the workers that its bodies use.
struct OwnedWorkers {
  StreamWorkers workers;
};
class RootRecorder : private OwnedWorkers, public HostRecorder {
 public:
  explicit RootRecorder(const RunOptions& options)
      : HostRecorder(options, &workers, {}) {}
};

}  // namespace

std::unique_ptr<Recorder> MakeHostRecorder(const RunOptions& options) {
  return std::make_unique<RootRecorder>(options);
}

}  // namespace thunky::hal
