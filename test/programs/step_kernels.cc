#include "test/programs/step_kernels.h"

#include <utility>

#include "test/kernels/kernel_scenario.h"
#include "test/programs/program_builder.h"

namespace thunky::program_tests {
namespace {

KernelCall Call(const std::string& module, const std::string& entry,
                std::vector<KernelArgument> arguments) {
  return {.ptx = OneEntry(*kernel_tests::ReadPtx(module), entry),
          .entry = entry,
          .arguments = std::move(arguments)};
}

wire::ThunkProto Elementwise(const std::string& entry, const Ref& in, const Ref& out,
                             int32_t operand) {
  const auto count = static_cast<int32_t>(out.size() / 4);
  KernelCall call =
      Call("steps", entry, {Read(in), Written(out), ByValue(operand), ByValue(count)});
  call.block = {32};
  call.grid = {static_cast<uint64_t>(count + 31) / 32};
  return Kernel(call);
}

}  // namespace

KernelCall AddToCall(const Ref& counter, int32_t amount) {
  return Call("steps", "add_to", {Written(counter), ByValue(amount)});
}

wire::ThunkProto AddTo(const Ref& counter, int32_t amount) {
  return Kernel(AddToCall(counter, amount));
}

wire::ThunkProto AddEach(const Ref& in, const Ref& out, int32_t amount) {
  return Elementwise("add_i32", in, out, amount);
}

wire::ThunkProto ScaleEach(const Ref& in, const Ref& out, int32_t factor) {
  return Elementwise("scale_i32", in, out, factor);
}

wire::ThunkProto LessThan(const Ref& counter, const Ref& predicate, int32_t limit) {
  return Kernel(
      Call("steps", "less_than", {Read(counter), Written(predicate), ByValue(limit)}));
}

wire::ThunkProto LessThanAt(const Ref& counter, const Ref& limit, const Ref& predicate) {
  return Kernel(
      Call("steps", "less_than_at", {Read(counter), Read(limit), Written(predicate)}));
}

wire::ThunkProto AppendTo(const Ref& log, const Ref& length, int32_t value) {
  const auto capacity = static_cast<int32_t>(log.size() / 4);
  return Kernel(Call("steps", "append",
                     {Written(log), Written(length), ByValue(value), ByValue(capacity)}));
}

wire::ThunkProto TrapWhenEqual(const Ref& counter, int32_t value) {
  return Kernel(Call("errors", "trap_when_equal", {Read(counter), ByValue(value)}));
}

wire::ThunkProto EndlessWhenEqual(const Ref& counter, int32_t value) {
  return Kernel(Call("errors", "endless_when_equal", {Read(counter), ByValue(value)}));
}

}  // namespace thunky::program_tests
