#include "thunky/compiler/transforms/splice.h"

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "mlir/IR/Verifier.h"
#include "thunky/compiler/dialect/argument_attributes.h"
#include "thunky/compiler/dialect/proto_attributes.h"
#include "thunky/compiler/library/module_text.h"
#include "thunky/compiler/translate/program_lowering.h"
#include "thunky/compiler/translate/test_modules.h"
#include "thunky/container/fixture_files.h"
#include "thunky/schema/walk.h"

namespace thunky::compiler {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using Module = mlir::OwningOpRef<mlir::ModuleOp>;

class SpliceTest : public ::testing::Test {
 protected:
  Module read(const std::string& text) {
    Module module = compiler_.read(text);
    EXPECT_TRUE(module) << compiler_.diagnostics();
    return module;
  }

  Module importFixture(const std::string& name) {
    auto file = ReadExecutableFile(FixtureExecutable(name));
    EXPECT_TRUE(file.ok()) << file.status();
    Module module = compiler_.import(*std::move(file));
    EXPECT_TRUE(module) << compiler_.diagnostics();
    return module;
  }

  static mlir::func::FuncOp mainOf(mlir::ModuleOp module) {
    return module.lookupSymbol<mlir::func::FuncOp>("main");
  }

  // Before the end of the first block under @main whose first operation is named so,
  // or of @main's.
  static mlir::OpBuilder endOf(mlir::Block* block) {
    return mlir::OpBuilder::atBlockTerminator(block);
  }
  static mlir::OpBuilder endOf(mlir::ModuleOp module) {
    return endOf(&mainOf(module).getBody().front());
  }

  mlir::Location line(unsigned number) {
    return mlir::FileLineColLoc::get(compiler_.context(), "app.cc", number, 1);
  }

  // Splices at the end of the host, with scratch for every argument past `operands`.
  std::vector<mlir::Value> splice(ModuleSplicer& splicer, mlir::OpBuilder builder,
                                  mlir::ModuleOp callee,
                                  std::vector<mlir::Value> operands, int at = 41) {
    operands.resize(mainOf(callee).getNumArguments());
    const auto values = splicer.splice(builder, line(at), callee, operands);
    EXPECT_TRUE(mlir::succeeded(values)) << compiler_.diagnostics();
    if (mlir::failed(values)) return {};
    return std::vector<mlir::Value>(values->begin(), values->end());
  }

  void expectVerifies(mlir::ModuleOp module) {
    EXPECT_TRUE(mlir::succeeded(mlir::verify(module))) << compiler_.diagnostics();
  }

  // Verifies, exports and gives the thunks.
  wire::GpuExecutableProto exported(mlir::ModuleOp module) {
    expectVerifies(module);
    auto file = compiler_.exportFrom(module);
    EXPECT_TRUE(file.has_value()) << compiler_.diagnostics();
    return file.has_value() ? std::move(file->executable) : wire::GpuExecutableProto();
  }

  std::string refusal(mlir::ModuleOp host, mlir::ModuleOp callee,
                      llvm::ArrayRef<mlir::Value> operands) {
    const std::string before = writeText(host, false);
    ModuleSplicer splicer(host);
    mlir::OpBuilder builder = endOf(host);
    EXPECT_TRUE(mlir::failed(splicer.splice(builder, line(7), callee, operands)));
    EXPECT_EQ(writeText(host, false), before);
    return compiler_.diagnostics();
  }

  TestCompiler compiler_;
};

constexpr char kHost[] = R"(
  func.func @main(%x: !thunky.buffer<64>, %y: !thunky.buffer<64>) {
    return
  })";

constexpr char kCopy[] = R"(
  func.func @main(%a: !thunky.buffer<64> {thunky.name = "a"}, %b: !thunky.buffer<64>,
                  %t: !thunky.buffer<64> {thunky.scratch}) {
    thunky.copy %a -> %t {thunky.annotation = "first"} : <64>, <64>
    thunky.copy %t -> %b {thunky.annotation = "", thunky.region = 3} : <64>, <64>
    return
  })";

