// Expected: nothing
//
// What the others do wrong, done right.
#include "thunky/thunky.h"

using thunky::f32;
using thunky::Ref;

struct Point {
  float x;
  float y;
};

thunky::Program program(const thunky::KernelCode& code) {
  return thunky::jit(
      [&](Ref x, Ref flag, Ref scratch) {
        memset(x[1], 1.0f);
        memset(x[{-1, thunky::all}], uint32_t{1});
        copy(x[thunky::slice(0, 1)], scratch[thunky::ellipsis]);
        ptx_kernel(code, "f", {read(x), write(x), Point{1, 2}, nullptr, 2.5f});
        thunky::custom_call("f", {x}, {x},
                            {.attributes = {{"names", "a"},
                                            {"flag", true},
                                            {"pi", 3.14},
                                            {"list", std::vector<int64_t>{1, 2}},
                                            {"inner", thunky::Attributes{{"x", 1}}}}});
        cond(flag, [&] { memzero(x); }, [] {});
        async_done(thunky::async_start([&] { memzero(scratch); }));
        copy(thunky::constant(std::vector<float>{1.0f}), thunky::empty_ref(f32(1)));
      },
      {f32(4, 2), thunky::boolean}, f32(1, 2));
}
