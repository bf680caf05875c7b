// Kernels: spec section 2's verifier, rules 1 to 3.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "thunky/frontend/expect_error.h"
#include "thunky/frontend/test_kernels.h"
#include "thunky/thunky.h"

namespace thunky {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// Runs `kernel` on an f32[4] in a trace of its own.
template <typename F>
Program with_ref(F&& body) {
  return jit(body, {f32(4)});
}

TEST(Spec8Rule1, AccessIsStatedForEachBuffer) {
  const Program program = jit(
      [](Ref a, Ref b, Ref c) {
        const KernelCode code = test_kernels();
        ptx_kernel(code, "add", {read(a), read(b), write_all(c)}, {.block = 4});
        ptx_kernel(code, "add", {read(a), read(b), write(c)}, {.block = 4});
        ptx_kernel(code, "add", {read(a), read_write(b), read(c)}, {.block = 4});
      },
      {f32(4), f32(4), f32(4)});
  const std::string text = program.module_text();
  EXPECT_THAT(text, HasSubstr("(%arg0 read : <16>, %arg1 read : <16>, %arg2 write_all"));
  EXPECT_THAT(text, HasSubstr("(%arg0 read : <16>, %arg1 read : <16>, %arg2 write : "));
  EXPECT_THAT(text, HasSubstr("(%arg0 read : <16>, %arg1 read_write : <16>, %arg2 read"));
}

TEST(Spec8Rule1, WrittenFlagsAreReadAndWrite) {
  EXPECT_THAT(with_ref([](Ref x) {
                ptx_kernel(test_kernels(), "increment", {written(x, true)});
              }).module_text(),
              HasSubstr("(%arg0 write : <16>)"));
  EXPECT_THAT(with_ref([](Ref x) {
                ptx_kernel(test_kernels(), "increment", {written(x, false)});
              }).module_text(),
              HasSubstr("(%arg0 read : <16>)"));
}

TEST(Spec8Rule1, EffectsFollowTheAccess) {
  const auto effect = [](KernelBuffer (*access)(const Ref&)) {
    return with_ref([&](Ref x) { ptx_kernel(test_kernels(), "increment", {access(x)}); })
        .arguments()[0]
        .effect;
  };
  EXPECT_TRUE(effect(read).read);
  EXPECT_FALSE(effect(read).written);
  EXPECT_TRUE(effect(read_write).read);
  EXPECT_TRUE(effect(read_write).written);
  EXPECT_FALSE(effect(read_write).overwritten);
  EXPECT_TRUE(effect(write).written);
  EXPECT_FALSE(effect(write).overwritten);  // some old bytes may remain
  EXPECT_TRUE(effect(write_all).written);
  EXPECT_TRUE(effect(write_all).overwritten);
  EXPECT_FALSE(effect(write_all).read);
}

TEST(Spec8Rule1, AnInPlaceKernelMayGetOneSliceTwice) {
  const Program program = jit(
      [](Ref x) {
        ptx_kernel(test_kernels(), "add", {read(x), read(x), write_all(x)}, {.block = 4});
      },
      {f32(4)});
  const Device device = Device::host();
  const Array x = Array::from(device, {1.0f, 2.0f, 3.0f, 4.0f});
  program.compile(device).run({x});
  EXPECT_EQ(x.to_vector<float>(), (std::vector<float>{2, 4, 6, 8}));
}

TEST(Spec8Rule1, APartialOverlapWithAWriteIsAnError) {
  jit(
      [](Ref x) {
        const Ref low = x[slice(0, 4)];
        const Ref high = x[slice(2, 6)];
        const KernelCode code = test_kernels();
        EXPECT_INVALID(ptx_kernel(code, "add", {read(low), read(low), write_all(high)},
                                  {.block = 4}),
                       "ptx_kernel: args[0] (allocation 0 [0, 16), read) and args[2] "
                       "(allocation 0 [8, 24), write_all) overlap in part; buffers of "
                       "one thunk must be equal or apart when one is written");
        // Reads may overlap as they like.
        ptx_kernel(code, "add", {read(low), read(high), write_all(x[slice(8, 12)])},
                   {.block = 4});
      },
      {f32(12)});
}

TEST(Spec8Rule2, DefaultsAreOneBlockOfOneThreadWithoutSharedMemory) {
  const std::string text = with_ref([](Ref x) {
                             ptx_kernel(test_kernels(), "increment", {read_write(x)});
                           }).module_text();
  EXPECT_THAT(text, HasSubstr("grid [1, 1, 1] block [1, 1, 1]"));
  EXPECT_THAT(text, Not(HasSubstr("shmem")));
  EXPECT_THAT(text, Not(HasSubstr("cluster")));
  EXPECT_THAT(text, Not(HasSubstr("pdl")));
}

TEST(Spec2PtxKernel, LaunchIsKept) {
  const std::string text = with_ref([](Ref x) {
                             ptx_kernel(test_kernels(), "increment", {read_write(x)},
                                        {.grid = {4, 2, 6},
                                         .block = {8, 3, 1},
                                         .shared_bytes = 512,
                                         .cluster = Dim3(2, 1, 3),
                                         .programmatic = true});
                           }).module_text();
  EXPECT_THAT(text, HasSubstr("grid [4, 2, 6] block [8, 3, 1]"));
  EXPECT_THAT(text, HasSubstr("cluster [2, 1, 3] shmem 512 pdl"));
}

TEST(Spec2PtxKernel, ExtentsAreWithinCudasLimits) {
  with_ref([](Ref x) {
    const KernelCode code = test_kernels();
    const auto launch = [&](const Launch& extents) {
      ptx_kernel(code, "increment", {read_write(x)}, extents);
    };
    const auto message = [&](const Launch& extents) {
      const auto error = error_of([&] { launch(extents); });
      return error ? error->message() : "nothing was thrown";
    };
    EXPECT_INVALID(ptx_kernel(code, "increment", {read_write(x)}, {.grid = 0}),
                   "ptx_kernel: grid x is 0; 1 to 2147483647 are allowed");
    EXPECT_THAT(message({.block = 0}), HasSubstr("block"));
    EXPECT_THAT(message({.block = {1, -1, 1}}), HasSubstr("block"));
    EXPECT_THAT(message({.block = 1025}), HasSubstr("1024"));
    EXPECT_THAT(message({.block = {32, 33, 1}}), HasSubstr("1024"));
    EXPECT_THAT(message({.block = {1, 1, 65}}), HasSubstr("64"));
    EXPECT_THAT(message({.grid = int64_t{1} << 31}), HasSubstr("grid"));
    EXPECT_THAT(message({.grid = {1, 65536, 1}}), HasSubstr("65535"));
    EXPECT_THAT(message({.grid = {1, 1, 65536}}), HasSubstr("65535"));
    EXPECT_THAT(message({.shared_bytes = -1}), HasSubstr("-1"));
    EXPECT_THAT(message({.cluster = Dim3(0)}), HasSubstr("cluster"));
    launch({.grid = {(int64_t{1} << 31) - 1, 65535, 65535}});
    launch({.block = {16, 1, 64}});
    launch({.block = 1024});
  });
}

TEST(Spec8Rule3, ValuesAndNullPointersAreParameters) {
  const Program program = jit(
      [](Ref x, Ref y, Ref n, Ref flags, Ref nulls) {
        const KernelCode code = test_kernels();
        ptx_kernel(code, "axpy", {read(x), read_write(y), 2.5f}, {.block = 4});
        ptx_kernel(code, "below", {read(n), int32_t{10}, write_all(flags[0])});
        ptx_kernel(code, "below", {read(n), int32_t{9}, write_all(flags[1])});
        ptx_kernel(code, "is_null", {nullptr, write_all(nulls[0])});
        ptx_kernel(code, "is_null", {read(x), write_all(nulls[1])});
      },
      {f32(4), f32(4), i32, boolean(2), i32(2)});
  const Device device = Device::host();
  const Array y = Array::from(device, {1.0f, 1.0f, 1.0f, 1.0f});
  const Array flags = Array::zeros(device, boolean(2));
  const Array nulls = Array::zeros(device, i32(2));
  program.compile(device).run(
      {Array::from(device, {1.0f, 2.0f, 3.0f, 4.0f}), y, int32_t{9}, flags, nulls});
  EXPECT_EQ(y.to_vector<float>(), (std::vector<float>{3.5, 6, 8.5, 11}));
  EXPECT_EQ(flags.to_vector<bool>(), (std::vector<bool>{true, false}));
  EXPECT_EQ(nulls.to_vector<int32_t>(), (std::vector<int32_t>{1, 0}));
}

TEST(Spec8Rule3, ValuesKeepTheirBytes) {
  struct Pair {
    int32_t limit;
  };
  const std::string text =
      jit(
          [](Ref n, Ref flag) {
            const KernelCode code = test_kernels();
            const auto below = [&](const KernelParameter& limit) {
              ptx_kernel(code, "below", {read(n), limit, write_all(flag)});
            };
            below(int32_t{-7});
            below(uint32_t{0xfffffff9});
            below(0.5f);
            below(Pair{3});
          },
          {i32, boolean})
          .module_text();
  EXPECT_THAT(text, HasSubstr("parameters = [0 : index, -7 : i32, 1 : index]"));
  EXPECT_THAT(text, HasSubstr("parameters = [0 : index, 5.000000e-01 : f32, 1 : index]"));
  EXPECT_THAT(text,
              HasSubstr("parameters = [0 : index, array<i8: 3, 0, 0, 0>, 1 : index]"));
}

TEST(Spec2PtxKernel, AnotherNumberOfParametersIsAnError) {
  with_ref([](Ref x) {
    const KernelCode code = test_kernels();
    EXPECT_INVALID(
        ptx_kernel(code, "add", {read(x), read(x)}),
        "ptx_kernel: passes 2 parameters to 'add', which takes 3 in the PTX of @kernels");
    EXPECT_INVALID(
        ptx_kernel(code, "add", {read(x), read(x)}),
        "ptx_kernel: passes 2 parameters to 'add', which takes 3 in the PTX of @kernels");
    EXPECT_INVALID(ptx_kernel(code, "axpy", {read(x), read_write(x)}),
                   "ptx_kernel: passes 2 parameters to 'axpy', which takes 3 in the PTX "
                   "of @kernels");
    EXPECT_INVALID(ptx_kernel(code, "increment", {}),
                   "ptx_kernel: passes 0 parameters to 'increment', which takes 1 in the "
                   "PTX of @kernels");
    EXPECT_INVALID(ptx_kernel(code, "increment", {read_write(x), 1}),
                   "ptx_kernel: passes 2 parameters to 'increment', which takes 1 in the "
                   "PTX of @kernels");
  });
}

TEST(Spec2PtxKernel, AKernelThatTheCodeHasNotIsAnErrorListingThoseThereAre) {
  with_ref([](Ref x) {
    EXPECT_INVALID(ptx_kernel(test_kernels(), "saxpy", {read(x)}),
                   "ptx_kernel: launches 'saxpy', which the PTX of @kernels does not "
                   "have; it has add, address, axpy, below, increment, is_null, trap");
    EXPECT_INVALID(ptx_kernel(test_kernels(), "saxpy", {read(x)}),
                   "ptx_kernel: launches 'saxpy', which the PTX of @kernels does not "
                   "have; it has add, address, axpy, below, increment, is_null, trap");
    EXPECT_INVALID(ptx_kernel(test_kernels(), "", {read(x)}),
                   "ptx_kernel: kernel_name is missing");
  });
}

TEST(Spec2PtxKernel, CodeThatCannotBeReadIsAnErrorWhereItIsUsed) {
  with_ref([](Ref x) {
    EXPECT_INVALID(ptx_kernel(KernelCode::ptx("no PTX at all"), "f", {read(x)}),
                   "ptx_kernel: uses @f, whose PTX cannot be read: line 1, column 1: "
                   "expected '.version' as the first directive of PTX, found 'no'");
    EXPECT_INVALID(ptx_kernel(KernelCode::ptx(std::string(kTestPtx).substr(0, 300)),
                              "add", {read(x), read(x), write(x)}),
                   "ptx_kernel: uses @add, whose PTX cannot be read: line 13, column 26: "
                   "unexpected end of file, expected an operand");
    EXPECT_INVALID(KernelCode::ptx(""), "PTX text is empty");
  });
}

TEST(Spec2Verifier, AKernelWritesNoConstant) {
  with_ref([](Ref x) {
    EXPECT_INVALID(ptx_kernel(test_kernels(), "increment", {read_write(constant(1))}),
                   "ptx_kernel: args[0] writes a constant; constants are read only");
    EXPECT_INVALID(ptx_kernel(test_kernels(), "increment", {write(constant(1))}),
                   "ptx_kernel: args[0] writes a constant; constants are read only");
    ptx_kernel(test_kernels(), "increment", {read(constant(1))});
  });
}

TEST(Spec8Rule6, AKernelOnZeroBytesIsLegal) {
  const Program program = jit(
      [](Ref x) {
        ptx_kernel(test_kernels(), "is_null", {read(x[slice(0, 0)]), write_all(x)});
      },
      {i32(1)});
  EXPECT_THAT(program.module_text(), HasSubstr("thunky.ptx_kernel"));
}

// --- Code

class CodeFiles : public ::testing::Test {
 protected:
  std::filesystem::path write(const std::string& name, const std::string& content) {
    const std::filesystem::path path = std::filesystem::path(::testing::TempDir()) / name;
    std::ofstream(path, std::ios::binary) << content;
    return path;
  }
};

TEST_F(CodeFiles, PtxOfAFileIsNamedAfterIt) {
  const KernelCode code = KernelCode::ptx_file(write("small.ptx", kTestPtx));
  EXPECT_EQ(code.name(), "small");
  EXPECT_EQ(code.ptx(), kTestPtx);
  EXPECT_TRUE(code.cubins().empty());
  EXPECT_THAT(with_ref([&](Ref x) { ptx_kernel(code, "trap", {read(x)}); }).module_text(),
              HasSubstr("thunky.kernel_code @small"));
}

TEST_F(CodeFiles, FilesThatAreNotThereOrNotFilesAreErrorsNamingThem) {
  const std::filesystem::path folder = ::testing::TempDir();
  EXPECT_ERROR(KernelCode::ptx_file(folder / "absent.ptx"), ErrorCode::not_found,
               "absent.ptx");
  EXPECT_INVALID(KernelCode::ptx_file(folder), folder.string());
  EXPECT_INVALID(KernelCode::ptx_file(write("empty.ptx", "")), "empty.ptx");
  EXPECT_ERROR(KernelCode::cubin_file(folder / "absent.cubin", "sm_90"),
               ErrorCode::not_found, "absent.cubin");
}

TEST_F(CodeFiles, ACubinStandsBesideThePtx) {
  const std::string bytes =
      "\x7f"
      "ELF, or so";
  const std::span<const std::byte> cubin = std::as_bytes(std::span(bytes));
  const KernelCode both = test_kernels().with_cubin(cubin, "sm_90a");
  EXPECT_EQ(both.cubins().at("sm_90a"), bytes);
  EXPECT_EQ(both.ptx(), kTestPtx);
  EXPECT_EQ(test_kernels().cubins().size(), 0u);
  EXPECT_INVALID(both.with_cubin(cubin, "sm_90a"), "there is a cubin for sm_90a already");
  EXPECT_INVALID(both.with_cubin({}, "sm_100"), "the cubin for sm_100 is empty");
  EXPECT_INVALID(both.with_cubin(cubin, ""),
                 "the name of the cubin's architecture is empty");
}

TEST(Spec2KernelCode, IsStoredOnceHoweverManyKernelsUseIt) {
  const std::string text =
      with_ref([](Ref x) {
        ptx_kernel(test_kernels(), "increment", {read_write(x)});
        ptx_kernel(KernelCode::ptx(kTestPtx, "again"), "trap", {read(x)});
      }).module_text();
  EXPECT_THAT(text, HasSubstr("thunky.kernel_code @kernels"));
  EXPECT_THAT(text, Not(HasSubstr("@again")));
}

TEST(Spec2KernelCode, MayHaveTheNameOfTheProgramsFunction) {
  const Program program = jit(
      [](Ref x) {
        const KernelCode code = KernelCode::ptx(test_kernels().ptx(), "main");
        ptx_kernel(code, "increment", {read_write(x)});
      },
      {i32});
  const Array x = Array::scalar(Device::host(), 1);
  program.compile(Device::host()).run({x});
  EXPECT_EQ(x.item<int32_t>(), 2);
}

TEST(Spec7Running, AKernelThatTrapsIsAnErrorNamingThunkAndPlace) {
  const Program program =
      with_ref([](Ref x) { ptx_kernel(test_kernels(), "trap", {read_write(x)}); });
  const Device device = Device::host();
  const LoadedExecutable loaded = program.compile(device);
  const Array x = Array::zeros(device, f32(4));
  EXPECT_ERROR(loaded.run({x}), ErrorCode::kernel_fault, "trap");
  EXPECT_ERROR(loaded.run({x}), ErrorCode::kernel_fault, "kernel_test.cc:");
}

TEST(Spec7Running, SharedMemoryBeyondTheDevicesLimitFailsWhenLoaded) {
  const Program program = with_ref([](Ref x) {
    ptx_kernel(test_kernels(), "increment", {read_write(x)},
               {.shared_bytes = int64_t{1} << 30});
  });
  EXPECT_INVALID(program.compile(Device::host()), "1073741824");
}

TEST(Spec8Rule3, ValuesHaveAtMost4KiB) {
  struct Large {
    char bytes[4097];
  };
  with_ref([](Ref x) {
    EXPECT_INVALID(ptx_kernel(test_kernels(), "is_null", {Large{}, write(x)}), "4097");
  });
}

TEST(Spec8Rule4, ScratchAndConstantsStartAtMultiplesOf256Bytes) {
  const Program program = jit(
      [](Ref out) {
        const KernelCode code = test_kernels();
        const auto address = [&](const Ref& ref, int64_t place) {
          ptx_kernel(code, "address", {read(ref), write_all(out[place])});
        };
        const Ref s = empty_ref(u8(4));
        const Ref t = empty_ref(u8(260));
        const Ref u = empty_ref(u8(8));
        memzero(s);
        memzero(t);
        address(s, 0);
        address(t, 1);
        memzero(u);
        address(u, 2);
        address(constant(uint8_t{1}), 3);
        address(constant(std::vector<float>(5, 1.0f)), 4);
        address(constant(2.0), 5);
      },
      {u64(6)});
  const Device device = Device::host();
  for (const bool assign : {true, false}) {
    const Array out = Array::zeros(device, u64(6));
    program.compile(device, {.assign_scratch = assign}).run({out});
    for (const uint64_t address : out.to_vector<uint64_t>()) {
      EXPECT_NE(address, 0u);
      EXPECT_EQ(address % 256, 0u);
    }
  }
}

TEST(Spec7Running, CodeForGpusOnlyIsAnErrorOnTheHost) {
  const char* data = std::getenv("THUNKY_TEST_DATA");
  ASSERT_NE(data, nullptr);
  const KernelCode code = KernelCode::cubin_file(
      std::filesystem::path(data) / "cubins" / "cuda13_sm_90a.cubin", "sm_90a");
  const Program program = with_ref([&](Ref) { ptx_kernel(code, "two", {}); });
  EXPECT_ERROR(program.compile(Device::host()), ErrorCode::failed_precondition, "two");
}

TEST(Spec4Jit, CodeThatWasRefusedIsNotInTheProgram) {
  const Program program = with_ref([](Ref x) {
    EXPECT_TRUE(error_of(
        [&] { ptx_kernel(KernelCode::ptx("no PTX at all", "bad"), "f", {read(x)}); }));
    EXPECT_TRUE(error_of([&] { ptx_kernel(test_kernels(), "absent", {read(x)}); }));
    memzero(x);
  });
  EXPECT_THAT(program.module_text(), Not(HasSubstr("kernel_code")));
  const Device device = Device::host();
  const Array x = Array::from(device, {1.0f, 2.0f, 3.0f, 4.0f});
  program.compile(device).run({x});
  EXPECT_EQ(x.to_vector<float>(), std::vector<float>(4, 0));
}

TEST(Spec2PtxKernel, PtxOfALaterVersionIsAnErrorNamingBoth) {
  std::string text = kTestPtx;
  text.replace(text.find("8.0"), 3, "99.0");
  const auto error = error_of([&] {
    with_ref([&](Ref x) {
      ptx_kernel(KernelCode::ptx(text), "trap", {read(x)});
    }).compile(Device::host());
  });
  ASSERT_TRUE(error);
  EXPECT_THAT(error->message(), HasSubstr("99.0"));
}

}  // namespace
}  // namespace thunky
