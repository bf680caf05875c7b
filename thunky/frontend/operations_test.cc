// Operations on memory: spec sections 2 and 4, rules 5 and 6.
#include <cstdint>
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

TEST(Spec4Operations, MemzeroSetsEveryByteToZero) {
  const Program program = jit([](Ref x) { memzero(x); }, {f32(3)});
  const Device device = Device::host();
  const Array x = Array::from(device, {1.0f, 2.0f, 3.0f});
  program.compile(device).run({x});
  EXPECT_EQ(x.to_vector<float>(), (std::vector<float>{0, 0, 0}));
}

TEST(Spec8Rule5, MemsetStoresTheBitsWhateverTheTypes) {
  const Program program = jit(
      [](Ref x, Ref y, Ref z) {
        memset(x, 1.0f);
        memset(y, 1.0f);
        memset(z, -1);
      },
      {f32(2), i32(2), u32(2)});
  const Device device = Device::host();
  const Array x = Array::zeros(device, f32(2));
  const Array y = Array::zeros(device, i32(2));
  const Array z = Array::zeros(device, u32(2));
  program.compile(device).run({x, y, z});
  EXPECT_EQ(x.to_vector<float>(), (std::vector<float>{1, 1}));
  EXPECT_EQ(y.to_vector<int32_t>(), (std::vector<int32_t>{0x3f800000, 0x3f800000}));
  EXPECT_EQ(z.to_vector<uint32_t>(), (std::vector<uint32_t>{0xffffffff, 0xffffffff}));
}

TEST(Spec8Rule5, MemsetNeedsElementsOf32Bits) {
  jit(
      [](Ref halves, Ref doubles) {
        EXPECT_INVALID(memset(halves, 1.0f),
                       "memset: f16[4] has elements of 16 bits; elements of 32 bits are "
                       "needed");
        EXPECT_INVALID(memset(doubles, 1), "memset: f64[2] has elements of 64 bits");
      },
      {f16(4), f64(2)});
}

TEST(Spec2Memset32, OffsetMustBeAMultipleOf4) {
  jit(
      [](Ref x) {
        EXPECT_INVALID(
            memset(x[slice(2, 6)].bitcast(f32), 1.0f),
            "memset: dest_buffer has offset 2 and size 4; both must be multiples of 4");
      },
      {u8(16)});
}

TEST(Spec8Rule5, CopyComparesBytesOnly) {
  const Program program = jit([](Ref x, Ref y) { copy(x, y); }, {f32(2), u8(8)});
  const Device device = Device::host();
  const Array y = Array::zeros(device, u8(8));
  program.compile(device).run({Array::from(device, {1.0f, -2.0f}), y});
  EXPECT_EQ(y.as(f32(2)).to_vector<float>(), (std::vector<float>{1, -2}));
}

TEST(Spec8Rule5, CopyOfDifferentSizesIsAnError) {
  jit(
      [](Ref x, Ref y) {
        EXPECT_INVALID(copy(x, y),
                       "copy: source_buffer has 16 bytes and destination_buffer 8; a "
                       "copy needs equal sizes");
      },
      {f32(4), f32(2)});
  jit(
      [](Ref x, Ref y) {
        EXPECT_INVALID(copy(x, y),
                       "copy: source_buffer has 16 bytes and destination_buffer 8; a "
                       "copy needs equal sizes");
      },
      {f32(4), f32(2)});
}

TEST(Spec8Rule5, CopyOfEqualRangesIsNoThunk) {
  const Program program = jit(
      [](Ref x) {
        copy(x, x);
        copy(x[1], x[slice(1, 2)]);
        x[2].assign(x[-2]);
      },
      {f32(4)});
  EXPECT_THAT(program.module_text(), Not(HasSubstr("thunky.copy")));
}

TEST(Spec8Rule5, CopyOfPartlyOverlappingRangesIsAnError) {
  jit(
      [](Ref x) {
        EXPECT_INVALID(
            copy(x[slice(0, 3)], x[slice(1, 4)]),
            "copy: source_buffer (allocation 0 [0, 12), read) and destination_buffer "
            "(allocation 0 [4, 16), write_all) overlap in part; buffers of one thunk "
            "must be equal or apart when one is written");
        // Beside each other is fine.
        copy(x[slice(0, 2)], x[slice(2, 4)]);
      },
      {f32(4)});
}

