#include "thunky/cubin/elf_file.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "thunky/base/status_macros.h"

namespace thunky::cubin {
namespace {

constexpr size_t kHeaderBytes = 64;
constexpr size_t kSectionHeaderBytes = 64;
constexpr size_t kSymbolBytes = 24;

constexpr uint32_t kTypeNull = 0;
constexpr uint32_t kTypeSymbols = 2;
constexpr uint32_t kTypeStrings = 3;
constexpr uint32_t kTypeNoBits = 8;

template <typename... Pieces>
absl::Status Invalid(const Pieces&... pieces) {
  return absl::InvalidArgumentError(absl::StrCat(pieces...));
}

bool Inside(uint64_t offset, uint64_t size, uint64_t whole) {
  return offset <= whole && size <= whole - offset;
}

// The string at `offset` of a string table.
absl::StatusOr<std::string_view> StringAt(std::string_view table, uint64_t offset) {
  if (offset >= table.size()) {
    return Invalid("its name is at ", offset, " of a table of ", table.size(), " bytes");
  }
  const std::string_view rest = table.substr(offset, kMaxNameBytes + 1);
  const size_t end = rest.find('\0');
  if (end == std::string_view::npos) {
    return Invalid("its name has no end within ", rest.size(), " bytes");
  }
  return rest.substr(0, end);
}

absl::Status CheckIdentity(std::string_view bytes) {
  constexpr char kMagic[] = "\177ELF\2\1\1";  // 64 bits, little endian, version 1
  if (bytes.size() < kHeaderBytes) {
    return Invalid("expected an ELF header of ", kHeaderBytes, " bytes, found ",
                   bytes.size());
  }
  if (bytes.substr(0, 4) != std::string_view(kMagic, 4)) {
    return Invalid("expected an ELF file, found other bytes");
  }
  if (bytes.substr(4, 3) != std::string_view(kMagic + 4, 3)) {
    return Invalid("expected ELF of 64 bits, little endian, version 1");
  }
  return absl::OkStatus();
}

// One section but for its name, whose place is returned in `name`.
absl::StatusOr<ElfSection> ReadSection(std::string_view bytes, size_t at,
                                       uint64_t* name) {
  ElfSection section;
  *name = LoadNumber(bytes, at, 4);
  section.type = static_cast<uint32_t>(LoadNumber(bytes, at + 4, 4));
  section.flags = LoadNumber(bytes, at + 8, 8);
  const uint64_t offset = LoadNumber(bytes, at + 24, 8);
  section.size = LoadNumber(bytes, at + 32, 8);
  section.link = static_cast<uint32_t>(LoadNumber(bytes, at + 40, 4));
  section.info = static_cast<uint32_t>(LoadNumber(bytes, at + 44, 4));
  if (section.type == kTypeNull || section.type == kTypeNoBits) return section;
  if (!Inside(offset, section.size, bytes.size())) {
    return Invalid("has ", section.size, " bytes at ", offset, " of a file of ",
                   bytes.size());
  }
  section.content = bytes.substr(offset, section.size);
  return section;
}

}  // namespace

uint64_t LoadNumber(std::string_view bytes, size_t at, size_t size) {
  uint64_t number = 0;
  for (size_t i = 0; i < size; ++i) {
    number |= uint64_t{static_cast<uint8_t>(bytes[at + i])} << (8 * i);
  }
  return number;
}

absl::StatusOr<ElfFile> ElfFile::Read(std::string_view bytes) {
  RETURN_IF_ERROR(CheckIdentity(bytes));
  ElfFile file;
  file.os_abi_ = static_cast<uint8_t>(bytes[7]);
  file.machine_ = static_cast<uint16_t>(LoadNumber(bytes, 18, 2));
  file.flags_ = static_cast<uint32_t>(LoadNumber(bytes, 48, 4));
  const uint64_t offset = LoadNumber(bytes, 40, 8);
  const size_t entry_bytes = LoadNumber(bytes, 58, 2);
  const size_t count = LoadNumber(bytes, 60, 2);
  const size_t names_index = LoadNumber(bytes, 62, 2);
  if (count == 0) return Invalid("expected sections, found none");
  if (entry_bytes != kSectionHeaderBytes) {
    return Invalid("expected section headers of ", kSectionHeaderBytes, " bytes, found ",
                   entry_bytes);
  }
  if (!Inside(offset, count * kSectionHeaderBytes, bytes.size())) {
    return Invalid("expected ", count, " section headers at ", offset,
                   ", and the file has ", bytes.size(), " bytes");
  }
  std::vector<uint64_t> names(count);
  for (size_t i = 0; i < count; ++i) {
    auto section = ReadSection(bytes, offset + i * kSectionHeaderBytes, &names[i]);
    if (!section.ok()) return Annotate(section.status(), absl::StrCat("section ", i));
    file.sections_.push_back(*section);
  }
  if (names_index >= count || file.sections_[names_index].type != kTypeStrings) {
    return Invalid("expected the names of sections in section ", names_index,
                   ", which is no string table");
  }
  for (size_t i = 0; i < count; ++i) {
    auto name = StringAt(file.sections_[names_index].content, names[i]);
    if (!name.ok()) return Annotate(name.status(), absl::StrCat("section ", i));
    file.sections_[i].name = *name;
  }
  return file;
}

absl::StatusOr<std::vector<ElfSymbol>> ElfFile::Symbols() const {
  const ElfSection* table = nullptr;
  for (const ElfSection& section : sections_) {
    if (section.type != kTypeSymbols) continue;
    if (table != nullptr) return Invalid("expected one symbol table, found two");
    table = &section;
  }
  std::vector<ElfSymbol> symbols;
  if (table == nullptr) return symbols;
  if (table->content.size() % kSymbolBytes != 0) {
    return Invalid("the symbol table has ", table->content.size(),
                   " bytes, which are not whole symbols of ", kSymbolBytes);
  }
  if (table->link >= sections_.size() || sections_[table->link].type != kTypeStrings) {
    return Invalid("expected the names of symbols in section ", table->link,
                   ", which is no string table");
  }
  for (size_t at = 0; at < table->content.size(); at += kSymbolBytes) {
    const std::string_view bytes = table->content.substr(at, kSymbolBytes);
    auto name = StringAt(sections_[table->link].content, LoadNumber(bytes, 0, 4));
    if (!name.ok()) {
      return Annotate(name.status(), absl::StrCat("symbol ", at / kSymbolBytes));
    }
    symbols.push_back({.name = *name,
                       .type = static_cast<uint8_t>(LoadNumber(bytes, 4, 1) & 0xf),
                       .other = static_cast<uint8_t>(LoadNumber(bytes, 5, 1)),
                       .section = static_cast<uint16_t>(LoadNumber(bytes, 6, 2)),
                       .size = LoadNumber(bytes, 16, 8)});
  }
  return symbols;
}

}  // namespace thunky::cubin
