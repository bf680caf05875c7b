#include "thunky/tooling/npy.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <limits>
#include <string_view>
#include <utility>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "thunky/base/status_macros.h"

namespace thunky::tooling {
namespace {

constexpr uint8_t kMagic[] = {0x93, 'N', 'U', 'M', 'P', 'Y'};
constexpr size_t kMagicAndVersion = 8;
constexpr size_t kMaxDimensions = 64;
constexpr uint64_t kMaxBytes = std::numeric_limits<int64_t>::max();

// Text from a file, made safe to print and short.
std::string Quoted(std::string_view text) {
  constexpr size_t kLongest = 60;
  const std::string shown = absl::CHexEscape(std::string(text.substr(0, kLongest)));
  return absl::StrCat("'", shown, text.size() > kLongest ? "...'" : "'");
}

// Reads the one Python literal that a header is: a dict of three known keys.
class HeaderParser {
 public:
  explicit HeaderParser(std::string_view text) : text_(text) {}

  absl::Status Parse(NpyHeader& header) {
    RETURN_IF_ERROR(Expect('{'));
    bool seen_descr = false, seen_order = false, seen_shape = false;
    while (!Accept('}')) {
      ASSIGN_OR_RETURN(std::string_view key, String("a key"));
      RETURN_IF_ERROR(Expect(':'));
      bool* seen = key == "descr"           ? &seen_descr
                   : key == "fortran_order" ? &seen_order
                   : key == "shape"         ? &seen_shape
                                            : nullptr;
      if (seen == nullptr || *seen) {
        return absl::InvalidArgumentError(absl::StrCat(
            "array header: expected the keys descr, fortran_order and shape, each "
            "once, found ",
            Quoted(key)));
      }
      *seen = true;
      if (seen == &seen_descr) {
        RETURN_IF_ERROR(Descr(header.type));
      } else if (seen == &seen_order) {
        RETURN_IF_ERROR(Bool(header.fortran_order));
      } else {
        RETURN_IF_ERROR(Shape(header.shape));
      }
      if (Accept(',')) continue;
      RETURN_IF_ERROR(Expect('}'));
      break;
    }
    SkipSpace();
    if (pos_ != text_.size()) return Unexpected("the end of the header");
    if (seen_descr && seen_order && seen_shape) return absl::OkStatus();
    return absl::InvalidArgumentError(
        "array header: expected the keys descr, fortran_order and shape, found fewer");
  }

 private:
  void SkipSpace() {
    while (pos_ < text_.size() && (text_[pos_] == ' ' || text_[pos_] == '\n')) ++pos_;
  }

  bool Accept(char c) {
    SkipSpace();
    if (pos_ >= text_.size() || text_[pos_] != c) return false;
    ++pos_;
    return true;
  }

  absl::Status Expect(char c) {
    return Accept(c) ? absl::OkStatus() : Unexpected(std::string(1, c));
  }

  absl::Status Unexpected(std::string_view wanted) {
    SkipSpace();
    return absl::InvalidArgumentError(absl::StrCat(
        "array header, byte ", pos_, ": expected ", std::string(wanted), ", found ",
        pos_ < text_.size() ? Quoted(text_.substr(pos_)) : "its end"));
  }

  absl::StatusOr<std::string_view> String(std::string_view what) {
    SkipSpace();
    const char quote = pos_ < text_.size() ? text_[pos_] : '\0';
    if (quote != '\'' && quote != '"') return Unexpected(what);
    const size_t end = text_.find(quote, pos_ + 1);
    if (end == std::string_view::npos) return Unexpected(what);
    std::string_view value = text_.substr(pos_ + 1, end - pos_ - 1);
    pos_ = end + 1;
    return value;
  }

  absl::Status Bool(bool& value) {
    SkipSpace();
    for (bool candidate : {false, true}) {
      const std::string_view word = candidate ? "True" : "False";
      if (text_.substr(pos_, word.size()) != word) continue;
      pos_ += word.size();
      value = candidate;
      return absl::OkStatus();
    }
    return Unexpected("True or False");
  }

  absl::StatusOr<uint64_t> Integer() {
    SkipSpace();
    const size_t start = pos_;
    uint64_t value = 0;
    for (; pos_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[pos_]));
         ++pos_) {
      const uint64_t digit = static_cast<uint64_t>(text_[pos_] - '0');
      if (value > (kMaxBytes - digit) / 10) {
        pos_ = start;
        return Unexpected("a dimension below 2^63");
      }
      value = value * 10 + digit;
    }
    if (pos_ == start) return Unexpected("a dimension");
    return value;
  }

