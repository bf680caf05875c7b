#include "thunky/container/executable_writer.h"

#include <string>

#include "gmock/gmock.h"
#include "google/protobuf/text_format.h"
#include "google/protobuf/unknown_field_set.h"
#include "gtest/gtest.h"
#include "thunky/container/fixture_files.h"
#include "thunky/container/message_walk.h"
#include "thunky/container/varint.h"

namespace thunky {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr char kProgram[] = "jax-0.11.2/saxpy";

ExecutableFile Read(const std::string& bytes) {
  absl::StatusOr<ExecutableFile> file = ReadExecutableFile(bytes);
  EXPECT_TRUE(file.ok()) << file.status();
  return file.ok() ? *std::move(file) : ExecutableFile();
}

std::string Written(const ExecutableFile& file,
                    const ExecutableWriteOptions& options = {}) {
  const absl::StatusOr<std::string> bytes = WriteExecutableFile(file, options);
  EXPECT_TRUE(bytes.ok()) << bytes.status();
  return bytes.value_or("");
}

std::string Error(const ExecutableFile& file,
                  const ExecutableWriteOptions& options = {}) {
  return WriteExecutableFile(file, options).status().ToString();
}

// In wire form, so that unknown fields count too; maps in order.
std::string Bytes(const google::protobuf::Message& message) {
  return SerializeInOrder(message).value_or("too large");
}

void ExpectEqual(const ExecutableFile& a, const ExecutableFile& b) {
  EXPECT_EQ(a.kind, b.kind);
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.metadata_bytes, b.metadata_bytes);
  EXPECT_TRUE(Bytes(a.executable) == Bytes(b.executable));
  ASSERT_EQ(a.options.has_value(), b.options.has_value());
  if (a.options) {
    EXPECT_TRUE(Bytes(*a.options) == Bytes(*b.options));
  }
}

ExecutableFile Small(ExecutableKind kind) {
  ExecutableFile file;
  file.kind = kind;
  file.name = "small";
  file.executable.set_module_name(file.name);
  file.executable.add_thunks()->mutable_thunk_info()->set_thunk_id(1);
  return file;
}

TEST(ExecutableWriter, WritesEveryFixtureBack) {
  ASSERT_GE(FixtureNames().size(), 73u);
  for (const std::string& name : FixtureNames()) {
    SCOPED_TRACE(name);
    const ExecutableFile original = Read(FixtureExecutable(name));
    const std::string bytes = Written(original);
    ExpectEqual(Read(bytes), original);
    EXPECT_TRUE(Written(Read(bytes)) == bytes);
    EXPECT_LT(bytes.size(), original.sizes.file * 3 / 2);
  }
}

TEST(ExecutableWriter, WritesEveryKind) {
  const ExecutableFile original = Read(FixtureExecutable(kProgram));
  for (const ExecutableKind kind :
       {ExecutableKind::kComplete, ExecutableKind::kOuterContainer,
        ExecutableKind::kInnerContainer, ExecutableKind::kBinaryProto}) {
    SCOPED_TRACE(std::string(ExecutableKindName(kind)));
    const ExecutableFile read = Read(Written(original, {.kind = kind}));
    EXPECT_EQ(read.kind, kind);
    EXPECT_TRUE(Bytes(read.executable) == Bytes(original.executable));
    EXPECT_EQ(read.options.has_value(), kind == ExecutableKind::kComplete ||
                                            kind == ExecutableKind::kOuterContainer);
    EXPECT_EQ(read.metadata_bytes,
              kind == ExecutableKind::kComplete ? original.metadata_bytes : "");
  }
}

TEST(ExecutableWriter, CutsAndCompressesAsAsked) {
  const ExecutableFile original = Read(FixtureExecutable("jax-0.11.2/flax_lm_grad"));
  const std::string plain =
      Written(original, {.compression = riegeli::Compression::kNone});
  EXPECT_GT(plain.size(), Written(original).size() * 2);
  ExpectEqual(Read(plain), original);
  const SplitLimits limits = {.max_merge_bytes = 700'000, .max_inline_bytes = 700'000};
  const std::string cut = Written(original, {.limits = limits});
  EXPECT_NE(cut, Written(original));
  ExpectEqual(Read(cut), original);
  EXPECT_THAT(Error(original, {.compression = riegeli::Compression::kZstd}),
              HasSubstr("only none and snappy are written"));
}

TEST(ExecutableWriter, WritesText) {
  ExecutableFile file = Small(ExecutableKind::kTextProto);
  (*file.executable.mutable_dnn_compiled_graphs())["b"] = "2";
  (*file.executable.mutable_dnn_compiled_graphs())["a"] = "1";
  const std::string text = Written(file);
  EXPECT_THAT(text, HasSubstr("module_name: \"small\""));
  EXPECT_LT(text.find("\"a\""), text.find("\"b\""));
  ExpectEqual(Read(text), file);

  // Every fixture has fields that this schema leaves out.
  const ExecutableFile fixture = Read(FixtureExecutable(kProgram));
  ExecutableWriteOptions options = {.kind = ExecutableKind::kTextProto};
  EXPECT_THAT(Error(fixture, options),
              StartsWith("FAILED_PRECONDITION: the text form cannot hold fields that "
                         "this build does not know, such as hlo_module_with_config."));
  options.drop_unknown_fields_in_text = true;
  const ExecutableFile read = Read(Written(fixture, options));
  EXPECT_EQ(FirstUnknownField(read.executable), "");
  EXPECT_EQ(Bytes(read.executable.thunks(0)), Bytes(fixture.executable.thunks(0)));
}

TEST(ExecutableWriter, KeepsMetadataAsTheyWere) {
  ExecutableFile file = Read(FixtureExecutable(kProgram));
  // In an order and with a field that no writer of protobuf's would produce.
  file.metadata_bytes = std::string("\x3a\x01x\xf8\x3f\x05\x08\x03", 8);
  const std::string bytes = Written(file);
  size_t at = 0;
  EXPECT_EQ(ReadVarint(bytes, at), 8u);
  EXPECT_EQ(bytes.substr(at, 8), file.metadata_bytes);
  EXPECT_EQ(Read(bytes).metadata->computation_name(), "x");
}

TEST(ExecutableWriter, RefusesWhatIsNotThere) {
  const ExecutableFile bare = Small(ExecutableKind::kBinaryProto);
  EXPECT_EQ(Error(bare, {.kind = ExecutableKind::kOuterContainer}),
            "FAILED_PRECONDITION: writing as outer container takes compile options, "
            "and the GpuExecutableProto to write has none");
  EXPECT_THAT(Error(bare, {.kind = ExecutableKind::kComplete}),
              HasSubstr("complete executable takes metadata"));
  ExecutableFile file = Read(FixtureExecutable(kProgram));
  file.options->set_serialized_executable("x");
  EXPECT_THAT(Error(file), HasSubstr("serialized_executable has content"));
}

TEST(ExecutableWriter, RefusesWhatNobodyCouldRead) {
  ExecutableFile file = Read(FixtureExecutable(kProgram));
  file.options->set_pjrt_client_name("\xff");
  EXPECT_THAT(Error(file),
              HasSubstr("compile options: pjrt_client_name: expected UTF-8"));
  file.executable.set_asm_text("\xff");
  EXPECT_THAT(Error(file), HasSubstr("INVALID_ARGUMENT: asm_text: expected UTF-8"));
}

}  // namespace
}  // namespace thunky
