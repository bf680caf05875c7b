#include "thunky/hal/graph_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

namespace thunky::hal {
namespace {

using ::testing::HasSubstr;

// Addresses of plans begin here.
constexpr uint64_t kBase = 0x1000;

DeviceSpan Span(uint64_t begin, uint64_t end) { return {kBase + begin, end - begin}; }

class NamedKernel : public Kernel {
 public:
  explicit NamedKernel(const std::string& entry) { info_.entry = entry; }
  const KernelInfo& info() const override { return info_; }

 private:
  KernelInfo info_;
};

// A launch that reads and writes these bytes.
LaunchCommand Launch(const std::string& entry, std::vector<DeviceSpan> reads,
                     std::vector<DeviceSpan> writes) {
  LaunchCommand command;
  command.kernel = std::make_shared<NamedKernel>(entry);
  for (const DeviceSpan& span : reads) {
    command.accesses.push_back({span.address, span.address + span.size, false, ""});
  }
  for (const DeviceSpan& span : writes) {
    command.accesses.push_back({span.address, span.address + span.size, true, ""});
  }
  return command;
}

std::string PlanOf(const std::function<absl::Status(Recorder&)>& record) {
  PlanRecorder recorder;
  const absl::Status status = record(recorder);
  EXPECT_TRUE(status.ok()) << status;
  return recorder.Take().ToString(kBase);
}

TEST(GraphPlanTest, WhatDoesNotConflictWaitsForNothing) {
  EXPECT_EQ(PlanOf([](Recorder& r) {
              EXPECT_TRUE(r.Fill(Span(0, 32), 0).ok());
              EXPECT_TRUE(r.Fill(Span(32, 64), 0).ok());
              EXPECT_TRUE(r.Copy(Span(64, 96), Span(0, 32)).ok());
              return r.Copy(Span(96, 128), Span(0, 32));
            }),
            "0 fill [0, 32)\n"
            "1 fill [32, 64)\n"
            "2 copy [0, 32) -> [64, 96) after 0\n"
            "3 copy [0, 32) -> [96, 128) after 0\n");
}

TEST(GraphPlanTest, AWriterWaitsForReadersAndTheyForTheWriter) {
  EXPECT_EQ(PlanOf([](Recorder& r) {
              EXPECT_TRUE(r.Fill(Span(0, 32), 0).ok());
              EXPECT_TRUE(r.Copy(Span(64, 96), Span(0, 32)).ok());
              EXPECT_TRUE(r.Copy(Span(96, 128), Span(0, 32)).ok());
              return r.Fill(Span(0, 32), 1);
            }),
            "0 fill [0, 32)\n"
            "1 copy [0, 32) -> [64, 96) after 0\n"
            "2 copy [0, 32) -> [96, 128) after 0\n"
            "3 fill [0, 32) after 1, 2\n");
}

TEST(GraphPlanTest, RangesThatOverlapInPartConflict) {
  EXPECT_EQ(PlanOf([](Recorder& r) {
              EXPECT_TRUE(r.Fill(Span(0, 32), 0).ok());
              EXPECT_TRUE(r.Fill(Span(64, 96), 0).ok());
              return r.Launch(Launch("k", {Span(16, 80)}, {Span(200, 204)}));
            }),
            "0 fill [0, 32)\n"
            "1 fill [64, 96)\n"
            "2 launch k after 0, 1\n");
}

TEST(GraphPlanTest, ALaunchDoesNotWaitForItself) {
  EXPECT_EQ(PlanOf([](Recorder& r) {
              EXPECT_TRUE(r.Launch(Launch("a", {Span(0, 8)}, {Span(0, 8)})).ok());
              return r.Launch(Launch("b", {Span(0, 8)}, {Span(0, 8)}));
            }),
            "0 launch a\n1 launch b after 0\n");
}

TEST(GraphPlanTest, EmptyWorkIsNoNode) {
  EXPECT_EQ(PlanOf([](Recorder& r) {
              EXPECT_TRUE(r.Fill(Span(0, 0), 0).ok());
              EXPECT_TRUE(r.Copy(Span(0, 8), Span(0, 8)).ok());
              LaunchCommand nothing = Launch("k", {}, {Span(0, 8)});
              nothing.grid.y = 0;
              return r.Launch(nothing);
            }),
            "");
}

TEST(GraphPlanTest, AKnownLoopIsUnrolled) {
  EXPECT_EQ(PlanOf([](Recorder& r) {
              const auto none = [](Recorder&) { return absl::OkStatus(); };
              const auto body = [](Recorder& inner) {
                const uint64_t i = inner.iterations().back();
                return inner.Fill(Span(8 * i, 8 * i + 8), 0);
              };
              return r.Loop(Span(100, 101), 3, none, body);
            }),
            "0 fill [0, 8)\n1 fill [8, 16)\n2 fill [16, 24)\n");
}

TEST(GraphPlanTest, ALoopOfNothingEndsAtOnce) {
  EXPECT_EQ(PlanOf([](Recorder& r) {
              const auto none = [](Recorder&) { return absl::OkStatus(); };
              return r.Loop(Span(0, 1), uint64_t{1} << 60, none, none);
            }),
            "");
}

TEST(GraphPlanTest, AnUnknownLoopIsOneNodeThatCoversItsBodies) {
  EXPECT_EQ(PlanOf([](Recorder& r) {
              EXPECT_TRUE(r.Fill(Span(0, 8), 0).ok());
              const auto condition = [](Recorder& inner) {
                return inner.Fill(Span(100, 101), 0);
              };
              const auto body = [](Recorder& inner) {
                EXPECT_TRUE(inner.Fill(Span(0, 8), 1).ok());
                return inner.Copy(Span(8, 16), Span(0, 8));
              };
              EXPECT_TRUE(r.Loop(Span(100, 101), std::nullopt, condition, body).ok());
              return r.Copy(Span(16, 24), Span(8, 16));
            }),
            "0 fill [0, 8)\n"
            "1 loop [100, 101) after 0\n"
            "  body\n"
            "    0 fill [100, 101)\n"
            "  body\n"
            "    0 fill [0, 8)\n"
            "    1 copy [0, 8) -> [8, 16) after 0\n"
            "2 copy [8, 16) -> [16, 24) after 1\n");
}

TEST(GraphPlanTest, BranchesAreBodies) {
  EXPECT_EQ(PlanOf([](Recorder& r) {
              const auto first = [](Recorder& inner) {
                return inner.Fill(Span(0, 8), 0);
              };
              const auto second = [](Recorder&) { return absl::OkStatus(); };
              const std::vector<Region> branches = {first, second};
              return r.Branch(Span(100, 101), branches);
            }),
            "0 branch [100, 101)\n  body\n    0 fill [0, 8)\n  body\n");
}

TEST(GraphPlanTest, BodiesOfStreamsAreNodesLikeOthers) {
  EXPECT_EQ(PlanOf([](Recorder& r) {
              auto token = r.Fork(
                  {}, false, [](Recorder& inner) { return inner.Fill(Span(0, 8), 0); });
              EXPECT_TRUE(token.ok());
              EXPECT_TRUE(r.Fill(Span(8, 16), 0).ok());
              EXPECT_TRUE(r.Join(*std::move(token)).ok());
              return r.Copy(Span(16, 24), Span(0, 8));
            }),
            "0 fill [0, 8)\n1 fill [8, 16)\n2 copy [0, 8) -> [16, 24) after 0\n");
}

TEST(GraphPlanTest, TooManyNodesAreNoPlan) {
  PlanRecorder recorder(/*max_nodes=*/10);
  const auto none = [](Recorder&) { return absl::OkStatus(); };
  const auto body = [](Recorder& inner) { return inner.Fill(Span(0, 8), 0); };
  const absl::Status status = recorder.Loop(Span(0, 1), 11, none, body);
  EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented);
  EXPECT_THAT(std::string(status.message()), HasSubstr("too many nodes"));
}

class Computed : public OffsetSource {
 public:
  std::vector<DeviceSpan> inputs() const override { return {Span(0, 4)}; }
  absl::StatusOr<uint64_t> Evaluate(absl::Span<const std::vector<uint8_t>>,
                                    absl::Span<const uint64_t>) const override {
    return 0;
  }
};

TEST(GraphPlanTest, OffsetsOfTheDeviceAreNoPlan) {
  PlanRecorder recorder;
  const Computed computed;
  const OffsetSource* const sources[] = {&computed};
  const absl::Status status = recorder.WithOffsets(
      sources, [](Recorder&, absl::Span<const uint64_t>) { return absl::OkStatus(); });
  EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented);
  EXPECT_THAT(std::string(status.message()), HasSubstr("where the device computes"));
}

}  // namespace
}  // namespace thunky::hal
