#include "thunky/interp/memory_access.h"

#include <algorithm>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "thunky/interp/checks.h"
#include "thunky/interp/decode.h"
#include "thunky/interp/lanes.h"

namespace thunky::interp {
namespace {

using ptx::ir::Space;

// Addresses in [begin, begin + limit] are good for an access; `add` makes them host
// pointers.
struct Window {
  uint64_t begin = 0;
  uint64_t limit = 0;
  uint64_t add = 0;
};
constexpr uint64_t kFitsNothing = ~uint64_t{0};  // the limit of an empty window

uint64_t LimitOf(uint64_t size, uint64_t bytes) {
  return size >= bytes ? size - bytes : kFitsNothing;
}

// What a pass over the addresses of a warp found out.
struct Findings {
  uint64_t outside = 0;     // top bit: an address is outside the window
  uint64_t bits = 0;        // bits that are set in any address
  uint64_t contiguous = 0;  // 0: each lane's address follows the one before
  uint64_t uniform = 0;     // 0: all addresses are the same
};

// `raw(i)` is the address of lane i. One pass without a branch, for vector code: with a
// limit below 2^63, x <= limit is a clear top bit of x | (limit - x), and with
// kFitsNothing that bit is set for all x.
template <bool kAll, typename Function>
THUNKY_INLINE Findings PassOver(Warp& w, const Window& window, uint64_t stride,
                                Function raw) {
  const uint64_t first = raw(0);
  const uint64_t begin = window.begin;
  const uint64_t limit = window.limit;
  const uint64_t add = window.add;
  const uint64_t* m = w.mask64.data();
  uint64_t* address = w.address.data();
  uint64_t outside = 0;
  uint64_t bits = 0;
  uint64_t contiguous = kAll ? 0 : 1;
  uint64_t uniform = kAll ? 0 : 1;
#pragma GCC ivdep
  for (int i = 0; i < kLanes; ++i) {
    const uint64_t a = raw(i);
    const uint64_t offset = a - begin;
    const uint64_t out = offset | (limit - offset);
    address[i] = a + add;
    if constexpr (kAll) {
      outside |= out;
      bits |= a;
      contiguous |= a - first - static_cast<uint64_t>(i) * stride;
      uniform |= a ^ first;
    } else {
      outside |= out & m[i];
      bits |= a & m[i];
    }
  }
  return {outside, bits, contiguous, uniform};
}

template <typename Function>
THUNKY_INLINE Findings Pass(Warp& w, const Window& window, uint64_t stride,
                            Function raw) {
  return w.active == kAllLanes ? PassOver<true>(w, window, stride, raw)
                               : PassOver<false>(w, window, stride, raw);
}

THUNKY_INLINE Findings AddressLanes(Warp& w, const MicroOp* op, AddressMode mode,
                                    const Window& window, uint64_t stride) {
  const uint64_t offset = static_cast<uint64_t>(op->imm);
  switch (mode) {
    case AddressMode::kRegister64: {
      const uint64_t* a = w.Lanes<uint64_t>(op->a);
      return Pass(w, window, stride, [=](int i) { return a[i] + offset; });
    }
    case AddressMode::kRegister32: {
      const uint32_t* a = w.Lanes<uint32_t>(op->a);
      return Pass(w, window, stride, [=](int i) { return a[i] + offset; });
    }
    case AddressMode::kAbsolute:
      return Pass(w, window, stride, [=](int) { return offset; });
    case AddressMode::kFrame:
      break;
  }
  const uint64_t address = w.frame->stack_base + offset;
  return Pass(w, window, stride, [=](int) { return address; });
}

Findings AddressBase(Warp& w, const MicroOp* op, AddressMode mode, const Window& window,
                     uint64_t stride) {
  return AddressLanes(w, op, mode, window, stride);
}
THUNKY_WIDE_LANES Findings AddressWide(Warp& w, const MicroOp* op, AddressMode mode,
                                       const Window& window, uint64_t stride) {
  return AddressLanes(w, op, mode, window, stride);
}

const char* KindName(AccessKind kind) {
  switch (kind) {
    case AccessKind::kRead:
      return "load";
    case AccessKind::kWrite:
      return "store";
    case AccessKind::kAtomic:
      return "atomic operation";
  }
  return "access";
}

std::string Describe(const Access& access, uint64_t address) {
  const std::string_view space = ptx::ir::SpaceName(access.space);
  return absl::StrCat(absl::string_view(space.data(), space.size()), " ",
                      KindName(access.kind), " of ", access.bytes, " bytes at 0x",
                      absl::Hex(address));
}

std::string DescribeNearest(const LaunchState& launch, uint64_t address) {
  const hal::MemoryRange* nearest = nullptr;
  uint64_t best = ~uint64_t{0};
  for (const hal::MemoryMap* map : {launch.params->memory, launch.program->variables}) {
    const hal::MemoryRange* range = map == nullptr ? nullptr : map->Nearest(address);
    if (range == nullptr) continue;
    const uint64_t distance = address < range->begin  ? range->begin - address
                              : address >= range->end ? address - range->end
                                                      : 0;
    if (nearest == nullptr || distance < best) {
      nearest = range;
      best = distance;
    }
  }
  if (nearest == nullptr) return "the kernel has no memory";
  const std::string name =
      absl::StrCat("'", nearest->name, "' (", nearest->end - nearest->begin, " bytes)");
  if (address < nearest->begin) {
    return absl::StrCat(nearest->begin - address, " bytes before ", name);
  }
  if (address >= nearest->end) {
    return absl::StrCat(address - nearest->end, " bytes after the end of ", name);
  }
  return absl::StrCat("at byte ", address - nearest->begin, " of ", name);
}

const char* FailOutside(Warp& w, const MicroOp* op, int lane, uint64_t address,
                        const Access& access) {
  const LaunchState& launch = *w.launch;
  std::string text = absl::StrCat(Describe(access, address), " is outside ");
  switch (access.space) {
    case Space::kShared:
      absl::StrAppend(&text, "the block's shared memory of ", launch.shared_bytes,
                      " bytes");
      break;
    case Space::kLocal:
    case Space::kParam:
      absl::StrAppend(&text, "the thread's ",
                      access.space == Space::kLocal ? "local memory" : "parameters");
      break;
    default:
      absl::StrAppend(&text, "the kernel's memory: ", DescribeNearest(launch, address));
      break;
  }
  w.Fail(op, lane, absl::StatusCode::kOutOfRange, text);
  return nullptr;
}

bool FailReadOnly(Warp& w, const MicroOp* op, int lane, uint64_t address,
                  const Access& access, std::string_view name) {
  w.Fail(
      op, lane, absl::StatusCode::kOutOfRange,
      absl::StrCat(Describe(access, address), " is in '",
                   absl::string_view(name.data(), name.size()), "', which is read-only"));
  return false;
}

bool FailMisaligned(Warp& w, const MicroOp* op, const Access& access, uint64_t add) {
  int lane = 0;
  ForLanes(w.active, [&](int i) {
    if (((w.address[i] - add) & (access.bytes - 1)) != 0) lane = i;
  });
  w.Fail(op, lane, absl::StatusCode::kOutOfRange,
         absl::StrCat(Describe(access, w.address[lane] - add),
                      " is misaligned: not a multiple of ", access.bytes));
  return false;
}

bool Inside(uint64_t address, uint64_t bytes, uint64_t begin, uint64_t end) {
  return address >= begin && address <= end && end - address >= bytes;
}

const hal::MemoryRange* FindRange(const LaunchState& launch, uint64_t address,
                                  uint64_t bytes) {
  if (launch.params->memory != nullptr) {
    if (const auto* range = launch.params->memory->Find(address, bytes)) return range;
  }
  return launch.program->variables->Find(address, bytes);
}

bool IsWrite(const Access& access) { return access.kind != AccessKind::kRead; }

// One lane of a global or generic access; the address is a host pointer already.
bool CheckGeneric(Warp& w, const MicroOp* op, int lane, uint64_t address,
                  const Access& access) {
  const LaunchState& launch = *w.launch;
  if (const hal::MemoryRange* range = FindRange(launch, address, access.bytes)) {
    if (IsWrite(access) && !range->writable) {
      return FailReadOnly(w, op, lane, address, access, range->name);
    }
    return true;
  }
  if (launch.heap.Contains(address, access.bytes)) return true;
  if (access.space == Space::kGeneric) {
    if (IsInSpace(w, lane, Space::kShared, address) &&
        Inside(address, access.bytes, reinterpret_cast<uint64_t>(launch.shared),
               reinterpret_cast<uint64_t>(launch.shared) + launch.shared_bytes)) {
      return launch.checker == nullptr ||
             launch.checker->Check(w, op, lane,
                                   address - reinterpret_cast<uint64_t>(launch.shared),
                                   access);
    }
    const uint64_t local = reinterpret_cast<uint64_t>(launch.LocalOf(w, lane));
    if (Inside(address, access.bytes, local, local + launch.local_window)) return true;
    const uint64_t arguments = reinterpret_cast<uint64_t>(launch.arguments);
    if (Inside(address, access.bytes, arguments, arguments + launch.argument_bytes)) {
      return !IsWrite(access) ||
             FailReadOnly(w, op, lane, address, access, "kernel parameters");
    }
  }
  return FailOutside(w, op, lane, address, access) != nullptr;
}

uint64_t TopOfStack(const Warp& w) {
  return w.frame->stack_base + w.frame->function->stack_bytes;
}

char* LocalPointer(Warp& w, const MicroOp* op, int lane, uint64_t address,
                   const Access& access) {
  if (!Inside(address, access.bytes, 0, TopOfStack(w))) {
    FailOutside(w, op, lane, address, access);
    return nullptr;
  }
  return w.launch->LocalOf(w, lane) + address;
}

// The parameter area of the current activation; the entry's own parameters are the
// same for all threads.
char* ParamPointer(Warp& w, const MicroOp* op, int lane, uint64_t address,
                   const Access& access) {
  const DecodedFunction& function = *w.frame->function;
  LaunchState& launch = *w.launch;
  if (function.ir->is_entry && Inside(address, access.bytes, 0, launch.argument_bytes)) {
    if (!IsWrite(access)) return launch.arguments + address;
    FailReadOnly(w, op, lane, address, access, "kernel parameters");
    return nullptr;
  }
  if (!Inside(address, access.bytes, 0, function.local_offset)) {
    FailOutside(w, op, lane, address, access);
    return nullptr;
  }
  return launch.LocalOf(w, lane) + w.frame->stack_base + address;
}

bool TranslateEach(Warp& w, const MicroOp* op, const Access& access) {
  for (uint32_t lanes = w.active; lanes != 0; lanes &= lanes - 1) {
    const int lane = std::countr_zero(lanes);
    char* p = TranslateOne(w, op, lane, w.address[lane], access);
    if (p == nullptr) return false;
    w.address[lane] = reinterpret_cast<uint64_t>(p);
  }
  return true;
}

// The window that a warp's accesses are likely to lie in.
Window LikelyWindow(const Warp& w, const Access& access) {
  const LaunchState& launch = *w.launch;
  switch (access.space) {
    case Space::kShared:
      return {0, LimitOf(launch.shared_bytes, access.bytes),
              reinterpret_cast<uint64_t>(launch.shared)};
    case Space::kLocal:
      return {0, LimitOf(TopOfStack(w), access.bytes), 0};
    case Space::kParam:
      return {0, kFitsNothing, 0};
    default:
      if (IsWrite(access) && !w.known.writable) return {0, kFitsNothing, 0};
      return {w.known.begin, LimitOf(w.known.end - w.known.begin, access.bytes), 0};
  }
}

// All addresses lie in the likely window.
bool FinishInside(Warp& w, const MicroOp* op, const Access& access, uint64_t add) {
  if (access.space == Space::kLocal) {
    for (int i = 0; i < kLanes; ++i) {
      w.address[i] += reinterpret_cast<uint64_t>(w.launch->LocalOf(w, i));
    }
    w.pattern = Warp::Pattern::kScattered;
  }
  SharedChecker* checker = w.launch->checker;
  if (access.space != Space::kShared || checker == nullptr) return true;
  for (uint32_t lanes = w.active; lanes != 0; lanes &= lanes - 1) {
    const int lane = std::countr_zero(lanes);
    if (!checker->Check(w, op, lane, w.address[lane] - add, access)) return false;
  }
  return true;
}

// Makes the range of the lowest address the known one; true when all accesses lie in it.
bool LearnRange(Warp& w, const Access& access) {
  uint64_t low = ~uint64_t{0};
  uint64_t high = 0;
  ForLanes(w.active, [&](int i) {
    low = std::min(low, w.address[i]);
    high = std::max(high, w.address[i]);
  });
  const hal::MemoryRange* range = FindRange(*w.launch, low, access.bytes);
  if (range == nullptr) return false;
  w.known = {range->begin, range->end, range->writable};
  return Inside(high, access.bytes, range->begin, range->end) &&
         (range->writable || !IsWrite(access));
}

}  // namespace

bool Translate(Warp& w, const MicroOp* op, AddressMode mode, const Access& access) {
  static const auto pass = HasWideLanes() ? &AddressWide : &AddressBase;
  const Window window = LikelyWindow(w, access);
  const Findings found = pass(w, op, mode, window, access.bytes);
  if ((found.bits & (access.bytes - 1)) != 0) {
    return FailMisaligned(w, op, access, window.add);
  }
  w.pattern = Warp::Pattern::kScattered;
  if (found.contiguous == 0) w.pattern = Warp::Pattern::kContiguous;
  if (found.uniform == 0) w.pattern = Warp::Pattern::kUniform;
  if ((found.outside >> 63) == 0) return FinishInside(w, op, access, window.add);
  for (int i = 0; i < kLanes; ++i) w.address[i] -= window.add;
  const bool pointers = access.space != Space::kShared && access.space != Space::kLocal &&
                        access.space != Space::kParam;
  if (pointers && LearnRange(w, access)) return true;
  if (!pointers) w.pattern = Warp::Pattern::kScattered;
  return TranslateEach(w, op, access);
}

char* TranslateOne(Warp& w, const MicroOp* op, int lane, uint64_t address,
                   const Access& access) {
  LaunchState& launch = *w.launch;
  switch (access.space) {
    case Space::kShared:
      if (!Inside(address, access.bytes, 0, launch.shared_bytes)) {
        FailOutside(w, op, lane, address, access);
        return nullptr;
      }
      if (launch.checker != nullptr &&
          !launch.checker->Check(w, op, lane, address, access)) {
        return nullptr;
      }
      return launch.shared + address;
    case Space::kLocal:
      return LocalPointer(w, op, lane, address, access);
    case Space::kParam:
      return ParamPointer(w, op, lane, address, access);
    default:
      if (!CheckGeneric(w, op, lane, address, access)) return nullptr;
      return reinterpret_cast<char*>(address);
  }
}

bool ReadString(Warp& w, const MicroOp* op, int lane, uint64_t address, uint64_t limit,
                std::string* out) {
  out->clear();
  const Access access{Space::kGeneric, 1, AccessKind::kRead, false};
  for (uint64_t i = 0; i < limit; ++i) {
    const char* p = TranslateOne(w, op, lane, address + i, access);
    if (p == nullptr) return false;
    if (*p == 0) return true;
    out->push_back(*p);
  }
  w.Fail(op, lane, absl::StatusCode::kOutOfRange,
         absl::StrCat("a string at 0x", absl::Hex(address), " does not end within ",
                      limit, " bytes"));
  return false;
}

uint64_t ToGeneric(const Warp& w, int lane, Space space, uint64_t address) {
  const LaunchState& launch = *w.launch;
  switch (space) {
    case Space::kShared:
      return reinterpret_cast<uint64_t>(launch.shared) + address;
    case Space::kLocal:
      return reinterpret_cast<uint64_t>(launch.LocalOf(w, lane)) + address;
    case Space::kParam:
      if (w.frame->function->ir->is_entry && address < launch.argument_bytes) {
        return reinterpret_cast<uint64_t>(launch.arguments) + address;
      }
      return reinterpret_cast<uint64_t>(launch.LocalOf(w, lane)) + w.frame->stack_base +
             address;
    default:
      return address;
  }
}

uint64_t FromGeneric(const Warp& w, int lane, Space space, uint64_t address) {
  return address - ToGeneric(w, lane, space, 0);
}

bool IsInSpace(const Warp& w, int lane, Space space, uint64_t address) {
  const LaunchState& launch = *w.launch;
  const auto within = [&](const char* base, uint64_t size) {
    const uint64_t begin = reinterpret_cast<uint64_t>(base);
    return address >= begin && address - begin < size;
  };
  switch (space) {
    case Space::kShared:
      return within(launch.shared, launch.shared_bytes);
    case Space::kLocal:
      return within(launch.LocalOf(w, lane), launch.local_window);
    case Space::kParam:
      return within(launch.arguments, launch.argument_bytes);
    case Space::kConst:
      return launch.program->IsConstant(address);
    case Space::kGlobal:
      return !within(launch.shared, launch.shared_bytes) &&
             !within(launch.LocalOf(w, lane), launch.local_window) &&
             !launch.program->IsConstant(address);
    default:
      return false;
  }
}

}  // namespace thunky::interp
