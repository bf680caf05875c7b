// What modules that were never imported become: which arguments are parameters and
// results, how they are numbered, and what is refused.
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "thunky/compiler/translate/test_modules.h"
#include "thunky/schema/signature.h"

namespace thunky::compiler {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// "p" a parameter, "r" a result, "pr" one in the place of the other, "t" scratch: each
// allocation in order; constants are "c".
std::vector<std::string> rolesOf(const wire::GpuExecutableProto& executable) {
  std::vector<std::string> roles;
  for (const auto& allocation : executable.buffer_allocations().values()) {
    std::string role;
    if (allocation.is_constant()) role = "c";
    if (allocation.is_entry_computation_parameter()) role += "p";
    if (allocation.maybe_live_out()) role += "r";
    roles.push_back(role.empty() ? "t" : role);
  }
  return roles;
}

constexpr char kKernel[] = R"(
thunky.kernel_code @k {ptx = ".version 8.0\0A.target sm_90\0A.address_size 64\0A.visible .entry k(.param .u64 a, .param .u64 b)\0A{\0Aret;\0A}\0A"}
)";

// The roles of %a and %b, both of 8 bytes, in a program with this body.
std::vector<std::string> rolesIn(const std::string& body) {
  TestCompiler compiler;
  return rolesOf(compiler.exportText(absl::StrCat(
      kKernel, "func.func @main(%a: !thunky.buffer<8>, %b: !thunky.buffer<8>) {", body,
      "return }")));
}

std::string launch(const std::string& a, const std::string& b) {
  return absl::StrCat("thunky.ptx_kernel @k \"k\" grid [1, 1, 1] block [1, 1, 1] (%a ", a,
                      " : <8>, %b ", b, " : <8>)\n");
}

constexpr char kFillA[] = "thunky.memzero %a : <8>\n";
constexpr char kFillB[] = "thunky.memzero %b : <8>\n";
constexpr char kCopy[] = "thunky.copy %a -> %b : <8>, <8>\n";

TEST(ArgumentRolesTest, OverwrittenBeforeAnyReadIsAResult) {
  EXPECT_THAT(rolesIn(kCopy), ElementsAre("p", "r"));
  EXPECT_THAT(rolesIn(absl::StrCat(kFillB, kFillA)), ElementsAre("r", "r"));
  EXPECT_THAT(rolesIn(absl::StrCat(kFillA, kCopy)), ElementsAre("r", "r"));
  EXPECT_THAT(rolesIn(launch("read", "write_all")), ElementsAre("p", "r"));
  EXPECT_THAT(rolesIn(launch("write_all", "write_all")), ElementsAre("r", "r"));
}

TEST(ArgumentRolesTest, OldBytesThatMayMatterMakeAParameterToo) {
  EXPECT_THAT(rolesIn(launch("read", "write")), ElementsAre("p", "pr"));
  EXPECT_THAT(rolesIn(launch("read", "read_write")), ElementsAre("p", "pr"));
  // Read first, then overwritten.
  EXPECT_THAT(rolesIn(absl::StrCat(kCopy, kFillA)), ElementsAre("pr", "r"));
  // Overwritten, then read and partly written.
  EXPECT_THAT(rolesIn(absl::StrCat(kFillB, launch("read", "read_write"))),
              ElementsAre("p", "r"));
}

TEST(ArgumentRolesTest, PartsAddUp) {
  const std::string halves =
      "%l = thunky.slice_buffer %b[0] : <8> -> <4>\n"
      "%h = thunky.slice_buffer %b[4] : <8> -> <4>\n";
  EXPECT_THAT(rolesIn(halves + "thunky.memzero %l : <4>\n"), ElementsAre("p", "pr"));
  EXPECT_THAT(rolesIn(halves + "thunky.memzero %h : <4>\nthunky.memzero %l : <4>\n"),
              ElementsAre("p", "r"));
  // The half that is read was not written yet.
  EXPECT_THAT(
      rolesIn(halves + "thunky.memzero %h : <4>\nthunky.copy %l -> %h : <4>, <4>\n"
                       "thunky.memzero %l : <4>\n"),
      ElementsAre("p", "pr"));
}