TEST_F(SpliceTest, OperandsTakeThePlaceOfArguments) {
  const Module host = read(kHost), callee = read(kCopy);
  const std::string before = writeText(*callee, false);
  ModuleSplicer splicer(*host);
  mlir::func::FuncOp main = mainOf(*host);
  const std::vector<mlir::Value> values =
      splice(splicer, endOf(*host), *callee, {main.getArgument(0), main.getArgument(1)});
  ASSERT_EQ(main.getNumArguments(), 3u);
  EXPECT_THAT(values,
              ElementsAre(main.getArgument(0), main.getArgument(1), main.getArgument(2)));
  EXPECT_TRUE(main.getArgAttr(2, kScratch));
  EXPECT_FALSE(main.getArgAttr(0, kName)) << "the callee's";
  EXPECT_EQ(thunkOpsOf(*host), "thunky.copy, thunky.copy");
  EXPECT_EQ(writeText(*callee, false), before);
  const wire::GpuExecutableProto proto = exported(*host);
  EXPECT_EQ(proto.thunks(0).thunk_info().profile_annotation(), "first @ app.cc:41");
  EXPECT_EQ(proto.thunks(1).thunk_info().profile_annotation(), "copy @ app.cc:41");
  EXPECT_EQ(proto.thunks(1).thunk_info().concurrent_region_id(), 3);
}

TEST_F(SpliceTest, EachTimeHasScratchOfItsOwn) {
  const Module host = read(kHost), callee = read(kCopy);
  ModuleSplicer splicer(*host);
  mlir::func::FuncOp main = mainOf(*host);
  const auto first = splice(splicer, endOf(*host), *callee, {main.getArgument(0)});
  const auto second = splice(splicer, endOf(*host), *callee, {first[1]}, 42);
  EXPECT_EQ(main.getNumArguments(), 6u);
  EXPECT_NE(first[2], second[2]);
  EXPECT_EQ(second[0], first[1]);
  EXPECT_THAT(writeText(*host, false), AllOf(HasSubstr("thunky.copy %arg0 -> %arg3"),
                                             HasSubstr("thunky.copy %arg3 -> %arg2"),
                                             HasSubstr("thunky.copy %arg2 -> %arg5"),
                                             HasSubstr("thunky.copy %arg5 -> %arg4")));
  exported(*host);
}

TEST_F(SpliceTest, OneViewServesAsSeveralArguments) {
  const Module host = read(R"(
    func.func @main(%x: !thunky.buffer<256>) {
      %0 = thunky.slice_buffer %x[64] : <256> -> <64>
      return
    })");
  const Module callee = read(kCopy);
  ModuleSplicer splicer(*host);
  mlir::OpBuilder builder = endOf(*host);
  const mlir::Value view = builder.getInsertionPoint()->getPrevNode()->getResult(0);
  splice(splicer, builder, *callee, {view, view});
  const wire::GpuExecutableProto proto = exported(*host);
  const auto& last = proto.thunks(1).device_to_device_copy_thunk().copy_thunk();
  EXPECT_EQ(last.destination_buffer().slice().buffer_allocation_index(), 0);
  EXPECT_EQ(last.destination_buffer().slice().offset(), 64);
}

TEST_F(SpliceTest, CallsAreInlined) {
  const Module host = read(kHost);
  const Module callee = read(R"(
    func.func private @inner(%a: !thunky.buffer<64>) {
      %c = thunky.constant "abcd" -> <64>
      thunky.copy %c -> %a : <64>, <64>
      return
    }
    func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<64>) {
      func.call @inner(%a) : (!thunky.buffer<64>) -> ()
      func.call @inner(%b) : (!thunky.buffer<64>) -> ()
      return
    })");
  const std::string before = writeText(*callee, false);
  ModuleSplicer splicer(*host);
  splice(splicer, endOf(*host), *callee, {});
  EXPECT_EQ(thunkOpsOf(*host), "thunky.copy, thunky.copy");
  EXPECT_EQ(exported(*host).constants_size(), 1);
  EXPECT_EQ(writeText(*callee, false), before);
}

// Locations of a program in text are its own; who called is known besides.
TEST_F(SpliceTest, AnOperationWithALineKeepsIt) {
  const Module host = read(kHost);
  const Module callee = read(
      "func.func @main(%a: !thunky.buffer<64>) {\n"
      "  thunky.memzero %a : <64>\n"
      "  return\n}");
  ModuleSplicer splicer(*host);
  splice(splicer, endOf(*host), *callee, {});
  EXPECT_THAT(exported(*host).thunks(0).thunk_info().profile_annotation(),
              HasSubstr("memzero @ module:2"));
  mainOf(*host).walk([&](MemzeroOp op) {
    const auto call = llvm::dyn_cast<mlir::CallSiteLoc>(op->getLoc());
    ASSERT_TRUE(call);
    EXPECT_EQ(call.getCaller(), line(41));
  });
}

