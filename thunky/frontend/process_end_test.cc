// Programs and devices while a process ends: destructors of static objects may use those
// that are there, and get errors for the rest.
#include <cstdio>
#include <cstdlib>
#include <optional>

#include "gtest/gtest.h"
#include "thunky/frontend/expect_error.h"
#include "thunky/thunky.h"

namespace thunky {
namespace {

Program fill_program() {
  return jit([](Ref x) { memset(x, 7); }, {i32(4)});
}

// Destroyed after the thread's own storage and, since it is made before anybody asks for
// the device, after what ends the device's queue.
class Late {
 public:
  Late() : program_(fill_program()) {}
  ~Late() {
    bool right = program_.check().empty();
    std::optional<Error> error = error_of([] { fill_program(); });
    right = right && error && error->code() == ErrorCode::failed_precondition;
    const LoadedExecutable loaded = program_.compile(Device::host());
    const Array x = Array::zeros(Device::host(), i32(4));
    loaded.run({x});
    right = right && x.to_vector<int32_t>()[3] == 7;
    error = error_of([&] { loaded.enqueue({x}); });
    right = right && error && error->code() == ErrorCode::failed_precondition;
    std::fputs(right ? "right" : "wrong", stderr);
  }

 private:
  Program program_;
};

void end_process() {
  static const Late late;
  fill_program().compile(Device::host()).run({Array::zeros(Device::host(), i32(4))});
  std::exit(0);
}

TEST(ProcessEndDeathTest, StaticObjectsMayCompileAndRunToTheLast) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(end_process(), ::testing::ExitedWithCode(0), "^right$");
}

}  // namespace
}  // namespace thunky
