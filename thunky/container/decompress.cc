#include "thunky/container/decompress.h"

#include <brotli/decode.h>
#include <snappy.h>
#include <zstd.h>

#include <new>
#include <string>

#include "absl/strings/str_cat.h"
#include "thunky/base/status_macros.h"

namespace thunky::riegeli {
namespace {

absl::Status Damaged(std::string_view format, std::string_view reason) {
  return absl::InvalidArgumentError(
      absl::StrCat(std::string(format), ": ", std::string(reason)));
}

absl::Status WrongSize(std::string_view format, uint64_t declared, uint64_t found) {
  return Damaged(format, absl::StrCat("expected ", declared,
                                      " decoded bytes as declared, found ", found));
}

absl::Status DecodeSnappy(std::string_view in, char* out, uint64_t size) {
  size_t found = 0;
  if (!snappy::GetUncompressedLength(in.data(), in.size(), &found)) {
    return Damaged("snappy", "the data does not begin with a size");
  }
  if (found != size) return WrongSize("snappy", size, found);
  if (!snappy::RawUncompress(in.data(), in.size(), out)) {
    return Damaged("snappy", "the data is damaged");
  }
  return absl::OkStatus();
}

absl::Status DecodeZstd(std::string_view in, char* out, uint64_t size) {
  // In one step into the final buffer, so no window of a size that the data asks for
  // is ever allocated.
  const size_t found = ZSTD_decompress(out, size, in.data(), in.size());
  if (ZSTD_isError(found)) return Damaged("zstd", ZSTD_getErrorName(found));
  if (found != size) return WrongSize("zstd", size, found);
  return absl::OkStatus();
}

absl::Status DecodeBrotli(std::string_view in, char* out, uint64_t size) {
  // Windows beyond 16 MiB stay off.
  const std::unique_ptr<BrotliDecoderState, decltype(&BrotliDecoderDestroyInstance)>
      decoder(BrotliDecoderCreateInstance(nullptr, nullptr, nullptr),
              BrotliDecoderDestroyInstance);
  if (decoder == nullptr) {
    return absl::ResourceExhaustedError("brotli: no memory for the decoder");
  }
  size_t in_left = in.size();
  const auto* next_in = reinterpret_cast<const uint8_t*>(in.data());
  size_t out_left = size;
  auto* next_out = reinterpret_cast<uint8_t*>(out);
  switch (BrotliDecoderDecompressStream(decoder.get(), &in_left, &next_in, &out_left,
                                        &next_out, nullptr)) {
    case BROTLI_DECODER_RESULT_ERROR:
      return Damaged("brotli",
                     BrotliDecoderErrorString(BrotliDecoderGetErrorCode(decoder.get())));
    case BROTLI_DECODER_RESULT_NEEDS_MORE_INPUT:
      return Damaged("brotli", "the data ends too early");
    case BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT:
      return Damaged("brotli", absl::StrCat("expected ", size,
                                            " decoded bytes as declared, found more"));
    case BROTLI_DECODER_RESULT_SUCCESS:
      break;
  }
  if (out_left != 0) return WrongSize("brotli", size, size - out_left);
  if (in_left != 0) {
    return Damaged("brotli", absl::StrCat(in_left, " bytes follow the data"));
  }
  return absl::OkStatus();
}

absl::Status Decode(Compression compression, std::string_view in, char* out,
                    uint64_t size) {
  switch (compression) {
    case Compression::kSnappy:
      return DecodeSnappy(in, out, size);
    case Compression::kZstd:
      return DecodeZstd(in, out, size);
    case Compression::kBrotli:
      return DecodeBrotli(in, out, size);
    case Compression::kNone:
      break;
  }
  return absl::InvalidArgumentError(
      absl::StrCat("unknown compression ", static_cast<uint8_t>(compression),
                   "; known are 0 (none), 98 (brotli), 115 (snappy), 122 (zstd)"));
}

}  // namespace

std::string_view CompressionName(Compression compression) {
  switch (compression) {
    case Compression::kNone:
      return "no";
    case Compression::kBrotli:
      return "brotli";
    case Compression::kZstd:
      return "zstd";
    case Compression::kSnappy:
      return "snappy";
  }
  return "";
}

absl::StatusOr<Buffer> Decompress(Compression compression, std::string_view compressed,
                                  uint64_t decoded_size, ReadBudget& budget,
                                  std::string_view what) {
  RETURN_IF_ERROR(budget.ChargeDecodedBytes(decoded_size, what));
  if (compression == Compression::kNone) {
    if (compressed.size() != decoded_size) {
      return WrongSize(what, decoded_size, compressed.size());
    }
    return Buffer{.bytes = compressed};
  }
  // Not initialised: pages that decoding does not reach are never touched, so a
  // declared size that is not true costs nothing.
  Buffer buffer{.storage = std::unique_ptr<char[]>(
                    new (std::nothrow) char[decoded_size == 0 ? 1 : decoded_size])};
  if (buffer.storage == nullptr) {
    return absl::ResourceExhaustedError(
        absl::StrCat("no memory for ", decoded_size, " bytes"));
  }
  RETURN_IF_ERROR(Decode(compression, compressed, buffer.storage.get(), decoded_size));
  buffer.bytes = std::string_view(buffer.storage.get(), decoded_size);
  return buffer;
}

}  // namespace thunky::riegeli
