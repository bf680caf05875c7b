// Kernel code that cannot be used, and code that only looks so.
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "test/programs/program_builder.h"
#include "test/programs/step_kernels.h"
#include "test/programs/test_program.h"
#include "thunky/schema/code_table.h"

namespace thunky::program_tests {
namespace {

// add_to on one counter; the call is changed by `change`.
template <typename Change>
TestProgram ChangedCall(const std::string& name, const Change& change) {
  ProgramBuilder b(name);
  const Ref counter = b.AddParameter("counter", wire::S32, {});
  b.AddAliasedResult(counter, 0);
  KernelCall call = AddToCall(counter, 1);
  change(call);
  b.Add(Kernel(call));
  return {.name = name,
          .proto = b.Build(),
          .arguments = {I32({5})},
          .outcome = Outcome::kIsRefused,
          .code = absl::StatusCode::kInvalidArgument};
}

TestProgram Refused(TestProgram program, absl::StatusCode code,
                    std::vector<std::string> message) {
  program.code = code;
  program.message = std::move(message);
  return program;
}

void Replace(std::string* text, const std::string& from, const std::string& to) {
  const size_t at = text->find(from);
  ASSERT_NE(at, std::string::npos) << from;
  text->replace(at, from.size(), to);
}

TestProgram WithPtx(const std::string& name, const std::string& ptx) {
  return ChangedCall(name, [&](KernelCall& call) { call.ptx = ptx; });
}

std::string AddToPtx() { return AddToCall(Ref(), 1).ptx; }

TestProgram TargetOfAnotherArchitecture() {
  TestProgram program = ChangedCall("target_sm_90a", [](KernelCall& call) {
    Replace(&call.ptx, ".target sm_80", ".target sm_90a");
  });
  program.outcome = Outcome::kRuns;
  program.expected = {I32({6})};
  program.code = absl::StatusCode::kOk;
  return program;
}

TestProgram Version99() {
  TestProgram program = ChangedCall("version_99", [](KernelCall& call) {
    Replace(&call.ptx, ".version 9.0", ".version 99.0");
  });
  return Refused(std::move(program), absl::StatusCode::kUnimplemented,
                 {"thunks[0]", "99.0", "9.3"});
}

TestProgram UnsupportedInstruction() {
  TestProgram program = ChangedCall("unsupported_instruction", [](KernelCall& call) {
    Replace(&call.ptx, "\tret;", "\tfrobnicate.b32 \t%r1, %r2;\n\tret;");
  });
  return Refused(std::move(program), absl::StatusCode::kUnimplemented,
                 {"thunks[0]", "frobnicate.b32", "line"});
}

TestProgram BinaryCodeOnly() {
  TestProgram program = WithPtx("binary_code_only", "");
  auto* spec = program.proto.mutable_thunks(0)
                   ->mutable_custom_kernel_thunk()
                   ->mutable_custom_kernel()
                   ->mutable_kernel_spec();
  spec->mutable_cubin()->set_data("\177ELF");
  return Refused(std::move(program), absl::StatusCode::kFailedPrecondition,
                 {"add_to", "PTX", "--kernels"});
}

TestProgram SymbolInsideXla() {
  TestProgram program = WithPtx("symbol_inside_xla", "");
  auto* spec = program.proto.mutable_thunks(0)
                   ->mutable_custom_kernel_thunk()
                   ->mutable_custom_kernel()
                   ->mutable_kernel_spec();
  spec->mutable_in_process_symbol()->set_persistent_name("some_kernel_of_xla");
  return Refused(std::move(program), absl::StatusCode::kUnimplemented,
                 {"some_kernel_of_xla"});
}

// Moves the code of all kernels to the table, each text once.
void ShareCode(wire::GpuExecutableProto* proto) {
  std::set<std::string> known;
  for (wire::ThunkProto& thunk : *proto->mutable_thunks()) {
    wire::KernelLoaderSpecProto& spec = *thunk.mutable_custom_kernel_thunk()
                                             ->mutable_custom_kernel()
                                             ->mutable_kernel_spec();
    wire::KernelCodeProto code;
    code.set_ptx(spec.ptx().data());
    code.set_hash(schema::CodeHash(code));
    spec.set_thunky_code(code.hash());
    spec.clear_ptx();
    if (known.insert(code.hash()).second) {
      *proto->mutable_thunky()->add_kernel_code() = std::move(code);
    }
  }
}

// Two launches of one code; another code that nobody launches.
TestProgram SharedCode() {
  ProgramBuilder b("shared_code");
  const Ref counter = b.AddParameter("counter", wire::S32, {});
  b.AddAliasedResult(counter, 0);
  b.Add(AddTo(counter, 3));
  b.Add(AddTo(counter, 4));
  TestProgram program{.name = "shared_code",
                      .proto = b.Build(),
                      .arguments = {I32({5})},
                      .expected = {I32({12})}};
  ShareCode(&program.proto);
  EXPECT_EQ(program.proto.thunky().kernel_code_size(), 1);
  wire::KernelCodeProto& unused = *program.proto.mutable_thunky()->add_kernel_code();
  wire::CubinProto& cubin = *unused.add_cubins();
  cubin.set_architecture("sm_90a");
  cubin.set_data("\177ELF");
  unused.set_hash(schema::CodeHash(unused));
  return program;
}

// The same, with a table that `change` spoils.
template <typename Change>
TestProgram SpoiledTable(const std::string& name, std::vector<std::string> message,
                         const Change& change) {
  TestProgram program = SharedCode();
  program.name = name;
  program.proto.set_module_name(name);
  program.expected.clear();
  program.outcome = Outcome::kIsRefused;
  change(*program.proto.mutable_thunky());
  return Refused(std::move(program), absl::StatusCode::kInvalidArgument,
                 std::move(message));
}

}  // namespace

std::vector<TestProgram> CodePrograms() {
  constexpr auto kInvalid = absl::StatusCode::kInvalidArgument;
  const std::string ptx = AddToPtx();
  return {
      Refused(WithPtx("empty_ptx", ""), kInvalid, {"thunks[0]", "empty"}),
      Refused(WithPtx("truncated_ptx", ptx.substr(0, ptx.find("st.global"))), kInvalid,
              {"thunks[0]", "line"}),
      Refused(WithPtx("not_ptx", "define void @add_to() { ret void }\n"), kInvalid,
              {"thunks[0]", ".version"}),
      Refused(
          ChangedCall("missing_entry", [](KernelCall& call) { call.entry = "add_two"; }),
          absl::StatusCode::kNotFound, {"thunks[0]", "add_two", "add_to"}),
      Refused(ChangedCall("wrong_parameter_count",
                          [](KernelCall& call) { call.arguments.pop_back(); }),
              kInvalid, {"thunks[0]", "add_to", "2", "1"}),
      Refused(
          ChangedCall("wrong_parameter_size",
                      [](KernelCall& call) { call.arguments[1] = ByValue<int64_t>(1); }),
          kInvalid, {"thunks[0]", "add_to", "4", "8"}),
      Version99(),
      TargetOfAnotherArchitecture(),
      UnsupportedInstruction(),
      BinaryCodeOnly(),
      SymbolInsideXla(),
      SharedCode(),
      SpoiledTable("shared_code_that_is_not_there", {"thunks[0]", "not in the table"},
                   [](wire::ThunkyExtensionProto& table) {
                     table.mutable_kernel_code()->DeleteSubrange(0, 1);
                   }),
      SpoiledTable("shared_code_of_another_hash", {"kernel_code[0]", "hash"},
                   [](wire::ThunkyExtensionProto& table) {
                     table.mutable_kernel_code(0)->mutable_ptx()->append("\n");
                   }),
  };
}

}  // namespace thunky::program_tests
