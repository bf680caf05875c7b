# Checks of the source tree and of what was built, as tests with the label lint.
find_package(Python3 REQUIRED COMPONENTS Interpreter)

set(tools ${CMAKE_SOURCE_DIR}/build_tools)
add_test(NAME lint.layers COMMAND Python3::Interpreter -B ${tools}/check_layers.py)
add_test(NAME lint.style COMMAND Python3::Interpreter -B ${tools}/check_style.py)
add_test(NAME lint.needed_libraries
         COMMAND ${tools}/check_needed_libraries.sh ${CMAKE_BINARY_DIR})
add_test(NAME lint.checks_fail_on_bad_trees
         COMMAND Python3::Interpreter -B ${tools}/checks_test.py)
set_tests_properties(lint.layers lint.style lint.needed_libraries
                     lint.checks_fail_on_bad_trees PROPERTIES LABELS lint TIMEOUT 120)
