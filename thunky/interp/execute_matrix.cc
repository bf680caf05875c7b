// ldmatrix, stmatrix and mma: fragments of small matrices spread over a warp.
#include <array>
#include <cstdint>
#include <cstring>

#include "thunky/interp/lanes.h"
#include "thunky/interp/launch_state.h"
#include "thunky/interp/memory_recipe.h"
#include "thunky/interp/warp_sync.h"

namespace thunky::interp {
namespace {

using ptx::ir::Instruction;
using ptx::ir::Type;

Slot SlotAt(const Warp& w, const MicroOp* op, int k) {
  return w.frame->function->slots[op->target + static_cast<uint32_t>(k)];
}

// An 8x8 matrix of 16-bit elements: lane i holds elements 2*(i%4) and the next of
// row i/4; transposed, of column i/4.
struct MatrixElement {
  int row;
  int column;
};
MatrixElement ElementOf(int lane, int half, bool trans) {
  const int major = lane / 4;
  const int minor = 2 * (lane % 4) + half;
  return trans ? MatrixElement{minor, major} : MatrixElement{major, minor};
}

// Lanes 8m .. 8m+7 give the addresses of the rows of matrix m. Fills `rows` with host
// pointers. False after a failure, or when the lanes wait for others.
bool RowPointers(Warp& w, const MicroOp* op, AccessKind kind,
                 std::array<char*, kLanes>& rows) {
  if (!HasWholeWarp(w, op)) return false;
  const uint32_t all = w.active;
  const int count = op->source->mod.vec;
  const uint32_t addressing = count == 4 ? kAllLanes : (1u << (8 * count)) - 1;
  if ((all & addressing) != addressing) {
    w.Fail(op, std::countr_zero(all), absl::StatusCode::kFailedPrecondition,
           "lanes that give row addresses do not take part");
    return false;
  }
  w.SetActive(addressing);
  const bool ok = Translate(w, op, ModeOf(op), {op->source->mod.space, 16, kind, false});
  for (int i = 0; i < kLanes; ++i) rows[i] = reinterpret_cast<char*>(w.address[i]);
  w.SetActive(all);
  return ok;
}

const MicroOp* ExecLdmatrix(Warp& w, const MicroOp* op) {
  std::array<char*, kLanes> rows;
  if (!RowPointers(w, op, AccessKind::kRead, rows)) return nullptr;
  const auto& mod = op->source->mod;
  std::array<std::array<uint32_t, kLanes>, 4> result = {};
  for (int m = 0; m < mod.vec; ++m) {
    ForLanes(w.active, [&](int i) {
      for (int half = 0; half < 2; ++half) {
        const MatrixElement e = ElementOf(i, half, mod.trans);
        uint16_t value;
        std::memcpy(&value, rows[8 * m + e.row] + 2 * e.column, 2);
        result[m][i] |= uint32_t{value} << (16 * half);
      }
    });
  }
  for (int m = 0; m < mod.vec; ++m) {
    uint32_t* d = w.Lanes<uint32_t>(SlotAt(w, op, m));
    ForLanes(w.active, [&](int i) { d[i] = result[m][i]; });
  }
  return op + 1;
}

const MicroOp* ExecStmatrix(Warp& w, const MicroOp* op) {
  std::array<char*, kLanes> rows;
  if (!RowPointers(w, op, AccessKind::kWrite, rows)) return nullptr;
  const auto& mod = op->source->mod;
  for (int m = 0; m < mod.vec; ++m) {
    const uint32_t* b = w.Lanes<uint32_t>(SlotAt(w, op, m));
    ForLanes(w.active, [&](int i) {
      for (int half = 0; half < 2; ++half) {
        const MatrixElement e = ElementOf(i, half, mod.trans);
        const uint16_t value = static_cast<uint16_t>(b[i] >> (16 * half));
        std::memcpy(rows[8 * m + e.row] + 2 * e.column, &value, 2);
      }
    });
  }
  return op + 1;
}

// D (16x8) = A (16xk) * B (kx8) + C. Elements of A and B are 16 or 32 bits wide: two
// or one a register. Sums are formed in double precision and rounded once.
struct MmaShape {
  int k;
  int per_register;  // elements
  int a_registers;
  int b_registers;
};

MmaShape ShapeOf(const Instruction& in) {
  const int k = in.mod.mma_shape[2];
  const int per_register = in.src_type == Type::kTF32 ? 1 : 2;
  return {k, per_register, 16 * k / kLanes / per_register, 8 * k / kLanes / per_register};
}

double MmaValue(Type type, uint32_t bits, int part) {
  const uint16_t half = static_cast<uint16_t>(bits >> (16 * part));
  switch (type) {
    case Type::kF16:
    case Type::kF16x2:
      return DecodeF16(half);
    case Type::kBF16:
    case Type::kBF16x2:
      return DecodeBF16(half);
    default:
      return AsFloat(bits & 0xffffe000u);  // tf32: the lower bits do not count
  }
}

const MicroOp* ExecMma(Warp& w, const MicroOp* op) {
  if (!HasWholeWarp(w, op)) return nullptr;
  const Instruction& in = *op->source;
  const MmaShape shape = ShapeOf(in);
  double a[16][16] = {};
  double b[16][8] = {};
  // Register r of a lane: rows alternate by 8 fastest, columns by half of k.
  for (int r = 0; r < shape.a_registers; ++r) {
    const uint32_t* v = w.Lanes<uint32_t>(SlotAt(w, op, 4 + r));
    for (int lane = 0; lane < kLanes; ++lane) {
      for (int part = 0; part < shape.per_register; ++part) {
        const int row = lane / 4 + (r % 2) * 8;
        const int column =
            (lane % 4) * shape.per_register + part + (r / 2) * 4 * shape.per_register;
        a[row][column] = MmaValue(in.src_type, v[lane], part);
      }
    }
  }
  for (int r = 0; r < shape.b_registers; ++r) {
    const uint32_t* v = w.Lanes<uint32_t>(SlotAt(w, op, 4 + shape.a_registers + r));
    for (int lane = 0; lane < kLanes; ++lane) {
      for (int part = 0; part < shape.per_register; ++part) {
        const int row =
            (lane % 4) * shape.per_register + part + r * 4 * shape.per_register;
        b[row][lane / 4] = MmaValue(in.src_type, v[lane], part);
      }
    }
  }
  const int c_first = 4 + shape.a_registers + shape.b_registers;
  for (int r = 0; r < 4; ++r) {
    const uint32_t* c = w.Lanes<uint32_t>(SlotAt(w, op, c_first + r));
    uint32_t* d = w.Lanes<uint32_t>(SlotAt(w, op, r));
    ForLanes(w.active, [&](int lane) {
      const int row = lane / 4 + (r / 2) * 8;
      const int column = (lane % 4) * 2 + r % 2;
      double sum = AsFloat(c[lane]);
      for (int k = 0; k < shape.k; ++k) sum += a[row][k] * b[k][column];
      d[lane] = EncodeF32(sum);
    });
  }
  return op + 1;
}

}  // namespace

ExecFn LdmatrixFn() { return &ExecLdmatrix; }
ExecFn StmatrixFn() { return &ExecStmatrix; }

ExecFn MmaFn(const Instruction& in) {
  const auto& shape = in.mod.mma_shape;
  const bool half = in.src_type != Type::kTF32;
  const bool known = shape[0] == 16 && shape[1] == 8 &&
                     (shape[2] == 8 || (shape[2] == 16 && half)) && in.type == Type::kF32;
  return known ? &ExecMma : nullptr;
}

}  // namespace thunky::interp
