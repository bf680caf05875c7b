// Operations of a program. Each is one thunk, enqueued where it is called; all are to be
// called in a function that jit traces.
//
// Errors are Error(invalid_argument) with the place of the call: a ref or token of
// another trace, and what each operation lists. failed_precondition: no function is
// being traced. An operation that throws has added nothing.
#ifndef THUNKY_FRONTEND_OPERATIONS_H_
#define THUNKY_FRONTEND_OPERATIONS_H_

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <source_location>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "thunky/api/visibility.h"
#include "thunky/frontend/attributes.h"
#include "thunky/frontend/kernel_code.h"
#include "thunky/frontend/ref.h"

namespace thunky {

// --- Memory ---

// Sets every byte to zero.
THUNKY_API void memzero(const Ref& destination, const std::source_location& where =
                                                    std::source_location::current());

// Fills with a pattern of 32 bits: those of a scalar, unchanged, whatever the element
// type of the ref. Errors: elements that have not 32 bits.
THUNKY_API void memset_bits(
    const Ref& destination, uint32_t bits,
    const std::source_location& where = std::source_location::current());
template <typename T>
void memset(const Ref& destination, T value,
            const std::source_location& where = std::source_location::current()) {
  static_assert((std::integral<T> || std::floating_point<T>) && sizeof(T) == 4,
                "memset stores a scalar of 32 bits: 1.0f rather than 1.0");
  uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof(bits));
  memset_bits(destination, bits, where);
}

// Copies bytes; types do not matter. A copy to the same bytes is none. Errors: sizes that
// differ; ranges that overlap in part.
THUNKY_API void copy(const Ref& source, const Ref& destination,
                     const std::source_location& where = std::source_location::current());

// Scratch memory of the program: undefined at first, one buffer for all iterations of a
// loop around it. `name` is for messages. Errors: a type without a size in bytes.
[[nodiscard]] THUNKY_API Ref
empty_ref(const Type& type, std::string_view name = "",
          const std::source_location& where = std::source_location::current());

[[nodiscard]] inline Ref empty_ref(
    std::vector<int64_t> shape, ElementType element, std::string_view name = "",
    const std::source_location& where = std::source_location::current()) {
  return empty_ref(Type(element, std::move(shape)), name, where);
}

// Memory that holds `bytes`, row-major, and that nothing may write. Errors: a type of
// another size.
[[nodiscard]] THUNKY_API Ref
constant_bytes(const Type& type, std::string_view bytes,
               const std::source_location& where = std::source_location::current());
// A scalar, or an array of one dimension.
template <typename T>
  requires std::is_arithmetic_v<T>
[[nodiscard]] Ref constant(
    T value, const std::source_location& where = std::source_location::current()) {
  return constant_bytes(element_type_of<T>(),
                        {reinterpret_cast<const char*>(&value), sizeof(T)}, where);
}
template <typename T>
[[nodiscard]] Ref constant(
    const std::vector<T>& values,
    const std::source_location& where = std::source_location::current()) {
  return constant_bytes(
      Type(element_type_of<T>(), {static_cast<int64_t>(values.size())}),
      {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)}, where);
}

// --- Kernels ---

// What a kernel does with a buffer (a contract that checks and optimisations rely on).
enum class Access : uint8_t {
  kRead,
  kWrite,      // written; some old bytes may remain or matter
  kReadWrite,  // certainly read, and written
  kWriteAll    // every byte written, the old value not used
};

struct KernelBuffer {
  Ref ref;
  Access access;
};
inline KernelBuffer read(const Ref& ref) { return {ref, Access::kRead}; }
inline KernelBuffer write(const Ref& ref) { return {ref, Access::kWrite}; }
inline KernelBuffer read_write(const Ref& ref) { return {ref, Access::kReadWrite}; }
inline KernelBuffer write_all(const Ref& ref) { return {ref, Access::kWriteAll}; }
// kWrite if `is_written`, else kRead.
inline KernelBuffer written(const Ref& ref, bool is_written) {
  return {ref, is_written ? Access::kWrite : Access::kRead};
}

