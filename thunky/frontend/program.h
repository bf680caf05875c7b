// Programs: traced from C++ functions, or read from files.
//
//   Program saxpy = jit([&](Ref x, Ref y) {
//     ptx_kernel(code, "saxpy", {read(x), read_write(y), 2.5f, 1024},
//                {.grid = 4, .block = 256});
//   }, {f32(1024), f32(1024)});
//   saxpy.compile(Device::host()).run({x, y});
#ifndef THUNKY_FRONTEND_PROGRAM_H_
#define THUNKY_FRONTEND_PROGRAM_H_

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <source_location>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "thunky/api/device.h"
#include "thunky/api/element_type.h"
#include "thunky/api/error.h"
#include "thunky/api/executable.h"
#include "thunky/api/loaded_executable.h"
#include "thunky/api/visibility.h"
#include "thunky/frontend/operand.h"
#include "thunky/frontend/ref.h"

namespace thunky {

namespace frontend {
class Module;
class Tracing;
struct ProgramAccess;
}  // namespace frontend

// One argument of a program, or one scratch buffer: its type, and a name for people.
struct Parameter {
  std::string name;
  Type type;

  Parameter(Type type) : type(std::move(type)) {}    // NOLINT
  Parameter(ElementType element) : type(element) {}  // NOLINT
  Parameter(std::string name, Type type) : name(std::move(name)), type(std::move(type)) {}
};

// What a program does with an argument. Nested programs, regions and merged executables
// count, and views count for their root.
struct ArgumentEffect {
  bool read = false;
  bool written = false;
  // Every byte is written on every path before anything may read it: what the caller puts
  // there does not matter.
  bool overwritten = false;
};

struct ProgramArgument {
  std::string name;  // may be empty
  Type type;         // u8[N] where nothing says more
  ArgumentEffect effect = {};
  bool scratch = false;  // the executor provides it
  // Of a program that has parameters and results of its own, as those of JAX: its number
  // among the parameters that are left, and the numbers of the results that it holds
  // after a run. A parameter that holds one is a parameter whose memory a result takes.
  std::optional<int> parameter = std::nullopt;
  std::vector<int> results = {};
};

// Something that a check found in a program.
struct Finding {
  enum class Kind : uint8_t {
    kRace,               // conflicting accesses that nothing orders
    kUninitializedRead,  // of scratch that nothing wrote, on some path
    kOverwrittenUnread,  // a write that nothing reads before the next one
    kCollectiveOrder     // branches that issue collectives in different orders
  };
  Kind kind = Kind::kRace;
  bool error = false;  // else a warning
  // Names buffer, bytes and both places.
  std::string message;
  SourceLocation first;
  SourceLocation second;
};

struct CompileReport {
  // Of all scratch buffers, before and after those that are never needed at once share
  // memory.
  int64_t scratch_bytes_before = 0;
  int64_t scratch_bytes_after = 0;
};

struct CompileOptions {
  // Look for hazards: errors fail the compilation, warnings go to `on_warning`, which may
  // use the program.
  bool check_hazards = true;
  // Let scratch buffers share memory.
  bool assign_scratch = true;
  // Empty: the handler that set_warning_handler set.
  std::function<void(const Finding&)> on_warning = {};
  // Filled in where it is given.
  CompileReport* report = nullptr;
};

// What becomes of warnings for which no options say it; by default a line on stderr.
// Applies to all threads. An empty function restores the default.
THUNKY_API void set_warning_handler(std::function<void(const Finding&)> handler);

enum class FileFormat : uint8_t {
  kModuleText,      // MLIR, for people: .mlir
  kModuleBytecode,  // MLIR: .mlirbc
  kExecutable,      // lowered, for thunky's executors: .thunky
  kJax              // the file that an unmodified JAX loads
};

struct SaveOptions {
  // By default what the name ends in says it; any other ending needs a format.
  std::optional<FileFormat> format = std::nullopt;
  // For kJax: the GPU that the program is for, "9.0a". Empty: that of the module.
  std::string compute_capability = {};
  // For kJax: put in PTX rather than a cubin where a kernel has both.
  bool prefer_ptx = false;
};

// A handle; copies are the same program, which never changes. Any number of threads may
// use one.
class THUNKY_API Program {
 public:
  struct Content;  // what it is made of; not part of the interface

