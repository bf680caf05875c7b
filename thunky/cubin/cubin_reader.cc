#include "thunky/cubin/cubin_reader.h"

#include <algorithm>
#include <map>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "thunky/base/status_macros.h"
#include "thunky/cubin/elf_file.h"
#include "thunky/cubin/entry_attributes.h"

namespace thunky::cubin {
namespace {

constexpr uint16_t kMachineCuda = 190;

constexpr uint8_t kOsAbiCuda12 = 0x33;
constexpr uint8_t kOsAbiCuda13 = 0x41;

constexpr uint32_t kSectionNote = 7;
constexpr uint32_t kSectionCudaInfo = 0x70000000;
constexpr uint64_t kFlagExecutable = 4;

constexpr uint8_t kSymbolFunction = 2;
constexpr uint8_t kOtherEntry = 0x10;

template <typename... Pieces>
absl::Status Invalid(const Pieces&... pieces) {
  return absl::InvalidArgumentError(absl::StrCat(pieces...));
}

std::string Quoted(std::string_view text) {
  return absl::StrCat("'", absl::CHexEscape(absl::string_view(text.data(), text.size())),
                      "'");
}

// How the two forms say in e_flags which GPUs the code is for.
struct FlagLayout {
  uint8_t os_abi;
  int number_shift;
  uint32_t specific_bit;  // architecture-specific code: the "a" of sm_90a
};
constexpr FlagLayout kFlagLayouts[] = {
    {kOsAbiCuda12, 0, 0x800},
    {kOsAbiCuda13, 8, 0x8},
};

// The word after "-arch" or "--gpu-name" among a compiler's options.
std::string_view ArchitectureOption(std::string_view options) {
  constexpr std::string_view kBetween = " =";
  std::string_view previous;
  while (!options.empty()) {
    const size_t begin = options.find_first_not_of(kBetween);
    if (begin == std::string_view::npos) break;
    options.remove_prefix(begin);
    const std::string_view word = options.substr(0, options.find_first_of(kBetween));
    if (previous == "-arch" || previous == "--gpu-name") return word;
    previous = word;
    options.remove_prefix(word.size());
  }
  return "";
}

// The compiler's options in its note; empty when the note is of another version.
absl::StatusOr<std::string_view> OptionsInNote(std::string_view note) {
  constexpr size_t kHeader = 12;  // sizes of name and content, type
  constexpr size_t kWord = 4;
  constexpr size_t kFields = 6;  // version, flags, places of four strings
  constexpr uint64_t kKnownVersion = 2;
  if (note.size() < kHeader) return Invalid("has ", note.size(), " bytes");
  const uint64_t name = (LoadNumber(note, 0, kWord) + kWord - 1) / kWord * kWord;
  const uint64_t size = LoadNumber(note, kWord, kWord);
  if (name + size > note.size() - kHeader) {
    return Invalid("declares ", name + size, " bytes and has ", note.size() - kHeader);
  }
  const std::string_view content = note.substr(kHeader + name, size);
  if (content.size() < kFields * kWord ||
      LoadNumber(content, 0, kWord) != kKnownVersion) {
    return std::string_view();
  }
  const std::string_view strings = content.substr(kFields * kWord);
  const uint64_t at = LoadNumber(content, (kFields - 1) * kWord, kWord);
  if (at >= strings.size()) {
    return Invalid("has the options at ", at, " of ", strings.size(), " bytes");
  }
  const std::string_view options = strings.substr(at);
  return options.substr(0, options.find('\0'));
}

// "a" or "f" where the compiler was asked for code of the architecture `name` with
// such a letter.
absl::StatusOr<std::string> LetterOf(const ElfFile& file, const std::string& name) {
  for (const ElfSection& section : file.sections()) {
    if (section.type != kSectionNote || section.name != ".note.nv.tkinfo") continue;
    auto options = OptionsInNote(section.content);
    if (!options.ok()) return Annotate(options.status(), section.name);
    const std::string_view asked = ArchitectureOption(*options);
    for (const char* letter : {"a", "f"}) {
      if (asked == name + letter) return letter;
    }
  }
  return std::string();
}

absl::StatusOr<std::string> ArchitectureOf(const ElfFile& file) {
  for (const FlagLayout& layout : kFlagLayouts) {
    if (layout.os_abi != file.os_abi()) continue;
    const uint32_t number = (file.flags() >> layout.number_shift) & 0xff;
    if (number == 0) return Invalid("expected a GPU architecture, found none");
    const std::string name = absl::StrCat("sm_", number);
    if ((file.flags() & layout.specific_bit) != 0) return absl::StrCat(name, "a");
    ASSIGN_OR_RETURN(const std::string letter, LetterOf(file, name));
    return name + letter;
  }
  return absl::UnimplementedError(absl::StrCat("expected a cubin of ELF OS ABI ",
                                               kOsAbiCuda12, " or ", kOsAbiCuda13,
                                               ", found ", file.os_abi()));
}

// Which sections describe the code of which other ones. Sections that lie over each
// other could make a small file long to read: together they fit in the file.
absl::StatusOr<std::map<uint32_t, std::string_view>> AttributeSections(
    const ElfFile& file, uint64_t file_bytes) {
  std::map<uint32_t, std::string_view> sections;
  uint64_t bytes = 0;
  for (const ElfSection& section : file.sections()) {
    if (section.type == kSectionCudaInfo && section.info != 0) {
      bytes += section.content.size();
      if (bytes > file_bytes) return Invalid("sections of attributes overlap");
      sections.emplace(section.info, section.content);
    }
  }
  return sections;
}

absl::StatusOr<std::vector<CubinEntry>> EntriesOf(const ElfFile& file,
                                                  uint64_t file_bytes) {
  ASSIGN_OR_RETURN(const std::vector<ElfSymbol> symbols, file.Symbols());
  ASSIGN_OR_RETURN(const auto attributes, AttributeSections(file, file_bytes));
  std::map<std::string_view, CubinEntry> entries;
  std::map<uint32_t, std::string_view> described;
  for (const ElfSymbol& symbol : symbols) {
    if (symbol.type != kSymbolFunction || (symbol.other & kOtherEntry) == 0) continue;
    const bool has_code = symbol.section < file.sections().size() &&
                          (file.sections()[symbol.section].flags & kFlagExecutable) != 0;
    if (symbol.name.empty() || !has_code) {
      return Invalid("entry ", Quoted(symbol.name), ": expected a name and code, found ",
                     has_code ? "no name" : "no code");
    }
    CubinEntry entry{.name = symbol.name, .code_bytes = symbol.size};
    // One section describes one entry, or a small file could say the same of many.
    const auto found = attributes.find(symbol.section);
    if (found != attributes.end()) {
      const auto [other, is_first] = described.emplace(symbol.section, symbol.name);
      if (!is_first) {
        return Invalid("entry ", Quoted(symbol.name), " has its code in section ",
                       symbol.section, ", as ", Quoted(other->second), " has");
      }
      RETURN_IF_ERROR(Annotate(ReadEntryAttributes(found->second, &entry),
                               absl::StrCat("entry ", Quoted(symbol.name))));
    }
    if (!entries.emplace(symbol.name, std::move(entry)).second) {
      return Invalid("entry ", Quoted(symbol.name), " is there twice");
    }
  }
  std::vector<CubinEntry> sorted;
  sorted.reserve(entries.size());
  for (auto& [name, entry] : entries) sorted.push_back(std::move(entry));
  return sorted;
}

}  // namespace

const CubinEntry* CubinInfo::Find(std::string_view name) const {
  const auto at = std::lower_bound(
      entries.begin(), entries.end(), name,
      [](const CubinEntry& entry, std::string_view key) { return entry.name < key; });
  return at == entries.end() || at->name != name ? nullptr : &*at;
}

absl::StatusOr<CubinInfo> ReadCubin(std::string_view bytes) {
  ASSIGN_OR_RETURN(const ElfFile file, ElfFile::Read(bytes));
  if (file.machine() != kMachineCuda) {
    return Invalid("expected code for NVIDIA GPUs (ELF machine ", kMachineCuda,
                   "), found machine ", file.machine());
  }
  CubinInfo info;
  ASSIGN_OR_RETURN(info.architecture, ArchitectureOf(file));
  ASSIGN_OR_RETURN(info.entries, EntriesOf(file, bytes.size()));
  return info;
}

}  // namespace thunky::cubin
