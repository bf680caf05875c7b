#include "thunky/compiler/analysis/stream_order.h"

#include <vector>

#include "gtest/gtest.h"

namespace thunky::compiler {
namespace {

// Bodies on streams 1 and 2 of each kind.
TEST(StreamOrderTest, KnownOnceJoined) {
  StreamOrder order;
  order.start(false, 1);
  const StreamOrder::Stamp work = order.now();
  const StreamOrder::Finish body = order.end();
  EXPECT_FALSE(order.finished(work));
  order.join(body);
  EXPECT_TRUE(order.finished(work));
  EXPECT_TRUE(order.finishedForMain(work));
  order.start(true, 1);
  EXPECT_TRUE(order.finished(work));
  EXPECT_FALSE(order.onMain());
}

TEST(StreamOrderTest, WorkAfterAStartIsNotKnownToTheBody) {
  StreamOrder order;
  order.start(false, 1);
  const StreamOrder::Finish first = order.end();
  const StreamOrder::Stamp later = order.now();
  order.start(false, 1);
  EXPECT_TRUE(order.finished(later));
  order.end();
  order.start(false, 2);
  const StreamOrder::Stamp before = order.now();
  order.start(false, 3);
  EXPECT_TRUE(order.finished(before));
  order.end();
  const StreamOrder::Stamp after = order.now();
  order.start(false, 3);
  order.end();
  order.end();
  order.start(false, 4);
  EXPECT_FALSE(order.finished(after));
  order.join(first);
  EXPECT_FALSE(order.finished(after));
}

TEST(StreamOrderTest, AChoiceKeepsWhatEveryPathKnows) {
  StreamOrder order;
  order.start(false, 1);
  const StreamOrder::Stamp one = order.now();
  const StreamOrder::Finish first = order.end();
  order.start(false, 2);
  const StreamOrder::Stamp two = order.now();
  const StreamOrder::Finish second = order.end();
  order.beginChoice();
  order.beginPath();
  order.join(first);
  order.join(second);
  order.endPath();
  EXPECT_FALSE(order.finished(one));
  order.beginPath();
  order.join(second);
  order.endPath();
  order.endChoice(/*otherwise=*/false);
  EXPECT_FALSE(order.finished(one));
  EXPECT_TRUE(order.finished(two));
  order.beginChoice();
  order.beginPath();
  order.join(first);
  order.endPath();
  order.endChoice(/*otherwise=*/true);
  EXPECT_FALSE(order.finished(one));
}

// Every clock has an entry for every stream, and each is another one.
TEST(StreamOrderTest, MemoryIsBounded) {
  constexpr int kStreams = 8000;
  StreamOrder order;
  for (int i = 0; i < kStreams; ++i) {
    order.start(false, i);
    order.join(order.end());
  }
  EXPECT_FALSE(order.exhausted());
  std::vector<StreamOrder::Finish> open;
  for (int i = 0; i < kStreams && !order.exhausted(); ++i) {
    order.now();
    order.start(false, kStreams + i);
    open.push_back(order.end());
  }
  EXPECT_TRUE(order.exhausted());
  EXPECT_LT(open.size(), static_cast<size_t>(kStreams));
}

}  // namespace
}  // namespace thunky::compiler
