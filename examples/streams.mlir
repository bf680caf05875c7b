// The two halves of out are computed on two streams at once.
module @streams {
  thunky.kernel_code @kernels {ptx_file = "saxpy.ptx"}

  func.func @main(
      %x: !thunky.buffer<4096> {thunky.name = "x", thunky.type = tensor<1024xf32>},
      %out: !thunky.buffer<4096> {thunky.type = tensor<1024xf32>}) {
    %x_low = thunky.slice_buffer %x[0] : <4096> -> <2048>
    %x_high = thunky.slice_buffer %x[2048] : <4096> -> <2048>
    %low = thunky.slice_buffer %out[0] : <4096> -> <2048>
    %high = thunky.slice_buffer %out[2048] : <4096> -> <2048>
    thunky.memzero %out : <4096>
    %first = thunky.async_start stream 1 {
      thunky.ptx_kernel @kernels "saxpy" grid [2, 1, 1] block [256, 1, 1]
          (%x_low read : <2048>, %low read_write : <2048>)
          {parameters = [0 : index, 1 : index, 2.0 : f32, 512 : i32]}
    }
    %second = thunky.async_start stream 2 {
      thunky.ptx_kernel @kernels "saxpy" grid [2, 1, 1] block [256, 1, 1]
          (%x_high read : <2048>, %high read_write : <2048>)
          {parameters = [0 : index, 1 : index, 3.0 : f32, 512 : i32]}
    }
    thunky.async_done %first
    thunky.async_done %second
    return
  }
}
