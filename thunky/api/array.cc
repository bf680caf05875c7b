#include "thunky/api/array.h"

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "thunky/api/array_files.h"
#include "thunky/api/error.h"
#include "thunky/api/handles.h"
#include "thunky/api/status.h"
#include "thunky/base/status_macros.h"

namespace thunky {
namespace {

absl::Span<const uint8_t> AsUint8(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()};
}

void CheckSize(const Type& type, size_t size, const char* what,
               const std::source_location& where) {
  if (static_cast<size_t>(type.byte_size()) == size) return;
  throw Error(ErrorCode::invalid_argument,
              absl::StrCat("expected the ", type.byte_size(), " bytes of ",
                           type.to_string(), ", found ", what, " of ", size, " bytes"),
              where);
}

}  // namespace

Array Array::empty(const Device& device, const Type& type,
                   const std::source_location& where) {
  if (const std::string problem = type.problem(); !problem.empty()) {
    throw Error(ErrorCode::invalid_argument, problem, where);
  }
  std::unique_ptr<hal::Allocation> memory = api::ValueOrThrow(
      api::Handles::HalOf(device).Allocate(static_cast<uint64_t>(type.byte_size())),
      where);
  return Array(
      std::make_shared<api::ArrayState>(api::Handles::StateOf(device), std::move(memory)),
      device, type);
}

Array Array::zeros(const Device& device, const Type& type,
                   const std::source_location& where) {
  Array array = empty(device, type, where);
  const hal::RunOptions options;
  const std::unique_ptr<hal::Recorder> recorder =
      api::ValueOrThrow(api::Handles::HalOf(device).NewRecorder(options), where);
  api::ThrowIfError(recorder->Fill(array.state_->span(), 0), where);
  api::ThrowIfError(recorder->Finish(), where);
  return array;
}

Array Array::from_bytes(const Device& device, const Type& type,
                        std::span<const std::byte> bytes,
                        const std::source_location& where) {
  if (const std::string problem = type.problem(); !problem.empty()) {
    throw Error(ErrorCode::invalid_argument, problem, where);
  }
  CheckSize(type, bytes.size(), "data", where);
  Array array = empty(device, type, where);
  array.assign_bytes(bytes, where);
  return array;
}

Array Array::from_values(const Device& device, const Values& values,
                         std::optional<std::vector<int64_t>> shape,
                         const std::source_location& where) {
  const Type type(values.element, shape.has_value()
                                      ? *std::move(shape)
                                      : std::vector{static_cast<int64_t>(values.count)});
  if (const std::string problem = type.problem(); !problem.empty()) {
    throw Error(ErrorCode::invalid_argument, problem, where);
  }
  if (static_cast<size_t>(type.element_count()) != values.count) {
    throw Error(ErrorCode::invalid_argument,
                absl::StrCat("expected the ", type.element_count(), " values of ",
                             type.to_string(), ", found ", values.count),
                where);
  }
  return from_bytes(device, type,
                    {static_cast<const std::byte*>(values.data), values.bytes}, where);
}

Array Array::load_npy(const Device& device, const std::filesystem::path& path,
                      const std::optional<Type>& type,
                      const std::source_location& where) {
  const api::NpyContent content =
      api::ValueOrThrow(api::ReadNpy(path.string(), type), where);
  return from_bytes(device, content.type,
                    std::as_bytes(std::span<const uint8_t>(content.bytes)), where);
}

void Array::save_npy(const std::filesystem::path& path,
                     const std::source_location& where) const {
  const std::vector<std::byte> bytes = to_bytes(where);
  api::ThrowIfError(api::WriteNpy(path.string(), type_, AsUint8(bytes)), where);
}

const Type& Array::type() const { return type_; }
const Device& Array::device() const { return device_; }
int64_t Array::byte_size() const { return static_cast<int64_t>(state_->span().size); }

std::vector<std::byte> Array::to_bytes(const std::source_location& where) const {
  std::vector<std::byte> bytes(static_cast<size_t>(byte_size()));
  copy_to_bytes(bytes, where);
  return bytes;
}

void Array::copy_to_bytes(std::span<std::byte> bytes,
                          const std::source_location& where) const {
  CheckSize(type_, bytes.size(), "a place", where);
  const absl::Span<uint8_t> place(reinterpret_cast<uint8_t*>(bytes.data()), bytes.size());
  api::ThrowIfError(api::Handles::HalOf(device_).Download(place, state_->span()), where);
}

void Array::assign_bytes(std::span<const std::byte> bytes,
                         const std::source_location& where) {
  CheckSize(type_, bytes.size(), "data", where);
  api::ThrowIfError(api::Handles::HalOf(device_).Upload(state_->span(), AsUint8(bytes)),
                    where);
}

void Array::assign_values(const Values& values, const std::source_location& where) {
  check_values(values.element, values.count, where);
  assign_bytes({static_cast<const std::byte*>(values.data), values.bytes}, where);
}

void Array::check_values(ElementType element, size_t count,
                         const std::source_location& where) const {
  const size_t expected = static_cast<size_t>(type_.element_count());
  if (element == type_.element() && count == expected) return;
  throw Error(ErrorCode::invalid_argument,
              absl::StrCat("expected ", expected, " values for ", type_.to_string(),
                           ", found ", count, " of ", std::string(element.name())),
              where);
}

Array Array::as(const Type& type, const std::source_location& where) const {
  if (const std::string problem = type.problem(); !problem.empty()) {
    throw Error(ErrorCode::invalid_argument, problem, where);
  }
  if (type.byte_size() != byte_size()) {
    throw Error(
        ErrorCode::invalid_argument,
        absl::StrCat("expected a type of ", byte_size(), " bytes for ", type_.to_string(),
                     ", found ", type.to_string(), " of ", type.byte_size()),
        where);
  }
  return Array(state_, device_, type);
}

}  // namespace thunky
