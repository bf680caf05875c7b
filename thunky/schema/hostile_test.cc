// Damaged executables are refused or accepted, and nothing worse.
#include <iterator>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "thunky/container/executable_file.h"
#include "thunky/container/fixture_files.h"
#include "thunky/schema/constants.h"
#include "thunky/schema/executable_rules.h"
#include "thunky/schema/release.h"
#include "thunky/schema/signature.h"

namespace thunky::schema {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

// Puts values that tend to break arithmetic into random places of a message.
class Damager {
 public:
  explicit Damager(uint64_t seed) : random_(seed) {}

  // Goes down from `message` at random and changes one field on the way.
  void Damage(Message& message) {
    const Reflection& reflection = *message.GetReflection();
    std::vector<const FieldDescriptor*> fields;
    reflection.ListFields(message, &fields);
    if (fields.empty() || Below(20) == 0) return AddField(message);
    const FieldDescriptor* field = fields[Below(fields.size())];
    if (Below(12) == 0) return reflection.ClearField(&message, field);
    if (field->is_repeated() && Below(8) == 0) {
      return reflection.RemoveLast(&message, field);
    }
    if (field->is_map()) return;
    Change(message, field);
  }

 private:
  uint64_t Below(uint64_t limit) { return random_() % limit; }

  int64_t Number() {
    constexpr int64_t kNumbers[] = {0,
                                    1,
                                    -1,
                                    2,
                                    3,
                                    4,
                                    7,
                                    8,
                                    64,
                                    255,
                                    1024,
                                    65536,
                                    int64_t{1} << 31,
                                    int64_t{1} << 62,
                                    std::numeric_limits<int64_t>::max(),
                                    std::numeric_limits<int64_t>::min()};
    return kNumbers[Below(std::size(kNumbers))];
  }

  // Sets a scalar that may not have been there.
  void AddField(Message& message) {
    const auto* type = message.GetDescriptor();
    if (type->field_count() == 0) return;
    const FieldDescriptor* field =
        type->field(static_cast<int>(Below(type->field_count())));
    if (field->is_map()) return;
    Change(message, field);
  }

  void Change(Message& message, const FieldDescriptor* field) {
    const Reflection& reflection = *message.GetReflection();
    if (field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE) {
      return Damage(Inner(message, field));
    }
    if (field->is_repeated()) return AddNumber(message, field);
    switch (field->cpp_type()) {
      case FieldDescriptor::CPPTYPE_INT32:
        return reflection.SetInt32(&message, field, static_cast<int32_t>(Number()));
      case FieldDescriptor::CPPTYPE_INT64:
        return reflection.SetInt64(&message, field, Number());
      case FieldDescriptor::CPPTYPE_UINT32:
        return reflection.SetUInt32(&message, field, static_cast<uint32_t>(Number()));
      case FieldDescriptor::CPPTYPE_UINT64:
        return reflection.SetUInt64(&message, field, static_cast<uint64_t>(Number()));
      case FieldDescriptor::CPPTYPE_BOOL:
        return reflection.SetBool(&message, field, Below(2) == 0);
      case FieldDescriptor::CPPTYPE_ENUM:
        return reflection.SetEnumValue(&message, field, static_cast<int>(Below(40)));
      case FieldDescriptor::CPPTYPE_STRING:
        return reflection.SetString(&message, field, std::string(Below(20), 'x'));
      default:
        return;
    }
  }

  void AddNumber(Message& message, const FieldDescriptor* field) {
    const Reflection& reflection = *message.GetReflection();
    if (field->cpp_type() == FieldDescriptor::CPPTYPE_INT64) {
      reflection.AddInt64(&message, field, Number());
    } else if (field->cpp_type() == FieldDescriptor::CPPTYPE_BOOL) {
      reflection.AddBool(&message, field, Below(2) == 0);
    }
  }

  Message& Inner(Message& message, const FieldDescriptor* field) {
    const Reflection& reflection = *message.GetReflection();
    if (!field->is_repeated()) return *reflection.MutableMessage(&message, field);
    const int count = reflection.FieldSize(message, field);
    if (count == 0) return *reflection.AddMessage(&message, field);
    return *reflection.MutableRepeatedMessage(&message, field,
                                              static_cast<int>(Below(count)));
  }

  std::mt19937_64 random_;
};

// What a reader does with a file it was given.
bool Accepts(const wire::GpuExecutableProto& executable) {
  const bool valid = VerifyExecutable(executable).ok();
  const bool signature = SignatureOf(executable).ok();
  const bool constants = ConstantsOf(executable).ok();
  EXPECT_FALSE(DescribeRelease(executable, nullptr).empty());
  // What verifies has everything that a reader asks for next.
  EXPECT_TRUE(!valid || (signature && constants));
  return valid;
}

TEST(HostileTest, DamagedProgramsDoNoHarm) {
  int refused = 0;
  for (const std::string name :
       {"jax-0.11.2/scan_rnn", "jax-0.11.2/topk", "jax-0.11.2/cond",
        "jax-0.11.2/cholesky", "jax-0.11.2/donate", "jax-0.11.2/constant",
        "jax-0.11.2/fft", "jax-0.11.2/matmul_f32"}) {
    SCOPED_TRACE(name);
    const auto file = ReadExecutableFile(FixtureExecutable(name));
    ASSERT_TRUE(file.ok()) << file.status();
    ASSERT_TRUE(Accepts(file->executable));
    for (uint64_t seed = 0; seed < 250; ++seed) {
      SCOPED_TRACE(seed);
      wire::GpuExecutableProto damaged = file->executable;
      Damager damager(seed);
      for (int i = 0; i < 3; ++i) damager.Damage(damaged);
      refused += !Accepts(damaged);
    }
  }
  EXPECT_GT(refused, 300);
}

}  // namespace
}  // namespace thunky::schema