  // A file of any format above, or a bare proto; recognised by content. MLIR bytecode is
  // trusted: its reader does not stand up to damage.
  static Program load(
      const std::filesystem::path& path, const LoadOptions& options = {},
      const std::source_location& where = std::source_location::current());
  // The same from memory; `name` is for messages.
  static Program from_bytes(
      std::string_view bytes, const std::string& name, const LoadOptions& options = {},
      const std::source_location& where = std::source_location::current());

  // What an executable was made of.
  static Program from_executable(
      const Executable& executable,
      const std::source_location& where = std::source_location::current());

  const std::string& name() const;
  // The user's arguments in order, then scratch. Of a program from JAX: parameters,
  // results in memory of their own, temporaries.
  const std::vector<ProgramArgument>& arguments() const;

  // Inside a function that is traced: adds the operations of this program, on these
  // refs. Types must be equal. Host data becomes a constant. Errors: another number of
  // arguments or another type; host data where this program writes; a program with
  // results of its own, which call() takes.
  void operator()(
      std::initializer_list<Operand> arguments,
      const std::source_location& where = std::source_location::current()) const;

  // The hazards of the program, errors first, at most 100 of each kind
  // (docs/hazards.md). Errors: a program too large to look into.
  std::vector<Finding> check(
      const std::source_location& where = std::source_location::current()) const;

  // Checks, assigns scratch, and makes what an executor takes. Errors: hazards, with all
  // of them in the message; what no executable can say.
  Executable lower(
      const CompileOptions& options = {},
      const std::source_location& where = std::source_location::current()) const;
  // The same, made ready on a device.
  LoadedExecutable compile(
      const Device& device, const CompileOptions& options = {},
      const std::source_location& where = std::source_location::current()) const;

  // MLIR text; with `elide` large blobs are left out, and it is for reading only.
  std::string module_text(bool elide = true) const;
  // Replaces the file at once or not at all.
  void save(const std::filesystem::path& path, const SaveOptions& options = {},
            const std::source_location& where = std::source_location::current()) const;

 private:
  friend class frontend::Tracing;
  friend struct frontend::ProgramAccess;
  explicit Program(std::shared_ptr<const Content> content)
      : content_(std::move(content)) {}

  std::shared_ptr<const Content> content_;
};

struct JitOptions {
  std::string name = {};  // of the program; empty: "main"
};

// Scratch with names.
class NamedScratch {
 public:
  NamedScratch(std::initializer_list<Parameter> list) : list_(list) {}
  std::span<const Parameter> list() const { return list_; }

 private:
  std::vector<Parameter> list_;
};

// What a function gets for NamedScratch.
class THUNKY_API NamedRefs {
 public:
  NamedRefs(std::span<const Parameter> names, std::span<const Ref> refs);
  // Errors: no scratch of that name, listing those there are.
  const Ref& operator()(std::string_view name, const std::source_location& where =
                                                   std::source_location::current()) const;

 private:
  std::vector<std::pair<std::string, Ref>> refs_;
};

namespace frontend {

// A trace, for the templates below: begins in the constructor, ends in finish() or, when
// the function throws, in the destructor.
class THUNKY_API Tracing {
 public:
  Tracing(std::span<const Parameter> arguments, std::span<const Parameter> scratch,
          const JitOptions& options, const std::source_location& where);
  ~Tracing();
  Tracing(const Tracing&) = delete;
  Tracing& operator=(const Tracing&) = delete;

  // Arguments, then scratch.
  std::span<const Ref> refs() const { return refs_; }
  Program finish();

