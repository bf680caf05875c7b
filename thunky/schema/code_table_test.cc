#include "thunky/schema/code_table.h"

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "highwayhash/highwayhash_target.h"
#include "thunky/schema/executable_rules.h"
#include "thunky/schema/test_programs.h"

namespace thunky::schema {
namespace {

wire::KernelCodeProto Code(const std::string& text) {
  auto code = Parse<wire::KernelCodeProto>(text);
  code.set_hash(CodeHash(code));
  return code;
}

wire::GpuExecutableProto WithTable(const std::vector<wire::KernelCodeProto>& table) {
  wire::GpuExecutableProto executable = Program({16}, "");
  for (const wire::KernelCodeProto& code : table) {
    *executable.mutable_thunky()->add_kernel_code() = code;
  }
  return executable;
}

constexpr char kBoth[] =
    "ptx: 'text' cubins { architecture: 'sm_90a' data: 'one' } "
    "cubins { architecture: 'sm_100f' data: 'two' }";

std::string Hex(const std::string& bytes) { return absl::BytesToHexString(bytes); }

std::string Word(uint64_t number) {
  std::string bytes(8, '\0');
  for (size_t i = 0; i < 8; ++i) bytes[i] = static_cast<char>(number >> (8 * i));
  return bytes;
}

// By the header's words: one run of bytes, the library's plain variant. (Not HighwayHash:
// Debian's portable one differs from all others for some lengths.)
TEST(CodeHashTest, IsOverLengthsAndParts) {
  const std::string input =
      absl::StrCat(Word(4), "text", Word(2), Word(6), "sm_90a", Word(3), "one", Word(7),
                   "sm_100f", Word(3), "two");
  const std::string text = "thunky kernel code table, form 1";
  highwayhash::HHKey key = {};
  for (size_t i = 0; i < text.size(); ++i) {
    key[i / 8] |= uint64_t{static_cast<uint8_t>(text[i])} << (8 * (i % 8));
  }
  highwayhash::HHResult256 result;
  const highwayhash::StringView whole = {input.data(), input.size()};
  highwayhash::HighwayHashCat<HH_TARGET_Portable>()(key, &whole, 1, &result);
  EXPECT_EQ(Hex(CodeHash(Code(kBoth))),
            Hex(Word(result[0]) + Word(result[1]) + Word(result[2]) + Word(result[3])));
}

TEST(CodeHashTest, NeverChanges) {
  // These values are in files.
  EXPECT_EQ(Hex(CodeHash(Code(""))),
            "f37836c0fac30c0b37f3bee107ec7839e5fd0adf7ec5adce5f10f0beaa9c9085");
  EXPECT_EQ(Hex(CodeHash(Code("ptx: 'text'"))),
            "1641a954234121b2efc86632ad5850d2edeeb9d2201db4c5d42b8a11e04e05bc");
  EXPECT_EQ(Hex(CodeHash(Code(kBoth))),
            "0820fba9767873e5a8f174483000bf9fe0c80154c19892909afa44ed02038870");
}

// No two of these may be told apart by less than their structure.
TEST(CodeHashTest, DependsOnEveryPart) {
  std::set<std::string> hashes;
  const char* const codes[] = {
      "",
      "ptx: 'a'",
      "ptx: 'ab'",
      "ptx: '\\000'",
      "ptx: '\\000\\000'",
      "cubins {}",
      "cubins {} cubins {}",
      "cubins { architecture: 'a' }",
      "cubins { data: 'a' }",
      "cubins { architecture: 'ab' }",
      "cubins { architecture: 'a' data: 'b' }",
      "ptx: 'a' cubins { data: 'b' }",
      "cubins { data: 'a' } cubins { data: 'b' }",
      "cubins { data: 'b' } cubins { data: 'a' }",
  };
  for (const char* code : codes) hashes.insert(CodeHash(Code(code)));
  EXPECT_EQ(hashes.size(), std::size(codes));
}

TEST(CodeHashTest, LeavesTheHashOut) {
  wire::KernelCodeProto code = Code("ptx: 'a'");
  const std::string hash = code.hash();
  code.set_hash("other");
  EXPECT_EQ(CodeHash(code), hash);
}

TEST(CodeTableTest, FindsByHash) {
  const wire::KernelCodeProto both = Code(kBoth);
  const wire::GpuExecutableProto executable = WithTable({Code("ptx: 'a'"), both});
  const auto table = CodeTable::Of(executable);
  ASSERT_TRUE(table.ok()) << table.status();
  EXPECT_EQ(table->size(), 2u);
  EXPECT_EQ(table->Find(both.hash()), &executable.thunky().kernel_code(1));
  EXPECT_EQ(table->Find(""), nullptr);
  EXPECT_EQ(table->Find("other"), nullptr);
  EXPECT_EQ(CodeTable::Of(Program({}, ""))->size(), 0u);
}

TEST(CodeTableTest, EntriesNobodyUsesAreLegal) {
  EXPECT_THAT(VerifyExecutable(WithTable({Code(kBoth)})), Succeeds());
}

TEST(CodeTableTest, RefusesWhatIsNoEntry) {
  const auto status = [](const std::vector<wire::KernelCodeProto>& table) {
    return VerifyExecutable(WithTable(table));
  };
  wire::KernelCodeProto changed = Code(kBoth);
  changed.mutable_cubins(1)->set_data("TWO");
  EXPECT_THAT(status({changed}),
              FailsWith(absl::StrCat("kernel_code[0]: expected the hash of its content, ",
                                     ShortHash(CodeHash(changed)), ", found ",
                                     ShortHash(changed.hash()))));
  changed.clear_hash();
  EXPECT_THAT(status({changed}), FailsWith(", found none"));
  EXPECT_THAT(status({Code(kBoth), Code("ptx: 'a'"), Code(kBoth)}),
              FailsWith("kernel_code[2]: the table has an entry with hash"));
  EXPECT_THAT(status({Code("")}),
              FailsWith("kernel_code[0]: has neither PTX nor a cubin"));
  EXPECT_THAT(status({Code("cubins { architecture: 'sm_90' }")}),
              FailsWith("kernel_code[0]: cubins[0] is empty"));
  EXPECT_THAT(status({Code("cubins { architecture: 'sm_90' data: 'a' } "
                           "cubins { architecture: 'sm_90' data: 'b' }")}),
              FailsWith("kernel_code[0]: cubins[1] is another one for sm_90"));
  EXPECT_THAT(status({Code("cubins { data: 'a' architecture: 'sm_x\\n' }")}),
              FailsWith("cubins[0]: expected an architecture such as 'sm_90a', found "
                        "'sm_x\\n'"));
}

TEST(CodeTableTest, ArchitectureNames) {
  for (const char* name : {"sm_90", "sm_90a", "sm_100f", "sm_75"}) {
    EXPECT_TRUE(IsArchitectureName(name)) << name;
  }
  for (const char* name : {"", "sm_", "sm_a", "sm_90b", "sm_90aa", "sm_90 ", "90a",
                           "sm_123456", "compute_90", "SM_90"}) {
    EXPECT_FALSE(IsArchitectureName(name)) << name;
  }
}

// A launch whose kernel has this spec.
std::string Launch(const std::string& spec) {
  return absl::StrCat(
      "thunks { custom_kernel_thunk { args { slice { size: 16 } } written: true "
      "custom_kernel { kernel_spec { kernel_name: 'k' arity: 1 ",
      spec,
      " } block_dims { coordinates { x: 1 y: 1 z: 1 } } "
      "thread_dims { coordinates { x: 1 y: 1 z: 1 } } } } }");
}

TEST(CodeReferenceTest, MustBeInTheTable) {
  const wire::KernelCodeProto code = Code("ptx: 'a'");
  const std::string reference =
      absl::StrCat("thunky_code: '", absl::CHexEscape(code.hash()), "'");
  wire::GpuExecutableProto program = Program({16}, Launch(reference));
  EXPECT_THAT(VerifyExecutable(program),
              FailsWith(absl::StrCat("thunks[0]: the kernel refers to code ",
                                     ShortHash(code.hash()),
                                     ", which is not in the table of 0 entries")));
  *program.mutable_thunky()->add_kernel_code() = code;
  EXPECT_THAT(VerifyExecutable(program), Succeeds());
  program.mutable_thunks(0)
      ->mutable_custom_kernel_thunk()
      ->mutable_custom_kernel()
      ->mutable_kernel_spec()
      ->clear_kernel_name();
  EXPECT_THAT(VerifyExecutable(program), FailsWith("kernel_name is missing"));
}

TEST(CodeReferenceTest, ExcludesOwnCode) {
  for (const char* payload : {"ptx { data: 'a' }", "cubin { data: 'a' }",
                              "in_process_symbol { persistent_name: 's' }"}) {
    EXPECT_THAT(VerifyProgram({16}, Launch(absl::StrCat(payload, " thunky_code: 'x'"))),
                FailsWith("the kernel has code of its own and refers to code 78 of the "
                          "table too"))
        << payload;
  }
}

}  // namespace
}  // namespace thunky::schema
