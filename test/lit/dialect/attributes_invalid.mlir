// RUN: thunky-opt %s -split-input-file -verify-diagnostics

// expected-error @+1 {{argument 0: "thunky.colour" is no attribute of an argument}}
func.func @main(%a: !thunky.buffer<64> {thunky.colour = "red"}) {
  return
}

// -----

// expected-error @+1 {{argument 0: "thunky.name" is 7 : i64; a string is needed}}
func.func @main(%a: !thunky.buffer<64> {thunky.name = 7}) {
  return
}

// -----

// expected-error @+1 {{argument 0: "thunky.parameter" is -1 : i64; an i64, 0 or more is needed}}
func.func @main(%a: !thunky.buffer<64> {thunky.parameter = -1}) {
  return
}

// -----

// expected-error @+1 {{argument 0: "thunky.alias" is "perhaps"; "may" or "must" is needed}}
func.func @main(%a: !thunky.buffer<64> {thunky.alias = "perhaps"}) {
  return
}

// -----

// expected-error @+1 {{argument 0: "thunky.results" is []; an array of array<i64> is needed}}
func.func @main(%a: !thunky.buffer<64> {thunky.results = []}) {
  return
}

// -----

// expected-error @+1 {{argument 0: "thunky.type" is f32; a tensor type of static shape and known element type is needed}}
func.func @main(%a: !thunky.buffer<64> {thunky.type = f32}) {
  return
}

// -----

// expected-error @+1 {{argument 0: "thunky.type" is tensor<?xf32>; a tensor type of static shape and known element type is needed}}
func.func @main(%a: !thunky.buffer<64> {thunky.type = tensor<?xf32>}) {
  return
}

// -----

// expected-error @+1 {{argument 0: "thunky.layout" is [0]; an array<i64> is needed}}
func.func @main(%a: !thunky.buffer<64> {thunky.layout = [0]}) {
  return
}

// -----

// expected-error @+1 {{argument 0: "thunky.scratch" is true; unit is needed}}
func.func @main(%a: !thunky.buffer<64> {thunky.scratch = true}) {
  return
}

// -----

func.func @main(%a: !thunky.buffer<64>) {
  // expected-error @+1 {{"thunky.colour" is no attribute of the thunky dialect}}
  thunky.memzero %a {thunky.colour = "red"} : <64>
  return
}

// -----

func.func @main(%a: !thunky.buffer<64>) {
  // expected-error @+1 {{"thunky.annotation" is 7 : i64; a string is needed}}
  thunky.memzero %a {thunky.annotation = 7} : <64>
  return
}

// -----

func.func @main(%a: !thunky.buffer<64>) {
  // expected-error @+1 {{"thunky.region" is "x"; an i64 is needed}}
  thunky.memzero %a {thunky.region = "x"} : <64>
  return
}

// -----

func.func @main(%a: !thunky.buffer<64>) {
  // expected-error @+1 {{"thunky.version" does not belong on thunky.memzero}}
  thunky.memzero %a {thunky.version = 1} : <64>
  return
}

// -----

func.func @main(%a: !thunky.buffer<64>) {
  // expected-error @+1 {{has both thunky.residual and thunky.residual_bytes}}
  thunky.memzero %a {thunky.residual = "", thunky.residual_bytes = ""} : <64>
  return
}

// -----

func.func @main(%a: !thunky.buffer<64>) {
  // expected-error @+1 {{has a residual that is no ThunkProto: }}
  thunky.memzero %a {thunky.residual = "nonsense: 1"} : <64>
  return
}

// -----

func.func @main(%a: !thunky.buffer<64>) {
  // expected-error @+1 {{has a residual that is no ThunkProto: }}
  thunky.memzero %a {thunky.residual_bytes = "\FF"} : <64>
  return
}

// -----

// expected-error @+1 {{the module is of version 2 of the thunky dialect; this build reads up to version 1}}
module attributes {thunky.version = 2} {
}

// -----

// expected-error @+1 {{"thunky.version" is 0 : i64; an i64 of 1 or more is needed}}
module attributes {thunky.version = 0} {
}

// -----

// expected-error @+1 {{"thunky.version" is "1"; an i64 of 1 or more is needed}}
module attributes {thunky.version = "1"} {
}

// -----

// expected-error @+1 {{"thunky.annotation" does not belong on builtin.module}}
module attributes {thunky.annotation = "x"} {
}

// -----

// expected-error @+1 {{"thunky.compute_capability" is 9.000000e+00 : f64; a string is needed}}
module attributes {thunky.compute_capability = 9.0} {
}

// -----

// expected-error @+1 {{"thunky.colour" is no attribute of the thunky dialect}}
module attributes {thunky.colour = "red"} {
}

// -----

func.func @main(%a: !thunky.buffer<64>) {
  // expected-error @+1 {{unregistered operation 'thunky.sort' found in dialect ('thunky') that does not allow unknown operations}}
  "thunky.sort"(%a) : (!thunky.buffer<64>) -> ()
  return
}
