// Writes a program, runs it, saves it to FOLDER, and runs what was saved.
#include <thunky/thunky.h>

#include <cstdio>
#include <exception>
#include <string>
#include <vector>

namespace {

using thunky::Array;
using thunky::Device;
using thunky::Ref;

// Whether a run writes a copy of its second argument to the first.
bool Copies(const thunky::Executable& program) {
  const Device device = Device::host();
  const Array out = Array::zeros(device, thunky::f32(4));
  const Array in = Array::from(device, {1.0f, 2.0f, 3.0f, 4.0f});
  program.compile(device).run({out, in});
  return out.to_vector<float>() == in.to_vector<float>();
}

bool Run(const std::string& folder) {
  const thunky::Program program = thunky::jit(
      [](Ref out, Ref in) { thunky::copy(in, out); }, {thunky::f32(4), thunky::f32(4)});
  program.save(folder + "/copy.thunky");
  program.save(folder + "/copy.mlir");
  return Copies(program.lower()) &&
         Copies(thunky::Executable::load(folder + "/copy.thunky")) &&
         // By the compiler library, which is loaded now.
         Copies(thunky::Executable::load(folder + "/copy.mlir"));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s FOLDER\n", argv[0]);
    return 2;
  }
  try {
    if (Run(argv[1])) return 0;
    std::fprintf(stderr, "the program does not copy\n");
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
  }
  return 1;
}
