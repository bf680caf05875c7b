// `diff`: programs side by side.
#include <fstream>
#include <sstream>

#include "gmock/gmock.h"
#include "google/protobuf/text_format.h"
#include "google/protobuf/unknown_field_set.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "proto/executable.pb.h"
#include "test/cli/thunky_process.h"

namespace thunky::cli_tests {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class DiffTest : public CliTest {
 protected:
  // The program of a text proto, after `change`, in a new file.
  template <typename Change>
  std::string Changed(const std::string& program, const Change& change) {
    std::ifstream file(Data("programs/" + program + ".textproto"));
    std::stringstream text;
    text << file.rdbuf();
    wire::GpuExecutableProto proto;
    EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text.str(), &proto));
    change(proto);
    std::string changed;
    google::protobuf::TextFormat::PrintToString(proto, &changed);
    return WriteText("changed_" + std::to_string(count_++) + ".textproto", changed);
  }
  std::string Original(const std::string& program) {
    return Data("programs/" + program + ".textproto");
  }

  // What differs after `change`, which must be something.
  template <typename Change>
  std::string Differences(const std::string& program, const Change& change) {
    const ProcessResult result =
        Thunky({"diff", Original(program), Changed(program, change)});
    EXPECT_EQ(result.exit_code, 1) << result;
    EXPECT_THAT(result.err, IsEmpty());
    return result.out;
  }

 private:
  int count_ = 0;
};

constexpr char kProgram[] = "two_kernel_pipeline";

wire::CustomKernelProto& KernelOf(wire::GpuExecutableProto& proto, int thunk) {
  return *proto.mutable_thunks(thunk)
              ->mutable_custom_kernel_thunk()
              ->mutable_custom_kernel();
}

TEST_F(DiffTest, EqualPrograms) {
  const std::string same = Changed(kProgram, [](wire::GpuExecutableProto&) {});
  for (const std::string& file : {same, Original(kProgram)}) {
    const ProcessResult result = Thunky({"diff", Original(kProgram), file});
    EXPECT_EQ(result.exit_code, 0) << result;
    EXPECT_EQ(result.out, "no differences\n");
  }
  const std::string jax = Jax("while_collatz", "executable.bin");
  EXPECT_EQ(Thunky({"diff", jax, jax}).exit_code, 0);
}

TEST_F(DiffTest, AFieldOfAThunk) {
  const std::string text = Differences(kProgram, [](wire::GpuExecutableProto& proto) {
    KernelOf(proto, 1).mutable_thread_dims()->mutable_coordinates()->set_x(77);
  });
  EXPECT_THAT(text, AllOf(HasSubstr("~ thunks[1]  custom_kernel "),
                          HasSubstr("custom_kernel_thunk.custom_kernel.thread_dims."
                                    "coordinates.x: "),
                          HasSubstr(" -> 77\n"), HasSubstr("\n1 difference\n")));
}

TEST_F(DiffTest, AnInsertedThunkIsOneDifference) {
  const std::string text = Differences(kProgram, [](wire::GpuExecutableProto& proto) {
    auto* thunks = proto.mutable_thunks();
    wire::ThunkProto& fill = *proto.add_thunks();
    fill.mutable_memzero_thunk();
    // The ids of those after it change too.
    for (int i = thunks->size() - 1; i > 0; --i) thunks->SwapElements(i, i - 1);
    for (int i = 0; i < thunks->size(); ++i) {
      thunks->Mutable(i)->mutable_thunk_info()->set_thunk_id(i + 1);
    }
  });
  EXPECT_EQ(text, "+ thunks[0]  memzero\n1 difference\n");
}

TEST_F(DiffTest, ARemovedThunkIsOneDifference) {
  const std::string text = Differences(kProgram, [](wire::GpuExecutableProto& proto) {
    proto.mutable_thunks()->DeleteSubrange(0, 1);
  });
  EXPECT_THAT(text, AllOf(HasSubstr("- thunks[0]  custom_kernel "),
                          HasSubstr("\n1 difference\n")));
}

TEST_F(DiffTest, ThunksInsideOthersHaveTheirPaths) {
  const std::string text =
      Differences("unknown_trip_count", [](wire::GpuExecutableProto& proto) {
        for (wire::ThunkProto& thunk : *proto.mutable_thunks()) {
          if (!thunk.has_while_thunk()) continue;
          auto& body = *thunk.mutable_while_thunk()->mutable_body_thunk_sequence();
          body.add_thunks()->mutable_memzero_thunk();
        }
      });
  EXPECT_THAT(text, AllOf(HasSubstr(".while.body["), HasSubstr("]  memzero\n"),
                          HasSubstr("\n1 difference\n")));
}

TEST_F(DiffTest, CodeIsToldByItsHash) {
  const std::string text = Differences(kProgram, [](wire::GpuExecutableProto& proto) {
    KernelOf(proto, 0).mutable_kernel_spec()->mutable_ptx()->mutable_data()->append(" ");
  });
  EXPECT_THAT(text, AllOf(HasSubstr("kernel_spec.ptx.data: "), HasSubstr(" bytes, hash "),
                          HasSubstr("\n1 difference\n")));
}

