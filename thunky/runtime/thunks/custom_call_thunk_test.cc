#include "thunky/runtime/thunks/custom_call_thunk.h"

#include "absl/strings/str_cat.h"
#include "thunky/runtime/testing/program_test.h"

namespace thunky::runtime {
namespace {

using testing::HasSubstr;

class CustomCallThunkTest : public ProgramTest {
 protected:
  static std::string Call(const std::string& target) {
    return absl::StrCat("thunks { thunk_info { profile_annotation: 'at.", target,
                        "' } custom_call_thunk { target_name: '", target,
                        "' api_version: API_VERSION_TYPED_FFI } } ");
  }
};

TEST_F(CustomCallThunkTest, EveryMissingTargetIsListedAtLoad) {
  auto loaded = Load(Program(
      {8},
      Call("one") +
          "thunks { fft_thunk { fft_length: 1 input_buffer { size: 8 } output_buffer { "
          "size: 8 } "
          "input_shape { element_type: C64 dimensions: 1 layout { minor_to_major: 0 } } "
          "output_shape { element_type: C64 dimensions: 1 layout { minor_to_major: 0 } } "
          "} } " +
          Call("two")));
  ASSERT_EQ(loaded.status().code(), absl::StatusCode::kUnimplemented) << loaded.status();
  const std::string message(loaded.status().message());
  EXPECT_EQ(message.rfind("thunks[0]: custom call target 'one'", 0), 0u) << message;
  EXPECT_THAT(message, HasSubstr("(at at.one); 2 more:"));
  EXPECT_THAT(message, HasSubstr("\n  thunks[1]: thunk kind 'fft' is not supported"));
  EXPECT_THAT(message, HasSubstr("\n  thunks[2]: custom call target 'two'"));
}

}  // namespace
}  // namespace thunky::runtime
