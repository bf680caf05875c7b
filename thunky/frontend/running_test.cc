// Runs of programs: spec section 7.
#include <cstddef>
#include <string>
#include <thread>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "thunky/frontend/expect_error.h"
#include "thunky/frontend/test_kernels.h"
#include "thunky/frontend/test_programs.h"
#include "thunky/thunky.h"

namespace thunky {
namespace {

TEST(Spec7Running, SeveralThreadsCompileOneProgram) {
  const Program program = sample();
  std::vector<std::vector<float>> results(4);
  std::vector<std::thread> threads;
  for (std::vector<float>& result : results) {
    threads.emplace_back([&] {
      for (int i = 0; i < 5; ++i) {
        (void)program.check();
        (void)program.module_text();
        result = run_sample(program);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::vector<float>& result : results) EXPECT_EQ(result, kSampleResult);
}

TEST(Spec7Running, SeveralThreadsMergeOneProgram) {
  const Program inner = sample();
  const Program donate = fixture_program("donate");
  std::vector<std::vector<float>> results(4);
  std::vector<std::thread> threads;
  for (std::vector<float>& result : results) {
    threads.emplace_back([&] {
      const Program outer = jit(
          [&](Ref x, Ref y, Ref z) {
            inner({x, y});
            call(donate, {z, z});
          },
          {f32(4), f32(4), f32(256)});
      const Device device = Device::host();
      const Array y = Array::zeros(device, f32(4));
      const Array z = Array::zeros(device, f32(256));
      outer.compile(device).run(
          {Array::from(device, {1.0f, 10.0f, 100.0f, 1000.0f}), y, z});
      result = y.to_vector<float>();
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::vector<float>& result : results) EXPECT_EQ(result, kSampleResult);
}

TEST(Spec7Running, EightThreadsRunOneExecutable) {
  const Device device = Device::host();
  const LoadedExecutable loaded = sample().compile(device);
  std::vector<int> wrong(8, -1);
  std::vector<std::thread> threads;
  for (int& count : wrong) {
    threads.emplace_back([&] {
      count = 0;
      const Array y = Array::zeros(device, f32(4));
      for (int i = 0; i < 20; ++i) {
        const auto a = static_cast<float>(i);
        loaded.run({Array::from(device, {a, a, a, a}), y});
        const std::vector<float> expected = {1 + 2 * a, 2 + 2 * a, 3 + 2 * a, 4 + 2 * a};
        if (y.to_vector<float>() != expected) ++count;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, std::vector<int>(8, 0));
}

TEST(Spec7Running, RepeatedRunsAreBitEqualAndChangeNoInput) {
  const Device device = Device::host();
  const LoadedExecutable loaded = sample().compile(device);
  const Array x = Array::from(device, {0.1f, 0.2f, 0.3f, 0.4f});
  const Array y = Array::zeros(device, f32(4));
  loaded.run({x, y});
  const std::vector<std::byte> first = y.to_bytes();
  for (int i = 0; i < 3; ++i) {
    loaded.run({x, y});
    EXPECT_EQ(y.to_bytes(), first);
  }
  EXPECT_EQ(x.to_vector<float>(), (std::vector<float>{0.1f, 0.2f, 0.3f, 0.4f}));
}

TEST(Spec7Running, ACustomCallThatNobodyRegisteredIsAnErrorNamingIt) {
  unsigned line = 0;
  const Program program = jit(
      [&](Ref x) {
        line = __LINE__ + 1;
        custom_call("nobody_knows_it", {x}, {});
      },
      {f32(4)});
  EXPECT_ERROR(program.compile(Device::host()), ErrorCode::unimplemented,
               "nobody_knows_it");
  EXPECT_ERROR(program.compile(Device::host()), ErrorCode::unimplemented,
               "running_test.cc:" + std::to_string(line));
}

TEST(Spec7Running, CollectivesThatTheHostCannotDoAreAnErrorNamingThem) {
  const MeshScope scope({{"x", 2}});
  const Program program =
      jit([](Ref x) { all_reduce(x, x, "sum", {.axis_name = "x"}); }, {f32(4)});
  EXPECT_ERROR(program.compile(Device::host()), ErrorCode::unimplemented, "all_reduce");
}

TEST(Spec7Running, AFailedRunLeavesTheDeviceUsable) {
  const Program program = jit(
      [](Ref x, Ref y) {
        ptx_kernel(test_kernels(), "trap", {read(x)});
        memset(y, 1.0f);
      },
      {f32(4), f32(4)});
  const Device device = Device::host();
  const LoadedExecutable loaded = program.compile(device);
  const Array y = Array::zeros(device, f32(4));
  for (int i = 0; i < 3; ++i) {
    EXPECT_ERROR(loaded.run({1.0f, y}), ErrorCode::invalid_argument, "f32[4]");
    EXPECT_ERROR(loaded.run({Array::zeros(device, f32(4)), y}), ErrorCode::kernel_fault,
                 "trap");
    EXPECT_EQ(run_sample(sample()), kSampleResult);
  }
  EXPECT_EQ(y.to_vector<float>(), std::vector<float>(4, 0));
}

}  // namespace
}  // namespace thunky