// One parameter of a kernel: a buffer with its access (the kernel gets its address), a
// value (the kernel gets its bytes; it must be trivially copyable), or nullptr.
class THUNKY_API KernelParameter {
 public:
  struct Value {
    ElementType type;   // u8 for bytes without a type
    std::string bytes;  // at most 4 KiB
  };
  struct Null {};

  KernelParameter(KernelBuffer buffer)  // NOLINT(google-explicit-constructor)
      : content_(std::move(buffer)) {}
  KernelParameter(std::nullptr_t)  // NOLINT(google-explicit-constructor)
      : content_(Null{}) {}
  template <typename T>
    requires(!std::same_as<std::remove_cvref_t<T>, KernelParameter> &&
             !std::same_as<std::remove_cvref_t<T>, KernelBuffer>)
  KernelParameter(const T& value)  // NOLINT(google-explicit-constructor)
      : content_(Value{type_of<T>(),
                       std::string(reinterpret_cast<const char*>(&value), sizeof(T))}) {
    static_assert(!std::same_as<T, Ref>,
                  "say what the kernel does with the buffer: read(x), write(x), "
                  "read_write(x), write_all(x) or written(x, flag)");
    static_assert(!std::is_pointer_v<T> && !std::is_array_v<T>,
                  "a kernel gets buffers and values, no pointers of this process");
    static_assert(std::is_trivially_copyable_v<T>,
                  "what is passed to a kernel by value must be trivially copyable");
  }

  const std::variant<KernelBuffer, Value, Null>& content() const { return content_; }

 private:
  template <typename T>
  static constexpr ElementType type_of() {
    if constexpr (std::is_arithmetic_v<T> && !std::same_as<T, long double> &&
                  !std::same_as<T, bool>) {
      return element_type_of<T>();
    } else {
      return u8;
    }
  }

  std::variant<KernelBuffer, Value, Null> content_;
};

// Extents of a grid, a block or a cluster; what is not said is 1.
struct Dim3 {
  int64_t x = 1;
  int64_t y = 1;
  int64_t z = 1;

  Dim3() = default;
  Dim3(int64_t x, int64_t y = 1, int64_t z = 1)  // NOLINT(google-explicit-constructor)
      : x(x), y(y), z(z) {}
};

struct Launch {
  Dim3 grid = {};                              // blocks
  Dim3 block = {};                             // threads of a block
  int64_t shared_bytes = 0;                    // dynamic shared memory of a block
  std::optional<Dim3> cluster = std::nullopt;  // blocks
  bool programmatic = false;  // may start before the kernel in front of it has ended
  // Numbers of buffers that are written, counted among the buffers: set to zero before.
  std::vector<int64_t> zeroed_outputs = {};
};

// Launches the kernel `entry` of `code`. Errors: code that cannot be read, that has no
// such kernel, or one that takes another number of parameters; extents beyond CUDA's
// limits; buffers that overlap in part where one is written; a constant that is written.
//
//   ptx_kernel(code, "saxpy", {read(x), read_write(y), 2.5f, 1024},
//              {.grid = 4, .block = 256});
THUNKY_API void ptx_kernel(
    const KernelCode& code, std::string_view entry,
    const std::vector<KernelParameter>& parameters, const Launch& launch = {},
    const std::source_location& where = std::source_location::current());

// --- Custom calls ---

struct CustomCallOptions {
  Attributes attributes = {};
  // The dimensions of each array from minor to major; empty: row-major, all of them.
  std::vector<std::vector<int64_t>> operand_layouts = {};
  std::vector<std::vector<int64_t>> result_layouts = {};
  bool programmatic = false;
};

