#include "thunky/schema/code_table.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <deque>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "highwayhash/highwayhash_target.h"
#include "highwayhash/instruction_sets.h"
#include "thunky/base/status_macros.h"

namespace thunky::schema {
namespace {

constexpr char kHashKey[] = "thunky kernel code table, form 1";
static_assert(sizeof(kHashKey) == kCodeHashBytes + 1);

std::string LittleEndian(uint64_t word) {
  std::string bytes;
  for (int i = 0; i < 8; ++i) bytes.push_back(static_cast<char>(word >> (8 * i)));
  return bytes;
}

// The pieces of text that a hash is over; they stay where they are.
class HashInput {
 public:
  void AddNumber(uint64_t number) {
    numbers_.push_back(LittleEndian(number));
    AddPiece(numbers_.back());
  }
  void AddText(const std::string& text) {
    AddNumber(text.size());
    AddPiece(text);
  }
  std::string Hash() const {
    highwayhash::HHKey key;
    for (size_t i = 0; i < 4; ++i) {
      key[i] = 0;
      for (size_t j = 0; j < 8; ++j) {
        key[i] |= uint64_t{static_cast<uint8_t>(kHashKey[8 * i + j])} << (8 * j);
      }
    }
    highwayhash::HHResult256 result;
    highwayhash::InstructionSets::Run<highwayhash::HighwayHashCat>(
        key, pieces_.data(), pieces_.size(), &result);
    std::string bytes;
    for (const uint64_t word : result) bytes += LittleEndian(word);
    return bytes;
  }

 private:
  void AddPiece(const std::string& piece) {
    pieces_.push_back({piece.data(), piece.size()});
  }

  std::deque<std::string> numbers_;
  std::vector<highwayhash::StringView> pieces_;
};

absl::Status CheckEntry(const wire::KernelCodeProto& code) {
  if (code.ptx().empty() && code.cubins().empty()) {
    return absl::InvalidArgumentError("has neither PTX nor a cubin");
  }
  std::set<std::string_view> architectures;
  for (int i = 0; i < code.cubins_size(); ++i) {
    const wire::CubinProto& cubin = code.cubins(i);
    if (!IsArchitectureName(cubin.architecture())) {
      return absl::InvalidArgumentError(absl::StrCat(
          "cubins[", i, "]: expected an architecture such as 'sm_90a', found '",
          absl::CHexEscape(cubin.architecture()), "'"));
    }
    if (cubin.data().empty()) {
      return absl::InvalidArgumentError(absl::StrCat("cubins[", i, "] is empty"));
    }
    if (!architectures.insert(cubin.architecture()).second) {
      return absl::InvalidArgumentError(
          absl::StrCat("cubins[", i, "] is another one for ", cubin.architecture()));
    }
  }
  const std::string hash = CodeHash(code);
  if (hash == code.hash()) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("expected the hash of its content, ",
                                                 ShortHash(hash), ", found ",
                                                 ShortHash(code.hash())));
}

}  // namespace

bool IsArchitectureName(std::string_view text) {
  constexpr std::string_view kPrefix = "sm_";
  constexpr size_t kMostDigits = 4;
  if (text.substr(0, kPrefix.size()) != kPrefix) return false;
  text.remove_prefix(kPrefix.size());
  if (!text.empty() && (text.back() == 'a' || text.back() == 'f')) text.remove_suffix(1);
  return !text.empty() && text.size() <= kMostDigits &&
         std::all_of(text.begin(), text.end(),
                     [](char c) { return c >= '0' && c <= '9'; });
}

std::string CodeHash(const wire::KernelCodeProto& code) {
  HashInput input;
  input.AddText(code.ptx());
  input.AddNumber(static_cast<uint64_t>(code.cubins_size()));
  for (const wire::CubinProto& cubin : code.cubins()) {
    input.AddText(cubin.architecture());
    input.AddText(cubin.data());
  }
  return input.Hash();
}

std::string ShortHash(std::string_view hash) {
  constexpr size_t kShown = 8;
  if (hash.empty()) return "none";
  return absl::StrCat(absl::BytesToHexString(std::string(hash.substr(0, kShown))),
                      hash.size() > kShown ? "..." : "");
}

absl::StatusOr<CodeTable> CodeTable::Of(const wire::GpuExecutableProto& executable) {
  CodeTable table;
  const auto& entries = executable.thunky().kernel_code();
  for (int i = 0; i < entries.size(); ++i) {
    const std::string where = absl::StrCat("kernel_code[", i, "]");
    RETURN_IF_ERROR(Annotate(CheckEntry(entries[i]), where));
    if (!table.entries_.emplace(entries[i].hash(), &entries[i]).second) {
      return absl::InvalidArgumentError(
          absl::StrCat(where, ": the table has an entry with hash ",
                       ShortHash(entries[i].hash()), " already"));
    }
  }
  return table;
}

const wire::KernelCodeProto* CodeTable::Find(std::string_view hash) const {
  const auto it = entries_.find(hash);
  return it == entries_.end() ? nullptr : it->second;
}

}  // namespace thunky::schema
