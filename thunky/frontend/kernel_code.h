// Code of kernels: PTX, cubins, or both.
#ifndef THUNKY_FRONTEND_KERNEL_CODE_H_
#define THUNKY_FRONTEND_KERNEL_CODE_H_

#include <cstddef>
#include <filesystem>
#include <map>
#include <memory>
#include <source_location>
#include <span>
#include <string>

#include "thunky/api/visibility.h"

namespace thunky {

namespace frontend {
class Trace;
}  // namespace frontend

// Immutable; copies share the bytes. A program stores code once, however many kernels
// and nested programs use it: what counts is the content.
class THUNKY_API KernelCode {
 public:
  // PTX text. `name` is what the module calls it; empty: the first kernel that uses it.
  // Whether the text is PTX shows when a kernel of it is launched. Errors: empty text.
  static KernelCode ptx(
      std::string text, std::string name = "",
      const std::source_location& where = std::source_location::current());
  // The content of a file; its stem is the name. Errors: not_found, and invalid_argument
  // for what is no regular file of at most 256 MiB.
  static KernelCode ptx_file(
      const std::filesystem::path& path,
      const std::source_location& where = std::source_location::current());
  // A cubin for an architecture, "sm_90a".
  static KernelCode cubin(
      std::span<const std::byte> bytes, std::string architecture, std::string name = "",
      const std::source_location& where = std::source_location::current());
  static KernelCode cubin_file(
      const std::filesystem::path& path, std::string architecture,
      const std::source_location& where = std::source_location::current());

  // This code and a cubin beside it, for a device that takes it. Errors: there is one
  // for the architecture already.
  KernelCode with_cubin(
      std::span<const std::byte> bytes, std::string architecture,
      const std::source_location& where = std::source_location::current()) const;

  const std::string& name() const;
  // Empty when there is none.
  const std::string& ptx() const;
  // By architecture.
  const std::map<std::string, std::string>& cubins() const;

 private:
  friend class frontend::Trace;  // tells code apart by its address first
  struct Content;
  explicit KernelCode(std::shared_ptr<const Content> content)
      : content_(std::move(content)) {}

  std::shared_ptr<const Content> content_;
};

}  // namespace thunky

#endif  // THUNKY_FRONTEND_KERNEL_CODE_H_
