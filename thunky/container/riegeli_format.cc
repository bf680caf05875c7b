#include "thunky/container/riegeli_format.h"

#include <algorithm>
#include <bit>

#include "highwayhash/c_bindings.h"

namespace thunky::riegeli {
namespace {

// "Riegeli/", "records\n", twice, as little-endian words.
constexpr HHKey kHashKey = {0x2f696c6567656952, 0x0a7364726f636572, 0x2f696c6567656952,
                            0x0a7364726f636572};

uint64_t LoadWord(std::string_view bytes, size_t at) {
  uint64_t word = 0;
  for (int i = 0; i < 8; ++i) {
    word |= uint64_t{static_cast<uint8_t>(bytes[at + i])} << (8 * i);
  }
  return word;
}

void AppendWord(uint64_t word, std::string& out) {
  for (int i = 0; i < 8; ++i) out.push_back(static_cast<char>(word >> (8 * i)));
}

// The fields after the hash.
std::string Body(const BlockHeader& header) {
  std::string body;
  AppendWord(header.previous_chunk, body);
  AppendWord(header.next_chunk, body);
  return body;
}

std::string Body(const ChunkHeader& header) {
  std::string body;
  AppendWord(header.data_size, body);
  AppendWord(header.data_hash, body);
  AppendWord(uint64_t{static_cast<uint8_t>(header.type)} | header.num_records << 8, body);
  AppendWord(header.decoded_size, body);
  return body;
}

template <typename Header>
std::string EncodeHeader(const Header& header) {
  std::string bytes;
  AppendWord(header.hash, bytes);
  return bytes + Body(header);
}

uint64_t RemainingInBlock(uint64_t position) {
  return (kBlockSize - position % kBlockSize) % kBlockSize;
}

}  // namespace

uint64_t Hash(std::string_view bytes) {
  return HighwayHash64(kHashKey, bytes.data(), bytes.size());
}

BlockHeader DecodeBlockHeader(std::string_view bytes) {
  return {.hash = LoadWord(bytes, 0),
          .previous_chunk = LoadWord(bytes, 8),
          .next_chunk = LoadWord(bytes, 16)};
}

ChunkHeader DecodeChunkHeader(std::string_view bytes) {
  return {.hash = LoadWord(bytes, 0),
          .data_size = LoadWord(bytes, 8),
          .data_hash = LoadWord(bytes, 16),
          .type = static_cast<ChunkType>(bytes[24]),
          .num_records = LoadWord(bytes, 24) >> 8,
          .decoded_size = LoadWord(bytes, 32)};
}

uint64_t HashOf(const BlockHeader& header) { return Hash(Body(header)); }
uint64_t HashOf(const ChunkHeader& header) { return Hash(Body(header)); }

std::string Encode(const BlockHeader& header) { return EncodeHeader(header); }
std::string Encode(const ChunkHeader& header) { return EncodeHeader(header); }

uint64_t ChunkEnd(uint64_t begin, uint64_t data_size, uint64_t num_records) {
  const uint64_t size = kChunkHeaderSize + data_size;
  const uint64_t block_headers =
      (size + (begin + kUsableBlockSize - 1) % kBlockSize) / kUsableBlockSize;
  const uint64_t data_end = begin + size + block_headers * kBlockHeaderSize;
  // Records are numbered by file position, so a chunk has a byte for each of them;
  // and no chunk begins inside a block header or right after one.
  const uint64_t numbers_end = begin + num_records;
  const uint64_t remaining = RemainingInBlock(numbers_end);
  const uint64_t shift =
      remaining > kUsableBlockSize - 1 ? remaining - (kUsableBlockSize - 1) : 0;
  return std::max(data_end, numbers_end + shift);
}

bool LooksLikeRecordsFile(std::string_view bytes) {
  if (bytes.size() < kSignatureSize) return false;
  ChunkHeader chunk{.data_hash = Hash(""), .type = ChunkType::kSignature};
  chunk.hash = HashOf(chunk);
  BlockHeader block{.next_chunk = kSignatureSize};
  block.hash = HashOf(block);
  const std::string signature = Encode(block) + Encode(chunk);
  constexpr int kDamagedBits = 8;
  int different = 0;
  for (size_t i = 0; i < kSignatureSize; ++i) {
    different += std::popcount(static_cast<uint8_t>(static_cast<uint8_t>(signature[i]) ^
                                                    static_cast<uint8_t>(bytes[i])));
  }
  return different <= kDamagedBits;
}

}  // namespace thunky::riegeli