TEST(ArgumentRolesTest, UnusedArgumentsAreParameters) {
  EXPECT_THAT(rolesIn(""), ElementsAre("p", "p"));
  EXPECT_THAT(rolesIn(kFillA), ElementsAre("r", "p"));
}

std::string cond(const std::string& first, const std::string& second) {
  return absl::StrCat("%i = thunky.slice_buffer %a[0] : <8> -> <4>\n",
                      "thunky.cond %i : <4> {\n", first, "thunky.yield\n}, {\n", second,
                      "thunky.yield\n}\n");
}

TEST(ArgumentRolesTest, EveryBranchMustWrite) {
  EXPECT_THAT(rolesIn(cond(kFillB, kCopy)), ElementsAre("p", "r"));
  EXPECT_THAT(rolesIn(cond(kFillB, "")), ElementsAre("p", "pr"));
  EXPECT_THAT(rolesIn(cond("", "")), ElementsAre("p", "p"));
  // Half in one branch, the other half in the other: none is certain.
  const std::string low =
      "%l = thunky.slice_buffer %b[0] : <8> -> <4>\n"
      "thunky.memzero %l : <4>\n";
  const std::string high =
      "%h = thunky.slice_buffer %b[4] : <8> -> <4>\n"
      "thunky.memzero %h : <4>\n";
  EXPECT_THAT(rolesIn(cond(low, high)), ElementsAre("p", "pr"));
  EXPECT_THAT(rolesIn(cond(low + high, high + low)), ElementsAre("p", "r"));
}

// The condition is the first byte of %a, which the condition region writes.
std::string loop(const std::string& cond, const std::string& body) {
  return absl::StrCat("%p = thunky.slice_buffer %a[0] : <8> -> <1>\n",
                      "thunky.while %p : <1> cond {\n", cond,
                      "thunky.memzero %p : <1>\n} body {\n", body, "}\n");
}

TEST(ArgumentRolesTest, LoopBodiesMayNotRun) {
  EXPECT_THAT(rolesIn(loop("", kFillB)), ElementsAre("pr", "pr"));
  EXPECT_THAT(rolesIn(loop(kFillB, "")), ElementsAre("pr", "r"));
  // What the condition leaves, the body may read, and the other way round.
  const std::string update = launch("read", "read_write");
  EXPECT_THAT(rolesIn(loop(kFillB, update)), ElementsAre("pr", "r"));
  EXPECT_THAT(rolesIn(loop(update, kFillB)), ElementsAre("pr", "pr"));
}

TEST(ArgumentRolesTest, AKnownNumberOfIterationsIsCertain) {
  const auto counted = [](int count) {
    return absl::StrCat("%p = thunky.slice_buffer %a[0] : <8> -> <1>\n",
                        "thunky.while %p : <1> trip_count ", count, " cond {} body {\n",
                        kFillB, "}\n");
  };
  EXPECT_THAT(rolesIn(counted(0)), ElementsAre("p", "p"));
  EXPECT_THAT(rolesIn(counted(1)), ElementsAre("p", "r"));
}

TEST(ArgumentRolesTest, AsynchronousWorkCountsWhenItIsJoined) {
  const std::string start =
      absl::StrCat("%t = thunky.async_start stream 1 {\n", kFillB, "thunky.yield\n}\n");
  const std::string done = "thunky.async_done %t\n";
  EXPECT_THAT(rolesIn(absl::StrCat(start, done)), ElementsAre("p", "r"));
  EXPECT_THAT(rolesIn(absl::StrCat(start, done, launch("read", "read"))),
              ElementsAre("p", "r"));
  // Read while it may not be there yet.
  EXPECT_THAT(rolesIn(absl::StrCat(start, launch("read", "read"), done)),
              ElementsAre("p", "pr"));
}

