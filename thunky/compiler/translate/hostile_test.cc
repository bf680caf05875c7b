// Damaged executables and modules: an error or a result, never a crash, a hang or
// memory without bound.
#include <sys/resource.h>

#include <cctype>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "thunky/compiler/dialect/proto_attributes.h"
#include "thunky/compiler/library/module_text.h"
#include "thunky/compiler/translate/test_modules.h"
#include "thunky/container/fixture_files.h"
#include "thunky/schema/thunk_kind.h"

namespace thunky::compiler {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;

std::string programText(schema::ThunkKind kind) {
  return TestFile("thunks/" + schema::KindName(kind) + ".textproto");
}

wire::GpuExecutableProto programOf(schema::ThunkKind kind) {
  absl::StatusOr<ExecutableFile> file = ReadExecutableFile(programText(kind));
  EXPECT_TRUE(file.ok()) << file.status();
  return file.ok() ? std::move(file->executable) : wire::GpuExecutableProto();
}

// Whether bytes are an executable that can be imported and exported again. What is
// refused must be refused with words.
bool survives(const std::string& bytes) {
  absl::StatusOr<ExecutableFile> file =
      ReadExecutableFile(bytes, {.max_decoded_bytes = uint64_t{4} << 20});
  if (!file.ok()) return false;
  TestCompiler compiler;
  const auto module = compiler.import(*std::move(file));
  if (module && compiler.exportFrom(*module).has_value()) return true;
  EXPECT_NE(compiler.diagnostics(), "");
  return false;
}

std::string flipped(std::string bytes, std::minstd_rand& random, int flips) {
  for (int i = 0; i < flips; ++i) {
    bytes[random() % bytes.size()] ^= static_cast<char>(1U << (random() % 8));
  }
  return bytes;
}

// A slice that is no access is no use of its allocation either.
TEST(HostileTest, SlicesThatNoRuleLooksAt) {
  for (const int64_t allocation : {int64_t{3}, int64_t{99}, int64_t{-1}}) {
    wire::GpuExecutableProto executable = programOf(schema::ThunkKind::kSend);
    executable.mutable_thunks(0)
        ->mutable_send_thunk()
        ->mutable_buffer()
        ->mutable_destination_buffer()
        ->mutable_slice()
        ->set_buffer_allocation_index(allocation);
    TestCompiler compiler;
    EXPECT_FALSE(compiler.import(bareFile(executable)));
    EXPECT_THAT(
        compiler.diagnostics(),
        HasSubstr(absl::StrCat("input: thunks[0]: names allocation ", allocation)));
  }
}

TEST(HostileTest, ExecutablesOfEveryKindDamaged) {
  int refused = 0, taken = 0;
  for (const schema::ThunkKind kind : schema::AllKinds()) {
    SCOPED_TRACE(schema::KindName(kind));
    const std::string bytes = bytesOf(programOf(kind));
    ASSERT_TRUE(survives(bytes));
    std::minstd_rand random(1);
    for (int i = 0; i < 60; ++i)
      ++(survives(flipped(bytes, random, 3)) ? taken : refused);
    for (size_t cut = 0; cut < bytes.size(); cut += 16) {
      ++(survives(bytes.substr(0, cut)) ? taken : refused);
    }
  }
  // The damage is neither too small nor too large to tell anything.
  EXPECT_GT(refused, 1000);
  EXPECT_GT(taken, 100);
}

// Whether text is a module that can be exported.
bool moduleSurvives(const std::string& text) {
  TestCompiler compiler;
  const auto module = compiler.read(text);
  if (module && compiler.exportFrom(*module).has_value()) return true;
  EXPECT_NE(compiler.diagnostics(), "") << text;
  return false;
}

// Damage that still parses.
std::string withOtherDigit(std::string text, std::minstd_rand& random) {
  std::vector<size_t> digits;
  for (size_t i = 0; i < text.size(); ++i) {
    if (std::isdigit(static_cast<unsigned char>(text[i])) != 0) digits.push_back(i);
  }
  text[digits[random() % digits.size()]] = static_cast<char>('0' + random() % 10);
  return text;
}

TEST(HostileTest, TextOfEveryKindDamaged) {
  int refused = 0, taken = 0;
  for (const schema::ThunkKind kind : schema::AllKinds()) {
    SCOPED_TRACE(schema::KindName(kind));
    TestCompiler compiler;
    const auto module = compiler.import(bareFile(programOf(kind)));
    ASSERT_TRUE(module) << compiler.diagnostics();
    const std::string text = writeText(*module, false);
    ASSERT_TRUE(moduleSurvives(text));
    std::minstd_rand random(2);
    for (int i = 0; i < 40; ++i) {
      ++(moduleSurvives(flipped(text, random, 2)) ? taken : refused);
    }
    for (int i = 0; i < 40; ++i) {
      ++(moduleSurvives(withOtherDigit(text, random)) ? taken : refused);
    }
    for (size_t cut = 0; cut < text.size(); cut += 64) {
      ++(moduleSurvives(text.substr(0, cut)) ? taken : refused);
    }
  }
  EXPECT_GT(refused, 1000);
  EXPECT_GT(taken, 100);
}

std::string mainWith(const std::string& body, const std::string& attributes = "") {
  return absl::StrCat("module ", attributes, " {func.func @main(%a: !thunky.buffer<8>) {",
                      body, "return }}");
}

TEST(HostileTest, DeepNesting) {
  TestCompiler compiler;
  for (const auto& [open, close] : {std::pair("thunky.async_start stream 1 {\n", "}\n"),
                                    std::pair("", ""), std::pair("[", "]")}) {
    std::string text;
    for (int i = 0; i < 100000; ++i) text += open;
    EXPECT_THAT(compiler.errorOf(mainWith(text)), AnyOf(HasSubstr("nested"), ""));
    for (int i = 0; i < 100000; ++i) text += close;
    EXPECT_THAT(compiler.errorOf(mainWith(text)), AnyOf(HasSubstr("nested"), ""));
  }
  const std::string brackets(100000, '{');
  EXPECT_THAT(compiler.errorOf(mainWith(
                  absl::StrCat("thunky.memzero %a {x = ", brackets, "} : <8>\n"))),
              HasSubstr("nested"));
}

// More of what MLIR's own parser does not survive is in text_check_test.cc.
TEST(HostileTest, TextThatIsCheckedFirst) {
  TestCompiler compiler;
  EXPECT_THAT(
      compiler.errorOf(mainWith(absl::StrCat("thunky.memzero %a {x = affine_map<() -> (",
                                             std::string(300000, '-'), "1)>} : <8>\n"))),
      HasSubstr("module:1:"));
}

// A chain of names needs no brackets.
TEST(HostileTest, LongChainsOfSlices) {
  std::string text = "%0 = thunky.slice_buffer %a[0] : <8> -> <8>\n";
  for (int i = 1; i < 20000; ++i) {
    absl::StrAppend(&text, "%", i, " = thunky.slice_buffer %", i - 1,
                    "[0] : <8> -> <8>\n");
  }
  TestCompiler compiler;
  EXPECT_THAT(compiler.errorOf(mainWith(text + "thunky.memzero %19999 : <8>\n")),
              HasSubstr("a slice of a slice, more than 256 times"));
}

// Sixteen million operations in twenty-four lines.
TEST(HostileTest, CallsThatMultiply) {
  std::string text =
      "func.func private @f0(%a: !thunky.buffer<8>) {"
      "thunky.memset32 %a, 1 : <8>\nreturn }\n";
  for (int i = 1; i <= 24; ++i) {
    const std::string call =
        absl::StrCat("func.call @f", i - 1, "(%a) : (!thunky.buffer<8>) -> ()\n");
    absl::StrAppend(&text, "func.func private @f", i, "(%a: !thunky.buffer<8>) {", call,
                    call, "return }\n");
  }
  absl::StrAppend(&text,
                  "func.func @main(%a: !thunky.buffer<8>) {func.call @f24(%a) : "
                  "(!thunky.buffer<8>) -> ()\nreturn }");
  TestCompiler compiler;
  EXPECT_THAT(compiler.errorOf(text), HasSubstr("more than 1000000 operations"));
}

TEST(HostileTest, CallsNestedDeeply) {
  std::string text = "func.func private @f0(%a: !thunky.buffer<8>) { return }\n";
  for (int i = 1; i <= 20000; ++i) {
    absl::StrAppend(&text, "func.func private @f", i,
                    "(%a: !thunky.buffer<8>) {func.call @f", i - 1,
                    "(%a) : (!thunky.buffer<8>) -> ()\nreturn }\n");
  }
  absl::StrAppend(&text,
                  "func.func @main(%a: !thunky.buffer<8>) {func.call @f20000(%a) : "
                  "(!thunky.buffer<8>) -> ()\nreturn }");
  TestCompiler compiler;
  EXPECT_THAT(compiler.errorOf(text), HasSubstr("called through more than 256"));
}

int64_t peakKilobytes() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

TEST(HostileTest, NumbersThatAskForMemory) {
  const int64_t before = peakKilobytes();
  const std::vector<std::string> bodies = {
      "%c = thunky.constant dense<1> : tensor<1000000000000xi64> -> <8000000000000>\n",
      "%c = thunky.constant dense<1> : tensor<9223372036854775807xi8> -> <8>\n",
      "%c = thunky.constant dense<1> : tensor<4611686018427387904x4xi64> -> <8>\n",
      "%c = thunky.constant \"\" -> <9223372036854775807>\nthunky.copy %c -> %a : "
      "<9223372036854775807>, <8>\n",
      "%c = thunky.slice_buffer %a[9223372036854775807] : <8> -> <8>\n",
      "%c = thunky.slice_buffer %a[-1] : <8> -> <8>\n",
      "%c = thunky.slice_buffer %a[0] : <8> -> <-1>\n",
      "thunky.memzero %a {shapes = [tensor<9223372036854775807x2xi8>]} : <8>\n",
  };
  for (const std::string& body : bodies) {
    SCOPED_TRACE(body);
    TestCompiler compiler;
    EXPECT_NE(compiler.errorOf(mainWith(body)), "");
  }
  // A buffer may be as large as it likes: nothing is allocated for it.
  TestCompiler compiler;
  EXPECT_EQ(compiler.errorOf("func.func @main(%a: !thunky.buffer<1000000000000000000>) "
                             "{ thunky.memzero %a : <1000000000000000000>\nreturn }"),
            "");
  EXPECT_LT(peakKilobytes() - before, 64 << 10);
}

TEST(HostileTest, AttributesOfWrongKinds) {
  const std::vector<std::string> modules = {
      mainWith("", "attributes {thunky.origin = 1 : i64}"),
      mainWith("", "attributes {thunky.origin = \"no message\"}"),
      mainWith("", "attributes {thunky.origin = dense_resource<gone> : tensor<8xui8>}"),
      mainWith("", "attributes {thunky.version = \"1\"}"),
      mainWith("", "attributes {thunky.compute_capability = 9 : i64}"),
      mainWith("thunky.memzero %a {thunky.residual = 1 : i64} : <8>\n"),
      mainWith("thunky.memzero %a {thunky.residual = \"copy_thunk {\"} : <8>\n"),
      mainWith("thunky.memzero %a {thunky.residual_bytes = \"\\FF\\FF\"} : <8>\n"),
      mainWith("thunky.memzero %a {thunky.annotation = 1 : i64} : <8>\n"),
      mainWith("thunky.memzero %a {thunky.region = \"x\"} : <8>\n"),
      mainWith("thunky.memzero %a {thunky.nothing} : <8>\n"),
      "func.func @main(%a: !thunky.buffer<8> {thunky.allocation = \"x\"}) { return }",
      "func.func @main(%a: !thunky.buffer<8> {thunky.results = [1 : i64]}) { return }",
      "func.func @main(%a: !thunky.buffer<8> {thunky.type = i32}) { return }",
      "func.func @main(%a: !thunky.buffer<8> {thunky.alias = \"often\"}) { return }",
  };
  for (const std::string& module : modules) {
    SCOPED_TRACE(module);
    TestCompiler compiler;
    EXPECT_NE(compiler.errorOf(module), "");
  }
}

// A use ahead of the region that defines what it uses, in an operation that turns out
// wrong after the region: nothing may point into the region that is gone.
TEST(HostileTest, UsesOfRegionsThatAreGone) {
  const std::string use = "thunky.memzero %x : <8>\n";
  const std::string region = "{\n%x = thunky.slice_buffer %a[0] : <8> -> <8>\n}";
  const std::vector<std::string> operations = {
      absl::StrCat("thunky.cond %a : <8> ", region, ", {\nwrong\n}\n"),
      absl::StrCat("thunky.cond %a : <8> ", region, ", ", region, " {shapes = 1 : i8}\n"),
      absl::StrCat("thunky.while %a : <8> cond ", region, " body wrong\n"),
      absl::StrCat("thunky.async_start stream 1 ", region, " {wrong = }\n"),
      absl::StrCat("thunky.collective_group ", region, " {wrong = }\n"),
  };
  for (const std::string& operation : operations) {
    SCOPED_TRACE(operation);
    for (int i = 0; i < 100; ++i) {
      TestCompiler compiler;
      EXPECT_NE(compiler.errorOf(mainWith(use + use + operation)), "");
    }
  }
}

// What a residual says about the kind must be the operation's own.
TEST(HostileTest, ResidualsOfOtherKinds) {
  TestCompiler compiler;
  const auto executable = compiler.exportText(mainWith(
      "thunky.memzero %a {thunky.residual = \"copy_thunk { mem_size: 3 }\"} : <8>\n"));
  ASSERT_EQ(executable.thunks_size(), 1);
  EXPECT_TRUE(executable.thunks(0).has_memzero_thunk());
}

// An imported program whose module says something else than its origin.
TEST(HostileTest, EditedProgramsThatDoNotFitTheirOrigin) {
  TestCompiler compiler;
  const auto module = compiler.import(bareFile(programOf(schema::ThunkKind::kMemzero)));
  ASSERT_TRUE(module) << compiler.diagnostics();
  const std::string text = writeText(*module, false);
  const std::vector<std::pair<std::string, std::string>> edits = {
      {"!thunky.buffer<256> {thunky.allocation = 0",
       "!thunky.buffer<260> {thunky.allocation = 0"},
      {"thunky.allocation = 0 : i64", "thunky.allocation = 1 : i64"},
      {"thunky.allocation = 0 : i64", "thunky.allocation = 99 : i64"},
      {"thunky.allocation = 0 : i64", "thunky.allocation = -1 : i64"},
      {"thunky.parameter = 0 : i64", "thunky.parameter = 1 : i64"},
      {"thunky.parameter = 0 : i64", "thunky.scratch"},
      {"thunky.results = [array<i64>]", "thunky.results = [array<i64: 0>]"},
  };
  for (const auto& [from, to] : edits) {
    SCOPED_TRACE(absl::StrCat(from, " -> ", to));
    std::string edited = text;
    const size_t at = edited.find(from);
    ASSERT_NE(at, std::string::npos) << text;
    edited.replace(at, from.size(), to);
    TestCompiler other;
    EXPECT_NE(other.errorOf(edited), "");
  }
}

}  // namespace
}  // namespace thunky::compiler
