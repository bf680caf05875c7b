// out = x where choice is 0, zeros where it is 1, and x + 1 for every other choice.
module @branch {
  thunky.kernel_code @kernels {ptx_file = "saxpy.ptx"}

  func.func @main(
      %choice: !thunky.buffer<4> {thunky.name = "choice", thunky.type = tensor<i32>},
      %x: !thunky.buffer<4096> {thunky.name = "x", thunky.type = tensor<1024xf32>},
      %out: !thunky.buffer<4096> {thunky.type = tensor<1024xf32>}) {
    thunky.cond %choice : <4> {
      thunky.copy %x -> %out : <4096>, <4096>
    }, {
      thunky.memzero %out : <4096>
    }, {
      thunky.ptx_kernel @kernels "fill" grid [4, 1, 1] block [256, 1, 1]
          (%out write_all : <4096>)
          {parameters = [0 : index, 1.0 : f32, 1024 : i32]}
      thunky.ptx_kernel @kernels "saxpy" grid [4, 1, 1] block [256, 1, 1]
          (%x read : <4096>, %out read_write : <4096>)
          {parameters = [0 : index, 1 : index, 1.0 : f32, 1024 : i32]}
    }
    return
  }
}
