// Arguments of `run`: counts, types, layouts, and files that are not what they
// say.
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "test/cli/thunky_process.h"
#include "thunky/tooling/npz.h"

namespace thunky::cli_tests {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

// One copy of a f32[2,3] parameter called "matrix"; LAYOUT is its minor-to-major
// order.
std::string CopyProgram(const std::string& type, const std::string& layout) {
  const std::string shape = "element_type: " + type +
                            " dimensions: 2 dimensions: 3 is_dynamic_dimension: false "
                            "is_dynamic_dimension: false layout { " +
                            layout + " tail_padding_alignment_in_elements: 1 }";
  const std::string c_order =
      "element_type: " + type +
      " dimensions: 2 dimensions: 3 is_dynamic_dimension: false "
      "is_dynamic_dimension: false layout { minor_to_major: 1 minor_to_major: 0 "
      "tail_padding_alignment_in_elements: 1 }";
  const std::string size = type == "F32" ? "24" : "6";
  return "module_name: 'copy'\n"
         "program_shape { parameters { " +
         shape + " } result { " + c_order +
         " } parameter_names: 'matrix' }\n"
         "buffer_allocations { values { size: " +
         size +
         " is_entry_computation_parameter: true } values { index: 1 size: " + size +
         " maybe_live_out: true } }\n"
         "output_info_map { shape_index { } output_info { allocation_index: 1 } }\n"
         "thunks { thunk_info { thunk_id: 1 } device_to_device_copy_thunk { copy_thunk "
         "{\n"
         "  source_buffer { slice { size: " +
         size + " } shape { " + shape +
         " } }\n"
         "  destination_buffer { slice { size: " +
         size + " buffer_allocation_index: 1 } shape { " + shape +
         " } }\n"
         "  mem_size: " +
         size + " } } }\n";
}

class RunInputsTest : public CliTest {
 protected:
  ProcessResult RunSaxpy(const std::vector<std::string>& inputs) {
    std::vector<std::string> arguments = {"run", Jax("saxpy", "executable.bin"),
                                          "--kernels", Jax("saxpy", "kernels")};
    for (const std::string& input : inputs) {
      arguments.insert(arguments.end(), {"--input", input});
    }
    return Thunky(std::move(arguments));
  }
  void ExpectRefused(const ProcessResult& result, const std::string& message) {
    EXPECT_EQ(result.exit_code, 2) << result;
    EXPECT_THAT(result.first_error_line(), HasSubstr(message));
    EXPECT_THAT(result.out, IsEmpty());
  }

