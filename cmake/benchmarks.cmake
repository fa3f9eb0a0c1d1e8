# Each bench/NAME.c is a program fender_bench_NAME. The target `bench` builds them all; `make bench` also runs them.
file(GLOB bench_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/bench/*.c)
add_custom_target(bench)
foreach(source ${bench_sources})
    get_filename_component(name ${source} NAME_WE)
    add_executable(fender_bench_${name} EXCLUDE_FROM_ALL ${source})
    target_compile_definitions(fender_bench_${name} PRIVATE _POSIX_C_SOURCE=200809L
                                                            FENDER_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
    target_link_libraries(fender_bench_${name} PRIVATE fender_io)
    set_target_properties(fender_bench_${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bench)
    add_dependencies(bench fender_bench_${name})
endforeach()