TEST(OwnProgramTest, AttributesDecideOverEffects) {
  TestCompiler compiler;
  const auto executable = compiler.exportText(
      "func.func @main(%a: !thunky.buffer<8> {thunky.scratch}, "
      "%b: !thunky.buffer<8> {thunky.results = [array<i64: 1>]}, "
      "%c: !thunky.buffer<8> {thunky.results = [array<i64: 0>], thunky.parameter = 0 : "
      "i64, thunky.alias = \"must\", thunky.name = \"x\", thunky.type = tensor<2xf32>}) {"
      "thunky.copy %c -> %a : <8>, <8>\nthunky.copy %a -> %b : <8>, <8>\nreturn }");
  EXPECT_THAT(rolesOf(executable), ElementsAre("t", "r", "pr"));
  ASSERT_EQ(executable.output_info_map_size(), 2);
  EXPECT_EQ(executable.output_info_map(0).output_info().allocation_index(), 2);
  EXPECT_EQ(executable.output_info_map(0).output_info().alias_config().kind(),
            wire::MUST_ALIAS);
  EXPECT_EQ(executable.output_info_map(1).output_info().allocation_index(), 1);
  EXPECT_FALSE(executable.output_info_map(1).output_info().has_alias_config());
  const wire::ProgramShapeProto& shape = executable.program_shape();
  ASSERT_EQ(shape.parameters_size(), 1);
  EXPECT_EQ(shape.parameter_names(0), "x");
  EXPECT_EQ(shape.parameters(0).element_type(), wire::F32);
  ASSERT_EQ(shape.result().tuple_shapes_size(), 2);
  EXPECT_EQ(shape.result().tuple_shapes(0).element_type(), wire::F32);
  EXPECT_EQ(shape.result().tuple_shapes(1).element_type(), wire::U8);
  EXPECT_THAT(shape.result().tuple_shapes(1).dimensions(), ElementsAre(8));
}

TEST(OwnProgramTest, ConstantsFollowTheArguments) {
  TestCompiler compiler;
  const auto executable = compiler.exportText(
      "module @mine {func.func @main(%a: !thunky.buffer<8>) {"
      "%x = thunky.constant \"abcd\" -> <8>\n"
      "%y = thunky.constant dense<7> : tensor<2xi32> {name = \"y\"} -> <8>\n"
      "%z = thunky.constant \"\" -> <0>\n"
      "thunky.copy %y -> %a : <8>, <8>\nreturn }}");
  EXPECT_EQ(executable.module_name(), "mine");
  EXPECT_THAT(rolesOf(executable), ElementsAre("r", "c", "c", "c"));
  ASSERT_EQ(executable.constants_size(), 3);
  EXPECT_EQ(executable.constants(0).symbol_name(), "thunky_const_0");
  EXPECT_EQ(executable.constants(0).content().data(), "abcd");
  EXPECT_EQ(executable.constants(0).allocation_index(), 1);
  EXPECT_EQ(executable.constants(1).symbol_name(), "y");
  EXPECT_EQ(executable.constants(2).symbol_name(), "thunky_const_1");
  const auto& copy = executable.thunks(0).device_to_device_copy_thunk().copy_thunk();
  EXPECT_EQ(copy.source_buffer().slice().buffer_allocation_index(), 2);
  EXPECT_EQ(copy.destination_buffer().slice().buffer_allocation_index(), 0);
  EXPECT_EQ(executable.thunks(0).thunk_info().thunk_id(), 1);
}