TEST_F(SpliceTest, ANameWithoutALineGetsThatOfTheCall) {
  const Module host = read(kHost), callee = read(kCopy);
  mainOf(*callee).walk([&](CopyOp op) {
    op->removeAttr(kAnnotation);
    op->setLoc(
        mlir::NameLoc::get(mlir::StringAttr::get(compiler_.context(), "softmax.2")));
  });
  ModuleSplicer splicer(*host);
  splice(splicer, endOf(*host), *callee, {});
  EXPECT_EQ(exported(*host).thunks(0).thunk_info().profile_annotation(),
            "softmax.2 @ app.cc:41");
}

// A program that was merged into one that was merged: the line nearest to the work.
TEST_F(SpliceTest, TheInnermostCallIsNamed) {
  const Module host = read(kHost), middle = read(kHost), callee = read(kCopy);
  ModuleSplicer inner(*middle);
  splice(inner, endOf(*middle), *callee, {}, 5);
  ModuleSplicer outer(*host);
  splice(outer, endOf(*host), *middle, {}, 9);
  EXPECT_EQ(exported(*host).thunks(0).thunk_info().profile_annotation(),
            "first @ app.cc:5");
}

// --- Constants.

constexpr char kConstants[] = R"(
  func.func @main(%a: !thunky.buffer<16>, %p: !thunky.buffer<1>) {
    %unused = thunky.constant "nobody" -> <8>
    %0 = thunky.constant "abcd" {name = "c"} -> <16>
    %1 = thunky.constant dense<[97, 98, 99, 100, 0]> : tensor<5xi8> {name = "d"} -> <16>
    thunky.copy %0 -> %a : <16>, <16>
    thunky.cond %p : <1> {
      %2 = thunky.constant "other" {name = "e"} -> <16>
      thunky.copy %2 -> %a : <16>, <16>
    }, {
      thunky.copy %1 -> %a : <16>, <16>
    }
    return
  })";

std::vector<std::string> constantNames(const wire::GpuExecutableProto& proto) {
  std::vector<std::string> names;
  for (const auto& constant : proto.constants()) names.push_back(constant.symbol_name());
  return names;
}

TEST_F(SpliceTest, ConstantsWithEqualBytesAreOne) {
  const Module host = read(R"(func.func @main() { return })");
  const Module callee = read(kConstants);
  ModuleSplicer splicer(*host);
  splice(splicer, endOf(*host), *callee, {});
  splice(splicer, endOf(*host), *callee, {});
  EXPECT_THAT(constantNames(exported(*host)), ElementsAre("c", "e"));
}

TEST_F(SpliceTest, ConstantsOfTheHostServe) {
  const Module host = read(R"(
    func.func @main() {
      %0 = thunky.constant "abcd" {name = "mine"} -> <16>
      %1 = thunky.constant "abcd" {name = "e"} -> <8>
      return
    })");
  const Module callee = read(kConstants);
  ModuleSplicer splicer(*host);
  splice(splicer, endOf(*host), *callee, {});
  EXPECT_THAT(constantNames(exported(*host)), ElementsAre("mine", "e", "e_0"));
}

TEST_F(SpliceTest, ConstantsStandBeforeWhatUsesThem) {
  const Module host = read(R"(
    func.func @main(%a: !thunky.buffer<16>) {
      %0 = thunky.constant "host" -> <16>
      thunky.copy %0 -> %a : <16>, <16>
      return
    })");
  const Module callee = read(kConstants);
  ModuleSplicer splicer(*host);
  splice(splicer, mlir::OpBuilder::atBlockBegin(&mainOf(*host).getBody().front()),
         *callee, {});
  EXPECT_EQ(thunkOpsOf(*host),
            "thunky.copy, thunky.cond, thunky.copy, thunky.copy, thunky.copy");
  EXPECT_EQ(exported(*host).constants_size(), 3);
}

// --- Kernel code.

std::string ptxOf(llvm::StringRef entry) {
  return absl::StrCat(
      ".version 8.0\\0A.target sm_80\\0A.address_size 64\\0A.visible .entry ",
      entry.str(), "() { ret; }\\0A");
}

std::string kernelModule(llvm::StringRef symbol, llvm::StringRef entry) {
  return absl::StrCat("thunky.kernel_code @", symbol.str(), " {ptx = \"", ptxOf(entry),
                      "\"}\nfunc.func @main() {\n  thunky.ptx_kernel @", symbol.str(),
                      " \"", entry.str(),
                      "\" grid [1, 1, 1] block [1, 1, 1] ()\n  return\n}");
}

