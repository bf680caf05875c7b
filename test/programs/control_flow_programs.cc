// While and conditional, alone and in each other.
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "test/programs/program_builder.h"
#include "test/programs/step_kernels.h"
#include "test/programs/test_program.h"

namespace thunky::program_tests {
namespace {

constexpr int32_t kLowest = std::numeric_limits<int32_t>::min();
constexpr int32_t kHighest = std::numeric_limits<int32_t>::max();

// A builder with one i32 scalar that goes in and comes out.
struct CounterProgram {
  explicit CounterProgram(const std::string& name)
      : name(name),
        builder(name),
        counter(builder.AddParameter("counter", wire::S32, {})) {
    builder.AddAliasedResult(counter, 0);
  }
  TestProgram Runs(int32_t before, int32_t after) const {
    return {.name = name,
            .proto = builder.Build(),
            .arguments = {I32({before})},
            .expected = {I32({after})}};
  }
  TestProgram Stops(Outcome outcome, absl::StatusCode code,
                    std::vector<std::string> message) const {
    return {.name = name,
            .proto = builder.Build(),
            .arguments = {I32({0})},
            .outcome = outcome,
            .code = code,
            .message = std::move(message)};
  }

  std::string name;
  ProgramBuilder builder;
  Ref counter;
};

// Neither the condition's kernel runs nor is its buffer written.
TestProgram KnownTripCount() {
  ProgramBuilder b("known_trip_count");
  const Ref counter = b.AddParameter("counter", wire::S32, {});
  const Ref predicate = b.AddParameter("predicate", wire::PRED, {});
  const Ref conditions = b.AddParameter("conditions", wire::S32, {});
  b.AddAliasedResult(counter, 0);
  b.AddAliasedResult(predicate, 1);
  b.AddAliasedResult(conditions, 2);
  b.Add(While(predicate, {AddTo(conditions, 1), LessThan(counter, predicate, 0)},
              {AddTo(counter, 3)}, 4));
  return {.name = "known_trip_count",
          .proto = b.Build(),
          .arguments = {I32({10}), {7}, I32({0})},
          .expected = {I32({22}), {7}, I32({0})}};
}

// The condition runs before every iteration and once more at the end.
TestProgram UnknownTripCount() {
  ProgramBuilder b("unknown_trip_count");
  const Ref counter = b.AddParameter("counter", wire::S32, {});
  const Ref conditions = b.AddParameter("conditions", wire::S32, {});
  b.AddAliasedResult(counter, 0);
  b.AddAliasedResult(conditions, 1);
  const Ref predicate = b.AddTemp(wire::PRED, {});
  b.Add(While(predicate, {AddTo(conditions, 1), LessThan(counter, predicate, 7)},
              {AddTo(counter, 2)}));
  return {.name = "unknown_trip_count",
          .proto = b.Build(),
          .arguments = {I32({0}), I32({0})},
          .expected = {I32({8}), I32({5})}};
}

TestProgram ConditionFalseAtOnce() {
  CounterProgram p("condition_false_at_once");
  const Ref predicate = p.builder.AddTemp(wire::PRED, {});
  p.builder.Add(
      While(predicate, {LessThan(p.counter, predicate, 7)}, {AddTo(p.counter, 2)}));
  return p.Runs(7, 7);
}

TestProgram ThousandsOfIterations() {
  CounterProgram p("thousands_of_iterations");
  const Ref predicate = p.builder.AddTemp(wire::PRED, {});
  p.builder.Add(
      While(predicate, {LessThan(p.counter, predicate, 3000)}, {AddTo(p.counter, 1)}));
  return p.Runs(0, 3000);
}

// for i < 4: for j < i: total += 1
TestProgram WhileInWhile() {
  ProgramBuilder b("while_in_while");
  const Ref total = b.AddParameter("total", wire::S32, {});
  b.AddAliasedResult(total, 0);
  const Ref i = b.AddTemp(wire::S32, {});
  const Ref j = b.AddTemp(wire::S32, {});
  const Ref outer = b.AddTemp(wire::PRED, {});
  const Ref inner = b.AddTemp(wire::PRED, {});
  b.Add(Memzero(i));
  b.Add(While(outer, {LessThan(i, outer, 4)},
              {Memzero(j),
               While(inner, {LessThanAt(j, i, inner)}, {AddTo(j, 1), AddTo(total, 1)}),
               AddTo(i, 1)}));
  return {.name = "while_in_while",
          .proto = b.Build(),
          .arguments = {I32({100})},
          .expected = {I32({106})}};
}

TestProgram KnownTripCountsInEachOther() {
  CounterProgram p("known_trip_counts_in_each_other");
  const Ref predicate = p.builder.AddTemp(wire::PRED, {2});
  p.builder.Add(While(predicate.Elements(0, 1), {},
                      {While(predicate.Elements(1, 1), {}, {AddTo(p.counter, 1)}, 5),
                       AddTo(p.counter, 100)},
                      3));
  return p.Runs(0, 315);
}

TestProgram ConditionalInWhile() {
  ProgramBuilder b("conditional_in_while");
  const Ref log = b.AddResult(wire::S32, {8});
  const Ref i = b.AddTemp(wire::S32, {});
  const Ref length = b.AddTemp(wire::S32, {});
  const Ref predicate = b.AddTemp(wire::PRED, {});
  b.Add(Memset32(log, 0xffffffff));
  b.Add(Memzero(i));
  b.Add(Memzero(length));
  b.Add(While(predicate, {LessThan(i, predicate, 6)},
              {Conditional(i, {{AppendTo(log, length, 100)},
                               {},
                               {AppendTo(log, length, 102), AppendTo(log, length, 202)},
                               {AppendTo(log, length, 103)}}),
               AddTo(i, 1)}));
  return {.name = "conditional_in_while",
          .proto = b.Build(),
          .arguments = {Bytes(32, 0xAA)},
          .expected = {I32({100, 102, 202, 103, 103, 103, -1, -1})}};
}

TestProgram EmptyBodyAndTripCountZero() {
  CounterProgram p("empty_body_and_trip_count_zero");
  const Ref predicate = p.builder.AddTemp(wire::PRED, {});
  p.builder.Add(While(predicate, {}, {}, 0));
  p.builder.Add(While(predicate, {}, {AddTo(p.counter, 1000)}, 0));
  p.builder.Add(While(predicate, {}, {}, 5));
  p.builder.Add(While(predicate, {LessThan(p.counter, predicate, 0)}, {}));
  p.builder.Add(AddTo(p.counter, 1));
  return p.Runs(41, 42);
}

// Bool: true is branch 0. The branches differ in what they add.
TestProgram BoolConditional(const std::string& name, uint8_t predicate, int32_t after) {
  ProgramBuilder b(name);
  const Ref index = b.AddParameter("predicate", wire::PRED, {});
  const Ref counter = b.AddParameter("counter", wire::S32, {});
  b.AddAliasedResult(counter, 1);
  b.Add(Conditional(index, {{AddTo(counter, 1)}, {AddTo(counter, 10)}}));
  return {.name = name,
          .proto = b.Build(),
          .arguments = {{predicate}, I32({0})},
          .expected = {{predicate}, I32({after})}};
}

// True takes the full branch, false the empty one; then the other way round.
TestProgram EmptyBranch() {
  ProgramBuilder b("empty_branch");
  const Ref index = b.AddParameter("predicates", wire::PRED, {2});
  const Ref counter = b.AddParameter("counter", wire::S32, {});
  b.AddAliasedResult(counter, 1);
  for (int i = 0; i < 2; ++i) {
    b.Add(Conditional(index.Elements(i, 1), {{AddTo(counter, 1)}, {}}));
    b.Add(Conditional(index.Elements(i, 1), {{}, {AddTo(counter, 10)}}));
    b.Add(Conditional(index.Elements(i, 1), {{}, {}}));
  }
  return {.name = "empty_branch",
          .proto = b.Build(),
          .arguments = {{1, 0}, I32({0})},
          .expected = {{1, 0}, I32({11})}};
}

// Every index from the list through one conditional of three branches: out of
// range is the last branch.
TestProgram SwitchIndex() {
  const std::vector<int32_t> indices = {0, 1, 2, 3, -1, kLowest, kHighest, 1};
  ProgramBuilder b("switch_index_out_of_range");
  const Ref index = b.AddParameter("indices", wire::S32, {8});
  const Ref log = b.AddResult(wire::S32, {8});
  const Ref length = b.AddTemp(wire::S32, {});
  b.Add(Memzero(length));
  for (int i = 0; i < 8; ++i) {
    b.Add(Conditional(index.Elements(i, 1), {{AppendTo(log, length, 10)},
                                             {AppendTo(log, length, 11)},
                                             {AppendTo(log, length, 12)}}));
  }
  return {.name = "switch_index_out_of_range",
          .proto = b.Build(),
          .arguments = {I32(indices), Bytes(32, 0xAA)},
          .expected = {I32(indices), I32({10, 11, 12, 12, 12, 12, 12, 11})}};
}

TestProgram SwitchOfOneBranch() {
  ProgramBuilder b("switch_of_one_branch");
  const Ref index = b.AddParameter("index", wire::S32, {});
  const Ref counter = b.AddParameter("counter", wire::S32, {});
  b.AddAliasedResult(counter, 1);
  b.Add(Conditional(index, {{AddTo(counter, 1)}}));
  return {.name = "switch_of_one_branch",
          .proto = b.Build(),
          .arguments = {I32({-7}), I32({0})},
          .expected = {I32({-7}), I32({1})}};
}

TestProgram TrapInIterationThree() {
  CounterProgram p("trap_in_iteration_three");
  const Ref predicate = p.builder.AddTemp(wire::PRED, {});
  p.builder.Add(Memzero(p.counter));
  p.builder.Add(While(predicate, {LessThan(p.counter, predicate, 100)},
                      {TrapWhenEqual(p.counter, 3), AddTo(p.counter, 1)}));
  return p.Stops(Outcome::kFails, absl::StatusCode::kAborted,
                 {"thunks[1].while.body[0]", "trap_when_equal", "iteration 3"});
}

TestProgram EndlessLoop() {
  CounterProgram p("endless_loop");
  const Ref predicate = p.builder.AddTemp(wire::PRED, {});
  p.builder.Add(Memzero(p.counter));
  p.builder.Add(While(predicate, {LessThan(p.counter, predicate, 1)}, {}));
  return p.Stops(Outcome::kNeverEnds, absl::StatusCode::kDeadlineExceeded,
                 {"thunks[1]", "while"});
}

TestProgram EndlessKernelInFourthIteration() {
  CounterProgram p("endless_kernel_in_fourth_iteration");
  const Ref predicate = p.builder.AddTemp(wire::PRED, {});
  p.builder.Add(Memzero(p.counter));
  p.builder.Add(While(predicate, {LessThan(p.counter, predicate, 100)},
                      {EndlessWhenEqual(p.counter, 3), AddTo(p.counter, 1)}));
  return p.Stops(Outcome::kNeverEnds, absl::StatusCode::kDeadlineExceeded,
                 {"thunks[1].while.body[0]", "endless_when_equal", "iteration 3"});
}

// A wrong kind of predicate.
TestProgram PredicateOfFourBytes() {
  CounterProgram p("predicate_of_four_bytes");
  const Ref predicate = p.builder.AddTemp(wire::S32, {});
  p.builder.Add(While(predicate, {}, {AddTo(p.counter, 1)}, 1));
  return p.Stops(Outcome::kIsRefused, absl::StatusCode::kInvalidArgument,
                 {"thunks[0]", "4"});
}

}  // namespace

std::vector<TestProgram> ControlFlowPrograms() {
  return {KnownTripCount(),
          UnknownTripCount(),
          ConditionFalseAtOnce(),
          ThousandsOfIterations(),
          WhileInWhile(),
          KnownTripCountsInEachOther(),
          ConditionalInWhile(),
          EmptyBodyAndTripCountZero(),
          BoolConditional("bool_conditional_true", 1, 1),
          BoolConditional("bool_conditional_false", 0, 10),
          EmptyBranch(),
          SwitchIndex(),
          SwitchOfOneBranch(),
          TrapInIterationThree(),
          EndlessLoop(),
          EndlessKernelInFourthIteration(),
          PredicateOfFourBytes()};
}

}  // namespace thunky::program_tests
