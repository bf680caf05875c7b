#include "thunky/container/text_proto.h"

#include <climits>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "google/protobuf/io/tokenizer.h"
#include "google/protobuf/io/zero_copy_stream_impl_lite.h"
#include "google/protobuf/text_format.h"
#include "thunky/base/status_macros.h"
#include "thunky/container/message_walk.h"

namespace thunky {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

// A message of a type that the scan cannot tell: more than any type of the schema.
constexpr uint64_t kUnknownMessage = 2048;

// Walks over the braces and the names before them. Anything that is not the text
// form at all is left to the parser to complain about.
class TextScan {
 public:
  TextScan(std::string_view text, MessageShapes& shapes, ReadBudget& budget)
      : text_(text), shapes_(shapes), budget_(budget) {}

  absl::Status Run(const Descriptor* type) {
    levels_.push_back({.type = type});
    while (at_ < text_.size()) RETURN_IF_ERROR(Token());
    return budget_.ChargeMessageMemory(pending_, "the parsed message");
  }

 private:
  struct Level {
    const Descriptor* type = nullptr;  // null: unknown
    const FieldDescriptor* field = nullptr;
    bool in_value = false;  // after ':' of `field`
    bool in_list = false;   // inside '[' of `field`
  };

  absl::Status Token() {
    const char c = text_[at_];
    Level& level = levels_.back();
    if (absl::ascii_isalpha(c) || c == '_') {
      Name(level);
      return absl::OkStatus();
    }
    if (absl::ascii_isdigit(c)) {
      SkipWord();
      Scalar(level, kScalarInArray * sizeof(uint64_t));
      return absl::OkStatus();
    }
    switch (c) {
      case '"':
      case '\'':
        Scalar(level, kPointerInArray + StringCost(SkipString(c)));
        return absl::OkStatus();
      case '#':
        while (at_ < text_.size() && text_[at_] != '\n') ++at_;
        return absl::OkStatus();
      case '{':
      case '<':
        return Open();
      case '}':
      case '>':
        if (levels_.size() > 1) levels_.pop_back();
        break;
      case ':':
        level.in_value = true;
        break;
      case '[':
        level.in_list = level.in_value;
        if (!level.in_value) SkipExtensionName(level);
        break;
      case ']':
        level.in_list = level.in_value = false;
        break;
      default:
        break;
    }
    ++at_;
    return absl::OkStatus();
  }

  void Name(Level& level) {
    const size_t begin = at_;
    SkipWord();
    if (level.in_value || level.in_list) {
      Scalar(level, kScalarInArray * sizeof(uint64_t));
      return;
    }
    const std::string name(text_.substr(begin, at_ - begin));
    level.field = level.type == nullptr ? nullptr : level.type->FindFieldByName(name);
  }

  void Scalar(Level& level, uint64_t cost) {
    pending_ += cost;
    level.in_value = level.in_list;
  }

  absl::Status Open() {
    if (levels_.size() > kMaxMessageDepth) {
      return absl::InvalidArgumentError(absl::StrCat(
          Position(), "messages are nested more than ", kMaxMessageDepth, " deep"));
    }
    Level& outer = levels_.back();
    outer.in_value = outer.in_list;
    const FieldDescriptor* field = outer.field;
    const Descriptor* type = field == nullptr ? nullptr : field->message_type();
    pending_ += type == nullptr ? kUnknownMessage : shapes_.Of(type).size;
    pending_ += kPointerInArray;
    if (field != nullptr && field->is_map()) pending_ += shapes_.Of(type).size + kMapNode;
    levels_.push_back({.type = type});
    ++at_;
    return absl::OkStatus();
  }

  void SkipExtensionName(Level& level) {
    while (at_ < text_.size() && text_[at_] != ']') ++at_;
    level.field = nullptr;
  }

  void SkipWord() {
    while (at_ < text_.size() &&
           (absl::ascii_isalnum(text_[at_]) || text_[at_] == '_' || text_[at_] == '.')) {
      ++at_;
    }
  }

  // Returns the size in the text.
  size_t SkipString(char quote) {
    const size_t begin = at_++;
    while (at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n') {
      at_ += text_[at_] == '\\' ? 2 : 1;
    }
    at_ = at_ < text_.size() ? at_ + 1 : text_.size();
    return at_ - begin;
  }

  std::string Position() const {
    size_t line = 1;
    size_t column = 1;
    for (const char c : text_.substr(0, at_)) {
      line += c == '\n' ? 1 : 0;
      column = c == '\n' ? 1 : column + 1;
    }
    return absl::StrCat(line, ":", column, ": ");
  }

  const std::string_view text_;
  MessageShapes& shapes_;
  ReadBudget& budget_;
  size_t at_ = 0;
  uint64_t pending_ = 0;
  std::vector<Level> levels_;
};

class FirstError : public google::protobuf::io::ErrorCollector {
 public:
  void AddError(int line, google::protobuf::io::ColumnNumber column,
                const std::string& message) override {
    if (!error_) error_ = absl::StrCat(line + 1, ":", column + 1, ": ", message);
  }

  std::string Get() const { return error_.value_or("1:1: no message in text form"); }

 private:
  std::optional<std::string> error_;
};

}  // namespace

absl::Status ParseTextProto(std::string_view text, MessageShapes& shapes,
                            ReadBudget& budget, Message& message) {
  if (text.size() > INT_MAX) {
    return absl::ResourceExhaustedError(absl::StrCat(
        "a message in text form has at most ", INT_MAX, " bytes, found ", text.size()));
  }
  RETURN_IF_ERROR(TextScan(text, shapes, budget).Run(message.GetDescriptor()));
  google::protobuf::io::ArrayInputStream stream(text.data(),
                                                static_cast<int>(text.size()));
  FirstError error;
  google::protobuf::TextFormat::Parser parser;
  parser.RecordErrorsTo(&error);
  parser.SetRecursionLimit(kMaxMessageDepth + 1);
  if (!parser.Parse(&stream, &message)) return absl::InvalidArgumentError(error.Get());
  // The text form can say any byte of a string by its number, and the parser does not
  // look at them.
  return CheckReadable(message);
}

}  // namespace thunky
