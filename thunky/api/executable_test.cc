#include "thunky/api/executable.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "thunky/api/programs_for_test.h"

namespace thunky::api_test {
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;
using Role = ArgumentInfo::Role;

std::string Content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string AsText(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

TEST(ExecutableTest, SaysWhatItTakes) {
  const Executable saxpy = Saxpy();
  EXPECT_EQ(saxpy.name(), "jit__lambda");
  EXPECT_EQ(saxpy.result_count(), 1);
  EXPECT_THAT(saxpy.warnings(), IsEmpty());
  const std::vector<ArgumentInfo>& arguments = saxpy.arguments();
  ASSERT_EQ(arguments.size(), 4u);
  EXPECT_EQ(arguments[0].name, "p0");
  EXPECT_EQ(arguments[0].type, f32());
  EXPECT_EQ(arguments[1].byte_size, 16384);
  EXPECT_EQ(arguments[1].role, Role::input);
  EXPECT_EQ(arguments[1].parameter, 1);
  EXPECT_THAT(arguments[1].results, IsEmpty());
  EXPECT_EQ(arguments[1].describe(1), "argument 1 'p1' (f32[4096])");
  EXPECT_EQ(arguments[3].role, Role::result);
  EXPECT_FALSE(arguments[3].parameter.has_value());
  EXPECT_THAT(arguments[3].results, ElementsAre(0));
  EXPECT_EQ(arguments[3].describe(3), "argument 3 (f32[4096])");
  const ArgumentInfo in_place = Increment().arguments().at(0);
  EXPECT_EQ(in_place.role, Role::in_place);
  EXPECT_THAT(in_place.results, ElementsAre(0));
}

// One argument x of this shape in an allocation of `bytes`; the program does nothing.
ArgumentInfo ArgumentOf(const std::string& shape, int bytes) {
  const std::string text =
      "program_shape { parameters { " + shape +
      " } result { element_type: TUPLE } } buffer_allocations { values { size: " +
      std::to_string(bytes) + " is_entry_computation_parameter: true } }";
  return Executable::from_bytes(std::as_bytes(std::span(text)), "x").arguments().at(0);
}

TEST(ExecutableTest, BytesThatAreNoPlainArrayAreU8) {
  EXPECT_EQ(ArgumentOf("element_type: F32 dimensions: 2 dimensions: 3", 24).type,
            f32(2, 3));
  EXPECT_EQ(ArgumentOf("element_type: F32 dimensions: 1 dimensions: 3 "
                       "layout { minor_to_major: 0 minor_to_major: 1 }",
                       12)
                .type,
            f32(1, 3));
  const ArgumentInfo columns = ArgumentOf(
      "element_type: F32 dimensions: 2 dimensions: 3 "
      "layout { minor_to_major: 0 minor_to_major: 1 }",
      24);
  EXPECT_EQ(columns.type, u8(24));
  EXPECT_EQ(columns.declared, "f32[2,3]{0,1}");
  EXPECT_EQ(columns.describe(0), "argument 0 (u8[24], declared as f32[2,3]{0,1})");
  const ArgumentInfo longer = ArgumentOf("element_type: F32 dimensions: 2", 32);
  EXPECT_EQ(longer.type, u8(32));
  EXPECT_EQ(longer.declared, "f32[2]");
  // XLA stores one such element in a byte unless the layout packs them.
  EXPECT_EQ(ArgumentOf("element_type: S4 dimensions: 2", 2).type, u8(2));
}

TEST(ExecutableTest, TheFileMayGiveTheOrderOfArguments) {
  std::string text = Content(Data("programs/fills_and_copies.textproto"));
  text +=
      "thunky { arguments { allocation: 2 name: 'copied' } "
      "arguments { allocation: 0 } arguments { allocation: 1 name: 'zeros' } }";
  const Executable program =
      Executable::from_bytes(std::as_bytes(std::span(text)), "ordered");
  ASSERT_EQ(program.arguments().size(), 3u);
  EXPECT_EQ(program.arguments()[0].describe(0), "argument 0 'copied' (s32[6])");
  EXPECT_THAT(program.arguments()[0].results, ElementsAre(1));
  EXPECT_EQ(program.arguments()[1].describe(1), "argument 1 'x' (s32[6])");
  EXPECT_EQ(program.arguments()[2].describe(2), "argument 2 'zeros' (u8[7])");

  const Device host = Device::host();
  const Array copied = Array::zeros(host, i32(6));
  const Array zeros = Array::from(host, std::vector<uint8_t>(7, 1));
  const Array x = Array::from(host, {1, 2, 3, 4, 5, 6});
  program.compile(host).run({copied, x, zeros});
  EXPECT_THAT(zeros.to_vector<uint8_t>(), ElementsAre(0, 0, 0, 0, 0, 0, 0));
  EXPECT_EQ(copied.to_vector<int>()[0], 1);

  text.replace(text.rfind("allocation: 0"), 13, "allocation: 3");
  EXPECT_EQ(ErrorIn([&] {
              Executable::from_bytes(std::as_bytes(std::span(text)), "ordered");
            }).message(),
            "ordered: arguments[1]: allocation 3 is neither a parameter nor a result");
}

TEST(ExecutableTest, BytesAreThoseOfTheFile) {
  const std::string path = Data("fixtures/jax-0.11.2-ptx/saxpy/executable.bin");
  const Executable saxpy = Saxpy();
  EXPECT_EQ(AsText(saxpy.bytes()), Content(path));
  const std::string saved = testing::TempDir() + "saved." + std::to_string(getpid());
  saxpy.save(saved);
  EXPECT_EQ(Content(saved), Content(path));
  EXPECT_EQ(Executable::load(saved).arguments().size(), 4u);
  std::filesystem::remove(saved);
  const Error error = ErrorIn([&] { saxpy.save("/no/such/folder/file"); });
  EXPECT_EQ(error.code(), ErrorCode::not_found);
  EXPECT_THAT(error.message(), StartsWith("/no/such/folder/file: "));
}

TEST(ExecutableTest, FilesThatAreNoPrograms) {
  const Error missing = ErrorIn([] { Executable::load("/no/such.bin"); });
  EXPECT_EQ(missing.code(), ErrorCode::not_found);
  EXPECT_THAT(missing.message(), StartsWith("/no/such.bin: "));
  EXPECT_THAT(missing.where().file, EndsWith("executable_test.cc"));
  const Error ptx = ErrorIn([] { Executable::load(Data("kernels/ptx/saxpy.ptx")); });
  EXPECT_EQ(ptx.code(), ErrorCode::invalid_argument);
  EXPECT_THAT(ptx.message(), HasSubstr("found PTX"));
  const Error damaged = ErrorIn([] {
    const std::string bytes =
        Content(Data("fixtures/jax-0.11.2-ptx/saxpy/executable.bin")).substr(0, 3000);
    Executable::from_bytes(std::as_bytes(std::span(bytes)), "half.bin");
  });
  EXPECT_EQ(damaged.code(), ErrorCode::invalid_argument);
  EXPECT_THAT(damaged.message(), StartsWith("half.bin: "));
  EXPECT_EQ(ErrorIn([] {
              Executable::load(Data("fixtures/jax-0.11.2-ptx/saxpy/executable.bin"),
                               {.kernels = {}, .max_decoded_bytes = 100});
            }).code(),
            ErrorCode::resource_exhausted);
}

TEST(ExecutableTest, ProgramsThatThisBuildCannotRun) {
  const Error error =
      ErrorIn([] { Executable::load(Data("programs/unknown_custom_calls.textproto")); });
  EXPECT_EQ(error.code(), ErrorCode::unimplemented);
  EXPECT_THAT(error.message(), HasSubstr("thunks["));
}

TEST(ExecutableTest, KernelsThatHaveNoCodeForTheDevice) {
  const Executable saxpy =
      Executable::load(Data("fixtures/jax-0.11.2-ptx/saxpy/executable.bin"));
  const Error error = ErrorIn([&] { saxpy.compile(Device::host()); });
  EXPECT_EQ(error.code(), ErrorCode::failed_precondition);
  EXPECT_THAT(error.message(),
              StartsWith("program 'jit__lambda' on host: 1 kernel has binary code only"));
  EXPECT_THAT(error.where().file, EndsWith("executable_test.cc"));
  EXPECT_EQ(ErrorIn([] {
              Executable::load(Data("fixtures/jax-0.11.2-ptx/saxpy/executable.bin"),
                               {.kernels = {"/no/kernels"}});
            }).code(),
            ErrorCode::not_found);
}

}  // namespace
}  // namespace thunky::api_test
