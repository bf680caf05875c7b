#include "thunky/tooling/files.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace thunky::tooling {
namespace {

using ::testing::HasSubstr;
using Bytes = std::vector<uint8_t>;

class FilesTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = ::testing::TempDir() + "files_test.XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override {
    unlink((folder_ + "/a").c_str());
    rmdir(folder_.c_str());
  }
  std::string folder_;
};

TEST_F(FilesTest, ReadsWhatItWrites) {
  const std::string path = folder_ + "/a";
  for (size_t size : {size_t{0}, size_t{1}, size_t{3} << 20}) {
    Bytes bytes(size, 7);
    ASSERT_TRUE(WriteFile(path, bytes).ok());
    absl::StatusOr<Bytes> read = ReadFile(path);
    ASSERT_TRUE(read.ok()) << read.status();
    EXPECT_EQ(*read, bytes);
  }
  EXPECT_TRUE(ReadFile(path, 3 << 20).ok());
  EXPECT_EQ(ReadFile(path, (3 << 20) - 1).status().code(),
            absl::StatusCode::kResourceExhausted);
}

TEST_F(FilesTest, NamesThePath) {
  absl::Status missing = ReadFile(folder_ + "/none").status();
  EXPECT_EQ(missing.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(missing.message()), HasSubstr(folder_ + "/none: cannot open"));
  EXPECT_THAT(std::string(ReadFile(folder_).status().message()),
              HasSubstr(folder_ + ": expected a file, found a folder"));
  EXPECT_THAT(std::string(WriteFile(folder_ + "/none/a", {}).message()),
              HasSubstr(folder_ + "/none/a: cannot create"));
  EXPECT_FALSE(WriteFile(folder_, {}).ok());
}

TEST_F(FilesTest, StopsAtEndlessFiles) {
  EXPECT_EQ(ReadFile("/dev/zero", 5 << 20).status().code(),
            absl::StatusCode::kResourceExhausted);
  EXPECT_TRUE(WriteFile("/dev/null", Bytes(10)).ok());
}

TEST_F(FilesTest, LeavesNothingBehind) {
  ASSERT_TRUE(WriteFile(folder_ + "/a", Bytes(10)).ok());
  unlink((folder_ + "/a").c_str());
  EXPECT_EQ(rmdir(folder_.c_str()), 0);  // only possible when it is empty
}

}  // namespace
}  // namespace thunky::tooling
