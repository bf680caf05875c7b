#include "thunky/api/loaded_state.h"

#include <algorithm>
#include <string>
#include <variant>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "thunky/api/handles.h"
#include "thunky/base/status_macros.h"

namespace thunky::api {
namespace {

using Role = ArgumentInfo::Role;

template <typename... Pieces>
absl::Status Invalid(const Pieces&... pieces) {
  return absl::InvalidArgumentError(absl::StrCat(pieces...));
}

absl::Status WrongCount(const std::vector<ArgumentInfo>& infos, size_t found) {
  constexpr size_t kShown = 12;
  std::vector<std::string> texts;
  for (size_t i = 0; i < std::min(infos.size(), kShown); ++i) {
    texts.push_back(infos[i].describe(static_cast<int>(i)));
  }
  if (infos.size() > kShown) texts.push_back("...");
  const std::string list =
      texts.empty() ? "" : absl::StrCat(" (", absl::StrJoin(texts, ", "), ")");
  return Invalid("arguments: expected ", infos.size(), list, ", found ", found);
}

class Binder {
 public:
  Binder(const LoadedState& program, std::span<const Argument> arguments)
      : program_(program),
        infos_(program.executable()->arguments()),
        arguments_(arguments) {}

  absl::StatusOr<BoundArguments> Bind() {
    if (arguments_.size() != infos_.size()) {
      return WrongCount(infos_, arguments_.size());
    }
    // Everything is checked before anything is copied.
    for (size_t i = 0; i < infos_.size(); ++i) RETURN_IF_ERROR(Check(i));
    RETURN_IF_ERROR(CheckShared());
    BoundArguments bound;
    bound.spans.reserve(infos_.size());
    for (size_t i = 0; i < infos_.size(); ++i) {
      if (const Array* array = ArrayAt(i)) {
        bound.spans.push_back(Handles::StateOf(*array)->span());
        continue;
      }
      RETURN_IF_ERROR(Copy(std::get<HostArray>(arguments_[i].value()), bound));
    }
    return bound;
  }

 private:
  const Array* ArrayAt(size_t i) const {
    return std::get_if<Array>(&arguments_[i].value());
  }
  std::string Describe(size_t i) const { return infos_[i].describe(static_cast<int>(i)); }

  absl::Status Check(size_t i) const {
    const Array* array = ArrayAt(i);
    const Type& found = array != nullptr
                            ? array->type()
                            : std::get<HostArray>(arguments_[i].value()).type();
    if (!(found == infos_[i].type)) {
      return Invalid(Describe(i), ": expected ", infos_[i].type.to_string(), ", found ",
                     found.to_string());
    }
    if (array == nullptr) {
      if (infos_[i].role == Role::input) return absl::OkStatus();
      return Invalid(Describe(i),
                     ": expected an array, because the program writes it; found values "
                     "of the host");
    }
    if (array->device() == program_.device()) return absl::OkStatus();
    return Invalid(Describe(i), ": expected an array on ", program_.device().name(),
                   ", found one on ", array->device().name());
  }

  // What is written must be nobody else's.
  absl::Status CheckShared() const {
    std::vector<std::pair<uint64_t, size_t>> arrays;  // address and position
    arrays.reserve(infos_.size());
    for (size_t i = 0; i < infos_.size(); ++i) {
      const Array* array = ArrayAt(i);
      if (array == nullptr || infos_[i].byte_size == 0) continue;
      arrays.emplace_back(Handles::StateOf(*array)->span().address, i);
    }
    std::sort(arrays.begin(), arrays.end());
    for (size_t k = 1; k < arrays.size(); ++k) {
      if (arrays[k - 1].first != arrays[k].first) continue;
      const size_t a = arrays[k - 1].second;
      const size_t b = arrays[k].second;
      if (infos_[a].role == Role::input && infos_[b].role == Role::input) continue;
      const size_t written = infos_[b].role == Role::input ? a : b;
      return Invalid(Describe(a), " and ", Describe(b),
                     ": expected two arrays, because the program writes argument ",
                     written, "; found one");
    }
    return absl::OkStatus();
  }

  absl::Status Copy(const HostArray& values, BoundArguments& bound) const {
    hal::Device& device = Handles::HalOf(program_.device());
    const std::span<const std::byte> bytes = values.bytes();
    ASSIGN_OR_RETURN(std::unique_ptr<hal::Allocation> memory,
                     device.Allocate(bytes.size()));
    RETURN_IF_ERROR(device.Upload(
        memory->span(), {reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()}));
    bound.spans.push_back(memory->span());
    bound.copies.push_back(std::move(memory));
    return absl::OkStatus();
  }

  const LoadedState& program_;
  const std::vector<ArgumentInfo>& infos_;
  std::span<const Argument> arguments_;
};

}  // namespace

absl::StatusOr<BoundArguments> BindArguments(const LoadedState& program,
                                             std::span<const Argument> arguments) {
  absl::StatusOr<BoundArguments> bound = Binder(program, arguments).Bind();
  if (bound.ok()) return bound;
  return Annotate(
      bound.status(),
      absl::StrCat("program '", program.executable()->program()->name(), "'"));
}

}  // namespace thunky::api
