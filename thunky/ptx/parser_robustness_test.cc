// Damaged and hostile texts: an error or a tree that prints, never a crash.
#include <cstdint>
#include <random>
#include <string>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "thunky/ptx/corpus_for_test.h"
#include "thunky/ptx/parser.h"
#include "thunky/ptx/printer.h"

namespace thunky::ptx {
namespace {

using testing::HasSubstr;

constexpr char kHead[] = ".version 9.0\n.target sm_90\n.address_size 64\n";

// A text that parses must print to a fixed point, however odd it is. Returns
// whether it parsed.
bool ParsesAndPrints(std::string_view text) {
  const auto module = ParseModule(text);
  if (!module.ok()) {
    EXPECT_FALSE(module.status().message().empty());
    return false;
  }
  const std::string printed = PrintModule(*module);
  const auto again = ParseModule(printed);
  EXPECT_TRUE(again.ok()) << again.status() << "\n" << printed;
  EXPECT_EQ(again.ok() ? PrintModule(*again) : "", printed);
  return true;
}

std::string Repeat(std::string_view unit, size_t count) {
  std::string text;
  text.reserve(unit.size() * count);
  for (size_t i = 0; i < count; ++i) text += unit;
  return text;
}

std::string Items(const std::string& items) { return absl::StrCat(kHead, items); }

std::string Body(const std::string& statements) {
  return absl::StrCat(kHead, ".entry k()\n{\n", statements, "\n}\n");
}

std::vector<CorpusFile> Samples() {
  std::vector<CorpusFile> samples;
  for (CorpusFile& file : ReadCorpus()) {
    const bool is_sample = file.path.find("/ptx/nvcc/") != std::string::npos ||
                           file.path.find("/ptx/triton/softmax") != std::string::npos;
    if (is_sample) samples.push_back(std::move(file));
  }
  return samples;
}

TEST(ParserRobustnessTest, TruncatedFiles) {
  const std::vector<CorpusFile> samples = Samples();
  ASSERT_GE(samples.size(), 4u);
  for (const CorpusFile& file : samples) {
    SCOPED_TRACE(file.path);
    size_t cuts = 0;
    size_t parsed = 0;
    size_t at_end = 0;
    for (size_t size = 0; size < file.text.size(); size += 64) {
      const std::string_view text = std::string_view(file.text).substr(0, size);
      ++cuts;
      if (ParsesAndPrints(text)) {
        ++parsed;
      } else if (ParseModule(text).status().message().find("unexpected end of file") !=
                 absl::string_view::npos) {
        ++at_end;
      }
    }
    // Only a cut between two functions, or behind all, leaves a whole module.
    EXPECT_LT(parsed, cuts / 2);
    EXPECT_GT(at_end, cuts / 4);
  }
}

TEST(ParserRobustnessTest, FlippedBits) {
  const std::vector<CorpusFile> samples = Samples();
  ASSERT_GE(samples.size(), 4u);
  std::mt19937 random(20261130);
  size_t failed = 0;
  for (int i = 0; i < 1000; ++i) {
    std::string text = samples[i % samples.size()].text;
    const unsigned flips = 1 + random() % 4;
    for (unsigned flip = 0; flip < flips; ++flip) {
      text[random() % text.size()] ^= static_cast<char>(1u << (random() % 8));
    }
    if (!ParsesAndPrints(text)) ++failed;
  }
  EXPECT_GT(failed, 100u);
}

TEST(ParserRobustnessTest, ShuffledTokens) {
  constexpr std::string_view kPieces[] = {"{",
                                          "}",
                                          "(",
                                          ")",
                                          "[",
                                          "]",
                                          ",",
                                          ";",
                                          ":",
                                          "%r1",
                                          "foo",
                                          "_",
                                          "|",
                                          "!",
                                          "-",
                                          "+",
                                          "%",
                                          " ",
                                          "\n",
                                          ".reg",
                                          ".b32",
                                          ".5",
                                          "1",
                                          "1e",
                                          "0x",
                                          "call",
                                          "@",
                                          "=",
                                          "<",
                                          ">",
                                          "?",
                                          ".loc",
                                          ".x",
                                          ".entry",
                                          ".v2",
                                          ".ptr",
                                          ".func",
                                          ".pragma",
                                          "\"a\\z\"",
                                          ".file",
                                          ".param",
                                          ".section",
                                          ".align",
                                          "::",
                                          ".attribute",
                                          ".callprototype",
                                          ".branchtargets",
                                          "(.s64)",
                                          "generic",
                                          "0f3F800000"};
  constexpr size_t kPieceCount = std::size(kPieces);
  std::mt19937 random(7);
  for (int i = 0; i < 20000; ++i) {
    std::string pieces;
    for (unsigned length = random() % 24; length > 0; --length) {
      pieces += kPieces[random() % kPieceCount];
      if (random() % 2 == 0) pieces += ' ';
    }
    ParsesAndPrints(Items(pieces));
    ParsesAndPrints(Body(pieces));
    ParsesAndPrints(Body("mov.b32 " + pieces + ";"));
    ParsesAndPrints(Items(".global .b32 x = " + pieces + ";"));
  }
}

TEST(ParserRobustnessTest, NestingStopsAt256Levels) {
  constexpr size_t kDeep = 1000000;
  const std::string texts[] = {
      Body(Repeat("{", kDeep)),
      Body("mov.b32 %r1, " + Repeat("(", kDeep)),
      Body("mov.b32 %r1, " + Repeat("-", kDeep) + "1;"),
      Body("mov.b32 %r1, " + Repeat("(.s64)", kDeep) + "1;"),
      Body("mov.b32 %r1, " + Repeat("{", kDeep)),
      Body("mov.b32 %r1, " + Repeat("1?", kDeep)),
      Body("mov.b32 %r1, " + Repeat("1+(", kDeep)),
      Body("mov.b32 %r1, " + Repeat("1+", kDeep) + "1;"),
      Body("mov.b32 %r1, " + Repeat("1?2:", kDeep) + "1;"),
      Body("mov.b32 %r1, " + Repeat("a[", kDeep)),
      Body("mov.b32 %r1, a" + Repeat("[0]", kDeep) + ";"),
      Body("mov.b32 %r1, " + Repeat("f(", kDeep)),
      Body("call " + Repeat("(", kDeep)),
      Items(".global .b32 x[] = " + Repeat("{", kDeep)),
  };
  for (const std::string& text : texts) {
    const auto module = ParseModule(text);
    ASSERT_FALSE(module.ok()) << text.substr(0, 100);
    EXPECT_THAT(std::string(module.status().message()),
                HasSubstr("deeper than 256 levels"));
  }
}

TEST(ParserRobustnessTest, NestingBelowTheLimitParses) {
  EXPECT_TRUE(ParsesAndPrints(Body(Repeat("{", 255) + Repeat("}", 255))));
  EXPECT_FALSE(ParsesAndPrints(Body(Repeat("{", 256) + Repeat("}", 256))));
  EXPECT_TRUE(ParsesAndPrints(Body("mov.b32 %r1, " + Repeat("1+", 255) + "1;")));
  EXPECT_FALSE(ParsesAndPrints(Body("mov.b32 %r1, " + Repeat("1+", 256) + "1;")));
  // A parenthesis and a right operand are a level each.
  EXPECT_TRUE(ParsesAndPrints(
      Body("mov.b32 %r1, " + Repeat("(1+", 127) + "1" + Repeat(")", 127) + ";")));
  // Each level is shallow, the tree is not.
  const std::string chain = Repeat("+1", 200);
  EXPECT_FALSE(ParsesAndPrints(
      Body("mov.b32 %r1, " + Repeat("(", 100) + "1" + Repeat(chain + ")", 100) + ";")));
}

TEST(ParserRobustnessTest, CountsAreOnlyNumbers) {
  const auto module =
      ParseModule(Body(".reg .b32 %r<4000000000>, %s<18446744073709551615>;\n"
                       ".local .b8 x[18446744073709551615][18446744073709551615];"));
  ASSERT_TRUE(module.ok()) << module.status();
  const auto& function = std::get<ast::Function>(module->items[0]);
  EXPECT_EQ(std::get<ast::Variable>(function.body->statements[0]).count, 4000000000u);
  EXPECT_EQ(std::get<ast::Variable>(function.body->statements[1]).count, UINT64_MAX);
}

TEST(ParserRobustnessTest, LongListsParse) {
  EXPECT_TRUE(
      ParsesAndPrints(Items(".global .b8 x[] = {" + Repeat("0,", 200000) + "1};")));
  EXPECT_TRUE(ParsesAndPrints(Body(Repeat("ret;", 100000))));
  EXPECT_TRUE(ParsesAndPrints(Body(".reg .b32 a" + Repeat(",a", 100000) + ";")));
}

// A long prefix is not copied into a long list of variables.
TEST(ParserRobustnessTest, SharedPrefixIsBounded) {
  const std::string attribute = ".attribute(" + Repeat("a", 300) + ")";
  EXPECT_TRUE(ParsesAndPrints(Items(".global " + attribute + " .b32 a;")));
  const auto module = ParseModule(Items(".global " + attribute + " .b32 a, b;"));
  ASSERT_FALSE(module.ok());
  EXPECT_THAT(std::string(module.status().message()),
              HasSubstr("at most 256 characters"));
}

TEST(ParserRobustnessTest, TextSizeIsLimited) {
  const std::string text((size_t{256} << 20) + 1, ' ');
  const auto module = ParseModule(text);
  EXPECT_EQ(module.status().message(),
            "PTX text of 268435457 bytes exceeds the limit of 268435456");
}

}  // namespace
}  // namespace thunky::ptx
