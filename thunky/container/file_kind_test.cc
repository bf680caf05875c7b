#include "thunky/container/file_kind.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace thunky {
namespace {

using ::testing::HasSubstr;

TEST(FileKind, KnowsForeignFormats) {
  EXPECT_EQ(ForeignFormat(""), "an empty file");
  EXPECT_EQ(ForeignFormat(std::string(100, '\0')), "nothing but zero bytes");
  EXPECT_THAT(std::string(ForeignFormat("\x7f"
                                        "ELF\x02")),
              HasSubstr("ELF"));
  EXPECT_THAT(std::string(ForeignFormat("\x89PNG\r\n\x1a\n")), HasSubstr("PNG"));
  EXPECT_THAT(std::string(ForeignFormat("PK\x03\x04")), HasSubstr(".npz"));
  EXPECT_EQ(ForeignFormat("ML\xefR"), "MLIR bytecode");
  EXPECT_EQ(ForeignFormat("\x08\x01"), "");
}

TEST(FileKind, TellsTextFromBinary) {
  EXPECT_TRUE(LooksLikeText("thunks {\r\n\t}\n# \xc3\xa9"));
  EXPECT_FALSE(LooksLikeText(std::string("a\0b", 3)));
  EXPECT_FALSE(LooksLikeText("a\x1b"));
  EXPECT_FALSE(LooksLikeText("a\x7f"));
}

TEST(FileKind, KnowsForeignText) {
  EXPECT_EQ(ForeignText("//\n// Generated\n\n.version 8.0\n"), "PTX");
  EXPECT_EQ(ForeignText("HloModule jit_f"), "an HLO module in text form");
  EXPECT_EQ(ForeignText("module @m {"), "an MLIR module");
  EXPECT_EQ(ForeignText("module {"), "an MLIR module");
  EXPECT_EQ(ForeignText("{\"a\": 1}"), "JSON");
  EXPECT_EQ(ForeignText("module_name: 'm'"), "");
  EXPECT_EQ(ForeignText("// only a comment"), "");
  EXPECT_EQ(ForeignText(""), "");
}

}  // namespace
}  // namespace thunky
