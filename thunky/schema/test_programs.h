// Programs and thunks from protobuf text, for tests.
#ifndef THUNKY_SCHEMA_TEST_PROGRAMS_H_
#define THUNKY_SCHEMA_TEST_PROGRAMS_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gmock/gmock.h"
#include "google/protobuf/text_format.h"
#include "gtest/gtest.h"
#include "proto/executable.pb.h"
#include "thunky/schema/kinds.h"

namespace thunky::schema {

// Repeating a message field merges it, so that texts can be put together.
template <typename Proto>
Proto Parse(const std::string& text) {
  Proto proto;
  EXPECT_TRUE(google::protobuf::TextFormat::MergeFromString(text, &proto)) << text;
  return proto;
}

// An executable with allocations of these sizes, these thunks, no parameters and an
// empty tuple as its result.
wire::GpuExecutableProto Program(const std::vector<int64_t>& sizes,
                                 const std::string& thunks);

// VerifyExecutable of that program.
absl::Status VerifyProgram(const std::vector<int64_t>& sizes, const std::string& thunks);

// The rules of one thunk alone, inside `loops` loops. Allocation 0 has 64 bytes, 1 has
// 256, 2 has 1024.
absl::Status VerifyThunk(const std::string& thunk, int64_t loops = 0);

// "args[0] read 0 [0, 16)", one string an access.
std::vector<std::string> AccessText(const std::string& thunk);

// A status that is not OK and whose message has the text.
MATCHER_P(FailsWith, text,
          std::string(negation ? "does not fail" : "fails") + " with '" + text + "'") {
  const absl::Status& status = arg;
  *result_listener << status.ToString();
  return !status.ok() && status.message().find(text) != absl::string_view::npos;
}

MATCHER(Succeeds, "succeeds") {
  const absl::Status& status = arg;
  *result_listener << status.ToString();
  return status.ok();
}

}  // namespace thunky::schema

#endif  // THUNKY_SCHEMA_TEST_PROGRAMS_H_
