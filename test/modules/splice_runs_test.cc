// Programs that were merged into others compute what they compute alone.
#include "gtest/gtest.h"
#include "mlir/IR/Builders.h"
#include "test/modules/host_program.h"
#include "thunky/compiler/dialect/thunky_dialect.h"
#include "thunky/compiler/transforms/splice.h"

namespace thunky::module_tests {
namespace {

using compiler::ModuleSplicer;
using compiler::TestCompiler;
using Module = mlir::OwningOpRef<mlir::ModuleOp>;

mlir::func::FuncOp mainOf(mlir::ModuleOp module) {
  return module.lookupSymbol<mlir::func::FuncOp>("main");
}

class SpliceRunsTest : public ::testing::Test {
 protected:
  Module read(const std::string& text) {
    Module module = compiler_.read(text);
    EXPECT_TRUE(module) << compiler_.diagnostics();
    return module;
  }

  // Merges before the end of `block`; the arguments past `operands` become scratch.
  std::vector<mlir::Value> splice(ModuleSplicer& splicer, mlir::Block* block,
                                  mlir::ModuleOp callee,
                                  std::vector<mlir::Value> operands) {
    operands.resize(mainOf(callee).getNumArguments());
    mlir::OpBuilder builder = mlir::OpBuilder::atBlockTerminator(block);
    const auto values = splicer.splice(
        builder, mlir::FileLineColLoc::get(compiler_.context(), "app.cc", 41, 1), callee,
        operands);
    EXPECT_TRUE(mlir::succeeded(values)) << compiler_.diagnostics();
    if (mlir::failed(values)) return operands;
    return std::vector<mlir::Value>(values->begin(), values->end());
  }

  std::vector<Bytes> run(mlir::ModuleOp module, const std::vector<Bytes>& arguments) {
    auto program = HostProgram::make(compiler_, module);
    EXPECT_TRUE(program.ok()) << program.status();
    if (!program.ok()) return arguments;
    auto after = program->run(arguments);
    EXPECT_TRUE(after.ok()) << after.status();
    return after.ok() ? *std::move(after) : arguments;
  }

