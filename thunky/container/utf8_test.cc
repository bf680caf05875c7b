#include "thunky/container/utf8.h"

#include <string>

#include "gtest/gtest.h"

namespace thunky {
namespace {

TEST(Utf8, AcceptsTheEdgesOfEachLength) {
  for (const char* text :
       {"", "a\x7f", "\xc2\x80", "\xdf\xbf", "\xe0\xa0\x80", "\xed\x9f\xbf",
        "\xee\x80\x80", "\xef\xbf\xbf", "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf"}) {
    EXPECT_TRUE(IsUtf8(text)) << text;
  }
}

TEST(Utf8, RefusesLongFormsSurrogatesAndBrokenCharacters) {
  for (const char* text :
       {"\x80", "\xc0\x80", "\xc1\xbf", "\xc2", "\xc2z", "\xe0\x9f\xbf", "\xe1\x80",
        "\xe1\x80z", "\xed\xa0\x80", "\xf0\x8f\xbf\xbf", "\xf1\x80\x80",
        "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xff", "ok\xfe"}) {
    EXPECT_FALSE(IsUtf8(text)) << text;
  }
}

}  // namespace
}  // namespace thunky
