// Two kernels in a row: out = 1, then out = 2.5 * x + out.
//
//   thunky run pipeline.mlir --input x.npy
module @pipeline {
  thunky.kernel_code @kernels {ptx_file = "saxpy.ptx"}

  func.func @main(
      %x: !thunky.buffer<4096> {thunky.name = "x", thunky.type = tensor<1024xf32>},
      %out: !thunky.buffer<4096> {thunky.type = tensor<1024xf32>}) {
    thunky.ptx_kernel @kernels "fill" grid [4, 1, 1] block [256, 1, 1]
        (%out write_all : <4096>)
        {parameters = [0 : index, 1.0 : f32, 1024 : i32]}
    thunky.ptx_kernel @kernels "saxpy" grid [4, 1, 1] block [256, 1, 1]
        (%x read : <4096>, %out read_write : <4096>)
        {parameters = [0 : index, 1 : index, 2.5 : f32, 1024 : i32]}
    return
  }
}
