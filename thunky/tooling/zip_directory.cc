#include "thunky/tooling/zip_directory.h"

#include <algorithm>
#include <cstring>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "thunky/base/status_macros.h"
#include "thunky/tooling/zip_format.h"

namespace thunky::tooling {
namespace {

using Bytes = absl::Span<const uint8_t>;

// Deflate spends at least two bits on 258 bytes.
constexpr uint64_t kMaxDeflateRatio = 1032;

bool Fits(Bytes bytes, uint64_t offset, uint64_t size) {
  return offset <= bytes.size() && size <= bytes.size() - offset;
}

// A little-endian field; the caller has checked that it is there.
template <typename T>
T Field(Bytes bytes, uint64_t offset) {
  T value = 0;
  for (size_t i = 0; i < sizeof(T); ++i) {
    value = static_cast<T>(value | static_cast<T>(bytes[offset + i]) << (8 * i));
  }
  return value;
}

absl::Status Malformed(std::string_view where, std::string_view expected,
                       std::string_view found) {
  return absl::InvalidArgumentError(absl::StrCat(std::string(where), ": expected ",
                                                 std::string(expected), ", found ",
                                                 std::string(found)));
}

std::string MemberPlace(std::string_view name) {
  constexpr size_t kLongest = 60;
  return absl::StrCat("member '", absl::CHexEscape(std::string(name.substr(0, kLongest))),
                      name.size() > kLongest ? "...'" : "'");
}

// Where the directory lies and how many members it lists.
struct DirectoryExtent {
  uint64_t offset = 0;
  uint64_t size = 0;
  uint64_t count = 0;
};

// The last record of an archive; its comment must end with the archive.
absl::StatusOr<uint64_t> FindEnd(Bytes archive) {
  constexpr uint64_t kLongestComment = 0xffff;
  if (archive.size() >= zip::kEndSize) {
    const uint64_t last = archive.size() - zip::kEndSize;
    for (uint64_t back = 0; back <= std::min(last, kLongestComment); ++back) {
      const uint64_t at = last - back;
      if (Field<uint32_t>(archive, at) == zip::kEnd &&
          Field<uint16_t>(archive, at + 20) == back) {
        return at;
      }
    }
  }
  return Malformed("end of the archive", "an end-of-directory record",
                   "other bytes (cut short, or something appended?)");
}

// Takes the 64-bit values; those of the 32-bit record that say something must
// agree.
absl::Status ApplyZip64(Bytes archive, uint64_t locator, DirectoryExtent& extent,
                        uint64_t& directory_end) {
  const uint64_t record = Field<uint64_t>(archive, locator + 8);
  if (Field<uint32_t>(archive, locator + 4) != 0 ||
      Field<uint32_t>(archive, locator + 16) != 1) {
    return absl::UnimplementedError(
        "zip64 locator: expected one volume, found an archive of several");
  }
  if (record > locator || locator - record < zip::kZip64EndSize ||
      Field<uint32_t>(archive, record) != zip::kZip64End ||
      Field<uint64_t>(archive, record + 4) != locator - record - 12) {
    return Malformed("zip64 locator", "the offset of the zip64 end record before it",
                     absl::StrCat(record));
  }
  if (Field<uint32_t>(archive, record + 16) != 0 ||
      Field<uint32_t>(archive, record + 20) != 0 ||
      Field<uint64_t>(archive, record + 24) != Field<uint64_t>(archive, record + 32)) {
    return absl::UnimplementedError(
        "zip64 end record: expected one volume, found an archive of several");
  }
  auto widen = [](uint64_t& value, uint64_t all_ones, uint64_t wide) {
    if (value != all_ones && value != wide) return false;
    value = wide;
    return true;
  };
  if (!widen(extent.count, zip::kIn64Short, Field<uint64_t>(archive, record + 32)) ||
      !widen(extent.size, zip::kIn64, Field<uint64_t>(archive, record + 40)) ||
      !widen(extent.offset, zip::kIn64, Field<uint64_t>(archive, record + 48))) {
    return Malformed("zip64 end record", "the numbers of the end record", "others");
  }
  directory_end = record;
  return absl::OkStatus();
}

absl::StatusOr<DirectoryExtent> FindDirectory(Bytes archive) {
  ASSIGN_OR_RETURN(const uint64_t end, FindEnd(archive));
  if (Field<uint16_t>(archive, end + 4) != 0 || Field<uint16_t>(archive, end + 6) != 0 ||
      Field<uint16_t>(archive, end + 8) != Field<uint16_t>(archive, end + 10)) {
    return absl::UnimplementedError(
        "end record: expected one volume, found an archive of several");
  }
  DirectoryExtent extent{Field<uint32_t>(archive, end + 16),
                         Field<uint32_t>(archive, end + 12),
                         Field<uint16_t>(archive, end + 10)};
  uint64_t directory_end = end;
  if (end >= zip::kZip64LocatorSize &&
      Field<uint32_t>(archive, end - zip::kZip64LocatorSize) == zip::kZip64Locator) {
    RETURN_IF_ERROR(
        ApplyZip64(archive, end - zip::kZip64LocatorSize, extent, directory_end));
  }
  if (extent.size > directory_end || extent.offset != directory_end - extent.size) {
    return Malformed("end record",
                     absl::StrCat("a directory that ends at byte ", directory_end),
                     absl::StrCat(extent.size, " bytes at ", extent.offset));
  }
  if (extent.count > extent.size / zip::kDirectoryHeaderSize) {
    return Malformed("end record", "as many members as the directory has room for",
                     absl::StrCat(extent.count));
  }
  return extent;
}

// Replaces the sizes (and offset) that say "see the 64-bit field".
absl::Status ReadZip64Extra(Bytes extra, absl::Span<uint64_t* const> values,
                            std::string_view place) {
  const bool wanted = std::any_of(values.begin(), values.end(),
                                  [](uint64_t* value) { return *value == zip::kIn64; });
  if (!wanted) return absl::OkStatus();
  for (uint64_t at = 0; Fits(extra, at, 4);) {
    const uint16_t id = Field<uint16_t>(extra, at);
    const uint16_t size = Field<uint16_t>(extra, at + 2);
    at += 4;
    if (!Fits(extra, at, size)) break;
    if (id != zip::kZip64Extra) {
      at += size;
      continue;
    }
    Bytes field = extra.subspan(at, size);
    uint64_t used = 0;
    for (uint64_t* value : values) {
      if (*value != zip::kIn64) continue;
      if (!Fits(field, used, 8)) {
        return Malformed(place, "64-bit sizes in its extra field", "fewer bytes");
      }
      *value = Field<uint64_t>(field, used);
      used += 8;
    }
    return absl::OkStatus();
  }
  return Malformed(place, "an extra field with its 64-bit sizes", "none");
}

// What both the directory and the local header say of a member.
struct Description {
  uint16_t flags = 0;
  uint16_t method = 0;
  uint32_t crc32 = 0;
  uint64_t compressed_size = 0;
  uint64_t size = 0;
};

absl::Status CheckSupported(const Description& member, std::string_view place) {
  constexpr uint16_t kEncryption =
      zip::kFlagEncrypted | zip::kFlagStrongEncryption | zip::kFlagMasked;
  if (member.flags & kEncryption) {
    return absl::UnimplementedError(
        absl::StrCat(std::string(place), ": expected plain data, found encryption"));
  }
  if (member.flags & zip::kFlagPatch) {
    return absl::UnimplementedError(
        absl::StrCat(std::string(place), ": expected plain data, found a patch"));
  }
  if (member.method != zip::kStored && member.method != zip::kDeflated) {
    return absl::UnimplementedError(absl::StrCat(
        std::string(place), ": expected stored (0) or deflated (8) data, found method ",
        member.method));
  }
  const bool deflated = member.method == zip::kDeflated;
  if (deflated ? member.size / kMaxDeflateRatio > member.compressed_size
               : member.size != member.compressed_size) {
    return Malformed(place,
                     absl::StrCat("a size that ", member.compressed_size, " ",
                                  deflated ? "deflated" : "stored", " bytes can hold"),
                     absl::StrCat(member.size));
  }
  return absl::OkStatus();
}

// A directory header and what follows it; `at` moves behind it.
absl::StatusOr<ZipEntry> ReadDirectoryEntry(Bytes archive, uint64_t end, uint64_t& at,
                                            Description& member) {
  Bytes directory = archive.subspan(0, end);
  const std::string place = absl::StrCat("directory, byte ", at);
  if (!Fits(directory, at, zip::kDirectoryHeaderSize) ||
      Field<uint32_t>(directory, at) != zip::kDirectoryHeader) {
    return Malformed(place, "a member", "other bytes");
  }
  member.flags = Field<uint16_t>(directory, at + 8);
  member.method = Field<uint16_t>(directory, at + 10);
  member.crc32 = Field<uint32_t>(directory, at + 16);
  member.compressed_size = Field<uint32_t>(directory, at + 20);
  member.size = Field<uint32_t>(directory, at + 24);
  const uint16_t name_size = Field<uint16_t>(directory, at + 28);
  const uint16_t extra_size = Field<uint16_t>(directory, at + 30);
  const uint16_t comment_size = Field<uint16_t>(directory, at + 32);
  const uint16_t disk = Field<uint16_t>(directory, at + 34);
  uint64_t offset = Field<uint32_t>(directory, at + 42);
  at += zip::kDirectoryHeaderSize;
  if (!Fits(directory, at, uint64_t{name_size} + extra_size + comment_size)) {
    return Malformed(place, "a name and extra fields inside the directory",
                     "a longer entry");
  }
  ZipEntry entry;
  entry.name.assign(reinterpret_cast<const char*>(directory.data()) + at, name_size);
  RETURN_IF_ERROR(ReadZip64Extra(directory.subspan(at + name_size, extra_size),
                                 {&member.size, &member.compressed_size, &offset},
                                 MemberPlace(entry.name)));
  at += uint64_t{name_size} + extra_size + comment_size;
  if (disk != 0 && disk != zip::kIn64Short) {
    return absl::UnimplementedError(absl::StrCat(
        MemberPlace(entry.name), ": expected volume 0, found volume ", disk));
  }
  RETURN_IF_ERROR(CheckSupported(member, MemberPlace(entry.name)));
  entry.deflated = member.method == zip::kDeflated;
  entry.crc32 = member.crc32;
  entry.compressed_size = member.compressed_size;
  entry.size = member.size;
  entry.header_offset = offset;
  return entry;
}

// Finds the data of a member and holds its local header to the directory.
absl::Status ReadLocalHeader(Bytes archive, const Description& member, ZipEntry& entry) {
  const std::string place = MemberPlace(entry.name);
  const uint64_t at = entry.header_offset;
  if (!Fits(archive, at, zip::kLocalHeaderSize) ||
      Field<uint32_t>(archive, at) != zip::kLocalHeader) {
    return Malformed(place, absl::StrCat("a local header at byte ", at), "other bytes");
  }
  Description local{Field<uint16_t>(archive, at + 6), Field<uint16_t>(archive, at + 8),
                    Field<uint32_t>(archive, at + 14), Field<uint32_t>(archive, at + 18),
                    Field<uint32_t>(archive, at + 22)};
  const uint16_t name_size = Field<uint16_t>(archive, at + 26);
  const uint16_t extra_size = Field<uint16_t>(archive, at + 28);
  const uint64_t name_at = at + zip::kLocalHeaderSize;
  if (!Fits(archive, name_at, uint64_t{name_size} + extra_size)) {
    return Malformed(place, "a local header inside the archive", "a longer one");
  }
  entry.data_offset = name_at + name_size + extra_size;
  if (!Fits(archive, entry.data_offset, entry.compressed_size)) {
    return Malformed(
        place,
        absl::StrCat(entry.compressed_size, " bytes of data at byte ", entry.data_offset),
        "the end of the archive");
  }
  const std::string_view name(reinterpret_cast<const char*>(archive.data()) + name_at,
                              name_size);
  constexpr uint16_t kMeaning = zip::kFlagEncrypted | zip::kFlagDescriptor;
  bool agrees = name == entry.name && local.method == member.method &&
                (local.flags & kMeaning) == (member.flags & kMeaning);
  if (agrees && !(member.flags & zip::kFlagDescriptor)) {
    RETURN_IF_ERROR(ReadZip64Extra(archive.subspan(name_at + name_size, extra_size),
                                   {&local.size, &local.compressed_size}, place));
    agrees = local.crc32 == member.crc32 && local.size == member.size &&
             local.compressed_size == member.compressed_size;
  }
  if (agrees) return absl::OkStatus();
  return Malformed(place, "a local header that agrees with the directory",
                   "another name, method, size or checksum");
}

// Whether `gap`, what stands between a member's data and the next part, is a
// descriptor of that member: with or without signature, 32-bit or 64-bit sizes.
bool IsDescriptor(Bytes gap, const ZipEntry& entry) {
  const bool wide = gap.size() == 20 || gap.size() == 24;
  const bool with_signature = gap.size() == 16 || gap.size() == 24;
  if (!wide && !with_signature && gap.size() != 12) return false;
  if (with_signature && Field<uint32_t>(gap, 0) != zip::kDataDescriptor) return false;
  gap.remove_prefix(with_signature ? 4 : 0);
  return Field<uint32_t>(gap, 0) == entry.crc32 &&
         (wide ? Field<uint64_t>(gap, 4) : Field<uint32_t>(gap, 4)) ==
             entry.compressed_size &&
         (wide ? Field<uint64_t>(gap, 12) : Field<uint32_t>(gap, 8)) == entry.size;
}

// The members must follow one another without gap or overlap from the first
// byte to the directory.
absl::Status CheckLayout(Bytes archive, uint64_t directory,
                         const std::vector<ZipEntry>& entries,
                         const std::vector<Description>& members) {
  std::vector<size_t> order(entries.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return entries[a].header_offset < entries[b].header_offset;
  });
  if ((order.empty() ? directory : entries[order[0]].header_offset) != 0) {
    return Malformed("start of the archive", "a member or an empty directory",
                     "other bytes");
  }
  for (size_t i = 0; i < order.size(); ++i) {
    const ZipEntry& entry = entries[order[i]];
    const uint64_t end = entry.data_offset + entry.compressed_size;
    const uint64_t next =
        i + 1 < order.size() ? entries[order[i + 1]].header_offset : directory;
    if (end > next) {
      return Malformed(MemberPlace(entry.name),
                       absl::StrCat("data that ends by byte ", next),
                       absl::StrCat("an end at byte ", end));
    }
    const bool described = members[order[i]].flags & zip::kFlagDescriptor;
    Bytes gap = archive.subspan(end, next - end);
    if (described ? IsDescriptor(gap, entry) : gap.empty()) continue;
    return Malformed(MemberPlace(entry.name),
                     described ? "a data descriptor that agrees with the directory"
                               : "the next member right after its data",
                     absl::StrCat(gap.size(), " other bytes"));
  }
  return absl::OkStatus();
}

}  // namespace

