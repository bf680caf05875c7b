#include "thunky/hal/cuda/stream_recorder.h"

#include <chrono>
#include <cstring>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"
#include "thunky/base/status_macros.h"
#include "thunky/hal/branch_index.h"
#include "thunky/hal/cuda/cuda_kernel.h"

namespace thunky::hal::cuda {
namespace {

// While somebody may cancel the run, the host looks whether the stream is done: at first
// all the time, since most waits are for a value that comes within microseconds, then so
// often.
constexpr std::chrono::microseconds kSpinTime{500};
constexpr std::chrono::microseconds kPollInterval{100};

// The end of a body on another stream.
class CudaForkToken : public ForkToken {
 public:
  CudaForkToken(Context& context, CUevent event) : context_(context), event_(event) {}
  ~CudaForkToken() override { context_.ReturnEvent(event_); }
  CUevent event() const { return event_; }

 private:
  Context& context_;
  CUevent event_;
};

class StreamRecorder : public Recorder {
 public:
  StreamRecorder(RunResources& resources, const RunOptions& options, CUstream stream,
                 std::vector<uint64_t> iterations)
      : resources_(resources),
        context_(resources.context()),
        api_(context_.api()),
        options_(options),
        stream_(stream),
        iterations_(std::move(iterations)) {}

  absl::Status Launch(const LaunchCommand& command) override {
    RETURN_IF_ERROR(Poll());
    const auto* kernel = dynamic_cast<const CudaKernel*>(command.kernel.get());
    if (kernel == nullptr || &kernel->context() != &context_) {
      return absl::InvalidArgumentError(
          absl::StrCat("the kernel was not loaded for ", context_.name()));
    }
    if (command.grid.count() == 0) return absl::OkStatus();
    std::vector<void*> arguments;
    arguments.reserve(command.arguments.size());
    for (const std::vector<uint8_t>& argument : command.arguments) {
      // The driver copies what it points to before it returns.
      arguments.push_back(const_cast<uint8_t*>(argument.data()));
    }
    CUlaunchConfig config = {};
    config.gridDimX = static_cast<unsigned>(command.grid.x);
    config.gridDimY = static_cast<unsigned>(command.grid.y);
    config.gridDimZ = static_cast<unsigned>(command.grid.z);
    config.blockDimX = static_cast<unsigned>(command.block.x);
    config.blockDimY = static_cast<unsigned>(command.block.y);
    config.blockDimZ = static_cast<unsigned>(command.block.z);
    config.sharedMemBytes = static_cast<unsigned>(command.dynamic_shared_bytes);
    config.hStream = stream_;
    CUlaunchAttribute programmatic = {};
    if (command.programmatic) {
      programmatic.id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION;
      programmatic.value.programmaticStreamSerializationAllowed = 1;
      config.attrs = &programmatic;
      config.numAttrs = 1;
    }
    return context_.Check(
        api_.cuLaunchKernelEx(&config, kernel->function(), arguments.data(), nullptr),
        "launching a kernel");
  }

  absl::Status Copy(DeviceSpan dst, DeviceSpan src) override {
    RETURN_IF_ERROR(Poll());
    if (dst.size != src.size) {
      return absl::InvalidArgumentError(absl::StrCat(
          "copy of ", src.size, " bytes to a destination of ", dst.size, " bytes"));
    }
    if (src.size == 0 || src.address == dst.address) return absl::OkStatus();
    return context_.Check(
        api_.cuMemcpyDtoDAsync(dst.address, src.address, src.size, stream_), "a copy");
  }

  absl::Status Fill(DeviceSpan dst, uint32_t pattern) override {
    RETURN_IF_ERROR(Poll());
    if (dst.size == 0) return absl::OkStatus();
    const auto byte = static_cast<uint8_t>(pattern);
    const bool words = dst.size % 4 == 0 && dst.address % 4 == 0;
    if (words) {
      return context_.Check(
          api_.cuMemsetD32Async(dst.address, pattern, dst.size / 4, stream_), "a fill");
    }
    if (pattern != byte * 0x01010101u) {
      return absl::InvalidArgumentError(absl::StrCat(
          "fill of ", dst.size, " bytes with a 4-byte pattern: not a multiple of 4"));
    }
    return context_.Check(api_.cuMemsetD8Async(dst.address, byte, dst.size, stream_),
                          "a fill");
  }

  absl::Status Branch(DeviceSpan index, absl::Span<const Region> branches) override {
    RETURN_IF_ERROR(Poll());
    RETURN_IF_ERROR(CheckBranchIndex(index.size, branches.size()));
    RETURN_IF_ERROR(ReadBack(index));
    ASSIGN_OR_RETURN(const size_t chosen,
                     ChooseBranch(resources_.pinned(), index.size, branches.size()));
    return branches[chosen](*this);
  }

