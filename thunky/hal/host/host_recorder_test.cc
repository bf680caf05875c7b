#include "thunky/hal/host/host_recorder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstring>
#include <thread>
#include <vector>

#include "thunky/hal/host/stream_workers.h"

namespace thunky::hal {
namespace {

using testing::ElementsAre;

template <typename T>
DeviceSpan SpanOf(T& value) {
  return {reinterpret_cast<uint64_t>(&value), sizeof(T)};
}

class HostRecorderTest : public testing::Test {
 protected:
  RunOptions options_;
  std::unique_ptr<Recorder> recorder_ = MakeHostRecorder(options_);
};

TEST_F(HostRecorderTest, FillStoresThePatternLittleEndian) {
  std::array<uint8_t, 8> bytes{};
  ASSERT_TRUE(recorder_->Fill(SpanOf(bytes), 0x04030201).ok());
  EXPECT_THAT(bytes, ElementsAre(1, 2, 3, 4, 1, 2, 3, 4));
  DeviceSpan odd = SpanOf(bytes).Slice(0, 5);
  ASSERT_TRUE(recorder_->Fill(odd, 0).ok());
  EXPECT_THAT(bytes, ElementsAre(0, 0, 0, 0, 0, 2, 3, 4));
  EXPECT_FALSE(recorder_->Fill(odd, 0x04030201).ok());
  EXPECT_TRUE(recorder_->Fill({0, 0}, 0x04030201).ok());
}

TEST_F(HostRecorderTest, CopyNeedsEqualSizes) {
  uint32_t from = 7, to = 0;
  ASSERT_TRUE(recorder_->Copy(SpanOf(to), SpanOf(from)).ok());
  EXPECT_EQ(to, 7u);
  EXPECT_FALSE(recorder_->Copy(SpanOf(to).Slice(0, 2), SpanOf(from)).ok());
  EXPECT_TRUE(recorder_->Copy({0, 0}, {0, 0}).ok());
}

int ChosenBranch(Recorder& recorder, DeviceSpan index, int count) {
  int chosen = -1;
  std::vector<std::function<absl::Status(Recorder&)>> bodies;
  bodies.reserve(count);
  for (int i = 0; i < count; ++i) {
    bodies.push_back([&chosen, i](Recorder&) {
      chosen = i;
      return absl::OkStatus();
    });
  }
  std::vector<Region> regions(bodies.begin(), bodies.end());
  EXPECT_TRUE(recorder.Branch(index, regions).ok());
  return chosen;
}

TEST_F(HostRecorderTest, BoolTrueIsTheFirstBranch) {
  uint8_t index = 1;
  EXPECT_EQ(ChosenBranch(*recorder_, SpanOf(index), 2), 0);
  index = 0;
  EXPECT_EQ(ChosenBranch(*recorder_, SpanOf(index), 2), 1);
}

TEST_F(HostRecorderTest, AnIndexOutOfRangeIsTheLastBranch) {
  for (auto [index, chosen] : std::vector<std::pair<int32_t, int>>{
           {0, 0}, {1, 1}, {2, 2}, {3, 2}, {-1, 2}, {INT32_MIN, 2}, {INT32_MAX, 2}}) {
    EXPECT_EQ(ChosenBranch(*recorder_, SpanOf(index), 3), chosen) << index;
  }
}

TEST_F(HostRecorderTest, LoopsCountIterationsFromTheOutside) {
  uint8_t predicate = 1;
  int left = 2;
  std::vector<std::vector<uint64_t>> seen;
  auto record = [&](Recorder& r) {
    seen.push_back(r.iterations());
    return absl::OkStatus();
  };
  auto inner = [&](Recorder& r) -> absl::Status { return r.Loop({}, 2, record, record); };
  auto condition = [&](Recorder&) {
    predicate = left-- > 0;
    return absl::OkStatus();
  };
  ASSERT_TRUE(recorder_->Loop(SpanOf(predicate), std::nullopt, condition, inner).ok());
  EXPECT_THAT(seen, ElementsAre(ElementsAre(0, 0), ElementsAre(0, 1), ElementsAre(1, 0),
                                ElementsAre(1, 1)));
  EXPECT_TRUE(recorder_->iterations().empty());
}

TEST_F(HostRecorderTest, ABodyThatFailsEndsTheLoop) {
  int runs = 0;
  auto body = [&](Recorder&) {
    return ++runs == 3 ? absl::AbortedError("no") : absl::OkStatus();
  };
  EXPECT_EQ(recorder_->Loop({}, 10, body, body).code(), absl::StatusCode::kAborted);
  EXPECT_EQ(runs, 3);
}

TEST_F(HostRecorderTest, BodiesOnTwoStreamsRunAtTheSameTime) {
  std::atomic<int> arrived{0};
  // Each body waits for the other one: only possible side by side.
  auto body = [&](Recorder&) -> absl::Status {
    ++arrived;
    for (int i = 0; i < 5000 && arrived < 2; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return arrived == 2 ? absl::OkStatus() : absl::DeadlineExceededError("alone");
  };
  auto first = recorder_->Fork({StreamId::Kind::kComputation, 1}, false, body);
  auto second = recorder_->Fork({StreamId::Kind::kCommunication, 1}, false, body);
  ASSERT_TRUE(first.ok());
  ASSERT_TRUE(second.ok());
  EXPECT_TRUE(recorder_->Join(*std::move(first)).ok());
  EXPECT_TRUE(recorder_->Join(*std::move(second)).ok());
}

TEST_F(HostRecorderTest, BodiesOnOneStreamRunInOrder) {
  std::vector<int> order;
  std::vector<std::unique_ptr<ForkToken>> tokens;
  for (int i = 0; i < 100; ++i) {
    // Every third body forks as well and so runs on this thread.
    const bool forks = i % 3 == 0;
    auto token =
        recorder_->Fork({StreamId::Kind::kComputation, 7}, forks, [&order, i](Recorder&) {
          order.push_back(i);
          return absl::OkStatus();
        });
    ASSERT_TRUE(token.ok());
    tokens.push_back(*std::move(token));
  }
  for (auto& token : tokens) EXPECT_TRUE(recorder_->Join(std::move(token)).ok());
  for (int i = 0; i < 100; ++i) EXPECT_EQ(order[i], i);
}

TEST_F(HostRecorderTest, TheErrorOfABodyComesOutOfItsJoin) {
  auto token = recorder_->Fork({StreamId::Kind::kComputation, 0}, false, [](Recorder&) {
    return absl::AbortedError("body failed");
  });
  ASSERT_TRUE(token.ok());
  EXPECT_EQ(recorder_->Join(*std::move(token)).message(), "body failed");
}

TEST_F(HostRecorderTest, TooManyStreamsAreRefused) {
  auto body = [](Recorder&) { return absl::OkStatus(); };
  absl::Status status;
  for (uint64_t i = 0; i <= StreamWorkers::kMaxStreams && status.ok(); ++i) {
    status = recorder_->Fork({StreamId::Kind::kComputation, i}, false, body).status();
  }
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
}

TEST_F(HostRecorderTest, BodiesSeeTheIterationTheyWereForkedIn) {
  std::vector<std::vector<uint64_t>> seen;
  auto body = [&](Recorder& r) -> absl::Status {
    auto token = r.Fork({StreamId::Kind::kComputation, 1}, false, [&](Recorder& inner) {
      seen.push_back(inner.iterations());
      return absl::OkStatus();
    });
    if (!token.ok()) return token.status();
    return r.Join(*std::move(token));
  };
  ASSERT_TRUE(recorder_->Loop({}, 2, body, body).ok());
  EXPECT_THAT(seen, ElementsAre(ElementsAre(0), ElementsAre(1)));
}

TEST(HostRecorder, ACancelledRunStopsAtTheNextCommand) {
  CancellationToken token;
  RunOptions options;
  options.cancellation = &token;
  auto recorder = MakeHostRecorder(options);
  int runs = 0;
  auto body = [&](Recorder&) {
    if (++runs == 5) token.Cancel();
    return absl::OkStatus();
  };
  EXPECT_EQ(recorder->Loop({}, UINT64_MAX, body, body).code(),
            absl::StatusCode::kCancelled);
  EXPECT_EQ(runs, 5);
}

class TwiceTheValue : public OffsetSource {
 public:
  explicit TwiceTheValue(DeviceSpan input) : input_(input) {}
  std::vector<DeviceSpan> inputs() const override { return {input_}; }
  absl::StatusOr<uint64_t> Evaluate(
      absl::Span<const std::vector<uint8_t>> inputs,
      absl::Span<const uint64_t> iterations) const override {
    int32_t value;
    std::memcpy(&value, inputs[0].data(), 4);
    return static_cast<uint64_t>(value) * 2 + 100 * iterations.size();
  }

 private:
  DeviceSpan input_;
};

TEST_F(HostRecorderTest, OffsetsAreReadWhereTheyAreUsed) {
  int32_t value = 4;
  TwiceTheValue source(SpanOf(value));
  std::vector<const OffsetSource*> sources = {&source, &source};
  std::vector<uint64_t> seen;
  auto use = [&](Recorder& r) -> absl::Status {
    value += 1;
    return r.WithOffsets(sources, [&](Recorder&, absl::Span<const uint64_t> offsets) {
      seen.insert(seen.end(), offsets.begin(), offsets.end());
      return absl::OkStatus();
    });
  };
  ASSERT_TRUE(recorder_->Loop({}, 2, use, use).ok());
  EXPECT_THAT(seen, ElementsAre(110, 110, 112, 112));
}

}  // namespace
}  // namespace thunky::hal
