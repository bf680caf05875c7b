#include "thunky/code/ptx_library.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"

namespace thunky::code {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string Module(const std::string& entry, const std::string& body = "ret;") {
  return absl::StrCat(".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry ",
                      entry, "(.param .u64 p0) .reqntid 4, 2, 1 { ", body, " }\n");
}

TEST(PtxLibrary, FindsEntriesByName) {
  PtxLibrary library;
  ASSERT_EQ(library.Add("a.ptx", Module("one")), absl::OkStatus());
  ASSERT_EQ(library.Add("b.ptx", Module("two")), absl::OkStatus());
  ASSERT_NE(library.Find("one"), nullptr);
  EXPECT_EQ(library.Find("one")->file, "a.ptx");
  EXPECT_EQ(library.Find("three"), nullptr);
  EXPECT_EQ(library.entry_count(), 2u);
}

TEST(PtxLibrary, OneEntryInTwoFilesMustBeTheSameText) {
  PtxLibrary library;
  ASSERT_EQ(library.Add("a.ptx", Module("one")), absl::OkStatus());
  EXPECT_EQ(library.Add("copy.ptx", Module("one")), absl::OkStatus());
  absl::Status status = library.Add("b.ptx", Module("one", "exit;"));
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(std::string(status.message()),
            "b.ptx: entry 'one' is also in a.ptx, and the two files differ");
}

TEST(PtxLibrary, AFileThatDoesNotParseIsNamed) {
  PtxLibrary library;
  EXPECT_THAT(std::string(library.Add("bad.ptx", "not ptx").message()),
              HasSubstr("bad.ptx: "));
}

TEST(PtxLibrary, UnusedFilesAreThoseWithEntriesNobodyTook) {
  PtxLibrary library;
  ASSERT_EQ(library.Add("a.ptx", Module("one")), absl::OkStatus());
  ASSERT_EQ(library.Add("b.ptx", Module("two")), absl::OkStatus());
  ASSERT_EQ(library.Add("globals.ptx",
                        ".version 8.0\n.target sm_80\n.visible .global .b8 x[4];\n"),
            absl::OkStatus());
  EXPECT_THAT(library.UnusedFiles({"one"}), ElementsAre("b.ptx"));
  EXPECT_THAT(library.UnusedFiles({"one", "two"}), ElementsAre());
}

TEST(PtxLibrary, LaunchesThatDoNotFitAreRefused) {
  PtxLibrary library;
  ASSERT_EQ(library.Add("a.ptx", Module("one")), absl::OkStatus());
  const PtxEntry& entry = *library.Find("one");
  EXPECT_EQ(CheckFits(entry, {4, 2, 1}, {8}), absl::OkStatus());
  EXPECT_THAT(std::string(CheckFits(entry, {8, 1, 1}, {8}).message()),
              HasSubstr("a.ptx: kernel 'one' requires block (4,2,1)"));
  EXPECT_THAT(std::string(CheckFits(entry, {4, 2, 1}, {8, 8}).message()),
              HasSubstr("takes 1 parameters, 2 are given"));
  EXPECT_THAT(std::string(CheckFits(entry, {4, 2, 1}, {4}).message()),
              HasSubstr("parameter 0 has 8 bytes"));
}

}  // namespace
}  // namespace thunky::code