TEST(OwnProgramTest, SlicesOfSlicesAreOffsets) {
  TestCompiler compiler;
  const auto executable = compiler.exportText(
      "func.func @main(%a: !thunky.buffer<64>) {"
      "%x = thunky.slice_buffer %a[16] : <64> -> <32>\n"
      "%y = thunky.slice_buffer %x[8] : <32> -> <4>\n"
      "thunky.memzero %y : <4>\nreturn }");
  const auto& slice = executable.thunks(0).memzero_thunk().dest_buffer().slice();
  EXPECT_EQ(slice.offset(), 24);
  EXPECT_EQ(slice.size(), 4);
}

TEST(OwnProgramTest, CalledFunctionsAreInlined) {
  TestCompiler compiler;
  const auto executable = compiler.exportText(
      "func.func private @fill(%a: !thunky.buffer<8>) {"
      "thunky.memset32 %a, 5 : <8>\nreturn }"
      "func.func @main(%a: !thunky.buffer<16>) {"
      "%l = thunky.slice_buffer %a[0] : <16> -> <8>\n"
      "%h = thunky.slice_buffer %a[8] : <16> -> <8>\n"
      "func.call @fill(%h) : (!thunky.buffer<8>) -> ()\n"
      "func.call @fill(%l) : (!thunky.buffer<8>) -> ()\nreturn }");
  ASSERT_EQ(executable.thunks_size(), 2);
  EXPECT_EQ(executable.thunks(0).memset32bit_value_thunk().dest_buffer().offset(), 8);
  EXPECT_EQ(executable.thunks(1).memset32bit_value_thunk().dest_buffer().offset(), 0);
  EXPECT_THAT(rolesOf(executable), ElementsAre("r"));
}

TEST(OwnProgramTest, AnnotationsComeFromAttributesAndLocations) {
  TestCompiler compiler;
  const auto executable = compiler.exportText(
      "func.func @main(%a: !thunky.buffer<8>) {\n"
      "thunky.memzero %a {thunky.annotation = \"mine\"} : <8>\n"
      "thunky.memzero %a : <8> loc(\"named\")\n"
      "thunky.memzero %a : <8> loc(\"named\"(\"file.py\":3:4))\n"
      "thunky.memzero %a : <8> loc(\"file.py\":5:1)\n"
      "thunky.memzero %a : <8>\nreturn }");
  std::vector<std::string> annotations;
  for (const auto& thunk : executable.thunks()) {
    annotations.push_back(thunk.thunk_info().profile_annotation());
  }
  EXPECT_THAT(annotations, ElementsAre("mine", "named", "named @ file.py:3",
                                       "memzero @ file.py:5", "memzero @ module:6"));
}

struct Refused {
  std::string module;
  std::string error;
};

TEST(OwnProgramTest, Errors) {
  const std::string buffer = "!thunky.buffer<8>";
  const auto main = [&](const std::string& arguments, const std::string& body = "") {
    return absl::StrCat("func.func @main(", arguments, ") {", body, "return }");
  };
  const auto argument = [&](const std::string& name, const std::string& attributes) {
    return absl::StrCat("%", name, ": ", buffer, " {", attributes, "}");
  };
  const std::vector<Refused> refused = {
      {"", "no public function @main"},
      {"func.func private @main() { return }", "no public function @main"},
      {"func.func @main(%i: i32) { return }", "argument 0 of @main is a"},
      {"func.func @main(%b: !thunky.buffer<8>) -> !thunky.buffer<8> { return %b : "
       "!thunky.buffer<8> }",
       "returns 1 values"},
      {main(argument("a", "thunky.parameter = 1 : i64")), "is parameter 1 of 1"},
      {main(argument("a", "thunky.parameter = 0 : i64") + ", " +
            argument("b", "thunky.parameter = 0 : i64")),
       "each number must be there once"},
      {main(argument("a", "thunky.parameter = 0 : i64") + ", %b: " + buffer),
       "all or none must have it"},
      {main(argument("a", "thunky.results = [array<i64: 4>]")), "thunky.results"},
      {main(argument("a", "thunky.type = tensor<3xf32>")), "in a buffer of 8 bytes"},
      {main(argument("a", "thunky.layout = array<i64: 0>")), "no thunky.type"},
      {main(argument("a",
                     "thunky.parameter_index = array<i64: 0>, thunky.parameter = 0 : "
                     "i64")),
       "no tuples among its parameters"},
      {main("%a: " + buffer,
            "%x = thunky.constant \"a\" {name = \"n\"} -> <1>\n"
            "%y = thunky.constant \"b\" {name = \"n\"} -> <1>\n"),
       "of another constant"},
      {"func.func @main() { func.call @f() : () -> () return } func.func private @f()",
       "cannot become a thunk"},
      {"func.func @f() { func.call @f() : () -> () return } func.func @main() { "
       "func.call "
       "@f() : () -> () return }",
       "calls itself"},
  };
  for (const auto& [module, error] : refused) {
    SCOPED_TRACE(module);
    TestCompiler compiler;
    EXPECT_THAT(compiler.errorOf(module), HasSubstr(error));
  }
}