TEST(Spec8Rule5, AssignNeedsEqualShapeAndType) {
  const Program program = jit(
      [](Ref x, Ref y) {
        EXPECT_INVALID(x.assign(y),
                       "assign: the source is f32[4] and the destination f32[2,2]; shape "
                       "and element type must be equal");
        EXPECT_INVALID(x.assign(y.reshape({2, 2}).bitcast(i32)),
                       "the source is s32[2,2] and the destination f32[2,2]");
        x.assign(y.reshape({2, 2}));
      },
      {f32(2, 2), f32(4)});
  EXPECT_THAT(program.module_text(), HasSubstr("thunky.copy"));
}

TEST(Spec8Rule6, ZeroBytesAreLegalAndDoNothing) {
  const Program program = jit(
      [](Ref x, Ref y, Ref empty) {
        memzero(empty);
        memset(empty, 1.0f);
        copy(x[slice(1, 1)], y[slice(2, 2)]);
        copy(empty, x[slice(4, 4)]);
      },
      {f32(4), f32(4), f32(0)});
  const Device device = Device::host();
  const Array x = Array::from(device, {1.0f, 2.0f, 3.0f, 4.0f});
  program.compile(device).run({x, x, Array::empty(device, f32(0))});
  EXPECT_EQ(x.to_vector<float>(), (std::vector<float>{1, 2, 3, 4}));
}

TEST(Spec4Operations, PartitionIdAndReplicaIdWriteFourBytes) {
  const Program program = jit(
      [](Ref x) {
        partition_id(x[0]);
        replica_id(x[1]);
        EXPECT_INVALID(partition_id(x),
                       "partition_id: dest_buffer has 8 bytes; it must have 4");
        EXPECT_INVALID(replica_id(x[slice(0, 0)]),
                       "replica_id: dest_buffer has 0 bytes; it must have 4");
      },
      {u32(2)});
  EXPECT_TRUE(program.arguments()[0].effect.overwritten);
  const Device device = Device::host();
  const Array x = Array::from(device, {7u, 7u});
  program.compile(device).run({x});
  EXPECT_EQ(x.to_vector<uint32_t>(), (std::vector<uint32_t>{0, 0}));
}

// --- Constants

TEST(Spec2Verifier, AConstantIsNeverWritten) {
  jit(
      [](Ref x) {
        const Ref two = constant(2.0f);
        const Ref list = constant(std::vector<float>{1, 2, 3, 4});
        EXPECT_INVALID(memzero(two),
                       "memzero: dest_buffer writes a constant; constants are read only");
        EXPECT_INVALID(
            copy(x, list),
            "copy: destination_buffer writes a constant; constants are read only");
        EXPECT_INVALID(memset(list[1], 3.0f),
                       "memset: dest_buffer writes a constant; constants are read only");
        copy(list, x);
      },
      {f32(4)});
}

TEST(Spec4Operations, ConstantsHoldTheirBytes) {
  const Program program = jit(
      [](Ref x, Ref y, Ref z) {
        copy(constant(std::vector<float>{1, 2, 3, 4})[slice(1, 3)], x);
        copy(constant(int16_t{-2}), y);
        copy(constant_bytes(u8(3), std::string("a\0b", 3)), z);
      },
      {f32(2), i16(), u8(3)});
  const Device device = Device::host();
  const Array x = Array::zeros(device, f32(2));
  const Array y = Array::zeros(device, i16());
  const Array z = Array::zeros(device, u8(3));
  program.compile(device).run({x, y, z});
  EXPECT_EQ(x.to_vector<float>(), (std::vector<float>{2, 3}));
  EXPECT_EQ(y.item<int16_t>(), -2);
  EXPECT_EQ(z.to_vector<uint8_t>(), (std::vector<uint8_t>{'a', 0, 'b'}));
}

TEST(Spec4Operations, EqualBytesAreOneConstant) {
  const Program program = jit(
      [](Ref x, Ref y) {
        copy(constant(1.0f), x);
        copy(constant(int32_t{0x3f800000}), y);
        copy(constant(2.0f), x);
      },
      {f32, i32});
  const std::string text = program.module_text();
  EXPECT_THAT(text, HasSubstr("%0 = thunky.constant"));
  EXPECT_THAT(text, HasSubstr("%1 = thunky.constant"));
  EXPECT_THAT(text, Not(HasSubstr("%2 = thunky.constant")));
}

TEST(Spec4Operations, AConstantOfAnotherSizeIsAnError) {
  jit(
      [](Ref) {
        EXPECT_INVALID(constant_bytes(f32(2), "abc"),
                       "constant: 3 bytes for f32[2], which has 8");
        EXPECT_INVALID(constant_bytes(i4(3), "ab"),
                       "constant: s4[3] has 12 bits; a whole number of bytes is needed");
      },
      {f32()});
}

}  // namespace
}  // namespace thunky
