// What reading takes at its worst, measured: each case runs in a process of its own.
#include <malloc.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "proto/executable.pb.h"
#include "proto/split_proto.pb.h"
#include "thunky/container/decompress.h"
#include "thunky/container/executable_file.h"
#include "thunky/container/proto_scan.h"
#include "thunky/container/records_test_data.h"
#include "thunky/container/text_proto.h"
#include "thunky/container/varint.h"

#if defined(__SANITIZE_ADDRESS__)
#define THUNKY_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define THUNKY_ADDRESS_SANITIZER 1
#endif
#endif

namespace thunky {
namespace {

constexpr uint64_t kMiB = uint64_t{1} << 20;
// Pages of code and tables of the schema that are first touched while parsing.
constexpr uint64_t kOnce = 4 * kMiB;

// A figure of /proc/self/status, such as "VmHWM", in bytes.
uint64_t MemoryFigure(const std::string& name) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.rfind(name + ":", 0) != 0) continue;
    return std::strtoull(line.c_str() + name.size() + 1, nullptr, 10) * 1024;
  }
  return 0;
}

struct Measured {
  uint64_t peak = 0;   // bytes that `body` needed on top of what was there before
  uint64_t value = 0;  // what `body` returned
};

// Runs `prepare` and then `body` in a child process.
Measured Measure(const std::function<void()>& prepare,
                 const std::function<uint64_t()>& body) {
  int channel[2];
  Measured measured;
  EXPECT_EQ(pipe(channel), 0);
  const pid_t child = fork();
  if (child == 0) {
    prepare();
    // Memory that was freed is no part of what comes, and neither is the peak so far.
    malloc_trim(0);
    std::ofstream("/proc/self/clear_refs") << "5" << std::flush;
    const uint64_t before = MemoryFigure("VmHWM");
    measured.value = body();
    measured.peak = MemoryFigure("VmHWM") - before;
    const bool sent =
        write(channel[1], &measured, sizeof(measured)) == ssize_t{sizeof(measured)};
    _exit(before != 0 && sent ? 0 : 1);
  }
  EXPECT_GT(child, 0);
  close(channel[1]);
  EXPECT_EQ(read(channel[0], &measured, sizeof(measured)), ssize_t{sizeof(measured)});
  close(channel[0]);
  int status = -1;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  return measured;
}

std::string Field(uint32_t number, const std::string& content) {
  std::string bytes;
  AppendVarint(uint64_t{number} << 3 | 2, bytes);
  AppendVarint(content.size(), bytes);
  return bytes + content;
}

std::string Repeat(const std::string& element, size_t count) {
  std::string bytes;
  bytes.reserve(element.size() * count);
  for (size_t i = 0; i < count; ++i) bytes += element;
  return bytes;
}

// Content of a GpuExecutableProto that is small on the wire and large in memory.
struct Bomb {
  const char* name;
  std::string element;             // many of these
  std::vector<uint32_t> wrapping;  // inside these fields, innermost first
};

std::string Build(const Bomb& bomb, size_t count) {
  std::string bytes = Repeat(bomb.element, count);
  for (const uint32_t field : bomb.wrapping) bytes = Field(field, bytes);
  return bytes;
}

const std::vector<Bomb>& Bombs() {
  static const std::vector<Bomb> bombs = {
      {"empty thunks", Field(13, ""), {}},
      {"empty constants", Field(12, ""), {}},
      {"empty allocations", Field(1, ""), {10}},
      {"empty HLO instructions", Field(2, ""), {3, 1, 1}},
      {"empty literals", Field(2, Field(8, "")), {3, 1, 1}},
      {"map entries", Field(5, Field(1, "")), {}},
      {"unknown numbers", std::string("\xf8\x01\x01", 3), {}},
      {"unknown numbers in small messages",
       Field(13, std::string("\xf8\x07\x01", 3)),
       {}},
      {"unknown strings", Field(31, ""), {}},
      {"unknown strings of 16 bytes", Field(31, std::string(16, 'x')), {}},
      {"unknown groups", std::string("\xfb\x01\xfc\x01", 4), {}},
      {"numbers", std::string("\x50\x01", 2), {1, 10}},
      {"packed numbers", std::string("\x01", 1), {10, 1, 10}},
      {"strings of 16 bytes", Field(13, Field(1, Field(1, std::string(16, 'x')))), {}},
  };
  return bombs;
}

