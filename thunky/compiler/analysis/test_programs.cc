#include "thunky/compiler/analysis/test_programs.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "gtest/gtest.h"
#include "thunky/compiler/translate/test_modules.h"

namespace thunky::compiler {
namespace {

// A buffer as an operand: the operations before it, its name, its size.
struct Operand {
  std::string before;
  std::string name;
  int size = 64;
};

Operand operand(const std::string& text) {
  static int count = 0;
  const size_t bracket = text.find('[');
  const std::string root = text.substr(0, bracket);
  const int whole = root == "%p" || root == "%q" ? 1 : root == "%i" ? 4 : 64;
  if (bracket == std::string::npos) return {"", root, whole};
  int begin = 0;
  int end = 0;
  EXPECT_EQ(std::sscanf(text.c_str() + bracket, "[%d:%d]", &begin, &end), 2) << text;
  const std::string name = absl::StrCat("%v", count++);
  return {absl::StrCat(name, " = thunky.slice_buffer ", root, "[", begin, "] : <", whole,
                       "> -> <", end - begin, ">\n"),
          name, end - begin};
}

constexpr char kCode[] =
    "thunky.kernel_code @k {ptx = \".version 8.0\\0A.target sm_80\\0A.address_size "
    "64\\0A.visible .entry k1(.param .u64 a) { ret; }\\0A.visible .entry k2(.param .u64 "
    "a, .param .u64 b) { ret; }\\0A.visible .entry k3(.param .u64 a, .param .u64 b, "
    ".param .u64 c) { ret; }\\0A\"}\n";

}  // namespace

std::string program(const std::string& body) {
  return absl::StrCat(
      kCode,
      "func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<64>, %c: "
      "!thunky.buffer<64>, %p: !thunky.buffer<1>, %i: !thunky.buffer<4>, %s: "
      "!thunky.buffer<64> {thunky.scratch}, %t: !thunky.buffer<64> {thunky.scratch}, "
      "%q: !thunky.buffer<1> {thunky.scratch}) {\n",
      body, "return\n}\n");
}

std::string zero(const std::string& buffer) {
  const Operand to = operand(buffer);
  return absl::StrCat(to.before, "thunky.memzero ", to.name, " : <", to.size, ">\n");
}

std::string copy(const std::string& from, const std::string& to) {
  const Operand source = operand(from);
  const Operand destination = operand(to);
  return absl::StrCat(source.before, destination.before, "thunky.copy ", source.name,
                      " -> ", destination.name, " : <", source.size, ">, <",
                      destination.size, ">\n");
}

std::string kernel(const std::vector<std::string>& arguments) {
  std::string before;
  std::vector<std::string> list;
  for (const std::string& argument : arguments) {
    const std::vector<std::string> words = absl::StrSplit(argument, ' ');
    const Operand buffer = operand(words[0]);
    before += buffer.before;
    list.push_back(absl::StrCat(buffer.name, " ", words[1], " : <", buffer.size, ">"));
  }
  return absl::StrCat(before, "thunky.ptx_kernel @k \"k", list.size(),
                      "\" grid [1, 1, 1] block [1, 1, 1] (", absl::StrJoin(list, ", "),
                      ")\n");
}

std::string reduce(const std::string& from, const std::string& to) {
  const Operand source = operand(from);
  const Operand destination = operand(to);
  return absl::StrCat(source.before, destination.before, "thunky.all_reduce sum (",
                      source.name, " : <", source.size, ">) -> (", destination.name,
                      " : <", destination.size,
                      ">) mode cross_replica {element_type = f32}\n");
}

std::string gather(const std::string& buffer) {
  const Operand both = operand(buffer);
  return absl::StrCat(both.before, "thunky.all_gather (", both.name, " : <", both.size,
                      ">) -> (", both.name, " : <", both.size,
                      ">) mode cross_replica {element_type = f32, replica_groups = "
                      "[[0]]}\n");
}

std::string start(const std::string& token, const std::string& stream,
                  const std::string& body) {
  return absl::StrCat(token, " = thunky.async_start stream ", stream, " {\n", body,
                      "}\n");
}

std::string done(const std::string& token) {
  return absl::StrCat("thunky.async_done ", token, "\n");
}

std::string async(const std::string& token, const std::string& stream,
                  const std::string& body) {
  return start(token, stream, body) + done(token);
}

std::string cond(const std::string& yes, const std::string& no) {
  return absl::StrCat("thunky.cond %p : <1> {\n", yes, "}, {\n", no, "}\n");
}

std::string choose(const std::vector<std::string>& branches) {
  return absl::StrCat("thunky.cond %i : <4> {\n", absl::StrJoin(branches, "}, {\n"),
                      "}\n");
}

std::string repeat(const std::string& body, const std::string& condition) {
  return absl::StrCat("thunky.while %q : <1> cond {\n", zero("%q"), condition,
                      "} body {\n", body, "}\n");
}

std::string repeat(int times, const std::string& body) {
  return absl::StrCat("thunky.while %q : <1> trip_count ", times, " cond {\n} body {\n",
                      body, "}\n");
}

std::string group(const std::string& body) {
  return absl::StrCat("thunky.collective_group {\n", body, "}\n");
}

std::vector<std::string> verdict(const std::string& body) {
  TestCompiler compiler;
  auto module = compiler.read(program(body));
  EXPECT_TRUE(module) << compiler.diagnostics() << program(body);
  if (!module) return {"no module"};
  const auto report = findHazards(module->lookupSymbol<mlir::func::FuncOp>("main"));
  EXPECT_TRUE(mlir::succeeded(report)) << compiler.diagnostics();
  if (mlir::failed(report)) return {"no report"};
  std::vector<std::string> lines;
  for (const Hazard& hazard : report->hazards) {
    std::string line =
        absl::StrCat(hazard.severity == Severity::kError ? "error " : "warning ",
                     hazardKindName(hazard.kind).str(), ": ",
                     hazard.first.op->getName().stripDialect().str());
    if (hazard.second.op != nullptr) {
      absl::StrAppend(&line, ", ", hazard.second.op->getName().stripDialect().str());
    }
    if (hazard.range.root) {
      absl::StrAppend(&line, ": ", describeBuffer(hazard.range.root), " [",
                      hazard.range.offset, ", ", hazard.range.offset + hazard.range.size,
                      ")");
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

std::vector<std::string> racesOf(const std::string& body) {
  std::vector<std::string> lines = verdict(body);
  llvm::erase_if(lines, [](const std::string& line) {
    return line.find(" race: ") == std::string::npos;
  });
  return lines;
}

}  // namespace thunky::compiler
