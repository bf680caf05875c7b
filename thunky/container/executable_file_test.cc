#include "thunky/container/executable_file.h"

#include <cstdint>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "gmock/gmock.h"
#include "google/protobuf/text_format.h"
#include "google/protobuf/unknown_field_set.h"
#include "gtest/gtest.h"
#include "proto/split_proto.pb.h"
#include "thunky/container/fixture_files.h"
#include "thunky/container/riegeli_writer.h"
#include "thunky/container/varint.h"

namespace thunky {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr char kProgram[] = "jax-0.11.2/saxpy";

std::string Error(const std::string& bytes) {
  return std::string(ReadExecutableFile(bytes).status().message());
}

ExecutableFile ReadFixture(const std::string& name) {
  absl::StatusOr<ExecutableFile> file = ReadExecutableFile(FixtureExecutable(name));
  EXPECT_TRUE(file.ok()) << name << ": " << file.status();
  return file.ok() ? *std::move(file) : ExecutableFile();
}

std::string WithoutMetadata(const std::string& file) {
  size_t at = 0;
  const uint64_t size = ReadVarint(file, at).value_or(0);
  return file.substr(at + size);
}

// A container with the whole message in one merge record.
std::string Split(const std::string& type, const google::protobuf::Message& message) {
  wire::SplitProtoManifest manifest;
  manifest.set_result_proto_type(type);
  manifest.add_records()->mutable_proto_merge_record();
  const std::string first = manifest.SerializeAsString();
  const std::string second = message.SerializeAsString();
  const std::vector<std::string_view> records = {first, second};
  return riegeli::WriteRecords(records).value_or("");
}

std::string Metadata(const std::string& content) {
  std::string bytes;
  AppendVarint(content.size(), bytes);
  return bytes + content;
}

wire::GpuExecutableProto SmallExecutable() {
  wire::GpuExecutableProto executable;
  executable.set_module_name("small");
  executable.add_thunks()->mutable_thunk_info()->set_thunk_id(1);
  return executable;
}

// One line a program, counted with another implementation of the format and the
// full schema: see test/golden/container/README.md.
struct Golden {
  std::string program, name;
  uint64_t metadata, outer, inner;
  int thunks, allocations, constants;
  uint64_t executable_bytes, options_bytes;
};

std::map<std::string, Golden> ReadGolden() {
  std::map<std::string, Golden> golden;
  std::istringstream lines(TestFile("golden/container/fixtures.txt"));
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with('#')) continue;
    Golden g;
    std::istringstream(line) >> g.program >> g.name >> g.metadata >> g.outer >> g.inner >>
        g.thunks >> g.allocations >> g.constants >> g.executable_bytes >> g.options_bytes;
    golden[g.program] = g;
  }
  return golden;
}

TEST(ExecutableFile, ReadsEveryFixture) {
  const std::map<std::string, Golden> golden = ReadGolden();
  ASSERT_GE(golden.size(), 73u);
  for (const std::string& name : FixtureNames()) {
    EXPECT_EQ(ReadFixture(name).kind, ExecutableKind::kComplete);
  }
  for (const auto& [name, expected] : golden) {
    SCOPED_TRACE(name);
    const ExecutableFile file = ReadFixture(name);
    EXPECT_EQ(file.name, expected.name);
    EXPECT_EQ(file.sizes.metadata, expected.metadata);
    EXPECT_EQ(file.sizes.outer_container, expected.outer);
    EXPECT_EQ(file.sizes.inner_container, expected.inner);
    EXPECT_EQ(file.executable.thunks_size(), expected.thunks);
    EXPECT_EQ(file.executable.buffer_allocations().values_size(), expected.allocations);
    EXPECT_EQ(file.executable.constants_size(), expected.constants);
    // With the fields that this schema does not have.
    EXPECT_EQ(file.executable.ByteSizeLong(), expected.executable_bytes);
    ASSERT_TRUE(file.options && file.metadata);
    EXPECT_EQ(file.options->ByteSizeLong(), expected.options_bytes);
    EXPECT_EQ(file.metadata->computation_name(), file.name);
    EXPECT_EQ(file.metadata_bytes.size(), expected.metadata);
  }
}

