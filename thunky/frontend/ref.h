// Refs: typed windows on the buffers of a program that is being traced.
//
//   Ref x = ...;                  // f32[8,64]
//   x[2]                          // f32[64]: row 2
//   x[-1]                         // the last row
//   x[slice(2, 5)]                // f32[3,64]: rows 2 to 4
//   x[{3, all}]                   // f32[64], as x[3]
//   x.reshape({512})              // the same bytes in another shape
//   x.bitcast(u8)                 // u8[8,256]
//
// A view emits nothing: it is a part of the bytes, and only contiguous parts are views.
#ifndef THUNKY_FRONTEND_REF_H_
#define THUNKY_FRONTEND_REF_H_

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <memory>
#include <optional>
#include <source_location>
#include <type_traits>
#include <utility>
#include <vector>

#include "thunky/api/element_type.h"
#include "thunky/api/error.h"
#include "thunky/api/visibility.h"

namespace thunky {

class Ref;
namespace frontend {
class Trace;
struct Origin;
}  // namespace frontend

// Elements begin to end - 1 of axis 0; negative numbers count from the end, and an end
// that is not given is that of the axis. Made by slice().
struct Slice {
  std::optional<int64_t> begin;
  std::optional<int64_t> end;
  int64_t step = 1;  // only 1 is contiguous
};
inline Slice slice(std::optional<int64_t> begin, std::optional<int64_t> end,
                   int64_t step = 1) {
  return {begin, end, step};
}

// A whole axis, and all axes that are left.
struct AllOfAxis {};
struct Ellipsis {};
inline constexpr AllOfAxis all;
inline constexpr Ellipsis ellipsis;

// What stands between the brackets for one axis, and where.
class THUNKY_API Index {
 public:
  enum class Kind : uint8_t { kNumber, kSlice, kAll, kEllipsis };

  template <typename T>
    requires(!std::same_as<std::remove_cvref_t<T>, Index>)
  Index(T value,  // NOLINT(google-explicit-constructor)
        const std::source_location& where = std::source_location::current())
      : where_(where) {
    static_assert(!std::same_as<T, Ref>,
                  "an index is an integer that is known while the program is traced; "
                  "what a ref holds is known only when the program runs");
    static_assert(!std::same_as<T, bool>, "a bool is no index");
    static_assert(!std::floating_point<T>, "a floating-point number is no index");
    if constexpr (std::same_as<T, Slice>) {
      kind_ = Kind::kSlice;
      slice_ = value;
    } else if constexpr (std::same_as<T, AllOfAxis>) {
      kind_ = Kind::kAll;
    } else if constexpr (std::same_as<T, Ellipsis>) {
      kind_ = Kind::kEllipsis;
    } else {
      static_assert(std::integral<T>, "an index is an integer, slice(), all or ellipsis");
      kind_ = Kind::kNumber;
      // No axis is longer, so what does not fit is out of bounds all the same.
      constexpr int64_t kLargest = std::numeric_limits<int64_t>::max();
      number_ =
          std::cmp_greater(value, kLargest) ? kLargest : static_cast<int64_t>(value);
    }
  }

  Kind kind() const { return kind_; }
  int64_t number() const { return number_; }
  const Slice& range() const { return slice_; }
  const std::source_location& where() const { return where_; }

 private:
  Kind kind_ = Kind::kNumber;
  int64_t number_ = 0;
  Slice slice_;
  std::source_location where_;
};

// What stands between the brackets: one index, or several in braces.
class THUNKY_API Indices {
 public:
  Indices() = default;
  Indices(std::initializer_list<Index> list)  // NOLINT(google-explicit-constructor)
      : list_(list) {}
  template <typename T>
    requires(!std::same_as<std::remove_cvref_t<T>, Indices> &&
             !std::same_as<std::remove_cvref_t<T>, Index>)
  Indices(T value,  // NOLINT(google-explicit-constructor)
          const std::source_location& where = std::source_location::current())
      : list_({Index(value, where)}) {}

  const std::vector<Index>& list() const { return list_; }

 private:
  std::vector<Index> list_;
};

// A handle; copies are the same window. Valid in the function that is traced, from where
// it was got until the function returns. Errors, Error(invalid_argument) with the place
// of the call, are listed with each view.
class THUNKY_API Ref {
 public:
  const Type& type() const { return type_; }
  ElementType element() const { return type_.element(); }
  const std::vector<int64_t>& shape() const { return type_.shape(); }
  int64_t rank() const { return type_.rank(); }
  int64_t byte_size() const;
  // Bytes from the start of the root buffer, whatever views led here.
  int64_t byte_offset() const { return offset_; }
  // Whether both are windows on one buffer.
  bool same_root(const Ref& other) const;

  // A number drops axis 0, a slice shortens it; the axes behind it must be taken whole.
  // No index at all, and `ellipsis`, give the ref itself. Errors: out of bounds; a rank
  // of 0; more indices than axes; a step other than 1; a part of an axis other than 0;
  // elements below a byte that do not begin or end with one.
  Ref operator[](const Indices& indices) const;

  // The same bytes as elements of another type; the last axis is longer or shorter by
  // the ratio of the bits. Errors: an axis that does not divide; another size of element
  // where there is no axis.
  Ref bitcast(ElementType element,
              const std::source_location& where = std::source_location::current()) const;
  // The same elements in another shape. Errors: another number of elements.
  Ref reshape(std::vector<int64_t> shape,
              const std::source_location& where = std::source_location::current()) const;

  // Copies `source` here: as copy(source, *this), and shape and element type must be
  // equal too.
  void assign(const Ref& source,
              const std::source_location& where = std::source_location::current()) const;

 private:
  friend class frontend::Trace;
  Ref(std::shared_ptr<const frontend::Origin> origin, void* root, int64_t offset,
      Type type);
  // The same root at another place.
  Ref view(int64_t offset, Type type) const;
  Ref take(const Index& index) const;

  std::shared_ptr<const frontend::Origin> origin_;  // the trace it belongs to
  void* root_;                                      // an mlir::Value
  int64_t offset_ = 0;
  Type type_;
};

// Work that was started on another stream and is not joined yet. Each is given to
// async_done exactly once.
class THUNKY_API Token {
 private:
  friend class frontend::Trace;
  Token(std::shared_ptr<const frontend::Origin> origin, void* value)
      : origin_(std::move(origin)), value_(value) {}

  std::shared_ptr<const frontend::Origin> origin_;
  void* value_;  // an mlir::Value
};

}  // namespace thunky

#endif  // THUNKY_FRONTEND_REF_H_
