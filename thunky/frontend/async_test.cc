// Asynchronous work: spec section 2, rule 8.
#include <optional>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "thunky/frontend/expect_error.h"
#include "thunky/thunky.h"

namespace thunky {
namespace {

using ::testing::HasSubstr;

const auto kNothing = [] {};

TEST(Spec2Async, ABodyRunsBesideAndIsJoined) {
  const Program program = jit(
      [](Ref x, Ref y, Ref z) {
        const Token token = async_start([&] { copy(x, y); });
        async_done(token);
        copy(y, z);
      },
      {f32(2), f32(2), f32(2)});
  const Device device = Device::host();
  const Array z = Array::zeros(device, f32(2));
  program.compile(device).run(
      {Array::from(device, {1.0f, 2.0f}), Array::zeros(device, f32(2)), z});
  EXPECT_EQ(z.to_vector<float>(), (std::vector<float>{1, 2}));
}

TEST(Spec2Async, StreamAndKindAreKept) {
  const std::string text =
      jit(
          [](Ref x) {
            async_done(async_start([&] { memzero(x); }));
            async_done(async_start([&] { memzero(x); }, 7));
            async_done(async_start([&] { memzero(x); }, 2, StreamKind::kCommunication));
          },
          {f32(2)})
          .module_text();
  EXPECT_THAT(text, HasSubstr("thunky.async_start stream 0"));
  EXPECT_THAT(text, HasSubstr("thunky.async_start stream 7"));
  EXPECT_THAT(text, HasSubstr("thunky.async_start stream 2 communication"));
}

TEST(Spec2Async, ANegativeStreamIsAnError) {
  jit(
      [](Ref) {
        EXPECT_INVALID(async_start(kNothing, -1),
                       "async_start: stream -1; streams are numbered from 0");
      },
      {f32()});
}

// Tracing `body` fails with that text. `body` says in its third parameter on which line.
template <typename F>
void expect_trace_error(F&& body, const std::string& text) {
  unsigned line = 0;
  const auto error = error_of(
      [&] { jit([&](Ref flag, Ref x) { body(flag, x, line); }, {boolean, f32(4)}); });
  ASSERT_TRUE(error) << text;
  EXPECT_EQ(error->code(), ErrorCode::invalid_argument);
  EXPECT_THAT(error->message(), HasSubstr(text));
  EXPECT_THAT(error->where().file, HasSubstr("async_test.cc"));
  EXPECT_EQ(error->where().line, line);
}

TEST(Spec2Async, ATokenThatNobodyJoinsIsAnError) {
  const std::string text =
      "async_start: has a token that is joined 0 times; exactly one thunky.async_done is "
      "needed";
  expect_trace_error(
      [](Ref, Ref, unsigned& line) {
        line = __LINE__ + 1;
        const Token token = async_start(kNothing);
      },
      text);
  // In a region as well.
  expect_trace_error(
      [](Ref flag, Ref, unsigned& line) {
        const auto start = [&] {
          line = __LINE__ + 1;
          const Token token = async_start(kNothing);
        };
        cond(flag, start, kNothing);
      },
      text);
}

TEST(Spec2Async, ATokenIsJoinedOnce) {
  expect_trace_error(
      [](Ref, Ref, unsigned& line) {
        line = __LINE__ + 1;
        const Token token = async_start(kNothing);
        async_done(token);
        async_done(token);
      },
      "async_start: has a token that is joined 2 times; exactly one thunky.async_done is "
      "needed\n  note: ");
}

const char kElsewhere[] =
    "async_done: joins work that was started outside of its region; the same region, or "
    "the body of asynchronous work or of a group in it, is allowed\n  note: ";

TEST(Spec2Async, ATokenIsJoinedOnEveryPath) {
  expect_trace_error(
      [](Ref flag, Ref, unsigned& line) {
        const Token token = async_start(kNothing);
        const auto done = [&] {
          line = __LINE__ + 1;
          async_done(token);
        };
        cond(flag, done, kNothing);
      },
      kElsewhere);
}

TEST(Spec2Async, ATokenIsNotJoinedInALoop) {
  expect_trace_error(
      [](Ref flag, Ref, unsigned& line) {
        const Token token = async_start(kNothing);
        const auto done = [&] {
          line = __LINE__ + 1;
          async_done(token);
        };
        while_loop(flag, kNothing, done, {.trip_count = 1});
      },
      kElsewhere);
}

TEST(Spec2Async, ATokenOfALoopBodyIsNotJoinedOutside) {
  std::optional<Token> escaped;
  expect_trace_error(
      [&](Ref flag, Ref, unsigned& line) {
        const auto start = [&] { escaped = async_start(kNothing); };
        while_loop(flag, kNothing, start, {.trip_count = 2});
        line = __LINE__ + 1;
        async_done(*escaped);
      },
      kElsewhere);
}

TEST(Spec2Async, AnotherBodyMayJoinTheToken) {
  const Program program = jit(
      [](Ref x, Ref y) {
        const Token first = async_start([&] { memset(x, 5); }, 1);
        const Token second = async_start(
            [&] {
              async_done(first);
              copy(x, y);
            },
            2);
        async_done(second);
      },
      {i32, i32});
  const Device device = Device::host();
  const Array y = Array::scalar(device, 0);
  program.compile(device).run({Array::scalar(device, 0), y});
  EXPECT_EQ(y.item<int32_t>(), 5);
}

TEST(Spec8Rule8, ATokenOfARegionThatFailedIsAnError) {
  std::optional<Token> token;
  jit(
      [&](Ref flag, Ref x) {
        EXPECT_TRUE(error_of([&] {
          cond(
              flag,
              [&] {
                token = async_start(kNothing);
                copy(x, flag);
              },
              kNothing);
        }));
        EXPECT_INVALID(async_done(*token),
                       "async_done: the token is of work in a region "
                       "that failed and is gone");
      },
      {boolean, f32(4)});
}

}  // namespace
}  // namespace thunky
