#include "thunky/tooling/argument_value.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "thunky/base/status_macros.h"

namespace thunky::tooling {
namespace {

// The splitmix64 sequence: one state, one result, no bad seeds.
class RandomBits {
 public:
  explicit RandomBits(uint64_t seed) : state_(seed) {}
  uint64_t Next() {
    uint64_t z = (state_ += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  // In [-1, 1), a multiple of 2^-52.
  double NextUnit() { return std::ldexp(static_cast<double>(Next() >> 11), -52) - 1.0; }

 private:
  uint64_t state_;
};

template <typename T>
void Store(uint8_t* out, T value) {
  std::memcpy(out, &value, sizeof(value));
}

// Types without a plain encoder: draws bit patterns until one is a number
// between -1 and 1, which about half of them are.
void StoreSmallFloat(const ElementType& type, RandomBits& random, uint8_t* out) {
  constexpr int kAttempts = 64;
  for (int i = 0; i < kAttempts; ++i) {
    const uint64_t bits = random.Next();
    std::memcpy(out, &bits, type.npy.size);
    if (std::abs(AsFloat(type, {out, type.npy.size}, 0)) <= 1) return;
  }
  std::memset(out, 0, type.npy.size);
}

void StoreFloat(const ElementType& type, RandomBits& random, uint8_t* out) {
  if (type.primitive == wire::F64) return Store(out, random.NextUnit());
  if (type.primitive == wire::F32)
    return Store(out, static_cast<float>(random.NextUnit()));
  StoreSmallFloat(type, random, out);
}

void StoreRandom(const ElementType& type, RandomBits& random, uint8_t* out) {
  constexpr uint64_t kIntegers = 100;
  switch (type.kind) {
    case ElementClass::kBool:
      return Store(out, static_cast<uint8_t>(random.Next() & 1));
    case ElementClass::kSigned:
    case ElementClass::kUnsigned: {
      const uint64_t value = random.Next() % kIntegers;
      std::memcpy(out, &value, type.npy.size);
      return;
    }
    case ElementClass::kFloat:
      return StoreFloat(type, random, out);
    case ElementClass::kComplex:
      for (uint32_t part = 0; part < 2; ++part) {
        if (type.primitive == wire::C128) {
          Store(out + part * sizeof(double), random.NextUnit());
        } else {
          Store(out + part * sizeof(float), static_cast<float>(random.NextUnit()));
        }
      }
      return;
  }
}

// Calls `fill` for pieces of `span`, each a multiple of 16 bytes but the last,
// and uploads them.
template <typename FillPiece>
absl::Status UploadPieces(hal::Device& device, hal::DeviceSpan span, FillPiece fill) {
  constexpr uint64_t kPiece = 1 << 20;
  std::vector<uint8_t> piece;
  for (uint64_t at = 0; at < span.size; at += kPiece) {
    piece.resize(std::min(kPiece, span.size - at));
    fill(piece);
    RETURN_IF_ERROR(device.Upload(span.Slice(at, piece.size()), piece));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Fill> ParseFill(std::string_view text) {
  constexpr std::string_view kSeeded = "random:";
  if (text == "zeros") return Fill{Fill::Kind::kZeros, 0};
  if (text == "random") return Fill{Fill::Kind::kRandom, 0};
  uint64_t seed = 0;
  const std::string_view digits = text.substr(std::min(kSeeded.size(), text.size()));
  if (text.substr(0, kSeeded.size()) == kSeeded &&
      digits.find_first_not_of("0123456789") == std::string_view::npos &&
      absl::SimpleAtoi(absl::string_view(digits.data(), digits.size()), &seed)) {
    return Fill{Fill::Kind::kRandom, seed};
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "--fill: expected zeros, random or random:SEED, found '", std::string(text), "'"));
}

ArgumentValue ArgumentValue::Bytes(std::vector<uint8_t> bytes) {
  ArgumentValue value;
  value.kind_ = Kind::kBytes;
  value.bytes_ = std::move(bytes);
  return value;
}

ArgumentValue ArgumentValue::Zeros() { return ArgumentValue(); }

ArgumentValue ArgumentValue::Ones() {
  ArgumentValue value;
  value.pattern_ = 0xff;
  return value;
}

ArgumentValue ArgumentValue::Random(const ElementType& type, uint64_t seed,
                                    uint64_t stream) {
  ArgumentValue value;
  value.kind_ = Kind::kRandom;
  value.type_ = &type;
  RandomBits mixer(seed);
  value.seed_ = mixer.Next() + stream;
  return value;
}

absl::Status ArgumentValue::Upload(hal::Device& device, hal::DeviceSpan span) const {
  if (kind_ == Kind::kBytes) {
    if (bytes_.size() > span.size) {
      return absl::InternalError(absl::StrCat("expected at most ", span.size,
                                              " bytes for the argument, found ",
                                              bytes_.size()));
    }
    RETURN_IF_ERROR(device.Upload(span.Slice(0, bytes_.size()), bytes_));
    return Zeros().Upload(device, span.Slice(bytes_.size(), span.size - bytes_.size()));
  }
  if (kind_ == Kind::kPattern) {
    return UploadPieces(device, span, [&](std::vector<uint8_t>& piece) {
      std::fill(piece.begin(), piece.end(), pattern_);
    });
  }
  RandomBits random(RandomBits(seed_).Next());
  return UploadPieces(device, span, [&](std::vector<uint8_t>& piece) {
    const size_t size = type_->npy.size;
    for (size_t at = 0; at < piece.size() / size * size; at += size) {
      StoreRandom(*type_, random, &piece[at]);
    }
    std::fill(piece.begin() + static_cast<ptrdiff_t>(piece.size() / size * size),
              piece.end(), uint8_t{0});
  });
}

}  // namespace thunky::tooling
