#include "thunky/compiler/transforms/assign_scratch.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Verifier.h"
#include "thunky/compiler/dialect/argument_attributes.h"
#include "thunky/compiler/library/module_text.h"
#include "thunky/compiler/transforms/arena_layout.h"
#include "thunky/compiler/translate/test_modules.h"
#include "thunky/container/fixture_files.h"

namespace thunky::compiler {
namespace {

using ::testing::HasSubstr;
using Module = mlir::OwningOpRef<mlir::ModuleOp>;

bool meet(const std::vector<TimeSpan>& a, const std::vector<TimeSpan>& b) {
  for (const TimeSpan& one : a) {
    for (const TimeSpan& other : b) {
      if (one.first <= other.last && other.first <= one.last) return true;
    }
  }
  return false;
}

// The size, after a check of every pair.
int64_t layOut(std::vector<ArenaBuffer>& buffers) {
  const int64_t size = layOutArena(buffers);
  int64_t sum = 0, end = 0;
  for (const ArenaBuffer& buffer : buffers) {
    EXPECT_EQ(buffer.offset % kArenaAlignment, 0);
    end = std::max(end, buffer.offset + buffer.size);
    sum += (buffer.size + kArenaAlignment - 1) / kArenaAlignment * kArenaAlignment;
  }
  EXPECT_GE(size, end);
  EXPECT_LE(size, sum);
  for (size_t i = 0; i < buffers.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      const ArenaBuffer &a = buffers[i], &b = buffers[j];
      if (!meet(a.lifetime, b.lifetime)) continue;
      EXPECT_TRUE(a.offset + a.size <= b.offset || b.offset + b.size <= a.offset)
          << i << " and " << j;
    }
  }
  return size;
}

TEST(ArenaLayoutTest, TakesTheGapWithTheLeastRoomLeft) {
  // The first four leave gaps of 512 and 256 bytes while the last one lives.
  std::vector<ArenaBuffer> buffers = {{2048, {{0, 9}}}, {1024, {{0, 9}}}, {512, {{0, 1}}},
                                      {511, {{0, 9}}},  {250, {{0, 1}}},  {200, {{0, 9}}},
                                      {100, {{5, 9}}}};
  EXPECT_EQ(layOut(buffers), 2048 + 1024 + 512 + 512 + 256 + 256);
  EXPECT_EQ(buffers[6].offset, buffers[4].offset);
}

TEST(ArenaLayoutTest, AHoleInALifetimeIsUsed) {
  std::vector<ArenaBuffer> buffers = {{256, {{0, 2}, {7, 9}}}, {256, {{3, 6}}}};
  EXPECT_EQ(layOut(buffers), 256);
  buffers[1].lifetime = {{3, 7}};
  EXPECT_EQ(layOut(buffers), 512);
}

TEST(ArenaLayoutTest, EmptyAndUnusedBuffersAreLegal) {
  std::vector<ArenaBuffer> buffers = {{0, {{0, 2}}}, {300, {}}, {1, {{0, 2}}}};
  EXPECT_EQ(layOut(buffers), 512);
  std::vector<ArenaBuffer> none;
  EXPECT_EQ(layOut(none), 0);
}

TEST(ArenaLayoutTest, RandomLifetimesNeverMeetInOnePlace) {
  std::mt19937 random(7);
  const auto pick = [&](int most) { return static_cast<int64_t>(random() % most); };
  for (int round = 0; round < 200; ++round) {
    std::vector<ArenaBuffer> buffers(1 + pick(60));
    // From few that live at a time to nearly all of them.
    const int length = 1 + static_cast<int>(pick(round % 2 == 0 ? 10 : 100));
    for (ArenaBuffer& buffer : buffers) {
      buffer.size = pick(3000);
      int64_t at = pick(100);
      for (int64_t i = pick(4); i > 0; --i) {
        buffer.lifetime.push_back({at, at + pick(length)});
        at = buffer.lifetime.back().last + 2 + pick(10);
      }
    }
    layOut(buffers);
  }
}

// A program from JAX whose temporaries are two, which never happens to be JAX's own idea.
class ImportedScratchTest : public ::testing::Test {
 protected:
  // The temporary allocation of cond and one like it that is used behind it.
  Module importWithTwo() {
    auto file = ReadExecutableFile(FixtureExecutable("jax-0.11.2-ptx/dyn_slice"));
    EXPECT_TRUE(file.ok()) << file.status();
    wire::GpuExecutableProto& executable = file->executable;
    auto& list = *executable.mutable_buffer_allocations()->mutable_values();
    number_ = list.size();
    wire::BufferAllocationProto& added = *list.Add();
    added.set_index(number_);
    added.set_size(256);
    if (executable.has_buffer_assignment()) {
      *executable.mutable_buffer_assignment()->add_buffer_allocations() = added;
    }
    auto& thunks =
        executable.thunks_size() == 1 && executable.thunks(0).has_sequential_thunk()
            ? *executable.mutable_thunks(0)->mutable_sequential_thunk()->mutable_thunks()
            : *executable.mutable_thunks();
    wire::ThunkProto& zero = *thunks.Add();
    zero.mutable_thunk_info()->set_thunk_id(1000000);
    auto& destination = *zero.mutable_memzero_thunk()->mutable_dest_buffer();
    destination.mutable_slice()->set_buffer_allocation_index(number_);
    destination.mutable_slice()->set_size(256);
    destination.mutable_slice()->set_element_type(wire::U8);
    destination.mutable_shape()->set_element_type(wire::U8);
    destination.mutable_shape()->add_dimensions(256);
    Module module = compiler_.import(*std::move(file));
    EXPECT_TRUE(module) << compiler_.diagnostics();
    return module;
  }

