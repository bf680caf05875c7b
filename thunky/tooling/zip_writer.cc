#include "thunky/tooling/zip_writer.h"

#include <zlib.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "thunky/base/status_macros.h"
#include "thunky/tooling/zip_format.h"

namespace thunky::tooling {
namespace {

constexpr uint16_t kVersion20 = 20;  // deflate
constexpr uint16_t kVersion45 = 45;  // zip64
constexpr uint16_t kTime = 0;
constexpr uint16_t kDate = 1 << 5 | 1;  // 1980-01-01, the format's first day

template <typename T>
void Append(std::vector<uint8_t>& bytes, T value) {
  for (size_t i = 0; i < sizeof(T); ++i) {
    bytes.push_back(static_cast<uint8_t>(static_cast<uint64_t>(value) >> (8 * i)));
  }
}

uint32_t Narrow(uint64_t value, bool zip64) {
  return zip64 ? zip::kIn64 : static_cast<uint32_t>(value);
}

absl::StatusOr<std::vector<uint8_t>> Deflate(absl::Span<const uint8_t> content) {
  z_stream stream = {};
  constexpr int kMemoryLevel = 8;
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -MAX_WBITS, kMemoryLevel,
                   Z_DEFAULT_STRATEGY) != Z_OK) {
    return absl::ResourceExhaustedError("no memory to deflate");
  }
  // zlib counts in 32 bits, so large contents go in by pieces.
  constexpr size_t kPiece = std::numeric_limits<uInt>::max();
  std::vector<uint8_t> out;
  uint8_t buffer[64 * 1024];
  size_t taken = 0;
  int result = Z_OK;
  while (result == Z_OK) {
    if (stream.avail_in == 0 && taken < content.size()) {
      const size_t piece = std::min(kPiece, content.size() - taken);
      stream.next_in = const_cast<Bytef*>(content.data() + taken);
      stream.avail_in = static_cast<uInt>(piece);
      taken += piece;
    }
    stream.next_out = buffer;
    stream.avail_out = sizeof(buffer);
    result = deflate(&stream, taken == content.size() ? Z_FINISH : Z_NO_FLUSH);
    out.insert(out.end(), buffer, buffer + (sizeof(buffer) - stream.avail_out));
  }
  deflateEnd(&stream);
  if (result != Z_STREAM_END) return absl::InternalError("deflate did not finish");
  return out;
}

}  // namespace

bool ZipWriter::NeedsZip64(uint64_t a, uint64_t b) const {
  return options_.always_zip64 || std::max(a, b) >= zip::kIn64;
}

absl::Status ZipWriter::Add(std::string_view name, absl::Span<const uint8_t> content) {
  if (name.size() > 0xffff) {
    return absl::InvalidArgumentError("member name: expected at most 65535 bytes");
  }
  for (const Member& member : members_) {
    if (member.name == name) {
      return absl::AlreadyExistsError(
          absl::StrCat("member '", std::string(name), "' was added before"));
    }
  }
  std::vector<uint8_t> deflated;
  if (options_.deflate) {
    ASSIGN_OR_RETURN(deflated, Deflate(content));
  }
  absl::Span<const uint8_t> data = options_.deflate ? deflated : content;
  Member member{std::string(name),
                options_.deflate ? zip::kDeflated : zip::kStored,
                static_cast<uint32_t>(crc32_z(0, content.data(), content.size())),
                data.size(),
                content.size(),
                bytes_.size()};
  const bool wide = NeedsZip64(member.size, member.compressed_size);
  Append<uint32_t>(bytes_, zip::kLocalHeader);
  Append<uint16_t>(bytes_, wide ? kVersion45 : kVersion20);
  Append<uint16_t>(bytes_, 0);  // flags
  Append<uint16_t>(bytes_, member.method);
  Append<uint16_t>(bytes_, kTime);
  Append<uint16_t>(bytes_, kDate);
  Append<uint32_t>(bytes_, member.crc32);
  Append<uint32_t>(bytes_, Narrow(member.compressed_size, wide));
  Append<uint32_t>(bytes_, Narrow(member.size, wide));
  Append<uint16_t>(bytes_, static_cast<uint16_t>(name.size()));
  Append<uint16_t>(bytes_, wide ? 20 : 0);
  bytes_.insert(bytes_.end(), name.begin(), name.end());
  if (wide) {
    Append<uint16_t>(bytes_, zip::kZip64Extra);
    Append<uint16_t>(bytes_, 16);
    Append<uint64_t>(bytes_, member.size);
    Append<uint64_t>(bytes_, member.compressed_size);
  }
  bytes_.insert(bytes_.end(), data.begin(), data.end());
  members_.push_back(std::move(member));
  return absl::OkStatus();
}

