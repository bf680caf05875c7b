// Conflicting accesses, ordered and not.
#include "gmock/gmock.h"
#include "thunky/compiler/analysis/test_programs.h"

namespace thunky::compiler {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::string raceOf(const std::string& first, const std::string& second,
                   const std::string& where) {
  return "error race: " + first + ", " + second + ": " + where;
}
const std::string kZeros = raceOf("memzero", "memzero", "argument 0 [0, 64)");

TEST(RaceTest, OneLineIsInOrder) {
  EXPECT_THAT(racesOf(zero("%a") + copy("%a", "%b") + zero("%a")), IsEmpty());
}

TEST(RaceTest, ABodyComesAfterAllBeforeIt) {
  EXPECT_THAT(racesOf(zero("%a") + async("%x", "1", copy("%a", "%b"))), IsEmpty());
}

TEST(RaceTest, ABodyIsBesideWhatFollowsUntilItsJoin) {
  EXPECT_THAT(racesOf(start("%x", "1", zero("%a")) + copy("%a", "%b") + done("%x")),
              ElementsAre(raceOf("memzero", "copy", "argument 0 [0, 64)")));
  EXPECT_THAT(racesOf(start("%x", "1", copy("%a", "%b")) + zero("%a") + done("%x")),
              ElementsAre(raceOf("copy", "memzero", "argument 0 [0, 64)")));
  EXPECT_THAT(racesOf(start("%x", "1", zero("%a")) + zero("%a") + done("%x")),
              ElementsAre(kZeros));
  EXPECT_THAT(racesOf(start("%x", "1", zero("%a")) + done("%x") + copy("%a", "%b")),
              IsEmpty());
}

TEST(RaceTest, ReadsDoNotConflict) {
  EXPECT_THAT(racesOf(start("%x", "1", copy("%a", "%b")) + copy("%a", "%c") + done("%x")),
              IsEmpty());
}

TEST(RaceTest, OtherBuffersDoNotConflict) {
  EXPECT_THAT(racesOf(start("%x", "1", zero("%a")) + zero("%b") + done("%x")), IsEmpty());
}

TEST(RaceTest, TwoStreamsAreConcurrent) {
  EXPECT_THAT(racesOf(start("%x", "1", zero("%a")) + start("%y", "2", zero("%a")) +
                      done("%x") + done("%y")),
              ElementsAre(kZeros));
}

TEST(RaceTest, TheSameStreamIsInOrder) {
  EXPECT_THAT(racesOf(start("%x", "1", zero("%a")) + start("%y", "1", zero("%a")) +
                      done("%x") + done("%y")),
              IsEmpty());
}

TEST(RaceTest, KindsHaveIdsOfTheirOwn) {
  EXPECT_THAT(
      racesOf(start("%x", "1", zero("%a")) + start("%y", "1 communication", zero("%a")) +
              done("%x") + done("%y")),
      ElementsAre(kZeros));
  EXPECT_THAT(
      racesOf(start("%x", "1 communication", zero("%a")) +
              start("%y", "1 communication", zero("%a")) + done("%x") + done("%y")),
      IsEmpty());
}

TEST(RaceTest, StreamZeroIsNotTheMainStream) {
  EXPECT_THAT(racesOf(start("%x", "0", zero("%a")) + zero("%a") + done("%x")),
              ElementsAre(kZeros));
}

TEST(RaceTest, AJoinedBodyIsBeforeBodiesStartedAfterIt) {
  EXPECT_THAT(racesOf(async("%x", "1", zero("%a")) + async("%y", "2", zero("%a"))),
              IsEmpty());
}

// Stream 1 is in order, so its second body brings the first along.
TEST(RaceTest, AJoinBringsAllBeforeOnTheStream) {
  EXPECT_THAT(racesOf(start("%x", "1", zero("%a")) + start("%y", "1", zero("%b")) +
                      done("%y") + zero("%a") + done("%x")),
              IsEmpty());
  EXPECT_THAT(racesOf(start("%x", "1", zero("%a")) + start("%y", "1", zero("%b")) +
                      done("%x") + zero("%b") + done("%y")),
              ElementsAre(raceOf("memzero", "memzero", "argument 1 [0, 64)")));
}

TEST(RaceTest, ATokenJoinedInAnotherBodyOrdersThatBody) {
  const std::string first = start("%x", "1", zero("%a"));
  EXPECT_THAT(racesOf(first + start("%y", "2", done("%x") + zero("%a")) + done("%y")),
              IsEmpty());
  EXPECT_THAT(racesOf(first + start("%y", "2", zero("%a") + done("%x")) + done("%y")),
              ElementsAre(kZeros));
  // Joined by the body, not by who started it.
  EXPECT_THAT(racesOf(first + start("%y", "2", done("%x")) + zero("%a") + done("%y")),
              ElementsAre(kZeros));
  EXPECT_THAT(racesOf(first + start("%y", "2", done("%x")) + done("%y") + zero("%a")),
              IsEmpty());
}

// What a stream learned, its later bodies know.
TEST(RaceTest, AStreamRemembersWhatItJoined) {
  EXPECT_THAT(racesOf(start("%x", "1", zero("%a")) + start("%y", "2", done("%x")) +
                      start("%z", "2", zero("%a")) + done("%z") + done("%y")),
              IsEmpty());
}

TEST(RaceTest, BodiesInBodies) {
  EXPECT_THAT(
      racesOf(start("%x", "1", async("%y", "2", zero("%a"))) + zero("%a") + done("%x")),
      ElementsAre(kZeros));
  EXPECT_THAT(
      racesOf(start("%x", "1", async("%y", "2", zero("%a"))) + done("%x") + zero("%a")),
      IsEmpty());
  EXPECT_THAT(
      racesOf(async("%x", "1", start("%y", "2", zero("%a")) + zero("%a") + done("%y"))),
      ElementsAre(kZeros));
  // What its starter did before is before it; what main does beside both is not.
  EXPECT_THAT(racesOf(async("%x", "1", zero("%a") + async("%y", "2", zero("%a")))),
              IsEmpty());
}

TEST(RaceTest, ABodyOnTheStreamOfTheBodyAroundItIsInOrder) {
  EXPECT_THAT(
      racesOf(async("%x", "1", start("%y", "1", zero("%a")) + zero("%a") + done("%y"))),
      IsEmpty());
  // Also with another stream between them.
  EXPECT_THAT(racesOf(async("%x", "1",
                            start("%y", "2", start("%z", "1", zero("%a")) + done("%z")) +
                                zero("%a") + done("%y"))),
              IsEmpty());
}

TEST(RaceTest, OneStreamInTwoBodies) {
  EXPECT_THAT(
      racesOf(start("%x", "1", async("%y", "3", zero("%a"))) +
              start("%z", "2", async("%w", "3", zero("%a"))) + done("%x") + done("%z")),
      IsEmpty());
  EXPECT_THAT(
      racesOf(start("%x", "1", async("%y", "3", zero("%a"))) +
              start("%z", "2", async("%w", "4", zero("%a"))) + done("%x") + done("%z")),
      ElementsAre(kZeros));
}

TEST(RaceTest, RangesAreComparedByTheByte) {
  EXPECT_THAT(
      racesOf(start("%x", "1", zero("%a[0:32]")) + zero("%a[32:64]") + done("%x")),
      IsEmpty());
  EXPECT_THAT(
      racesOf(start("%x", "1", zero("%a[0:36]")) + zero("%a[32:64]") + done("%x")),
      ElementsAre(raceOf("memzero", "memzero", "argument 0 [32, 36)")));
  EXPECT_THAT(
      racesOf(start("%x", "1", zero("%a[16:32]")) + copy("%a", "%b") + done("%x")),
      ElementsAre(raceOf("memzero", "copy", "argument 0 [16, 32)")));
}

TEST(RaceTest, KernelsByTheirAccess) {
  const std::string reader = start("%x", "1", kernel({"%a read", "%b write_all"}));
  EXPECT_THAT(racesOf(reader + kernel({"%a read"}) + done("%x")), IsEmpty());
  for (const char* access : {"write", "read_write", "write_all"}) {
    EXPECT_THAT(racesOf(reader + kernel({std::string("%a ") + access}) + done("%x")),
                ElementsAre(raceOf("ptx_kernel", "ptx_kernel", "argument 0 [0, 64)")));
  }
}

TEST(RaceTest, BuffersOfOneThunkDoNotRace) {
  EXPECT_THAT(racesOf(kernel({"%a read", "%a write"})), IsEmpty());
  EXPECT_THAT(racesOf(async("%x", "1", kernel({"%a read", "%a read_write"}))), IsEmpty());
}

TEST(RaceTest, BranchesExcludeEachOther) {
  EXPECT_THAT(racesOf(cond(async("%x", "1", zero("%a")), async("%y", "2", zero("%a")))),
              IsEmpty());
  // A body that began before the branch is beside both.
  EXPECT_THAT(racesOf(start("%x", "1", zero("%a")) + cond("", zero("%a")) + done("%x")),
              ElementsAre(kZeros));
  // Also where the other branch had the byte since.
  EXPECT_THAT(racesOf(start("%x", "1", zero("%a")) +
                      cond(async("%y", "1", zero("%a")), copy("%a", "%b")) + done("%x")),
              ElementsAre(raceOf("memzero", "copy", "argument 0 [0, 64)")));
}

TEST(RaceTest, TheIndexOfABranchIsRead) {
  EXPECT_THAT(racesOf(start("%x", "1", zero("%p")) + cond("", "") + done("%x")),
              ElementsAre(raceOf("memzero", "cond", "argument 3 [0, 1)")));
}

TEST(RaceTest, WhatOneBranchJoinsIsNotJoined) {
  const std::string first = start("%x", "1", zero("%a"));
  const std::string join = async("%y", "1", zero("%b"));
  EXPECT_THAT(racesOf(first + cond(join, "") + zero("%a") + done("%x")),
              ElementsAre(kZeros));
  EXPECT_THAT(racesOf(first + cond(join, async("%z", "1", "")) + zero("%a") + done("%x")),
              IsEmpty());
}

TEST(RaceTest, WorkOfABranchIsJoinedInIt) {
  EXPECT_THAT(racesOf(cond(async("%x", "1", zero("%a")), "") + zero("%a")), IsEmpty());
  // In a body beside it is as open as the body.
  EXPECT_THAT(racesOf(start("%x", "1", cond(async("%y", "2", zero("%a")), "")) +
                      zero("%a") + done("%x")),
              ElementsAre(kZeros));
  EXPECT_THAT(racesOf(start("%x", "1", cond(async("%y", "2", zero("%a")), "")) +
                      start("%z", "2", zero("%a")) + done("%x") + done("%z")),
              IsEmpty());
}

TEST(RaceTest, RoundsOfALoopAreInOrder) {
  EXPECT_THAT(racesOf(repeat(async("%x", "1", zero("%a")))), IsEmpty());
  EXPECT_THAT(racesOf(repeat(3, zero("%a") + async("%x", "1", copy("%a", "%b")))),
              IsEmpty());
  EXPECT_THAT(racesOf(repeat(3, start("%x", "1", zero("%a")) + zero("%a") + done("%x"))),
              ElementsAre(kZeros));
}

TEST(RaceTest, ABodyBesideALoop) {
  EXPECT_THAT(racesOf(start("%x", "1", zero("%a")) + repeat(3, zero("%a")) + done("%x")),
              ElementsAre(kZeros));
  EXPECT_THAT(racesOf(start("%x", "1", zero("%q")) + repeat("") + done("%x")),
              ElementsAre(raceOf("memzero", "memzero", "scratch argument 7 [0, 1)"),
                          raceOf("memzero", "while", "scratch argument 7 [0, 1)")));
}

TEST(RaceTest, ALoopThatMayNotRunJoinsNothing) {
  const std::string first = start("%x", "1", zero("%a"));
  const std::string join = async("%y", "1", zero("%b"));
  const std::string rest = zero("%a") + done("%x");
  EXPECT_THAT(racesOf(first + repeat(join) + rest), ElementsAre(kZeros));
  EXPECT_THAT(racesOf(first + repeat(2, join) + rest), IsEmpty());
  EXPECT_THAT(racesOf(first + repeat(0, join) + rest), ElementsAre(kZeros));
  EXPECT_THAT(racesOf(first + repeat("", join) + rest), IsEmpty());
}

// With zero rounds stream 1 has only the first body, which main does not know.
TEST(RaceTest, WhatALoopPutOnAStreamDoesNotHideWhatWasThere) {
  EXPECT_THAT(
      racesOf(start("%x", "1", zero("%a")) + repeat(async("%y", "1", zero("%a"))) +
              copy("%a", "%b") + done("%x")),
      ElementsAre(raceOf("memzero", "copy", "argument 0 [0, 64)")));
}

TEST(RaceTest, MembersOfAGroupHaveNoOrder) {
  EXPECT_THAT(racesOf(group(reduce("%a", "%b") + reduce("%b", "%c"))),
              ElementsAre(raceOf("all_reduce", "all_reduce", "argument 1 [0, 64)")));
  EXPECT_THAT(racesOf(group(reduce("%a", "%b") + reduce("%a", "%b"))),
              ElementsAre(raceOf("all_reduce", "all_reduce", "argument 1 [0, 64)")));
  EXPECT_THAT(
      racesOf(group(reduce("%a[0:32]", "%a[0:32]") + reduce("%a[32:64]", "%a[32:64]"))),
      IsEmpty());
  EXPECT_THAT(racesOf(reduce("%a", "%b") + reduce("%b", "%c")), IsEmpty());
}

TEST(RaceTest, AGroupBesideABody) {
  EXPECT_THAT(racesOf(start("%x", "0 communication", group(reduce("%a", "%b"))) +
                      zero("%a") + done("%x")),
              ElementsAre(raceOf("all_reduce", "memzero", "argument 0 [0, 64)")));
}

TEST(RaceTest, APairIsReportedOnce) {
  EXPECT_THAT(racesOf(start("%x", "1", kernel({"%a write", "%b write"})) +
                      kernel({"%a write", "%b write"}) + done("%x")),
              ElementsAre(raceOf("ptx_kernel", "ptx_kernel", "argument 0 [0, 64)")));
}

TEST(RaceTest, EachOfSeveralBodiesIsNamed) {
  EXPECT_THAT(racesOf(start("%x", "1", zero("%a")) + start("%y", "2", zero("%b")) +
                      kernel({"%a read", "%b read"}) + done("%x") + done("%y")),
              ElementsAre(raceOf("memzero", "ptx_kernel", "argument 0 [0, 64)"),
                          raceOf("memzero", "ptx_kernel", "argument 1 [0, 64)")));
}

}  // namespace
}  // namespace thunky::compiler
