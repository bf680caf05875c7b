// Collectives along the axes of a mesh. The program is for 8 devices; here it is traced,
// looked at and saved, and not run.
#include <thunky/thunky.h>

#include <cstdio>
#include <filesystem>
#include <string>

#include "example.h"

using namespace thunky;

namespace {

// A step of training with the parameters split over "y" and the data over "x":
// gathers the parameters, adds up gradients, hands the halo to the next device.
Program step_program() {
  // Collectives that this thread traces while the scope lives are on this mesh. Devices
  // are numbered row-major: device 4 x + y.
  const MeshScope scope(Mesh{{"x", 2}, {"y", 4}});
  return jit(
      [](Ref shard, Ref whole, Ref gradient, Ref halo) {
        // Two groups, of the devices that differ in y only: {0,1,2,3} and {4,5,6,7}.
        all_gather(shard, whole, {.axis_name = "y"});
        // Four groups, of those that differ in x only: {0,4}, {1,5}, {2,6} and {3,7}.
        all_reduce(gradient, gradient, "sum", {.axis_name = "x"});
        // Pairs are indices along the axis, modulo its size: a ring.
        collective_permute(gradient[slice(0, 16)], halo, {{0, 1}, {1, 2}, {2, 3}, {3, 4}},
                           {.axis_name = "y"});
      },
      {{"shard", f32(64)},
       {"whole", f32(256)},
       {"gradient", f32(256)},
       {"halo", f32(16)}},
      {.name = "step"});
}

void expect_in(const std::string& text, const std::string& part) {
  example::expect(text.find(part) != std::string::npos, "'" + part + "' in the module");
}

}  // namespace

int main(int argc, char** argv) {
  return example::run(argc, argv, [](const std::filesystem::path&) {
    const Program program = step_program();
    const std::string text = program.module_text();
    std::puts(text.c_str());
    expect_in(text, "replica_groups = [[0, 1, 2, 3], [4, 5, 6, 7]]");
    expect_in(text, "replica_groups = [[0, 4], [1, 5], [2, 6], [3, 7]]");
    example::expect(program.check().empty(), "no hazard");

    // Without a mesh a collective does not know its devices.
    try {
      (void)jit([](Ref x) { all_reduce(x, x, "sum", {.axis_name = "x"}); }, {f32(4)});
      example::expect(false, "an error");
    } catch (const Error& error) {
      std::printf("as it should be: %s\n", error.what());
    }
    std::puts("traced_collective: right");
  });
}
