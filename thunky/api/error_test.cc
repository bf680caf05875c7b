#include "thunky/api/error.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace thunky {
namespace {

TEST(ErrorTest, HasCodeMessageAndPlace) {
  const uint32_t line = __LINE__ + 1;
  const Error error(ErrorCode::not_found, "no such thing");
  EXPECT_EQ(error.code(), ErrorCode::not_found);
  EXPECT_EQ(error.message(), "no such thing");
  EXPECT_EQ(error.where().file, __FILE__);
  EXPECT_EQ(error.where().line, line);
  EXPECT_THAT(error.what(), testing::StartsWith(__FILE__ ":"));
  EXPECT_THAT(error.what(), testing::EndsWith(": no such thing"));
}

TEST(ErrorTest, AnUnknownPlaceIsLeftOut) {
  const Error error(ErrorCode::internal, "broken", SourceLocation());
  EXPECT_STREQ(error.what(), "broken");
  EXPECT_EQ(SourceLocation().to_string(), "");
  EXPECT_EQ(SourceLocation("model.py", 12, 3).to_string(), "model.py:12");
}

TEST(ErrorTest, IsARuntimeError) {
  EXPECT_THROW(throw Error(ErrorCode::internal, "broken"), std::runtime_error);
}

TEST(ErrorTest, EveryCodeHasWords) {
  EXPECT_EQ(to_string(ErrorCode::invalid_argument), "invalid argument");
  EXPECT_EQ(to_string(ErrorCode::not_found), "not found");
  EXPECT_EQ(to_string(ErrorCode::failed_precondition), "failed precondition");
  EXPECT_EQ(to_string(ErrorCode::unimplemented), "not supported");
  EXPECT_EQ(to_string(ErrorCode::resource_exhausted), "resource exhausted");
  EXPECT_EQ(to_string(ErrorCode::cancelled), "cancelled");
  EXPECT_EQ(to_string(ErrorCode::deadline_exceeded), "deadline exceeded");
  EXPECT_EQ(to_string(ErrorCode::data_loss), "data loss");
  EXPECT_EQ(to_string(ErrorCode::kernel_fault), "kernel fault");
  EXPECT_EQ(to_string(ErrorCode::internal), "internal error");
}

}  // namespace
}  // namespace thunky
