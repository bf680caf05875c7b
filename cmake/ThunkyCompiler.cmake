# The compiler: the part that needs MLIR. Built where MLIR 22 is found, and left out
# with a message where it is not.
#
# libMLIR and libLLVM are linked as Debian ships them, as shared libraries; the static
# archives of MLIR's own CMake rules would put a second copy into each program.

option(THUNKY_COMPILER "Build the MLIR part, where MLIR is found" ON)
set(THUNKY_HAS_COMPILER OFF)
if(THUNKY_COMPILER AND NOT THUNKY_SANITIZE)
  find_package(MLIR 22.1 CONFIG QUIET PATHS /usr/lib/llvm-22/lib/cmake/mlir)
  if(MLIR_FOUND)
    set(THUNKY_HAS_COMPILER ON)
    find_program(THUNKY_MLIR_TBLGEN NAMES mlir-tblgen-22 mlir-tblgen REQUIRED)
  else()
    message(NOTICE "MLIR 22 was not found: thunky is built without its compiler")
  endif()
endif()

if(NOT THUNKY_HAS_COMPILER)
  return()
endif()

add_library(thunky_mlir INTERFACE)
target_include_directories(thunky_mlir SYSTEM INTERFACE ${MLIR_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS})
target_link_libraries(thunky_mlir INTERFACE MLIR LLVM)
# LLVM is built without exceptions. A library never lets one out either, except for what
# says so by this property: it throws, but through no function of MLIR.
target_compile_options(thunky_mlir INTERFACE
  $<$<NOT:$<BOOL:$<TARGET_PROPERTY:THUNKY_THROWS>>>:-fno-exceptions>)

add_library(thunky_mlir_lsp INTERFACE)
target_link_directories(thunky_mlir_lsp INTERFACE ${LLVM_LIBRARY_DIRS})
target_link_libraries(thunky_mlir_lsp INTERFACE
  ${LLVM_LIBRARY_DIRS}/libMLIRLspServerLib.a
  ${LLVM_LIBRARY_DIRS}/libMLIRLspServerSupportLib.a)

# thunky_tablegen(TARGET [SOURCE.td -gen-op-decls OUT.h.inc]...)
# Generates files beside the binaries of this folder.
function(thunky_tablegen target)
  set(outputs)
  file(GLOB definitions CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.td)
  while(ARGN)
    list(POP_FRONT ARGN source generator output)
    set(output ${CMAKE_CURRENT_BINARY_DIR}/${output})
    separate_arguments(generator)
    # Definitions of MLIR itself, which the source includes, stay out.
    set(dialect)
    if(generator MATCHES "-gen-dialect-")
      set(dialect -dialect=thunky)
    elseif(generator MATCHES "-gen-(typedef|attrdef)-")
      set(dialect -${CMAKE_MATCH_1}s-dialect=thunky)
    endif()
    add_custom_command(
      OUTPUT ${output}
      COMMAND ${THUNKY_MLIR_TBLGEN} ${generator} ${dialect} -I ${CMAKE_SOURCE_DIR}
              -I ${MLIR_INCLUDE_DIRS} ${CMAKE_CURRENT_SOURCE_DIR}/${source} -o ${output}
      DEPENDS ${definitions}
      VERBATIM)
    list(APPEND outputs ${output})
  endwhile()
  add_custom_target(${target} DEPENDS ${outputs})
endfunction()