  absl::Status Loop(DeviceSpan predicate, std::optional<uint64_t> trip_count,
                    Region condition, Region body) override {
    if (!trip_count.has_value() && predicate.size != 1) {
      return absl::InvalidArgumentError(
          absl::StrCat("a loop condition has 1 byte, this one has ", predicate.size));
    }
    iterations_.push_back(0);
    absl::Status status;
    for (uint64_t i = 0; status.ok() && (!trip_count.has_value() || i < *trip_count);
         ++i) {
      iterations_.back() = i;
      bool more = true;
      status = Poll();
      if (status.ok() && !trip_count.has_value()) {
        status = condition(*this);
        if (status.ok()) status = ReadBack(predicate);
        if (!status.ok()) break;
        uint8_t value = 0;
        std::memcpy(&value, resources_.pinned(), 1);
        more = value != 0;
      }
      if (!more) break;
      if (status.ok()) status = body(*this);
    }
    iterations_.pop_back();
    return status;
  }

  absl::StatusOr<std::unique_ptr<ForkToken>> Fork(
      StreamId stream, bool forks_inside,
      std::function<absl::Status(Recorder&)> body) override {
    RETURN_IF_ERROR(Poll());
    ASSIGN_OR_RETURN(CUstream side, resources_.Side(stream));
    ASSIGN_OR_RETURN(CUevent begin, context_.TakeEvent());
    const CudaForkToken before(context_, begin);
    RETURN_IF_ERROR(context_.Check(api_.cuEventRecord(begin, stream_), "a fork"));
    RETURN_IF_ERROR(context_.Check(api_.cuStreamWaitEvent(side, begin, 0), "a fork"));
    StreamRecorder recorder(resources_, options_, side, iterations_);
    RETURN_IF_ERROR(body(recorder));
    ASSIGN_OR_RETURN(CUevent end, context_.TakeEvent());
    auto token = std::make_unique<CudaForkToken>(context_, end);
    RETURN_IF_ERROR(context_.Check(api_.cuEventRecord(end, side), "a fork"));
    return token;
  }

  absl::Status Join(std::unique_ptr<ForkToken> token) override {
    auto* ended = dynamic_cast<CudaForkToken*>(token.get());
    if (ended == nullptr) {
      return absl::InvalidArgumentError("the token is not one of a CUDA device");
    }
    return context_.Check(api_.cuStreamWaitEvent(stream_, ended->event(), 0), "a join");
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
        RETURN_IF_ERROR(ReadBack(input));
        const auto* bytes = static_cast<const uint8_t*>(resources_.pinned());
        inputs.emplace_back(bytes, bytes + input.size);
      }
      ASSIGN_OR_RETURN(const uint64_t offset, source->Evaluate(inputs, iterations_));
      offsets.push_back(offset);
    }
    return body(*this, offsets);
  }

  std::vector<uint64_t> iterations() const override { return iterations_; }

  absl::Status Finish() override { return Wait(stream_); }

 protected:
  // Until everything on the stream has happened.
  absl::Status Wait(CUstream stream) {
    if (options_.cancellation == nullptr) {
      return context_.Check(api_.cuStreamSynchronize(stream), "the work of this run");
    }
    const auto begin = std::chrono::steady_clock::now();
    while (true) {
      const CUresult result = api_.cuStreamQuery(stream);
      if (result != CUDA_ERROR_NOT_READY) {
        return context_.Check(result, "the work of this run");
      }
      RETURN_IF_ERROR(Poll());
      if (std::chrono::steady_clock::now() - begin > kSpinTime) {
        std::this_thread::sleep_for(kPollInterval);
      }
    }
  }

  RunResources& resources_;
  Context& context_;
  const DriverApi& api_;
  const RunOptions& options_;

 private:
  absl::Status Poll() const {
    return options_.cancellation == nullptr ? absl::OkStatus()
                                            : options_.cancellation->Check();
  }

  // Waits for a few bytes, which are in the pinned memory then.
  absl::Status ReadBack(DeviceSpan span) {
    if (span.size > RunResources::kPinnedBytes) {
      return absl::InvalidArgumentError(
          absl::StrCat("the host is to see ", span.size, " bytes; at most ",
                       RunResources::kPinnedBytes, " are allowed"));
    }
    RETURN_IF_ERROR(context_.Check(
        api_.cuMemcpyDtoHAsync(resources_.pinned(), span.address, span.size, stream_),
        "reading a value back"));
    return Wait(stream_);
  }

