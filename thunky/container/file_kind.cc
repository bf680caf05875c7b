#include "thunky/container/file_kind.h"

#include <algorithm>
#include <cstdint>
#include <iterator>

namespace thunky {
namespace {

using std::string_view_literals::operator""sv;

struct Magic {
  std::string_view prefix;
  std::string_view name;
};

constexpr Magic kBinaryFormats[] = {
    {"\x7f"
     "ELF"sv,
     "an ELF file (a program, a shared library or a cubin)"},
    {"\x89PNG\r\n"sv, "a PNG image"},
    {"\xff\xd8\xff"sv, "a JPEG image"},
    {"PK\x03\x04"sv, "a ZIP archive (.npz files are)"},
    {"PK\x05\x06"sv, "an empty ZIP archive"},
    {"\x93NUMPY"sv, "a NumPy array (.npy)"},
    {"\x1f\x8b"sv, "gzip data"},
    {"\x28\xb5\x2f\xfd"sv, "zstd data"},
    {"\xfd"
     "7zXZ\0"sv,
     "xz data"},
    {"BZh"sv, "bzip2 data"},
    {"ML\xefR"sv, "MLIR bytecode"},
    {"BC\xc0\xde"sv, "LLVM bitcode"},
    {"\x50\xed\x55\xba"sv, "a CUDA fat binary"},
    {"\x89HDF\r\n"sv, "an HDF5 file"},
    {"%PDF-"sv, "a PDF document"},
    {"!<arch>\n"sv, "a static library"},
};

// In the order in which they are looked for, after comments and white space.
constexpr Magic kTextFormats[] = {
    {".version"sv, "PTX"},
    {"HloModule"sv, "an HLO module in text form"},
    {"module "sv, "an MLIR module"},
    {"module{"sv, "an MLIR module"},
    {"builtin.module"sv, "an MLIR module"},
    {"func.func"sv, "an MLIR module"},
    {"{"sv, "JSON"},
    {"<"sv, "XML or HTML"},
    {"#!"sv, "a script"},
    {"; ModuleID"sv, "LLVM IR"},
};

std::string_view Match(const Magic* begin, const Magic* end, std::string_view bytes) {
  const Magic* found = std::find_if(begin, end, [&](const Magic& magic) {
    return bytes.substr(0, magic.prefix.size()) == magic.prefix;
  });
  return found == end ? std::string_view() : found->name;
}

// Without the comments of PTX, MLIR and C at the beginning.
std::string_view SkipComments(std::string_view text) {
  while (!text.empty()) {
    const size_t begin = text.find_first_not_of(" \t\r\n\f\v");
    if (begin == std::string_view::npos) return {};
    text.remove_prefix(begin);
    if (text.substr(0, 2) != "//"sv) return text;
    const size_t end = text.find('\n');
    if (end == std::string_view::npos) return {};
    text.remove_prefix(end);
  }
  return text;
}

}  // namespace

std::string_view ForeignFormat(std::string_view bytes) {
  if (bytes.empty()) return "an empty file";
  if (std::all_of(bytes.begin(), bytes.end(), [](char c) { return c == '\0'; })) {
    return "nothing but zero bytes";
  }
  return Match(std::begin(kBinaryFormats), std::end(kBinaryFormats), bytes);
}

bool LooksLikeText(std::string_view bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [](char c) {
    const auto byte = static_cast<uint8_t>(c);
    return byte >= 0x20 ? byte != 0x7f : (byte >= '\t' && byte <= '\r');
  });
}

std::string_view ForeignText(std::string_view text) {
  return Match(std::begin(kTextFormats), std::end(kTextFormats), SkipComments(text));
}

}  // namespace thunky
