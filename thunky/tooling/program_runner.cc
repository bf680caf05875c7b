#include "thunky/tooling/program_runner.h"

#include <chrono>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "thunky/base/status_macros.h"
#include "thunky/tooling/tensor_layout.h"

namespace thunky::tooling {

absl::Status CheckMemory(const runtime::Executable& executable, hal::Device& device) {
  // All sizes were verified to add up below 2^63.
  uint64_t wanted = 0;
  for (const runtime::Argument& argument : executable.arguments())
    wanted += argument.size;
  for (const auto& temporary : executable.signature().temporaries) {
    wanted += static_cast<uint64_t>(temporary.size);
  }
  for (const auto& constant : executable.signature().constants) {
    wanted += static_cast<uint64_t>(constant.size);
  }
  // Copies of the results, in host memory.
  for (const auto& result : executable.signature().results) {
    wanted += static_cast<uint64_t>(result.size);
  }
  ASSIGN_OR_RETURN(const hal::MemoryInfo info, device.memory_info());
  if (wanted <= info.free_bytes) return absl::OkStatus();
  return absl::ResourceExhaustedError(
      absl::StrCat("memory: expected ", wanted, " bytes free on ",
                   std::string(device.name()), ", found ", info.free_bytes));
}

absl::StatusOr<std::vector<ArraySpec>> OutputSpecs(
    const runtime::Executable& executable) {
  std::vector<ArraySpec> specs;
  for (const schema::SignatureResult& result : executable.signature().results) {
    std::string name = absl::StrCat("out", specs.size());
    absl::StatusOr<const ElementType*> element = ArrayElementType(result.type);
    if (!element.ok()) return Annotate(element.status(), name);
    if (schema::ByteSize(result.type) > result.size) {
      return absl::InvalidArgumentError(absl::StrCat(
          name, ": expected an allocation of at least ", schema::ByteSize(result.type),
          " bytes for ", result.type.ToString(), ", found ", result.size));
    }
    specs.push_back({std::move(name), *element, ShapeOf(result.type)});
  }
  return specs;
}

absl::Status ProgramRunner::Restore(bool new_buffers) {
  const std::vector<runtime::Argument>& arguments = program_.executable().arguments();
  hal::Device& device = program_.device();
  const bool allocate = new_buffers || buffers_.empty();
  if (allocate) {
    // The old ones live until the new ones exist: otherwise an allocator would
    // hand the same addresses out again.
    std::vector<std::unique_ptr<hal::Allocation>> buffers;
    for (const runtime::Argument& argument : arguments) {
      ASSIGN_OR_RETURN(auto buffer, device.Allocate(argument.size));
      buffers.push_back(std::move(buffer));
    }
    buffers_ = std::move(buffers);
  }
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (!allocate && !arguments[i].written) continue;
    RETURN_IF_ERROR(values_[i].Upload(device, buffers_[i]->span()));
  }
  return absl::OkStatus();
}

absl::StatusOr<double> ProgramRunner::Run(const hal::RunOptions& options) {
  runtime::RunRequest request;
  for (const auto& buffer : buffers_) request.arguments.push_back(buffer->span());
  request.options = options;
  const auto start = std::chrono::steady_clock::now();
  RETURN_IF_ERROR(program_.Run(request));
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

absl::StatusOr<std::vector<NamedArray>> ProgramRunner::Outputs() const {
  const schema::Signature& signature = program_.executable().signature();
  const std::vector<runtime::Argument>& arguments = program_.executable().arguments();
  std::vector<NamedArray> arrays(outputs_.size());
  for (size_t i = 0; i < arguments.size(); ++i) {
    for (int result : arguments[i].results) {
      const size_t position = static_cast<size_t>(result);
      const schema::TensorType& type = signature.results[position].type;
      std::vector<uint8_t> bytes(static_cast<size_t>(schema::ByteSize(type)));
      RETURN_IF_ERROR(program_.device().Download(
          absl::MakeSpan(bytes), buffers_[i]->span().Slice(0, bytes.size())));
      arrays[position] = {outputs_[position], ToArrayOrder(type, std::move(bytes))};
    }
  }
  return arrays;
}

}  // namespace thunky::tooling
