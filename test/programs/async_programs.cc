// Streams: what runs beside what, and what may not.
#include <string>
#include <utility>
#include <vector>

#include "test/programs/program_builder.h"
#include "test/programs/step_kernels.h"
#include "test/programs/test_program.h"

namespace thunky::program_tests {
namespace {

constexpr StreamKind kComputation = StreamKind::kComputation;
constexpr StreamKind kCommunication = StreamKind::kCommunication;

// in, and two results.
struct TwoResults {
  explicit TwoResults(const std::string& name)
      : name(name),
        builder(name),
        in(builder.AddParameter("in", wire::S32, {4})),
        a(builder.AddResult(wire::S32, {4})),
        b(builder.AddResult(wire::S32, {4})) {}
  TestProgram Runs(const std::vector<int32_t>& a_after,
                   const std::vector<int32_t>& b_after) const {
    const Bytes input = I32({1, 2, 3, 4});
    return {.name = name,
            .proto = builder.Build(),
            .arguments = {input, Bytes(16, 0xAA), Bytes(16, 0xAA)},
            .expected = {input, I32(a_after), I32(b_after)}};
  }
  TestProgram IsRefused(std::vector<std::string> message) const {
    TestProgram program = Runs({}, {});
    program.outcome = Outcome::kIsRefused;
    program.expected.clear();
    program.code = absl::StatusCode::kInvalidArgument;
    program.message = std::move(message);
    return program;
  }

