#include "thunky/interp/printf.h"

#include <gtest/gtest.h>

#include <bit>
#include <string>
#include <vector>

namespace thunky::interp {
namespace {

class FakeArguments : public PrintfArguments {
 public:
  explicit FakeArguments(std::vector<uint64_t> values) : values_(std::move(values)) {}
  bool Next(uint32_t size, uint64_t* value) override {
    if (at_ == values_.size()) return false;
    *value = size == 4 ? values_[at_] & 0xffffffffu : values_[at_];
    ++at_;
    return true;
  }
  bool String(uint64_t pointer, std::string* text) override {
    *text = "text" + std::to_string(pointer);
    return true;
  }

 private:
  std::vector<uint64_t> values_;
  size_t at_ = 0;
};

std::string Format(const std::string& format, std::vector<uint64_t> values = {}) {
  FakeArguments arguments(std::move(values));
  std::string text;
  const int used = FormatPrintf(format, arguments, &text);
  return used < 0 ? "failed" : text;
}

uint64_t Bits(double value) { return std::bit_cast<uint64_t>(value); }

TEST(PrintfTest, Integers) {
  EXPECT_EQ(Format("%d %u %i", {0xffffffff, 0xffffffff, 7}), "-1 4294967295 7");
  EXPECT_EQ(Format("%ld %lld %lu", {~0ull, ~0ull, ~0ull}), "-1 -1 18446744073709551615");
  EXPECT_EQ(Format("%x %#X %o", {255, 255, 8}), "ff 0XFF 10");
  EXPECT_EQ(Format("%hd %hhd %hhu", {0x18000, 0x180, 0x1ff}), "-32768 -128 255");
  EXPECT_EQ(Format("[%5d|%-5d|%05d|%+d]", {42, 42, 42, 42}), "[   42|42   |00042|+42]");
}

TEST(PrintfTest, FloatsTextAndPointers) {
  EXPECT_EQ(Format("%f %.2f %e %g", {Bits(1.5), Bits(2.0 / 3), Bits(12345.0), Bits(0.5)}),
            "1.500000 0.67 1.234500e+04 0.5");
  EXPECT_EQ(Format("%s|%10s|%-7s|%.3s", {1, 2, 3, 4}), "text1|     text2|text3  |tex");
  EXPECT_EQ(Format("%s", {0}), "(null)");
  EXPECT_EQ(Format("%c%c", {'a', 'b'}), "ab");
  EXPECT_EQ(Format("%p", {0x7f00}), "0x7f00");
  EXPECT_EQ(Format("100%%"), "100%");
  EXPECT_EQ(Format("%*d|%-*d|%.*f", {5, 1, 4, 2, 1, Bits(0.25)}), "    1|2   |0.2");
}

TEST(PrintfTest, HostileFormats) {
  EXPECT_EQ(Format("%"), "%");
  EXPECT_EQ(Format("%q %", {}), "%q %");
  EXPECT_EQ(Format("%n%d", {1, 2}), "2") << "%n stores nothing";
  EXPECT_EQ(Format("%d"), "failed");
  EXPECT_EQ(Format("%99999999999d", {1}).size(), static_cast<size_t>(kMaxPrintfWidth));
  EXPECT_EQ(Format("%.99999f", {Bits(1e308)}).size(), 309u + 1 + kMaxPrintfWidth);
  std::string many;
  for (int i = 0; i < 200; ++i) many += "%1024d";
  EXPECT_EQ(Format(many, std::vector<uint64_t>(200)).size(), kMaxPrintfText);
}

}  // namespace
}  // namespace thunky::interp
