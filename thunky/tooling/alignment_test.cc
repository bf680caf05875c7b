#include "thunky/tooling/alignment.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace thunky::tooling {
namespace {

// Letters are kinds, each with a digit that tells those of one kind apart; digits whose
// difference is 5 stand for one name.
std::vector<AlignmentKey> Keys(const std::string& text) {
  std::vector<AlignmentKey> keys;
  for (size_t i = 0; i + 1 < text.size(); i += 3) {
    const auto label = uint64_t{static_cast<unsigned char>(text[i])};
    const auto digit = uint64_t{static_cast<unsigned char>(text[i + 1])};
    keys.push_back({label * 256 + digit, label * 256 + digit % 5, label});
  }
  return keys;
}

// "a1 b2" and "a1 c3 b4" as "0=0 +1 1=2": equal or alike, + only in b, - only in a.
std::string Aligned(const std::string& a, const std::string& b) {
  std::string text;
  for (const AlignedPair& pair : Align(Keys(a), Keys(b))) {
    absl::StrAppend(&text, text.empty() ? "" : " ");
    if (pair.a && pair.b) {
      absl::StrAppend(&text, *pair.a, "=", *pair.b);
    } else if (pair.a) {
      absl::StrAppend(&text, "-", *pair.a);
    } else {
      absl::StrAppend(&text, "+", *pair.b);
    }
  }
  return text;
}

TEST(AlignmentTest, SmallLists) {
  EXPECT_EQ(Aligned("", ""), "");
  EXPECT_EQ(Aligned("a1", ""), "-0");
  EXPECT_EQ(Aligned("", "a1"), "+0");
  EXPECT_EQ(Aligned("a1 b1", "a1 b1"), "0=0 1=1");
  EXPECT_EQ(Aligned("a1", "a2"), "0=0");
  EXPECT_EQ(Aligned("a1", "b1"), "-0 +0");
}

TEST(AlignmentTest, InsertedAndRemovedElements) {
  EXPECT_EQ(Aligned("a1 a2 a3", "a1 b1 a2 a3"), "0=0 +1 1=2 2=3");
  EXPECT_EQ(Aligned("a1 b1 a2 a3", "a1 a2 a3"), "0=0 -1 2=1 3=2");
  EXPECT_EQ(Aligned("a1 a2", "a0 a1 a2"), "+0 0=1 1=2");
  EXPECT_EQ(Aligned("a1 a1 a1", "a1 a1 b1 a1"), "0=0 1=1 +2 2=3");
}

TEST(AlignmentTest, ChangedElementsKeepTheirPartners) {
  EXPECT_EQ(Aligned("a1 b1 c1", "a1 b2 c1"), "0=0 1=1 2=2");
  EXPECT_EQ(Aligned("a1 b1 c1 d1", "x1 a1 b2 c1 d1"), "+0 0=1 1=2 2=3 3=4");
  EXPECT_EQ(Aligned("b1 b2", "b8 b7"), "0=0 1=1") << "two pairs, not one of one name";
  EXPECT_EQ(Aligned("b1", "b8 b7 b6"), "+0 +1 0=2") << "the one with its name";
  // An equal one further on is worth more than two that are alike.
  EXPECT_EQ(Aligned("b1 b2", "b3 b4 b1"), "+0 +1 0=2 -1");
}

TEST(AlignmentTest, MovedElements) {
  EXPECT_EQ(Aligned("a1 b1 c1 d1", "b1 c1 d1 a1"), "-0 1=0 2=1 3=2 +3");
}

// Every element once, in order, and no pair that is neither equal nor alike.
void CheckComplete(const std::vector<AlignmentKey>& a,
                   const std::vector<AlignmentKey>& b) {
  size_t next_a = 0;
  size_t next_b = 0;
  for (const AlignedPair& pair : Align(a, b)) {
    if (pair.a) {
      EXPECT_EQ(*pair.a, next_a++);
    }
    if (pair.b) {
      EXPECT_EQ(*pair.b, next_b++);
    }
    if (pair.a && pair.b) {
      EXPECT_EQ(a[*pair.a].kind, b[*pair.b].kind);
    }
  }
  EXPECT_EQ(next_a, a.size());
  EXPECT_EQ(next_b, b.size());
}

TEST(AlignmentTest, LongListsTakeNoTableOfTheirProduct) {
  constexpr size_t kLength = 200000;
  std::vector<AlignmentKey> a;
  std::vector<AlignmentKey> b;
  for (size_t i = 0; i < kLength; ++i) {
    a.push_back({i, i % 21, i % 7});
    b.push_back({kLength + i, i % 15, i % 5});
  }
  CheckComplete(a, b);
  // One anchor in the middle of nothing alike.
  a[kLength / 2] = b[kLength / 3] = {10 * kLength, 1, 1};
  bool paired = false;
  for (const AlignedPair& pair : Align(a, b)) {
    paired |= pair.a == kLength / 2 && pair.b == kLength / 3;
  }
  EXPECT_TRUE(paired);
}

}  // namespace
}  // namespace thunky::tooling
