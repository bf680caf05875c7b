#include "thunky/container/riegeli_reader.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "thunky/base/status_macros.h"
#include "thunky/container/riegeli_format.h"
#include "thunky/container/varint.h"

namespace thunky::riegeli {
namespace {

absl::Status Damaged(const std::string& message) {
  return absl::InvalidArgumentError(message);
}

absl::Status WrongHash(std::string_view of, uint64_t stored, uint64_t computed) {
  return Damaged(absl::StrCat("the hash of ", std::string(of), " does not match: stored ",
                              absl::Hex(stored, absl::kZeroPad16), ", computed ",
                              absl::Hex(computed, absl::kZeroPad16)));
}

class Reader {
 public:
  Reader(std::string_view file, ReadBudget& budget) : file_(file), budget_(budget) {}

  absl::StatusOr<RecordsFile> Read() {
    for (size_t index = 0; position_ < file_.size(); ++index) {
      const uint64_t begin = position_;
      if (absl::Status status = ReadChunk(); !status.ok()) {
        return Annotate(status, absl::StrCat("chunk ", index, " at byte ", begin));
      }
    }
    if (file_.empty()) return Damaged("a records file is not empty");
    return std::move(result_);
  }

 private:
  // Reads the chunk at `position_` and moves past it.
  absl::Status ReadChunk() {
    const uint64_t begin = position_;
    RETURN_IF_ERROR(ReadHeader());
    ASSIGN_OR_RETURN(Buffer data, Gather(header_.data_size));
    if (const uint64_t hash = Hash(data.bytes); hash != header_.data_hash) {
      return WrongHash("the data", header_.data_hash, hash);
    }
    if (begin == 0 && header_.type != ChunkType::kSignature) {
      return Damaged(
          absl::StrCat("expected the signature chunk 's', found type ", TypeName()));
    }
    position_ = end_;
    return DecodeData(std::move(data));
  }

  // Reads and checks the chunk header at `position_` and all block headers of the
  // chunk. Then `position_` is where the data begin.
  absl::Status ReadHeader() {
    const uint64_t begin = position_;
    const uint64_t header_end = ChunkEnd(begin, 0, 0);
    if (header_end > file_.size()) {
      return Damaged(absl::StrCat("the file ends inside the chunk header: it has ",
                                  file_.size(), " bytes, and the header ends at byte ",
                                  header_end));
    }
    ASSIGN_OR_RETURN(const Buffer bytes, Gather(kChunkHeaderSize));
    header_ = DecodeChunkHeader(bytes.bytes);
    if (const uint64_t hash = HashOf(header_); hash != header_.hash) {
      return WrongHash("the chunk header", header_.hash, hash);
    }
    if (header_.data_size > file_.size()) {
      return Damaged(absl::StrCat("the file ends inside the chunk: declared are ",
                                  header_.data_size, " bytes of data, and the file has ",
                                  file_.size()));
    }
    end_ = ChunkEnd(begin, header_.data_size, header_.num_records);
    if (end_ > file_.size()) {
      return Damaged(absl::StrCat("the file ends inside the chunk: it has ", file_.size(),
                                  " bytes, and the chunk ends at byte ", end_));
    }
    return CheckBlockHeaders(begin);
  }

  absl::Status CheckBlockHeaders(uint64_t begin) const {
    const uint64_t first = (begin + kBlockSize - 1) / kBlockSize * kBlockSize;
    for (uint64_t block = first; block < end_; block += kBlockSize) {
      // A chunk never ends inside a block header, so this is inside the file.
      const BlockHeader header = DecodeBlockHeader(file_.substr(block, kBlockHeaderSize));
      const std::string where =
          absl::StrCat("block header ", block / kBlockSize, " at byte ", block);
      if (const uint64_t hash = HashOf(header); hash != header.hash) {
        return WrongHash(where, header.hash, hash);
      }
      if (header.previous_chunk != block - begin || header.next_chunk != end_ - block) {
        return Damaged(absl::StrCat(where,
                                    ": expected distances to chunk begin and end of ",
                                    block - begin, " and ", end_ - block, ", found ",
                                    header.previous_chunk, " and ", header.next_chunk));
      }
    }
    return absl::OkStatus();
  }

  // The `size` bytes at `position_` with block headers left out; moves past them. The
  // caller knows that they are in the file. Copies only what a header interrupts.
  absl::StatusOr<Buffer> Gather(uint64_t size) {
    SkipBlockHeader(size);
    if (size <= kBlockSize - position_ % kBlockSize) {
      const std::string_view bytes = file_.substr(position_, size);
      position_ += size;
      return Buffer{.bytes = bytes};
    }
    Buffer buffer{.storage = std::unique_ptr<char[]>(new (std::nothrow) char[size])};
    if (buffer.storage == nullptr) {
      return absl::ResourceExhaustedError(absl::StrCat("no memory for ", size, " bytes"));
    }
    for (uint64_t done = 0; done < size;) {
      SkipBlockHeader(size - done);
      const uint64_t part = std::min(size - done, kBlockSize - position_ % kBlockSize);
      std::memcpy(buffer.storage.get() + done, file_.data() + position_, part);
      position_ += part;
      done += part;
    }
    buffer.bytes = std::string_view(buffer.storage.get(), size);
    return buffer;
  }

  void SkipBlockHeader(uint64_t size) {
    if (size > 0 && position_ % kBlockSize == 0) position_ += kBlockHeaderSize;
  }