  // The arguments of saxpy: f32[], f32[4096], f32[4096].
  const std::vector<float> values_ = std::vector<float>(4096, 2);
  const TestArray in0_ = Floats("in0", {}, {3});
  const TestArray in1_ = Floats("in1", {4096}, values_);
  const TestArray in2_ = Floats("in2", {4096}, values_);
};

TEST_F(RunInputsTest, NpyFilesInOrder) {
  const ProcessResult result = RunSaxpy({WriteNpy(in0_), WriteNpy(in1_), WriteNpy(in2_)});
  EXPECT_EQ(result.exit_code, 0) << result;
  EXPECT_THAT(result.out, HasSubstr("out0 f32[4096]: 8, 8, 8"));
}

TEST_F(RunInputsTest, OneNpzFile) {
  EXPECT_EQ(RunSaxpy({WriteNpz("io.npz", {in2_, in0_, in1_})}).exit_code, 0);
}

TEST_F(RunInputsTest, Counts) {
  const std::string expected =
      "executable.bin: arguments: expected 3 (in0 f32[], in1 f32[4096], in2 f32[4096]), "
      "found ";
  ExpectRefused(RunSaxpy({}), expected + "0");
  ExpectRefused(RunSaxpy({WriteNpy(in0_), WriteNpy(in1_)}), expected + "2");
  ExpectRefused(
      RunSaxpy({WriteNpy(in0_), WriteNpy(in1_), WriteNpy(in2_), WriteNpy(in2_)}),
      expected + "4");
  ExpectRefused(RunSaxpy({WriteNpz("io.npz", {in0_, in2_})}), expected + "2");
  ExpectRefused(
      RunSaxpy({WriteNpz("io.npz", {in0_, in1_, in2_, Floats("in3", {}, {1})})}),
      expected + "4");
}

TEST_F(RunInputsTest, WrongTypesNameTheArgument) {
  const std::string f64 = WriteNpz(
      "f64.npz", {in0_, in1_, {"in2", {'f', 8}, {4096}, std::vector<uint8_t>(32768)}});
  ExpectRefused(RunSaxpy({f64}), f64 + ": in2: expected f32[4096] for argument 2");
  ExpectRefused(RunSaxpy({f64}), "found f64[4096]");
  const std::string shape =
      WriteNpz("shape.npz", {in0_, Floats("in1", {64, 64}, values_), in2_});
  ExpectRefused(RunSaxpy({shape}), "in1: expected f32[4096] for argument 1");
  ExpectRefused(RunSaxpy({shape}), "found f32[64,64]");
  const std::string scalar =
      WriteNpz("scalar.npz", {Floats("in0", {1}, {3}), in1_, in2_});
  ExpectRefused(RunSaxpy({scalar}), "found f32[1]");
  const std::string integers =
      WriteNpz("integers.npz", {Ints("in0", {}, {3}), in1_, in2_});
  ExpectRefused(RunSaxpy({integers}), "found s32[]");
  const std::string npy = WriteNpy(Ints("in0", {}, {3}));
  ExpectRefused(RunSaxpy({npy, WriteNpy(in1_), WriteNpy(in2_)}),
                npy + ": expected f32[] for argument 0");
}

TEST_F(RunInputsTest, WrongNames) {
  for (const char* name : {"x", "arr_0", "in00", "in", "in-1", "in1x"}) {
    const std::string file =
        WriteNpz("io.npz", {in0_, in1_, in2_, Floats(name, {}, {1})});
    ExpectRefused(RunSaxpy({file}), file +
                                        ": expected arrays in0, in1, ... and out0, "
                                        "out1, ..., found '" +
                                        name + "'");
  }
}

TEST_F(RunInputsTest, OtherFiles) {
  const std::string npz = WriteNpz("io.npz", {in0_, in1_, in2_});
  ExpectRefused(RunSaxpy({npz, WriteNpy(in0_)}), ".npz among 2 files");
  ExpectRefused(RunSaxpy({WriteText("a.npy", "hello")}), "expected a .npy or .npz file");
  ExpectRefused(RunSaxpy({WriteText("b.npy", "")}), "expected a .npy or .npz file");
  ExpectRefused(RunSaxpy({Path("none.npz")}), "none.npz: cannot open");
}

TEST_F(RunInputsTest, PrunedArguments) {
  // JAX dropped one of three; the others keep their order.
  const ProcessResult result = Thunky({"run", Jax("pruned_arg", "executable.bin"),
                                       "--kernels", Jax("pruned_arg", "kernels")});
  ExpectRefused(result, "arguments: expected 2 (in0 f32[8], in1 f32[8]), found 0");
}

TEST_F(RunInputsTest, LayoutsOfTheDevice) {
  const std::vector<float> matrix = {1, 2, 3, 4, 5, 6};
  const std::string input = WriteNpy(Floats("matrix", {2, 3}, matrix));
  const std::string out = Path("out.npz");
  const std::string c_order =
      WriteText("c.textproto", CopyProgram("F32", "minor_to_major: 1 minor_to_major: 0"));
  ProcessResult result = Thunky({"run", c_order, "--input", input, "--output", out});
  ASSERT_EQ(result.exit_code, 0) << result;
  EXPECT_EQ(ReadNpz(out, "out0").data, ToBytes(matrix));
  // The copy moves bytes: what was column by column is then read row by row.
  const std::string fortran_order = WriteText(
      "fortran.textproto", CopyProgram("F32", "minor_to_major: 0 minor_to_major: 1"));
  result = Thunky({"run", fortran_order, "--input", input, "--output", out});
  ASSERT_EQ(result.exit_code, 0) << result;
  EXPECT_EQ(ReadNpz(out, "out0").data, ToBytes<float>({1, 4, 2, 5, 3, 6}));
}

TEST_F(RunInputsTest, FortranOrderFiles) {
  const std::string program =
      WriteText("c.textproto", CopyProgram("F32", "minor_to_major: 1 minor_to_major: 0"));
  std::vector<uint8_t> bytes =
      *tooling::SerializeNpy({'f', 4}, {2, 3}, ToBytes<float>({1, 4, 2, 5, 3, 6}));
  std::string text(bytes.begin(), bytes.end());
  text.replace(text.find("False"), 5, "True ");
  const std::string input = WriteText("fortran.npy", text);
  const ProcessResult result = Thunky({"run", program, "--input", input});
  EXPECT_EQ(result.exit_code, 0) << result;
  EXPECT_THAT(result.out, HasSubstr("out0 f32[2,3]: 1, 2, 3, 4, 5, 6"));
}

TEST_F(RunInputsTest, BoolsAreZeroOrOne) {
  const std::string program = WriteText(
      "bools.textproto", CopyProgram("PRED", "minor_to_major: 1 minor_to_major: 0"));
  const std::string good = WriteNpy({"good", {'b', 1}, {2, 3}, {0, 1, 0, 1, 0, 1}});
  const ProcessResult result = Thunky({"run", program, "--input", good});
  EXPECT_EQ(result.exit_code, 0) << result;
  EXPECT_THAT(result.out, HasSubstr("out0 pred[2,3]: false, true, false"));
  const std::string bad = WriteNpy({"bad", {'b', 1}, {2, 3}, {0, 1, 0, 7, 0, 1}});
  ExpectRefused(Thunky({"run", program, "--input", bad}),
                bad + ": expected bools of 0 or 1, found 7");
}

TEST_F(RunInputsTest, BytesOfUnknownMeaningTakeTheirTypeFromTheArgument) {
  std::string text = CopyProgram("F32", "minor_to_major: 1 minor_to_major: 0");
  for (size_t at; (at = text.find("F32")) != std::string::npos;)
    text.replace(at, 3, "BF16");
  for (size_t at; (at = text.find("size: 24")) != std::string::npos;) {
    text.replace(at, 8, "size: 12");
  }
  const std::string program = WriteText("bf16.textproto", text);
  const TestArray array = {
      "bf16", {'V', 2}, {2, 3}, ToBytes<uint16_t>({0x3f80, 0x4000, 0, 0, 0, 0xbf80})};
  const std::string out = Path("out.npz");
  const ProcessResult result =
      Thunky({"run", program, "--input", WriteNpy(array), "--output", out});
  EXPECT_EQ(result.exit_code, 0) << result;
  EXPECT_THAT(result.out, HasSubstr("out0 bf16[2,3]: 1, 2, 0, 0, 0, -1"));
  EXPECT_EQ(ReadNpz(out, "out0").type, (tooling::NpyType{'V', 2}));
  ExpectRefused(Thunky({"run", program, "--input",
                        WriteNpy({"f16", {'f', 2}, {2, 3}, array.data})}),
                "expected bf16[2,3] for argument 0 'matrix' (bf16[2,3]), found f16[2,3]");
}

// A file that declares far more than it holds, or than the program takes.
TEST_F(RunInputsTest, Bombs) {
  const std::string zeros = WriteNpz(
      "zeros.npz",
      {in0_, in1_, {"in2", {'f', 4}, {16 << 20}, std::vector<uint8_t>(64 << 20)}});
  ExpectRefused(RunSaxpy({zeros}), "in2: expected f32[4096]");

  std::vector<uint8_t> header =
      *tooling::SerializeNpy({'f', 4}, {4096}, ToBytes(values_));
  std::string text(header.begin(), header.end());
  text.replace(text.find("(4096,), }   "), 13, "(1 << 40,), }");
  ExpectRefused(RunSaxpy({WriteText("expression.npy", text)}),
                "expression.npy: array header");
  std::string huge(header.begin(), header.end());
  huge.replace(huge.find("(4096,), }             "), 23, "(1152921504606846975,),}");
  ExpectRefused(RunSaxpy({WriteNpy(in0_), WriteNpy(in1_), WriteText("huge.npy", huge)}),
                "huge.npy: expected f32[4096]");
}

TEST_F(RunInputsTest, DamagedArchives) {
  const std::vector<uint8_t> good = ReadBytes(WriteNpz("io.npz", {in0_, in1_, in2_}));
  for (size_t cut = 0; cut < good.size(); cut += 61) {
    const std::string path = WriteBytes("cut.npz", {good.begin(), good.begin() + cut});
    ExpectRefused(RunSaxpy({path}), path + ": ");
  }
  for (size_t at = 0; at < good.size(); at += 37) {
    std::vector<uint8_t> flipped = good;
    flipped[at] ^= 0x10;
    const std::string path = WriteBytes("flipped.npz", flipped);
    const ProcessResult result = RunSaxpy({path});
    if (result.exit_code == 0) {
      EXPECT_THAT(result.out, HasSubstr("out0 f32[4096]: 8, 8, 8")) << at;
    } else {
      ExpectRefused(result, path + ": ");
    }
  }
  std::vector<uint8_t> trailing = good;
  trailing.push_back('x');
  ExpectRefused(RunSaxpy({WriteBytes("trailing.npz", trailing)}), "end of the archive");
}

TEST_F(RunInputsTest, MoreMemoryThanThereIs) {
  std::string text = CopyProgram("F32", "minor_to_major: 1 minor_to_major: 0");
  const std::string dims = "dimensions: 2 dimensions: 3";
  for (size_t at; (at = text.find(dims)) != std::string::npos;) {
    text.replace(at, dims.size(), "dimensions: 1099511627776 dimensions: 4");
  }
  for (size_t at; (at = text.find("size: 24")) != std::string::npos;) {
    text.replace(at, 8, "size: 17592186044416");
  }
  const ProcessResult result =
      Thunky({"run", WriteText("large.textproto", text), "--fill", "zeros"});
  ExpectRefused(result, "large.textproto: memory: expected ");
}

}  // namespace
}  // namespace thunky::cli_tests
