#include "thunky/tooling/npz.h"

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "thunky/base/status_macros.h"

namespace thunky::tooling {
namespace {

constexpr std::string_view kSuffix = ".npy";

// Names come from the file; a message shows the first few.
std::string ListNames(const std::vector<std::string>& names) {
  constexpr size_t kShown = 8;
  std::vector<std::string> shown;
  for (const std::string& name : names) {
    if (shown.size() == kShown) break;
    shown.push_back(absl::CHexEscape(name.substr(0, 60)));
  }
  return absl::StrCat(shown.empty() ? "nothing" : absl::StrJoin(shown, ", "),
                      names.size() > kShown ? ", ..." : "");
}

}  // namespace

absl::StatusOr<NpzReader> NpzReader::Open(std::vector<uint8_t> bytes) {
  ASSIGN_OR_RETURN(ZipReader zip, ZipReader::Open(std::move(bytes)));
  NpzReader reader(std::move(zip));
  const std::vector<ZipEntry>& entries = reader.zip_.entries();
  for (size_t i = 0; i < entries.size(); ++i) {
    std::string_view name = entries[i].name;
    if (name.size() <= kSuffix.size() ||
        name.substr(name.size() - kSuffix.size()) != kSuffix) {
      return absl::InvalidArgumentError(
          absl::StrCat("member '", absl::CHexEscape(entries[i].name.substr(0, 60)),
                       "': expected a name that ends in .npy"));
    }
    reader.index_.emplace(name.substr(0, name.size() - kSuffix.size()), i);
  }
  return reader;
}

std::vector<std::string> NpzReader::names() const {
  std::vector<std::string> names;
  names.reserve(index_.size());
  for (const auto& [name, entry] : index_) names.push_back(name);
  return names;
}

bool NpzReader::contains(std::string_view name) const {
  return index_.find(name) != index_.end();
}

absl::StatusOr<const ZipEntry*> NpzReader::Find(std::string_view name) const {
  auto it = index_.find(name);
  if (it == index_.end()) {
    return absl::NotFoundError(absl::StrCat("expected an array '", std::string(name),
                                            "', found ", ListNames(names())));
  }
  return &zip_.entries()[it->second];
}

absl::StatusOr<NpyHeader> NpzReader::Header(std::string_view name) const {
  ASSIGN_OR_RETURN(const ZipEntry* entry, Find(name));
  auto read = [&]() -> absl::StatusOr<NpyHeader> {
    ASSIGN_OR_RETURN(std::vector<uint8_t> prefix,
                     zip_.ReadPrefix(*entry, kMaxNpyHeaderBytes));
    ASSIGN_OR_RETURN(NpyHeader header, ParseNpyHeader(prefix));
    if (header.data_size != entry->size - header.data_offset) {
      return absl::InvalidArgumentError(
          absl::StrCat("array data: expected ", header.data_size, " bytes for ",
                       DescribeArray(header.type, header.shape), ", found ",
                       entry->size - header.data_offset));
    }
    return header;
  };
  absl::StatusOr<NpyHeader> header = read();
  if (!header.ok()) return Annotate(header.status(), name);
  return header;
}

absl::StatusOr<Array> NpzReader::Read(std::string_view name) const {
  ASSIGN_OR_RETURN(NpyHeader header, Header(name));
  ASSIGN_OR_RETURN(const ZipEntry* entry, Find(name));
  absl::StatusOr<std::vector<uint8_t>> bytes =
      zip_.Read(*entry, header.data_offset + header.data_size);
  if (!bytes.ok()) return Annotate(bytes.status(), name);
  absl::StatusOr<Array> array = ParseNpy(*std::move(bytes));
  if (!array.ok()) return Annotate(array.status(), name);
  return array;
}

absl::Status NpzWriter::Add(std::string_view name, const NpyType& type,
                            absl::Span<const uint64_t> shape,
                            absl::Span<const uint8_t> data) {
  ASSIGN_OR_RETURN(std::vector<uint8_t> bytes, SerializeNpy(type, shape, data));
  return zip_.Add(absl::StrCat(std::string(name), std::string(kSuffix)), bytes);
}

absl::StatusOr<std::vector<uint8_t>> NpzWriter::Finish() && {
  return std::move(zip_).Finish();
}

}  // namespace thunky::tooling