std::vector<std::string> symbolsOf(mlir::ModuleOp module) {
  std::vector<std::string> names;
  for (auto op : module.getOps<KernelCodeOp>()) names.push_back(op.getSymName().str());
  return names;
}

TEST_F(SpliceTest, CodeIsSharedByContent) {
  const Module host = read(kernelModule("mine", "k"));
  const Module same = read(kernelModule("other", "k"));
  const Module clash = read(kernelModule("mine", "l"));
  ModuleSplicer splicer(*host);
  splice(splicer, endOf(*host), *same, {});
  EXPECT_THAT(symbolsOf(*host), ElementsAre("mine"));
  splice(splicer, endOf(*host), *clash, {});
  splice(splicer, endOf(*host), *clash, {});
  EXPECT_THAT(symbolsOf(*host), ElementsAre("mine", "mine_0"));
  const wire::GpuExecutableProto proto = exported(*host);
  ASSERT_EQ(proto.thunks_size(), 4);
  const auto entry = [&](int i) {
    return proto.thunks(i).custom_kernel_thunk().custom_kernel().kernel_spec();
  };
  EXPECT_EQ(entry(1).kernel_name(), "k");
  EXPECT_EQ(entry(3).kernel_name(), "l");
  EXPECT_THAT(entry(3).ptx().data(), HasSubstr(".entry l()"));
}

// The same PTX as a string, as a resource and beside a cubin.
TEST_F(SpliceTest, TheFormOfCodeDoesNotMatterAndAllOfItDoes) {
  const Module host = read(kernelModule("code", "k"));
  const Module callee = read(kernelModule("code", "k"));
  auto code = *mlir::ModuleOp(*callee).getOps<KernelCodeOp>().begin();
  const std::string text =
      llvm::cast<mlir::StringAttr>(code.getPtxAttr()).getValue().str();
  const auto type =
      mlir::RankedTensorType::get({static_cast<int64_t>(text.size())},
                                  mlir::IntegerType::get(compiler_.context(), 8));
  code.setPtxAttr(mlir::DenseElementsAttr::getFromRawBuffer(
      type, llvm::ArrayRef(text.data(), text.size())));
  ModuleSplicer splicer(*host);
  splice(splicer, endOf(*host), *callee, {});
  EXPECT_THAT(symbolsOf(*host), ElementsAre("code"));

  const std::string cubin = TestFile("cubins/cuda13_sm_90a.cubin");
  const Module both = read(kernelModule("code", "two"));
  mlir::Builder builder(compiler_.context());
  auto more = *mlir::ModuleOp(*both).getOps<KernelCodeOp>().begin();
  more.setCubinsAttr(builder.getDictionaryAttr(
      builder.getNamedAttr("sm_90a", builder.getStringAttr(cubin))));
  const Module one = read(kernelModule("code", "two"));
  splice(splicer, endOf(*host), *both, {});
  splice(splicer, endOf(*host), *one, {});
  EXPECT_THAT(symbolsOf(*host), ElementsAre("code", "code_0", "code_1"));
  expectVerifies(*host);
}

TEST_F(SpliceTest, CodeInPayloadsIsMergedToo) {
  constexpr char kPayload[] =
      R"(custom_kernel_thunk { custom_kernel { kernel_spec { kernel_name: 'k' arity: 0 } block_dims { coordinates { x: 1 y: 1 z: 1 } } thread_dims { coordinates { x: 1 y: 1 z: 1 } } } })";
  const Module host = read(kernelModule("code", "l"));
  const Module callee = read(
      absl::StrCat("thunky.kernel_code @code {ptx = \"", ptxOf("k"),
                   "\"}\nfunc.func @main() {\n  thunky.call_thunk_proto \"k\" text \"",
                   kPayload, "\" () {code = [@code]}\n  return\n}"));
  ModuleSplicer splicer(*host);
  splice(splicer, endOf(*host), *callee, {});
  EXPECT_THAT(exported(*host)
                  .thunks(1)
                  .custom_kernel_thunk()
                  .custom_kernel()
                  .kernel_spec()
                  .ptx()
                  .data(),
              HasSubstr(".entry k()"));
}

// --- Regions.

