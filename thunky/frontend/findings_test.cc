// How findings of the hazard check reach a user.
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "thunky/frontend/expect_error.h"
#include "thunky/thunky.h"

namespace thunky {
namespace {

using ::testing::HasSubstr;

// Starts a copy to `y` twice and does not wait for it before y is read.
Program races_in_a_loop() {
  return jit(
      [](Ref x, Ref y, Ref z) {
        for (int i = 0; i < 2; ++i) {
          const Token token = async_start([&] { copy(x, y); }, 1);
          copy(y, z);
          async_done(token);
        }
      },
      {{"x", f32(4)}, {"y", f32(4)}, {"z", f32(4)}});
}

TEST(Findings, AnErrorSaysOnceWhatALoopOfCppRepeats) {
  const std::optional<Error> error = error_of([] { races_in_a_loop().lower(); });
  ASSERT_TRUE(error.has_value());
  EXPECT_EQ(error->code(), ErrorCode::invalid_argument);
  EXPECT_EQ(error->message().rfind("race: "), 0u) << error->message();
  EXPECT_EQ(error->message().find('\n'), std::string::npos) << error->message();
}

TEST(Findings, TheListHasEachPairOfOperations) {
  size_t races = 0;
  for (const Finding& finding : races_in_a_loop().check()) {
    if (finding.kind == Finding::Kind::kRace) ++races;
  }
  EXPECT_EQ(races, 2u);
}

// It must not be called under a lock that the program needs.
TEST(Findings, WhoTakesAWarningMayLookAtTheProgram) {
  const Program program = jit(
      [](Ref x) {
        memzero(x);
        memset(x, 1.0f);
      },
      {{"x", f32(4)}});
  std::vector<std::string> texts;
  program.lower(
      {.on_warning = [&](const Finding&) { texts.push_back(program.module_text()); }});
  ASSERT_EQ(texts.size(), 1u);
  EXPECT_THAT(texts[0], HasSubstr("thunky.memset32"));
  EXPECT_EQ(program.check().size(), 1u);
}

}  // namespace
}  // namespace thunky