  TestCompiler compiler_;
};

// Both have an f32[64,256] first.
constexpr char kHost[] = R"(
  func.func @main(%x: !thunky.buffer<65536>, %scale: !thunky.buffer<1024>,
                  %shift: !thunky.buffer<1024>,
                  %first: !thunky.buffer<65536> {thunky.results = [array<i64: 0>]},
                  %second: !thunky.buffer<65536> {thunky.results = [array<i64: 1>]}) {
    return
  })";

TEST_F(SpliceRunsTest, OneProgramTakesWhatAnotherOneGave) {
  const JaxProgram norm = readJaxProgram(compiler_, "jax-0.11.2-ptx/layernorm");
  const JaxProgram softmax = readJaxProgram(compiler_, "jax-0.11.2-ptx/softmax");
  ASSERT_TRUE(norm.module && softmax.module);
  const Module host = read(kHost);
  mlir::Block* body = &mainOf(*host).getBody().front();
  ModuleSplicer splicer(*host);
  splice(splicer, body, *norm.module,
         {body->getArgument(0), body->getArgument(1), body->getArgument(2),
          body->getArgument(3)});
  splice(splicer, body, *softmax.module, {body->getArgument(3), body->getArgument(4)});

  const Bytes empty(65536, 0xFF);
  const Bytes &x = norm.arrays.at("in0"), &scale = norm.arrays.at("in1"),
              &shift = norm.arrays.at("in2");
  const auto after = run(*host, {x, scale, shift, empty, empty});
  EXPECT_TRUE(isClose(after[3], norm.arrays.at("out0")));
  EXPECT_EQ(after[4], run(*softmax.module, {after[3], empty})[1]);
}

// Through scratch, and the same program twice: each result is JAX's.
TEST_F(SpliceRunsTest, AProgramRunsTwice) {
  const JaxProgram softmax = readJaxProgram(compiler_, "jax-0.11.2-ptx/softmax");
  ASSERT_TRUE(softmax.module);
  const Module host = read(kHost);
  mlir::Block* body = &mainOf(*host).getBody().front();
  ModuleSplicer splicer(*host);
  const auto first = splice(splicer, body, *softmax.module, {body->getArgument(0)});
  splice(splicer, body, *softmax.module, {body->getArgument(0), body->getArgument(3)});
  splice(splicer, body, *softmax.module, {first[1], body->getArgument(4)});
  const Bytes small(1024), empty(65536, 0xFF);
  const auto after = run(*host, {softmax.arrays.at("in0"), small, small, empty, empty});
  EXPECT_TRUE(isClose(after[3], softmax.arrays.at("out0")));
  EXPECT_EQ(after[4], run(*softmax.module, {after[3], empty})[1]);
}

// In a loop, a branch and beside other work. The callee counts its own iterations, those
// of a loop around it are not among them.
TEST_F(SpliceRunsTest, RegionsRunWhatWasMergedIntoThem) {
  const JaxProgram scan = readJaxProgram(compiler_, "captured/nested_sort_scan");
  ASSERT_TRUE(scan.module);
  auto alone = HostProgram::make(compiler_, *scan.module);
  ASSERT_TRUE(alone.ok()) << alone.status();
  std::vector<Bytes> arguments;
  size_t parameters = 0;
  for (const runtime::Argument& argument : alone->executable().arguments()) {
    if (argument.parameter.has_value()) {
      arguments.push_back(scan.arrays.at("in" + std::to_string(parameters++)));
    } else {
      arguments.emplace_back(argument.size, 0xFF);
    }
    ASSERT_EQ(arguments.back().size(), argument.size);
  }
  const auto expected = alone->run(arguments);
  ASSERT_TRUE(expected.ok()) << expected.status();
  ASSERT_NE(*expected, arguments);

  for (const int region : {0, 1, 2}) {
    SCOPED_TRACE(region);
    std::string list;
    for (size_t i = 0; i < arguments.size(); ++i) {
      list += "%a" + std::to_string(i) + ": !thunky.buffer<" +
              std::to_string(arguments[i].size()) + "> " +
              (i < parameters ? "{thunky.parameter = " + std::to_string(i) + "}"
                              : "{thunky.results = [array<i64: " +
                                    std::to_string(i - parameters) + ">]}") +
              ", ";
    }
    const Module host =
        read("func.func @main(" + list + "%p: !thunky.buffer<1> {thunky.scratch}) {" + R"(
        thunky.memzero %p : <1>
        thunky.while %p : <1> trip_count 3 cond { } body { }
        thunky.cond %p : <1> { }, { }
        %t = thunky.async_start stream 1 { }
        thunky.async_done %t
        return
      })");
    mlir::Block* main = &mainOf(*host).getBody().front();
    mlir::Block* block = nullptr;
    for (mlir::Operation& op : *main) {
      if (region == 0 && llvm::isa<compiler::WhileOp>(op)) {
        block = &op.getRegion(1).front();
      } else if (region == 1 && llvm::isa<compiler::CondOp>(op)) {
        block = &op.getRegion(1).front();
      } else if (region == 2 && llvm::isa<compiler::AsyncStartOp>(op)) {
        block = &op.getRegion(0).front();
      }
    }
    ModuleSplicer splicer(*host);
    std::vector<mlir::Value> operands;
    for (size_t i = 0; i < arguments.size(); ++i) {
      operands.push_back(main->getArgument(i));
    }
    splice(splicer, block, *scan.module, operands);
    EXPECT_EQ(run(*host, arguments), *expected);
  }
}

// A kernel of the callee fails: the error names it and the line that merged it.
TEST_F(SpliceRunsTest, AnErrorNamesTheThunkAndTheCall) {
  const Module callee = read(R"(
    thunky.kernel_code @c {ptx = ".version 8.0\0A.target sm_80\0A.address_size 64\0A.visible .entry k(.param .u64 p) { .reg .u64 %a; ld.param.u64 %a, [p]; st.global.u32 [%a+1048576], 1; ret; }\0A"}
    func.func @main(%a: !thunky.buffer<64>) {
      thunky.ptx_kernel @c "k" grid [1, 1, 1] block [1, 1, 1] (%a write : <64>) {thunky.annotation = "softmax.2"}
      return
    })");
  const Module host = read(R"(func.func @main(%x: !thunky.buffer<64>) { return })");
  mlir::Block* body = &mainOf(*host).getBody().front();
  ModuleSplicer splicer(*host);
  splice(splicer, body, *callee, {body->getArgument(0)});
  auto program = HostProgram::make(compiler_, *host);
  ASSERT_TRUE(program.ok()) << program.status();
  const absl::Status status = program->run({Bytes(64)}).status();
  EXPECT_FALSE(status.ok());
  EXPECT_NE(std::string(status.message()).find("softmax.2 @ app.cc:41"),
            std::string::npos)
      << status;
}

}  // namespace
}  // namespace thunky::module_tests