constexpr char kRegions[] = R"(
  func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<64>, %p: !thunky.buffer<1>) {
    thunky.while %p : <1> trip_count 3 cond { } body { thunky.memzero %p : <1> }
    thunky.cond %p : <1> { thunky.memzero %p : <1> }, { }
    %t = thunky.async_start stream 1 { thunky.memzero %a : <64> }
    thunky.async_done %t
    return
  })";

TEST_F(SpliceTest, RegionsOfEveryKindTakePrograms) {
  const Module host = read(kRegions), callee = read(kCopy);
  const Module loops = importFixture("jax-0.11.2-ptx/while_collatz");
  ModuleSplicer splicer(*host);
  mlir::func::FuncOp main = mainOf(*host);
  std::vector<mlir::Block*> blocks;
  main.walk([&](MemzeroOp op) { blocks.push_back(op->getBlock()); });
  ASSERT_EQ(blocks.size(), 3u);
  for (mlir::Block* block : blocks) {
    splice(splicer, endOf(block), *callee, {main.getArgument(0), main.getArgument(1)});
    splice(splicer, endOf(block), *loops, {});
  }
  EXPECT_EQ(main.getNumArguments(), 3u + 3 * (1 + 4));
  const wire::GpuExecutableProto proto = exported(*host);
  const auto& loop = proto.thunks(0).while_thunk().body_thunk_sequence();
  ASSERT_EQ(loop.thunks_size(), 6);
  EXPECT_TRUE(loop.thunks(5).has_while_thunk());
  EXPECT_EQ(proto.constants_size(), 1);
  EXPECT_EQ(symbolsOf(*host).size(), 3u);
}

// Loops are counted from the inside, so that one more around them shifts nothing.
TEST_F(SpliceTest, IterationsOfTheCalleesLoopsStayItsOwn) {
  const Module host = read(kRegions);
  const Module callee = importFixture("captured/nested_sort_scan");
  const auto payloads = [](mlir::ModuleOp module) {
    std::vector<std::string> all;
    module.walk([&](CallThunkProtoOp op) { all.push_back(op.getThunkProto().str()); });
    return all;
  };
  ASSERT_FALSE(payloads(*callee).empty());
  ModuleSplicer splicer(*host);
  mlir::Block* body = nullptr;
  mainOf(*host).walk([&](WhileOp op) { body = &op.getBody().front(); });
  splice(splicer, endOf(body), *callee, {});
  EXPECT_EQ(payloads(*host), payloads(*callee));
  exported(*host);
}

// --- Programs from JAX.

TEST_F(SpliceTest, EveryProgramOfJaxCanBeMergedTwice) {
  for (const std::string& name : FixtureNames()) {
    SCOPED_TRACE(name);
    TestCompiler compiler;
    auto file = ReadExecutableFile(FixtureExecutable(name));
    ASSERT_TRUE(file.ok()) << file.status();
    const Module callee = compiler.import(*std::move(file));
    const Module host = compiler.read("func.func @main() { return }");
    ASSERT_TRUE(callee && host) << compiler.diagnostics();
    ModuleSplicer splicer(*host);
    const llvm::SmallVector<mlir::Value> none(mainOf(*callee).getNumArguments());
    for (int i = 0; i < 2; ++i) {
      mlir::OpBuilder builder = endOf(*host);
      const auto values = splicer.splice(
          builder, mlir::UnknownLoc::get(compiler.context()), *callee, none);
      ASSERT_TRUE(mlir::succeeded(values)) << compiler.diagnostics();
    }
    EXPECT_TRUE(mlir::succeeded(mlir::verify(*host))) << compiler.diagnostics();
    EXPECT_EQ(mainOf(*host).getNumArguments(), 2 * none.size());
    const std::string once = thunkOpsOf(*callee);
    EXPECT_EQ(thunkOpsOf(*host), once.empty() ? "" : once + ", " + once);
    EXPECT_LE(symbolsOf(*host).size(), symbolsOf(*callee).size());
    const auto exported = compiler.exportFrom(*host);
    EXPECT_TRUE(exported.has_value()) << compiler.diagnostics();
  }
}

// A program from JAX can be the host: its parameters and results stay.
TEST_F(SpliceTest, AnImportedProgramTakesAnother) {
  const Module host = importFixture("jax-0.11.2-ptx/softmax");
  const Module callee = importFixture("jax-0.11.2-ptx/layernorm");
  ModuleSplicer splicer(*host);
  splice(splicer, endOf(*host), *callee, {mainOf(*host).getArgument(0)});
  auto file = compiler_.exportFrom(*host, CodePlacement::kCubinFirst, true);
  ASSERT_TRUE(file.has_value()) << compiler_.diagnostics();
  EXPECT_EQ(file->executable.thunks_size(), 2);
}

