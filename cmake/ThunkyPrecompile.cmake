# Precompiled headers: what most units include is parsed once a build.
#
# Six sets: those of libraries and of tests differ in their options, units that see
# the wire schema take its generated headers too, and the compiler takes MLIR's. A header must still
# include what it uses: header_tests compiles each alone, and clang-tidy
# (build_tools/ci/tidy.sh) sees every unit without precompiled headers.

option(THUNKY_PCH "Precompile the headers that most units include" ON)

set(THUNKY_PCH_PLAIN
    <algorithm> <array> <cstdint> <functional> <map> <memory> <optional> <string>
    <string_view> <utility> <variant> <vector>
    <absl/status/status.h> <absl/status/statusor.h> <absl/strings/str_cat.h>
    <absl/types/span.h>)
set(THUNKY_PCH_TEST <gmock/gmock.h> <gtest/gtest.h>)
set(THUNKY_PCH_SCHEMA <proto/executable.pb.h>)
set(THUNKY_PCH_COMPILER
    <proto/executable.pb.h> <mlir/Bytecode/BytecodeOpInterface.h> <mlir/IR/Builders.h>
    <mlir/IR/BuiltinAttributes.h> <mlir/IR/BuiltinOps.h> <mlir/IR/BuiltinTypes.h>
    <mlir/IR/Dialect.h> <mlir/IR/OpDefinition.h> <mlir/IR/OpImplementation.h>
    <mlir/IR/PatternMatch.h> <mlir/IR/SymbolTable.h>
    <mlir/Dialect/Func/IR/FuncOps.h> <mlir/Interfaces/SideEffectInterfaces.h>)
# What protoc's output includes.
set(THUNKY_PCH_GENERATED_CODE
    <algorithm> <limits> <string> <google/protobuf/arena.h>
    <google/protobuf/extension_set.h> <google/protobuf/generated_enum_reflection.h>
    <google/protobuf/generated_message_reflection.h> <google/protobuf/io/coded_stream.h>
    <google/protobuf/map.h> <google/protobuf/map_entry.h>
    <google/protobuf/map_field_inl.h> <google/protobuf/message.h>
    <google/protobuf/reflection_ops.h> <google/protobuf/repeated_field.h>
    <google/protobuf/unknown_field_set.h> <google/protobuf/wire_format.h>)

# An object library that does nothing but hold a precompiled header. OPTIONS are
# those of the units that use it, or the compiler will not take it.
function(_thunky_precompiled name)
  cmake_parse_arguments(ARG "" "" "OPTIONS;LINK;HEADERS" ${ARGN})
  set(unit ${CMAKE_BINARY_DIR}/precompiled/${name}.cc)
  file(CONFIGURE OUTPUT ${unit} CONTENT "// Holds a precompiled header.\n")
  add_library(${name} OBJECT EXCLUDE_FROM_ALL ${unit})
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
  target_compile_options(${name} PRIVATE ${ARG_OPTIONS})
  target_link_libraries(${name} PRIVATE thunky_flags absl::status absl::statusor
                        absl::strings absl::span ${ARG_LINK})
  target_precompile_headers(${name} PRIVATE ${THUNKY_PCH_PLAIN} ${ARG_HEADERS})
endfunction()

# Defines the sets; called once, after thunky_flags exists.
function(thunky_define_precompiled_headers)
  if(NOT THUNKY_PCH)
    return()
  endif()
  set(test OPTIONS -fPIE ${THUNKY_TEST_OPTIONS} LINK GTest::gmock GTest::gtest)
  _thunky_precompiled(thunky_pch_library OPTIONS -fPIC)
  _thunky_precompiled(thunky_pch_library_schema OPTIONS -fPIC LINK thunky_proto
                      HEADERS ${THUNKY_PCH_SCHEMA})
  if(THUNKY_HAS_COMPILER)
    _thunky_precompiled(thunky_pch_library_compiler OPTIONS -fPIC
                        LINK thunky_proto thunky_mlir HEADERS ${THUNKY_PCH_COMPILER})
  endif()
  _thunky_precompiled(thunky_pch_test ${test} HEADERS ${THUNKY_PCH_TEST})
  _thunky_precompiled(thunky_pch_test_schema ${test} thunky_proto
                      HEADERS ${THUNKY_PCH_TEST} ${THUNKY_PCH_SCHEMA})
  if(THUNKY_HAS_COMPILER)
    _thunky_precompiled(thunky_pch_test_compiler ${test} thunky_proto thunky_mlir
                        HEADERS ${THUNKY_PCH_TEST} ${THUNKY_PCH_COMPILER})
  endif()
endfunction()

# Lets `target`, which depends on the project's libraries `deps` (short names), use
# the set for its kind, library or test. A library that sees the schema is noted,
# so that those above it are found to see it as well.
function(thunky_use_precompiled_headers target kind deps)
  if(NOT THUNKY_PCH)
    return()
  endif()
  get_property(seers GLOBAL PROPERTY THUNKY_SEES_SCHEMA)
  set(suffix "")
  foreach(dep ${deps})
    if(dep STREQUAL proto OR dep IN_LIST seers)
      set(suffix _schema)
    endif()
  endforeach()
  if(suffix AND target MATCHES "^(thunky_)?compiler_")
    set(suffix _compiler)
  endif()
  if(suffix AND kind STREQUAL library)
    string(REGEX REPLACE "^thunky_" "" name ${target})
    set_property(GLOBAL APPEND PROPERTY THUNKY_SEES_SCHEMA ${name})
  endif()
  target_precompile_headers(${target} REUSE_FROM thunky_pch_${kind}${suffix})
endfunction()

# For the library of protoc's output.
function(thunky_precompile_generated_code target)
  if(THUNKY_PCH)
    target_precompile_headers(${target} PRIVATE ${THUNKY_PCH_GENERATED_CODE})
  endif()
endfunction()
