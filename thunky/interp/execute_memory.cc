// Loads and stores.
#include <algorithm>
#include <cstdint>
#include <cstring>

#include "thunky/interp/lanes.h"
#include "thunky/interp/launch_state.h"
#include "thunky/interp/memory_recipe.h"

namespace thunky::interp {
namespace {

using ptx::ir::BitWidth;
using ptx::ir::Instruction;
using ptx::ir::IsSigned;
using ptx::ir::Ordering;
using ptx::ir::Type;

template <typename E, typename R>
R Extend(E value) {
  return static_cast<R>(static_cast<std::make_signed_t<R>>(value));
}

// How one element is read and written.
struct Plain {
  static constexpr bool kSynchronising = false;
  template <typename E>
  static E Load(const char* p) {
    E value;
    std::memcpy(&value, p, sizeof(E));
    return value;
  }
  template <typename E>
  static void Store(char* p, E value) {
    std::memcpy(p, &value, sizeof(E));
  }
};
// For volatile and ordered accesses; they may be what a spin wait polls.
struct Synchronising {
  static constexpr bool kSynchronising = true;
  template <typename E>
  static E Load(const char* p) {
    return __atomic_load_n(reinterpret_cast<const E*>(p), __ATOMIC_ACQUIRE);
  }
  template <typename E>
  static void Store(char* p, E value) {
    __atomic_store_n(reinterpret_cast<E*>(p), value, __ATOMIC_RELEASE);
  }
};

Slot DataSlot(const Warp& w, const MicroOp* op, int k) {
  return w.frame->function->slots[op->target + static_cast<uint32_t>(k)];
}

template <typename E, typename Mode>
bool Prepare(Warp& w, const MicroOp* op, AccessKind kind,
             const StoredData* data = nullptr) {
  const auto& mod = op->source->mod;
  if (Mode::kSynchronising) w.Poll();
  return Translate(w, op, ModeOf(op),
                   {mod.space, static_cast<uint32_t>(sizeof(E) * mod.vec), kind,
                    Mode::kSynchronising, data});
}

template <typename E, typename R, typename Mode>
bool PrepareStore(Warp& w, const MicroOp* op) {
  if (w.launch->checker == nullptr) return Prepare<E, Mode>(w, op, AccessKind::kWrite);
  StoredData data;
  data.cell_bytes = sizeof(R);
  data.element_bytes = sizeof(E);
  for (size_t k = 0; k < op->source->mod.vec; ++k) {
    data.cells[k] =
        reinterpret_cast<const char*>(w.Lanes<R>(DataSlot(w, op, static_cast<int>(k))));
  }
  return Prepare<E, Mode>(w, op, AccessKind::kWrite, &data);
}

// Loads of all lanes that need not go lane by lane.
template <typename E, typename R>
bool LoadPattern(const Warp& w, R* d) {
  const char* first = reinterpret_cast<const char*>(w.address[0]);
  if (w.pattern == Warp::Pattern::kUniform) {
    std::fill_n(d, kLanes, Extend<E, R>(Plain::Load<E>(first)));
    return true;
  }
  if (sizeof(E) != sizeof(R) || w.pattern != Warp::Pattern::kContiguous) return false;
  std::memcpy(d, first, kLanes * sizeof(E));
  return true;
}

template <typename E, typename R, typename Mode>
const MicroOp* ExecLoad(Warp& w, const MicroOp* op) {
  if (!Prepare<E, Mode>(w, op, AccessKind::kRead)) return nullptr;
  const int count = op->source->mod.vec;
  if (count == 1) {
    R* d = w.Lanes<R>(op->d);
    if constexpr (!Mode::kSynchronising) {
      if (LoadPattern<E, R>(w, d)) return op + 1;
    }
    ForLanes(w.active, [&](int i) {
      d[i] = Extend<E, R>(
          Mode::template Load<E>(reinterpret_cast<const char*>(w.address[i])));
    });
    return op + 1;
  }
  for (int k = 0; k < count; ++k) {
    R* d = w.Lanes<R>(DataSlot(w, op, k));
    ForLanes(w.active, [&](int i) {
      const char* p = reinterpret_cast<const char*>(w.address[i]) + sizeof(E) * k;
      d[i] = Extend<E, R>(Mode::template Load<E>(p));
    });
  }
  return op + 1;
}

template <typename E, typename R, typename Mode>
const MicroOp* ExecStore(Warp& w, const MicroOp* op) {
  if (!PrepareStore<E, R, Mode>(w, op)) return nullptr;
  const int count = op->source->mod.vec;
  if (count == 1) {
    const R* b = w.Lanes<R>(op->b);
    if constexpr (sizeof(E) == sizeof(R)) {
      if (!Mode::kSynchronising && w.pattern == Warp::Pattern::kContiguous) {
        std::memcpy(reinterpret_cast<char*>(w.address[0]), b, kLanes * sizeof(E));
        return op + 1;
      }
    }
    ForLanes(w.active, [&](int i) {
      Mode::template Store<E>(reinterpret_cast<char*>(w.address[i]),
                              static_cast<E>(b[i]));
    });
    return op + 1;
  }
  for (int k = 0; k < count; ++k) {
    const R* b = w.Lanes<R>(DataSlot(w, op, k));
    ForLanes(w.active, [&](int i) {
      char* p = reinterpret_cast<char*>(w.address[i]) + sizeof(E) * k;
      Mode::template Store<E>(p, static_cast<E>(b[i]));
    });
  }
  return op + 1;
}

template <typename E, typename R>
const MicroOp* ExecArgument(Warp& w, const MicroOp* op) {
  const char* p = w.launch->arguments + op->imm;
  const int count = op->source->mod.vec;
  for (int k = 0; k < count; ++k) {
    const R value = Extend<E, R>(Plain::Load<E>(p + sizeof(E) * k));
    R* d = w.Lanes<R>(count == 1 ? op->d : DataSlot(w, op, k));
    StoreLanes<R>(w, d, [=](int) { return value; });
  }
  return op + 1;
}

bool IsSynchronising(const Instruction& in) { return in.mod.ordering != Ordering::kWeak; }

// Calls `visit` with values of the element's and the cell's C++ types.
template <typename Visitor>
ExecFn VisitElement(Type type, Visitor visit) {
  switch (BitWidth(type)) {
    case 8:
      return IsSigned(type) ? visit(int8_t{}, uint16_t{}) : visit(uint8_t{}, uint16_t{});
    case 16:
      return visit(uint16_t{}, uint16_t{});
    case 32:
      return visit(uint32_t{}, uint32_t{});
    case 64:
      return visit(uint64_t{}, uint64_t{});
    default:
      return nullptr;
  }
}

}  // namespace

int CellBits(Type type) {
  const int width = BitWidth(type);
  if (width == 8) return 16;
  return width <= 64 && width >= 16 ? width : 0;
}

ExecFn LoadFn(const Instruction& in) {
  return VisitElement(in.type, [&]<typename E, typename R>(E, R) -> ExecFn {
    return IsSynchronising(in) ? &ExecLoad<E, R, Synchronising> : &ExecLoad<E, R, Plain>;
  });
}

ExecFn StoreFn(const Instruction& in) {
  return VisitElement(in.type, [&]<typename E, typename R>(E, R) -> ExecFn {
    return IsSynchronising(in) ? &ExecStore<E, R, Synchronising>
                               : &ExecStore<E, R, Plain>;
  });
}

ExecFn ArgumentFn(const Instruction& in) {
  return VisitElement(in.type, []<typename E, typename R>(E, R) -> ExecFn {
    return &ExecArgument<E, R>;
  });
}

}  // namespace thunky::interp