  CUstream stream_;
  std::vector<uint64_t> iterations_;
};

// The recorder of the run itself gives the resources back.
class RootRecorder : public StreamRecorder {
 public:
  RootRecorder(RunResourcePool& pool, std::unique_ptr<RunResources> resources,
               const RunOptions& options)
      : StreamRecorder(*resources, options, resources->main(), {}),
        pool_(pool),
        owned_(std::move(resources)) {}

  ~RootRecorder() override {
    if (!finished_) Finish().IgnoreError();
    // What still works belongs to a device that is lost; nothing is asked of it again.
    if (idle_) pool_.Return(std::move(owned_));
  }

  CUstream stream() const { return owned_->main(); }

  absl::Status Finish() override {
    finished_ = true;
    absl::Status status = Wait(owned_->main());
    for (const auto& [id, stream] : owned_->sides()) {
      absl::Status side = Wait(stream);
      if (status.ok()) status = std::move(side);
    }
    idle_ = status.ok() || IsIdle();
    if (idle_ || !context_.lost().ok()) return status;
    // Nothing stops a kernel but the end of the process.
    status = absl::Status(
        status.code(), absl::StrCat(std::string(status.message()), "; ", context_.name(),
                                    " still works on it, and is lost to this process"));
    context_.Lose(status);
    return status;
  }

 private:
  bool IsIdle() const {
    if (api_.cuStreamQuery(owned_->main()) != CUDA_SUCCESS) return false;
    for (const auto& [id, stream] : owned_->sides()) {
      if (api_.cuStreamQuery(stream) != CUDA_SUCCESS) return false;
    }
    return true;
  }

  RunResourcePool& pool_;
  std::unique_ptr<RunResources> owned_;
  bool finished_ = false;
  bool idle_ = false;
};

}  // namespace

absl::StatusOr<std::unique_ptr<RunResources>> RunResources::Make(
    std::shared_ptr<Context> context) {
  std::unique_ptr<RunResources> resources(new RunResources(std::move(context)));
  Context& on = *resources->context_;
  ASSIGN_OR_RETURN(resources->main_, on.TakeStream());
  RETURN_IF_ERROR(on.Check(on.api().cuMemHostAlloc(&resources->pinned_, kPinnedBytes, 0),
                           "allocating pinned memory"));
  return resources;
}

RunResources::~RunResources() {
  if (!context_->MakeCurrent().ok()) return;
  if (main_ != nullptr) context_->ReturnStream(main_);
  for (const auto& [id, stream] : sides_) context_->ReturnStream(stream);
  if (pinned_ != nullptr) context_->api().cuMemFreeHost(pinned_);
}

absl::StatusOr<CUstream> RunResources::Side(const StreamId& id) {
  const auto known = sides_.find(id);
  if (known != sides_.end()) return known->second;
  ASSIGN_OR_RETURN(CUstream stream, context_->TakeStream());
  return sides_[id] = stream;
}

absl::StatusOr<std::unique_ptr<RunResources>> RunResourcePool::Take() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!free_.empty()) {
      std::unique_ptr<RunResources> resources = std::move(free_.back());
      free_.pop_back();
      return resources;
    }
  }
  return RunResources::Make(context_);
}

void RunResourcePool::Return(std::unique_ptr<RunResources> resources) {
  const std::lock_guard<std::mutex> lock(mutex_);
  free_.push_back(std::move(resources));
}

namespace {

absl::StatusOr<std::unique_ptr<RootRecorder>> MakeRoot(RunResourcePool& pool,
                                                       const RunOptions& options) {
  ASSIGN_OR_RETURN(std::unique_ptr<RunResources> resources, pool.Take());
  RETURN_IF_ERROR(resources->context().lost());
  RETURN_IF_ERROR(resources->context().MakeCurrent());
  return std::make_unique<RootRecorder>(pool, std::move(resources), options);
}

}  // namespace

absl::StatusOr<std::unique_ptr<Recorder>> MakeStreamRecorder(RunResourcePool& pool,
                                                             const RunOptions& options) {
  return MakeRoot(pool, options);
}

absl::Status RunOnStream(RunResourcePool& pool, const RunOptions& options,
                         absl::FunctionRef<absl::Status(CUstream)> enqueue) {
  ASSIGN_OR_RETURN(std::unique_ptr<RootRecorder> recorder, MakeRoot(pool, options));
  RETURN_IF_ERROR(enqueue(recorder->stream()));
  return recorder->Finish();
}

}  // namespace thunky::hal::cuda