  std::string name;
  ProgramBuilder builder;
  Ref in;
  Ref a;
  Ref b;
};

TestProgram WorkBesideAKernel() {
  TwoResults p("work_beside_an_async_kernel");
  p.builder.Add(AsyncStart(1, kComputation, 1, {ScaleEach(p.in, p.a, 10)}));
  p.builder.Add(AddEach(p.in, p.b, 5));
  p.builder.Add(AsyncDone(1));
  p.builder.Add(AddEach(p.a, p.a, 1));
  return p.Runs({11, 21, 31, 41}, {6, 7, 8, 9});
}

TestProgram StartThenDoneAtOnce() {
  TwoResults p("start_then_done_at_once");
  p.builder.Add(AsyncStart(7, kCommunication, 3, {Copy(p.in, p.a)}));
  p.builder.Add(AsyncDone(7));
  p.builder.Add(Copy(p.a, p.b));
  return p.Runs({1, 2, 3, 4}, {1, 2, 3, 4});
}

TestProgram EmptyBody() {
  TwoResults p("empty_async_body");
  p.builder.Add(AsyncStart(7, kComputation, 0, {}));
  p.builder.Add(Copy(p.in, p.a));
  p.builder.Add(AsyncDone(7));
  p.builder.Add(Copy(p.in, p.b));
  return p.Runs({1, 2, 3, 4}, {1, 2, 3, 4});
}

// The body counts in a loop and appends by a conditional; beside it, another
// result is made.
TestProgram BodyWithWhileWithConditional() {
  TwoResults p("async_body_with_while_with_conditional");
  const Ref i = p.builder.AddTemp(wire::S32, {});
  const Ref length = p.builder.AddTemp(wire::S32, {});
  const Ref predicate = p.builder.AddTemp(wire::PRED, {});
  Thunks body = {
      Memzero(i), Memzero(length),
      While(predicate, {LessThan(i, predicate, 4)},
            {Conditional(i, {{AppendTo(p.a, length, 50)}, {AppendTo(p.a, length, 60)}}),
             AddTo(i, 1)})};
  p.builder.Add(AsyncStart(2, kComputation, 1, std::move(body)));
  p.builder.Add(ScaleEach(p.in, p.b, 3));
  p.builder.Add(AsyncDone(2));
  return p.Runs({50, 60, 60, 60}, {3, 6, 9, 12});
}

// Number 1 of both kinds: two streams, neither of them the main one.
TestProgram TwoStreams() {
  TwoResults p("two_streams");
  const Ref left = p.builder.AddTemp(wire::S32, {4});
  const Ref right = p.builder.AddTemp(wire::S32, {4});
  p.builder.Add(AsyncStart(1, kComputation, 1, {AddEach(p.in, left, 100)}));
  p.builder.Add(AsyncStart(2, kCommunication, 1, {AddEach(p.in, right, 200)}));
  p.builder.Add(AsyncDone(2));
  p.builder.Add(AsyncDone(1));
  p.builder.Add(Copy(left, p.b));
  p.builder.Add(Copy(right, p.a));
  return p.Runs({201, 202, 203, 204}, {101, 102, 103, 104});
}

// The second body needs the first one's result: the same stream keeps order.
TestProgram OneStreamInOrder() {
  TwoResults p("one_stream_in_order");
  p.builder.Add(AsyncStart(1, kComputation, 2, {AddEach(p.in, p.a, 1)}));
  p.builder.Add(AsyncStart(2, kComputation, 2, {ScaleEach(p.a, p.b, 2)}));
  p.builder.Add(AsyncDone(1));
  p.builder.Add(AsyncDone(2));
  return p.Runs({2, 3, 4, 5}, {4, 6, 8, 10});
}

TestProgram StartAndDoneInALoop() {
  TwoResults p("start_and_done_in_a_loop");
  const Ref predicate = p.builder.AddTemp(wire::PRED, {});
  p.builder.Add(Copy(p.in, p.a));
  p.builder.Add(Copy(p.in, p.b));
  p.builder.Add(While(predicate, {},
                      {AsyncStart(4, kComputation, 1, {AddEach(p.a, p.a, 1)}),
                       ScaleEach(p.b, p.b, 2), AsyncDone(4)},
                      5));
  return p.Runs({6, 7, 8, 9}, {32, 64, 96, 128});
}

TestProgram AsyncInAnAsyncBody() {
  TwoResults p("async_in_an_async_body");
  p.builder.Add(AsyncStart(1, kComputation, 1,
                           {AsyncStart(2, kCommunication, 1, {AddEach(p.in, p.a, 1)}),
                            AddEach(p.in, p.b, 2), AsyncDone(2), AddEach(p.a, p.a, 10)}));
  p.builder.Add(AsyncDone(1));
  p.builder.Add(AddEach(p.b, p.b, 100));
  return p.Runs({12, 13, 14, 15}, {103, 104, 105, 106});
}

TestProgram TrapInAnAsyncBody() {
  TwoResults p("trap_in_an_async_body");
  p.builder.Add(AsyncStart(1, kComputation, 1, {TrapWhenEqual(p.in.Elements(2, 1), 3)}));
  p.builder.Add(Copy(p.in, p.a));
  p.builder.Add(AsyncDone(1));
  TestProgram program = p.IsRefused({"trap_when_equal", "async"});
  program.outcome = Outcome::kFails;
  program.code = absl::StatusCode::kAborted;
  return program;
}

TestProgram DoneWithoutStart() {
  TwoResults p("done_without_start");
  p.builder.Add(Copy(p.in, p.a));
  p.builder.Add(AsyncDone(9));
  return p.IsRefused({"thunks[1]", "9"});
}

TestProgram StartTwice() {
  TwoResults p("start_twice");
  p.builder.Add(AsyncStart(9, kComputation, 1, {Copy(p.in, p.a)}));
  p.builder.Add(AsyncStart(9, kComputation, 1, {Copy(p.in, p.b)}));
  p.builder.Add(AsyncDone(9));
  return p.IsRefused({"thunks[1]", "9"});
}

TestProgram StartInALoopAndDoneOutside() {
  TwoResults p("start_in_a_loop_and_done_outside");
  const Ref predicate = p.builder.AddTemp(wire::PRED, {});
  p.builder.Add(
      While(predicate, {}, {AsyncStart(9, kComputation, 1, {Copy(p.in, p.a)})}, 1));
  p.builder.Add(AsyncDone(9));
  return p.IsRefused({"thunks[", "9"});
}

TestProgram NeverDone() {
  TwoResults p("never_done");
  p.builder.Add(AsyncStart(9, kComputation, 1, {Copy(p.in, p.a)}));
  return p.IsRefused({"thunks[0]", "9"});
}

}  // namespace

std::vector<TestProgram> AsyncPrograms() {
  return {WorkBesideAKernel(),
          StartThenDoneAtOnce(),
          EmptyBody(),
          BodyWithWhileWithConditional(),
          TwoStreams(),
          OneStreamInOrder(),
          StartAndDoneInALoop(),
          AsyncInAnAsyncBody(),
          TrapInAnAsyncBody(),
          DoneWithoutStart(),
          StartTwice(),
          StartInALoopAndDoneOutside(),
          NeverDone()};
}

}  // namespace thunky::program_tests
