#include "thunky/schema/test_programs.h"

namespace thunky::schema {
namespace {

TEST(MemzeroTest, WritesAll) {
  const std::string thunk =
      "memzero_thunk { dest_buffer { slice { offset: 3 size: 5 } } }";
  EXPECT_THAT(AccessText(thunk), testing::ElementsAre("dest_buffer write_all 0 [3, 8)"));
  EXPECT_THAT(VerifyThunk(thunk), Succeeds());
}

TEST(MemzeroTest, NeedsABufferInRange) {
  EXPECT_THAT(VerifyThunk("memzero_thunk {}"), FailsWith("dest_buffer is missing"));
  EXPECT_THAT(VerifyThunk("memzero_thunk { dest_buffer { slice { size: 65 } } }"),
              FailsWith("past the end of allocation 0"));
}

TEST(Memset32Test, WritesAll) {
  const std::string thunk =
      "memset32bit_value_thunk { value: 7 dest_buffer { offset: 4 size: 8 } }";
  EXPECT_THAT(AccessText(thunk), testing::ElementsAre("dest_buffer write_all 0 [4, 12)"));
  EXPECT_THAT(VerifyThunk(thunk), Succeeds());
}

TEST(Memset32Test, OffsetAndSizeAreMultiplesOfFour) {
  EXPECT_THAT(
      VerifyThunk("memset32bit_value_thunk { dest_buffer { offset: 2 size: 8 } }"),
      FailsWith("dest_buffer has offset 2 and size 8; both must be multiples of 4"));
  EXPECT_THAT(VerifyThunk("memset32bit_value_thunk { dest_buffer { size: 7 } }"),
              FailsWith("offset 0 and size 7"));
  EXPECT_THAT(VerifyThunk("memset32bit_value_thunk { dest_buffer { size: 68 } }"),
              FailsWith("past the end"));
  EXPECT_THAT(VerifyThunk("memset32bit_value_thunk {}"), FailsWith("is missing"));
}

TEST(DeviceIdTest, WritesFourBytes) {
  for (const std::string kind : {"partition_id_thunk", "replica_id_thunk"}) {
    const std::string open = kind + " { dest_buffer { size: ";
    EXPECT_THAT(VerifyThunk(open + "4 } }"), Succeeds());
    EXPECT_THAT(AccessText(open + "4 } }"),
                testing::ElementsAre("dest_buffer write_all 0 [0, 4)"));
    EXPECT_THAT(VerifyThunk(open + "8 } }"),
                FailsWith("dest_buffer has 8 bytes; it must have 4"));
    EXPECT_THAT(VerifyThunk(kind + " {}"), FailsWith("dest_buffer is missing"));
  }
}

TEST(RngSeedTest, WritesItsBuffer) {
  EXPECT_THAT(AccessText("rng_seed_thunk { dest_buffer { size: 8 } }"),
              testing::ElementsAre("dest_buffer write_all 0 [0, 8)"));
  EXPECT_THAT(VerifyThunk("rng_seed_thunk { dest_buffer { size: 8 } }"), Succeeds());
  EXPECT_THAT(VerifyThunk("rng_seed_thunk {}"), FailsWith("is missing"));
}

}  // namespace
}  // namespace thunky::schema
