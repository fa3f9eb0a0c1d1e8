# The plug-in of the scripts test_indices.sh.
fender_plugin(${target}_known_functions ${CMAKE_CURRENT_LIST_DIR}/known_functions.c ${PROJECT_BINARY_DIR}/tests/plugins)
set_target_properties(${target}_known_functions PROPERTIES OUTPUT_NAME known_functions)
target_link_libraries(${target}_known_functions PRIVATE m)
add_dependencies(${target} ${target}_known_functions)
