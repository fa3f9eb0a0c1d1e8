# lib/fender_fmu.so: the binary of FMUs that `fender export --fmu` writes. Both libraries are linked into it; it exports
# the functions of FMI alone and needs nothing but the C library where it runs.
if(FENDER_FUZZ)
    return() # the sanitizers' fuzzer has a main of its own
endif()
find_library(YAML_STATIC_LIBRARY libyaml.a HINTS ${yaml_hint_LIBRARY_DIRS})
mark_as_advanced(YAML_STATIC_LIBRARY)
set(fmu_yaml ${YAML_LIBRARY})
if(YAML_STATIC_LIBRARY)
    set(fmu_yaml ${YAML_STATIC_LIBRARY})
endif()

file(GLOB fmu_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/fmu/*.c)
list(SORT fmu_sources)
# Parts of fender_io that call other libraries, compiled once more without them: the linker takes these first.
set(fmu_parts "")
foreach(part tables/hdf5 import/read_gdal)
    string(REPLACE "/" "_" name ${part})
    file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/fmu_${name}.c CONTENT "#include \"${part}.c\"\n")
    list(APPEND fmu_parts ${PROJECT_BINARY_DIR}/generated/fmu_${name}.c)
endforeach()
add_library(fender_fmu_parts OBJECT ${fmu_parts})
add_library(fender_fmu MODULE ${fmu_sources} $<TARGET_OBJECTS:fender_fmu_parts>)
foreach(target fender_fmu fender_fmu_parts)
    target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
    target_compile_definitions(${target} PRIVATE _POSIX_C_SOURCE=200809L)
    target_link_libraries(${target} PRIVATE fender_flags)
endforeach()
set_target_properties(fender_fmu PROPERTIES PREFIX "" OUTPUT_NAME fender_fmu SUFFIX .so)
add_dependencies(fender_fmu fender_io fender)
# By their files: what the libraries need besides is not linked in, but for SUNDIALS, of which methods of the core consist.
target_link_libraries(fender_fmu PRIVATE $<TARGET_FILE:fender_io> $<TARGET_FILE:fender> ${fmu_yaml} ${sundials_libraries} ${CMAKE_DL_LIBS}
                      ${CMAKE_THREAD_LIBS_INIT} -lm)
set_target_properties(fender_fmu PROPERTIES LINK_DEPENDS ${PROJECT_SOURCE_DIR}/src/fmu/exports.map)
target_link_options(fender_fmu PRIVATE -Wl,--version-script=${PROJECT_SOURCE_DIR}/src/fmu/exports.map -Wl,--gc-sections -Wl,--as-needed)
if(NOT FENDER_SANITIZE AND fender_has_z_defs)
    target_link_options(fender_fmu PRIVATE -Wl,-z,defs)
endif()