TEST(ExecutableFile, RecognisesEveryKindByContent) {
  const ExecutableFile complete = ReadFixture(kProgram);
  const std::string executable = complete.executable.SerializeAsString();
  std::string text;
  ASSERT_TRUE(google::protobuf::TextFormat::PrintToString(SmallExecutable(), &text));
  const struct {
    ExecutableKind kind;
    std::string bytes;
    wire::GpuExecutableProto expected;
  } cases[] = {
      {ExecutableKind::kOuterContainer, WithoutMetadata(FixtureExecutable(kProgram)),
       complete.executable},
      {ExecutableKind::kInnerContainer,
       Split("xla.gpu.GpuExecutableProto", complete.executable), complete.executable},
      {ExecutableKind::kBinaryProto, executable, complete.executable},
      {ExecutableKind::kTextProto, text, SmallExecutable()},
  };
  for (const auto& c : cases) {
    const auto file = ReadExecutableFile(c.bytes);
    ASSERT_TRUE(file.ok()) << file.status();
    EXPECT_EQ(file->kind, c.kind);
    EXPECT_EQ(file->executable.SerializeAsString(), c.expected.SerializeAsString());
    EXPECT_EQ(file->name, c.expected.module_name());
    EXPECT_EQ(file->metadata.has_value(), false);
    EXPECT_EQ(file->options.has_value(), c.kind == ExecutableKind::kOuterContainer);
    EXPECT_EQ(file->sizes.file, c.bytes.size());
    EXPECT_GT(file->sizes.decoded, 0u);
  }
}

// The tag and length of such a name are what a file begins with whose metadata are cut
// off.
TEST(ExecutableFile, ReadsShortMessagesThatBeginLikeMetadata) {
  wire::GpuExecutableProto executable = SmallExecutable();
  executable.set_module_name("8 bytes.");
  executable.add_thunks()->mutable_thunk_info()->set_profile_annotation(
      std::string(60, 'x'));
  const std::string bytes = executable.SerializeAsString();
  ASSERT_EQ(bytes.substr(0, 2), std::string("\x42\x08"));
  const absl::StatusOr<ExecutableFile> file = ReadExecutableFile(bytes);
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_EQ(file->name, "8 bytes.");
}

TEST(ExecutableFile, CountsDecodedBytesOverAllLevels) {
  const std::string bytes = FixtureExecutable(kProgram);
  const uint64_t decoded = ReadFixture(kProgram).sizes.decoded;
  EXPECT_GT(decoded, ReadFixture(kProgram).executable.ByteSizeLong());
  EXPECT_TRUE(ReadExecutableFile(bytes, {.max_decoded_bytes = decoded}).ok());
  const absl::Status status =
      ReadExecutableFile(bytes, {.max_decoded_bytes = decoded - 1}).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(std::string(status.message()), StartsWith("inner container: chunk "));
  EXPECT_THAT(
      std::string(
          ReadExecutableFile(bytes, {.max_decoded_bytes = 100}).status().message()),
      HasSubstr("the limit is 100"));
}

