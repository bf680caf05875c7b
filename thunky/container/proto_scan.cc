#include "thunky/container/proto_scan.h"

#include <climits>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "google/protobuf/io/coded_stream.h"
#include "thunky/base/status_macros.h"
#include "thunky/container/utf8.h"
#include "thunky/container/varint.h"

namespace thunky {
namespace {

using google::protobuf::FieldDescriptor;

enum WireType : uint32_t {
  kVarint = 0,
  kFixed64 = 1,
  kLength = 2,
  kGroupBegin = 3,
  kGroupEnd = 4,
  kFixed32 = 5,
};

WireType WireTypeOf(FieldDescriptor::Type type) {
  switch (type) {
    case FieldDescriptor::TYPE_DOUBLE:
    case FieldDescriptor::TYPE_FIXED64:
    case FieldDescriptor::TYPE_SFIXED64:
      return kFixed64;
    case FieldDescriptor::TYPE_FLOAT:
    case FieldDescriptor::TYPE_FIXED32:
    case FieldDescriptor::TYPE_SFIXED32:
      return kFixed32;
    case FieldDescriptor::TYPE_STRING:
    case FieldDescriptor::TYPE_BYTES:
    case FieldDescriptor::TYPE_MESSAGE:
      return kLength;
    case FieldDescriptor::TYPE_GROUP:
      return kGroupBegin;
    case FieldDescriptor::TYPE_INT64:
    case FieldDescriptor::TYPE_UINT64:
    case FieldDescriptor::TYPE_INT32:
    case FieldDescriptor::TYPE_BOOL:
    case FieldDescriptor::TYPE_UINT32:
    case FieldDescriptor::TYPE_ENUM:
    case FieldDescriptor::TYPE_SINT32:
    case FieldDescriptor::TYPE_SINT64:
      return kVarint;
  }
  return kVarint;
}

// One walk over the bytes of one message. Positions count from their beginning.
class Scan {
 public:
  Scan(std::string_view bytes, MessageShapes& shapes, ReadBudget& budget)
      : bytes_(bytes), shapes_(shapes), budget_(budget) {}

  absl::Status Run(const MessageShape& shape) {
    RETURN_IF_ERROR(Message(&shape, bytes_.size(), /*group=*/0, /*depth=*/0));
    return Settle();
  }

 private:
  // The fields up to `end`, or up to the end of `group` when that is not 0. No shape:
  // all fields are unknown.
  absl::Status Message(const MessageShape* shape, size_t end, uint32_t group, int depth) {
    if (depth > kMaxMessageDepth) {
      return Fail(
          absl::StrCat("messages are nested more than ", kMaxMessageDepth, " deep"));
    }
    if (pending_ > kSettleEvery) RETURN_IF_ERROR(Settle());
    bool has_unknown = false;
    while (at_ < end) {
      const size_t begin = at_;
      ASSIGN_OR_RETURN(const uint64_t tag, Number(end, "a field tag"));
      const uint64_t number = tag >> 3;
      const auto type = static_cast<WireType>(tag & 7);
      if (tag > UINT32_MAX || number == 0) {
        at_ = begin;
        return Fail(absl::StrCat("expected a field tag, found ", tag));
      }
      if (type == kGroupEnd) {
        if (number == group) return absl::OkStatus();
        at_ = begin;
        return Fail(absl::StrCat("group ", number, " ends, but did not begin"));
      }
      const MessageShape::Field* field =
          shape == nullptr ? nullptr : shape->Find(static_cast<uint32_t>(number));
      if (field != nullptr && Fits(*field, type)) {
        RETURN_IF_ERROR(KnownField(*field, type, end, depth));
        continue;
      }
      pending_ += kUnknownField + (has_unknown ? 0 : kUnknownFieldSet);
      has_unknown = true;
      RETURN_IF_ERROR(UnknownField(static_cast<uint32_t>(number), type, end, depth));
    }
    if (group != 0) return Fail(absl::StrCat("group ", group, " does not end"));
    return absl::OkStatus();
  }

  // Parsers keep a known field with another wire type as an unknown one.
  static bool Fits(const MessageShape::Field& field, WireType type) {
    const FieldDescriptor& descriptor = *field.descriptor;
    return type == WireTypeOf(descriptor.type()) ||
           (type == kLength && descriptor.is_packable());
  }

  absl::Status KnownField(const MessageShape::Field& field, WireType type, size_t end,
                          int depth) {
    const FieldDescriptor& descriptor = *field.descriptor;
    path_.push_back(&descriptor);
    if (descriptor.is_repeated() && field.scalar_size == 0) pending_ += kPointerInArray;
    if (descriptor.cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE) {
      RETURN_IF_ERROR(MessageField(descriptor, type, end, depth));
    } else if (descriptor.cpp_type() == FieldDescriptor::CPPTYPE_STRING) {
      RETURN_IF_ERROR(StringField(descriptor, end));
    } else if (type == kLength) {
      RETURN_IF_ERROR(PackedField(field, end));
    } else {
      RETURN_IF_ERROR(Skip(type, end));
      if (descriptor.is_repeated()) pending_ += kScalarInArray * field.scalar_size;
    }
    path_.pop_back();
    return absl::OkStatus();
  }

