#include "thunky/tooling/named_arrays.h"

#include <algorithm>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "thunky/base/status_macros.h"
#include "thunky/tooling/files.h"

namespace thunky::tooling {

std::string ArraySpec::ToString() const {
  return absl::StrCat(name, " ", DescribeType(*element, shape));
}

absl::Status CheckStored(const ArraySpec& spec, const NpyHeader& header,
                         std::string_view what) {
  if (CanHold(*spec.element, header.type) && header.shape == spec.shape) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "expected ", DescribeType(*spec.element, spec.shape), what.empty() ? "" : " ",
      std::string(what), ", found ", DescribeStored(header.type, header.shape)));
}

std::optional<uint64_t> NumberedName(std::string_view name, std::string_view prefix) {
  if (name.substr(0, prefix.size()) != prefix) return std::nullopt;
  const std::string_view digits = name.substr(prefix.size());
  uint64_t number = 0;
  if (digits.empty() ||
      digits.find_first_not_of("0123456789") != std::string_view::npos ||
      (digits.size() > 1 && digits[0] == '0') ||
      !absl::SimpleAtoi(absl::string_view(digits.data(), digits.size()), &number)) {
    return std::nullopt;
  }
  return number;
}

std::string PreviewArray(const NamedArray& array) {
  constexpr uint64_t kShown = 6;
  const uint64_t elements = array.bytes.size() / array.spec.element->npy.size;
  std::string text;
  for (uint64_t i = 0; i < std::min(elements, kShown); ++i) {
    absl::StrAppend(&text, i > 0 ? ", " : "",
                    ElementToString(*array.spec.element, array.bytes, i));
  }
  return absl::StrCat(text, elements > kShown ? ", ..." : "");
}

absl::Status SaveArrays(const std::string& path, absl::Span<const NamedArray> arrays) {
  NpzWriter writer;
  for (const NamedArray& array : arrays) {
    RETURN_IF_ERROR(writer.Add(array.spec.name, array.spec.element->npy, array.spec.shape,
                               array.bytes));
  }
  ASSIGN_OR_RETURN(std::vector<uint8_t> bytes, std::move(writer).Finish());
  return WriteFile(path, bytes);
}

absl::StatusOr<ReferenceArrays> ReferenceArrays::Open(const std::string& path,
                                                      absl::Span<const ArraySpec> specs) {
  ASSIGN_OR_RETURN(std::vector<uint8_t> bytes, ReadFile(path));
  absl::StatusOr<NpzReader> reader = NpzReader::Open(std::move(bytes));
  if (!reader.ok()) return Annotate(reader.status(), path);
  for (const ArraySpec& spec : specs) {
    absl::StatusOr<NpyHeader> header = reader->Header(spec.name);
    if (!header.ok()) return Annotate(header.status(), path);
    RETURN_IF_ERROR(
        Annotate(CheckStored(spec, *header, ""), absl::StrCat(path, ": ", spec.name)));
  }
  for (const std::string& name : reader->names()) {
    const std::optional<uint64_t> number = NumberedName(name, "out");
    if (!number.has_value() || *number < specs.size()) continue;
    return absl::InvalidArgumentError(
        absl::StrCat(path, ": expected ", specs.size(), " outputs, found ", name));
  }
  return ReferenceArrays(path, *std::move(reader));
}

absl::StatusOr<Comparison> ReferenceArrays::CompareWith(
    const NamedArray& found, const Tolerance& tolerance) const {
  absl::StatusOr<Array> expected = reader_.Read(found.spec.name);
  if (!expected.ok()) return Annotate(expected.status(), path_);
  return Compare(*found.spec.element, found.spec.shape, found.bytes, expected->data,
                 tolerance);
}

}  // namespace thunky::tooling
