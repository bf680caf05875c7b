#include "thunky/cubin/entry_attributes.h"

#include <map>

#include "absl/strings/str_cat.h"
#include "thunky/base/status_macros.h"
#include "thunky/cubin/elf_file.h"

namespace thunky::cubin {
namespace {

// A record: format, attribute, then two bytes that are the value itself, or the size
// of a value that follows.
constexpr size_t kRecordBytes = 4;
constexpr uint8_t kFormatNone = 1;
constexpr uint8_t kFormatSized = 4;

constexpr uint8_t kRequiredBlock = 0x10;
constexpr uint8_t kParameterInfo = 0x17;

constexpr size_t kParameterInfoBytes = 12;
constexpr int kParameterSizeShift = 18;

struct Record {
  uint8_t attribute = 0;
  std::string_view value;  // of the sized format only
};

// Takes the next record off the front of `rest`.
absl::StatusOr<Record> NextRecord(std::string_view& rest) {
  if (rest.size() < kRecordBytes) {
    return absl::InvalidArgumentError(absl::StrCat(
        "expected a record of at least ", kRecordBytes, " bytes, found ", rest.size()));
  }
  const auto format = static_cast<uint8_t>(rest[0]);
  Record record{.attribute = static_cast<uint8_t>(rest[1]), .value = {}};
  const size_t size = LoadNumber(rest, 2, 2);
  rest.remove_prefix(kRecordBytes);
  if (format < kFormatNone || format > kFormatSized) {
    return absl::InvalidArgumentError(absl::StrCat("expected a record of format ",
                                                   kFormatNone, " to ", kFormatSized,
                                                   ", found ", format));
  }
  if (format != kFormatSized) return record;
  if (size > rest.size()) {
    return absl::InvalidArgumentError(
        absl::StrCat("attribute ", record.attribute, " has ", size, " bytes, and ",
                     rest.size(), " are left in its section"));
  }
  record.value = rest.substr(0, size);
  rest.remove_prefix(size);
  return record;
}

// The parameters by number, as far as they have been seen.
using Parameters = std::map<uint32_t, CubinParameter>;

absl::Status AddParameter(std::string_view value, Parameters* parameters) {
  if (value.size() != kParameterInfoBytes) {
    return absl::InvalidArgumentError(
        absl::StrCat("expected ", kParameterInfoBytes,
                     " bytes that describe a parameter, found ", value.size()));
  }
  const auto number = static_cast<uint32_t>(LoadNumber(value, 4, 2));
  const CubinParameter parameter{
      .offset = static_cast<uint32_t>(LoadNumber(value, 6, 2)),
      .size = static_cast<uint32_t>(LoadNumber(value, 8, 4) >> kParameterSizeShift)};
  if (!parameters->emplace(number, parameter).second) {
    return absl::InvalidArgumentError(
        absl::StrCat("parameter ", number, " is described twice"));
  }
  return absl::OkStatus();
}

absl::Status SetRequiredBlock(std::string_view value, CubinEntry* entry) {
  constexpr size_t kWord = 4;
  std::array<uint32_t, 3> block = {};
  if (value.size() != kWord * block.size()) {
    return absl::InvalidArgumentError(absl::StrCat("expected a block shape of ",
                                                   kWord * block.size(), " bytes, found ",
                                                   value.size()));
  }
  for (size_t i = 0; i < block.size(); ++i) {
    block[i] = static_cast<uint32_t>(LoadNumber(value, i * kWord, kWord));
  }
  entry->required_block = block;
  return absl::OkStatus();
}

}  // namespace

absl::Status ReadEntryAttributes(std::string_view section, CubinEntry* entry) {
  Parameters parameters;
  while (!section.empty()) {
    ASSIGN_OR_RETURN(const Record record, NextRecord(section));
    if (record.attribute == kParameterInfo) {
      RETURN_IF_ERROR(AddParameter(record.value, &parameters));
    } else if (record.attribute == kRequiredBlock) {
      RETURN_IF_ERROR(SetRequiredBlock(record.value, entry));
    }
  }
  std::vector<CubinParameter>& ordered = entry->parameters.emplace();
  for (const auto& [number, parameter] : parameters) {
    if (number != ordered.size()) {
      return absl::InvalidArgumentError(absl::StrCat("parameter ", ordered.size(),
                                                     " is not described, and parameter ",
                                                     number, " is"));
    }
    ordered.push_back(parameter);
  }
  return absl::OkStatus();
}

}  // namespace thunky::cubin