// "1 out, 2": the allocations, with names, in the order in which a run takes them.
std::string orderOf(const wire::GpuExecutableProto& executable) {
  std::vector<std::string> texts;
  for (const auto& argument : executable.thunky().arguments()) {
    texts.push_back(absl::StrCat(argument.allocation(),
                                 argument.name().empty() ? "" : " ", argument.name()));
  }
  return absl::StrJoin(texts, ", ");
}

TEST(OwnProgramTest, RunsTakeArgumentsInTheOrderOfMain) {
  TestCompiler compiler;
  auto module = compiler.read(
      "func.func @main(%a: !thunky.buffer<8> {thunky.scratch}, "
      "%b: !thunky.buffer<8> {thunky.name = \"out\"}, %c: !thunky.buffer<8>) {"
      "thunky.copy %c -> %a : <8>, <8>\nthunky.copy %a -> %b : <8>, <8>\nreturn }");
  ASSERT_TRUE(module) << compiler.diagnostics();
  mlir::OwningOpRef<mlir::ModuleOp> copy = module->clone();
  const auto file = compiler.exportFrom(*module, CodePlacement::kTable);
  ASSERT_TRUE(file.has_value()) << compiler.diagnostics();
  EXPECT_EQ(orderOf(file->executable), "1 out, 2");

  // The way through a module keeps it, with whatever numbers allocations have then.
  mlir::OwningOpRef<mlir::ModuleOp> imported = compiler.import(*file);
  ASSERT_TRUE(imported) << compiler.diagnostics();
  const auto again = compiler.exportFrom(*imported, CodePlacement::kTable);
  ASSERT_TRUE(again.has_value()) << compiler.diagnostics();
  const auto signature = schema::SignatureOf(again->executable);
  ASSERT_TRUE(signature.ok()) << signature.status();
  ASSERT_EQ(signature->arguments.size(), 2u);
  EXPECT_EQ(signature->arguments[0].name, "out");
  EXPECT_EQ(signature->arguments[0].allocation, signature->results[0].allocation);

  // Other readers know nothing of it.
  const auto for_others = compiler.exportFrom(*copy, CodePlacement::kPtx);
  ASSERT_TRUE(for_others.has_value()) << compiler.diagnostics();
  EXPECT_FALSE(for_others->executable.has_thunky());
}

TEST(OwnProgramTest, ACompleteFileNeedsATarget) {
  TestCompiler compiler;
  const auto module = compiler.read("func.func @main(%a: !thunky.buffer<8>) { return }");
  ASSERT_TRUE(module);
  EXPECT_FALSE(
      compiler.exportFrom(*module, CodePlacement::kCubinFirst, true).has_value());
  EXPECT_THAT(compiler.diagnostics(), HasSubstr("compute capability, such as 9.0a"));
}

}  // namespace
}  // namespace thunky::compiler