// Calls the handler of XLA's typed FFI that is registered as `target`. Reads the
// operands, writes the results; the handler sees their types. Whether there is such a
// handler shows when the program is loaded. Errors: an empty target; layouts that are no
// permutations.
THUNKY_API void custom_call(
    std::string_view target, const std::vector<Ref>& operands,
    const std::vector<Ref>& results, const CustomCallOptions& options = {},
    const std::source_location& where = std::source_location::current());

// --- Branches and loops ---

// A function of no argument that returns nothing: a branch, a loop or other region. It
// captures refs and tokens, and is called once, while the program is traced. Refers to
// the function, and is for arguments only.
class Region {
 public:
  template <typename F>
    requires(!std::same_as<std::remove_cvref_t<F>, Region>)
  Region(F&& function)  // NOLINT(google-explicit-constructor)
      : function_(address_of(function)),
        call_([](void* f) { (*reinterpret_cast<std::remove_reference_t<F>*>(f))(); }) {
    static_assert(std::is_invocable_v<F&>, "a region is a function of no argument");
    if constexpr (std::is_invocable_v<F&>) {
      static_assert(std::is_void_v<std::invoke_result_t<F&>>,
                    "a region returns nothing: results are written to refs");
    }
  }

  void operator()() const { call_(function_); }

 private:
  // Functions have addresses of another kind than objects; POSIX says that one holds the
  // other.
  template <typename F>
  static void* address_of(F& function) {
    if constexpr (std::is_function_v<F>) {
      return reinterpret_cast<void*>(&function);
    } else {
      return const_cast<void*>(static_cast<const void*>(std::addressof(function)));
    }
  }

  void* function_;
  void (*call_)(void*);
};

// Runs `if_true` where the bool is true, else `if_false`. Errors: a predicate that is no
// scalar of type bool.
THUNKY_API void cond(const Ref& predicate, const Region& if_true, const Region& if_false,
                     const std::source_location& where = std::source_location::current());

// Runs branch number `index`, and the last one where it is out of range. Errors: an index
// that is no scalar of type i32 (a bool is allowed with two branches: true is the first);
// no branch.
THUNKY_API void switch_(
    const Ref& index, std::initializer_list<Region> branches,
    const std::source_location& where = std::source_location::current());

struct WhileOptions {
  // The body runs exactly so many times; the condition function does not run, and the
  // condition is not written.
  std::optional<int64_t> trip_count = std::nullopt;
};

// Runs `condition_function`, and as long as it then finds the condition true, `body` and
// the function again. Errors: a condition that is no scalar of type bool; a condition
// function that does not write it (without a trip count); a negative trip count.
THUNKY_API void while_loop(
    const Ref& condition, const Region& condition_function, const Region& body,
    const WhileOptions& options = {},
    const std::source_location& where = std::source_location::current());

// --- Streams ---

// Two separate spaces of stream numbers; neither has the main stream.
enum class StreamKind : uint8_t { kComputation, kCommunication };

// Starts `body` on another stream: after everything before the call, beside what follows
// it. Bodies on one stream run in order. Errors: a negative stream; a token that is not
// joined, or twice (found when the program ends).
[[nodiscard]] THUNKY_API Token async_start(
    const Region& body, int64_t stream_id = 0, StreamKind kind = StreamKind::kComputation,
    const std::source_location& where = std::source_location::current());

// Waits for work that was started in the same region, or in one around it with nothing
// but asynchronous bodies and groups between.
THUNKY_API void async_done(const Token& token, const std::source_location& where =
                                                   std::source_location::current());

// --- Devices ---

// Write the number of the partition or replica that runs the program. Errors: a
// destination that has not 4 bytes.
THUNKY_API void partition_id(const Ref& destination, const std::source_location& where =
                                                         std::source_location::current());
THUNKY_API void replica_id(const Ref& destination, const std::source_location& where =
                                                       std::source_location::current());

}  // namespace thunky

#endif  // THUNKY_FRONTEND_OPERATIONS_H_
