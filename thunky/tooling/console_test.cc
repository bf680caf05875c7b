#include "thunky/tooling/console.h"

#include <sstream>

#include "gtest/gtest.h"

namespace thunky::tooling {
namespace {

TEST(ConsoleTest, PrintableHidesControlCharacters) {
  EXPECT_EQ(Printable("plain text, \xc3\xa9"), "plain text, \xc3\xa9");
  EXPECT_EQ(Printable(std::string_view("a\0b\x1b[2J\x7f\n", 9)),
            "a\\x00b\\x1b[2J\\x7f\\x0a");
  EXPECT_EQ(Printable("one\ntwo\r", /*keep_lines=*/true), "one\ntwo\\x0d");
}

TEST(ConsoleTest, ErrorsGoToTheErrorStream) {
  std::ostringstream out, err;
  Console console(out, err, /*terminal=*/false);
  console.Progress("working");  // nobody watches
  EXPECT_EQ(console.Fail(ExitCode::kFailed, absl::InternalError("f: broken\ndetail")),
            ExitCode::kFailed);
  console.Note("by the way");
  EXPECT_EQ(out.str(), "");
  EXPECT_EQ(err.str(), "f: broken\ndetail\nnote: by the way\n");
}

TEST(ConsoleTest, ProgressIsErasedBeforeAnythingElse) {
  std::ostringstream out, err;
  Console console(out, err, /*terminal=*/true);
  console.Progress("run 1 of 2");
  console.Progress("run 2 of 2");
  console.Note("done");
  EXPECT_EQ(err.str(), "run 1 of 2\r\x1b[Krun 2 of 2\r\x1b[Knote: done\n");
}

}  // namespace
}  // namespace thunky::tooling
