// Executables written by hand: buffers, then thunks, then the proto.
#ifndef THUNKY_TEST_PROGRAMS_PROGRAM_BUILDER_H_
#define THUNKY_TEST_PROGRAMS_PROGRAM_BUILDER_H_

#include <cstdint>
#include <string>
#include <vector>

#include "proto/executable.pb.h"
#include "test/programs/thunk_protos.h"

namespace thunky::program_tests {

class ProgramBuilder {
 public:
  explicit ProgramBuilder(const std::string& name);

  // The next parameter, in a new allocation.
  Ref AddParameter(const std::string& name, wire::PrimitiveType type, const Dims& dims);
  // Leaves out a parameter that the compiler pruned: it has a place in the program
  // shape and no allocation.
  void SkipParameter(const std::string& name, wire::PrimitiveType type, const Dims& dims);

  // The next result, in a new allocation. Two or more results make a tuple.
  Ref AddResult(wire::PrimitiveType type, const Dims& dims);
  // The next result, in the memory of `parameter`, number `parameter_number`.
  void AddAliasedResult(const Ref& parameter, int64_t parameter_number);

  Ref AddTemp(wire::PrimitiveType type, const Dims& dims);
  Ref AddConstant(wire::PrimitiveType type, const Dims& dims, const std::string& bytes);
  template <typename T>
  Ref AddConstant(wire::PrimitiveType type, const std::vector<T>& values) {
    return AddConstant(type, {static_cast<int64_t>(values.size())},
                       std::string(reinterpret_cast<const char*>(values.data()),
                                   values.size() * sizeof(T)));
  }
  Ref AddConstantScalar(int32_t value);

  void Add(wire::ThunkProto thunk) { *proto_.add_thunks() = std::move(thunk); }

  // The executable: thunks numbered from 1, parents before what they hold.
  wire::GpuExecutableProto Build() const;

 private:
  struct Result {
    wire::ShapeProto shape;
    int64_t allocation = 0;
    bool aliased = false;
    int64_t parameter_number = 0;
  };

  wire::BufferAllocationProto* NewAllocation(int64_t size);
  void AddOutput(const Result& result, const std::vector<int64_t>& index,
                 wire::GpuExecutableProto* proto) const;

  wire::GpuExecutableProto proto_;
  std::vector<Result> results_;
};

// Deterministic text; PTX stands as one string a line.
std::string ToText(const wire::GpuExecutableProto& proto);

// The PTX module cut down to one entry: without other entries and comments.
std::string OneEntry(const std::string& ptx, const std::string& entry);

}  // namespace thunky::program_tests

#endif  // THUNKY_TEST_PROGRAMS_PROGRAM_BUILDER_H_