  absl::Status Shape(std::vector<uint64_t>& shape) {
    RETURN_IF_ERROR(Expect('('));
    while (!Accept(')')) {
      if (shape.size() == kMaxDimensions) return Unexpected("at most 64 dimensions");
      ASSIGN_OR_RETURN(uint64_t dimension, Integer());
      shape.push_back(dimension);
      if (Accept(',')) continue;
      // (3) is a number in Python, not a tuple.
      if (shape.size() == 1) return Unexpected(",");
      RETURN_IF_ERROR(Expect(')'));
      break;
    }
    return absl::OkStatus();
  }

  absl::Status Descr(NpyType& type) {
    SkipSpace();
    if (pos_ < text_.size() && text_[pos_] == '[') {
      return absl::UnimplementedError(
          "array header: expected one element type, found a record type");
    }
    ASSIGN_OR_RETURN(std::string_view descr, String("an element type"));
    auto failure = [&](std::string_view wanted) {
      return absl::UnimplementedError(absl::StrCat(
          "array header: expected ", std::string(wanted), ", found ", Quoted(descr)));
    };
    if (descr.size() < 3) return failure("an element type such as '<f4'");
    const char order = descr[0];
    type.kind = descr[1];
    type.size = 0;
    for (char c : descr.substr(2)) {
      if (!std::isdigit(static_cast<unsigned char>(c)) || type.size > 1000) {
        return failure("an element type such as '<f4'");
      }
      type.size = type.size * 10 + static_cast<uint32_t>(c - '0');
    }
    if (!IsKnown(type)) {
      return failure("bool, integers, floats, complex numbers or bytes of 1 to 16 each");
    }
    if (order == '>') return failure("little-endian data");
    if (order == '<' || (order == '|' && (type.size == 1 || type.kind == 'V'))) {
      return absl::OkStatus();
    }
    return failure("'<' or '|' as the byte order");
  }

  static bool IsKnown(const NpyType& type) {
    auto one_of = [&](std::initializer_list<uint32_t> sizes) {
      return std::find(sizes.begin(), sizes.end(), type.size) != sizes.end();
    };
    switch (type.kind) {
      case 'b':
        return one_of({1});
      case 'i':
      case 'u':
        return one_of({1, 2, 4, 8});
      case 'f':
        return one_of({2, 4, 8});
      case 'c':
        return one_of({8, 16});
      case 'V':
        return type.size >= 1 && type.size <= 16;
      default:
        return false;
    }
  }

  std::string_view text_;
  size_t pos_ = 0;
};

absl::StatusOr<uint64_t> ByteSize(const NpyType& type, absl::Span<const uint64_t> shape) {
  // A zero anywhere makes the array empty, however large the other dimensions are.
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return 0;
  uint64_t size = type.size;
  for (uint64_t dimension : shape) {
    if (size > kMaxBytes / dimension) {
      return absl::InvalidArgumentError(
          absl::StrCat("array header: expected fewer than 2^63 bytes, found ",
                       DescribeArray(type, shape)));
    }
    size *= dimension;
  }
  return size;
}

// Fortran order to C order: walks the result in order and keeps the source
// offset by an odometer over the indices.
std::vector<uint8_t> ToCOrder(const NpyHeader& header, const uint8_t* source) {
  std::vector<uint8_t> result(header.data_size);
  const size_t rank = header.shape.size();
  std::vector<uint64_t> stride(rank), index(rank, 0);
  uint64_t step = header.type.size;
  for (size_t axis = 0; axis < rank; ++axis) {
    stride[axis] = step;
    step *= header.shape[axis];
  }
  uint64_t from = 0;
  for (uint64_t to = 0; to < result.size(); to += header.type.size) {
    std::memcpy(&result[to], source + from, header.type.size);
    for (size_t axis = rank; axis-- > 0;) {
      from += stride[axis];
      if (++index[axis] < header.shape[axis]) break;
      from -= stride[axis] * header.shape[axis];
      index[axis] = 0;
    }
  }
  return result;
}

}  // namespace

std::string NpyType::ToString() const { return absl::StrCat(std::string(1, kind), size); }

std::string DescribeShape(absl::Span<const uint64_t> shape) {
  return absl::StrCat("[", absl::StrJoin(shape, ","), "]");
}

std::string DescribeArray(const NpyType& type, absl::Span<const uint64_t> shape) {
  return absl::StrCat(type.ToString(), DescribeShape(shape));
}

bool IsNpy(absl::Span<const uint8_t> bytes) {
  return bytes.size() >= sizeof(kMagic) &&
         std::memcmp(bytes.data(), kMagic, sizeof(kMagic)) == 0;
}

