// Programs that are ready to be put on devices.
//
//   const Executable program = Executable::load("step.bin", {.kernels = {"kernels"}});
//   const LoadedExecutable step = program.compile(Device::host());
//   step.run({2.0f, x, y});
#ifndef THUNKY_API_EXECUTABLE_H_
#define THUNKY_API_EXECUTABLE_H_

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <source_location>
#include <span>
#include <string>
#include <vector>

#include "thunky/api/argument.h"
#include "thunky/api/device.h"
#include "thunky/api/loaded_executable.h"
#include "thunky/api/visibility.h"

namespace thunky {

struct LoadOptions {
  // PTX files, and folders whose *.ptx files are taken, for kernels whose own code is for
  // GPUs only. Kernels find theirs by entry name.
  std::vector<std::filesystem::path> kernels;
  // How much the file may decode to, so that a small one cannot ask for all memory.
  uint64_t max_decoded_bytes = uint64_t{256} << 20;
};

// A handle; copies are the same program. Immutable and thread-safe; knows no device.
class THUNKY_API Executable {
 public:
  // Reads what the program `thunky run` takes: an executable that JAX serialized, a bare
  // proto, binary or text, or a module, as MLIR text or bytecode. A module needs the
  // compiler library libthunky_compiler.so, which is loaded then; files that it names are
  // looked for in its folder. Bytecode is trusted input; everything else may come from
  // anywhere.
  //
  // Errors name the file: not_found; invalid_argument for content that is damaged,
  // contradicts itself, or is something else; unimplemented, naming every thunk, for
  // what this build cannot run; resource_exhausted beyond max_decoded_bytes.
  static Executable load(
      const std::filesystem::path& path, const LoadOptions& options = {},
      const std::source_location& where = std::source_location::current());
  // The same of bytes in memory; `name` stands for the file in messages. Files that a
  // module names are looked for in the current folder.
  static Executable from_bytes(
      std::span<const std::byte> bytes, const std::string& name,
      const LoadOptions& options = {},
      const std::source_location& where = std::source_location::current());

  // The executable as a file, without PTX that was given beside it. Of a module, what it
  // was compiled to. Valid as long as a handle is.
  std::span<const std::byte> bytes() const;
  // Writes them in one step: a failure leaves what was there.
  void save(const std::filesystem::path& path,
            const std::source_location& where = std::source_location::current()) const;

  // What it was loaded with: where its PTX is from that is not in bytes().
  const LoadOptions& load_options() const;

  // What the compiler called it, such as "jit_step"; else the file's name.
  const std::string& name() const;
  // In the order in which runs take them: for a program of thunky's own that of the
  // arguments it was written with, for one of JAX's first the parameters, then the
  // results that take over none of them.
  const std::vector<ArgumentInfo>& arguments() const;
  // How many results there are, those in parameters' memory among them.
  int result_count() const;
  // What the compiler had to say of a module; empty for anything else.
  const std::vector<std::string>& warnings() const;

  // Loads the kernels on the device and uploads constants. Errors: failed_precondition
  // for kernels that have no code for this device; unimplemented for PTX that it cannot
  // run; invalid_argument for a launch that is beyond it; resource_exhausted.
  LoadedExecutable compile(
      const Device& device,
      const std::source_location& where = std::source_location::current()) const;

 private:
  friend struct api::Handles;
  explicit Executable(std::shared_ptr<const api::ExecutableState> state)
      : state_(std::move(state)) {}

  std::shared_ptr<const api::ExecutableState> state_;
};

}  // namespace thunky

#endif  // THUNKY_API_EXECUTABLE_H_
