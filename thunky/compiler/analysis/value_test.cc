// Reads of what nobody wrote, and writes of what nobody reads.
#include "gmock/gmock.h"
#include "thunky/compiler/analysis/test_programs.h"

namespace thunky::compiler {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::string uninitialized(const std::string& reader, const std::string& where) {
  return "error uninitialized_read: " + reader + ": " + where;
}
std::string unread(const std::string& write, const std::string& over,
                   const std::string& where) {
  return "warning overwritten_unread: " + write + ", " + over + ": " + where;
}
const std::string kS = "scratch argument 5 [0, 64)";
const std::string kCopyOfS = uninitialized("copy", kS);
const std::string kZeroZero = unread("memzero", "memzero", kS);

TEST(UninitializedTest, ScratchIsWrittenFirst) {
  EXPECT_THAT(verdict(copy("%s", "%a")), ElementsAre(kCopyOfS));
  EXPECT_THAT(verdict(zero("%s") + copy("%s", "%a")), IsEmpty());
  EXPECT_THAT(verdict(copy("%s", "%a") + zero("%s")), ElementsAre(kCopyOfS));
}

TEST(UninitializedTest, WhatTheCallerProvidesIsThere) {
  EXPECT_THAT(verdict(copy("%b", "%a")), IsEmpty());
}

TEST(UninitializedTest, ByTheByte) {
  EXPECT_THAT(verdict(zero("%s[0:32]") + copy("%s", "%a")),
              ElementsAre(uninitialized("copy", "scratch argument 5 [32, 64)")));
  EXPECT_THAT(verdict(zero("%s[0:32]") + copy("%s[0:32]", "%a[0:32]")), IsEmpty());
  EXPECT_THAT(verdict(zero("%s[0:32]") + zero("%s[32:64]") + copy("%s", "%a")),
              IsEmpty());
  EXPECT_THAT(verdict(zero("%s[0:16]") + zero("%s[32:64]") + copy("%s", "%a")),
              ElementsAre(uninitialized("copy", "scratch argument 5 [16, 32)")));
}

TEST(UninitializedTest, AccessesOfKernels) {
  EXPECT_THAT(verdict(kernel({"%s read"})), ElementsAre(uninitialized("ptx_kernel", kS)));
  EXPECT_THAT(verdict(kernel({"%s read_write"})),
              ElementsAre(uninitialized("ptx_kernel", kS)));
  // A write may leave bytes as they are, but counts as having written them.
  EXPECT_THAT(verdict(kernel({"%s write"}) + copy("%s", "%a")), IsEmpty());
  EXPECT_THAT(verdict(kernel({"%s write_all"}) + copy("%s", "%a")), IsEmpty());
  // In place on nothing: the read comes first.
  EXPECT_THAT(verdict(kernel({"%s read", "%s write_all"})),
              ElementsAre(uninitialized("ptx_kernel", kS)));
}

TEST(UninitializedTest, OnOnePath) {
  EXPECT_THAT(verdict(cond(zero("%s"), "") + copy("%s", "%a")), ElementsAre(kCopyOfS));
  EXPECT_THAT(verdict(cond(zero("%s"), zero("%s")) + copy("%s", "%a")), IsEmpty());
  EXPECT_THAT(
      verdict(zero("%s") + cond(kernel({"%s read_write"}), "") + copy("%s", "%a")),
      IsEmpty());
  EXPECT_THAT(verdict(cond(zero("%s"), copy("%s", "%a"))), ElementsAre(kCopyOfS));
  EXPECT_THAT(
      verdict(choose({zero("%s"), zero("%s[0:32]"), zero("%s")}) + copy("%s", "%a")),
      ElementsAre(uninitialized("copy", "scratch argument 5 [32, 64)")));
}

TEST(UninitializedTest, ABranchInABranch) {
  EXPECT_THAT(verdict(cond(cond(zero("%s"), ""), zero("%s")) + copy("%s", "%a")),
              ElementsAre(kCopyOfS));
  EXPECT_THAT(verdict(cond(cond(zero("%s"), zero("%s")), zero("%s")) + copy("%s", "%a")),
              IsEmpty());
}

TEST(UninitializedTest, ALoopMayNotRun) {
  EXPECT_THAT(verdict(repeat(zero("%s")) + copy("%s", "%a")), ElementsAre(kCopyOfS));
  EXPECT_THAT(verdict(repeat(2, zero("%s")) + copy("%s", "%a")), IsEmpty());
  EXPECT_THAT(verdict(repeat(1, zero("%s")) + copy("%s", "%a")), IsEmpty());
  EXPECT_THAT(verdict(repeat(0, zero("%s")) + copy("%s", "%a")), ElementsAre(kCopyOfS));
  EXPECT_THAT(verdict(repeat("", zero("%s")) + copy("%s", "%a")), IsEmpty());
}

TEST(UninitializedTest, TheFirstRoundFindsNothing) {
  EXPECT_THAT(verdict(repeat(copy("%s", "%a") + zero("%s"))), ElementsAre(kCopyOfS));
  EXPECT_THAT(verdict(repeat(3, copy("%s", "%a") + zero("%s"))), ElementsAre(kCopyOfS));
  EXPECT_THAT(verdict(repeat(3, zero("%s") + copy("%s", "%a"))), IsEmpty());
  EXPECT_THAT(verdict(zero("%s") + repeat(copy("%s", "%a") + zero("%s"))), ElementsAre());
}

TEST(UninitializedTest, TheConditionIsReadOnlyWithoutATripCount) {
  EXPECT_THAT(verdict(repeat(3, "")), IsEmpty());
  // The condition region writes it; only then it is read.
  EXPECT_THAT(verdict(repeat("")), IsEmpty());
}

TEST(UninitializedTest, CollectivesRead) {
  EXPECT_THAT(verdict(reduce("%s", "%a")), ElementsAre(uninitialized("all_reduce", kS)));
  EXPECT_THAT(verdict(gather("%s")), ElementsAre(uninitialized("all_gather", kS)));
}

TEST(UnreadTest, OverwrittenUnread) {
  EXPECT_THAT(verdict(zero("%s") + zero("%s")), ElementsAre(kZeroZero));
  EXPECT_THAT(verdict(zero("%s") + copy("%s", "%a") + zero("%s")), IsEmpty());
  // It does not matter who sees the buffer in the end.
  EXPECT_THAT(verdict(zero("%a") + zero("%a")),
              ElementsAre(unread("memzero", "memzero", "argument 0 [0, 64)")));
  EXPECT_THAT(verdict(zero("%s") + copy("%a", "%s")),
              ElementsAre(unread("memzero", "copy", kS)));
}

// Of no use either, but that is another matter.
TEST(UnreadTest, NotOverwritten) {
  EXPECT_THAT(verdict(zero("%s")), IsEmpty());
  EXPECT_THAT(verdict(zero("%a")), IsEmpty());
}

TEST(UnreadTest, InPart) {
  // Half of it is read before, or after.
  EXPECT_THAT(verdict(zero("%s") + copy("%s[0:32]", "%a[0:32]") + zero("%s")), IsEmpty());
  EXPECT_THAT(verdict(zero("%s") + zero("%s[0:32]") + copy("%s", "%a")), IsEmpty());
  // Half of it is there in the end.
  EXPECT_THAT(verdict(zero("%a") + copy("%b[0:32]", "%a[0:32]")), IsEmpty());
  // Two together overwrite all of it.
  EXPECT_THAT(
      verdict(zero("%a") + copy("%b[0:32]", "%a[0:32]") + copy("%b[32:64]", "%a[32:64]")),
      ElementsAre(unread("memzero", "copy", "argument 0 [0, 32)")));
}

TEST(UnreadTest, AccessesOfKernels) {
  EXPECT_THAT(verdict(zero("%s") + kernel({"%s write_all"})),
              ElementsAre(unread("memzero", "ptx_kernel", kS)));
  EXPECT_THAT(verdict(zero("%s") + kernel({"%s read_write"})), IsEmpty());
  // It may keep some bytes, or look at them.
  EXPECT_THAT(verdict(zero("%s") + kernel({"%s write"})), IsEmpty());
  EXPECT_THAT(verdict(kernel({"%s write"}) + zero("%s")),
              ElementsAre(unread("ptx_kernel", "memzero", kS)));
  EXPECT_THAT(verdict(kernel({"%a read_write"}) + zero("%a")),
              ElementsAre(unread("ptx_kernel", "memzero", "argument 0 [0, 64)")));
}

TEST(UnreadTest, OneReaderOnOnePathIsEnough) {
  EXPECT_THAT(verdict(zero("%s") + cond(copy("%s", "%a"), "") + zero("%s")), IsEmpty());
  EXPECT_THAT(verdict(zero("%s") + cond(zero("%s"), "") + copy("%s", "%a")), IsEmpty());
  EXPECT_THAT(verdict(zero("%s") + cond(zero("%s"), zero("%s")) + copy("%s", "%a")),
              ElementsAre(kZeroZero));
  EXPECT_THAT(verdict(cond(zero("%s"), zero("%s")) + copy("%b", "%s") + copy("%s", "%a")),
              ElementsAre(unread("memzero", "copy", kS), unread("memzero", "copy", kS)));
}

TEST(UnreadTest, TheNextRoundReads) {
  EXPECT_THAT(verdict(zero("%s") + repeat(3, copy("%s", "%a") + copy("%b", "%s"))),
              IsEmpty());
  EXPECT_THAT(verdict(zero("%s") + repeat(copy("%s", "%a") + copy("%b", "%s"))),
              IsEmpty());
  // With one round there is no next.
  EXPECT_THAT(
      verdict(zero("%s") + repeat(1, copy("%s", "%a") + copy("%b", "%s")) + zero("%s")),
      ElementsAre(unread("copy", "memzero", kS)));
}

TEST(UnreadTest, TheNextRoundReadsOnOnePath) {
  EXPECT_THAT(verdict(zero("%s") + repeat(3, cond(zero("%s"), "") + copy("%s", "%a") +
                                                 copy("%b", "%s"))),
              IsEmpty());
  EXPECT_THAT(
      verdict(zero("%s") + repeat(3, cond(copy("%s", "%a"), "") + copy("%b", "%s"))),
      IsEmpty());
}

TEST(UnreadTest, TheNextRoundOverwrites) {
  EXPECT_THAT(verdict(repeat(3, zero("%s"))), ElementsAre(kZeroZero));
  EXPECT_THAT(verdict(repeat(zero("%s"))), ElementsAre(kZeroZero));
  EXPECT_THAT(verdict(repeat(1, zero("%s"))), IsEmpty());
  // The last one is what the caller sees.
  EXPECT_THAT(verdict(repeat(3, zero("%a"))), IsEmpty());
}

TEST(UnreadTest, ALoopMayNotRun) {
  EXPECT_THAT(verdict(zero("%a") + repeat(copy("%b", "%a"))), IsEmpty());
  EXPECT_THAT(verdict(zero("%a") + repeat(3, copy("%b", "%a"))),
              ElementsAre(unread("memzero", "copy", "argument 0 [0, 64)")));
}

TEST(UnreadTest, LoopsInLoops) {
  EXPECT_THAT(verdict(zero("%s") + repeat(3, repeat(3, copy("%s", "%a")) + zero("%s"))),
              IsEmpty());
  EXPECT_THAT(verdict(repeat(3, repeat(3, zero("%s")) + copy("%s", "%a"))), IsEmpty());
  EXPECT_THAT(verdict(repeat(
                  3, zero("%t") + repeat(kernel({"%t read_write"})) + copy("%t", "%a"))),
              IsEmpty());
}

// In the condition region after the last round.
TEST(UnreadTest, TheConditionRegionReads) {
  EXPECT_THAT(
      verdict(zero("%s") + repeat(copy("%b", "%s"), copy("%s", "%a")) + zero("%s")),
      IsEmpty());
}

TEST(UnreadTest, AsynchronousWorkCountsInTheOrderOfIssue) {
  EXPECT_THAT(verdict(async("%x", "1", zero("%s")) + copy("%s", "%a")), IsEmpty());
  EXPECT_THAT(verdict(async("%x", "1", zero("%s")) + zero("%s")), ElementsAre(kZeroZero));
}

TEST(UnreadTest, BytesOfNoBufferAreNothing) {
  EXPECT_THAT(verdict(zero("%s[0:0]") + zero("%s[0:0]") + copy("%s[0:0]", "%a[0:0]")),
              IsEmpty());
}

}  // namespace
}  // namespace thunky::compiler
