# The sample controller as a library and inside an FMU.
add_dependencies(${target} fender_fmu plugin_hover)
add_library(test_hover_fmu MODULE ${PROJECT_SOURCE_DIR}/tests/fmi/hover_fmu.c)
target_include_directories(test_hover_fmu PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
target_link_libraries(test_hover_fmu PRIVATE fender_flags)
set_target_properties(test_hover_fmu PROPERTIES PREFIX "" OUTPUT_NAME hover_fmu LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests/bin)
add_dependencies(${target} test_hover_fmu)