  TestCompiler compiler_;
  int64_t number_ = 0;
};

TEST_F(ImportedScratchTest, OldAllocationsBecomeEmpty) {
  const Module module = importWithTwo();
  ASSERT_TRUE(module);
  const auto sizeOf = [&](const wire::GpuExecutableProto& executable) {
    int64_t temporary = 0;
    for (const auto& allocation : executable.buffer_allocations().values()) {
      const bool own = allocation.is_entry_computation_parameter() ||
                       allocation.maybe_live_out() || allocation.is_constant() ||
                       allocation.is_thread_local();
      if (!own) temporary += allocation.size();
    }
    return temporary;
  };
  const auto before = compiler_.exportFrom(*module, CodePlacement::kCubinFirst, true);
  ASSERT_TRUE(before.has_value()) << compiler_.diagnostics();
  const auto report = assignScratch(*module);
  ASSERT_TRUE(mlir::succeeded(report)) << compiler_.diagnostics();
  EXPECT_EQ(report->buffers, 2);
  EXPECT_EQ(report->bytesBefore, 512);
  EXPECT_EQ(report->bytesAfter, 256);
  EXPECT_TRUE(mlir::succeeded(mlir::verify(*module)));
  auto after = compiler_.exportFrom(*module, CodePlacement::kCubinFirst, true);
  ASSERT_TRUE(after.has_value()) << compiler_.diagnostics();
  EXPECT_LT(sizeOf(after->executable), sizeOf(before->executable));
  EXPECT_LE(sizeOf(after->executable), 256);
  // And it is a program that can be read again.
  TestCompiler other;
  const Module again = other.import(*std::move(after));
  ASSERT_TRUE(again) << other.diagnostics();
  EXPECT_EQ(thunkOpsOf(*again), thunkOpsOf(*module));
}

TEST(AssignScratchTest, EveryProgramOfJaxStaysAsItIs) {
  for (const std::string& name : FixtureNames()) {
    SCOPED_TRACE(name);
    TestCompiler compiler;
    auto file = ReadExecutableFile(FixtureExecutable(name));
    ASSERT_TRUE(file.ok()) << file.status();
    const Module module = compiler.import(*std::move(file));
    ASSERT_TRUE(module) << compiler.diagnostics();
    const std::string before = writeText(*module, false);
    const auto report = assignScratch(*module);
    ASSERT_TRUE(mlir::succeeded(report)) << compiler.diagnostics();
    EXPECT_EQ(report->bytesAfter, report->bytesBefore) << "XLA shares memory itself";
    EXPECT_TRUE(writeText(*module, false) == before);
  }
}

// Slices of slices are as deep as before.
TEST(AssignScratchTest, DeepSlicesStayLegal) {
  std::string slices;
  std::string last = "%a";
  for (int i = 0; i < 256; ++i) {
    const std::string name = absl::StrCat("%s", i);
    absl::StrAppend(&slices, name, " = thunky.slice_buffer ", last, "[0] : <8> -> <8>\n");
    last = name;
  }
  TestCompiler compiler;
  const Module module = compiler.read(absl::StrCat(
      "func.func @main(%a: !thunky.buffer<8> {thunky.scratch}, ",
      "%b: !thunky.buffer<8> {thunky.scratch}) {\n", slices, "thunky.memzero ", last,
      " : <8>\nthunky.memzero %b : <8>\nreturn\n}"));
  ASSERT_TRUE(module) << compiler.diagnostics();
  const auto report = assignScratch(*module);
  ASSERT_TRUE(mlir::succeeded(report));
  EXPECT_EQ(report->bytesAfter, 256);
  EXPECT_TRUE(mlir::succeeded(mlir::verify(*module))) << compiler.diagnostics();
}

// Seconds are for people; what is checked is that many are no trouble.
TEST(AssignScratchTest, ManyBuffersInAChain) {
  constexpr int kBuffers = 10000, kThunks = 100000;
  std::string arguments, body;
  for (int i = 0; i < kBuffers; ++i) {
    absl::StrAppend(&arguments, i == 0 ? "" : ", ", "%b", i, ": !thunky.buffer<",
                    256 + i % 7 * 4, "> {thunky.scratch}");
  }
  for (int i = 0; i < kThunks; ++i) {
    const int buffer = i / (kThunks / kBuffers);
    absl::StrAppend(&body, "thunky.memzero %b", buffer, " : <", 256 + buffer % 7 * 4,
                    ">\n");
  }
  TestCompiler compiler;
  const Module module = compiler.read(
      absl::StrCat("func.func @main(", arguments, ") {\n", body, "return\n}"));
  ASSERT_TRUE(module) << compiler.diagnostics();
  const auto start = std::chrono::steady_clock::now();
  const auto report = assignScratch(*module);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  ASSERT_TRUE(mlir::succeeded(report));
  EXPECT_EQ(report->bytesAfter, 512);
  std::printf("%d thunks, %d buffers: %.2f s\n", kThunks, kBuffers, seconds.count());
}

// All at once: nothing can be saved, and there is the most to look at.
TEST(AssignScratchTest, ManyBuffersAtOnce) {
  std::vector<ArenaBuffer> buffers(10000);
  for (size_t i = 0; i < buffers.size(); ++i) {
    const auto start = static_cast<int64_t>(i);
    buffers[i] = {256 + static_cast<int64_t>(i % 100) * 256, {{start, start + 5000}}};
  }
  const auto start = std::chrono::steady_clock::now();
  const int64_t size = layOutArena(buffers);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  EXPECT_GT(size, 5000 * 50 * 256);
  std::printf("%zu buffers, half at a time: %.2f s, %lld bytes of at least %d\n",
              buffers.size(), seconds.count(), static_cast<long long>(size),
              5001 * 50 * 256);
}

}  // namespace
}  // namespace thunky::compiler
