// RUN: thunky-opt %s -split-input-file -verify-diagnostics

func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<16>) {
  // expected-error @+1 {{'thunky.custom_call' op target_name is missing}}
  thunky.custom_call ""(%a : <64>) -> (%b : <16>)
     
  return
}

// -----

func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<16>) {
  // expected-error @+1 {{'thunky.custom_call' op has 2 shapes for 1 buffers; there must be one for each, or none}}
  thunky.custom_call "f"(%a : <64>) -> (%b : <16>)
      {operand_shapes = [f32, f32]}
  return
}

// -----

func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<16>) {
  // expected-error @+1 {{'thunky.custom_call' op has 0 shapes for 1 buffers; there must be one for each, or none}}
  thunky.custom_call "f"(%a : <64>) -> (%b : <16>)
      {result_shapes = []}
  return
}

// -----

func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<16>) {
  // expected-error @+1 {{'thunky.custom_call' op results[0] has 16 bytes; its shape f32[5] takes 20}}
  thunky.custom_call "f"(%a : <64>) -> (%b : <16>)
      {result_shapes = [tensor<5xf32>]}
  return
}

// -----

func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<16>) {
  // expected-error @+1 {{'thunky.custom_call' op results[0] has 16 bytes; its shape f32[3] takes 12, which must be all}}
  thunky.custom_call "f"(%a : <64>) -> (%b : <16>)
      {result_shapes = [tensor<3xf32>]}
  return
}

// -----

func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<16>) {
  // expected-error @+1 {{'thunky.custom_call' op operands[0] has 64 bytes; its shape f32[] takes 4, which must be all}}
  thunky.custom_call "f"(%a : <64>) -> (%b : <16>)
      {operand_shapes = [f32]}
  return
}

// -----

func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<16>) {
  // expected-error @+1 {{'thunky.custom_call' op has shape tensor<*xf32>; a tensor of static shape and known element type is needed}}
  thunky.custom_call "f"(%a : <64>) -> (%b : <16>)
      {operand_shapes = [tensor<*xf32>]}
  return
}

// -----

func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<16>) {
  // expected-error @+1 {{'thunky.custom_call' op has shape tensor<16xi33>; a tensor of static shape and known element type is needed}}
  thunky.custom_call "f"(%a : <64>) -> (%b : <16>)
      {operand_shapes = [tensor<16xi33>]}
  return
}

// -----

func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<16>) {
  // expected-error @+1 {{'thunky.custom_call' op has layout array<i64: 0> for 'tensor<4x4xf32>'; each dimension must be there once}}
  thunky.custom_call "f"(%a : <64>) -> (%b : <16>)
      {operand_shapes = [tensor<4x4xf32>], operand_layouts = [array<i64: 0>]}
  return
}

// -----

func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<16>) {
  // expected-error @+1 {{'thunky.custom_call' op has backend_config value 1 : i4 for 'x'; bool, i8 to i64, ui8 to ui64, f32, f64, strings, one-dimensional arrays of those numbers and dictionaries are allowed}}
  thunky.custom_call "f"(%a : <64>) -> (%b : <16>)
      {backend_config = {x = 1 : i4}}
  return
}

// -----

func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<16>) {
  // expected-error @+1 {{'thunky.custom_call' op has backend_config value 1 : i128 for 'x'; bool, i8 to i64, ui8 to ui64, f32, f64, strings, one-dimensional arrays of those numbers and dictionaries are allowed}}
  thunky.custom_call "f"(%a : <64>) -> (%b : <16>)
      {backend_config = {x = 1 : i128}}
  return
}

// -----

func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<16>) {
  // expected-error @+1 {{'thunky.custom_call' op has backend_config value 1 : index for 'x'; bool, i8 to i64, ui8 to ui64, f32, f64, strings, one-dimensional arrays of those numbers and dictionaries are allowed}}
  thunky.custom_call "f"(%a : <64>) -> (%b : <16>)
      {backend_config = {x = 1 : index}}
  return
}

// -----

func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<16>) {
  // expected-error @+1 {{'thunky.custom_call' op has backend_config value 1 : si32 for 'x'; bool, i8 to i64, ui8 to ui64, f32, f64, strings, one-dimensional arrays of those numbers and dictionaries are allowed}}
  thunky.custom_call "f"(%a : <64>) -> (%b : <16>)
      {backend_config = {x = 1 : si32}}
  return
}

