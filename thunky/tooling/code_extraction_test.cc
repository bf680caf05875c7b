#include "thunky/tooling/code_extraction.h"

#include <cstdlib>
#include <filesystem>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "thunky/tooling/files.h"

namespace thunky::tooling {
namespace {

using ::testing::ElementsAre;

TEST(CodeExtractionTest, SafeFileNames) {
  EXPECT_EQ(SafeFileName("loop_add.fusion-2"), "loop_add.fusion-2");
  EXPECT_EQ(SafeFileName("../../etc/passwd"), "_._.._etc_passwd");
  EXPECT_EQ(SafeFileName(".."), "_.");
  EXPECT_EQ(SafeFileName(""), "kernel");
  EXPECT_EQ(SafeFileName(std::string_view("a\0b\n\xff", 5)), "a_b__");
  EXPECT_EQ(SafeFileName(std::string(1000, 'x')).size(), 100u);
}

TEST(CodeExtractionTest, WritesEachCodeOnce) {
  std::string folder = ::testing::TempDir() + "extraction.XXXXXX";
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  const std::string inner = folder + "/a/b";
  absl::StatusOr<std::vector<std::string>> paths =
      ExtractCode(inner, {{"k", ".ptx", "one"},
                          {"other", ".ptx", "one"},
                          {"K", ".ptx", "two"},
                          {"k", ".cubin", "one"}});
  ASSERT_TRUE(paths.ok()) << paths.status();
  EXPECT_THAT(*paths,
              ElementsAre(inner + "/k.ptx", inner + "/K_2.ptx", inner + "/k.cubin"));
  EXPECT_EQ(*ReadFile((*paths)[1]), (std::vector<uint8_t>{'t', 'w', 'o'}));
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace thunky::tooling
