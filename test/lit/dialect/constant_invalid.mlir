// RUN: thunky-opt %s -split-input-file -verify-diagnostics

func.func @main() {
  // expected-error @+1 {{'thunky.constant' op has a value of 8 bytes in a buffer of 7; it must fit}}
  %0 = thunky.constant dense<[1.0, 2.0]> : tensor<2xf32> -> <7>
  return
}

// -----

// A few characters can ask for a lot.
func.func @main() {
  // expected-error @+1 {{'thunky.constant' op has a value of 4000000000000 bytes in a buffer of 8; it must fit}}
  %0 = thunky.constant dense<0.0> : tensor<1000000000000xf32> -> <8>
  return
}

// -----

func.func @main() {
  // expected-error @+1 {{'thunky.constant' op has value 7 : i64; a string or dense elements are needed}}
  %0 = thunky.constant 7 -> <8>
  return
}

// -----

func.func @main() {
  // expected-error @+1 {{'thunky.constant' op has value [1, 2]; a string or dense elements are needed}}
  %0 = thunky.constant [1, 2] -> <8>
  return
}

// -----

func.func @main() {
  // expected-error @+1 {{'thunky.constant' op has elements that cannot be stored: 'index'; integers, floats and complex numbers can}}
  %0 = thunky.constant dense<1> : tensor<1xindex> -> <8>
  return
}

// -----

func.func @main() {
  // expected-error @+1 {{'thunky.constant' op has elements that cannot be stored: '!thunky.token'}}
  %0 = thunky.constant dense<"a"> : tensor<1x!thunky.token> -> <8>
  return
}

// -----

// The bytes of a resource that is in the file must be as many as its type says.
func.func @main() {
  // expected-error @+1 {{'thunky.constant' op has resource 'short' of 3 bytes; its type takes 4}}
  %0 = thunky.constant dense_resource<short> : tensor<4xui8> -> <4>
  return
}
{-#
  dialect_resources: {
    builtin: { short: "0x010000000102FF" }
  }
#-}
