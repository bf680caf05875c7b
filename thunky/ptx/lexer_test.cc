#include "thunky/ptx/lexer.h"

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace thunky::ptx {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

using Kinds = std::vector<std::pair<TokenKind, std::string>>;

Kinds Lex(std::string_view text) {
  Kinds kinds;
  Lexer lexer(text);
  for (Token token = lexer.Next(); token.kind != TokenKind::kEnd; token = lexer.Next()) {
    kinds.emplace_back(token.kind, token.text);
  }
  return kinds;
}

std::vector<std::string> Texts(std::string_view text) {
  std::vector<std::string> texts;
  for (auto& [kind, spelling] : Lex(text)) texts.push_back(spelling);
  return texts;
}

TEST(LexerTest, SplitsAnInstruction) {
  EXPECT_THAT(
      Lex("@%p1 ld.global.v2.f32 {%f1, _}, [%rd1+8];"),
      ElementsAre(
          Pair(TokenKind::kPunctuation, "@"), Pair(TokenKind::kIdentifier, "%p1"),
          Pair(TokenKind::kIdentifier, "ld"), Pair(TokenKind::kDirective, ".global"),
          Pair(TokenKind::kDirective, ".v2"), Pair(TokenKind::kDirective, ".f32"),
          Pair(TokenKind::kPunctuation, "{"), Pair(TokenKind::kIdentifier, "%f1"),
          Pair(TokenKind::kPunctuation, ","), Pair(TokenKind::kIdentifier, "_"),
          Pair(TokenKind::kPunctuation, "}"), Pair(TokenKind::kPunctuation, ","),
          Pair(TokenKind::kPunctuation, "["), Pair(TokenKind::kIdentifier, "%rd1"),
          Pair(TokenKind::kPunctuation, "+"), Pair(TokenKind::kNumber, "8"),
          Pair(TokenKind::kPunctuation, "]"), Pair(TokenKind::kPunctuation, ";")));
}

TEST(LexerTest, KeepsDoubleColonsInDottedNames) {
  EXPECT_THAT(Texts("ld.param::entry.b64 cp.async.mbarrier::complete_tx::bytes"),
              ElementsAre("ld", ".param::entry", ".b64", "cp", ".async",
                          ".mbarrier::complete_tx::bytes"));
  EXPECT_THAT(Texts("L: :x .a:: b"),
              ElementsAre("L", ":", ":", "x", ".a", ":", ":", "b"));
}

TEST(LexerTest, NamesMayStartWithPercentDollarAndUnderscore) {
  EXPECT_THAT(Texts("%r1 $L__BB0_1 _Z3foo _ a$b %_x"),
              ElementsAre("%r1", "$L__BB0_1", "_Z3foo", "_", "a$b", "%_x"));
}

TEST(LexerTest, PercentAloneIsAnOperator) {
  EXPECT_THAT(Lex("5 % 3"), ElementsAre(Pair(TokenKind::kNumber, "5"),
                                        Pair(TokenKind::kPunctuation, "%"),
                                        Pair(TokenKind::kNumber, "3")));
}

TEST(LexerTest, NumbersAreOneTokenEach) {
  for (const char* number :
       {"0", "42", "42U", "0x1F", "0XfU", "0b101", "017", "0f3F800000", "0F3f800000",
        "0d3FF0000000000000", "1.5", "1.", ".5", "1e-3", "1.5E+10", ".5e-3"}) {
    EXPECT_THAT(Lex(number), ElementsAre(Pair(TokenKind::kNumber, number))) << number;
  }
}

TEST(LexerTest, ExponentSignsBelongToDecimalNumbersOnly) {
  EXPECT_THAT(Texts("0x1E-3"), ElementsAre("0x1E", "-", "3"));
  EXPECT_THAT(Texts("0f0000000E+3"), ElementsAre("0f0000000E", "+", "3"));
  EXPECT_THAT(Texts("1E-3"), ElementsAre("1E-3"));
}

TEST(LexerTest, FractionsAndDimensionsDiffer) {
  EXPECT_THAT(
      Lex("tex.1d x, .5"),
      ElementsAre(Pair(TokenKind::kIdentifier, "tex"), Pair(TokenKind::kDirective, ".1d"),
                  Pair(TokenKind::kIdentifier, "x"), Pair(TokenKind::kPunctuation, ","),
                  Pair(TokenKind::kNumber, ".5")));
  EXPECT_THAT(Texts("tcgen05.ld.32x32b"), ElementsAre("tcgen05", ".ld", ".32x32b"));
}

TEST(LexerTest, SkipsCommentsBlanksAndLineMarkers) {
  EXPECT_THAT(Texts("# 1 \"a.cu\"\n  #line 3\na // b\n/* c\n d */ e /**/f\r\n\tg"),
              ElementsAre("a", "e", "f", "g"));
}

TEST(LexerTest, NumberSignBehindATokenIsAnError) {
  EXPECT_THAT(Lex("a # b"),
              ElementsAre(Pair(TokenKind::kIdentifier, "a"), Pair(TokenKind::kError, "#"),
                          Pair(TokenKind::kIdentifier, "b")));
}

TEST(LexerTest, StringsKeepTheirQuotesAndEscapes) {
  EXPECT_THAT(Lex(R"("a\"b\\" "//")"),
              ElementsAre(Pair(TokenKind::kString, R"("a\"b\\")"),
                          Pair(TokenKind::kString, R"("//")")));
}

TEST(LexerTest, OperatorsTakeTwoCharactersWhereTheyCan) {
  EXPECT_THAT(
      Texts("a<<b>>c<=d>=e==f!=g&&h||i<j>k|l&m"),
      ElementsAre("a", "<<", "b", ">>", "c", "<=", "d", ">=", "e", "==", "f", "!=", "g",
                  "&&", "h", "||", "i", "<", "j", ">", "k", "|", "l", "&", "m"));
}

TEST(LexerTest, LocationsCountFromOne) {
  Lexer lexer("a\n  /* \n */ b\n\"s\" c");
  std::vector<std::pair<uint32_t, uint32_t>> locations;
  for (Token token = lexer.Next(); token.kind != TokenKind::kEnd; token = lexer.Next()) {
    locations.emplace_back(token.location.line, token.location.column);
  }
  EXPECT_THAT(locations, ElementsAre(Pair(1, 1), Pair(3, 5), Pair(4, 1), Pair(4, 5)));
}

TEST(LexerTest, UnterminatedThingsAreErrors) {
  Lexer comment("a\n /* b");
  comment.Next();
  const Token token = comment.Next();
  EXPECT_EQ(token.kind, TokenKind::kError);
  EXPECT_STREQ(token.problem, "unterminated comment");
  EXPECT_EQ(token.location.line, 2u);
  EXPECT_EQ(token.location.column, 2u);
  EXPECT_EQ(comment.Next().kind, TokenKind::kEnd);

  EXPECT_THAT(Lex("\"abc"), ElementsAre(Pair(TokenKind::kError, "\"abc")));
  EXPECT_THAT(Lex("\"abc\\"), ElementsAre(Pair(TokenKind::kError, "\"abc\\")));
  EXPECT_THAT(Lex("\"abc\nd"), ElementsAre(Pair(TokenKind::kError, "\"abc"),
                                           Pair(TokenKind::kIdentifier, "d")));
  EXPECT_THAT(Lex("/"), ElementsAre(Pair(TokenKind::kPunctuation, "/")));
}

TEST(LexerTest, EndRepeats) {
  Lexer lexer(" ");
  EXPECT_EQ(lexer.Next().kind, TokenKind::kEnd);
  EXPECT_EQ(lexer.Next().kind, TokenKind::kEnd);
  EXPECT_THAT(Lex(""), IsEmpty());
}

// Every byte is looked at a bounded number of times, whatever it is: 1 MiB of the
// shapes that could make a lexer start over takes some milliseconds. Looking at all
// that follows at each byte would take many minutes.
TEST(LexerTest, TimeIsLinear) {
  constexpr size_t kBytes = size_t{1} << 20;
  for (const std::string& unit :
       {std::string("/"), std::string("\""), std::string("."), std::string("/*"),
        std::string(".1"), std::string("1e"), std::string("a::"), std::string("#\n"),
        std::string(".a::")}) {
    std::string text;
    while (text.size() < kBytes) text += unit;
    const auto start = std::chrono::steady_clock::now();
    size_t tokens = 0;
    Lexer lexer(text);
    while (lexer.Next().kind != TokenKind::kEnd) ++tokens;
    EXPECT_LE(tokens, text.size());
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(30)) << unit;
  }
}

}  // namespace
}  // namespace thunky::ptx
