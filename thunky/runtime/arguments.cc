#include "thunky/runtime/arguments.h"

#include <map>
#include <utility>

#include "absl/strings/str_cat.h"

namespace thunky::runtime {
namespace {

Argument OfParameter(const schema::SignatureParameter& parameter, int position) {
  Argument argument;
  argument.parameter = position;
  argument.results = parameter.aliased_results;
  argument.allocation = parameter.allocation;
  argument.size = static_cast<uint64_t>(parameter.size);
  argument.type = parameter.type;
  argument.name = parameter.name;
  return argument;
}

Argument OfResult(const schema::SignatureResult& result, int position) {
  Argument argument;
  argument.results = {position};
  if (result.constant.has_value()) {
    argument.constant = result.constant;
  } else {
    argument.allocation = result.allocation;
  }
  argument.size = static_cast<uint64_t>(result.size);
  argument.type = result.type;
  argument.written = true;
  return argument;
}

// As the file says: verification made sure that it names each argument once.
void PutInOrder(const schema::Signature& signature, std::vector<Argument>& arguments) {
  std::map<int64_t, size_t> by_allocation;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const Argument& argument = arguments[i];
    by_allocation[argument.allocation.has_value()
                      ? *argument.allocation
                      : signature.results[static_cast<size_t>(argument.results.front())]
                            .allocation] = i;
  }
  std::vector<Argument> ordered;
  for (const schema::SignatureArgument& next : signature.arguments) {
    ordered.push_back(std::move(arguments[by_allocation.at(next.allocation)]));
    if (!next.name.empty()) ordered.back().name = next.name;
  }
  arguments = std::move(ordered);
}

}  // namespace

std::vector<Argument> ArgumentsOf(const schema::Signature& signature) {
  std::vector<Argument> arguments;
  for (size_t i = 0; i < signature.parameters.size(); ++i) {
    Argument argument = OfParameter(signature.parameters[i], static_cast<int>(i));
    for (int result : argument.results) {
      argument.written |= !signature.results[static_cast<size_t>(result)].passthrough;
    }
    arguments.push_back(std::move(argument));
  }
  // Results that share an allocation are one argument, named by all of them.
  std::vector<int> argument_of(signature.results.size(), -1);
  for (size_t i = 0; i < signature.results.size(); ++i) {
    const schema::SignatureResult& result = signature.results[i];
    if (result.aliased_parameter.has_value()) continue;
    const size_t first = static_cast<size_t>(result.first_in_allocation);
    if (first != i) {
      arguments[static_cast<size_t>(argument_of[first])].results.push_back(
          static_cast<int>(i));
      continue;
    }
    argument_of[i] = static_cast<int>(arguments.size());
    arguments.push_back(OfResult(result, static_cast<int>(i)));
  }
  if (!signature.arguments.empty()) PutInOrder(signature, arguments);
  return arguments;
}

std::string Argument::Describe(const schema::Signature& signature, int position) const {
  std::string text;
  if (parameter.has_value()) {
    text = absl::StrCat("argument ", position);
    if (!name.empty()) absl::StrAppend(&text, " '", name, "'");
  } else {
    const size_t first = static_cast<size_t>(results.front());
    text =
        absl::StrCat("result ", schema::ToString(signature.results[first].shape_index));
    if (!name.empty()) absl::StrAppend(&text, " '", name, "'");
  }
  return absl::StrCat(text, " (", type.ToString(), ")");
}

absl::Status CheckArguments(const schema::Signature& signature,
                            absl::Span<const Argument> arguments,
                            absl::Span<const hal::DeviceSpan> bound) {
  if (arguments.size() != bound.size()) {
    return absl::InvalidArgumentError(
        absl::StrCat(arguments.size(), " arguments expected, ", bound.size(), " given"));
  }
  for (size_t i = 0; i < arguments.size(); ++i) {
    const auto what = [&] {
      return arguments[i].Describe(signature, static_cast<int>(i));
    };
    if (bound[i].size != arguments[i].size) {
      return absl::InvalidArgumentError(absl::StrCat(
          what(), ": ", arguments[i].size, " bytes expected, ", bound[i].size, " given"));
    }
    if (bound[i].size > 0 && bound[i].address % kArgumentAlignment != 0) {
      return absl::InvalidArgumentError(
          absl::StrCat(what(), ": an address at a multiple of ", kArgumentAlignment,
                       " bytes expected, 0x", absl::Hex(bound[i].address), " given"));
    }
  }
  return absl::OkStatus();
}

}  // namespace thunky::runtime
