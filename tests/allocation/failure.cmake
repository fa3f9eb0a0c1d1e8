# What the tests of failing allocations need. libyaml's own calls of malloc are made to fail as well: it has to be the
# static library, so that the linker sees them.
target_sources(${target} PRIVATE ${CMAKE_CURRENT_LIST_DIR}/drill.c ${CMAKE_CURRENT_LIST_DIR}/host_memory.c
                                 ${CMAKE_CURRENT_LIST_DIR}/foreign_memory.c)
find_library(YAML_STATIC_LIBRARY libyaml.a HINTS ${yaml_hint_LIBRARY_DIRS})
mark_as_advanced(YAML_STATIC_LIBRARY)
if(YAML_STATIC_LIBRARY)
    target_link_libraries(${target} PRIVATE ${YAML_STATIC_LIBRARY})
    target_compile_definitions(${target} PRIVATE HAVE_STATIC_YAML=1)
endif()
foreach(symbol malloc calloc realloc aligned_alloc strdup free opendir newlocale)
    target_link_options(${target} PRIVATE -Wl,--wrap=${symbol})
endforeach()
