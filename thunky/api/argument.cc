#include "thunky/api/argument.h"

#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "thunky/api/error.h"
#include "thunky/api/executable_state.h"
#include "thunky/schema/tensor_type.h"

namespace thunky {
namespace api {
namespace {

// Whether elements lie as those of a Type do. Axes of one element may be anywhere.
bool IsRowMajor(const schema::TensorType& type) {
  int64_t last = static_cast<int64_t>(type.dimensions.size());
  for (const int64_t axis : type.minor_to_major) {
    if (type.dimensions[static_cast<size_t>(axis)] == 1) continue;
    if (axis > last) return false;
    last = axis;
  }
  return true;
}

// `type` in memory of `size` bytes as a Type, if it is one.
std::optional<Type> PlainType(const schema::TensorType& type, uint64_t size) {
  const std::optional<ElementType> element = ElementType::from_code(type.element_type);
  if (!element.has_value() || !IsRowMajor(type)) return std::nullopt;
  Type plain(*element, type.dimensions);
  if (!plain.problem().empty() || static_cast<uint64_t>(plain.byte_size()) != size) {
    return std::nullopt;
  }
  return plain;
}

std::string Declared(const schema::TensorType& type) {
  if (type.minor_to_major.empty() || IsRowMajor(type)) return type.ToString();
  return absl::StrCat(type.ToString(), "{", absl::StrJoin(type.minor_to_major, ","), "}");
}

ArgumentInfo InfoOf(const runtime::Argument& argument) {
  ArgumentInfo info;
  info.name = argument.name;
  info.byte_size = static_cast<int64_t>(argument.size);
  info.type = PlainType(argument.type, argument.size)
                  .value_or(Type(u8, std::vector<int64_t>{info.byte_size}));
  info.declared = Declared(argument.type);
  info.parameter = argument.parameter;
  info.results = argument.results;
  info.role = !argument.parameter.has_value() ? ArgumentInfo::Role::result
              : argument.written              ? ArgumentInfo::Role::in_place
                                              : ArgumentInfo::Role::input;
  return info;
}

}  // namespace

std::vector<ArgumentInfo> ArgumentInfosOf(const runtime::Executable& program) {
  std::vector<ArgumentInfo> infos;
  for (const runtime::Argument& argument : program.arguments()) {
    infos.push_back(InfoOf(argument));
  }
  return infos;
}

}  // namespace api

HostArray::HostArray(Type type, std::span<const std::byte> bytes,
                     std::shared_ptr<const void> owner, const std::source_location& where)
    : type_(std::move(type)), bytes_(bytes), owner_(std::move(owner)) {
  if (const std::string problem = type_.problem(); !problem.empty()) {
    throw Error(ErrorCode::invalid_argument, problem, where);
  }
  if (static_cast<size_t>(type_.byte_size()) == bytes.size()) return;
  throw Error(ErrorCode::invalid_argument,
              absl::StrCat("expected the ", type_.byte_size(), " bytes of ",
                           type_.to_string(), ", found ", bytes.size()),
              where);
}

std::string ArgumentInfo::describe(int position) const {
  std::string text = absl::StrCat("argument ", position);
  if (!name.empty()) absl::StrAppend(&text, " '", name, "'");
  absl::StrAppend(&text, " (", type.to_string());
  if (declared != type.to_string()) absl::StrAppend(&text, ", declared as ", declared);
  return text + ")";
}

}  // namespace thunky