absl::StatusOr<NpyHeader> ParseNpyHeader(absl::Span<const uint8_t> bytes) {
  if (!IsNpy(bytes)) {
    return absl::InvalidArgumentError(
        "start of the array: expected the magic string of .npy, found other bytes");
  }
  auto truncated = [&](uint64_t wanted) {
    return absl::InvalidArgumentError(
        absl::StrCat("array header: expected ", wanted, " bytes, found ", bytes.size()));
  };
  if (bytes.size() < kMagicAndVersion) return truncated(kMagicAndVersion);
  const int major = bytes[6], minor = bytes[7];
  if (major < 1 || major > 3 || minor != 0) {
    return absl::UnimplementedError(
        absl::StrCat("array header: expected .npy version 1.0, 2.0 or 3.0, found ", major,
                     ".", minor));
  }
  const size_t length_bytes = major == 1 ? 2 : 4;
  const size_t text_start = kMagicAndVersion + length_bytes;
  if (bytes.size() < text_start) return truncated(text_start);
  uint64_t length = 0;
  for (size_t i = 0; i < length_bytes; ++i) {
    length |= static_cast<uint64_t>(bytes[kMagicAndVersion + i]) << (8 * i);
  }
  if (text_start + length > kMaxNpyHeaderBytes) {
    return absl::InvalidArgumentError(absl::StrCat("array header: expected at most ",
                                                   kMaxNpyHeaderBytes, " bytes, found ",
                                                   text_start + length));
  }
  if (bytes.size() < text_start + length) return truncated(text_start + length);

  NpyHeader header;
  const char* text = reinterpret_cast<const char*>(bytes.data()) + text_start;
  RETURN_IF_ERROR(HeaderParser(std::string_view(text, length)).Parse(header));
  header.data_offset = text_start + length;
  ASSIGN_OR_RETURN(header.data_size, ByteSize(header.type, header.shape));
  return header;
}

absl::StatusOr<Array> ParseNpy(std::vector<uint8_t> bytes) {
  ASSIGN_OR_RETURN(NpyHeader header, ParseNpyHeader(bytes));
  const uint64_t found = bytes.size() - header.data_offset;
  if (found != header.data_size) {
    return absl::InvalidArgumentError(
        absl::StrCat("array data: expected ", header.data_size, " bytes for ",
                     DescribeArray(header.type, header.shape), ", found ", found));
  }
  Array array{header.type, header.shape, {}};
  if (header.fortran_order && header.shape.size() > 1) {
    array.data = ToCOrder(header, bytes.data() + header.data_offset);
  } else {
    bytes.erase(bytes.begin(),
                bytes.begin() + static_cast<ptrdiff_t>(header.data_offset));
    array.data = std::move(bytes);
  }
  return array;
}

absl::StatusOr<std::vector<uint8_t>> SerializeNpy(const NpyType& type,
                                                  absl::Span<const uint64_t> shape,
                                                  absl::Span<const uint8_t> data) {
  ASSIGN_OR_RETURN(uint64_t size, ByteSize(type, shape));
  if (size != data.size()) {
    return absl::InvalidArgumentError(
        absl::StrCat("array data: expected ", size, " bytes for ",
                     DescribeArray(type, shape), ", found ", data.size()));
  }
  const char order = type.size == 1 || type.kind == 'V' ? '|' : '<';
  std::string text =
      absl::StrCat("{'descr': '", std::string(1, order), type.ToString(),
                   "', 'fortran_order': False, 'shape': (", absl::StrJoin(shape, ", "),
                   shape.size() == 1 ? ",), }" : "), }");
  constexpr size_t kAlignment = 64, kPrefix = kMagicAndVersion + 2;
  const size_t unpadded = kPrefix + text.size() + 1;
  text.append((kAlignment - unpadded % kAlignment) % kAlignment, ' ');
  text.push_back('\n');
  if (text.size() > 0xffff) {
    return absl::InvalidArgumentError("array header: expected fewer dimensions");
  }
  std::vector<uint8_t> bytes;
  bytes.reserve(kPrefix + text.size() + data.size());
  bytes.insert(bytes.end(), std::begin(kMagic), std::end(kMagic));
  bytes.insert(bytes.end(), {1, 0, static_cast<uint8_t>(text.size() & 0xff),
                             static_cast<uint8_t>(text.size() >> 8)});
  bytes.insert(bytes.end(), text.begin(), text.end());
  bytes.insert(bytes.end(), data.begin(), data.end());
  return bytes;
}

}  // namespace thunky::tooling
