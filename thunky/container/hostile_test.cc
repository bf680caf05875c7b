// Damaged files: an error each time, or the same result.
#include <cstdint>
#include <random>
#include <string>

#include "google/protobuf/io/coded_stream.h"
#include "google/protobuf/io/zero_copy_stream_impl_lite.h"
#include "gtest/gtest.h"
#include "thunky/container/executable_file.h"
#include "thunky/container/fixture_files.h"
#include "thunky/container/varint.h"

namespace thunky {
namespace {

constexpr char kProgram[] = "jax-0.11.2/flax_lm_grad";
constexpr char kSmallProgram[] = "jax-0.11.2/saxpy";

size_t ContainerBegin(const std::string& file) {
  size_t at = 0;
  const uint64_t size = ReadVarint(file, at).value_or(0);
  return at + size;
}

// Maps have no order of their own.
std::string BytesOf(const wire::GpuExecutableProto& executable) {
  std::string bytes;
  google::protobuf::io::StringOutputStream stream(&bytes);
  google::protobuf::io::CodedOutputStream coded(&stream);
  coded.SetSerializationDeterministic(true);
  EXPECT_TRUE(executable.SerializeToCodedStream(&coded));
  coded.Trim();
  return bytes;
}

void ExpectErrorOrSame(const std::string& damaged, const std::string& executable) {
  const auto file = ReadExecutableFile(damaged);
  if (!file.ok()) {
    EXPECT_FALSE(file.status().message().empty());
    return;
  }
  EXPECT_EQ(BytesOf(file->executable), executable);
}

TEST(Hostile, FilesCutAnywhere) {
  const std::string file = FixtureExecutable(kProgram);
  ASSERT_TRUE(ReadExecutableFile(file).ok());
  for (size_t size = 0; size < file.size(); size += 64) {
    EXPECT_FALSE(ReadExecutableFile(file.substr(0, size)).ok()) << size;
  }
}

// The metadata have no hash: damage there may show or not. Everything after them has.
TEST(Hostile, FlippedBits) {
  const std::string file = FixtureExecutable(kProgram);
  const size_t begin = ContainerBegin(file);
  const std::string executable = BytesOf(ReadExecutableFile(file)->executable);
  std::mt19937 random(20'261'130);
  for (int i = 0; i < 1000; ++i) {
    const size_t at = random() % file.size();
    std::string damaged = file;
    damaged[at] = static_cast<char>(damaged[at] ^ (1 << random() % 8));
    ExpectErrorOrSame(damaged, executable);
    EXPECT_TRUE(at < begin || !ReadExecutableFile(damaged).ok()) << at;
  }
}

TEST(Hostile, EveryBitOfTheMetadataAndTheSignature) {
  const std::string file = FixtureExecutable(kSmallProgram);
  const std::string executable = BytesOf(ReadExecutableFile(file)->executable);
  for (size_t at = 0; at < ContainerBegin(file) + 64; ++at) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string damaged = file;
      damaged[at] = static_cast<char>(damaged[at] ^ (1 << bit));
      ExpectErrorOrSame(damaged, executable);
    }
  }
}

// A bare message has no hashes at all. Whatever it reads as, nothing breaks.
TEST(Hostile, FlippedBitsInBareMessages) {
  const auto file = ReadExecutableFile(FixtureExecutable(kSmallProgram));
  ASSERT_TRUE(file.ok());
  const std::string bytes = file->executable.SerializeAsString();
  std::mt19937 random(7);
  int refused = 0;
  for (int i = 0; i < 5000; ++i) {
    std::string damaged = bytes;
    for (int k = 0; k < 3; ++k) {
      damaged[random() % bytes.size()] ^= static_cast<char>(1 << random() % 8);
    }
    refused += ReadExecutableFile(damaged).ok() ? 0 : 1;
  }
  EXPECT_GT(refused, 0);
}

TEST(Hostile, RandomBytes) {
  std::mt19937 random(11);
  for (int i = 0; i < 20'000; ++i) {
    std::string bytes(random() % 64, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random());
    EXPECT_FALSE(ReadExecutableFile(bytes).ok()) << i;
  }
}

}  // namespace
}  // namespace thunky