TEST(ExecutableFile, KeepsUnknownFields) {
  wire::GpuExecutableProto executable = SmallExecutable();
  const auto add = [](google::protobuf::Message* message) {
    message->GetReflection()->MutableUnknownFields(message)->AddVarint(123'456, 7);
  };
  add(&executable);
  add(executable.mutable_thunks(0));
  const std::string bytes = executable.SerializeAsString();
  const auto file = ReadExecutableFile(Split("xla.gpu.GpuExecutableProto", executable));
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_EQ(file->executable.SerializeAsString(), bytes);
  // The reduced schema does not know most of the compile options, and keeps them.
  EXPECT_GT(ReadFixture(kProgram).options->compile_options().ByteSizeLong(), 1000u);
}

TEST(ExecutableFile, RefusesForeignFiles) {
  for (const std::string& bytes :
       {std::string(), std::string(1000, '\0'), std::string("\x89PNG\r\n\x1a\n rest"),
        std::string("\x7f"
                    "ELF\2\1\1"),
        std::string("PK\3\4 and so on"), std::string(".version 8.0\n.target sm_90"),
        std::string("Hello, world.\n"), std::string("{\"json\": true}"),
        std::string("\xff\xfe\xfd\xfc binary \0", 13),
        TestFile("fixtures/jax-0.11.2/saxpy/io.npz"), std::string(" \n"),
        std::string("\x02"), std::string("\x08\x01")}) {
    EXPECT_THAT(Error(bytes), AllOf(StartsWith("not an executable: "),
                                    HasSubstr("accepted are an executable as JAX")))
        << bytes.substr(0, 20);
  }
  EXPECT_THAT(Error("\x89PNG\r\n\x1a\n"), HasSubstr("found a PNG image"));
  EXPECT_THAT(Error("Hello, world.\n"), HasSubstr("text form: 1:"));
  EXPECT_THAT(Error("module_name: 'm'"), HasSubstr("neither thunks nor"));
}

TEST(ExecutableFile, RefusesMessagesOfWhichLittleIsKnown) {
  wire::GpuExecutableProto executable = SmallExecutable();
  executable.GetReflection()
      ->MutableUnknownFields(&executable)
      ->AddLengthDelimited(77, std::string(100, '\1'));
  EXPECT_THAT(Error(executable.SerializeAsString()), HasSubstr("is in unknown fields"));
}

TEST(ExecutableFile, NamesTheDamagedPart) {
  const std::string file = FixtureExecutable(kProgram);
  size_t at = 0;
  const uint64_t metadata_size = ReadVarint(file, at).value();
  const std::string container = WithoutMetadata(file);
  EXPECT_THAT(Error(Metadata("\x08") + container), StartsWith("metadata: at byte 1"));
  EXPECT_THAT(Error(file.substr(0, file.size() - 1)),
              StartsWith("outer container: chunk 1 at byte 64: the file ends"));
  EXPECT_THAT(Error(file.substr(0, 128)),
              HasSubstr("outer container: the file ends after 128 bytes"));
  EXPECT_THAT(Error(file.substr(0, at + metadata_size)),
              HasSubstr("before the container that follows the metadata"));
  EXPECT_THAT(Error(file.substr(0, at + metadata_size + 64)),
              HasSubstr("outer container: expected a manifest record"));
  std::string flipped = file;
  flipped[at + metadata_size + 200] ^= 1;
  EXPECT_THAT(Error(flipped),
              StartsWith("outer container: chunk 1 at byte 64: the hash of the data"));
  EXPECT_THAT(Error(Split("xla.HloProto", SmallExecutable())),
              StartsWith("outer container: manifest record: expected the message type"));
}

std::string WithInner(const std::string& inner) {
  wire::ExecutableAndOptionsProto outer;
  outer.set_serialized_executable(inner);
  return Metadata("") + Split("xla.ExecutableAndOptionsProto", outer);
}

TEST(ExecutableFile, NamesTheInnerContainer) {
  const std::string inner = Split("xla.gpu.GpuExecutableProto", SmallExecutable());
  EXPECT_EQ(Error(WithInner(inner)), "");
  EXPECT_THAT(Error(WithInner("")), StartsWith("inner container: expected a records"));
  EXPECT_THAT(Error(WithInner("\x7f"
                              "ELF")),
              HasSubstr("found an ELF file"));
  EXPECT_THAT(Error(WithInner(inner.substr(0, inner.size() - 1))),
              StartsWith("inner container: chunk 1 at byte 64: "));
  EXPECT_THAT(Error(WithInner(Split("xla.HloProto", SmallExecutable()))),
              StartsWith("inner container: manifest record: expected"));
}

TEST(ExecutableFile, NamesItsKinds) {
  EXPECT_EQ(ExecutableKindName(ExecutableKind::kComplete), "complete executable");
  EXPECT_EQ(ExecutableKindName(ExecutableKind::kTextProto),
            "GpuExecutableProto in text form");
}

}  // namespace
}  // namespace thunky
