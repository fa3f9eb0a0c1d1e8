# The plug-ins that the test loads: variant_0.so is a good one.
foreach(number RANGE 8)
    fender_plugin(${target}_variant_${number} ${CMAKE_CURRENT_LIST_DIR}/variant.c ${PROJECT_BINARY_DIR}/tests/plugins)
    set_target_properties(${target}_variant_${number} PROPERTIES OUTPUT_NAME variant_${number})
    target_compile_definitions(${target}_variant_${number} PRIVATE VARIANT=${number})
    add_dependencies(${target} ${target}_variant_${number})
endforeach()
add_dependencies(${target} plugin_claw plugin_shapes)
