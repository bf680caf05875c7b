#include "thunky/runtime/loaded_executable.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "thunky/base/status_macros.h"

namespace thunky::runtime {
namespace {

std::string Where(const Executable& executable, const hal::Device& device) {
  return absl::StrCat("program '", executable.name(), "' on ",
                      std::string(device.name()));
}

hal::MemoryRange RangeOf(const hal::DeviceSpan& span, bool writable, std::string name) {
  return {.begin = span.address,
          .end = span.address + span.size,
          .writable = writable,
          .name = std::move(name)};
}

}  // namespace

absl::StatusOr<std::unique_ptr<LoadedExecutable>> LoadedExecutable::Prepare(
    std::shared_ptr<const Executable> executable, hal::Device& device) {
  const std::string where = Where(*executable, device);
  // The constructor is private; make_unique cannot call it.
  std::unique_ptr<LoadedExecutable> loaded(
      new LoadedExecutable(std::move(executable), device));
  auto kernels = loaded->executable_->kernels().Load(device);
  if (!kernels.ok()) return Annotate(kernels.status(), where);
  loaded->kernels_ = *std::move(kernels);
  const PrepareContext context{.device = device, .kernels = loaded->kernels_};
  RETURN_IF_ERROR(Annotate(loaded->executable_->thunks().Prepare(context), where));
  auto layout = ScratchLayout::Of(loaded->executable_->signature().temporaries);
  if (!layout.ok()) return Annotate(layout.status(), where);
  loaded->layout_ = *std::move(layout);
  RETURN_IF_ERROR(Annotate(loaded->UploadConstants(), where));
  loaded->NameMemory();
  return loaded;
}

void LoadedExecutable::NameMemory() {
  const std::vector<Argument>& arguments = executable_->arguments();
  for (size_t i = 0; i < arguments.size(); ++i) {
    names_.push_back(
        arguments[i].Describe(executable_->signature(), static_cast<int>(i)));
  }
  for (const ScratchLayout::Entry& entry : layout_.entries) {
    names_.push_back(absl::StrCat("temporary allocation ", entry.allocation));
  }
  for (const schema::Constant& constant : executable_->constants()) {
    names_.push_back(absl::StrCat("constant '", constant.name, "'"));
  }
}

absl::Status LoadedExecutable::UploadConstants() {
  for (const schema::Constant& constant : executable_->constants()) {
    if (constant.allocation < 0) {
      constants_.push_back(nullptr);
      continue;
    }
    const uint64_t size = static_cast<uint64_t>(constant.size);
    ASSIGN_OR_RETURN(auto memory, device_.Allocate(size));
    std::vector<uint8_t> bytes(constant.bytes.begin(), constant.bytes.end());
    bytes.resize(size, 0);
    RETURN_IF_ERROR(device_.Upload(memory->span(), bytes));
    constants_.push_back(std::move(memory));
  }
  return absl::OkStatus();
}

absl::Status LoadedExecutable::Run(const RunRequest& request) {
  absl::Status status = CheckArguments(executable_->signature(), executable_->arguments(),
                                       request.arguments);
  if (status.ok()) status = RunLeased(request);
  return status.ok() ? status : Annotate(status, Where(*executable_, device_));
}

absl::Status LoadedExecutable::RunLeased(const RunRequest& request) {
  ASSIGN_OR_RETURN(std::unique_ptr<ExecutionContext> context,
                   contexts_.Lease(device_, layout_.arena_size));
  absl::Status status = RunIn(*context, request);
  contexts_.Return(std::move(context));
  return status;
}

absl::Status LoadedExecutable::RunIn(ExecutionContext& context,
                                     const RunRequest& request) {
  std::vector<hal::DeviceSpan> spans(
      static_cast<size_t>(executable_->allocation_count()));
  std::vector<hal::MemoryRange> ranges;
  ranges.reserve(names_.size());
  const std::string* name = names_.data();
  auto bind = [&](int64_t allocation, hal::DeviceSpan span, bool writable) {
    spans[static_cast<size_t>(allocation)] = span;
    ranges.push_back(RangeOf(span, writable, *name));
  };
  const std::vector<Argument>& arguments = executable_->arguments();
  for (size_t i = 0; i < arguments.size(); ++i, ++name) {
    if (!arguments[i].allocation.has_value()) continue;
    bind(*arguments[i].allocation, request.arguments[i], arguments[i].written);
  }
  for (size_t i = 0; i < layout_.entries.size(); ++i, ++name) {
    const ScratchLayout::Entry& entry = layout_.entries[i];
    bind(entry.allocation, context.arena->span().Slice(entry.offset, entry.size), true);
  }
  for (size_t i = 0; i < constants_.size(); ++i, ++name) {
    if (constants_[i] == nullptr) continue;
    bind(executable_->constants()[i].allocation, constants_[i]->span(), false);
  }
  const hal::MemoryMap memory(std::move(ranges));
  hal::RunOptions options = request.options;
  options.memory = &memory;

  const BufferTable buffers(std::move(spans));
  TokenTable tokens;
  const RecordContext record{.buffers = buffers,
                             .kernels = kernels_,
                             .tokens = tokens,
                             .replica_id = request.replica_id,
                             .partition_id = request.partition_id};
  const auto record_all = [&](hal::Recorder& recorder) -> absl::Status {
    RETURN_IF_ERROR(executable_->thunks().Record(record, recorder));
    return CopyConstantResults(request, recorder);
  };
  ASSIGN_OR_RETURN(const bool done, RunGraph(context, request, options, record_all));
  if (done) return absl::OkStatus();
  ASSIGN_OR_RETURN(auto recorder, device_.NewRecorder(options));
  absl::Status status = record_all(*recorder);
  // What was recorded before an error happens all the same, in memory that is given back.
  absl::Status finished = recorder->Finish();
  const std::lock_guard<std::mutex> lock(statistics_mutex_);
  ++statistics_.stepwise_runs;
  return status.ok() ? finished : status;
}

absl::StatusOr<bool> LoadedExecutable::RunGraph(
    ExecutionContext& context, const RunRequest& request, const hal::RunOptions& options,
    absl::FunctionRef<absl::Status(hal::Recorder&)> record) {
  const bool must = options.graph == hal::GraphMode::kOn;
  const bool first = context.runs++ == 0;
  if (!device_.has_graphs()) {
    if (!must) return false;
    return absl::UnimplementedError(
        absl::StrCat(std::string(device_.name()), " has no graphs"));
  }
  // A plan does not say which launch may touch what.
  const bool checked = options.strict_bounds || options.checks.races ||
                       options.checks.uninitialized || options.checks.barrier_divergence;
  if (checked && must) {
    return absl::UnimplementedError("a checked run goes step by step, not as a graph");
  }
  if (options.graph == hal::GraphMode::kOff || checked || (first && !must)) return false;
  {
    const std::lock_guard<std::mutex> lock(statistics_mutex_);
    if (!statistics_.reason.empty()) {
      if (!must) return false;
      return absl::UnimplementedError(statistics_.reason);
    }
  }
  std::vector<uint64_t> addresses;
  addresses.reserve(request.arguments.size());
  for (const hal::DeviceSpan& argument : request.arguments) {
    addresses.push_back(argument.address);
  }
  if (absl::Status made = PrepareGraph(context, std::move(addresses), record);
      !made.ok()) {
    if (made.code() != absl::StatusCode::kUnimplemented) return made;
    const std::lock_guard<std::mutex> lock(statistics_mutex_);
    statistics_.reason = std::string(made.message());
    if (must) return made;
    return false;
  }
  RETURN_IF_ERROR(context.graphs.front().graph->Run(options));
  const std::lock_guard<std::mutex> lock(statistics_mutex_);
  ++statistics_.graph_runs;
  return true;
}

absl::Status LoadedExecutable::PrepareGraph(
    ExecutionContext& context, std::vector<uint64_t> addresses,
    absl::FunctionRef<absl::Status(hal::Recorder&)> record) {
  std::vector<CachedGraph>& graphs = context.graphs;
  const auto known = std::find_if(
      graphs.begin(), graphs.end(),
      [&](const CachedGraph& graph) { return graph.addresses == addresses; });
  if (known != graphs.end()) {
    std::rotate(graphs.begin(), known, known + 1);
    return absl::OkStatus();
  }
  hal::PlanRecorder recorder;
  RETURN_IF_ERROR(record(recorder));
  const hal::GraphPlan plan = recorder.Take();
  CachedGraph made{.addresses = std::move(addresses), .graph = nullptr};
  if (graphs.size() == ExecutionContext::kMaxGraphs) {
    made.graph = std::move(graphs.back().graph);
    graphs.pop_back();
    const absl::StatusOr<int64_t> changed = made.graph->Update(plan);
    const std::lock_guard<std::mutex> lock(statistics_mutex_);
    if (changed.ok()) {
      ++statistics_.graphs_updated;
      statistics_.nodes_updated += *changed;
    } else {
      made.graph = nullptr;
    }
  }
  if (made.graph == nullptr) {
    ASSIGN_OR_RETURN(made.graph, device_.Instantiate(plan));
    const std::lock_guard<std::mutex> lock(statistics_mutex_);
    ++statistics_.graphs_made;
  }
  graphs.insert(graphs.begin(), std::move(made));
  return absl::OkStatus();
}

GraphStatistics LoadedExecutable::graph_statistics() const {
  const std::lock_guard<std::mutex> lock(statistics_mutex_);
  return statistics_;
}

absl::Status LoadedExecutable::CopyConstantResults(const RunRequest& request,
                                                   hal::Recorder& recorder) {
  const std::vector<Argument>& arguments = executable_->arguments();
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (!arguments[i].constant.has_value()) continue;
    const auto& constant = constants_[static_cast<size_t>(*arguments[i].constant)];
    RETURN_IF_ERROR(recorder.Copy(request.arguments[i], constant->span()));
  }
  return absl::OkStatus();
}

}  // namespace thunky::runtime
