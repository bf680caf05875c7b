#include "thunky/tooling/program_file.h"

#include "gtest/gtest.h"

namespace thunky::tooling {
namespace {

TEST(ProgramFileTest, RecognisesContent) {
  const std::pair<std::string_view, ContentKind> cases[] = {
      {"", ContentKind::kExecutable},
      {"module {\n}", ContentKind::kMlirText},
      {"module @main attributes {}", ContentKind::kMlirText},
      {"// comment\n\n  // another\nmodule{", ContentKind::kMlirText},
      {"\"builtin.module\"() ({", ContentKind::kMlirText},
      {"#loc1 = loc(unknown)", ContentKind::kMlirText},
      {"!buffer = !thunky.buffer<4>", ContentKind::kMlirText},
      {"#comment\nmodule_name: 'a'", ContentKind::kExecutable},
      {"module_name: \"a\"", ContentKind::kExecutable},
      {"module: 1", ContentKind::kExecutable},
      {"# comment\nmodule_name: 'a'", ContentKind::kExecutable},
      {"ML\xefR\x01", ContentKind::kMlirBytecode},
      {"ML", ContentKind::kExecutable},
      {".version 9.0", ContentKind::kPtx},
      {"//\n// Generated\n//\n.version 9.0\n", ContentKind::kPtx},
      {".versions", ContentKind::kExecutable},
      {"// only a comment", ContentKind::kExecutable},
  };
  for (const auto& [text, kind] : cases) {
    EXPECT_EQ(RecogniseContent(text), kind) << text;
  }
}

}  // namespace
}  // namespace thunky::tooling
