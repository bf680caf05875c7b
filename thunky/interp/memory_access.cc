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

struct Bounds {
  uint64_t low;
  uint64_t high;
  uint64_t bits;  // all address bits that are set anywhere
};

THUNKY_INLINE void AddressLanes(Warp& w, const MicroOp* op, AddressMode mode) {
  uint64_t* address = w.address.data();
  const uint64_t offset = static_cast<uint64_t>(op->imm);
  switch (mode) {
    case AddressMode::kRegister64: {
      const uint64_t* a = w.Lanes<uint64_t>(op->a);
      for (int i = 0; i < kLanes; ++i) address[i] = a[i] + offset;
      break;
    }
    case AddressMode::kRegister32: {
      const uint32_t* a = w.Lanes<uint32_t>(op->a);
      for (int i = 0; i < kLanes; ++i) address[i] = a[i] + offset;
      break;
    }
    case AddressMode::kAbsolute:
      for (int i = 0; i < kLanes; ++i) address[i] = offset;
      break;
    case AddressMode::kFrame:
      for (int i = 0; i < kLanes; ++i) address[i] = w.frame->stack_base + offset;
      break;
  }
}

THUNKY_INLINE Bounds BoundsOfLanes(const Warp& w) {
  Bounds b{~uint64_t{0}, 0, 0};
  for (int i = 0; i < kLanes; ++i) {
    const uint64_t a = w.address[i];
    const uint64_t m = w.mask64[i];
    b.low = std::min(b.low, a | ~m);
    b.high = std::max(b.high, a & m);
    b.bits |= a & m;
  }
  return b;
}

Bounds AddressBase(Warp& w, const MicroOp* op, AddressMode mode) {
  AddressLanes(w, op, mode);
  return BoundsOfLanes(w);
}
THUNKY_WIDE_LANES Bounds AddressWide(Warp& w, const MicroOp* op, AddressMode mode) {
  AddressLanes(w, op, mode);
  return BoundsOfLanes(w);
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

bool FailMisaligned(Warp& w, const MicroOp* op, const Access& access) {
  int lane = 0;
  ForLanes(w.active, [&](int i) {
    if ((w.address[i] & (access.bytes - 1)) != 0) lane = i;
  });
  w.Fail(op, lane, absl::StatusCode::kOutOfRange,
         absl::StrCat(Describe(access, w.address[lane]),
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

bool TranslateGlobal(Warp& w, const MicroOp* op, const Access& access, const Bounds& b) {
  const bool write = IsWrite(access);
  const auto known = [&] {
    return b.low >= w.known.begin && b.high <= w.known.end &&
           w.known.end - b.high >= access.bytes && (w.known.writable || !write);
  };
  if (known()) return true;
  if (const hal::MemoryRange* range = FindRange(*w.launch, b.low, access.bytes)) {
    w.known = {range->begin, range->end, range->writable};
    if (known()) return true;
  }
  for (uint32_t lanes = w.active; lanes != 0; lanes &= lanes - 1) {
    const int lane = std::countr_zero(lanes);
    if (!CheckGeneric(w, op, lane, w.address[lane], access)) return false;
  }
  return true;
}

bool TranslateShared(Warp& w, const MicroOp* op, const Access& access, const Bounds& b) {
  LaunchState& launch = *w.launch;
  if (!Inside(b.high, access.bytes, 0, launch.shared_bytes)) {
    int lane = 0;
    ForLanes(w.active, [&](int i) {
      if (!Inside(w.address[i], access.bytes, 0, launch.shared_bytes)) lane = i;
    });
    return FailOutside(w, op, lane, w.address[lane], access) != nullptr;
  }
  if (launch.checker != nullptr) {
    for (uint32_t lanes = w.active; lanes != 0; lanes &= lanes - 1) {
      const int lane = std::countr_zero(lanes);
      if (!launch.checker->Check(w, op, lane, w.address[lane], access)) return false;
    }
  }
  const uint64_t base = reinterpret_cast<uint64_t>(launch.shared);
  for (int i = 0; i < kLanes; ++i) w.address[i] += base;
  return true;
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

}  // namespace

bool Translate(Warp& w, const MicroOp* op, AddressMode mode, const Access& access) {
  static const auto bounds_of = HasWideLanes() ? &AddressWide : &AddressBase;
  const Bounds bounds = bounds_of(w, op, mode);
  if ((bounds.bits & (access.bytes - 1)) != 0) return FailMisaligned(w, op, access);
  switch (access.space) {
    case Space::kShared:
      return TranslateShared(w, op, access, bounds);
    case Space::kLocal:
      if (Inside(bounds.high, access.bytes, 0, TopOfStack(w))) {
        for (int i = 0; i < kLanes; ++i) {
          w.address[i] += reinterpret_cast<uint64_t>(w.launch->LocalOf(w, i));
        }
        return true;
      }
      return TranslateEach(w, op, access);
    case Space::kParam:
      return TranslateEach(w, op, access);
    default:
      return TranslateGlobal(w, op, access, bounds);
  }
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

bool IsContiguous(const Warp& w, uint64_t stride) {
  if (w.active != kAllLanes) return false;
  uint64_t difference = 0;
  for (uint64_t i = 0; i < kLanes; ++i) {
    difference |= w.address[i] - w.address[0] - i * stride;
  }
  return difference == 0;
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
