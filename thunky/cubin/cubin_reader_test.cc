#include "thunky/cubin/cubin_reader.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "thunky/container/fixture_files.h"
#include "thunky/cubin/elf_file.h"

namespace thunky::cubin {
namespace {

using testing::HasSubstr;

std::string Cubin(const std::string& form) {
  return TestFile("cubins/" + form + ".cubin");
}

std::string ErrorOf(const std::string& bytes) {
  const auto info = ReadCubin(bytes);
  return info.ok() ? "no error" : std::string(info.status().message());
}

TEST(CubinReaderTest, ArchitectureInEitherForm) {
  for (const auto& [form, architecture] :
       {std::pair("cuda12_sm_90a", "sm_90a"), std::pair("cuda13_sm_90a", "sm_90a"),
        std::pair("cuda13_sm_90", "sm_90"), std::pair("cuda13_sm_100f", "sm_100f")}) {
    const std::string bytes = Cubin(form);
    const auto info = ReadCubin(bytes);
    ASSERT_TRUE(info.ok()) << form << ": " << info.status();
    EXPECT_EQ(info->architecture, architecture) << form;
  }
}

TEST(CubinReaderTest, EntriesAndTheirParameters) {
  for (const char* form : {"cuda12_sm_90a", "cuda13_sm_90a"}) {
    const std::string bytes = Cubin(form);
    const auto info = ReadCubin(bytes);
    ASSERT_TRUE(info.ok()) << form << ": " << info.status();
    ASSERT_EQ(info->entries.size(), 2u) << "the function is no entry";
    const CubinEntry& one = info->entries[0];
    EXPECT_EQ(one.name, "one");
    EXPECT_EQ(one.code_bytes, 256u);
    ASSERT_TRUE(one.parameters.has_value());
    ASSERT_EQ(one.parameters->size(), 3u);
    const uint32_t expected[][2] = {{0, 8}, {8, 4}, {16, 24}};
    for (size_t i = 0; i < 3; ++i) {
      EXPECT_EQ((*one.parameters)[i].offset, expected[i][0]);
      EXPECT_EQ((*one.parameters)[i].size, expected[i][1]);
    }
    EXPECT_FALSE(one.required_block.has_value());
    const CubinEntry& two = info->entries[1];
    EXPECT_EQ(two.name, "two");
    EXPECT_TRUE(two.parameters.has_value() && two.parameters->empty());
    EXPECT_EQ(two.required_block, (std::array<uint32_t, 3>{64, 1, 1}));
    EXPECT_EQ(info->Find("one"), &one);
    EXPECT_EQ(info->Find("two"), &two);
    for (const char* name : {"", "helper", "on", "one_", "zzz"}) {
      EXPECT_EQ(info->Find(name), nullptr) << name;
    }
  }
}

// `bytes` with `value` at `at`.
std::string With(std::string bytes, size_t at, const std::string& value) {
  return bytes.replace(at, value.size(), value);
}

TEST(CubinReaderTest, SaysWhatIsWrong) {
  const std::string good = Cubin("cuda13_sm_90a");
  EXPECT_EQ(ErrorOf(""), "expected an ELF header of 64 bytes, found 0");
  EXPECT_EQ(ErrorOf(good.substr(0, 63)), "expected an ELF header of 64 bytes, found 63");
  EXPECT_EQ(ErrorOf(std::string(64, 'x')), "expected an ELF file, found other bytes");
  EXPECT_THAT(ErrorOf(With(good, 4, "\1")), HasSubstr("expected ELF of 64 bits"));
  EXPECT_EQ(ErrorOf(With(good, 18, std::string("\x3e\0", 2))),
            "expected code for NVIDIA GPUs (ELF machine 190), found machine 62");
  EXPECT_THAT(ErrorOf(With(good, 7, "\x42")),
              HasSubstr("expected a cubin of ELF OS ABI 51 or 65, found 66"));
  EXPECT_THAT(ErrorOf(With(good, 49, std::string(1, '\0'))),
              HasSubstr("expected a GPU architecture"));
  EXPECT_THAT(ErrorOf(With(good, 60, std::string(2, '\0'))),
              HasSubstr("expected sections, found none"));
  EXPECT_THAT(ErrorOf(With(good, 58, "\x30")), HasSubstr("section headers of 64 bytes"));
  EXPECT_THAT(ErrorOf(With(good, 62, std::string("\3\0", 2))),
              HasSubstr("section 3, which is no string table"));
  EXPECT_THAT(ErrorOf(With(good, 47, "\x7f")), HasSubstr("section headers at 91"));
  const uint64_t headers = LoadNumber(good, 40, 8);
  EXPECT_THAT(ErrorOf(With(good, headers + 2 * 64 + 24, "\xff\xff\xff\xff")),
              HasSubstr("section 2: has "));
  EXPECT_THAT(ErrorOf(With(good, headers + 64, "\xff\xff")),
              HasSubstr("section 1: its name is at 65535 of a table of"));
}

// Where in the file the section called `name` is.
size_t PlaceOf(const std::string& bytes, std::string_view name) {
  const auto file = ElfFile::Read(bytes);
  EXPECT_TRUE(file.ok()) << file.status();
  for (const ElfSection& section : file->sections()) {
    if (section.name == name) {
      return static_cast<size_t>(section.content.data() - bytes.data());
    }
  }
  ADD_FAILURE() << "no section " << name;
  return 0;
}

TEST(CubinReaderTest, SaysWhatIsWrongWithAnEntry) {
  const std::string good = Cubin("cuda13_sm_90a");
  const size_t info = PlaceOf(good, ".nv.info.one");
  // The second record describes parameter 2, the third parameter 1.
  EXPECT_EQ(ErrorOf(With(good, info + 8 + 8, "\7")),
            "entry 'one': parameter 2 is not described, and parameter 7 is");
  EXPECT_EQ(ErrorOf(With(good, info + 8 + 8, "\1")),
            "entry 'one': parameter 1 is described twice");
  EXPECT_THAT(ErrorOf(With(good, info + 2, "\xf0")),
              HasSubstr("entry 'one': attribute 55 has 240 bytes, and 96 are left"));
  EXPECT_EQ(ErrorOf(With(good, info, "\7")),
            "entry 'one': expected a record of format 1 to 4, found 7");
  const size_t block = PlaceOf(good, ".nv.info.two");
  EXPECT_THAT(ErrorOf(With(good, block, std::string("\4\x10\4\0", 4))),
              HasSubstr("entry 'two': expected a block shape of 12 bytes, found 4"));
  const size_t symbols = PlaceOf(good, ".symtab");
  const auto file = ElfFile::Read(good);
  const auto table = file->Symbols();
  for (size_t i = 0; i < table->size(); ++i) {
    if ((*table)[i].name != "one") continue;
    const size_t at = symbols + i * 24;
    EXPECT_THAT(ErrorOf(With(good, at + 6, std::string("\xf0\xff", 2))),
                HasSubstr("entry 'one': expected a name and code, found no code"));
    EXPECT_THAT(ErrorOf(With(good, at, "\xff\xff\xff")),
                HasSubstr("its name is at 16777215 of"));
  }
}

// `bytes` with the section called `name` made to be `size` bytes at `at`.
std::string WithSection(std::string bytes, std::string_view name, uint64_t at,
                        uint64_t size) {
  const auto number = [](uint64_t value) {
    std::string text;
    for (int i = 0; i < 8; ++i) text.push_back(static_cast<char>(value >> (8 * i)));
    return text;
  };
  const auto file = ElfFile::Read(bytes);
  EXPECT_TRUE(file.ok()) << file.status();
  size_t index = 0;
  while (file->sections().at(index).name != name) ++index;
  const uint64_t header = LoadNumber(bytes, 40, 8) + index * 64;
  return With(With(std::move(bytes), header + 24, number(at)), header + 32, number(size));
}

TEST(CubinReaderTest, SectionsThatOverlapAreRefused) {
  const std::string good = Cubin("cuda13_sm_90a");
  const std::string one = WithSection(good, ".nv.info.one", 0, good.size());
  EXPECT_THAT(ErrorOf(WithSection(one, ".nv.info.two", 0, good.size())),
              HasSubstr("sections of attributes overlap"));
}

// Damage of one byte, and every shorter file: an answer or an error.
TEST(CubinReaderTest, StandsUpToDamage) {
  for (const char* form : {"cuda12_sm_90a", "cuda13_sm_90a"}) {
    const std::string good = Cubin(form);
    int refused = 0;
    for (size_t i = 0; i < good.size(); ++i) {
      for (const char flip : {'\x01', '\x80', '\xff'}) {
        std::string bad = good;
        bad[i] = static_cast<char>(bad[i] ^ flip);
        refused += ReadCubin(bad).ok() ? 0 : 1;
      }
      // A copy of its own size, so that reading past the end is noticed.
      const std::string cut(good.data(), i);
      refused += ReadCubin(cut).ok() ? 0 : 1;
    }
    EXPECT_GT(refused, static_cast<int>(good.size()));
  }
}

// Many symbols that share one long name must not cost more than the file is worth.
TEST(ElfFileTest, LongNamesAreRefused) {
  const std::string good = Cubin("cuda13_sm_90a");
  const std::string names(100000, 'n');
  const std::string bytes =
      WithSection(good + names, ".strtab", good.size(), names.size());
  EXPECT_THAT(ErrorOf(bytes), HasSubstr("its name has no end within 4097 bytes"));
}

}  // namespace
}  // namespace thunky::cubin
