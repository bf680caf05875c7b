#include "thunky/schema/walk.h"

#include "absl/strings/str_cat.h"
#include "thunky/schema/test_programs.h"

namespace thunky::schema {
namespace {

constexpr char kTree[] = R"pb(
  thunks { memzero_thunk {} }
  thunks {
    while_thunk {
      condition_thunk_sequence { thunks { memzero_thunk {} } }
      body_thunk_sequence {
        thunks { memzero_thunk {} }
        thunks {
          conditional_thunk {
            branch_thunks {}
            branch_thunks { thunks { memzero_thunk {} } }
          }
        }
        thunks {
          dynamic_slice_fusion_thunk {
            slice_allocations { size: 4 }
            embedded_thunks { thunks { memzero_thunk {} } }
          }
        }
      }
    }
  }
  thunks {
    sequential_thunk {
      thunks { async_start_thunk { thunks { thunks { memzero_thunk {} } } } }
    }
  }
)pb";

TEST(WalkTest, VisitsParentsFirstWithPathsAndLoops) {
  const auto program = Parse<wire::GpuExecutableProto>(kTree);
  std::vector<std::string> seen;
  EXPECT_THAT(WalkThunks(program.thunks(),
                         [&](const ThunkVisit& visit) {
                           seen.push_back(absl::StrCat(
                               visit.path.ToString(), " depth ", visit.depth, " loops ",
                               visit.enclosing_loops,
                               visit.local_allocations != nullptr ? " local" : ""));
                           return absl::OkStatus();
                         }),
              Succeeds());
  EXPECT_THAT(seen,
              testing::ElementsAre(
                  "thunks[0] depth 0 loops 0", "thunks[1] depth 0 loops 0",
                  "thunks[1].while.cond[0] depth 1 loops 1",
                  "thunks[1].while.body[0] depth 1 loops 1",
                  "thunks[1].while.body[1] depth 1 loops 1",
                  "thunks[1].while.body[1].conditional.branches[1][0] depth 2 loops 1",
                  "thunks[1].while.body[2] depth 1 loops 1",
                  "thunks[1].while.body[2].dynamic_slice_fusion.embedded[0] depth 2 "
                  "loops 1 local",
                  "thunks[2] depth 0 loops 0", "thunks[2].sequential[0] depth 1 loops 0",
                  "thunks[2].sequential[0].async_start.body[0] depth 2 loops 0"));
}

TEST(WalkTest, AnErrorStopsItAndGetsThePath) {
  const auto program = Parse<wire::GpuExecutableProto>(kTree);
  int visits = 0;
  EXPECT_THAT(WalkThunks(program.thunks(),
                         [&](const ThunkVisit& visit) {
                           ++visits;
                           return visit.depth == 1 ? absl::InvalidArgumentError("no")
                                                   : absl::OkStatus();
                         }),
              FailsWith("thunks[1].while.cond[0]: no"));
  EXPECT_EQ(visits, 3);
}

TEST(WalkTest, GoesPastUnknownKinds) {
  const auto program =
      Parse<wire::GpuExecutableProto>("thunks {} thunks { memzero_thunk {} }");
  std::vector<bool> known;
  EXPECT_THAT(WalkThunks(program.thunks(),
                         [&](const ThunkVisit& visit) {
                           known.push_back(visit.kind.has_value());
                           return absl::OkStatus();
                         }),
              Succeeds());
  EXPECT_THAT(known, testing::ElementsAre(false, true));
}

wire::GpuExecutableProto Nested(int depth) {
  wire::GpuExecutableProto program;
  wire::ThunkProto* thunk = program.add_thunks();
  for (int i = 0; i < depth; ++i) thunk = thunk->mutable_sequential_thunk()->add_thunks();
  thunk->mutable_memzero_thunk();
  return program;
}

absl::Status Walk(const wire::GpuExecutableProto& program) {
  return WalkThunks(program.thunks(), [](const ThunkVisit&) { return absl::OkStatus(); });
}

TEST(WalkTest, DepthIsBounded) {
  EXPECT_THAT(Walk(Nested(kMaxThunkDepth)), Succeeds());
  EXPECT_THAT(Walk(Nested(kMaxThunkDepth + 1)), FailsWith("nested deeper than 256"));
  EXPECT_THAT(Walk(Nested(10000)), FailsWith("nested deeper than 256"));
}

TEST(WalkTest, CountIsBounded) {
  wire::GpuExecutableProto program;
  for (int i = 0; i < kMaxThunkCount; ++i) program.add_thunks()->mutable_memzero_thunk();
  EXPECT_THAT(Walk(program), Succeeds());
  program.add_thunks()->mutable_memzero_thunk();
  EXPECT_THAT(Walk(program), FailsWith("thunks[1000000]: more than 1000000 thunks"));
}

}  // namespace
}  // namespace thunky::schema
