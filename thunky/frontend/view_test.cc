// Views: spec section 3, and rule 19.
#include <limits>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "thunky/frontend/expect_error.h"
#include "thunky/thunky.h"

namespace thunky {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// "f32[2,3] @ 16": what a ref is a window on.
std::string window(const Ref& ref) {
  return ref.type().to_string() + " @ " + std::to_string(ref.byte_offset());
}

// Traces `body` with one ref of `type`; operations that it adds are the result's.
template <typename F>
Program with_ref(const Type& type, F&& body) {
  return jit(body, {type});
}

TEST(Spec3Views, NumberDropsAxisZero) {
  with_ref(f32(4, 3, 2), [](Ref x) {
    EXPECT_EQ(window(x[0]), "f32[3,2] @ 0");
    EXPECT_EQ(window(x[3]), "f32[3,2] @ 72");
    EXPECT_EQ(window(x[uint8_t{2}]), "f32[3,2] @ 48");
  });
}

TEST(Spec3Views, NegativeIndexCountsFromTheEnd) {
  with_ref(f32(4, 3), [](Ref x) {
    EXPECT_EQ(window(x[-1]), "f32[3] @ 36");
    EXPECT_EQ(window(x[-4]), "f32[3] @ 0");
  });
}

TEST(Spec3Views, NumberOutOfBoundsIsAnError) {
  with_ref(f32(4, 3), [](Ref x) {
    EXPECT_INVALID(x[4], "[4] of f32[4,3] is out of bounds: axis 0 has 4 elements");
    EXPECT_INVALID(x[-5], "[-5] of f32[4,3] is out of bounds: axis 0 has 4 elements");
    EXPECT_INVALID(
        x[std::numeric_limits<int64_t>::min()],
        "[-9223372036854775808] of f32[4,3] is out of bounds: axis 0 has 4 elements");
    EXPECT_INVALID(
        x[std::numeric_limits<int64_t>::max()],
        "[9223372036854775807] of f32[4,3] is out of bounds: axis 0 has 4 elements");
    // No axis is that long: it must not wrap around to -1.
    EXPECT_INVALID(
        x[std::numeric_limits<uint64_t>::max()],
        "[9223372036854775807] of f32[4,3] is out of bounds: axis 0 has 4 elements");
  });
  with_ref(f32(0, 3), [](Ref x) {
    EXPECT_INVALID(x[0], "[0] of f32[0,3] is out of bounds: axis 0 has 0 elements");
  });
}

TEST(Spec3Views, SubByteIndexMustFallOnAByte) {
  with_ref(i4(4, 3), [](Ref x) {
    EXPECT_INVALID(x[1],
                   "[1] of s4[4,3] is bits 12 to 24; a view begins and ends with a byte");
    EXPECT_EQ(window(x[slice(0, 2)]), "s4[2,3] @ 0");
    EXPECT_EQ(window(x[slice(2, 4)]), "s4[2,3] @ 3");
    EXPECT_INVALID(x[slice(0, 3)], "[0:3] of s4[4,3] is bits 0 to 36");
  });
  with_ref(u2(8), [](Ref x) {
    EXPECT_INVALID(x[4], "[4] of u2[8] is bits 8 to 10");
    EXPECT_EQ(window(x[slice(4, 8)]), "u2[4] @ 1");
  });
}

TEST(Spec3Views, SliceShortensAxisZero) {
  with_ref(f32(8, 3), [](Ref x) {
    EXPECT_EQ(window(x[slice(2, 5)]), "f32[3,3] @ 24");
    EXPECT_EQ(window(x[slice(0, 8)]), "f32[8,3] @ 0");
  });
}

TEST(Spec3Views, SliceMayCountFromTheEndAndLeaveEndsOut) {
  with_ref(f32(8, 3), [](Ref x) {
    EXPECT_EQ(window(x[slice(-3, -1)]), "f32[2,3] @ 60");
    EXPECT_EQ(window(x[slice(-3, std::nullopt)]), "f32[3,3] @ 60");
    EXPECT_EQ(window(x[slice(std::nullopt, -6)]), "f32[2,3] @ 0");
    EXPECT_EQ(window(x[slice(std::nullopt, std::nullopt)]), "f32[8,3] @ 0");
  });
}

TEST(Spec3Views, SliceMayBeEmpty) {
  with_ref(f32(8, 3), [](Ref x) {
    EXPECT_EQ(window(x[slice(3, 3)]), "f32[0,3] @ 36");
    EXPECT_EQ(window(x[slice(8, 8)]), "f32[0,3] @ 96");
    EXPECT_EQ(x[slice(3, 3)].byte_size(), 0);
  });
  constexpr int64_t kHuge = std::numeric_limits<int64_t>::max();
  with_ref(f32(0, kHuge, kHuge),
           [](Ref x) { EXPECT_EQ(x[slice(0, 0)].type(), x.type()); });
}

TEST(Spec3Views, SliceOutOfBoundsIsAnError) {
  with_ref(f32(8, 3), [](Ref x) {
    EXPECT_INVALID(x[slice(2, 9)],
                   "[2:9] of f32[8,3] is out of bounds: axis 0 has 8 elements, and "
                   "0 <= begin <= end <= 8 is allowed, found begin 2 and end 9");
    EXPECT_INVALID(x[slice(5, 4)],
                   "[5:4] of f32[8,3] is out of bounds: axis 0 has 8 elements, and 0 <= "
                   "begin <= end <= 8 is allowed, found begin 5 and end 4");
    EXPECT_INVALID(x[slice(-9, 2)],
                   "[-9:2] of f32[8,3] is out of bounds: axis 0 has 8 elements, and 0 <= "
                   "begin <= end <= 8 is allowed, found begin -1 and end 2");
  });
}

TEST(Spec3Views, SliceWithAStepIsAnError) {
  with_ref(f32(8), [](Ref x) {
    EXPECT_INVALID(x[slice(0, 8, 2)],
                   "[0:8:2] of f32[8]: step 2; only step 1 is contiguous");
    EXPECT_INVALID(
        x[slice(0, 8, -1)],
        "[0:8:-1] of f32[8]: step -1; only step 1 is contiguous, and a view is");
    EXPECT_INVALID(x[slice(0, 8, 0)],
                   "[0:8:0] of f32[8]: step 0; only step 1 is contiguous, and a view is");
  });
}

TEST(Spec3Views, SeveralIndicesTakeTrailingAxesWhole) {
  with_ref(f32(4, 3, 2), [](Ref x) {
    EXPECT_EQ(window(x[{1, all, all}]), "f32[3,2] @ 24");
    EXPECT_EQ(window(x[{slice(1, 3), all}]), "f32[2,3,2] @ 24");
    EXPECT_EQ(window(x[{1, ellipsis}]), "f32[3,2] @ 24");
    EXPECT_EQ(window(x[{ellipsis, all}]), "f32[4,3,2] @ 0");
    EXPECT_EQ(window(x[{-1, slice(0, 3), slice(std::nullopt, 2)}]), "f32[3,2] @ 72");
  });
}

TEST(Spec3Views, APartOfAnAxisOtherThanZeroIsAnError) {
  with_ref(f32(4, 3, 2), [](Ref x) {
    EXPECT_INVALID((x[{0, 1}]),
                   "[0, 1] of f32[4,3,2]: axis 1 is not taken whole; only slices of axis "
                   "0 are contiguous");
    EXPECT_INVALID((x[{all, slice(0, 2)}]),
                   "[:, 0:2] of f32[4,3,2]: axis 1 is not taken whole; only slices of "
                   "axis 0 are contiguous, and a view is");
    EXPECT_INVALID((x[{all, all, 0}]),
                   "[:, :, 0] of f32[4,3,2]: axis 2 is not taken whole; only slices of "
                   "axis 0 are contiguous, and a view is");
    EXPECT_INVALID((x[{ellipsis, 0}]),
                   "[..., 0] of f32[4,3,2]: axis 2 is not taken whole; only slices of "
                   "axis 0 are contiguous, and a view is");
  });
}

TEST(Spec3Views, MoreIndicesThanAxesIsAnError) {
  with_ref(f32(4, 3), [](Ref x) {
    EXPECT_INVALID((x[{0, all, all}]), "[0, :, :] of f32[4,3]: 3 indices for 2 axes");
    EXPECT_INVALID((x[{ellipsis, ellipsis}]), "[..., ...] has more than one ...");
  });
}

TEST(Spec8Rule19, EmptyIndexAndEllipsisAreTheRefItself) {
  with_ref(f32(4, 3), [](Ref x) {
    EXPECT_EQ(window(x[{}]), "f32[4,3] @ 0");
    EXPECT_EQ(window(x[ellipsis]), "f32[4,3] @ 0");
    EXPECT_EQ(window(x[all]), "f32[4,3] @ 0");
  });
  with_ref(f32(), [](Ref x) {
    EXPECT_EQ(window(x[{}]), "f32[] @ 0");
    EXPECT_EQ(window(x[ellipsis]), "f32[] @ 0");
  });
}

TEST(Spec8Rule19, IndexingAScalarIsAnError) {
  with_ref(f32(), [](Ref x) {
    EXPECT_INVALID(x[0], "[0] of f32[]: a scalar has no axis to index");
    EXPECT_INVALID(x[slice(0, 1)], "[0:1] of f32[]: a scalar has no axis to index");
  });
}

TEST(Spec8Rule19, EachStepOfAChainIsCheckedForWholeBytes) {
  // The first step alone leaves a byte in the middle, whatever comes behind it.
  with_ref(i4(2, 3, 2), [](Ref x) {
    EXPECT_EQ(window(x[1][1]), "s4[2] @ 4");
    EXPECT_INVALID(x[1][1][1],
                   "[1] of s4[2] is bits 4 to 8; a view begins and ends with a byte");
  });
  with_ref(i4(4, 1), [](Ref x) {
    EXPECT_INVALID(x[slice(1, 3)][slice(1, 2)], "[1:3] of s4[4,1] is bits 4 to 12");
  });
}

TEST(Spec8Rule19, AViewOfTheWholeBufferEmitsNoOperation) {
  const Program program = with_ref(f32(4, 3), [](Ref x) {
    memzero(x[slice(0, 4)]);
    memzero(x.reshape({12}));
    memzero(x.bitcast(u8));
    memzero(x[ellipsis]);
  });
  EXPECT_THAT(program.module_text(), Not(HasSubstr("slice_buffer")));
  const Program part = with_ref(f32(4, 3), [](Ref x) { memzero(x[1]); });
  EXPECT_THAT(part.module_text(), HasSubstr("slice_buffer %arg0[12] : <48> -> <12>"));
}

TEST(Spec8Rule19, BoolHasEightBits) {
  with_ref(boolean(4), [](Ref x) {
    EXPECT_EQ(x.byte_size(), 4);
    EXPECT_EQ(window(x[3]), "pred[] @ 3");
    EXPECT_EQ(window(x.bitcast(u8)), "u8[4] @ 0");
  });
}

TEST(Spec8Rule19, TypesThatNothingComputesWithAreAccepted) {
  for (const ElementType element :
       {f4e2m1fn, f6e3m2fn, f6e2m3fn, f8e3m4, f8e4m3, f8e4m3b11fnuz, f8e4m3fnuz,
        f8e5m2fnuz, f8e8m0fnu, i1, u1}) {
    const Program program = with_ref(element(8, 8), [&](Ref x) {
      const Ref row = x[2];
      EXPECT_EQ(row.byte_offset(), 2 * element.bits());
      copy(row.bitcast(u8), x[0].bitcast(u8));
    });
    EXPECT_EQ(program.arguments().front().type, element(8, 8)) << element.name();
  }
}

TEST(Spec3Views, BitcastRescalesTheLastAxis) {
  with_ref(f32(4, 6), [](Ref x) {
    EXPECT_EQ(window(x.bitcast(u8)), "u8[4,24] @ 0");
    EXPECT_EQ(window(x.bitcast(f64)), "f64[4,3] @ 0");
    EXPECT_EQ(window(x.bitcast(i32)), "s32[4,6] @ 0");
    EXPECT_EQ(window(x.bitcast(i4)), "s4[4,48] @ 0");
    EXPECT_EQ(window(x[1].bitcast(u16)), "u16[12] @ 24");
  });
}

TEST(Spec3Views, BitcastThatDoesNotDivideIsAnError) {
  with_ref(f32(4, 3), [](Ref x) {
    EXPECT_INVALID(x.bitcast(f64),
                   "bitcast of f32[4,3] to f64: the last axis has 96 bits, which 64 does "
                   "not divide");
  });
  with_ref(f32(), [](Ref x) {
    EXPECT_EQ(window(x.bitcast(u32)), "u32[] @ 0");
    EXPECT_INVALID(x.bitcast(u8),
                   "bitcast of f32[] to u8: a scalar of 32 bits has no axis");
  });
  with_ref(f32(0, std::numeric_limits<int64_t>::max()), [](Ref x) {
    EXPECT_INVALID(x.bitcast(u8), "bitcast of f32[0,9223372036854775807] to u8: ");
  });
}

TEST(Spec3Views, ReshapeKeepsTheElements) {
  with_ref(f32(4, 6), [](Ref x) {
    EXPECT_EQ(window(x.reshape({2, 3, 4})), "f32[2,3,4] @ 0");
    EXPECT_EQ(window(x[slice(1, 3)].reshape({12})), "f32[12] @ 24");
    EXPECT_EQ(window(x[0][0].reshape({1, 1})), "f32[1,1] @ 0");
  });
}

TEST(Spec3Views, ReshapeToAnotherNumberOfElementsIsAnError) {
  with_ref(f32(4, 6), [](Ref x) {
    EXPECT_INVALID(x.reshape({5, 5}),
                   "reshape of f32[4,6] to f32[5,5]: 24 elements for 25");
    EXPECT_INVALID(x.reshape({-1, 24}),
                   "reshape of f32[4,6]: f32[-1,24]: a dimension is negative");
    const int64_t huge = std::numeric_limits<int64_t>::max();
    EXPECT_INVALID(x.reshape({huge, huge}),
                   "reshape of f32[4,6]: f32[9223372036854775807,9223372036854775807] "
                   "has more than 2^63 - 1 bits");
  });
}

TEST(Spec3Views, ViewsComposeToOneOffsetInTheRoot) {
  const Program program = with_ref(f32(4, 6, 8), [](Ref x) {
    const Ref part = x[slice(1, 4)][-1].bitcast(u8)[slice(2, 5)].reshape({96})[5];
    EXPECT_EQ(window(part), "u8[] @ 645");
    EXPECT_TRUE(part.same_root(x));
    memzero(part);
  });
  EXPECT_THAT(program.module_text(), HasSubstr("slice_buffer %arg0[645] : <768> -> <1>"));
}

TEST(Spec3Views, SameRootTellsBuffersApart) {
  jit(
      [](Ref x, Ref y) {
        EXPECT_TRUE(x[0].same_root(x[1]));
        EXPECT_FALSE(x.same_root(y));
      },
      {f32(4), f32(4)});
}

TEST(Spec3Views, AByteSizeMustBeWhole) {
  EXPECT_INVALID(jit([](Ref) {}, {i4(3)}),
                 "jit: argument 0: s4[3] has 12 bits; a whole number of bytes is needed");
  EXPECT_INVALID(jit([](Ref, Ref) {}, {f32(), f32(-1)}),
                 "jit: argument 1: f32[-1]: a dimension is negative");
  with_ref(u8(1), [](Ref) {
    EXPECT_INVALID(
        empty_ref(u2(3), "flags"),
        "scratch 'flags': u2[3] has 6 bits; a whole number of bytes is needed");
    const int64_t huge = std::numeric_limits<int64_t>::max();
    EXPECT_INVALID(empty_ref(f64(huge), "all"),
                   "scratch 'all': f64[9223372036854775807] has more than 2^63 - 1 bits");
  });
}

TEST(Spec3Views, AViewWorksOnItsBytesAlone) {
  const Program program = with_ref(i32(4, 2), [](Ref x) {
    memset(x[slice(1, 3)], 7);
    memset(x[3][1], 9);
  });
  const Device device = Device::host();
  const Array x = Array::from(device, std::vector<int32_t>(8, 1), {4, 2});
  program.compile(device).run({x});
  EXPECT_EQ(x.to_vector<int32_t>(), (std::vector<int32_t>{1, 1, 7, 7, 7, 7, 1, 9}));
}

}  // namespace
}  // namespace thunky
