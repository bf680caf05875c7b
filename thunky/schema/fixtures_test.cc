// Every program under test/fixtures obeys the rules, and has the signature that its
// own file states elsewhere.
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "thunky/container/executable_file.h"
#include "thunky/container/fixture_files.h"
#include "thunky/schema/constants.h"
#include "thunky/schema/executable_rules.h"
#include "thunky/schema/release.h"
#include "thunky/schema/signature.h"
#include "thunky/schema/walk.h"

namespace thunky::schema {
namespace {

ExecutableFile Read(const std::string& fixture) {
  absl::StatusOr<ExecutableFile> file = ReadExecutableFile(FixtureExecutable(fixture));
  EXPECT_TRUE(file.ok()) << fixture << ": " << file.status();
  return file.ok() ? *std::move(file) : ExecutableFile();
}

// Calls `check` with each program.
void ForEachFixture(const std::function<void(const ExecutableFile&)>& check) {
  const std::vector<std::string> names = FixtureNames();
  EXPECT_GE(names.size(), 70u);
  for (const std::string& name : names) {
    SCOPED_TRACE(name);
    check(Read(name));
  }
}

TEST(FixturesTest, Verify) {
  ForEachFixture([](const ExecutableFile& file) {
    const absl::Status status = VerifyExecutable(file.executable);
    EXPECT_TRUE(status.ok()) << status;
  });
}

TEST(FixturesTest, HaveTheirSignatures) {
  ForEachFixture([](const ExecutableFile& file) {
    const wire::GpuExecutableProto& executable = file.executable;
    const absl::StatusOr<Signature> signature = SignatureOf(executable);
    ASSERT_TRUE(signature.ok()) << signature.status();
    const int parameters = executable.program_shape().parameters_size();
    EXPECT_EQ(signature->program_parameters, parameters);
    // The compiler allocates every parameter, the constants and the results.
    EXPECT_EQ(signature->parameters.size(), parameters);
    EXPECT_EQ(signature->constants.size(), executable.constants_size());
    // The output map lists a tuple's own table as well.
    EXPECT_EQ(signature->results.size() + (signature->tuple_result ? 1 : 0),
              executable.output_info_map_size());
    ASSERT_TRUE(file.metadata.has_value());
    EXPECT_EQ(signature->results.size(), file.metadata->output_specs_size());
    for (const SignatureParameter& parameter : signature->parameters) {
      EXPECT_EQ(ByteSize(parameter.type), parameter.size) << parameter.number;
    }
    for (const SignatureResult& result : signature->results) {
      EXPECT_EQ(ByteSize(result.type), result.size) << ToString(result.shape_index);
    }
  });
}

TEST(FixturesTest, AllocationsHaveOneRole) {
  ForEachFixture([](const ExecutableFile& file) {
    const absl::StatusOr<Signature> signature = SignatureOf(file.executable);
    ASSERT_TRUE(signature.ok()) << signature.status();
    std::set<int64_t> seen;
    for (const auto& parameter : signature->parameters) {
      EXPECT_TRUE(seen.insert(parameter.allocation).second);
    }
    for (const auto& constant : signature->constants) {
      ASSERT_GE(constant.allocation, 0);
      EXPECT_TRUE(seen.insert(constant.allocation).second);
    }
    for (const auto& temporary : signature->temporaries) {
      EXPECT_TRUE(seen.insert(temporary.allocation).second);
    }
    for (const auto& result : signature->results) {
      const bool shared =
          result.aliased_parameter.has_value() || result.constant.has_value();
      EXPECT_EQ(seen.insert(result.allocation).second, !shared);
    }
  });
}

TEST(FixturesTest, ConstantsFillTheirAllocations) {
  int constants_seen = 0;
  ForEachFixture([&](const ExecutableFile& file) {
    const auto constants = ConstantsOf(file.executable);
    ASSERT_TRUE(constants.ok()) << constants.status();
    for (const Constant& constant : *constants) {
      ++constants_seen;
      EXPECT_EQ(constant.bytes.size(), constant.size) << constant.name;
      EXPECT_GT(constant.size, 0) << constant.name;
    }
  });
  EXPECT_GE(constants_seen, 16);
}

TEST(FixturesTest, SayTheirRelease) {
  ForEachFixture([](const ExecutableFile& file) {
    ASSERT_TRUE(file.metadata.has_value());
    EXPECT_EQ(DescribeRelease(file.executable, &*file.metadata),
              "CUDA 13.0.0, cuDNN 9.19.0, CUB 3.2.0, compute capability 9.0a, ifrt "
              "version 3, runtime pjrt_ifrt");
  });
}

std::map<std::string, int> KindCounts(const std::string& fixture) {
  std::map<std::string, int> counts;
  const ExecutableFile file = Read(fixture);
  EXPECT_TRUE(WalkThunks(file.executable.thunks(), [&](const ThunkVisit& visit) {
                ++counts[KindName(*visit.kind)];
                return absl::OkStatus();
              }).ok());
  return counts;
}

TEST(FixturesTest, NestedThunksAreSeen) {
  EXPECT_THAT(KindCounts("jax-0.11.2/scan_rnn"),
              testing::IsSupersetOf(
                  {testing::Pair("dynamic_slice_fusion", 2), testing::Pair("while", 1)}));
  EXPECT_THAT(KindCounts("jax-0.11.2/cond"),
              testing::Contains(testing::Pair("conditional", 1)));
}

// 198 parameters, one result, and what kernels use in between.
TEST(FixturesTest, ArgumentsAreDecidedByUse) {
  const ExecutableFile file = Read("bench/flax_lm12_forward");
  const auto signature = SignatureOf(file.executable);
  ASSERT_TRUE(signature.ok()) << signature.status();
  EXPECT_EQ(signature->parameters.size(), 198u);
  EXPECT_EQ(signature->results.size(), 1u);
  EXPECT_EQ(signature->temporaries.size(), 1u);
  EXPECT_GT(file.executable.buffer_allocations().values_size(), 200);
}

TEST(FixturesTest, DonatedParameterIsAliased) {
  const ExecutableFile file = Read("jax-0.11.2/donate");
  const auto signature = SignatureOf(file.executable);
  ASSERT_TRUE(signature.ok()) << signature.status();
  ASSERT_EQ(signature->results.size(), 1u);
  EXPECT_EQ(signature->results[0].aliased_parameter, 0);
  EXPECT_EQ(signature->results[0].alias, AliasKind::kMay);
  EXPECT_THAT(signature->parameters[0].aliased_results, testing::ElementsAre(0));
  EXPECT_EQ(signature->parameters[1].alias, AliasKind::kNone);
}

}  // namespace
}  // namespace thunky::schema
