#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <thread>

#include "thunky/api/programs_for_test.h"

namespace thunky::api_test {
namespace {

using std::chrono::milliseconds;
using testing::Each;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

const Device& Host() {
  static const Device host = Device::host();
  return host;
}

std::vector<float> Filled(float value) { return std::vector<float>(4096, value); }

TEST(RunTest, Saxpy) {
  const LoadedExecutable saxpy = Saxpy().compile(Host());
  EXPECT_TRUE(saxpy.device() == Host());
  EXPECT_EQ(saxpy.executable().name(), "jit__lambda");
  const Array x = Array::from(Host(), Filled(3));
  const Array result = Array::zeros(Host(), f32(4096));
  saxpy.run({2.0f, x, host(Filled(1)), result});
  EXPECT_THAT(result.to_vector<float>(), Each(7));
  EXPECT_THAT(x.to_vector<float>(), Each(3));
  // As a list made elsewhere.
  const std::vector<Argument> arguments = {-1.0f, x, host(Filled(1)), result};
  saxpy.run(arguments);
  EXPECT_THAT(result.to_vector<float>(), Each(-2));
}

TEST(RunTest, CallMakesTheResults) {
  const LoadedExecutable saxpy = Saxpy().compile(Host());
  const std::vector<Array> results = saxpy.call({2.0f, host(Filled(3)), host(Filled(1))});
  ASSERT_EQ(results.size(), 1u);
  EXPECT_THAT(results[0].to_vector<float>(), Each(7));
  // What a parameter holds afterwards is that array.
  const Array x = Array::from(Host(), {1, 2, 3, 4});
  const std::vector<Array> changed = Increment().compile(Host()).call({x});
  ASSERT_EQ(changed.size(), 1u);
  EXPECT_THAT(changed[0].to_vector<int>(), ElementsAre(2, 3, 4, 5));
  EXPECT_THAT(x.to_vector<int>(), ElementsAre(2, 3, 4, 5));

  EXPECT_EQ(ErrorIn([&] { saxpy.call({2.0f}); }).message(),
            "call: expected more inputs than 1: argument 1 'p1' (f32[4096]) has none");
  EXPECT_EQ(ErrorIn([&] { saxpy.call({2.0f, x, x, x}); }).message(),
            "call: expected 3 inputs, found 4");
}

TEST(RunTest, ArgumentsAreCheckedFirst) {
  const LoadedExecutable saxpy = Saxpy().compile(Host());
  const Array x = Array::from(Host(), Filled(3));
  const Array y = Array::from(Host(), Filled(1));
  const auto message = [&](std::initializer_list<Argument> arguments) {
    const Error error = ErrorIn([&] { saxpy.run(arguments); });
    EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
    EXPECT_THAT(error.where().file, EndsWith("run_test.cc"));
    EXPECT_EQ(ErrorIn([&] { saxpy.enqueue(arguments); }).message(), error.message());
    return error.message();
  };
  EXPECT_EQ(message({2.0f, x}),
            "program 'jit__lambda': arguments: expected 4 (argument 0 'p0' (f32[]), "
            "argument 1 'p1' (f32[4096]), argument 2 'p2' (f32[4096]), argument 3 "
            "(f32[4096])), found 2");
  EXPECT_EQ(
      message({2.0, x, y, x}),
      "program 'jit__lambda': argument 0 'p0' (f32[]): expected f32[], found f64[]");
  EXPECT_EQ(message({2.0f, x.as(f32(64, 64)), y, x}),
            "program 'jit__lambda': argument 1 'p1' (f32[4096]): expected f32[4096], "
            "found f32[64,64]");
  EXPECT_EQ(message({2.0f, x, y, host(Filled(1))}),
            "program 'jit__lambda': argument 3 (f32[4096]): expected an array, because "
            "the program writes it; found values of the host");
  EXPECT_EQ(message({2.0f, x, y, y}),
            "program 'jit__lambda': argument 2 'p2' (f32[4096]) and argument 3 "
            "(f32[4096]): expected two arrays, because the program writes argument 3; "
            "found one");
  EXPECT_THAT(x.to_vector<float>(), Each(3));
  EXPECT_THAT(y.to_vector<float>(), Each(1));
  // Arguments that are only read may be one array.
  const Array result = Array::zeros(Host(), f32(4096));
  saxpy.run({2.0f, x, x, result});
  EXPECT_THAT(result.to_vector<float>(), Each(9));
}

TEST(RunTest, HostValuesHaveATypeAndEnoughBytes) {
  EXPECT_EQ(host(Filled(1), {64, 64}).type(), f32(64, 64));
  EXPECT_EQ(host(1.5).type(), f64());
  // What is there stays there, what is temporary moves in.
  const std::vector<int> values = {1, 2};
  EXPECT_EQ(host(values).bytes().data(), std::as_bytes(std::span(values)).data());
  EXPECT_EQ(host(std::span(values)).bytes().data(),
            std::as_bytes(std::span(values)).data());
  const HostArray owner = host(std::vector<int>{3, 4});
  EXPECT_EQ(std::memcmp(owner.bytes().data(), std::array{3, 4}.data(), 8), 0);
  const std::array<std::byte, 2> bytes{};
  EXPECT_EQ(HostArray(bf16(), bytes).bytes().data(), bytes.data());
  EXPECT_EQ(ErrorIn([&] { HostArray(f32(2), bytes); }).message(),
            "expected the 8 bytes of f32[2], found 2");
  EXPECT_EQ(ErrorIn([&] { host(std::array<int, 3>(), {2}); }).message(),
            "expected the 8 bytes of s32[2], found 12");
}

TEST(RunTest, AFailureNamesThePlaceAndLeavesTheRest) {
  const LoadedExecutable program = PastTheEnd().compile(Host());
  const Array x = Array::from(Host(), {1, 2, 3, 4});
  const int line = __LINE__ + 1;
  const Error error = ErrorIn([&] { program.run({x}); });
  EXPECT_EQ(error.code(), ErrorCode::kernel_fault);
  EXPECT_EQ(error.where().line, static_cast<uint32_t>(line));
  EXPECT_THAT(
      error.message(),
      StartsWith("program 'past_the_end' on host: thunks[0] (custom_kernel 'k') "
                 "at app.cc:7: kernel 'k', block (0,0,0), thread (0,0,0), line "));
  EXPECT_THAT(error.message(), HasSubstr("0 bytes after the end of 'argument 0 'x'"));
  EXPECT_THAT(error.what(), StartsWith(__FILE__));
  Increment().compile(Host()).run({x});
  EXPECT_THAT(x.to_vector<int>(), ElementsAre(2, 3, 4, 5));
}

TEST(RunTest, LimitsOfTime) {
  const LoadedExecutable spin = Spin().compile(Host());
  const Array x = Array::zeros(Host(), i32(4));
  EXPECT_EQ(ErrorIn([&] { spin.run({x}, {.timeout = milliseconds(20)}); }).code(),
            ErrorCode::deadline_exceeded);
  EXPECT_EQ(ErrorIn([&] { spin.run({x}, {.max_steps = 1000}); }).code(),
            ErrorCode::resource_exhausted);
  EXPECT_EQ(ErrorIn([&] { spin.run({x}, {.timeout = milliseconds(0)}); }).message(),
            "RunOptions::timeout: expected a time above 0; none means no limit");
  // What no clock reaches is no limit.
  const Array one = Array::from(Host(), {1, 0, 0, 0});
  spin.run({one}, {.timeout = std::chrono::nanoseconds::max()});
  EXPECT_EQ(one.to_vector<int>()[0], 2);
}

TEST(RunTest, PrintsWhereItIsTold) {
  const LoadedExecutable print = Print().compile(Host());
  const Array x = Array::zeros(Host(), i32(4));
  std::string text;
  print.run({x}, {.print = [&](std::string_view piece) { text += piece; }});
  EXPECT_EQ(text, "hi\nhi\n");
  testing::internal::CaptureStdout();
  print.run({x});
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "hi\nhi\n");
}

TEST(RunTest, WhatAPrintFunctionThrowsComesOut) {
  const LoadedExecutable print = Print().compile(Host());
  const Array x = Array::zeros(Host(), i32(4));
  int calls = 0;
  const RunOptions options = {.print = [&](std::string_view) {
    ++calls;
    throw std::length_error("full");
  }};
  EXPECT_THROW(print.run({x}, options), std::length_error);
  EXPECT_EQ(calls, 1);
  const Future future = print.enqueue({x}, options);
  EXPECT_THROW(future.get(), std::length_error);
  EXPECT_THROW(future.get(), std::length_error);
}

TEST(RunTest, CheckedRunsFindMore) {
  const LoadedExecutable race = Race().compile(Host());
  const Array x = Array::zeros(Host(), i32(4));
  race.run({x});
  const Error error = ErrorIn([&] { race.run({x}, {.checked = true}); });
  EXPECT_EQ(error.code(), ErrorCode::failed_precondition);
  EXPECT_THAT(error.message(), HasSubstr("race"));
  Increment().compile(Host()).run({x}, {.checked = true});
  EXPECT_THAT(x.to_vector<int>(), Each(1));
}

TEST(RunTest, ManyThreadsRunOneProgram) {
  const LoadedExecutable saxpy = Saxpy().compile(Host());
  const Array x = Array::from(Host(), Filled(3));
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  threads.reserve(8);
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&, t] {
      const Array result = Array::zeros(Host(), f32(4096));
      for (int i = 0; i < 10; ++i) {
        const float factor = static_cast<float>(t * 10 + i);
        saxpy.run({factor, x, host(Filled(1)), result});
        for (const float value : result.to_vector<float>()) {
          wrong += value != factor * 3 + 1 ? 1 : 0;
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST(FutureTest, RunsInTheOrderOfTheQueue) {
  const LoadedExecutable increment = Increment().compile(Host());
  const LoadedExecutable past_the_end = PastTheEnd().compile(Host());
  const Array x = Array::zeros(Host(), i32(4));
  std::vector<Future> futures;
  futures.reserve(20);
  for (int i = 0; i < 20; ++i) futures.push_back(increment.enqueue({x}));
  const int line = __LINE__ + 1;
  const Future failed = past_the_end.enqueue({x});
  const Future last = increment.enqueue({x});
  last.get();
  EXPECT_THAT(x.to_vector<int>(), Each(21));
  for (const Future& future : futures) {
    EXPECT_TRUE(future.ready());
    future.get();
  }
  for (int i = 0; i < 2; ++i) {
    const Error error = ErrorIn([&] { failed.get(); });
    EXPECT_EQ(error.code(), ErrorCode::kernel_fault);
    EXPECT_EQ(error.where().line, static_cast<uint32_t>(line));
  }
}

TEST(FutureTest, ManyThreadsEnqueue) {
  const LoadedExecutable increment = Increment().compile(Host());
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  threads.reserve(8);
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&] {
      const Array x = Array::zeros(Host(), i32(4));
      for (int i = 0; i < 50; ++i) increment.enqueue({x});
      increment.enqueue({x}).get();
      for (const int value : x.to_vector<int>()) wrong += value != 51 ? 1 : 0;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST(FutureTest, ArraysAndValuesLiveUntilTheRunIsOver) {
  const LoadedExecutable saxpy = Saxpy().compile(Host());
  const Array result = Array::zeros(Host(), f32(4096));
  const Array one = Array::from(Host(), {1, 0, 0, 0});
  for (int i = 0; i < 3; ++i) {
    // The array and the vectors are gone before the run begins, or may be.
    saxpy.enqueue({2.0f, Array::from(Host(), Filled(3)), host(Filled(1)), result});
  }
  Host().wait();
  EXPECT_THAT(result.to_vector<float>(), Each(7));
}

TEST(FutureTest, CancelsWhatRunsAndWhatWaits) {
  const LoadedExecutable spin = Spin().compile(Host());
  const Array x = Array::zeros(Host(), i32(4));
  const Future running = spin.enqueue({x});
  const Future waiting = spin.enqueue({x});
  EXPECT_FALSE(running.wait_for(milliseconds(20)));
  EXPECT_FALSE(running.ready());
  // A run on this thread does not wait for the queue.
  const Array y = Array::zeros(Host(), i32(4));
  Increment().compile(Host()).run({y});
  EXPECT_THAT(y.to_vector<int>(), Each(1));
  waiting.cancel();
  EXPECT_FALSE(waiting.ready());
  running.cancel();
  running.wait();
  EXPECT_EQ(ErrorIn([&] { running.get(); }).code(), ErrorCode::cancelled);
  EXPECT_TRUE(waiting.wait_for(std::chrono::nanoseconds::max()));
  EXPECT_THAT(ErrorIn([&] { waiting.get(); }).message(),
              "the run was cancelled before it began");
  // The queue goes on.
  const Future next = Increment().compile(Host()).enqueue({y});
  next.get();
  EXPECT_THAT(y.to_vector<int>(), Each(2));
  next.cancel();  // too late
  next.get();
}

TEST(FutureTest, TimeCountsFromTheBeginOfTheRun) {
  const LoadedExecutable spin = Spin().compile(Host());
  const Array x = Array::zeros(Host(), i32(4));
  const Array one = Array::from(Host(), {1, 0, 0, 0});
  const Future slow = spin.enqueue({x}, {.timeout = milliseconds(60)});
  const Future quick = spin.enqueue({one}, {.timeout = milliseconds(50)});
  quick.get();
  EXPECT_EQ(ErrorIn([&] { slow.get(); }).code(), ErrorCode::deadline_exceeded);
}

TEST(ExitDeathTest, WorkThatNobodyWaitsForEndsWithTheProcess) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(
      {
        const LoadedExecutable spin = Spin().compile(Host());
        static const Array x = Array::zeros(Host(), i32(4));
        static const Future running = spin.enqueue({x});
        spin.enqueue({x});
        std::this_thread::sleep_for(milliseconds(20));
        std::exit(0);
      },
      testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace thunky::api_test
