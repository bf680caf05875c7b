#include "thunky/tooling/zip_reader.h"

#include <zlib.h>

#include <algorithm>
#include <limits>
#include <string>

#include "absl/strings/str_cat.h"
#include "thunky/base/status_macros.h"

namespace thunky::tooling {
namespace {

using Bytes = absl::Span<const uint8_t>;

uint32_t Crc32(Bytes bytes) {
  return static_cast<uint32_t>(crc32_z(0, bytes.data(), bytes.size()));
}

// A raw deflate stream and its state, freed with the object.
class Inflater {
 public:
  Inflater() { ok_ = inflateInit2(&stream_, -MAX_WBITS) == Z_OK; }
  ~Inflater() {
    if (ok_) inflateEnd(&stream_);
  }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  // Fills `out` from `in` as far as both go. zlib counts in 32 bits, hence the
  // pieces.
  absl::Status Run(Bytes in, absl::Span<uint8_t> out) {
    if (!ok_) return absl::ResourceExhaustedError("no memory to inflate");
    constexpr size_t kPiece = std::numeric_limits<uInt>::max();
    size_t taken = 0;
    for (;;) {
      const size_t in_piece = std::min(kPiece, in.size() - taken);
      const size_t out_piece = std::min(kPiece, out.size() - written_);
      stream_.next_in = const_cast<Bytef*>(in.data() + taken);
      stream_.avail_in = static_cast<uInt>(in_piece);
      // zlib wants a pointer even where there is no room.
      stream_.next_out = out.empty() ? &no_room_ : out.data() + written_;
      stream_.avail_out = static_cast<uInt>(out_piece);
      const int result = inflate(&stream_, Z_NO_FLUSH);
      const size_t consumed = in_piece - stream_.avail_in;
      const size_t produced = out_piece - stream_.avail_out;
      taken += consumed;
      written_ += produced;
      if (result == Z_STREAM_END) {
        finished_ = true;
        unused_ = in.size() - taken;
        return absl::OkStatus();
      }
      if (result != Z_OK && result != Z_BUF_ERROR) {
        return absl::InvalidArgumentError(absl::StrCat(
            "compressed data: expected a deflate stream, found an error at byte ",
            taken));
      }
      if (consumed == 0 && produced == 0) return absl::OkStatus();
    }
  }

  bool finished() const { return finished_; }
  size_t written() const { return written_; }
  size_t unused() const { return unused_; }  // input behind the stream's end

 private:
  z_stream stream_ = {};
  uint8_t no_room_ = 0;
  bool ok_ = false;
  bool finished_ = false;
  size_t written_ = 0;
  size_t unused_ = 0;
};

}  // namespace

absl::StatusOr<ZipReader> ZipReader::Open(std::vector<uint8_t> bytes) {
  ASSIGN_OR_RETURN(std::vector<ZipEntry> entries, ParseZipDirectory(bytes));
  return ZipReader(std::move(bytes), std::move(entries));
}

absl::StatusOr<std::vector<uint8_t>> ZipReader::ReadPrefix(const ZipEntry& entry,
                                                           uint64_t length) const {
  const uint64_t wanted = std::min(length, entry.size);
  Bytes data = Bytes(bytes_).subspan(entry.data_offset, entry.compressed_size);
  if (!entry.deflated) {
    return std::vector<uint8_t>(data.begin(),
                                data.begin() + static_cast<ptrdiff_t>(wanted));
  }
  std::vector<uint8_t> out(wanted);
  Inflater inflater;
  RETURN_IF_ERROR(inflater.Run(data, absl::MakeSpan(out)));
  if (inflater.written() != wanted) {
    return absl::InvalidArgumentError(
        absl::StrCat("compressed data: expected ", entry.size,
                     " bytes of content, found ", inflater.written()));
  }
  return out;
}

absl::StatusOr<std::vector<uint8_t>> ZipReader::Read(const ZipEntry& entry,
                                                     uint64_t max_bytes) const {
  if (entry.size > max_bytes) {
    return absl::ResourceExhaustedError(
        absl::StrCat("expected at most ", max_bytes, " bytes, found ", entry.size));
  }
  Bytes data = Bytes(bytes_).subspan(entry.data_offset, entry.compressed_size);
  std::vector<uint8_t> out;
  if (entry.deflated) {
    out.resize(entry.size);
    Inflater inflater;
    RETURN_IF_ERROR(inflater.Run(data, absl::MakeSpan(out)));
    // With no room left, an unfinished stream may still have to say that it ends.
    if (!inflater.finished() || inflater.written() != entry.size ||
        inflater.unused() != 0) {
      return absl::InvalidArgumentError(
          absl::StrCat("compressed data: expected a stream of ", entry.compressed_size,
                       " bytes that holds ", entry.size,
                       " bytes of content, found a shorter or longer one"));
    }
  } else {
    out.assign(data.begin(), data.end());
  }
  if (const uint32_t found = Crc32(out); found != entry.crc32) {
    return absl::DataLossError(absl::StrCat("checksum: expected ", absl::Hex(entry.crc32),
                                            ", found ", absl::Hex(found)));
  }
  return out;
}

}  // namespace thunky::tooling
