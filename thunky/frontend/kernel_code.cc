#include "thunky/frontend/kernel_code.h"

#include <utility>

#include "thunky/api/error.h"
#include "thunky/compiler/transforms/attach_kernels.h"

namespace thunky {

struct KernelCode::Content {
  std::string name;
  std::string ptx;
  std::map<std::string, std::string> cubins;
};

namespace {

std::string text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string read_file(const std::filesystem::path& path,
                      const std::source_location& where) {
  absl::StatusOr<std::string> content = compiler::readCodeFile(path.string());
  if (content.ok()) return *std::move(content);
  const bool missing = content.status().code() == absl::StatusCode::kNotFound;
  throw Error(missing ? ErrorCode::not_found : ErrorCode::invalid_argument,
              path.string() + ": " + std::string(content.status().message()), where);
}

void check(const std::string& content, const std::string& what,
           const std::source_location& where) {
  if (!content.empty()) return;
  throw Error(ErrorCode::invalid_argument, what + " is empty", where);
}

}  // namespace

KernelCode KernelCode::ptx(std::string text, std::string name,
                           const std::source_location& where) {
  check(text, "PTX text", where);
  return KernelCode(
      std::make_shared<const Content>(Content{std::move(name), std::move(text), {}}));
}

KernelCode KernelCode::ptx_file(const std::filesystem::path& path,
                                const std::source_location& where) {
  std::string text = read_file(path, where);
  check(text, path.string(), where);
  return ptx(std::move(text), path.stem().string(), where);
}

KernelCode KernelCode::cubin(std::span<const std::byte> bytes, std::string architecture,
                             std::string name, const std::source_location& where) {
  const KernelCode none(
      std::make_shared<const Content>(Content{std::move(name), "", {}}));
  return none.with_cubin(bytes, std::move(architecture), where);
}

KernelCode KernelCode::cubin_file(const std::filesystem::path& path,
                                  std::string architecture,
                                  const std::source_location& where) {
  const std::string content = read_file(path, where);
  check(content, path.string(), where);
  return cubin(std::as_bytes(std::span(content)), std::move(architecture),
               path.stem().string(), where);
}

KernelCode KernelCode::with_cubin(std::span<const std::byte> bytes,
                                  std::string architecture,
                                  const std::source_location& where) const {
  check(architecture, "the name of the cubin's architecture", where);
  std::string content = text_of(bytes);
  check(content, "the cubin for " + architecture, where);
  Content more = *content_;
  if (!more.cubins.try_emplace(architecture, std::move(content)).second) {
    throw Error(ErrorCode::invalid_argument,
                "there is a cubin for " + architecture + " already", where);
  }
  return KernelCode(std::make_shared<const Content>(std::move(more)));
}

const std::string& KernelCode::name() const { return content_->name; }
const std::string& KernelCode::ptx() const { return content_->ptx; }
const std::map<std::string, std::string>& KernelCode::cubins() const {
  return content_->cubins;
}

}  // namespace thunky
