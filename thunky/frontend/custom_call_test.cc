// Custom calls and their attributes: rules 13 and 14.
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "thunky/frontend/expect_error.h"
#include "thunky/thunky.h"

namespace thunky {
namespace {

using ::testing::HasSubstr;

std::string custom_call_text(const CustomCallOptions& options) {
  return jit([&](Ref x, Ref y) { custom_call("target", {x}, {y}, options); },
             {f32(2, 2), i32()})
      .module_text(/*elide=*/false);
}

TEST(Spec8Rule14, CustomCallStatesTheShapesOfItsBuffers) {
  const std::string text = custom_call_text({});
  EXPECT_THAT(text, HasSubstr("thunky.custom_call \"target\""));
  EXPECT_THAT(text, HasSubstr("tensor<2x2xf32>"));
  EXPECT_THAT(text, HasSubstr("tensor<i32>"));
}

TEST(Spec8Rule14, LayoutsAndTheLaunchFlagAreKept) {
  const std::string text = custom_call_text(
      {.operand_layouts = {{0, 1}}, .result_layouts = {{}}, .programmatic = true});
  EXPECT_THAT(text, HasSubstr("array<i64: 0, 1>"));
  EXPECT_THAT(text, HasSubstr("programmatic"));
}

TEST(Spec8Rule14, LayoutsThatAreNoPermutationsAreErrors) {
  jit(
      [](Ref x, Ref y) {
        const auto call = [&](std::vector<std::vector<int64_t>> layouts) {
          return error_of([&] {
            custom_call("target", {x}, {y}, {.operand_layouts = std::move(layouts)});
          });
        };
        for (const auto& layouts : std::vector<std::vector<std::vector<int64_t>>>{
                 {{0, 0}}, {{0}}, {{0, 2}}, {{-1, 0}}, {{0, 1}, {0, 1}}}) {
          const auto error = call(layouts);
          ASSERT_TRUE(error) << ::testing::PrintToString(layouts);
          EXPECT_EQ(error->code(), ErrorCode::invalid_argument);
          EXPECT_THAT(error->message(), HasSubstr("layout"));
        }
      },
      {f32(2, 2), i32()});
}

TEST(Spec4Operations, CustomCallNeedsATarget) {
  jit(
      [](Ref x) {
        EXPECT_INVALID(custom_call("", {x}, {}), "custom_call: the target has no name");
      },
      {f32()});
}

TEST(Spec2CustomCall, ZeroByteBuffersAndNoBuffersAreAllowed) {
  const Program program = jit(
      [](Ref x) {
        custom_call("target", {x[slice(0, 0)]}, {x});
        custom_call("other", {}, {});
      },
      {f32(4)});
  EXPECT_THAT(program.module_text(), HasSubstr("\"other\""));
  EXPECT_TRUE(program.arguments()[0].effect.written);
}

TEST(Spec4Operations, CustomCallReadsItsOperandsAndWritesItsResults) {
  const Program program =
      jit([](Ref x, Ref y) { custom_call("target", {x}, {y}); }, {f32(4), f32(4)});
  EXPECT_TRUE(program.arguments()[0].effect.read);
  EXPECT_FALSE(program.arguments()[0].effect.written);
  EXPECT_FALSE(program.arguments()[1].effect.read);
  EXPECT_TRUE(program.arguments()[1].effect.written);
}

TEST(Spec8Rule13, NumbersKeepTheirSizeAndSign) {
  const std::string text =
      custom_call_text({.attributes = {{"i8", int8_t{-128}},
                                       {"i16", int16_t{-32768}},
                                       {"i32", 5},
                                       {"i64", std::numeric_limits<int64_t>::min()},
                                       {"u8", uint8_t{255}},
                                       {"u16", uint16_t{65535}},
                                       {"u32", std::numeric_limits<uint32_t>::max()},
                                       {"u64", std::numeric_limits<uint64_t>::max()},
                                       {"flag", true},
                                       {"long_long", 7LL}}});
  EXPECT_THAT(text, HasSubstr("i8 = -128 : i8"));
  EXPECT_THAT(text, HasSubstr("i16 = -32768 : i16"));
  EXPECT_THAT(text, HasSubstr("i32 = 5 : i32"));
  EXPECT_THAT(text, HasSubstr("i64 = -9223372036854775808 : i64"));
  EXPECT_THAT(text, HasSubstr("u8 = 255 : ui8"));
  EXPECT_THAT(text, HasSubstr("u16 = 65535 : ui16"));
  EXPECT_THAT(text, HasSubstr("u32 = 4294967295 : ui32"));
  EXPECT_THAT(text, HasSubstr("u64 = 18446744073709551615 : ui64"));
  EXPECT_THAT(text, HasSubstr("flag = true"));
  EXPECT_THAT(text, HasSubstr("long_long = 7 : i64"));
}

TEST(Spec8Rule13, FloatsAreKeptExactly) {
  const std::string text = custom_call_text(
      {.attributes = {{"f32", 0.1f},
                      {"f64", 0.1},
                      {"inf", std::numeric_limits<float>::infinity()},
                      {"minus_inf", -std::numeric_limits<double>::infinity()},
                      {"nan", std::numeric_limits<double>::quiet_NaN()},
                      {"minus_zero", -0.0}}});
  EXPECT_THAT(text, HasSubstr("f32 = 1.000000e-01 : f32"));
  EXPECT_THAT(text, HasSubstr("f64 = 1.000000e-01 : f64"));
  EXPECT_THAT(text, HasSubstr("inf = 0x7F800000 : f32"));
  EXPECT_THAT(text, HasSubstr("minus_inf = 0xFFF0000000000000 : f64"));
  EXPECT_THAT(text, HasSubstr("nan = 0x7FF8000000000000 : f64"));
  EXPECT_THAT(text, HasSubstr("minus_zero = -0.000000e+00 : f64"));
}

TEST(Spec8Rule13, StringsAreBytes) {
  const std::string text =
      custom_call_text({.attributes = {{"empty", ""},
                                       {"quotes", "say \"hi\"\n"},
                                       {"nul", std::string("a\0b", 3)},
                                       {"utf8", "\xc3\xa4"},
                                       {"view", std::string_view("view")}}});
  EXPECT_THAT(text, HasSubstr(R"(empty = "")"));
  EXPECT_THAT(text, HasSubstr(R"(quotes = "say \22hi\22\0A")"));
  EXPECT_THAT(text, HasSubstr(R"(nul = "a\00b")"));
  EXPECT_THAT(text, HasSubstr(R"(utf8 = "\C3\A4")"));
  EXPECT_THAT(text, HasSubstr(R"(view = "view")"));
}

TEST(Spec8Rule13, ArraysAndNestedDictionaries) {
  const std::string text = custom_call_text(
      {.attributes = {
           {"i64s", std::vector<int64_t>{-1, 2}},
           {"u8s", std::vector<uint8_t>{0, 255}},
           {"u64s", std::vector<uint64_t>{std::numeric_limits<uint64_t>::max()}},
           {"f32s", std::vector<float>{1.5f, -2.0f}},
           {"none", std::vector<double>{}},
           {"no_u16", std::vector<uint16_t>{}},
           {"inner", Attributes{{"deep", Attributes{{"x", 1.5}}}}}}});
  EXPECT_THAT(text, HasSubstr("i64s = array<i64: -1, 2>"));
  EXPECT_THAT(text, HasSubstr("u8s = dense<[0, 255]> : tensor<2xui8>"));
  EXPECT_THAT(text, HasSubstr("u64s = dense<18446744073709551615> : tensor<1xui64>"));
  EXPECT_THAT(text, HasSubstr("f32s = array<f32: 1.500000e+00, -2.000000e+00>"));
  EXPECT_THAT(text, HasSubstr("none = array<f64>"));
  EXPECT_THAT(text, HasSubstr("no_u16 = dense<> : tensor<0xui16>"));
  EXPECT_THAT(text, HasSubstr("inner = {deep = {x = 1.500000e+00 : f64}}"));
}

TEST(Spec8Rule13, KeysAreInOrderWhateverTheOrderTheyWereGivenIn) {
  const std::string text =
      custom_call_text({.attributes = {{"b", 1}, {"c", 2}, {"a", 3}}});
  EXPECT_THAT(text, HasSubstr("{a = 3 : i32, b = 1 : i32, c = 2 : i32}"));
  Attributes replaced{{"a", 1}};
  replaced.set("a", 2.5);
  EXPECT_THAT(custom_call_text({.attributes = replaced}),
              HasSubstr("{a = 2.500000e+00 : f64}"));
}

TEST(Spec8Rule13, AttributesSurviveFiles) {
  const Program program = jit(
      [](Ref x) {
        custom_call("target", {x}, {},
                    {.attributes = {{"u64", std::numeric_limits<uint64_t>::max()},
                                    {"nan", std::numeric_limits<float>::quiet_NaN()},
                                    {"nul", std::string("\0\xff", 2)},
                                    {"u32s", std::vector<uint32_t>{1, 0xffffffff}},
                                    {"none", std::vector<int8_t>{}},
                                    {"inner", Attributes{{"flag", false}}}}});
      },
      {f32(4)});
  const std::string path = ::testing::TempDir() + "attributes.mlirbc";
  program.save(path);
  EXPECT_EQ(Program::load(path).module_text(false), program.module_text(false));
  const Program parsed = Program::from_bytes(program.module_text(false), "again.mlir");
  EXPECT_EQ(parsed.module_text(false), program.module_text(false));
  const std::string executable = ::testing::TempDir() + "attributes.bin";
  program.save(executable, {.format = FileFormat::kJax, .compute_capability = "9.0"});
  const Program lowered = Program::load(executable);
  const std::string text = lowered.module_text(/*elide=*/false);
  EXPECT_THAT(text, HasSubstr("u64 = 18446744073709551615 : ui64"));
  EXPECT_THAT(text, HasSubstr("nan = 0x7FC00000 : f32"));
  EXPECT_THAT(text, HasSubstr(R"(nul = "\00\FF")"));
  EXPECT_THAT(text, HasSubstr("u32s = dense<[1, 4294967295]> : tensor<2xui32>"));
  EXPECT_THAT(text, HasSubstr("none = array<i8>"));
  EXPECT_THAT(text, HasSubstr("inner = {flag = false}"));
}

TEST(Spec8Rule13, AValueWithoutANameIsAnError) {
  jit(
      [](Ref x) {
        EXPECT_INVALID(custom_call("handler", {x}, {}, {.attributes = {{"", 1}}}),
                       "custom_call: has a backend_config value without a name");
        const Attributes inner = {{"", 1}};
        EXPECT_INVALID(custom_call("handler", {x}, {}, {.attributes = {{"a", inner}}}),
                       "custom_call: has a backend_config value without a name");
      },
      {f32(4)});
}

TEST(Spec8Rule13, ANameThatIsThereTwiceIsAnError) {
  EXPECT_INVALID((Attributes{{"a", 1}, {"b", 2}, {"a", 3}}),
                 "there are two attributes 'a'");
}

}  // namespace
}  // namespace thunky
