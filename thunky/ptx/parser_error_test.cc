// What the parser says about texts that are not PTX.
#include <algorithm>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "thunky/ptx/parser.h"

namespace thunky::ptx {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string Error(std::string_view text) {
  const auto module = ParseModule(text);
  EXPECT_EQ(module.status().code(), absl::StatusCode::kInvalidArgument);
  return std::string(module.status().message());
}

// The error of `text` behind a head of three lines.
std::string ItemError(const std::string& text) {
  return Error(".version 9.0\n.target sm_90\n.address_size 64\n" + text);
}

// The error of `statements`, which start on line 6.
std::string BodyError(const std::string& statements) {
  return ItemError(".entry k()\n{\n" + statements + "\n}\n");
}

// --- Not PTX at all --------------------------------------------------------

TEST(ParserErrorTest, EmptyText) {
  EXPECT_EQ(Error(""), "PTX text is empty");
  EXPECT_EQ(Error(" \n\t\r\n"), "PTX text is empty");
}

TEST(ParserErrorTest, TextWithoutVersion) {
  EXPECT_EQ(Error("hello world"),
            "line 1, column 1: expected '.version' as the first directive of PTX, found "
            "'hello'");
  EXPECT_EQ(Error("// nothing else\n"),
            "line 2, column 1: unexpected end of file, expected '.version' as the first "
            "directive of PTX");
  EXPECT_THAT(Error(".target sm_80\n.version 9.0\n"), HasSubstr("found '.target'"));
}

TEST(ParserErrorTest, BinaryContent) {
  EXPECT_EQ(Error(std::string("\x7f"
                              "ELF\2\1\1\0",
                              8)),
            "not PTX text: found an ELF header (a cubin?)");
  EXPECT_EQ(Error("\x50\xed\x55\xba\x01"), "not PTX text: found a fat binary header");
  EXPECT_EQ(Error(std::string(".version 9.0\n\0", 14)),
            "not PTX text: found a NUL byte at offset 13");
  EXPECT_THAT(Error("\x80\x81"), HasSubstr("unexpected character '\\x80'"));
}

// --- The head --------------------------------------------------------------

TEST(ParserErrorTest, NewerVersionNamesBoth) {
  for (const char* version : {"9.4", "10.0", "11.7"}) {
    const auto module =
        ParseModule(std::string("\n.version ") + version + "\n.target sm_90\n");
    EXPECT_EQ(module.status().code(), absl::StatusCode::kUnimplemented);
    EXPECT_EQ(module.status().message(),
              std::string("line 2, column 10: PTX version ") + version +
                  " is newer than 9.3, the newest that is supported");
  }
  EXPECT_TRUE(ParseModule(".version 9.3\n.target sm_90\n").ok());
}

TEST(ParserErrorTest, MalformedHead) {
  EXPECT_THAT(Error(".version nine"), HasSubstr("expected a version such as 9.0"));
  EXPECT_THAT(Error(".version 9"), HasSubstr("expected a version such as 9.0"));
  EXPECT_THAT(Error(".version 9.x"), HasSubstr("expected a version such as 9.0"));
  EXPECT_THAT(Error(".version 99999.0"), HasSubstr("expected a version such as 9.0"));
  EXPECT_EQ(Error(".version 9.0\n.entry k() {}"),
            "line 2, column 1: expected '.target', found '.entry'");
  EXPECT_EQ(Error(".version 9.0\n.target 80"),
            "line 2, column 9: expected a target such as sm_90, found '80'");
  EXPECT_EQ(Error(".version 9.0\n.target sm_90\n.address_size 16"),
            "line 3, column 15: expected 32 or 64, found '16'");
  EXPECT_EQ(ItemError(".version 9.0\n"),
            "line 4, column 1: expected one '.version' only, found '.version'");
}

// --- Truncated texts -------------------------------------------------------

TEST(ParserErrorTest, TruncatedTexts) {
  EXPECT_EQ(Error(".version"),
            "line 1, column 9: unexpected end of file, expected a version such as 9.0");
  EXPECT_EQ(Error(".version 9.0\n"),
            "line 2, column 1: unexpected end of file, expected '.target'");
  EXPECT_EQ(ItemError(".visible"),
            "line 4, column 9: unexpected end of file, expected '.entry', '.func' or a "
            "state space");
  EXPECT_EQ(ItemError(".entry"),
            "line 4, column 7: unexpected end of file, expected a function name");
  EXPECT_EQ(ItemError(".entry k("),
            "line 4, column 10: unexpected end of file, expected a state space");
  EXPECT_EQ(ItemError(".entry k()"),
            "line 4, column 11: unexpected end of file, expected '{' or ';'");
  EXPECT_EQ(ItemError(".entry k() {\nret;\n"),
            "line 6, column 1: unexpected end of file, expected '}'");
  EXPECT_EQ(ItemError(".entry k() {\n{ add.s32 %r1, %r2"),
            "line 5, column 19: unexpected end of file, expected ',' or ';'");
  EXPECT_EQ(ItemError(".section .debug_info {\n.b8 1"),
            "line 5, column 6: unexpected end of file, expected '}'");
}

TEST(ParserErrorTest, UnterminatedCommentIsNamedAlone) {
  EXPECT_EQ(ItemError(".entry k() {\n  /* no end\nret;\n}"),
            "line 5, column 3: unterminated comment");
}

TEST(ParserErrorTest, UnterminatedString) {
  EXPECT_THAT(ItemError(".file 1 \"name\n.entry k() {}"),
              HasSubstr("line 4, column 9: unterminated string"));
}

// --- Items and statements --------------------------------------------------

TEST(ParserErrorTest, ItemErrors) {
  EXPECT_EQ(ItemError("foo;"), "line 4, column 1: expected a directive, found 'foo'");
  EXPECT_EQ(ItemError("}"), "line 4, column 1: expected a directive, found '}'");
  EXPECT_EQ(ItemError(".visible .file 1 \"x\""),
            "line 4, column 10: expected '.entry', '.func' or a state space, found "
            "'.file'");
  EXPECT_EQ(ItemError(".global x;"), "line 4, column 9: expected a type, found 'x'");
  EXPECT_EQ(ItemError(".global .b32 4;"),
            "line 4, column 14: expected a variable name, found '4'");
  EXPECT_EQ(ItemError(".global .align x .b32 a;"),
            "line 4, column 16: expected an alignment, found 'x'");
  EXPECT_EQ(ItemError(".global .b32 a[2;"), "line 4, column 17: expected ']', found ';'");
  EXPECT_EQ(ItemError(".global .b32 a[2] = {1, 2;"),
            "line 4, column 26: expected ',' or '}', found ';'");
  EXPECT_EQ(ItemError(".global .b32 a = ;"),
            "line 4, column 18: expected an operand, found ';'");
  EXPECT_EQ(ItemError(".global .b32 a = {1,};"),
            "line 4, column 21: expected an operand, found '}'");
  EXPECT_EQ(ItemError(".global .b32 a b;"),
            "line 4, column 16: expected ',' or ';', found 'b'");
  EXPECT_EQ(ItemError(".alias f;"), "line 4, column 9: expected ',', found ';'");
  EXPECT_EQ(ItemError(".pragma 1;"), "line 4, column 9: expected a string, found '1'");
  EXPECT_EQ(ItemError(".file x"), "line 4, column 7: expected a file number, found 'x'");
  EXPECT_EQ(ItemError(".global .attribute .b32 x;"),
            "line 4, column 20: expected '(', found '.b32'");
  EXPECT_EQ(ItemError(".entry k(.param .b32 a, b) { ret; }"),
            "line 4, column 25: expected a state space, found 'b'");
  EXPECT_EQ(ItemError(".entry k() ret;"),
            "line 4, column 12: expected '{' or ';', found 'ret'");
}

TEST(ParserErrorTest, StatementErrors) {
  EXPECT_EQ(BodyError("add.s32 %r1 %r2;"),
            "line 6, column 13: expected ',' or ';', found '%r2'");
  EXPECT_EQ(BodyError("add.s32 %r1,;"),
            "line 6, column 13: expected an operand, found ';'");
  EXPECT_EQ(BodyError("@1 bra L;\n@%p1;"),
            "line 6, column 2: expected a predicate, found '1'\n"
            "line 7, column 5: expected an instruction, found ';'");
  EXPECT_EQ(BodyError("%r1 = 4;"),
            "line 6, column 1: expected an instruction, found '%r1'");
  EXPECT_EQ(BodyError(";"), "line 6, column 1: expected a statement, found ';'");
  EXPECT_EQ(BodyError(".reg .b32 %r<x>;"),
            "line 6, column 14: expected a register count, found 'x'");
  EXPECT_EQ(BodyError(".reg .b32 %r<1.5>;"),
            "line 6, column 14: expected a register count, found '1.5'");
  EXPECT_EQ(BodyError("ld.b32 %r1, [%rd1;"),
            "line 6, column 18: expected ',' or ']', found ';'");
  EXPECT_EQ(BodyError("mov.b32 %r1, (1;"), "line 6, column 16: expected ')', found ';'");
  EXPECT_EQ(BodyError("mov.b32 %r1, 1 ? 2;"),
            "line 6, column 19: expected ':', found ';'");
  EXPECT_EQ(BodyError("t: .branchtargets 1;"),
            "line 6, column 19: expected a label, found '1'");
  EXPECT_EQ(BodyError("p: .callprototype f ();"),
            "line 6, column 19: expected '_', found 'f'");
  EXPECT_EQ(BodyError(".loc 1 2;"),
            "line 6, column 9: expected a column number, found ';'");
  EXPECT_EQ(BodyError(".loc 1 2 3, 4;"),
            "line 6, column 13: expected 'function_name' or 'inlined_at', found '4'");
  EXPECT_EQ(BodyError("tex.1d {a, b}|1, [t];"),
            "line 6, column 15: expected a predicate behind '|', found '1'");
}

TEST(ParserErrorTest, NumberErrors) {
  EXPECT_EQ(BodyError("mov.b32 %r1, 0x1G;"),
            "line 6, column 14: malformed number: '0x1G'");
  EXPECT_EQ(BodyError("mov.f32 %f1, 0f3F8;"),
            "line 6, column 14: 0f takes 8 hexadecimal digits: '0f3F8'");
  EXPECT_EQ(BodyError("mov.b64 %rd1, 99999999999999999999;"),
            "line 6, column 15: integer does not fit 64 bits: '99999999999999999999'");
  EXPECT_EQ(BodyError(".reg .b32 %r<99999999999999999999>;"),
            "line 6, column 14: integer does not fit 64 bits: '99999999999999999999'");
}

TEST(ParserErrorTest, CharactersOutsideTheAlphabet) {
  EXPECT_EQ(BodyError("mov.b32 %r1, `4;"), "line 6, column 14: unexpected character '`'");
  EXPECT_EQ(BodyError("mov.b32 %r1, 4 . ;"),
            "line 6, column 16: unexpected character '.'");
}

TEST(ParserErrorTest, LongTokensAreShortened) {
  const std::string message = BodyError("mov.b32 %r1, " + std::string(1000, '9') + ";");
  EXPECT_LT(message.size(), 120u);
  EXPECT_THAT(message, HasSubstr("9...'"));
}

// --- Recovery --------------------------------------------------------------

TEST(ParserErrorTest, ReportsSeveralErrorsInOrder) {
  EXPECT_EQ(BodyError("add.s32 %r1 %r2;\nret;\nmov.b32 {%r1, %r2;\nmov.b32 %r1, {1 2};\n"
                      "{ sub ]; }\nret;"),
            "line 6, column 13: expected ',' or ';', found '%r2'\n"
            "line 8, column 18: expected ',' or '}', found ';'\n"
            "line 9, column 17: expected ',' or '}', found '2'\n"
            "line 10, column 7: expected an operand, found ']'");
}

TEST(ParserErrorTest, AStatementWithoutSemicolonEndsAtTheBrace) {
  EXPECT_EQ(ItemError(".entry k() {\nret\n}\n.entry l() {\nret 1 2;\n}"),
            "line 6, column 1: expected an operand, found '}'\n"
            "line 8, column 7: expected ',' or ';', found '2'");
}

TEST(ParserErrorTest, GoesOnWithTheNextFunction) {
  EXPECT_EQ(
      ItemError(".entry k(.param x) {\n foo bar baz;\n}\n"
                ".global .b32 a\n.visible .entry l() {\n ret 1 2;\n}\n.global b;\n"),
      "line 4, column 17: expected a type, found 'x'\n"
      "line 8, column 1: expected ',' or ';', found '.visible'\n"
      "line 9, column 8: expected ',' or ';', found '2'\n"
      "line 11, column 9: expected a type, found 'b'");
}

TEST(ParserErrorTest, AtMostTwentyErrors) {
  std::string statements;
  for (int i = 0; i < 100; ++i) statements += "add ];\n";
  const std::string message = BodyError(statements);
  EXPECT_EQ(std::count(message.begin(), message.end(), '\n'), 19);
  EXPECT_THAT(message, HasSubstr("line 25, column 5"));
  EXPECT_THAT(message, Not(HasSubstr("line 26")));
}

TEST(ParserErrorTest, StrayCharactersAreLimitedToo) {
  const std::string message = BodyError(std::string(100000, '`'));
  EXPECT_EQ(std::count(message.begin(), message.end(), '\n'), 19);
}

}  // namespace
}  // namespace thunky::ptx
