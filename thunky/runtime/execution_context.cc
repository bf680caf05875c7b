#include "thunky/runtime/execution_context.h"

#include <utility>

#include "absl/strings/str_cat.h"

namespace thunky::runtime {

absl::StatusOr<ScratchLayout> ScratchLayout::Of(
    const std::vector<schema::SignatureTemporary>& temporaries) {
  ScratchLayout layout;
  for (const schema::SignatureTemporary& temporary : temporaries) {
    const uint64_t size = static_cast<uint64_t>(temporary.size);
    layout.entries.push_back(
        {.allocation = temporary.allocation, .offset = layout.arena_size, .size = size});
    const uint64_t end = layout.arena_size + size + kBufferAlignment - 1;
    if (end < layout.arena_size) {
      return absl::ResourceExhaustedError(
          absl::StrCat("allocation ", temporary.allocation,
                       ": the temporaries together exceed 64-bit sizes"));
    }
    layout.arena_size = end / kBufferAlignment * kBufferAlignment;
  }
  return layout;
}

absl::StatusOr<std::unique_ptr<ExecutionContext>> ContextPool::Lease(
    hal::Device& device, uint64_t arena_size) {
  {
    std::unique_lock<std::mutex> lock(mutex_);
    returned_.wait(lock, [&] { return !free_.empty() || out_ < most_; });
    ++out_;
    if (!free_.empty()) {
      std::unique_ptr<ExecutionContext> context = std::move(free_.back());
      free_.pop_back();
      return context;
    }
  }
  auto arena = device.Allocate(arena_size);
  if (!arena.ok()) {
    std::lock_guard<std::mutex> lock(mutex_);
    --out_;
    returned_.notify_one();
    return arena.status();
  }
  auto context = std::make_unique<ExecutionContext>();
  context->arena = *std::move(arena);
  return context;
}

void ContextPool::Return(std::unique_ptr<ExecutionContext> context) {
  std::lock_guard<std::mutex> lock(mutex_);
  --out_;
  free_.push_back(std::move(context));
  returned_.notify_one();
}

}  // namespace thunky::runtime