bool IsZip(Bytes bytes) {
  return bytes.size() >= 4 && (Field<uint32_t>(bytes, 0) == zip::kLocalHeader ||
                               Field<uint32_t>(bytes, 0) == zip::kEnd);
}

absl::StatusOr<std::vector<ZipEntry>> ParseZipDirectory(Bytes archive) {
  ASSIGN_OR_RETURN(const DirectoryExtent extent, FindDirectory(archive));
  const uint64_t end = extent.offset + extent.size;
  std::vector<ZipEntry> entries;
  std::vector<Description> members;
  std::set<std::string_view> names;
  entries.reserve(extent.count);
  uint64_t at = extent.offset;
  for (uint64_t i = 0; i < extent.count; ++i) {
    Description member;
    ASSIGN_OR_RETURN(ZipEntry entry, ReadDirectoryEntry(archive, end, at, member));
    RETURN_IF_ERROR(ReadLocalHeader(archive, member, entry));
    entries.push_back(std::move(entry));
    members.push_back(member);
    if (!names.insert(entries.back().name).second) {
      return Malformed(MemberPlace(entries.back().name), "one member of that name",
                       "two");
    }
  }
  if (at != end) {
    return Malformed("directory", absl::StrCat(extent.count, " members"), "more bytes");
  }
  RETURN_IF_ERROR(CheckLayout(archive, extent.offset, entries, members));
  return entries;
}

}  // namespace thunky::tooling