// -----

func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<16>) {
  // expected-error @+1 {{'thunky.custom_call' op has backend_config value 1.000000e+00 : f16 for 'x'; bool}}
  thunky.custom_call "f"(%a : <64>) -> (%b : <16>)
      {backend_config = {x = 1.0 : f16}}
  return
}

// -----

func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<16>) {
  // expected-error @+1 {{'thunky.custom_call' op has backend_config value unit for 'x'; bool}}
  thunky.custom_call "f"(%a : <64>) -> (%b : <16>)
      {backend_config = {x}}
  return
}

// -----

func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<16>) {
  // expected-error @+1 {{'thunky.custom_call' op has backend_config value f32 for 'x'; bool}}
  thunky.custom_call "f"(%a : <64>) -> (%b : <16>)
      {backend_config = {x = f32}}
  return
}

// -----

func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<16>) {
  // expected-error @+1 {{'thunky.custom_call' op has backend_config value [1] for 'x'; bool}}
  thunky.custom_call "f"(%a : <64>) -> (%b : <16>)
      {backend_config = {x = [1]}}
  return
}

// -----

func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<16>) {
  // expected-error @+1 {{'thunky.custom_call' op has backend_config value array<i1: true> for 'x'; bool}}
  thunky.custom_call "f"(%a : <64>) -> (%b : <16>)
      {backend_config = {x = array<i1: true>}}
  return
}

// -----

func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<16>) {
  // expected-error @+1 {{'thunky.custom_call' op has backend_config value dense<1> : tensor<2x2xi64> for 'x'; bool}}
  thunky.custom_call "f"(%a : <64>) -> (%b : <16>)
      {backend_config = {x = dense<1> : tensor<2x2xi64>}}
  return
}

// -----

func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<16>) {
  // expected-error @+1 {{'thunky.custom_call' op has backend_config value f32 for 'z'; bool}}
  thunky.custom_call "f"(%a : <64>) -> (%b : <16>)
      {backend_config = {x = {y = {z = f32}}}}
  return
}

// -----

func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<16>) {
  // expected-error @+1 {{'thunky.custom_call' op has dictionaries nested deeper than 32}}
  thunky.custom_call "f"(%a : <64>) -> (%b : <16>)
      {backend_config = {a = {a = {a = {a = {a = {a = {a = {a = {a = {a = {a = {a = {a = {a = {a = {a = {a = {a = {a = {a = {a = {a = {a = {a = {a = {a = {a = {a = {a = {a = {a = {a = {a = {a = {}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}
  return
}

// -----

func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<16>) {
  // expected-error @+1 {{'thunky.custom_call' op has 2 buffers, num_operands is 1 and num_results 2; together they must be the buffers}}
  "thunky.custom_call"(%a, %b) {target_name = "f", num_operands = 1 : i64, num_results = 2 : i64}
      : (!thunky.buffer<64>, !thunky.buffer<16>) -> ()
  return
}

// -----

func.func @main(%a: !thunky.buffer<64>, %b: !thunky.buffer<16>) {
  // expected-error @+1 {{'thunky.custom_call' op has 2 buffers, num_operands is 9223372036854775807 and num_results 3; together they must be the buffers}}
  "thunky.custom_call"(%a, %b) {target_name = "f", num_operands = 9223372036854775807 : i64,
      num_results = 3 : i64} : (!thunky.buffer<64>, !thunky.buffer<16>) -> ()
  return
}

// -----

func.func @main(%a: !thunky.buffer<64>) {
  %0 = thunky.slice_buffer %a[8] : <64> -> <16>
  // expected-error @+1 {{'thunky.custom_call' op operands[0] (allocation 0 [0, 64), read) and results[0] (allocation 0 [8, 24), write) overlap in part}}
  thunky.custom_call "f"(%a : <64>) -> (%0 : <16>)
  return
}

// -----

func.func @main() {
  %0 = thunky.constant "" -> <16>  // expected-note {{the constant}}
  // expected-error @+1 {{'thunky.custom_call' op results[0] writes a constant}}
  thunky.custom_call "f"(%0 : <16>) -> (%0 : <16>)
  return
}