  absl::Status DecodeData(Buffer data) {
    switch (header_.type) {
      case ChunkType::kSignature:
      case ChunkType::kPadding:
        return ExpectNoRecords();
      case ChunkType::kMetadata:
        return absl::OkStatus();
      case ChunkType::kSimple:
        return DecodeSimple(std::move(data));
      case ChunkType::kTransposed:
        return absl::UnimplementedError(
            "transposed chunks (type 't') are not supported; write the file with "
            "transpose off");
    }
    return Damaged(absl::StrCat("unknown chunk type ", TypeName(),
                                "; known are 's', 'm', 'p', 'r' and 't'"));
  }

  absl::Status ExpectNoRecords() const {
    const bool signature = header_.type == ChunkType::kSignature;
    if (header_.num_records == 0 && header_.decoded_size == 0 &&
        (!signature || header_.data_size == 0)) {
      return absl::OkStatus();
    }
    return Damaged(absl::StrCat("a ", signature ? "signature" : "padding",
                                " chunk has no records, found ", header_.num_records,
                                " records, ", header_.data_size, " bytes of data and ",
                                header_.decoded_size, " decoded"));
  }

  absl::Status DecodeSimple(Buffer data) {
    if (data.bytes.empty()) return Damaged("the chunk has no compression byte");
    const auto compression = static_cast<Compression>(data.bytes[0]);
    size_t at = 1;
    const std::optional<uint64_t> sizes_size = ReadVarint(data.bytes, at);
    if (!sizes_size || *sizes_size > data.bytes.size() - at) {
      return Damaged(absl::StrCat("expected the size of the record sizes, at most ",
                                  data.bytes.size() - at, ", found ",
                                  sizes_size ? absl::StrCat(*sizes_size) : "no number"));
    }
    ASSIGN_OR_RETURN(const Buffer sizes,
                     Decode(compression, data.bytes.substr(at, *sizes_size), std::nullopt,
                            "the record sizes"));
    ASSIGN_OR_RETURN(Buffer values,
                     Decode(compression, data.bytes.substr(at + *sizes_size),
                            header_.decoded_size, "the record values"));
    RETURN_IF_ERROR(Split(sizes.bytes, values.bytes));
    return Keep(compression == Compression::kNone ? std::move(data) : std::move(values));
  }

  // One compressed part of a simple chunk, whose decoded size must be `expected` if
  // that is known.
  absl::StatusOr<Buffer> Decode(Compression compression, std::string_view part,
                                std::optional<uint64_t> expected, std::string_view what) {
    uint64_t size = part.size();
    if (compression != Compression::kNone) {
      size_t at = 0;
      const std::optional<uint64_t> declared = ReadVarint(part, at);
      if (!declared) {
        return Damaged(absl::StrCat(std::string(what), " begin with no decoded size"));
      }
      size = *declared;
      part.remove_prefix(at);
    }
    if (expected && size != *expected) {
      return Damaged(absl::StrCat(std::string(what), ": expected ", *expected,
                                  " decoded bytes as the chunk header says, found ",
                                  size));
    }
    absl::StatusOr<Buffer> decoded = Decompress(compression, part, size, budget_, what);
    if (!decoded.ok()) return Annotate(decoded.status(), what);
    return decoded;
  }

  // Cuts the values into records.
  absl::Status Split(std::string_view sizes, std::string_view values) {
    if (header_.num_records > sizes.size()) {
      return Damaged(absl::StrCat("expected the sizes of ", header_.num_records,
                                  " records, found ", sizes.size(), " bytes"));
    }
    RETURN_IF_ERROR(budget_.ChargeMessageMemory(
        2 * header_.num_records * sizeof(std::string_view), "the list of records"));
    size_t at = 0;
    for (uint64_t i = 0; i < header_.num_records; ++i) {
      const std::optional<uint64_t> size = ReadVarint(sizes, at);
      if (!size || *size > values.size()) {
        return Damaged(absl::StrCat("expected the size of record ", i, ", at most ",
                                    values.size(), ", found ",
                                    size ? absl::StrCat(*size) : "no number"));
      }
      result_.records.push_back(values.substr(0, *size));
      values.remove_prefix(*size);
    }
    if (at != sizes.size() || !values.empty()) {
      return Damaged(absl::StrCat("after the last record ", sizes.size() - at,
                                  " bytes of sizes and ", values.size(),
                                  " bytes of values are left"));
    }
    return absl::OkStatus();
  }

  absl::Status Keep(Buffer buffer) {
    if (buffer.storage == nullptr || header_.num_records == 0) return absl::OkStatus();
    constexpr uint64_t kBlockOverhead = 2 * sizeof(Buffer) + 16;
    RETURN_IF_ERROR(budget_.ChargeMessageMemory(kBlockOverhead, "the list of chunks"));
    result_.storage.push_back(std::move(buffer));
    return absl::OkStatus();
  }

  std::string TypeName() const {
    const char type = static_cast<char>(header_.type);
    return absl::StrCat("'", absl::CHexEscape(absl::string_view(&type, 1)), "'");
  }

  const std::string_view file_;
  ReadBudget& budget_;
  RecordsFile result_;
  uint64_t position_ = 0;
  // The chunk being read.
  ChunkHeader header_;
  uint64_t end_ = 0;
};

}  // namespace

absl::StatusOr<RecordsFile> ReadRecords(std::string_view file, ReadBudget& budget) {
  return Reader(file, budget).Read();
}

}  // namespace thunky::riegeli