  absl::Status MessageField(const FieldDescriptor& field, WireType type, size_t end,
                            int depth) {
    const MessageShape& shape = shapes_.Of(field.message_type());
    pending_ += shape.size;
    if (type == kGroupBegin) {
      return Message(&shape, end, static_cast<uint32_t>(field.number()), depth + 1);
    }
    ASSIGN_OR_RETURN(const uint64_t length, Length(end));
    // Reflection keeps the entries of a map a second time.
    if (field.is_map()) pending_ += shape.size + kMapNode + 2 * length;
    return Message(&shape, at_ + length, /*group=*/0, depth + 1);
  }

  absl::Status StringField(const FieldDescriptor& field, size_t end) {
    ASSIGN_OR_RETURN(const uint64_t length, Length(end));
    if (field.type() == FieldDescriptor::TYPE_STRING &&
        !IsUtf8(bytes_.substr(at_, length))) {
      return Fail("expected UTF-8 text, found other bytes");
    }
    pending_ += StringCost(length);
    at_ += length;
    return absl::OkStatus();
  }

  absl::Status PackedField(const MessageShape::Field& field, size_t end) {
    ASSIGN_OR_RETURN(const uint64_t length, Length(end));
    const size_t packed_end = at_ + length;
    const WireType element = WireTypeOf(field.descriptor->type());
    uint64_t count = 0;
    for (; at_ < packed_end; ++count) RETURN_IF_ERROR(Skip(element, packed_end));
    pending_ += kScalarInArray * field.scalar_size * count;
    return absl::OkStatus();
  }

  absl::Status UnknownField(uint32_t number, WireType type, size_t end, int depth) {
    if (type == kGroupBegin) {
      pending_ += kUnknownFieldSet;
      return Message(nullptr, end, number, depth + 1);
    }
    if (type != kLength) return Skip(type, end);
    ASSIGN_OR_RETURN(const uint64_t length, Length(end));
    pending_ += StringCost(length);
    at_ += length;
    return absl::OkStatus();
  }

  // A field of fixed size, or a varint.
  absl::Status Skip(WireType type, size_t end) {
    switch (type) {
      case kVarint:
        return Number(end, "a number").status();
      case kFixed64:
        return SkipBytes(8, end);
      case kFixed32:
        return SkipBytes(4, end);
      case kLength:
      case kGroupBegin:
      case kGroupEnd:
        break;
    }
    return Fail(absl::StrCat("unknown wire type ", static_cast<uint32_t>(type)));
  }

  absl::Status SkipBytes(size_t size, size_t end) {
    if (size > end - at_) {
      return Fail(absl::StrCat("expected ", size, " bytes, found ", end - at_));
    }
    at_ += size;
    return absl::OkStatus();
  }

  absl::StatusOr<uint64_t> Number(size_t end, std::string_view what) {
    const std::optional<uint64_t> number = ReadVarint(bytes_.substr(0, end), at_);
    if (!number) {
      return Fail(absl::StrCat("expected ", std::string(what),
                               ", found none that ends within the message"));
    }
    return *number;
  }

  absl::StatusOr<uint64_t> Length(size_t end) {
    ASSIGN_OR_RETURN(const uint64_t length, Number(end, "a length"));
    if (length > end - at_) {
      return Fail(absl::StrCat("a field of ", length, " bytes begins ", end - at_,
                               " bytes before the end of its message"));
    }
    return length;
  }

  absl::Status Settle() {
    const uint64_t pending = pending_;
    pending_ = 0;
    return budget_.ChargeMessageMemory(pending, "the parsed message");
  }

  absl::Status Fail(const std::string& message) const {
    std::string where = absl::StrCat("at byte ", at_);
    for (size_t i = 0; i < path_.size(); ++i) {
      absl::StrAppend(&where, i == 0 ? ", field " : ".", path_[i]->name());
    }
    return absl::InvalidArgumentError(absl::StrCat(where, ": ", message));
  }

  static constexpr uint64_t kSettleEvery = uint64_t{1} << 20;

  const std::string_view bytes_;
  MessageShapes& shapes_;
  ReadBudget& budget_;
  size_t at_ = 0;
  uint64_t pending_ = 0;  // memory not charged yet
  std::vector<const FieldDescriptor*> path_;
};

}  // namespace

absl::Status ProtoScanner::Merge(std::string_view bytes,
                                 google::protobuf::Message& message) {
  if (bytes.size() > INT_MAX) {
    return absl::ResourceExhaustedError(
        absl::StrCat("a message has at most ", INT_MAX, " bytes, found ", bytes.size()));
  }
  RETURN_IF_ERROR(Scan(bytes, shapes_, budget_).Run(shapes_.Of(message.GetDescriptor())));
  google::protobuf::io::CodedInputStream stream(
      reinterpret_cast<const uint8_t*>(bytes.data()), static_cast<int>(bytes.size()));
  if (!message.MergeFromCodedStream(&stream) || !stream.ConsumedEntireMessage()) {
    return absl::InvalidArgumentError(
        absl::StrCat("the bytes are no ", message.GetDescriptor()->name()));
  }
  return absl::OkStatus();
}

}  // namespace thunky
