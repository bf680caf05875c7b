// Adds x to sum as often as count says; the device decides when to stop.
module @loop {
  thunky.kernel_code @kernels {ptx_file = "saxpy.ptx"}

  func.func @main(
      %x: !thunky.buffer<4096> {thunky.name = "x", thunky.type = tensor<1024xf32>},
      %count: !thunky.buffer<4> {thunky.name = "count", thunky.type = tensor<i32>},
      %sum: !thunky.buffer<4096> {thunky.type = tensor<1024xf32>},
      %left: !thunky.buffer<4> {thunky.scratch},
      %more: !thunky.buffer<1> {thunky.scratch}) {
    thunky.memzero %sum : <4096>
    thunky.copy %count -> %left : <4>, <4>
    thunky.while %more : <1> cond {
      thunky.ptx_kernel @kernels "count_down" grid [1, 1, 1] block [1, 1, 1]
          (%left read_write : <4>, %more write_all : <1>)
    } body {
      thunky.ptx_kernel @kernels "saxpy" grid [4, 1, 1] block [256, 1, 1]
          (%x read : <4096>, %sum read_write : <4096>)
          {parameters = [0 : index, 1 : index, 1.0 : f32, 1024 : i32]}
    }
    return
  }
}
