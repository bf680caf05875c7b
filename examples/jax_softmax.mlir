// A softmax that JAX compiled, with steps of our own around it: the input is sharpened
// first, and a little of the uniform distribution is mixed in afterwards.
//
//   p = jax.nn.softmax(2 * x, axis=1)
//   out = 0.9 * p + 0.1 / 256
//
// The middle kernel came from
//
//   thunky import softmax.bin --kernels dump/ -o jax_softmax.mlir
//
// of `jax.jit(lambda x: jax.nn.softmax(x, axis=1))` for a f32[64,256]. What JAX and XLA
// would need to know about it (`thunky.origin`) is gone: this is a program of its own.
//
//   thunky run jax_softmax.mlir --input x.npy
module @jax_softmax {
  thunky.kernel_code @softmax {ptx_file = "jax_softmax.ptx"}
  thunky.kernel_code @own {ptx_file = "saxpy.ptx"}

  func.func @main(
      %x: !thunky.buffer<65536> {thunky.name = "x", thunky.type = tensor<64x256xf32>},
      %out: !thunky.buffer<65536> {thunky.type = tensor<64x256xf32>},
      %sharp: !thunky.buffer<65536> {thunky.scratch},
      %p: !thunky.buffer<65536> {thunky.scratch}) {
    // sharp = 2 * x
    thunky.memzero %sharp : <65536>
    thunky.ptx_kernel @own "saxpy" grid [64, 1, 1] block [256, 1, 1]
        (%x read : <65536>, %sharp read_write : <65536>)
        {parameters = [0 : index, 1 : index, 2.0 : f32, 16384 : i32]}

    // p = softmax(sharp): one block for each row, as XLA launches it.
    thunky.ptx_kernel @softmax "triton_softmax_2" grid [64, 1, 1] block [32, 1, 1] shmem 512 pdl
        (%sharp read : <65536>, %p write_all : <65536>)
        {thunky.annotation = "triton_softmax.2"}

    // out = 0.1 / 256 + 0.9 * p
    thunky.ptx_kernel @own "fill" grid [64, 1, 1] block [256, 1, 1]
        (%out write_all : <65536>)
        {parameters = [0 : index, 0.000390625 : f32, 16384 : i32]}
    thunky.ptx_kernel @own "saxpy" grid [64, 1, 1] block [256, 1, 1]
        (%p read : <65536>, %out read_write : <65536>)
        {parameters = [0 : index, 1 : index, 0.9 : f32, 16384 : i32]}
    return
  }
}
