#include "thunky/tooling/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "thunky/base/status_macros.h"

namespace thunky::tooling {
namespace {

absl::Status SystemError(int code, const std::string& path, const char* what) {
  return absl::ErrnoToStatus(code, absl::StrCat(path, ": cannot ", what));
}

class FileDescriptor {
 public:
  explicit FileDescriptor(int fd) : fd_(fd) {}
  ~FileDescriptor() {
    if (fd_ >= 0) close(fd_);
  }
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;

  int get() const { return fd_; }
  // Errors of a delayed write surface here.
  int Close() {
    const int result = close(fd_);
    fd_ = -1;
    return result;
  }

 private:
  int fd_;
};

absl::Status WriteAll(const std::string& path, FileDescriptor& file,
                      absl::Span<const uint8_t> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(file.get(), bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return SystemError(errno, path, "write");
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  if (file.Close() != 0) return SystemError(errno, path, "write");
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::vector<uint8_t>> ReadFile(const std::string& path,
                                              uint64_t max_bytes) {
  FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) return SystemError(errno, path, "open");
  struct stat info = {};
  if (fstat(file.get(), &info) != 0) return SystemError(errno, path, "read");
  if (S_ISDIR(info.st_mode)) {
    return absl::InvalidArgumentError(
        absl::StrCat(path, ": expected a file, found a folder"));
  }
  auto too_large = [&] {
    return absl::ResourceExhaustedError(
        absl::StrCat(path, ": expected at most ", max_bytes, " bytes, found more"));
  };
  const uint64_t known_size =
      S_ISREG(info.st_mode) ? static_cast<uint64_t>(info.st_size) : 0;
  if (known_size > max_bytes) return too_large();
  std::vector<uint8_t> bytes(known_size);
  uint64_t filled = 0;
  for (;;) {
    constexpr uint64_t kPiece = 1 << 20;
    // One byte beyond the known size tells whether the file has grown.
    if (filled == bytes.size())
      bytes.resize(filled + (filled == known_size ? 1 : kPiece));
    const ssize_t got = read(file.get(), bytes.data() + filled, bytes.size() - filled);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return SystemError(errno, path, "read");
    if (got == 0) break;
    filled += static_cast<uint64_t>(got);
    if (filled > max_bytes) return too_large();
  }
  bytes.resize(filled);
  return bytes;
}

absl::Status WriteFile(const std::string& path, absl::Span<const uint8_t> bytes) {
  struct stat info = {};
  if (stat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode)) {
    FileDescriptor file(open(path.c_str(), O_WRONLY | O_CLOEXEC));
    if (file.get() < 0) return SystemError(errno, path, "open");
    return WriteAll(path, file, bytes);
  }
  std::string temporary = absl::StrCat(path, ".XXXXXX");
  FileDescriptor file(mkostemp(temporary.data(), O_CLOEXEC));
  if (file.get() < 0) return SystemError(errno, path, "create");
  // mkostemp makes private files; give this one what open() would have.
  const mode_t mask = umask(0);
  umask(mask);
  absl::Status status = fchmod(file.get(), 0666 & ~mask) == 0
                            ? WriteAll(path, file, bytes)
                            : SystemError(errno, path, "create");
  if (status.ok() && rename(temporary.c_str(), path.c_str()) != 0) {
    status = SystemError(errno, path, "write");
  }
  if (!status.ok()) unlink(temporary.c_str());
  return status;
}

}  // namespace thunky::tooling
