// The functions of the device runtime: printf, assert, malloc, free.
#include <cstdio>
#include <cstring>
#include <string>

#include "absl/strings/str_cat.h"
#include "thunky/interp/control.h"
#include "thunky/interp/lanes.h"
#include "thunky/interp/launch_state.h"
#include "thunky/interp/memory_access.h"
#include "thunky/interp/printf.h"

namespace thunky::interp {
namespace {

using ptx::ir::Builtin;
using ptx::ir::Call;
using ptx::ir::Space;

constexpr uint64_t kMaxString = 64 << 10;

const Call& CallOf(const Warp& w, const MicroOp* op) {
  return w.frame->function->ir->calls[op->extra];
}

// The argument buffer of a vprintf: values at multiples of their size.
class KernelArguments : public PrintfArguments {
 public:
  KernelArguments(Warp& warp, const MicroOp* op, int lane, uint64_t buffer)
      : warp_(warp), op_(op), lane_(lane), at_(buffer) {}

  bool Next(uint32_t size, uint64_t* value) override {
    at_ = (at_ + size - 1) / size * size;
    const Access access{Space::kGeneric, size, AccessKind::kRead, false};
    const char* p = TranslateOne(warp_, op_, lane_, at_, access);
    if (p == nullptr) return false;
    *value = 0;
    std::memcpy(value, p, size);
    at_ += size;
    return true;
  }
  bool String(uint64_t pointer, std::string* text) override {
    return ReadString(warp_, op_, lane_, pointer, kMaxString, text);
  }

 private:
  Warp& warp_;
  const MicroOp* op_;
  int lane_;
  uint64_t at_;
};

void Print(const LaunchState& launch, const std::string& text) {
  if (launch.params->print) {
    launch.params->print(text);
  } else {
    std::fwrite(text.data(), 1, text.size(), stdout);
  }
}

const MicroOp* ExecPrintf(Warp& w, const MicroOp* op) {
  const Call& call = CallOf(w, op);
  for (uint32_t lanes = w.active; lanes != 0; lanes &= lanes - 1) {
    const int lane = std::countr_zero(lanes);
    std::string format;
    std::string text;
    if (!ReadString(w, op, lane, ReadArgument(w, call, 0, lane), kMaxString, &format)) {
      return nullptr;
    }
    KernelArguments arguments(w, op, lane, ReadArgument(w, call, 1, lane));
    const int used = FormatPrintf(format, arguments, &text);
    if (!w.launch->status.ok()) return nullptr;
    Print(*w.launch, text);
    WriteResult(w, call, 0, lane, static_cast<uint32_t>(used));
  }
  return op + 1;
}

// __assertfail(message, file, line, function, character size)
const MicroOp* ExecAssertFail(Warp& w, const MicroOp* op) {
  const Call& call = CallOf(w, op);
  const int lane = std::countr_zero(w.active);
  std::string text[3];
  const size_t strings[3] = {0, 1, 3};
  for (size_t i = 0; i < 3; ++i) {
    const uint64_t pointer = ReadArgument(w, call, strings[i], lane);
    if (pointer == 0) continue;
    if (!ReadString(w, op, lane, pointer, kMaxString, &text[i])) return nullptr;
  }
  const uint32_t line = static_cast<uint32_t>(ReadArgument(w, call, 2, lane));
  return w.Fail(op, lane, absl::StatusCode::kAborted,
                absl::StrCat("assertion '", text[0], "' failed at ", text[1], ":", line,
                             text[2].empty() ? "" : absl::StrCat(" in ", text[2])));
}

const MicroOp* ExecMalloc(Warp& w, const MicroOp* op) {
  const Call& call = CallOf(w, op);
  ForLanes(w.active, [&](int lane) {
    const uint64_t size = ReadArgument(w, call, 0, lane);
    WriteResult(w, call, 0, lane, w.launch->heap.Allocate(size));
  });
  return op + 1;
}

const MicroOp* ExecFree(Warp& w, const MicroOp* op) {
  const Call& call = CallOf(w, op);
  for (uint32_t lanes = w.active; lanes != 0; lanes &= lanes - 1) {
    const int lane = std::countr_zero(lanes);
    const uint64_t pointer = ReadArgument(w, call, 0, lane);
    if (w.launch->heap.Free(pointer)) continue;
    return w.Fail(op, lane, absl::StatusCode::kFailedPrecondition,
                  absl::StrCat("free of 0x", absl::Hex(pointer),
                               ", which malloc did not give or was freed before"));
  }
  return op + 1;
}

}  // namespace

ExecFn BuiltinFn(Builtin builtin) {
  switch (builtin) {
    case Builtin::kVprintf:
      return &ExecPrintf;
    case Builtin::kAssertFail:
      return &ExecAssertFail;
    case Builtin::kMalloc:
      return &ExecMalloc;
    case Builtin::kFree:
      return &ExecFree;
    case Builtin::kNone:
      break;
  }
  return nullptr;
}

}  // namespace thunky::interp
