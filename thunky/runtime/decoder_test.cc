#include "thunky/runtime/decoder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "google/protobuf/text_format.h"
#include "thunky/schema/thunk_kind.h"
#include "thunky/schema/walk.h"

namespace thunky::runtime {
namespace {

using testing::HasSubstr;

TEST(Decoder, EveryKindIsDecodedOrReportedByName) {
  for (schema::ThunkKind kind : schema::AllKinds()) {
    if (DecodeFunctionFor(kind) != nullptr) continue;
    wire::GpuExecutableProto proto;
    wire::ThunkProto* thunk = proto.add_thunks();
    const auto* field = thunk->GetDescriptor()->FindFieldByNumber(static_cast<int>(kind));
    ASSERT_NE(field, nullptr);
    thunk->GetReflection()->MutableMessage(thunk, field);
    KernelTable kernels(nullptr);
    Decoder decoder(kernels);
    ASSERT_TRUE(decoder.DecodeThunks(proto.thunks(), "thunks").ok());
    absl::Status status = decoder.Finish();
    EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented);
    EXPECT_EQ(std::string(status.message()),
              "thunks[0]: thunk kind '" + schema::KindName(kind) + "' is not supported");
  }
}

TEST(Decoder, AThunkOfAnUnknownKindIsAnErrorWithItsPath) {
  wire::GpuExecutableProto proto;
  proto.add_thunks();
  KernelTable kernels(nullptr);
  Decoder decoder(kernels);
  auto thunks = decoder.DecodeThunks(proto.thunks(), "thunks");
  ASSERT_EQ(thunks.status().code(), absl::StatusCode::kUnimplemented);
  EXPECT_THAT(std::string(thunks.status().message()), HasSubstr("thunks[0]: "));
}

// The decoder and the rules name the same thunk by the same path.
TEST(Decoder, PathsAreThoseOfTheSchema) {
  wire::GpuExecutableProto proto;
  ASSERT_TRUE(google::protobuf::TextFormat::ParseFromString(
      R"pb(
        thunks {
          while_thunk {
            condition_thunk_sequence { thunks { fft_thunk {} } }
            body_thunk_sequence {
              thunks {
                conditional_thunk {
                  branch_thunks {}
                  branch_thunks { thunks { fft_thunk {} } }
                }
              }
              thunks { sequential_thunk { thunks { fft_thunk {} } } }
            }
          }
        }
        thunks {
          async_start_thunk {
            thunks {
              thunks {
                dynamic_slice_fusion_thunk { embedded_thunks { thunks { fft_thunk {} } } }
              }
            }
          }
        })pb",
      &proto));
  KernelTable kernels(nullptr);
  Decoder decoder(kernels);
  ASSERT_TRUE(decoder.DecodeThunks(proto.thunks(), "thunks").ok());
  const std::string message(decoder.Finish().message());
  int leaves = 0;
  ASSERT_TRUE(schema::WalkThunks(proto.thunks(), [&](const schema::ThunkVisit& visit) {
                if (visit.kind == schema::ThunkKind::kFft) {
                  ++leaves;
                  EXPECT_THAT(message, HasSubstr(visit.path.ToString() + ": "));
                }
                return absl::OkStatus();
              }).ok());
  EXPECT_EQ(leaves, 4);
}

}  // namespace
}  // namespace thunky::runtime