 private:
  std::unique_ptr<Trace, void (*)(Trace*)> trace_;
  std::vector<Ref> refs_;
  size_t arguments_ = 0;
};

template <typename F, typename... Refs>
void invoke_traced(F& function, const Refs&... refs) {
  static_assert(std::is_invocable_v<F&, const Refs&...>,
                "the function must take one Ref for each argument and each scratch type");
  if constexpr (std::is_invocable_v<F&, const Refs&...>) {
    static_assert(std::is_void_v<std::invoke_result_t<F&, const Refs&...>>,
                  "a program returns nothing: results are written to refs");
    function(refs...);
  }
}

template <size_t kCount, typename F, typename... More>
void invoke_with(F& function, std::span<const Ref> refs, const More&... more) {
  [&]<size_t... I>(std::index_sequence<I...>) {
    invoke_traced(function, refs[I]..., more...);
  }(std::make_index_sequence<kCount>());
}

}  // namespace frontend

// Traces `function`: calls it once, with a ref for each argument and then for each
// scratch buffer, and makes a program of what it does with them. Errors: those of the
// operations; types without a size in bytes; tokens that nobody joins;
// failed_precondition in destructors of static objects, which may still use the programs
// that there are.
template <typename F, size_t kArguments>
Program jit(F&& function, const Parameter (&arguments)[kArguments],
            const JitOptions& options = {},
            const std::source_location& where = std::source_location::current()) {
  frontend::Tracing tracing(arguments, {}, options, where);
  frontend::invoke_with<kArguments>(function, tracing.refs());
  return tracing.finish();
}

// With scratch by position.
template <typename F, size_t kArguments, size_t kScratch>
Program jit(F&& function, const Parameter (&arguments)[kArguments],
            const Parameter (&scratch)[kScratch], const JitOptions& options = {},
            const std::source_location& where = std::source_location::current()) {
  frontend::Tracing tracing(arguments, scratch, options, where);
  frontend::invoke_with<kArguments + kScratch>(function, tracing.refs());
  return tracing.finish();
}
// With one scratch buffer.
template <typename F, size_t kArguments>
Program jit(F&& function, const Parameter (&arguments)[kArguments], const Type& scratch,
            const JitOptions& options = {},
            const std::source_location& where = std::source_location::current()) {
  const Parameter list[] = {scratch};
  frontend::Tracing tracing(arguments, list, options, where);
  frontend::invoke_with<kArguments + 1>(function, tracing.refs());
  return tracing.finish();
}
// With scratch by name: the function takes a NamedRefs behind its arguments. The type is
// to be written out, NamedScratch{...}: a list in braces alone is scratch by position,
// which may have names too.
template <typename F, size_t kArguments, std::same_as<NamedScratch> Scratch>
Program jit(F&& function, const Parameter (&arguments)[kArguments],
            const Scratch& scratch, const JitOptions& options = {},
            const std::source_location& where = std::source_location::current()) {
  frontend::Tracing tracing(arguments, scratch.list(), options, where);
  const NamedRefs named(scratch.list(), tracing.refs().subspan(kArguments));
  frontend::invoke_with<kArguments>(function, tracing.refs(), named);
  return tracing.finish();
}

// With arguments that are counted at run time: the function takes a std::span<const Ref>.
// Without arguments it may take nothing.
template <typename F>
Program jit(F&& function, std::span<const Parameter> arguments,
            const JitOptions& options = {},
            const std::source_location& where = std::source_location::current()) {
  frontend::Tracing tracing(arguments, {}, options, where);
  if constexpr (std::is_invocable_v<F&>) {
    if (!arguments.empty()) {
      throw Error(ErrorCode::invalid_argument,
                  "jit: the function takes no ref, and there are " +
                      std::to_string(arguments.size()) + " arguments",
                  where);
    }
    frontend::invoke_traced(function);
  } else {
    frontend::invoke_traced(function, tracing.refs());
  }
  return tracing.finish();
}

struct CallOptions {
  // Where results go, in their order; one that is absent, or not given, comes back as new
  // scratch. A result that takes a parameter's memory has its place already.
  std::vector<std::optional<Ref>> outputs = {};
};

// Inside a function that is traced: merges a program that has parameters and results, as
// those that JAX compiles, and gives the refs of its results, in order.
//
// Arguments are the parameters in order (arguments() lists them; JAX drops those that
// nothing uses). Host data becomes a constant. A result that takes a parameter's memory
// comes back as the ref that was given there, which counts as written. Where a view does
// not begin at a multiple of 16 bytes (256 for an output), and where a ref that is
// written is another argument too, the bytes go through scratch.
//
// Errors: another number of arguments; a type or size that differs from the parameter's;
// host data for a parameter that is written; refs that overlap in part where one is
// written; a program with thunks of a kind that this build does not know.
THUNKY_API std::vector<Ref> call(
    const Program& program, const std::vector<Operand>& arguments,
    const CallOptions& options = {},
    const std::source_location& where = std::source_location::current());
THUNKY_API std::vector<Ref> call(
    const Executable& executable, const std::vector<Operand>& arguments,
    const CallOptions& options = {},
    const std::source_location& where = std::source_location::current());

}  // namespace thunky

#endif  // THUNKY_FRONTEND_PROGRAM_H_
