#include "thunky/schema/signature.h"

#include "absl/strings/str_cat.h"
#include "thunky/schema/shape_tree.h"
#include "thunky/schema/test_programs.h"

namespace thunky::schema {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr char kF32x4[] = "{ element_type: F32 dimensions: 4 }";

// An allocation of `size` bytes with more fields.
std::string Allocation(int index, int size, const std::string& more = "") {
  return absl::StrCat("buffer_allocations { values { index: ", index, " size: ", size,
                      " ", more, " } } ");
}

std::string ParameterAllocation(int index, int size, int number,
                                const std::string& more = "") {
  return Allocation(index, size,
                    absl::StrCat("is_entry_computation_parameter: true "
                                 "parameter_number: ",
                                 number, " ", more));
}

std::string Output(const std::string& index, int allocation,
                   const std::string& more = "") {
  return absl::StrCat("output_info_map { shape_index { ", index,
                      " } output_info { allocation_index: ", allocation, " ", more,
                      " } } ");
}

// Two parameters (allocations 1 and 0), one result (2), a temporary (3), a
// thread-local allocation that nothing uses (4).
std::string TwoParameters() {
  return absl::StrCat(
      ParameterAllocation(0, 16, 1), ParameterAllocation(1, 16, 0), Allocation(2, 16),
      Allocation(3, 32), Allocation(4, 8, "is_thread_local: true"),
      "program_shape { parameters ", kF32x4, " parameters ", kF32x4,
      " parameter_names: 'x' parameter_names: 'y' result ", kF32x4, " } ", Output("", 2),
      "thunks { memzero_thunk { dest_buffer { slice { buffer_allocation_index: 3 size: "
      "32 "
      "} } } }");
}

absl::StatusOr<Signature> Of(const std::string& text) {
  return SignatureOf(Parse<wire::GpuExecutableProto>(text));
}

TEST(SignatureTest, SortsAllocationsIntoRoles) {
  const auto signature = Of(TwoParameters());
  ASSERT_TRUE(signature.ok()) << signature.status();
  EXPECT_EQ(signature->program_parameters, 2);
  EXPECT_FALSE(signature->tuple_result);
  ASSERT_EQ(signature->parameters.size(), 2u);
  EXPECT_EQ(signature->parameters[0].number, 0);
  EXPECT_EQ(signature->parameters[0].allocation, 1);
  EXPECT_EQ(signature->parameters[0].name, "x");
  EXPECT_EQ(signature->parameters[0].type.ToString(), "f32[4]");
  EXPECT_EQ(signature->parameters[1].allocation, 0);
  EXPECT_EQ(signature->parameters[1].name, "y");
  ASSERT_EQ(signature->results.size(), 1u);
  EXPECT_EQ(signature->results[0].allocation, 2);
  EXPECT_THAT(signature->results[0].shape_index, IsEmpty());
  EXPECT_FALSE(signature->results[0].aliased_parameter.has_value());
  ASSERT_EQ(signature->temporaries.size(), 1u);
  EXPECT_EQ(signature->temporaries[0].allocation, 3);
  EXPECT_EQ(signature->temporaries[0].size, 32);
  EXPECT_THAT(signature->constants, IsEmpty());
}

TEST(SignatureTest, NumbersMayHaveGaps) {
  const auto signature =
      Of(absl::StrCat(ParameterAllocation(0, 16, 2), "program_shape { parameters ",
                      kF32x4, " parameters ", kF32x4, " parameters ", kF32x4,
                      " result { element_type: TUPLE } }"));
  ASSERT_TRUE(signature.ok()) << signature.status();
  EXPECT_EQ(signature->program_parameters, 3);
  ASSERT_EQ(signature->parameters.size(), 1u);
  EXPECT_EQ(signature->parameters[0].number, 2);
  EXPECT_TRUE(signature->tuple_result);
}

TEST(SignatureTest, TupleParametersHaveOneEntryALeaf) {
  const auto signature = Of(absl::StrCat(
      ParameterAllocation(0, 16, 0, "is_tuple: true"),
      ParameterAllocation(1, 16, 0, "parameter_shape_index: 1"),
      ParameterAllocation(2, 16, 0, "parameter_shape_index: 0"),
      "program_shape { parameters { element_type: TUPLE tuple_shapes ", kF32x4,
      " tuple_shapes ", kF32x4, " } result { element_type: TUPLE } }"));
  ASSERT_TRUE(signature.ok()) << signature.status();
  ASSERT_EQ(signature->parameters.size(), 2u);
  EXPECT_THAT(signature->parameters[0].shape_index, ElementsAre(0));
  EXPECT_EQ(signature->parameters[0].allocation, 2);
  EXPECT_THAT(signature->parameters[1].shape_index, ElementsAre(1));
}

TEST(SignatureTest, RefusesBadParameters) {
  const std::string shape = absl::StrCat("program_shape { parameters ", kF32x4,
                                         " result { element_type: TUPLE } }");
  EXPECT_THAT(Of(ParameterAllocation(0, 16, 1) + shape).status(),
              FailsWith("allocation 0: is parameter 1; the program shape has 1"));
  EXPECT_THAT(Of(ParameterAllocation(0, 16, -1) + shape).status(),
              FailsWith("allocation 0: is parameter -1"));
  EXPECT_THAT(Of(ParameterAllocation(0, 15, 0) + shape).status(),
              FailsWith("allocation 0: has 15 bytes; parameter 0 is f32[4] of 16 bytes"));
  EXPECT_THAT(
      Of(ParameterAllocation(0, 16, 0, "parameter_shape_index: 0") + shape).status(),
      FailsWith("allocation 0: is parameter 0 {0}, which the program shape does not"));
  EXPECT_THAT(
      Of(ParameterAllocation(0, 16, 0) + ParameterAllocation(1, 16, 0) + shape).status(),
      FailsWith("allocation 1: is parameter 0, as allocation 0 is"));
  EXPECT_THAT(Of(ParameterAllocation(0, 16, 0)).status(),
              FailsWith("program shape: missing"));
}

std::string TupleOfTwo() {
  return absl::StrCat("program_shape { parameters ", kF32x4,
                      " result { element_type: TUPLE tuple_shapes ", kF32x4,
                      " tuple_shapes ", kF32x4, " } } ");
}

TEST(SignatureTest, ResultsFollowTheLeaves) {
  // The output map lists the tuple's table too, in any order.
  const auto signature =
      Of(Allocation(0, 16) + Allocation(1, 16) + Allocation(2, 16) + TupleOfTwo() +
         Output("indexes: 1", 0) + Output("", 1) + Output("indexes: 0", 2));
  ASSERT_TRUE(signature.ok()) << signature.status();
  ASSERT_EQ(signature->results.size(), 2u);
  EXPECT_THAT(signature->results[0].shape_index, ElementsAre(0));
  EXPECT_EQ(signature->results[0].allocation, 2);
  EXPECT_EQ(signature->results[1].allocation, 0);
  EXPECT_EQ(signature->results[1].first_in_allocation, 1);
  // The table's allocation is nothing.
  EXPECT_THAT(signature->temporaries, IsEmpty());
}

TEST(SignatureTest, TwoLeavesMayShareAnAllocation) {
  const auto signature = Of(Allocation(0, 16) + TupleOfTwo() + Output("indexes: 0", 0) +
                            Output("indexes: 1", 0));
  ASSERT_TRUE(signature.ok()) << signature.status();
  EXPECT_EQ(signature->results[0].first_in_allocation, 0);
  EXPECT_EQ(signature->results[1].first_in_allocation, 0);
}

TEST(SignatureTest, RefusesBadOutputs) {
  const std::string base = Allocation(0, 16) + TupleOfTwo();
  EXPECT_THAT(Of(base + Output("indexes: 0", 0)).status(),
              FailsWith("output {1}: the output map does not list it"));
  EXPECT_THAT(Of(base + Output("indexes: 2", 0)).status(),
              FailsWith("output {2}: the program shape's result has no such element"));
  EXPECT_THAT(Of(base + Output("indexes: 0", 0) + Output("indexes: 0", 0)).status(),
              FailsWith("output {0}: listed twice"));
  EXPECT_THAT(Of(base + Output("indexes: 0", 9) + Output("indexes: 1", 0)).status(),
              FailsWith("output {0}: refers to allocation 9"));
  EXPECT_THAT(Of(Allocation(0, 8) + TupleOfTwo() + Output("indexes: 0", 0) +
                 Output("indexes: 1", 0))
                  .status(),
              FailsWith("output {0}: allocation 0: has 8 bytes; it is f32[4]"));
}

// One parameter in allocation 0 and one result.
absl::StatusOr<Signature> Aliased(int allocation, const std::string& info) {
  return Of(absl::StrCat(ParameterAllocation(0, 16, 0), Allocation(1, 16),
                         "program_shape { parameters ", kF32x4, " result ", kF32x4, " } ",
                         Output("", allocation, info)));
}

TEST(SignatureTest, AliasesJoinParameterAndResult) {
  const auto signature = Aliased(0, "alias_config { kind: MUST_ALIAS }");
  ASSERT_TRUE(signature.ok()) << signature.status();
  EXPECT_EQ(signature->results[0].aliased_parameter, 0);
  EXPECT_EQ(signature->results[0].alias, AliasKind::kMust);
  EXPECT_EQ(signature->parameters[0].alias, AliasKind::kMust);
  EXPECT_THAT(signature->parameters[0].aliased_results, ElementsAre(0));
  EXPECT_EQ(Aliased(0, "alias_config { kind: MAY_ALIAS }")->results[0].alias,
            AliasKind::kMay);
}

TEST(SignatureTest, PassthroughIsTheParameterItself) {
  const auto signature = Aliased(0, "passthrough: true");
  ASSERT_TRUE(signature.ok()) << signature.status();
  EXPECT_TRUE(signature->results[0].passthrough);
  EXPECT_EQ(signature->results[0].aliased_parameter, 0);
  EXPECT_EQ(signature->results[0].alias, AliasKind::kNone);
}

TEST(SignatureTest, RefusesBadAliases) {
  EXPECT_THAT(
      Aliased(1, "alias_config { kind: MAY_ALIAS }").status(),
      FailsWith("output {}: lies in allocation 1 and aliases parameter 0, which is "
                "allocation 0"));
  EXPECT_THAT(Aliased(0, "alias_config { kind: MAY_ALIAS parameter_number: 1 }").status(),
              FailsWith("output {}: aliases parameter 1, which has no allocation"));
  EXPECT_THAT(
      Aliased(0, "alias_config { kind: MAY_ALIAS parameter_shape_index: 2 }").status(),
      FailsWith("aliases parameter 0 {2}, which has no allocation"));
  EXPECT_THAT(Aliased(0, "alias_config { }").status(), FailsWith("with kind 0"));
  EXPECT_THAT(
      Aliased(0, "").status(),
      FailsWith("output {}: lies in allocation 0, which is parameter 0, and is no "
                "alias of it"));
  EXPECT_THAT(Aliased(1, "passthrough: true").status(),
              FailsWith("passes a parameter through, but allocation 1 is none"));
}

// Two outputs of the kinds given in the memory of one parameter.
absl::StatusOr<Signature> BothIn(const std::string& first, const std::string& second) {
  return Of(absl::StrCat(ParameterAllocation(0, 16, 0), TupleOfTwo(),
                         Output("indexes: 0", 0, first),
                         Output("indexes: 1", 0, second)));
}

TEST(SignatureTest, OneOutputAtMostAliasesAParameter) {
  const std::string may = "alias_config { kind: MAY_ALIAS }";
  const std::string must = "alias_config { kind: MUST_ALIAS }";
  for (const auto& [first, second] : {std::pair(may, may), std::pair(must, may)}) {
    EXPECT_THAT(BothIn(first, second).status(),
                FailsWith("output {1}: aliases parameter 0, as output {0} does"));
  }
  const auto passed_on = BothIn("passthrough: true", "passthrough: true");
  ASSERT_TRUE(passed_on.ok()) << passed_on.status();
  EXPECT_THAT(passed_on->parameters[0].aliased_results, ElementsAre(0, 1));
}

TEST(SignatureTest, ConstantsMayBeResults) {
  const auto signature = Of(absl::StrCat(
      Allocation(0, 16), "program_shape { result ", kF32x4, " } ", Output("", 0),
      "constants { symbol_name: 'loose' allocation_index: -1 } "
      "constants { symbol_name: 'c' allocation_index: 0 }"));
  ASSERT_TRUE(signature.ok()) << signature.status();
  EXPECT_EQ(signature->results[0].constant, 1);
  ASSERT_EQ(signature->constants.size(), 2u);
  EXPECT_EQ(signature->constants[0].allocation, -1);
  EXPECT_EQ(signature->constants[1].size, 16);
}

TEST(SignatureTest, RefusesBadConstants) {
  EXPECT_THAT(
      Of(TwoParameters() + "constants { symbol_name: 'c' allocation_index: 9 }").status(),
      FailsWith("constant 'c': refers to allocation 9"));
  EXPECT_THAT(
      Of(TwoParameters() + "constants { symbol_name: 'c' allocation_index: 0 }").status(),
      FailsWith("constant 'c': lies in allocation 0, which is a parameter"));
  EXPECT_THAT(Of(TwoParameters() + "constants { symbol_name: 'c' allocation_index: 4 } "
                                   "constants { symbol_name: 'd' allocation_index: 4 }")
                  .status(),
              FailsWith("constant 'd': lies in allocation 4, as another constant does"));
}

TEST(SignatureTest, LocalSlicesAreNoUses) {
  const auto signature = SignatureOf(Program({8, 8, 8}, R"pb(
    thunks {
      dynamic_slice_fusion_thunk {
        result_buffers { buffer_allocation_index: 2 size: 8 }
        slice_allocations { size: 8 }
        embedded_thunks { thunks { memzero_thunk { dest_buffer { slice { size: 8 } } } } }
      }
    }
  )pb"));
  ASSERT_TRUE(signature.ok()) << signature.status();
  ASSERT_EQ(signature->temporaries.size(), 1u);
  EXPECT_EQ(signature->temporaries[0].allocation, 2);
}

TEST(SignatureTest, UnknownKindsHideTheTemporaries) {
  const auto signature = SignatureOf(Program({8}, "thunks {}"));
  EXPECT_EQ(signature.status().code(), absl::StatusCode::kUnimplemented);
  EXPECT_THAT(signature.status(), FailsWith("thunks[0]: "));
}

TEST(SignatureTest, WithUnknownKindsAllowedEveryAllocationCounts) {
  wire::GpuExecutableProto program = Program(
      {8, 16, 24}, "constants { symbol_name: 'c' allocation_index: 1 } thunks {}");
  auto signature = SignatureOf(program, UnknownKinds::kAllow);
  ASSERT_TRUE(signature.ok()) << signature.status();
  EXPECT_TRUE(signature->unknown_accesses);
  ASSERT_EQ(signature->temporaries.size(), 2u);
  EXPECT_EQ(signature->temporaries[0].allocation, 0);
  EXPECT_EQ(signature->temporaries[1].allocation, 2);
  program.clear_thunks();
  signature = SignatureOf(program, UnknownKinds::kAllow);
  ASSERT_TRUE(signature.ok()) << signature.status();
  EXPECT_FALSE(signature->unknown_accesses);
  EXPECT_TRUE(signature->temporaries.empty());
}

TEST(SignatureTest, UnknownKindsThatAreEmbeddedSeeTheFusionOnly) {
  const auto signature = SignatureOf(
      Program({8, 8},
              "thunks { dynamic_slice_fusion_thunk { embedded_thunks { thunks {} "
              "} } }"),
      UnknownKinds::kAllow);
  ASSERT_TRUE(signature.ok()) << signature.status();
  EXPECT_FALSE(signature->unknown_accesses);
  EXPECT_TRUE(signature->temporaries.empty());
}

TEST(ShapeTreeTest, LeavesInOrder) {
  const auto shape = Parse<wire::ShapeProto>(R"pb(
    element_type: TUPLE
    tuple_shapes { element_type: F32 }
    tuple_shapes {
      element_type: TUPLE
      tuple_shapes { element_type: S8 }
    }
    tuple_shapes { element_type: TUPLE }
  )pb");
  const auto leaves = LeavesOf(shape);
  ASSERT_TRUE(leaves.ok());
  ASSERT_EQ(leaves->size(), 2u);
  EXPECT_EQ(ToString((*leaves)[0].index), "{0}");
  EXPECT_EQ(ToString((*leaves)[1].index), "{1,0}");
  EXPECT_EQ(SubShape(shape, {1, 0})->element_type(), wire::S8);
  EXPECT_EQ(SubShape(shape, {1, 1}), nullptr);
  EXPECT_EQ(SubShape(shape, {0, 0}), nullptr);
  EXPECT_EQ(SubShape(shape, {-1}), nullptr);
}

TEST(ShapeTreeTest, LeavesAreBounded) {
  wire::ShapeProto shape;
  shape.set_element_type(wire::TUPLE);
  for (int i = 0; i < kMaxLeaves; ++i) shape.add_tuple_shapes();
  EXPECT_TRUE(LeavesOf(shape).ok());
  shape.add_tuple_shapes();
  EXPECT_THAT(LeavesOf(shape).status(), FailsWith("more than 100000 arrays"));
}

TEST(ShapeTreeTest, DepthIsBounded) {
  wire::ShapeProto shape;
  wire::ShapeProto* at = &shape;
  for (int i = 0; i < 5000; ++i) {
    at->set_element_type(wire::TUPLE);
    at = at->add_tuple_shapes();
  }
  EXPECT_THAT(LeavesOf(shape).status(), FailsWith("nested deeper than 64"));
}

// What the file says of the order of arguments.
std::string Order(const std::string& arguments) {
  return TwoParameters() + " thunky { " + arguments + " }";
}

TEST(SignatureTest, ArgumentsAreInTheOrderOfTheFile) {
  const auto signature =
      Of(Order("arguments { allocation: 2 name: 'out' } arguments { allocation: 0 }"
               "arguments { allocation: 1 }"));
  ASSERT_TRUE(signature.ok()) << signature.status();
  ASSERT_EQ(signature->arguments.size(), 3u);
  EXPECT_EQ(signature->arguments[0].allocation, 2);
  EXPECT_EQ(signature->arguments[0].name, "out");
  EXPECT_EQ(signature->arguments[1].allocation, 0);
  EXPECT_THAT(signature->arguments[1].name, IsEmpty());
  EXPECT_EQ(signature->arguments[2].allocation, 1);
  EXPECT_THAT(Of(TwoParameters())->arguments, IsEmpty());
}

TEST(SignatureTest, EachArgumentIsThereOnce) {
  const auto message = [](const std::string& arguments) {
    return std::string(Of(Order(arguments)).status().message());
  };
  EXPECT_EQ(message("arguments { allocation: 1 } arguments { allocation: 3 }"),
            "arguments[1]: allocation 3 is neither a parameter nor a result");
  EXPECT_EQ(message("arguments { allocation: -7 }"),
            "arguments[0]: allocation -7 is neither a parameter nor a result");
  EXPECT_EQ(message("arguments { allocation: 1 } arguments { allocation: 1 }"),
            "arguments[1]: allocation 1 is an earlier argument already");
  EXPECT_EQ(message("arguments { allocation: 2 }"),
            "arguments: expected all 3 parameters and results, found 1; allocation 0 is "
            "not among them");
}

}  // namespace
}  // namespace thunky::schema
