#include "thunky/schema/test_programs.h"

#include "absl/strings/str_cat.h"
#include "thunky/schema/executable_rules.h"

namespace thunky::schema {

wire::GpuExecutableProto Program(const std::vector<int64_t>& sizes,
                                 const std::string& thunks) {
  auto program = Parse<wire::GpuExecutableProto>(thunks);
  for (size_t i = 0; i < sizes.size(); ++i) {
    wire::BufferAllocationProto& allocation =
        *program.mutable_buffer_allocations()->add_values();
    allocation.set_index(static_cast<int64_t>(i));
    allocation.set_size(sizes[i]);
  }
  program.mutable_program_shape()->mutable_result()->set_element_type(wire::TUPLE);
  return program;
}

absl::Status VerifyProgram(const std::vector<int64_t>& sizes, const std::string& thunks) {
  return VerifyExecutable(Program(sizes, thunks));
}

absl::Status VerifyThunk(const std::string& text, int64_t loops) {
  const wire::GpuExecutableProto program = Program({64, 256, 1024}, "");
  const auto table = AllocationTable::Of(program.buffer_allocations().values());
  const auto thunk = Parse<wire::ThunkProto>(text);
  const auto kind = KindOf(thunk);
  if (!table.ok()) return table.status();
  if (!kind.ok()) return kind.status();
  return RulesFor(*kind).verify(thunk, {*table, loops});
}

std::vector<std::string> AccessText(const std::string& text) {
  std::vector<std::string> lines;
  const auto thunk = Parse<wire::ThunkProto>(text);
  const auto kind = KindOf(thunk);
  EXPECT_TRUE(kind.ok()) << kind.status();
  if (!kind.ok()) return lines;
  for (const Access& access : AccessesOf(*kind, thunk)) {
    lines.push_back(absl::StrCat(access.role, " ", AccessModeName(access.mode), " ",
                                 access.slice.allocation, " [", access.slice.offset, ", ",
                                 access.slice.offset + access.slice.size, ")",
                                 access.workspace ? " workspace" : ""));
  }
  return lines;
}

}  // namespace thunky::schema