TEST_F(DiffTest, SignatureAllocationsConstantsAndModule) {
  const std::string text = Differences("constants", [](wire::GpuExecutableProto& proto) {
    proto.set_module_name("other");
    proto.mutable_constants(0)->mutable_content()->mutable_data()->back() ^= 1;
    proto.mutable_buffer_allocations()->mutable_values(0)->set_color(3);
    proto.mutable_program_shape()->mutable_parameter_names()->Add("extra");
  });
  EXPECT_THAT(text, AllOf(HasSubstr("~ program  module_name: 'constants' -> 'other'\n"),
                          HasSubstr("~ program  constants["),
                          HasSubstr("buffer_allocations.values[0].color: 0 -> 3\n"),
                          HasSubstr("program_shape.parameter_names[")));
  const std::string named = Differences(kProgram, [](wire::GpuExecutableProto& proto) {
    proto.mutable_program_shape()->set_parameter_names(0, "renamed");
  });
  EXPECT_THAT(named, AllOf(HasSubstr("~ signature  in0: "), HasSubstr("'renamed'")));
}

TEST_F(DiffTest, UnknownFieldsCount) {
  const std::string text = Differences(
      kProgram, [](wire::GpuExecutableProto& proto) { proto.set_module_name("other"); });
  EXPECT_THAT(text, HasSubstr("1 difference"));
  wire::GpuExecutableProto proto;
  proto.add_thunks()->mutable_memzero_thunk();
  const std::string plain = WriteText("plain.pb", proto.SerializeAsString());
  proto.GetReflection()->MutableUnknownFields(&proto)->AddVarint(90000, 7);
  const std::string newer = WriteText("newer.pb", proto.SerializeAsString());
  const ProcessResult result = Thunky({"diff", plain, newer});
  EXPECT_EQ(result.exit_code, 1) << result;
  EXPECT_THAT(result.out, HasSubstr("~ program  unknown fields: absent -> "));
}

TEST_F(DiffTest, Json) {
  const std::string a = Original(kProgram);
  const std::string b = Changed(kProgram, [](wire::GpuExecutableProto& proto) {
    proto.add_thunks()->mutable_memzero_thunk();
    KernelOf(proto, 0).set_name("renamed");
  });
  const ProcessResult result = Thunky({"diff", a, b, "--json"});
  EXPECT_EQ(result.exit_code, 1) << result;
  const auto json = nlohmann::json::parse(result.out);
  EXPECT_EQ(json["schema"], 1);
  EXPECT_EQ(json["a"], a);
  EXPECT_EQ(json["b"], b);
  EXPECT_EQ(json["equal"], false);
  EXPECT_EQ(json["total"], 2);
  ASSERT_EQ(json["differences"].size(), 2u);
  EXPECT_EQ(json["differences"][0]["change"], "changed");
  EXPECT_EQ(json["differences"][0]["where_a"], "thunks[0]");
  EXPECT_EQ(json["differences"][0]["field"], "custom_kernel_thunk.custom_kernel.name");
  EXPECT_EQ(json["differences"][0]["b"], "'renamed'");
  EXPECT_EQ(json["differences"][1]["change"], "inserted");
  EXPECT_EQ(json["differences"][1]["thunk"], "memzero");
  EXPECT_FALSE(json["differences"][1].contains("where_a"));
  const ProcessResult equal = Thunky({"diff", a, a, "--json"});
  EXPECT_EQ(equal.exit_code, 0);
  EXPECT_EQ(nlohmann::json::parse(equal.out)["equal"], true);
}

TEST_F(DiffTest, FilesThatCannotBeReadAreNamed) {
  const std::string good = Original(kProgram);
  const std::string bad = WriteText("bad", "no program at all\n");
  for (const auto& [a, b, named] :
       {std::tuple(good, bad, bad), std::tuple(bad, good, bad),
        std::tuple(good, Path("none"), Path("none"))}) {
    const ProcessResult result = Thunky({"diff", a, b});
    EXPECT_EQ(result.exit_code, 2) << result;
    EXPECT_THAT(result.first_error_line(), HasSubstr(named + ": "));
    EXPECT_THAT(result.out, IsEmpty());
  }
}

// Lists of very different lengths.
TEST_F(DiffTest, HundredsOfThunks) {
  const std::string a = Data("fixtures/bench/chain_100/executable.bin");
  const std::string b = Data("fixtures/bench/chain_1000/executable.bin");
  const ProcessResult result = Thunky({"diff", a, b});
  EXPECT_EQ(result.exit_code, 1) << result.err;
  EXPECT_THAT(result.out, HasSubstr("+ thunks[999]  custom_kernel "));
}

}  // namespace
}  // namespace thunky::cli_tests
