// The layout of Riegeli/records files, shared by reader and writer.
//
// A file is a sequence of chunks, each a header, data and padding. Regardless of
// chunks, every 64 KiB of the file begin with a block header, which may fall into the
// middle of a chunk, even of its header.
#ifndef THUNKY_CONTAINER_RIEGELI_FORMAT_H_
#define THUNKY_CONTAINER_RIEGELI_FORMAT_H_

#include <cstdint>
#include <string>
#include <string_view>

namespace thunky::riegeli {

inline constexpr uint64_t kBlockSize = uint64_t{1} << 16;
inline constexpr uint64_t kBlockHeaderSize = 24;
inline constexpr uint64_t kUsableBlockSize = kBlockSize - kBlockHeaderSize;
inline constexpr uint64_t kChunkHeaderSize = 40;
// A file begins with a block header and the header of an empty signature chunk.
inline constexpr uint64_t kSignatureSize = kBlockHeaderSize + kChunkHeaderSize;

enum class ChunkType : char {
  kSignature = 's',
  kMetadata = 'm',
  kPadding = 'p',
  kSimple = 'r',
  kTransposed = 't',
};

enum class Compression : char {
  kNone = 0,
  kBrotli = 'b',
  kZstd = 'z',
  kSnappy = 's',
};

struct BlockHeader {
  uint64_t hash = 0;
  uint64_t previous_chunk = 0;  // from the start of the chunk to this block
  uint64_t next_chunk = 0;      // from this block to the end of the chunk
};

struct ChunkHeader {
  uint64_t hash = 0;
  uint64_t data_size = 0;
  uint64_t data_hash = 0;
  ChunkType type = ChunkType::kSimple;
  uint64_t num_records = 0;  // 56 bits
  uint64_t decoded_size = 0;
};

// HighwayHash-64 under the key of the format.
uint64_t Hash(std::string_view bytes);

// `bytes` has the size of the header. Hashes are not checked.
BlockHeader DecodeBlockHeader(std::string_view bytes);
ChunkHeader DecodeChunkHeader(std::string_view bytes);

// What the `hash` of a header must be, computed from its other fields.
uint64_t HashOf(const BlockHeader& header);
uint64_t HashOf(const ChunkHeader& header);

std::string Encode(const BlockHeader& header);
std::string Encode(const ChunkHeader& header);

// Where the chunk ends that begins at `begin`, block headers and padding included.
// `data_size` and `num_records` are below 2^62.
uint64_t ChunkEnd(uint64_t begin, uint64_t data_size, uint64_t num_records);

// Whether `bytes` begins as every file of this format does, up to a few damaged bits.
bool LooksLikeRecordsFile(std::string_view bytes);

}  // namespace thunky::riegeli

#endif  // THUNKY_CONTAINER_RIEGELI_FORMAT_H_
