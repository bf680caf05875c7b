#include "thunky/api/array_files.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "thunky/base/status_macros.h"
#include "thunky/tooling/element_type.h"
#include "thunky/tooling/files.h"
#include "thunky/tooling/npy.h"

namespace thunky::api {
namespace {

// Null for elements of less than a byte.
const tooling::ElementType* StoredAs(const ElementType& element) {
  return tooling::FindElementType(element.name());
}

absl::Status NotStored(const Type& type) {
  return absl::UnimplementedError(absl::StrCat(
      type.to_string(), ": .npy files hold no elements of less than a byte"));
}

// The type that the file's own words mean.
absl::StatusOr<Type> NamedType(const tooling::Array& array, const std::string& found) {
  const tooling::ElementType* element = tooling::FindStoredElementType(array.type);
  const std::optional<ElementType> named =
      element == nullptr ? std::nullopt : ElementType::from_code(element->primitive);
  if (!named.has_value()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "expected the type to be given, found elements that the file does not name (",
        found, ")"));
  }
  return Type(*named, std::vector<int64_t>(array.shape.begin(), array.shape.end()));
}

absl::StatusOr<Type> TypeIn(const tooling::Array& array,
                            const std::optional<Type>& expected) {
  const std::string found = tooling::DescribeStored(array.type, array.shape);
  if (!expected.has_value()) return NamedType(array, found);
  const tooling::ElementType* element = StoredAs(expected->element());
  if (element == nullptr) return NotStored(*expected);
  const std::vector<int64_t> shape(array.shape.begin(), array.shape.end());
  if (shape == expected->shape() && tooling::CanHold(*element, array.type)) {
    return *expected;
  }
  return absl::InvalidArgumentError(
      absl::StrCat("expected ", expected->to_string(), ", found ", found));
}

// A bool array may hold any byte in a file; programs take 0 and 1 for granted.
absl::Status CheckBools(const tooling::Array& array) {
  if (array.type.kind != 'b') return absl::OkStatus();
  for (const uint8_t byte : array.data) {
    if (byte <= 1) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("expected bools of 0 or 1, found ", byte));
  }
  return absl::OkStatus();
}

absl::StatusOr<NpyContent> Parse(std::vector<uint8_t> file,
                                 const std::optional<Type>& expected) {
  if (!tooling::IsNpy(file)) {
    return absl::InvalidArgumentError("expected a .npy file, found other content");
  }
  ASSIGN_OR_RETURN(tooling::Array array, tooling::ParseNpy(std::move(file)));
  ASSIGN_OR_RETURN(Type type, TypeIn(array, expected));
  RETURN_IF_ERROR(CheckBools(array));
  return NpyContent{std::move(type), std::move(array.data)};
}

absl::StatusOr<std::vector<uint8_t>> Serialize(const Type& type,
                                               absl::Span<const uint8_t> bytes) {
  const tooling::ElementType* element = StoredAs(type.element());
  if (element == nullptr) return NotStored(type);
  const std::vector<uint64_t> shape(type.shape().begin(), type.shape().end());
  return tooling::SerializeNpy(element->npy, shape, bytes);
}

}  // namespace

absl::StatusOr<NpyContent> ReadNpy(const std::string& path,
                                   const std::optional<Type>& expected) {
  ASSIGN_OR_RETURN(std::vector<uint8_t> file, tooling::ReadFile(path));
  absl::StatusOr<NpyContent> content = Parse(std::move(file), expected);
  if (!content.ok()) return Annotate(content.status(), path);
  return content;
}

absl::Status WriteNpy(const std::string& path, const Type& type,
                      absl::Span<const uint8_t> bytes) {
  absl::StatusOr<std::vector<uint8_t>> file = Serialize(type, bytes);
  if (!file.ok()) return Annotate(file.status(), path);
  return tooling::WriteFile(path, *file);
}

}  // namespace thunky::api
