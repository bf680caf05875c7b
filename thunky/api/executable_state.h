// A program as the interface's handles share it.
#ifndef THUNKY_API_EXECUTABLE_STATE_H_
#define THUNKY_API_EXECUTABLE_STATE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "thunky/api/argument.h"
#include "thunky/api/executable.h"
#include "thunky/runtime/executable.h"

namespace thunky::api {

// Arguments as users see them, in the order of `program`.
std::vector<ArgumentInfo> ArgumentInfosOf(const runtime::Executable& program);

// Immutable.
class ExecutableState {
 public:
  ExecutableState(std::vector<uint8_t> bytes, LoadOptions options,
                  std::vector<std::string> warnings,
                  std::shared_ptr<const runtime::Executable> program)
      : bytes_(std::move(bytes)),
        options_(std::move(options)),
        warnings_(std::move(warnings)),
        program_(std::move(program)),
        arguments_(ArgumentInfosOf(*program_)) {}

  const std::vector<uint8_t>& bytes() const { return bytes_; }
  const LoadOptions& options() const { return options_; }
  const std::vector<std::string>& warnings() const { return warnings_; }
  const std::shared_ptr<const runtime::Executable>& program() const { return program_; }
  // Indexed like program()->arguments().
  const std::vector<ArgumentInfo>& arguments() const { return arguments_; }

 private:
  std::vector<uint8_t> bytes_;
  LoadOptions options_;
  std::vector<std::string> warnings_;
  std::shared_ptr<const runtime::Executable> program_;
  std::vector<ArgumentInfo> arguments_;
};

}  // namespace thunky::api

#endif  // THUNKY_API_EXECUTABLE_STATE_H_
