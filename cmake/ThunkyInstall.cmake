# cmake --install BUILD --prefix PREFIX [--component runtime|full]
#
#   runtime  bin/thunky, libthunky_runtime.so and its headers: running programs
#   full     beside it: libthunky.so and its headers, the compiler library, thunky-opt and
#            the language server; only of a build that has the compiler
#
# Everything finds its libraries by its own place, so that PREFIX can be moved.
# docs/installing.md is for who uses it.
include(CMakePackageConfigHelpers)

# Where libMLIR and libLLVM are, which the loader may not search.
set(compiler_rpath "$ORIGIN;${LLVM_LIBRARY_DIRS}")
string(REPLACE "$ORIGIN" "$ORIGIN/../lib" compiler_program_rpath "${compiler_rpath}")

# thunky_install(COMPONENT RPATH TARGET...): programs to bin, libraries to lib, their public
# headers to include. Targets that this build lacks are left out.
function(thunky_install component rpath)
  foreach(target ${ARGN})
    if(NOT TARGET ${target})
      continue()
    endif()
    set_target_properties(${target} PROPERTIES INSTALL_RPATH "${rpath}")
    get_target_property(header_sets ${target} HEADER_SETS)
    set(headers)
    if(header_sets)
      set(headers FILE_SET HEADERS DESTINATION include COMPONENT ${component})
    endif()
    install(TARGETS ${target}
            RUNTIME DESTINATION bin COMPONENT ${component}
            LIBRARY DESTINATION lib COMPONENT ${component}
            ${headers})
  endforeach()
endfunction()

thunky_install(runtime "$ORIGIN/../lib" thunky)
thunky_install(runtime "$ORIGIN" thunky_api)
thunky_install(full "${compiler_rpath}" thunky_frontend thunky_compiler)
thunky_install(full "${compiler_program_rpath}" thunky-opt thunky-lsp-server)
# A static library is inside those that use it.
get_target_property(proto_type thunky_proto TYPE)
if(proto_type STREQUAL SHARED_LIBRARY)
  thunky_install(runtime "$ORIGIN" thunky_proto)
endif()

configure_package_config_file(
  ${CMAKE_CURRENT_LIST_DIR}/thunkyConfig.cmake.in ${CMAKE_BINARY_DIR}/thunkyConfig.cmake
  INSTALL_DESTINATION lib/cmake/thunky
  NO_CHECK_REQUIRED_COMPONENTS_MACRO)
# Before 1.0 a minor version may change the interface.
write_basic_package_version_file(${CMAKE_BINARY_DIR}/thunkyConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/thunkyConfig.cmake
              ${CMAKE_BINARY_DIR}/thunkyConfigVersion.cmake
        DESTINATION lib/cmake/thunky COMPONENT runtime)
install(FILES ${CMAKE_SOURCE_DIR}/LICENSE DESTINATION share/doc/thunky COMPONENT runtime)
