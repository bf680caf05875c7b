#include "thunky/frontend/ref.h"

#include <algorithm>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "thunky/frontend/operations.h"

namespace thunky {
namespace {

[[noreturn]] void fail(const std::string& message, const std::source_location& where) {
  throw Error(ErrorCode::invalid_argument, message, where);
}

// "2", "1:5", ":", "..."
std::string text_of(const Index& index) {
  switch (index.kind()) {
    case Index::Kind::kNumber:
      return std::to_string(index.number());
    case Index::Kind::kSlice: {
      const Slice& slice = index.range();
      std::string text;
      if (slice.begin) absl::StrAppend(&text, *slice.begin);
      absl::StrAppend(&text, ":");
      if (slice.end) absl::StrAppend(&text, *slice.end);
      if (slice.step != 1) absl::StrAppend(&text, ":", slice.step);
      return text;
    }
    case Index::Kind::kAll:
      return ":";
    case Index::Kind::kEllipsis:
      return "...";
  }
  return "?";
}

std::string text_of(const std::vector<Index>& indices) {
  std::string text = "[";
  for (size_t i = 0; i < indices.size(); ++i) {
    absl::StrAppend(&text, i == 0 ? "" : ", ", text_of(indices[i]));
  }
  return absl::StrCat(text, "]");
}

struct Range {
  int64_t begin = 0;
  int64_t end = 0;
};

// The elements that a slice takes of an axis.
Range range_of(const Slice& slice, int64_t length, const std::string& what,
               const std::source_location& where) {
  if (slice.step != 1) {
    fail(what + ": step " + std::to_string(slice.step) +
             "; only step 1 is contiguous, and a view is",
         where);
  }
  const auto place = [&](int64_t number) {
    return number < 0 ? number + length : number;
  };
  const Range range = {place(slice.begin.value_or(0)), place(slice.end.value_or(length))};
  if (range.begin < 0 || range.end > length || range.begin > range.end) {
    fail(what + " is out of bounds: axis 0 has " + std::to_string(length) +
             " elements, and 0 <= begin <= end <= " + std::to_string(length) +
             " is allowed, found begin " + std::to_string(range.begin) + " and end " +
             std::to_string(range.end),
         where);
  }
  return range;
}

bool is_whole(const Index& index, int64_t length) {
  if (index.kind() == Index::Kind::kAll) return true;
  if (index.kind() != Index::Kind::kSlice || index.range().step != 1) return false;
  const Slice& slice = index.range();
  const int64_t end = slice.end.value_or(length);
  return slice.begin.value_or(0) == 0 && end == length;
}

// One index for each axis that is spoken of: an ellipsis stands for the axes that the
// others leave.
std::vector<Index> without_ellipsis(const std::vector<Index>& indices, const Type& type) {
  std::vector<Index> flat;
  size_t ellipses = 0;
  for (const Index& index : indices) {
    if (index.kind() != Index::Kind::kEllipsis) {
      flat.push_back(index);
      continue;
    }
    if (++ellipses > 1) fail(text_of(indices) + " has more than one ...", index.where());
    const int64_t left = type.rank() - static_cast<int64_t>(indices.size()) + 1;
    for (int64_t i = 0; i < left; ++i) flat.emplace_back(all, index.where());
  }
  return flat;
}

// Of an array that something has: 63 bits hold it, unless it is empty.
int64_t bits_of(ElementType element, const std::vector<int64_t>& shape) {
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return 0;
  int64_t bits = element.bits();
  for (const int64_t dimension : shape) bits *= dimension;
  return bits;
}

}  // namespace

Ref::Ref(std::shared_ptr<const frontend::Origin> origin, void* root, int64_t offset,
         Type type)
    : origin_(std::move(origin)), root_(root), offset_(offset), type_(std::move(type)) {}

int64_t Ref::byte_size() const { return type_.byte_size(); }

bool Ref::same_root(const Ref& other) const {
  return origin_ == other.origin_ && root_ == other.root_;
}

Ref Ref::view(int64_t offset, Type type) const {
  return Ref(origin_, root_, offset, std::move(type));
}

Ref Ref::operator[](const Indices& indices) const {
  if (indices.list().empty()) return *this;
  const std::source_location& where = indices.list().front().where();
  const std::vector<Index> flat = without_ellipsis(indices.list(), type_);
  if (flat.empty()) return *this;
  const std::string what =
      absl::StrCat(text_of(indices.list()), " of ", type_.to_string());
  if (rank() == 0) fail(what + ": a scalar has no axis to index", where);
  if (static_cast<int64_t>(flat.size()) > rank()) {
    fail(what + ": " + std::to_string(flat.size()) + " indices for " +
             std::to_string(rank()) + " axes",
         where);
  }
  for (size_t axis = 1; axis < flat.size(); ++axis) {
    if (is_whole(flat[axis], shape()[axis])) continue;
    fail(what + ": axis " + std::to_string(axis) +
             " is not taken whole; only slices of axis 0 are contiguous, and a view is",
         flat[axis].where());
  }
  return take(flat.front());
}

// `index` applies to axis 0.
Ref Ref::take(const Index& index) const {
  if (index.kind() == Index::Kind::kAll) return *this;
  const std::string what = absl::StrCat("[", text_of(index), "] of ", type_.to_string());
  const int64_t length = shape().front();
  std::vector<int64_t> rest(shape().begin() + 1, shape().end());
  Range range;
  if (index.kind() == Index::Kind::kNumber) {
    const int64_t number = index.number() < 0 ? index.number() + length : index.number();
    if (number < 0 || number >= length) {
      fail(what + " is out of bounds: axis 0 has " + std::to_string(length) + " elements",
           index.where());
    }
    range = {number, number + 1};
  } else {
    range = range_of(index.range(), length, what, index.where());
  }
  const int64_t row_bits = length == 0 ? 0 : bits_of(element(), rest);
  const int64_t begin = range.begin * row_bits;
  const int64_t end = range.end * row_bits;
  if (begin % 8 != 0 || end % 8 != 0) {
    fail(what + " is bits " + std::to_string(begin) + " to " + std::to_string(end) +
             "; a view begins and ends with a byte",
         index.where());
  }
  if (index.kind() == Index::Kind::kSlice) {
    rest.insert(rest.begin(), range.end - range.begin);
  }
  return view(offset_ + begin / 8, Type(element(), std::move(rest)));
}

Ref Ref::bitcast(ElementType element, const std::source_location& where) const {
  const std::string what =
      absl::StrCat("bitcast of ", type_.to_string(), " to ", std::string(element.name()));
  std::vector<int64_t> to = shape();
  const int64_t from_bits = this->element().bits();
  const int64_t to_bits = element.bits();
  if (from_bits != to_bits) {
    if (to.empty()) {
      fail(what + ": a scalar of " + std::to_string(from_bits) + " bits has no axis " +
               "that could change; an element of " + std::to_string(from_bits) +
               " bits is needed",
           where);
    }
    int64_t bits = 0;
    if (__builtin_mul_overflow(to.back(), from_bits, &bits)) {
      fail(what + ": the last axis is too long", where);
    }
    if (bits % to_bits != 0) {
      fail(what + ": the last axis has " + std::to_string(bits) + " bits, which " +
               std::to_string(to_bits) + " does not divide",
           where);
    }
    to.back() = bits / to_bits;
  }
  return view(offset_, Type(element, std::move(to)));
}

Ref Ref::reshape(std::vector<int64_t> shape, const std::source_location& where) const {
  Type to(element(), std::move(shape));
  if (const std::string problem = to.problem(); !problem.empty()) {
    fail("reshape of " + type_.to_string() + ": " + problem, where);
  }
  if (to.element_count() != type_.element_count()) {
    fail("reshape of " + type_.to_string() + " to " + to.to_string() + ": " +
             std::to_string(type_.element_count()) + " elements for " +
             std::to_string(to.element_count()),
         where);
  }
  return view(offset_, std::move(to));
}

void Ref::assign(const Ref& source, const std::source_location& where) const {
  if (source.type() != type_) {
    fail("assign: the source is " + source.type().to_string() + " and the destination " +
             type_.to_string() +
             "; shape and element type must be equal (copy compares bytes only)",
         where);
  }
  copy(source, *this, where);
}

}  // namespace thunky