TEST(Memory, EstimatesAreUpperBounds) {
#ifdef THUNKY_ADDRESS_SANITIZER
  GTEST_SKIP() << "the sanitizer's own memory would be measured";
#endif
  for (const Bomb& bomb : Bombs()) {
    std::string bytes;
    wire::GpuExecutableProto message;
    const Measured measured =
        Measure([&] { bytes = Build(bomb, 200'000); },
                [&]() -> uint64_t {
                  ReadBudget budget({.max_decoded_bytes = UINT64_MAX});
                  if (!budget.ChargeDecodedBytes(uint64_t{1} << 50, "test").ok())
                    return 0;
                  if (!ProtoScanner(budget).Merge(bytes, message).ok()) return 0;
                  return budget.message_memory();
                });
    EXPECT_GT(measured.value, 0u) << bomb.name;
    EXPECT_LE(measured.peak, measured.value + kOnce) << bomb.name;
  }
}

TEST(Memory, EstimatesOfTextAreUpperBounds) {
#ifdef THUNKY_ADDRESS_SANITIZER
  GTEST_SKIP() << "the sanitizer's own memory would be measured";
#endif
  constexpr size_t kCount = 300'000;
  const struct {
    const char* before;
    const char* element;
    const char* after;
  } cases[] = {
      {"", "thunks{}", ""},
      {"constants: [{}", ",{}", "]"},
      {"", "constants<symbol_name:'0123456789abcdef' content{}>", ""},
      {"", "thunks{thunk_info{profile_annotation:'0123456789abcdef'}}", ""},
      {"buffer_allocations{values{parameter_shape_index:[1", ",2", "]}}"},
      {"program_shape{parameter_names:[''", ",''", "]}"},
  };
  for (const auto& c : cases) {
    std::string text;
    wire::GpuExecutableProto message;
    const Measured measured =
        Measure([&] { text = c.before + Repeat(c.element, kCount) + c.after; },
                [&]() -> uint64_t {
                  ReadBudget budget({.max_decoded_bytes = UINT64_MAX});
                  MessageShapes shapes;
                  if (!budget.ChargeDecodedBytes(uint64_t{1} << 50, "test").ok())
                    return 0;
                  if (!ParseTextProto(text, shapes, budget, message).ok()) return 0;
                  return budget.message_memory();
                });
    EXPECT_GT(measured.value, kCount) << c.element;
    EXPECT_LE(measured.peak, measured.value + kOnce) << c.element;
  }
}

uint64_t Bound(uint64_t decoded) { return 64 * kMiB + 70 * decoded; }

// The first count, going down from all of `size` bytes, that is accepted; beside the
// elements one large string makes up the size, which costs nothing extra.
std::string MostThatIsAccepted(const Bomb& bomb, size_t size) {
  for (size_t count = size / bomb.element.size();; count = count * 3 / 4) {
    std::string bytes = Build(bomb, count);
    if (bytes.size() < size) bytes += Field(4, std::string(size - bytes.size(), 'b'));
    // Never without something known.
    bytes += Field(13, "");
    ReadBudget budget;
    wire::GpuExecutableProto message;
    if (!budget.ChargeDecodedBytes(bytes.size(), "test").ok()) return "";
    if (count == 0 || ProtoScanner(budget).Merge(bytes, message).ok()) return bytes;
  }
}

TEST(Memory, StaysBelowTheBound) {
#ifdef THUNKY_ADDRESS_SANITIZER
  GTEST_SKIP() << "the sanitizer's own memory would be measured";
#endif
  constexpr size_t kSize = 2 << 20;
  for (const Bomb& bomb : Bombs()) {
    for (const bool container : {false, true}) {
      std::string bytes = MostThatIsAccepted(bomb, kSize);
      if (container) {
        wire::SplitProtoManifest manifest;
        manifest.set_result_proto_type("xla.gpu.GpuExecutableProto");
        manifest.add_records()->mutable_proto_merge_record();
        bytes = riegeli::RecordsFileForTest(riegeli::Compression::kZstd,
                                            {manifest.SerializeAsString(), bytes});
      }
      const Measured measured = Measure([] {},
                                        [&]() -> uint64_t {
                                          const auto file = ReadExecutableFile(bytes);
                                          return file.ok() ? file->sizes.decoded : kSize;
                                        });
      EXPECT_GE(measured.value, kSize) << bomb.name;
      EXPECT_LE(measured.peak, Bound(measured.value)) << bomb.name;
    }
  }
}

TEST(Memory, RefusesALotOfNothingBeforeParsing) {
#ifdef THUNKY_ADDRESS_SANITIZER
  GTEST_SKIP() << "the sanitizer's own memory would be measured";
#endif
  std::string bytes;
  for (const Bomb& bomb : {Bombs()[0], Bombs()[2], Bombs()[3], Bombs()[5], Bombs()[8]}) {
    const Measured measured =
        Measure([&] { bytes = Build(bomb, 20'000'000 / bomb.element.size()); },
                [&]() -> uint64_t {
                  return static_cast<uint64_t>(ReadExecutableFile(bytes).status().code());
                });
    EXPECT_EQ(measured.value, static_cast<uint64_t>(absl::StatusCode::kResourceExhausted))
        << bomb.name;
    EXPECT_LE(measured.peak, 8 * kMiB) << bomb.name;
  }
}

TEST(Memory, DeclaredSizesCostNothing) {
#ifdef THUNKY_ADDRESS_SANITIZER
  GTEST_SKIP() << "the sanitizer's own memory would be measured";
#endif
  using riegeli::Compression;
  for (const Compression compression :
       {Compression::kBrotli, Compression::kZstd, Compression::kSnappy}) {
    // Declares 200 MiB, which is within the limit, and holds little.
    const std::string part = riegeli::CompressForTest(compression, "little");
    ReadBudget budget;
    const Measured measured = Measure(
        [] {},
        [&]() -> uint64_t {
          return riegeli::Decompress(compression, part, 200 * kMiB, budget, "it").ok()
                     ? 1
                     : 0;
        });
    EXPECT_EQ(measured.value, 0u);
    EXPECT_LE(measured.peak, 32 * kMiB) << riegeli::CompressionName(compression);
  }
}

}  // namespace
}  // namespace thunky
