#include "thunky/api/programs_for_test.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <span>

namespace thunky::api_test {
namespace {

// The four lines that each module of PTX begins with, and the address of x in %rd1.
std::string Module(const std::string& declarations, const std::string& body) {
  return ".version 8.0\n.target sm_80\n.address_size 64\n" + declarations +
         ".visible .entry k(.param .u64 x)\n{\n"
         "  .reg .pred %p<4>;\n  .reg .b32 %r<8>;\n  .reg .b64 %rd<8>;\n"
         "  ld.param.u64 %rd1, [x];\n" +
         body + "  ret;\n}\n";
}

// As a string of protobuf's text form.
std::string Quoted(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '\n') {
      quoted += "\\n";
    } else {
      quoted += c;
    }
  }
  return quoted + "\"";
}

constexpr char kShape[] = "{ element_type: S32 dimensions: 4 }";

Executable Program(const std::string& name, int threads, const std::string& ptx) {
  const std::string text =
      "module_name: '" + name + "' program_shape { parameters " + kShape +
      " parameter_names: 'x' result " + kShape +
      " } buffer_allocations { values { size: 16 is_entry_computation_parameter: true "
      "maybe_live_out: true is_parameter_aliased_with_output: true } } "
      "output_info_map { shape_index {} output_info { allocation_index: 0 "
      "alias_config { kind: MAY_ALIAS } } } "
      "thunks { thunk_info { profile_annotation: 'app.cc:7' } custom_kernel_thunk { "
      "args { slice { size: 16 element_type: S32 } shape " +
      kShape + " } written: true custom_kernel { name: 'k' kernel_spec { ptx { data: " +
      Quoted(ptx) +
      " } arity: 1 kernel_name: 'k' } block_dims { coordinates { x: 1 y: 1 z: 1 } } "
      "thread_dims { coordinates { x: " +
      std::to_string(threads) + " y: 1 z: 1 } } } } }";
  return Executable::from_bytes(std::as_bytes(std::span(text)), name + ".textproto");
}

}  // namespace

std::string Data(const std::string& path) {
  const char* folder = std::getenv("THUNKY_TEST_DATA");
  if (folder == nullptr) ADD_FAILURE() << "THUNKY_TEST_DATA is not set";
  return std::string(folder == nullptr ? "." : folder) + "/" + path;
}

Executable Saxpy() {
  const std::string folder = Data("fixtures/jax-0.11.2-ptx/saxpy");
  return Executable::load(folder + "/executable.bin", {.kernels = {folder + "/kernels"}});
}

Executable Increment() {
  return Program("increment", 4,
                 Module("",
                        "  mov.u32 %r1, %tid.x;\n"
                        "  mul.wide.u32 %rd2, %r1, 4;\n"
                        "  add.s64 %rd3, %rd1, %rd2;\n"
                        "  ld.global.u32 %r2, [%rd3];\n"
                        "  add.s32 %r2, %r2, 1;\n"
                        "  st.global.u32 [%rd3], %r2;\n"));
}

Executable Print() {
  return Program("print", 2,
                 Module(".extern .func (.param .b32 r) vprintf\n"
                        "(.param .b64 f, .param .b64 a);\n"
                        ".global .align 1 .b8 text[4] = {104, 105, 10, 0};\n",
                        "  mov.u64 %rd2, text;\n"
                        "  cvta.global.u64 %rd3, %rd2;\n"
                        "  mov.u64 %rd4, 0;\n"
                        "  { .param .b64 f; st.param.b64 [f], %rd3;\n"
                        "    .param .b64 a; st.param.b64 [a], %rd4;\n"
                        "    .param .b32 r;\n"
                        "    call.uni (r), vprintf, (f, a);\n"
                        "    ld.param.b32 %r1, [r]; }\n"));
}

Executable Spin() {
  return Program("spin", 1,
                 Module("",
                        "AGAIN:\n"
                        "  ld.volatile.global.u32 %r1, [%rd1];\n"
                        "  setp.eq.s32 %p1, %r1, 0;\n"
                        "  @%p1 bra AGAIN;\n"
                        "  add.s32 %r1, %r1, 1;\n"
                        "  st.global.u32 [%rd1], %r1;\n"));
}

Executable PastTheEnd() {
  return Program("past_the_end", 1,
                 Module("",
                        "  mov.u32 %r1, 1;\n"
                        "  st.global.u32 [%rd1+16], %r1;\n"));
}

Executable Race() {
  return Program("race", 2,
                 Module("",
                        "  .shared .align 4 .b32 place;\n"
                        "  mov.u32 %r1, %tid.x;\n"
                        "  st.shared.u32 [place], %r1;\n"));
}

Error ErrorIn(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "expected an Error";
  return Error(ErrorCode::internal, "none was thrown");
}

}  // namespace thunky::api_test
