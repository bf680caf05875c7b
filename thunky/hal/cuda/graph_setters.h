// Kernels that tell a conditional node of a graph what to do.
#ifndef THUNKY_HAL_CUDA_GRAPH_SETTERS_H_
#define THUNKY_HAL_CUDA_GRAPH_SETTERS_H_

namespace thunky::hal::cuda {

// PTX, which the driver compiles: cudaGraphSetConditional is a function that it knows.
//
//   set_loop(handle, byte)           again while the byte is not 0
//   set_branch_bool(handle, byte)    body 0 where the byte is not 0, else body 1
//   set_branch_i32(handle, i, n)     body i, the last of n where i is out of range
//
// From compute capability 9.0 on a kernel can start while those in front of it end, and
// wait for them by itself: there the target is sm_90 and each "//wait" such a wait.
inline constexpr char kGraphSetters[] = R"ptx(
.version 8.3
.target sm_75
.address_size 64

.extern .func cudaGraphSetConditional(.param .b64 handle, .param .b32 value);

.visible .entry set_loop(.param .u64 handle, .param .u64 byte)
{
  .reg .pred %again;
  .reg .b16 %found;
  .reg .b32 %value;
  .reg .b64 %handle, %at;
  ld.param.u64 %handle, [handle];
  ld.param.u64 %at, [byte];
  cvta.to.global.u64 %at, %at;
  //wait
  ld.global.u8 %found, [%at];
  setp.ne.u16 %again, %found, 0;
  selp.u32 %value, 1, 0, %again;
  {
    .param .b64 first;
    .param .b32 second;
    st.param.b64 [first], %handle;
    st.param.b32 [second], %value;
    call.uni cudaGraphSetConditional, (first, second);
  }
  ret;
}

.visible .entry set_branch_bool(.param .u64 handle, .param .u64 byte)
{
  .reg .pred %yes;
  .reg .b16 %found;
  .reg .b32 %value;
  .reg .b64 %handle, %at;
  ld.param.u64 %handle, [handle];
  ld.param.u64 %at, [byte];
  cvta.to.global.u64 %at, %at;
  //wait
  ld.global.u8 %found, [%at];
  setp.ne.u16 %yes, %found, 0;
  selp.u32 %value, 0, 1, %yes;
  {
    .param .b64 first;
    .param .b32 second;
    st.param.b64 [first], %handle;
    st.param.b32 [second], %value;
    call.uni cudaGraphSetConditional, (first, second);
  }
  ret;
}

.visible .entry set_branch_i32(.param .u64 handle, .param .u64 index, .param .u32 bodies)
{
  .reg .pred %outside;
  .reg .b32 %value, %bodies, %last;
  .reg .b64 %handle, %at;
  ld.param.u64 %handle, [handle];
  ld.param.u64 %at, [index];
  ld.param.u32 %bodies, [bodies];
  cvta.to.global.u64 %at, %at;
  //wait
  ld.global.u32 %value, [%at];
  sub.u32 %last, %bodies, 1;
  setp.ge.u32 %outside, %value, %bodies;
  selp.u32 %value, %last, %value, %outside;
  {
    .param .b64 first;
    .param .b32 second;
    st.param.b64 [first], %handle;
    st.param.b32 [second], %value;
    call.uni cudaGraphSetConditional, (first, second);
  }
  ret;
}
)ptx";

}  // namespace thunky::hal::cuda

#endif  // THUNKY_HAL_CUDA_GRAPH_SETTERS_H_