void ZipWriter::AppendDirectoryEntry(const Member& member) {
  // All three or none: the order of the values is then always the same.
  const bool wide =
      NeedsZip64(std::max(member.size, member.compressed_size), member.offset);
  Append<uint32_t>(bytes_, zip::kDirectoryHeader);
  Append<uint16_t>(bytes_, wide ? kVersion45 : kVersion20);  // made by
  Append<uint16_t>(bytes_, wide ? kVersion45 : kVersion20);  // needed
  Append<uint16_t>(bytes_, 0);                               // flags
  Append<uint16_t>(bytes_, member.method);
  Append<uint16_t>(bytes_, kTime);
  Append<uint16_t>(bytes_, kDate);
  Append<uint32_t>(bytes_, member.crc32);
  Append<uint32_t>(bytes_, Narrow(member.compressed_size, wide));
  Append<uint32_t>(bytes_, Narrow(member.size, wide));
  Append<uint16_t>(bytes_, static_cast<uint16_t>(member.name.size()));
  Append<uint16_t>(bytes_, wide ? 28 : 0);
  Append<uint16_t>(bytes_, 0);  // comment
  Append<uint16_t>(bytes_, 0);  // volume
  Append<uint16_t>(bytes_, 0);  // internal attributes
  Append<uint32_t>(bytes_, 0);  // external attributes
  Append<uint32_t>(bytes_, Narrow(member.offset, wide));
  bytes_.insert(bytes_.end(), member.name.begin(), member.name.end());
  if (wide) {
    Append<uint16_t>(bytes_, zip::kZip64Extra);
    Append<uint16_t>(bytes_, 24);
    Append<uint64_t>(bytes_, member.size);
    Append<uint64_t>(bytes_, member.compressed_size);
    Append<uint64_t>(bytes_, member.offset);
  }
}

absl::StatusOr<std::vector<uint8_t>> ZipWriter::Finish() && {
  const uint64_t offset = bytes_.size();
  for (const Member& member : members_) AppendDirectoryEntry(member);
  const uint64_t size = bytes_.size() - offset;
  const uint64_t count = members_.size();
  const bool wide = NeedsZip64(size, offset) || count >= zip::kIn64Short;
  if (wide) {
    const uint64_t record = bytes_.size();
    Append<uint32_t>(bytes_, zip::kZip64End);
    Append<uint64_t>(bytes_, zip::kZip64EndSize - 12);
    Append<uint16_t>(bytes_, kVersion45);  // made by
    Append<uint16_t>(bytes_, kVersion45);  // needed
    Append<uint32_t>(bytes_, 0);           // volume
    Append<uint32_t>(bytes_, 0);           // volume of the directory
    Append<uint64_t>(bytes_, count);       // here
    Append<uint64_t>(bytes_, count);       // in all
    Append<uint64_t>(bytes_, size);
    Append<uint64_t>(bytes_, offset);
    Append<uint32_t>(bytes_, zip::kZip64Locator);
    Append<uint32_t>(bytes_, 0);  // volume of the record
    Append<uint64_t>(bytes_, record);
    Append<uint32_t>(bytes_, 1);  // volumes
  }
  Append<uint32_t>(bytes_, zip::kEnd);
  Append<uint16_t>(bytes_, 0);  // volume
  Append<uint16_t>(bytes_, 0);  // volume of the directory
  const uint16_t short_count = wide ? zip::kIn64Short : static_cast<uint16_t>(count);
  Append<uint16_t>(bytes_, short_count);
  Append<uint16_t>(bytes_, short_count);
  Append<uint32_t>(bytes_, Narrow(size, wide));
  Append<uint32_t>(bytes_, Narrow(offset, wide));
  Append<uint16_t>(bytes_, 0);  // comment
  return std::move(bytes_);
}

}  // namespace thunky::tooling
