#include "thunky/api/loaded_executable.h"

#include <new>
#include <string>
#include <utility>
#include <variant>

#include "absl/strings/str_cat.h"
#include "thunky/api/error.h"
#include "thunky/api/executable.h"
#include "thunky/api/future_state.h"
#include "thunky/api/handles.h"
#include "thunky/api/loaded_state.h"
#include "thunky/api/run_control.h"
#include "thunky/api/status.h"
#include "thunky/api/work_queue.h"

namespace thunky {
namespace {

using Role = ArgumentInfo::Role;

absl::Status RunBound(const api::LoadedState& program, api::BoundArguments& bound,
                      const api::RunControl& control) {
  runtime::RunRequest request;
  request.arguments = std::move(bound.spans);
  request.options = control.hal_options();
  return program.program().Run(request);
}

// A run in a device's queue, with everything that it needs.
class QueuedRun : public api::Job {
 public:
  QueuedRun(std::shared_ptr<const api::LoadedState> program,
            std::span<const Argument> arguments, api::BoundArguments bound,
            RunOptions options, std::shared_ptr<api::FutureState> future)
      : program_(std::move(program)),
        bound_(std::move(bound)),
        options_(std::move(options)),
        future_(std::move(future)) {
    for (const Argument& argument : arguments) {
      if (const auto* array = std::get_if<Array>(&argument.value())) {
        arrays_.push_back(*array);
      }
    }
  }

  void Run() noexcept override {
    api::RunControl control(options_);
    if (!future_->Begin(&control)) return Drop();
    absl::Status status;
    try {
      status = RunBound(*program_, bound_, control);
    } catch (const std::bad_alloc&) {
      status = absl::ResourceExhaustedError("there is no memory for the run");
    }
    // While `control` lives: it is cancelled through the future.
    future_->End(status, control.thrown());
  }
  void Drop() noexcept override {
    future_->End(absl::CancelledError("the run was cancelled before it began"), {});
  }
  void Cancel() noexcept override { future_->Cancel(); }

 private:
  std::shared_ptr<const api::LoadedState> program_;
  std::vector<Array> arrays_;  // kept alive
  api::BoundArguments bound_;
  RunOptions options_;
  std::shared_ptr<api::FutureState> future_;
};

}  // namespace

void LoadedExecutable::run(std::span<const Argument> arguments, const RunOptions& options,
                           const std::source_location& where) const {
  api::ThrowIfError(api::CheckRunOptions(options), where);
  api::BoundArguments bound =
      api::ValueOrThrow(api::BindArguments(*state_, arguments), where);
  const api::RunControl control(options);
  const absl::Status status = RunBound(*state_, bound, control);
  if (control.thrown() != nullptr) std::rethrow_exception(control.thrown());
  api::ThrowIfError(status, where);
}

Future LoadedExecutable::enqueue(std::span<const Argument> arguments,
                                 const RunOptions& options,
                                 const std::source_location& where) const {
  api::ThrowIfError(api::CheckRunOptions(options), where);
  api::BoundArguments bound =
      api::ValueOrThrow(api::BindArguments(*state_, arguments), where);
  auto future = std::make_shared<api::FutureState>(where);
  auto job =
      std::make_shared<QueuedRun>(state_, arguments, std::move(bound), options, future);
  const auto& device = api::Handles::StateOf(state_->device());
  api::ThrowIfError(device->queue().Push(std::move(job)), where);
  return api::Handles::Make<Future>(std::move(future));
}

std::vector<Array> LoadedExecutable::call(std::span<const Argument> inputs,
                                          const RunOptions& options,
                                          const std::source_location& where) const {
  const std::vector<ArgumentInfo>& infos = state_->executable()->arguments();
  std::vector<Argument> arguments;
  std::vector<std::optional<Array>> results(
      static_cast<size_t>(executable().result_count()));
  size_t next = 0;
  for (const ArgumentInfo& info : infos) {
    if (info.role == Role::result) {
      arguments.emplace_back(Array::empty(device(), info.type, where));
    } else if (next == inputs.size()) {
      throw Error(
          ErrorCode::invalid_argument,
          absl::StrCat("call: expected more inputs than ", inputs.size(), ": ",
                       info.describe(static_cast<int>(arguments.size())), " has none"),
          where);
    } else {
      arguments.push_back(inputs[next++]);
      // A result is an array, and so is a parameter that it passes through.
      const auto* values = std::get_if<HostArray>(&arguments.back().value());
      if (!info.results.empty() && info.role == Role::input && values != nullptr) {
        arguments.back() =
            Array::from_bytes(device(), values->type(), values->bytes(), where);
      }
    }
    for (const int result : info.results) {
      if (const auto* array = std::get_if<Array>(&arguments.back().value())) {
        results[static_cast<size_t>(result)] = *array;
      }
    }
  }
  if (next != inputs.size()) {
    throw Error(ErrorCode::invalid_argument,
                absl::StrCat("call: expected ", next, " inputs, found ", inputs.size()),
                where);
  }
  run(arguments, options, where);
  std::vector<Array> arrays;
  arrays.reserve(results.size());
  for (std::optional<Array>& result : results) arrays.push_back(*std::move(result));
  return arrays;
}

Executable LoadedExecutable::executable() const {
  return api::Handles::Make<Executable>(state_->executable());
}

const Device& LoadedExecutable::device() const { return state_->device(); }

uint64_t LoadedExecutable::scratch_bytes() const {
  return state_->program().scratch_bytes();
}

}  // namespace thunky
