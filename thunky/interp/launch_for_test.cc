#include "thunky/interp/launch_for_test.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "gtest/gtest.h"
#include "thunky/base/status_macros.h"
#include "thunky/interp/loader.h"

namespace thunky::interp {
namespace {

absl::string_view View(std::string_view s) { return {s.data(), s.size()}; }

std::string Width(const std::string& type) {
  if (type == "pred") return "b32";
  return absl::StrCat("b", type.substr(type.find_first_of("0123456789")));
}

}  // namespace

std::string Module(std::string_view parameters, std::string_view body,
                   std::string_view before) {
  return absl::StrCat(".version 8.6\n.target sm_100\n.address_size 64\n", View(before),
                      "\n.visible .entry k(", View(parameters), ")\n{\n", View(body),
                      "\n}\n");
}

absl::Status TestLaunch::Run() {
  const std::unique_ptr<hal::KernelLoader> loader = MakeInterpreterLoader();
  hal::KernelSource source;
  source.entry = "k";
  source.origin = "test.ptx";
  source.ptx = std::make_shared<const std::string>(ptx_);
  ASSIGN_OR_RETURN(const std::shared_ptr<const hal::HostKernel> kernel,
                   loader->Load(source));
  const hal::MemoryMap memory(ranges_);
  hal::LaunchParams whole = params;
  whole.memory = &memory;
  whole.arguments = arguments_;
  whole.print = [this](std::string_view text) { printed += text; };
  return kernel->Launch(whole);
}

std::vector<uint64_t> Evaluate(std::string_view instruction, std::string_view d_type,
                               std::vector<Cases> operands) {
  const size_t count = operands.front().values.size();
  std::vector<std::string> parameters = {".param .u64 out"};
  std::string body =
      absl::StrCat(".reg .b64 %p<8>;\n.reg .b32 %t;\n.reg .pred %q;\n.reg .",
                   View(d_type), " %d;\nmov.u32 %t, %tid.x;\nmul.wide.u32 %p0, %t, 8;\n");
  const char* const names[] = {"a", "b", "c", "e"};
  for (size_t k = 0; k < operands.size(); ++k) {
    const std::string& type = operands[k].type;
    const std::string name = names[k];
    parameters.push_back(absl::StrCat(".param .u64 in", k));
    absl::StrAppend(&body, ".reg .", type, " %", name, ";\nld.param.u64 %p1, [in", k,
                    "];\nadd.s64 %p1, %p1, %p0;\n");
    if (type == "pred") {
      absl::StrAppend(&body, "ld.global.b32 %t, [%p1];\nsetp.ne.b32 %", name,
                      ", %t, 0;\n");
    } else {
      absl::StrAppend(&body, "ld.global.", Width(type), " %", name, ", [%p1];\n");
    }
  }
  absl::StrAppend(&body, View(instruction),
                  "\nld.param.u64 %p1, [out];\nadd.s64 %p1, %p1, %p0;\n");
  if (d_type == "pred") {
    absl::StrAppend(&body, "selp.b32 %t, 1, 0, %d;\nst.global.b32 [%p1], %t;\n");
  } else {
    absl::StrAppend(&body, "st.global.", Width(std::string(d_type)), " [%p1], %d;\n");
  }
  std::vector<uint64_t> out(count);
  TestLaunch launch(Module(absl::StrJoin(parameters, ", "), absl::StrCat(body, "ret;")));
  launch.Buffer(&out);
  for (Cases& operand : operands) launch.Buffer(&operand.values);
  const absl::Status status = launch.Block(count).Run();
  EXPECT_TRUE(status.ok()) << instruction << ": " << status;
  return out;
}

}  // namespace thunky::interp
