#include "thunky/compiler/library/text_check.h"

#include <algorithm>
#include <string>

#include "absl/strings/str_cat.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MathExtras.h"
#include "thunky/base/status_macros.h"

namespace thunky::compiler {
namespace {

bool isWordCharacter(char c) { return llvm::isAlnum(c) || c == '_' || c == '$'; }

class TextChecker {
 public:
  explicit TextChecker(llvm::StringRef text) : text_(text) {}

  absl::Status check() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\n') {
        ++at_;
        ++line_;
        lineStart_ = at_;
      } else if (llvm::isSpace(c)) {
        ++at_;
      } else if (text_.substr(at_).starts_with("//")) {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else {
        RETURN_IF_ERROR(token(c));
      }
    }
    return finishAlias();
  }

 private:
  absl::Status error(const std::string& message) const {
    return absl::InvalidArgumentError(
        absl::StrCat(line_, ":", tokenBegin_ - lineStart_ + 1, ": ", message));
  }

  absl::Status token(char c) {
    tokenBegin_ = at_;
    RETURN_IF_ERROR(endAlias(c));
    absl::Status status;
    switch (c) {
      case '"':
        status = string();
        break;
      case '#':
      case '!':
        status = alias();
        break;
      case '%':
      case '@':
      case '^':
        ++at_;
        (void)word();
        break;
      default:
        status = llvm::isAlnum(c) || c == '_' ? bareWord() : punctuation(c);
    }
    RETURN_IF_ERROR(status);
    const char last = text_[at_ - 1];
    expectsMore_ =
        last == ':' || last == '=' || last == ',' || (last == '>' && previous_ == '-');
    previous_ = last;
    aliasBytes_ += static_cast<int64_t>(at_ - tokenBegin_);
    return absl::OkStatus();
  }

  absl::Status punctuation(char c) {
    if (c == '{' && text_.substr(at_).starts_with("{-#")) inResources_ = true;
    if (c == '(' || c == '[' || c == '{' || c == '<') {
      if (++depth_ > kMaxNesting) {
        return error(absl::StrCat("brackets are nested deeper than ", kMaxNesting));
      }
    } else if (c == ')' || c == ']' || c == '}' || (c == '>' && previous_ != '-')) {
      if (depth_ > 0) --depth_;
    }
    ++at_;
    return absl::OkStatus();
  }

  // A blob begins with its alignment, in little endian.
  absl::Status string() {
    const size_t begin = ++at_;
    while (at_ < text_.size() && text_[at_] != '"' && text_[at_] != '\n') {
      at_ +=
          text_[at_] == '\\' && at_ + 1 < text_.size() && text_[at_ + 1] != '\n' ? 2 : 1;
    }
    at_ = std::min(at_, text_.size());
    llvm::StringRef content = text_.slice(begin, at_);
    if (at_ < text_.size() && text_[at_] == '"') ++at_;
    std::string bytes;
    if (!inResources_ || !content.consume_front("0x") ||
        !llvm::tryGetFromHex(content.take_front(8), bytes) || bytes.size() != 4) {
      return absl::OkStatus();
    }
    uint32_t alignment = 0;
    for (int i = 3; i >= 0; --i) alignment = alignment << 8 | uint8_t(bytes[i]);
    if (llvm::isPowerOf2_32(alignment) && alignment <= kMaxAlignment) {
      return absl::OkStatus();
    }
    return error(absl::StrCat("a resource is aligned to ", alignment,
                              " bytes; a power of two up to ", kMaxAlignment,
                              " is needed"));
  }

  // A word; dots and what follows them belong to it.
  llvm::StringRef word() {
    const size_t begin = at_;
    while (at_ < text_.size() && (isWordCharacter(text_[at_]) || text_[at_] == '.')) {
      ++at_;
    }
    return text_.slice(begin, at_);
  }

  bool isNext(char c) const {
    const size_t next = text_.find_first_not_of(" \t\r\n", at_);
    return next != llvm::StringRef::npos && text_[next] == c;
  }

  absl::Status bareWord() {
    const llvm::StringRef found = word();
    if (found == "affine_map" || found == "affine_set") {
      return error(absl::StrCat(found.str(), " has no use in a module of thunky"));
    }
    // The last part of a shape, 4x4xi32, and no name of an attribute.
    llvm::StringRef type = found.substr(found.rfind('x') + 1);
    if (!type.consume_front("si") && !type.consume_front("ui")) {
      if (!type.consume_front("i")) return absl::OkStatus();
    }
    if (type.empty() || !llvm::all_of(type, llvm::isDigit) || isNext('=')) {
      return absl::OkStatus();
    }
    uint64_t bits = 0;
    if (!type.getAsInteger(10, bits) && bits <= kMaxIntegerBits) return absl::OkStatus();
    return error(absl::StrCat("the type ", found.str(), " has more than ",
                              kMaxIntegerBits, " bits"));
  }

  // "#name" or "!name", defined or used; names with dots are a dialect's.
  absl::Status alias() {
    const size_t begin = at_++;
    const bool isNumber = at_ < text_.size() && llvm::isDigit(text_[at_]);
    const auto belongs = [&](char c) {
      return isNumber ? llvm::isDigit(c) : isWordCharacter(c) || c == '.' || c == '-';
    };
    while (at_ < text_.size() && belongs(text_[at_])) ++at_;
    const llvm::StringRef name = text_.slice(begin, at_);
    if (isNumber) {
      uint64_t result = 0;
      if (!name.drop_front().getAsInteger(10, result) && result <= kMaxResultNumber) {
        return absl::OkStatus();
      }
      return error(absl::StrCat(name.str(), " is no result of an operation; the highest ",
                                "number is ", kMaxResultNumber));
    }
    if (name.contains('.')) return absl::OkStatus();
    if (depth_ == 0 && isNext('=')) {
      RETURN_IF_ERROR(finishAlias());
      defined_ = name.str();
      aliasBytes_ = 0;
      return absl::OkStatus();
    }
    const auto known = aliases_.find(name);
    if (known != aliases_.end()) aliasBytes_ += known->second;
    return absl::OkStatus();
  }

  // Where an operation begins, no alias goes on.
  absl::Status endAlias(char c) {
    const bool begins = llvm::isAlpha(c) || c == '"' || c == '%' || c == '_' ||
                        text_.substr(at_).starts_with("{-#");
    return depth_ == 0 && begins && !expectsMore_ ? finishAlias() : absl::OkStatus();
  }

  absl::Status finishAlias() {
    if (defined_.empty()) return absl::OkStatus();
    if (aliasBytes_ > kMaxAliasBytes) {
      return error(absl::StrCat("the alias ", defined_, " has more than ", kMaxAliasBytes,
                                " bytes when it is written out"));
    }
    aliases_[defined_] = aliasBytes_;
    defined_.clear();
    return absl::OkStatus();
  }

  llvm::StringRef text_;
  size_t at_ = 0;
  size_t tokenBegin_ = 0;
  int line_ = 1;
  size_t lineStart_ = 0;
  int depth_ = 0;
  char previous_ = '\n';      // the last character of the last token
  bool expectsMore_ = false;  // the last token was ':', '=', ',' or '->'
  bool inResources_ = false;
  std::string defined_;     // the alias whose value this is
  int64_t aliasBytes_ = 0;  // of its value, so far
  llvm::StringMap<int64_t> aliases_;
};

}  // namespace

absl::Status checkText(llvm::StringRef text) { return TextChecker(text).check(); }

}  // namespace thunky::compiler
