// Writes the test programs as text protos: write_programs FOLDER. Run it with
// test/programs as FOLDER after a change of a program; programs_test compares.
#include <cstdio>
#include <fstream>
#include <string>

#include "test/programs/program_builder.h"
#include "test/programs/test_program.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s FOLDER\n", argv[0]);
    return 2;
  }
  for (const auto& program : thunky::program_tests::AllPrograms()) {
    const std::string path = std::string(argv[1]) + "/" + program.name + ".textproto";
    std::ofstream file(path, std::ios::binary);
    file << thunky::program_tests::ToText(program.proto);
    if (!file.flush()) {
      std::fprintf(stderr, "%s: cannot be written\n", path.c_str());
      return 1;
    }
  }
  return 0;
}
