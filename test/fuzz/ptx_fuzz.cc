// Whatever parses as PTX prints to a text that parses and prints the same.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "thunky/ptx/parser.h"
#include "thunky/ptx/printer.h"

namespace {

[[noreturn]] void Fail(const char* what, const std::string& text) {
  std::fprintf(stderr, "%s:\n%s\n", what, text.c_str());
  std::abort();
}

void CheckFixedPoint(std::string_view text) {
  const auto module = thunky::ptx::ParseModule(text);
  if (!module.ok()) return;
  const std::string printed = thunky::ptx::PrintModule(*module);
  const auto again = thunky::ptx::ParseModule(printed);
  if (!again.ok()) Fail("the printed text does not parse", printed);
  if (thunky::ptx::PrintModule(*again) != printed) {
    Fail("the printed text prints differently", printed);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  CheckFixedPoint(input);
  // Most inputs lack a head; what follows one is the interesting part.
  CheckFixedPoint(".version 9.0 .target sm_90 .address_size 64\n" + std::string(input));
  return 0;
}
