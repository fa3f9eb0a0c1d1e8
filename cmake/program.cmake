# The program `fender`. All of it but main.c is the library fender_program, so that tests can call it.
file(GLOB program_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/apps/fender/*.c)
list(SORT program_sources)
set(program_main ${PROJECT_SOURCE_DIR}/apps/fender/main.c)
list(REMOVE_ITEM program_sources ${program_main})

string(TOUPPER "${CMAKE_BUILD_TYPE}" program_build_type)
get_target_property(program_options fender_flags INTERFACE_COMPILE_OPTIONS)
list(JOIN program_options " " program_options)
string(STRIP "${CMAKE_C_FLAGS} ${CMAKE_C_FLAGS_${program_build_type}} ${program_options}" program_flags)

if(program_sources)
    add_library(fender_program STATIC ${program_sources})
    target_include_directories(fender_program PUBLIC ${PROJECT_SOURCE_DIR}/apps/fender PRIVATE ${PROJECT_SOURCE_DIR}/src)
    target_compile_definitions(fender_program PRIVATE _POSIX_C_SOURCE=200809L
                                                      FENDER_BUILD_TYPE="$<CONFIG>"
                                                      FENDER_BUILD_COMPILER="${CMAKE_C_COMPILER_ID} ${CMAKE_C_COMPILER_VERSION}"
                                                      FENDER_BUILD_FLAGS="${program_flags}"
                                                      FENDER_FMU_FOLDER="../${CMAKE_INSTALL_LIBDIR}/fender"
                                                      FENDER_BUILD_LIBYAML="${yaml_hint_VERSION}"
                                                      FENDER_BUILD_HDF5="$<IF:$<BOOL:${FENDER_WITH_HDF5}>,yes,no>"
                                                      FENDER_BUILD_GDAL="$<IF:$<BOOL:${FENDER_WITH_GDAL}>,yes,no>"
                                                      FENDER_BUILD_SQLITE="$<IF:$<BOOL:${FENDER_WITH_SQLITE}>,yes,no>"
                                                      FENDER_BUILD_EXPAT="$<IF:$<BOOL:${FENDER_WITH_EXPAT}>,yes,no>"
                                                      FENDER_BUILD_SUNDIALS="$<IF:$<BOOL:${FENDER_WITH_SUNDIALS}>,yes,no>")
    target_link_libraries(fender_program PUBLIC fender_io PRIVATE fender_flags)

    # `fender new` prints the sample scenarios to begin with, which name no other file.
    set(starters two_spheres docking capture hazard_field off_centre spinning_spheres two_capsules)
    list(TRANSFORM starters REPLACE "(.+)" "${PROJECT_SOURCE_DIR}/samples/scenarios/\\1.yaml")
    list(JOIN starters "|" starter_files)
    set(starters_source ${PROJECT_BINARY_DIR}/generated/starters.c)
    add_custom_command(
        OUTPUT ${starters_source}
        COMMAND ${CMAKE_COMMAND} "-DFILES=${starter_files}" -DOUTPUT=${starters_source} -P
                ${PROJECT_SOURCE_DIR}/cmake/embed_starters.cmake
        DEPENDS ${starters} ${PROJECT_SOURCE_DIR}/cmake/embed_starters.cmake
        COMMENT "Embedding the starter scenarios"
        VERBATIM)
    target_sources(fender_program PRIVATE ${starters_source})

    # build/bin/fender stands alone: the libraries of this project are linked into it.
    add_executable(fender_cli ${program_main})
    target_link_libraries(fender_cli PRIVATE fender_program $<BUILD_INTERFACE:fender_flags>)
    set_target_properties(fender_cli PROPERTIES OUTPUT_NAME fender)

    # Manual pages and completion, which the program prints from its table of commands; not where it cannot be run.
    if(NOT CMAKE_CROSSCOMPILING AND NOT FENDER_FUZZ)
        set(pages_folder ${PROJECT_BINARY_DIR}/generated/pages)
        add_custom_command(
            OUTPUT ${pages_folder}/made
            COMMAND ${CMAKE_COMMAND} -DPROGRAM=$<TARGET_FILE:fender_cli> -DFOLDER=${pages_folder}
                    -DCHANGES=${PROJECT_SOURCE_DIR}/CHANGELOG.md -P
                    ${PROJECT_SOURCE_DIR}/cmake/pages.cmake
            DEPENDS fender_cli ${PROJECT_SOURCE_DIR}/cmake/pages.cmake
            COMMENT "Writing manual pages and completion"
            VERBATIM)
        add_custom_target(fender_pages ALL DEPENDS ${pages_folder}/made)
    endif()
endif()