// --- What is refused.

TEST_F(SpliceTest, OperandsMustFit) {
  const Module host = read(kHost), callee = read(kCopy);
  EXPECT_THAT(refusal(*host, *callee, {}),
              HasSubstr("a program of 3 arguments is given 0 buffers"));
  const Module small = read("func.func @main(%a: !thunky.buffer<8>) { return }");
  EXPECT_THAT(refusal(*host, *small, {mainOf(*host).getArgument(1)}),
              HasSubstr("argument 0 of the program is a '!thunky.buffer<8>' and is given "
                        "a '!thunky.buffer<64>'"));
}

TEST_F(SpliceTest, CalleeMustBeAProgram) {
  const Module host = read(kHost);
  const Module noMain = read("module { }");
  EXPECT_THAT(refusal(*host, *noMain, {}), HasSubstr("no public function @main"));
  const Module endless = read(R"(
    func.func private @f() {
      func.call @f() : () -> ()
      return
    }
    func.func @main() {
      func.call @f() : () -> ()
      return
    })");
  EXPECT_THAT(refusal(*host, *endless, {}), HasSubstr("calls itself"));
  const Module open = read(R"(
    func.func private @f()
    func.func @main() {
      func.call @f() : () -> ()
      return
    })");
  EXPECT_THAT(refusal(*host, *open, {}), HasSubstr("is left after inlining"));
}

TEST_F(SpliceTest, TheInsertionPointMustBeInMain) {
  const Module host =
      read("func.func private @f() { return } func.func @main() { return }");
  const Module callee = read("func.func @main() { return }");
  ModuleSplicer splicer(*host);
  mlir::OpBuilder builder = endOf(
      &mlir::ModuleOp(*host).lookupSymbol<mlir::func::FuncOp>("f").getBody().front());
  EXPECT_TRUE(mlir::failed(splicer.splice(builder, line(3), *callee, {})));
  EXPECT_THAT(compiler_.diagnostics(), HasSubstr("outside of @main"));
}

// A field that no kind has.
constexpr char kUnknown[] =
    R"(func.func @main(%a: !thunky.buffer<64>) {
      thunky.call_thunk_proto "newer" bytes "\A2\06\00" (%a : <64>)
      return
    })";

TEST_F(SpliceTest, AThunkOfAnUnknownKindIsNamed) {
  const Module host = read(kHost), callee = read(kUnknown);
  EXPECT_THAT(
      refusal(*host, *callee, {mainOf(*host).getArgument(0)}),
      AllOf(HasSubstr("cannot be merged into another one"),
            HasSubstr("the thunk 'newer' is of a kind this build does not know")));
  const Module opaque = read(kUnknown);
  (*opaque)->setAttr(kKeepAllocations, mlir::UnitAttr::get(compiler_.context()));
  EXPECT_THAT(refusal(*opaque, *host, {{}, {}}),
              AllOf(HasSubstr("nothing can be merged into"), HasSubstr("'newer'")));
}

// --- Cost.

double secondsOf(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

TEST_F(SpliceTest, ManyTimesCostsInProportion) {
  const Module callee = read(kCopy);
  const auto times = [&](int count) {
    const Module host = read(kHost);
    const double seconds = secondsOf([&] {
      ModuleSplicer splicer(*host);
      for (int i = 0; i < count; ++i) {
        splice(splicer, endOf(*host), *callee,
               {mainOf(*host).getArgument(0), mainOf(*host).getArgument(1)}, i + 1);
      }
    });
    EXPECT_EQ(mainOf(*host).getNumArguments(), 2u + count);
    return seconds;
  };
  times(10);
  RecordProperty("seconds_1000", absl::StrCat(times(1000)));
  RecordProperty("seconds_4000", absl::StrCat(times(4000)));
}

TEST_F(SpliceTest, ATransformerTenTimes) {
  const Module callee = importFixture("bench/flax_lm12_forward");
  const Module host = read("func.func @main() { return }");
  ModuleSplicer splicer(*host);
  for (int i = 0; i < 10; ++i) splice(splicer, endOf(*host), *callee, {}, i + 1);
  EXPECT_EQ(mainOf(*host).getNumArguments(), 2000u);
  EXPECT_EQ(symbolsOf(*host).size(), symbolsOf(*callee).size());
  expectVerifies(*host);
}

}  // namespace
}  // namespace thunky::compiler
