#include "thunky/tooling/launch_argument.h"

#include <limits>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "thunky/base/status_macros.h"
#include "thunky/tooling/files.h"
#include "thunky/tooling/npy.h"

namespace thunky::tooling {
namespace {

constexpr std::string_view kOut = "out:";
constexpr std::string_view kInOut = "inout:";

bool StartsWith(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

// Decimal digits and nothing else.
bool ParseCount(absl::string_view text, uint64_t& value) {
  return !text.empty() &&
         text.find_first_not_of("0123456789") == absl::string_view::npos &&
         absl::SimpleAtoi(text, &value);
}

absl::Status NotAType(std::string_view found) {
  return absl::InvalidArgumentError(
      absl::StrCat("expected an array type such as f32[64,3], found '",
                   std::string(found), "'; element types: ", ElementTypeNames()));
}

absl::Status ParseArrayType(std::string_view text, LaunchArgument& argument) {
  const size_t bracket = text.find('[');
  if (bracket == std::string_view::npos || text.back() != ']') return NotAType(text);
  argument.element = FindElementType(text.substr(0, bracket));
  if (argument.element == nullptr) return NotAType(text);
  const std::string_view dims = text.substr(bracket + 1, text.size() - bracket - 2);
  uint64_t size = argument.element->npy.size;
  if (!dims.empty()) {
    for (absl::string_view part :
         absl::StrSplit(absl::string_view(dims.data(), dims.size()), ',')) {
      uint64_t dimension = 0;
      if (!ParseCount(part, dimension)) return NotAType(text);
      if (dimension != 0 &&
          size > static_cast<uint64_t>(std::numeric_limits<int64_t>::max()) / dimension) {
        return absl::InvalidArgumentError("expected fewer than 2^63 bytes");
      }
      size *= dimension;
      argument.shape.push_back(dimension);
    }
  }
  argument.size = size;
  return absl::OkStatus();
}

absl::Status ReadArray(const std::string& path, LaunchArgument& argument) {
  ASSIGN_OR_RETURN(std::vector<uint8_t> bytes, ReadFile(path));
  absl::StatusOr<Array> array = ParseNpy(std::move(bytes));
  if (!array.ok()) return array.status();
  argument.element = FindStoredElementType(array->type);
  argument.shape = std::move(array->shape);
  argument.size = array->data.size();
  argument.bytes = std::move(array->data);
  if (argument.element == nullptr && argument.is_output()) {
    return absl::UnimplementedError(
        absl::StrCat("expected elements of a known type, found ", array->type.ToString(),
                     "; use out: with the type"));
  }
  return absl::OkStatus();
}

absl::Status ParseScalarArgument(std::string_view type, std::string_view value,
                                 LaunchArgument& argument) {
  argument.element = FindElementType(type);
  ASSIGN_OR_RETURN(argument.bytes, ParseScalar(*argument.element, value));
  return absl::OkStatus();
}

absl::Status Parse(std::string_view text, LaunchArgument& argument) {
  using Kind = LaunchArgument::Kind;
  if (text == "null") {
    argument.kind = Kind::kNull;
    argument.bytes.assign(sizeof(uint64_t), 0);
    return absl::OkStatus();
  }
  if (StartsWith(text, kOut)) {
    argument.kind = Kind::kOutput;
    return ParseArrayType(text.substr(kOut.size()), argument);
  }
  if (StartsWith(text, kInOut)) {
    argument.kind = Kind::kInOut;
    return ReadArray(std::string(text.substr(kInOut.size())), argument);
  }
  const size_t colon = text.find(':');
  if (colon != std::string_view::npos && FindElementType(text.substr(0, colon))) {
    return ParseScalarArgument(text.substr(0, colon), text.substr(colon + 1), argument);
  }
  argument.kind = Kind::kInput;
  return ReadArray(std::string(text), argument);
}

}  // namespace

absl::StatusOr<LaunchArgument> ParseLaunchArgument(const std::string& text) {
  LaunchArgument argument;
  argument.text = text;
  RETURN_IF_ERROR(Annotate(Parse(text, argument), absl::StrCat("--arg ", text)));
  return argument;
}

absl::StatusOr<hal::Dim3> ParseDim3(std::string_view option, std::string_view text) {
  const std::vector<absl::string_view> parts =
      absl::StrSplit(absl::string_view(text.data(), text.size()), ',');
  hal::Dim3 dims;
  uint64_t* const fields[] = {&dims.x, &dims.y, &dims.z};
  bool good = parts.size() <= 3;
  for (size_t i = 0; good && i < parts.size(); ++i)
    good = ParseCount(parts[i], *fields[i]);
  if (good) return dims;
  return absl::InvalidArgumentError(absl::StrCat(std::string(option),
                                                 ": expected X, X,Y or X,Y,Z, found '",
                                                 std::string(text), "'"));
}

}  // namespace thunky::tooling
