#include "thunky/container/split_proto_writer.h"

#include <string>
#include <string_view>
#include <vector>

#include "gmock/gmock.h"
#include "google/protobuf/unknown_field_set.h"
#include "google/protobuf/util/message_differencer.h"
#include "gtest/gtest.h"
#include "proto/executable.pb.h"
#include "proto/options.pb.h"
#include "thunky/container/split_proto.h"

namespace thunky {
namespace {

using google::protobuf::util::MessageDifferencer;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr char kType[] = "xla.gpu.GpuExecutableProto";
constexpr SplitLimits kTight = {.max_merge_bytes = 200, .max_inline_bytes = 50};

// Thunks with code of 100 bytes and without, text of 1000 bytes, a map.
wire::GpuExecutableProto Example() {
  wire::GpuExecutableProto executable;
  executable.set_module_name("example");
  for (int i = 0; i < 30; ++i) {
    wire::ThunkProto* thunk = executable.add_thunks();
    thunk->mutable_thunk_info()->set_thunk_id(i + 1);
    thunk->mutable_thunk_info()->set_profile_annotation("thunk " + std::to_string(i));
    if (i % 3 == 0) {
      auto* kernel = thunk->mutable_custom_kernel_thunk()->mutable_custom_kernel();
      kernel->mutable_kernel_spec()->mutable_cubin()->set_data(
          std::string(100, static_cast<char>('a' + i)));
    }
  }
  executable.set_asm_text(std::string(1000, 't'));
  executable.add_constants()->set_symbol_name("constant");
  for (const char* key : {"b", "c", "a"}) {
    (*executable.mutable_dnn_compiled_graphs())[key] = std::string("graph ") + key;
  }
  executable.GetReflection()->MutableUnknownFields(&executable)->AddVarint(9999, 1);
  executable.mutable_thunks(7)
      ->GetReflection()
      ->MutableUnknownFields(executable.mutable_thunks(7))
      ->AddVarint(8888, 2);
  return executable;
}

struct Read {
  wire::SplitProtoManifest manifest;
  wire::GpuExecutableProto executable;
};

Read ReadBack(const std::vector<std::string>& records) {
  const std::vector<std::string_view> views(records.begin(), records.end());
  ReadBudget budget;
  ProtoScanner scanner(budget);
  Read read;
  absl::StatusOr<wire::SplitProtoManifest> manifest =
      ReadSplitProtoManifest(views, scanner);
  EXPECT_TRUE(manifest.ok()) << manifest.status();
  if (!manifest.ok()) return read;
  read.manifest = *manifest;
  const absl::Status status =
      MergeSplitProto(read.manifest, views, kType, scanner, read.executable);
  EXPECT_TRUE(status.ok()) << status;
  return read;
}

TEST(SplitProtoWriter, WritesSmallMessagesAsOneMergeRecord) {
  const auto records = SplitProto(kType, Example());
  ASSERT_TRUE(records.ok()) << records.status();
  const Read read = ReadBack(*records);
  EXPECT_EQ(read.manifest.records_size(), 1);
  EXPECT_TRUE(read.manifest.records(0).has_proto_merge_record());
  EXPECT_TRUE(MessageDifferencer::Equals(read.executable, Example()));
}

TEST(SplitProtoWriter, CutsLargeMessages) {
  const auto records = SplitProto(kType, Example(), {}, kTight);
  ASSERT_TRUE(records.ok()) << records.status();
  const Read read = ReadBack(*records);
  EXPECT_TRUE(MessageDifferencer::Equals(read.executable, Example()));
  int merges = 0;
  int overrides = 0;
  for (int i = 0; i < read.manifest.records_size(); ++i) {
    const bool merge = read.manifest.records(i).has_proto_merge_record();
    ++(merge ? merges : overrides);
    if (merge) {
      EXPECT_LE((*records)[static_cast<size_t>(i) + 1].size(), 200u) << i;
    }
  }
  // jaxlib reads overrides of fields of the message itself, and no others.
  EXPECT_EQ(overrides, 1);
  EXPECT_GT(merges, 4);
  const auto& path = read.manifest.records(0).field_override_record().field_path();
  ASSERT_EQ(path.size(), 1);
  EXPECT_EQ(path[0].field_number(), wire::GpuExecutableProto::kAsmTextFieldNumber);
  EXPECT_EQ((*records)[1], std::string(1000, 't'));
}

// Equal messages, filled in another order.
TEST(SplitProtoWriter, WritesEqualMessagesAlike) {
  wire::GpuExecutableProto one;
  wire::GpuExecutableProto other;
  for (int i = 0; i < 100; ++i) {
    (*one.mutable_dnn_compiled_graphs())[std::to_string(i)] = "x";
    (*other.mutable_dnn_compiled_graphs())[std::to_string(99 - i)] = "x";
  }
  EXPECT_EQ(*SplitProto(kType, one), *SplitProto(kType, other));
  EXPECT_EQ(*SplitProto(kType, Example(), {}, kTight),
            *SplitProto(kType, Example(), {}, kTight));
}

TEST(SplitProtoWriter, WritesContentFromOutsideFirst) {
  wire::ExecutableAndOptionsProto options;
  options.set_pjrt_client_name("client");
  const FieldContent content = {1, "the executable"};
  const auto records =
      SplitProto("xla.ExecutableAndOptionsProto", options, {&content, 1});
  ASSERT_TRUE(records.ok()) << records.status();
  ASSERT_EQ(records->size(), 3u);
  wire::SplitProtoManifest manifest;
  ASSERT_TRUE(manifest.ParseFromString(records->front()));
  EXPECT_EQ(manifest.result_proto_type(), "xla.ExecutableAndOptionsProto");
  const auto& override = manifest.records(0).field_override_record();
  EXPECT_EQ(override.field_type(), wire::Record::FieldOverrideRecord::TYPE_STRING);
  ASSERT_EQ(override.field_path_size(), 1);
  EXPECT_EQ(override.field_path(0).field_number(), 1);
  EXPECT_THAT(*records,
              ElementsAre(testing::_, "the executable", options.SerializeAsString()));
}

TEST(SplitProtoWriter, NamesWhatIsTooLarge) {
  wire::GpuExecutableProto executable = Example();
  for (int i = 0; i < 20; ++i) {
    executable.mutable_thunks(5)->mutable_custom_kernel_thunk()->add_args();
    executable.mutable_thunks(5)
        ->mutable_custom_kernel_thunk()
        ->add_args()
        ->mutable_slice()
        ->set_size(int64_t{1} << 60);
  }
  EXPECT_THAT(SplitProto(kType, executable, {}, kTight).status().ToString(),
              HasSubstr("thunks[5]: has "));
  executable = Example();
  for (int i = 0; i < 100; ++i) executable.mutable_program_shape()->add_parameters();
  EXPECT_THAT(SplitProto(kType, executable, {}, kTight).status().ToString(),
              HasSubstr("program_shape: has "));
}

}  // namespace
}  // namespace thunky
