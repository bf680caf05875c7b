#include "thunky/api/array.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <complex>
#include <filesystem>
#include <fstream>

#include "thunky/api/programs_for_test.h"

namespace thunky::api_test {
namespace {

using testing::AllOf;
using testing::AnyOf;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

const Device& Host() {
  static const Device host = Device::host();
  return host;
}

// A file that the test writes; gone with it.
class ArrayFileTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = testing::TempDir() + "array_file_test." + std::to_string(getpid());
    std::filesystem::create_directory(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string Path(const std::string& name) const { return folder_ + "/" + name; }

 private:
  std::string folder_;
};

TEST(DeviceTest, TheHostIsOneDevice) {
  EXPECT_TRUE(Device::host() == Host());
  EXPECT_EQ(Host().name(), "host");
  EXPECT_THAT(Host().description(), HasSubstr("kernels run by interp"));
  const DeviceMemory memory = Host().memory();
  EXPECT_GT(memory.free_bytes, 0u);
  EXPECT_GE(memory.total_bytes, memory.free_bytes);
  Host().wait();  // for nothing
}

// Whatever the machine has: nothing has so many GPUs.
TEST(DeviceTest, AGpuThatIsNotThere) {
  const Error error = ErrorIn([] { Device::cuda(1000000); });
  EXPECT_THAT(error.code(), AnyOf(ErrorCode::unimplemented, ErrorCode::not_found,
                                  ErrorCode::failed_precondition));
  EXPECT_THAT(error.message(),
              AllOf(StartsWith("Device::cuda(1000000): "),
                    AnyOf(HasSubstr("no CUDA device layer"), HasSubstr("CUDA driver"),
                          HasSubstr("GPUs, counted from 0"))));
  EXPECT_THAT(error.where().file, EndsWith("array_test.cc"));
  EXPECT_EQ(ErrorIn([] { Device::cuda(-1); }).code(), ErrorCode::invalid_argument);
}

TEST(ArrayTest, TakesAndGivesValues) {
  const Array a = Array::from(Host(), std::vector<float>{1, 2, 3, 4, 5, 6}, {2, 3});
  EXPECT_EQ(a.type(), f32(2, 3));
  EXPECT_EQ(a.byte_size(), 24);
  EXPECT_TRUE(a.device() == Host());
  EXPECT_THAT(a.to_vector<float>(), ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_THAT(Array::from(Host(), {1, 2, 3}).to_vector<int>(), ElementsAre(1, 2, 3));
  EXPECT_EQ(Array::from(Host(), {1.0, 2.0}, {2, 1}).type(), f64(2, 1));
  const std::array<std::complex<float>, 1> complex = {{{1, -2}}};
  EXPECT_EQ(Array::from(Host(), complex).item<std::complex<float>>(), complex[0]);
  EXPECT_EQ(Array::scalar(Host(), uint16_t{7}).type(), u16());
  EXPECT_EQ(Array::scalar(Host(), uint16_t{7}).item<uint16_t>(), 7);
}

TEST(ArrayTest, ZerosAndEmptyOnes) {
  EXPECT_THAT(Array::zeros(Host(), i32(3)).to_vector<int>(), ElementsAre(0, 0, 0));
  EXPECT_EQ(Array::empty(Host(), f32(0, 4)).to_vector<float>().size(), 0u);
  EXPECT_EQ(Array::empty(Host(), i4(2)).byte_size(), 1);
}

TEST(ArrayTest, CopiesAreTheSameArray) {
  Array a = Array::zeros(Host(), i32(2));
  const Array b = a;
  a.assign({3, 4});
  EXPECT_THAT(b.to_vector<int>(), ElementsAre(3, 4));
  std::array<int, 2> place{};
  b.copy_to(place);
  EXPECT_THAT(place, ElementsAre(3, 4));
  a.assign(std::vector<int>{5, 6});
  EXPECT_THAT(b.as(u8(8)).to_vector<uint8_t>(), ElementsAre(5, 0, 0, 0, 6, 0, 0, 0));
}

TEST(ArrayTest, BoolsAreNotOrOne) {
  const std::array<std::byte, 3> bytes = {std::byte{0}, std::byte{1}, std::byte{2}};
  const Array a = Array::from_bytes(Host(), boolean(3), bytes);
  EXPECT_THAT(a.to_vector<bool>(), ElementsAre(false, true, true));
  std::array<bool, 3> place{};
  a.copy_to(place);
  EXPECT_THAT(place, ElementsAre(false, true, true));
  EXPECT_TRUE(Array::scalar(Host(), true).item<bool>());
}

TEST(ArrayTest, BytesGoWithEveryType) {
  const std::array<std::byte, 4> bytes = {std::byte{1}, std::byte{2}, std::byte{3},
                                          std::byte{4}};
  Array a = Array::from_bytes(Host(), bf16(2), bytes);
  EXPECT_EQ(a.to_bytes(), std::vector(bytes.begin(), bytes.end()));
  a.assign_bytes(std::array<std::byte, 4>{});
  std::array<std::byte, 4> place = bytes;
  a.copy_to_bytes(place);
  EXPECT_EQ(place, (std::array<std::byte, 4>{}));
}

TEST(ArrayTest, ErrorsNameBothSides) {
  Array a = Array::zeros(Host(), f32(2, 2));
  const auto message = [](const std::function<void()>& call) {
    const Error error = ErrorIn(call);
    EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
    EXPECT_THAT(error.where().file, EndsWith("array_test.cc"));
    return error.message();
  };
  EXPECT_EQ(message([&] { a.to_vector<int>(); }),
            "expected 4 values for f32[2,2], found 4 of s32");
  EXPECT_EQ(message([&] { a.assign({1.0f}); }),
            "expected 4 values for f32[2,2], found 1 of f32");
  EXPECT_EQ(message([&] { a.item<float>(); }),
            "expected 4 values for f32[2,2], found 1 of f32");
  EXPECT_EQ(message([&] { a.copy_to(std::array<double, 4>()); }),
            "expected 4 values for f32[2,2], found 4 of f64");
  EXPECT_EQ(message([&] { Array::from(Host(), {1, 2, 3}, {2, 2}); }),
            "expected the 4 values of s32[2,2], found 3");
  EXPECT_EQ(message([&] { a.assign_bytes({}); }),
            "expected the 16 bytes of f32[2,2], found data of 0 bytes");
  EXPECT_EQ(message([&] { a.as(f32(5)); }),
            "expected a type of 16 bytes for f32[2,2], found f32[5] of 20");
  EXPECT_EQ(message([&] { Array::empty(Host(), f32(-1)); }),
            "f32[-1]: a dimension is negative");
  EXPECT_EQ(message([&] { Array::empty(Host(), i4(3)); }),
            "s4[3] has 12 bits; a whole number of bytes is needed");
}

TEST(ArrayTest, TooMuchMemoryIsRefused) {
  const Error error = ErrorIn([] { Array::empty(Host(), u8(int64_t{1} << 58)); });
  EXPECT_EQ(error.code(), ErrorCode::resource_exhausted);
  EXPECT_THAT(error.message(), StartsWith("host: 288230376151711744 bytes"));
}

TEST_F(ArrayFileTest, NpyFilesThereAndBack) {
  const Array a = Array::from(Host(), {1.5, 2.5, 3.5, 4.5}, {2, 2});
  a.save_npy(Path("a.npy"));
  const Array b = Array::load_npy(Host(), Path("a.npy"));
  EXPECT_EQ(b.type(), f64(2, 2));
  EXPECT_THAT(b.to_vector<double>(), ElementsAre(1.5, 2.5, 3.5, 4.5));
  EXPECT_EQ(Array::load_npy(Host(), Path("a.npy"), f64(2, 2)).type(), f64(2, 2));
}

TEST_F(ArrayFileTest, TypesThatFilesDoNotName) {
  Array::zeros(Host(), bf16(3)).save_npy(Path("b.npy"));
  EXPECT_EQ(Array::load_npy(Host(), Path("b.npy"), bf16(3)).byte_size(), 6);
  EXPECT_EQ(ErrorIn([&] { Array::load_npy(Host(), Path("b.npy")); }).message(),
            Path("b.npy") +
                ": expected the type to be given, found elements that the "
                "file does not name (V2[3])");
}

TEST_F(ArrayFileTest, ErrorsNameTheFile) {
  Array::zeros(Host(), f64(2)).save_npy(Path("a.npy"));
  EXPECT_EQ(ErrorIn([&] { Array::load_npy(Host(), Path("a.npy"), f32(2)); }).message(),
            Path("a.npy") + ": expected f32[2], found f64[2]");
  EXPECT_EQ(ErrorIn([&] { Array::load_npy(Host(), Path("no.npy")); }).code(),
            ErrorCode::not_found);
  std::ofstream(Path("text.npy")) << "no array";
  EXPECT_EQ(ErrorIn([&] { Array::load_npy(Host(), Path("text.npy")); }).message(),
            Path("text.npy") + ": expected a .npy file, found other content");
  const Array packed = Array::zeros(Host(), i4(2));
  const Error error = ErrorIn([&] { packed.save_npy(Path("i4.npy")); });
  EXPECT_EQ(error.code(), ErrorCode::unimplemented);
  EXPECT_EQ(error.message(),
            Path("i4.npy") + ": s4[2]: .npy files hold no elements of less than a byte");
  // A bool of 2 in a file.
  Array::from(Host(), {uint8_t{2}}).as(boolean(1)).save_npy(Path("bool.npy"));
  EXPECT_EQ(ErrorIn([&] { Array::load_npy(Host(), Path("bool.npy")); }).message(),
            Path("bool.npy") + ": expected bools of 0 or 1, found 2");
}

}  // namespace
}  // namespace thunky::api_test
